"""Samples of matrix products."""

from __future__ import annotations

from . import S

SAMPLES = [
    S("mm", lambda mk: [((mk(2, 3), mk(3, 4)), {}), ((mk.complex(2, 2), mk.complex(2, 2)), {})]),
    S("bmm", lambda mk: [((mk(2, 2, 3), mk(2, 3, 2)), {})]),
    S("mv", lambda mk: [((mk(2, 3), mk(3)), {})]),
    S("dot", lambda mk: [((mk(3), mk(3)), {})]),
    S("vdot", lambda mk: [((mk.complex(3), mk.complex(3)), {})]),
    S(
        "matmul",
        lambda mk: [
            ((mk(3), mk(3)), {}),
            ((mk(2, 3), mk(3)), {}),
            ((mk(3), mk(3, 2)), {}),
            ((mk(2, 3), mk(3, 2)), {}),
            ((mk(2, 2, 3), mk(3, 2)), {}),
            ((mk(2, 2, 3), mk(2, 3, 2)), {}),
            ((mk(2, 2, 3), mk(3)), {}),
            ((mk(3), mk(2, 3, 2)), {}),
            ((mk(2, 1, 2, 3), mk(2, 3, 2)), {}),
            ((mk(2, 3), mk(2, 3, 2)), {}),
        ],
    ),
    S(
        "addmm",
        lambda mk: [((mk(2, 2), mk(2, 3), mk(3, 2)), {}), ((mk(2), mk(2, 3), mk(3, 2)), {"beta": 0.5, "alpha": 2})],
        inplace=False,
    ),
    S("addmv", lambda mk: [((mk(2), mk(2, 3), mk(3)), {"alpha": 2})]),
    S("addr", lambda mk: [((mk(2, 3), mk(2), mk(3)), {"beta": 0.5})]),
    S("baddbmm", lambda mk: [((mk(2, 2, 2), mk(2, 2, 3), mk(2, 3, 2)), {"beta": 2})]),
    S("addbmm", lambda mk: [((mk(2, 2), mk(3, 2, 3), mk(3, 3, 2)), {})]),
    S("outer", lambda mk: [((mk(2), mk(3)), {})]),
    S("inner", lambda mk: [((mk(2, 3), mk(4, 3)), {})]),
    S("kron", lambda mk: [((mk(2, 2), mk(1, 3)), {})]),
    S("cross", lambda mk: [((mk(2, 3), mk(2, 3)), {})]),
    S("tensordot", lambda mk: [((mk(2, 3, 2), mk(3, 2, 2)), {}), ((mk(2, 3), mk(3, 2), ([1], [0])), {})]),
    S(
        "einsum",
        lambda mk: [
            (("ij,jk->ik", mk(2, 3), mk(3, 2)), {}),
            (("bij,bjk->bik", mk(2, 2, 3), mk(2, 3, 2)), {}),
            (("ii->i", mk(3, 3)), {}),
            (("i,j->ij", mk(2), mk(3)), {}),
            (("...ij->...ji", mk(2, 2, 3)), {}),
        ],
    ),
]
