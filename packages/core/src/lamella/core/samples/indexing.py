"""Samples of indexing."""

from __future__ import annotations

from typing import Any

from . import S


def _places(mk: Any, *places: int) -> Any:
    from ..creation import tensor

    return tensor(list(places))


SAMPLES = [
    S(
        "Tensor.__getitem__",
        lambda mk: [
            ((mk(3, 4), _places(mk, 2, 0, 2)), {}),
            ((mk(3, 4), (slice(None), [0, -1])), {}),
            ((mk(3, 4), ([0, 1], [1, 3])), {}),
            ((mk(2, 3, 4), ([0, 1], slice(None), [1, 3])), {}),
            ((mk(3, 4), (1, _places(mk, 0, 0))), {}),
        ],
    ),
    S(
        "index_select",
        lambda mk: [
            ((mk(3, 4), 0, _places(mk, 2, 0, 2)), {}),
            ((mk(3, 4), -1, _places(mk, 3)), {}),
            ((mk(), 0, _places(mk, 0)), {}),
        ],
    ),
    S(
        "index_add",
        lambda mk: [
            ((mk(3, 2), 0, _places(mk, 0, 0), mk(2, 2)), {}),
            ((mk(3, 2), 1, _places(mk, 1), mk(3, 1)), {"alpha": 2}),
        ],
    ),
    S("index_copy", lambda mk: [((mk(3, 2), 0, _places(mk, 2, 0), mk(2, 2)), {})]),
    S(
        "index_fill",
        lambda mk: [((mk(3, 2), 0, _places(mk, 2, 0), 1.5), {}), ((mk(3, 2), 1, _places(mk, 0), mk()), {})],
    ),
    S(
        "index_reduce",
        lambda mk: [
            ((mk(3, lo=0.5), 0, _places(mk, 0, 0, 2), mk(3, lo=0.5)), {"reduce": r, "include_self": i})
            for r in ("prod", "mean", "amax", "amin")
            for i in (True, False)
        ],
    ),
    S(
        "index_put",
        lambda mk: [
            ((mk(3, 2), (_places(mk, 0, 2),), mk(2, 2)), {}),
            ((mk(3, 2), (_places(mk, 0, 0),), mk(2)), {"accumulate": True}),
        ],
    ),
    S("masked_fill", lambda mk: [((mk(2, 3), mk.bool(2, 3), 1.5), {}), ((mk(2, 3), mk.bool(3), mk()), {})]),
    S("masked_scatter", lambda mk: [((mk(2, 3), mk.bool(2, 3), mk(6)), {})]),
    S("take", lambda mk: [((mk(2, 3), _places(mk, 0, -1, 0)), {})]),
    S(
        "put",
        lambda mk: [((mk(2, 3), _places(mk, 0, -1), mk(2)), {}), ((mk(2, 3), _places(mk, 0, 0), mk(2), True), {})],
    ),
    S("take_along_dim", lambda mk: [((mk(2, 3), mk.int(2, 3, hi=3), 1), {}), ((mk(2, 3), mk.int(4, hi=6)), {})]),
    S(
        "where",
        lambda mk: [((mk.bool(2, 3), mk(2, 3), mk(3)), {}), ((mk.bool(2), mk(2), 0), {}), ((mk.bool(2), 1, mk(2)), {})],
    ),
    S("unravel_index", lambda mk: [((mk.int(3, hi=6), (2, 3)), {})], grad=False),
]
