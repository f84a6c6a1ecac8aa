"""Samples of linear algebra."""

from __future__ import annotations

from typing import Any

from . import S


def _of(name: str, *shapes: tuple[int, ...], **more: Any) -> S:
    return S(name, lambda mk: [((mk.far(*s),), {}) for s in shapes], **more)


_SQUARE = ((3, 3), (2, 3, 3))
SAMPLES = [
    *(_of(f"linalg_{n}", *_SQUARE) for n in ("inv", "det", "matrix_exp", "eigvals")),
    *(_of(f"linalg_{n}", *_SQUARE) for n in ("slogdet", "inv_ex", "lu_factor", "lu")),
    S("linalg_inv", lambda mk: [((mk.complex(3, 3),), {})]),
    S("linalg_det", lambda mk: [((mk.complex(2, 2),), {})]),
    S(
        "linalg_solve",
        lambda mk: [
            ((mk.far(3, 3), mk(3, 2)), {}),
            ((mk.far(2, 3, 3), mk(2, 3)), {}),
            ((mk.far(3, 3), mk(3)), {}),
            ((mk.far(3, 3), mk(2, 3)), {"left": False}),
            ((mk.complex(2, 2), mk.complex(2, 1)), {}),
        ],
    ),
    S(
        "linalg_solve_triangular",
        lambda mk: [
            ((mk.far(3, 3), mk(3, 2)), {"upper": True}),
            ((mk.far(2, 3, 3), mk(3, 2)), {"upper": False}),
            ((mk.far(3, 3), mk(2, 3)), {"upper": True, "left": False}),
            ((mk(3, 3), mk(3, 2)), {"upper": False, "unitriangular": True}),
        ],
    ),
    S("linalg_cholesky", lambda mk: [((mk.definite(3),), {}), ((mk.definite(2, 3),), {"upper": True})], grad=False),
    S(
        "linalg_qr",
        lambda mk: [((mk.far(3, 3),), {}), ((mk.far(4, 2),), {}), ((mk.far(2, 4),), {}), ((mk.far(2, 3, 3),), {})],
    ),
    S("linalg_svd", lambda mk: [((mk.far(3, 3), False), {}), ((mk.far(4, 2), False), {}), ((mk.far(2, 4), False), {})]),
    _of("linalg_svdvals", (3, 3), (2, 4, 2)),
    _of("linalg_pinv", (3, 3), (4, 2), (2, 4)),
    S("linalg_eigh", lambda mk: [((mk.definite(3),), {})], grad=False),
    S("linalg_eigvalsh", lambda mk: [((mk.definite(3),), {})], grad=False),
    S("linalg_eig", lambda mk: [((mk.far(3, 3),), {})], grad=False),
    S("linalg_lu_factor", lambda mk: [((mk.far(4, 2),), {}), ((mk.far(2, 4),), {})]),
    S(
        "linalg_matrix_norm",
        lambda mk: (
            [((mk.far(3, 2), o), {}) for o in ("fro", "nuc", 1, -1, 2, -2, float("inf"))]
            + [((mk.far(2, 3, 2), "fro", (0, 2), True), {})]
        ),
    ),
    S("linalg_norm", lambda mk: [((mk(3),), {}), ((mk(3, 2), 1, 0), {}), ((mk(3, 2), "fro"), {})]),
    S("linalg_vector_norm", lambda mk: [((mk(3, 2),), {}), ((mk(3, 2), 1), {}), ((mk(3, 2), 3, 0), {})]),
    _of("linalg_cond", (3, 3)),
    S("linalg_matrix_rank", lambda mk: [((mk(3, 3),), {})], grad=False),
    S("linalg_matrix_power", lambda mk: [((mk.far(3, 3), n), {}) for n in (0, 1, 3, -2)]),
    S("linalg_multi_dot", lambda mk: [(([mk(2, 3), mk(3, 4), mk(4, 2)],), {}), (([mk(3), mk(3, 4), mk(4)],), {})]),
    S("linalg_vander", lambda mk: [((mk(3),), {}), ((mk(2, 3),), {"N": 2})]),
    S("linalg_vecdot", lambda mk: [((mk(2, 3), mk(2, 3)), {}), ((mk.complex(3), mk.complex(3)), {})]),
    S("linalg_cross", lambda mk: [((mk(2, 3), mk(2, 3)), {})]),
    S("linalg_tensorinv", lambda mk: [((mk.far(4, 2, 2),), {"ind": 1})]),
    S("linalg_tensorsolve", lambda mk: [((mk.far(2, 2, 4), mk(2, 2)), {})]),
    S("linalg_lstsq", lambda mk: [((mk.far(4, 2), mk(4, 1)), {}), ((mk.far(2, 4), mk(2, 1)), {})]),
    S("linalg_householder_product", lambda mk: [((mk(3, 2), mk(2)), {})]),
    S(
        "ormqr",
        lambda mk: [
            ((mk(3, 2), mk(2), mk(3, 2)), {}),
            ((mk(3, 2), mk(2), mk(2, 3)), {"left": False, "transpose": True}),
        ],
    ),
    S("geqrf", lambda mk: [((mk(3, 2, grad=False),), {})], grad=False),
    S("lu_solve", lambda mk: [((mk(2, 1), mk.far(2, 2), mk.pivots(2)), {})]),
    S("cholesky_solve", lambda mk: [((mk(3, 1), mk.definite(3, grad=False)), {})]),
    S("triangular_solve", lambda mk: [((mk(3, 1), mk.far(3, 3)), {}), ((mk(3, 1), mk.far(3, 3)), {"transpose": True})]),
]
