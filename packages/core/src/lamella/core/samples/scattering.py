"""Samples of gather, scatter and their like."""

from __future__ import annotations

from . import S

SAMPLES = [
    S(
        "gather",
        lambda mk: [
            ((mk(3, 4), 1, mk.int(3, 2, hi=4)), {}),
            ((mk(3, 4), 0, mk.int(2, 4, hi=3)), {}),
            ((mk(), 0, mk.int(hi=1)), {}),
        ],
    ),
    S(
        "scatter",
        lambda mk: [
            ((mk(2, 4), 1, mk.int(2, 1, hi=4), mk(2, 1)), {}),
            ((mk(2, 4), 1, mk.int(2, 1, hi=4), 0.5), {}),
            ((mk(2, 4), 0, mk.int(1, 3, hi=2), mk(1, 3)), {}),
        ],
    ),
    S("scatter", lambda mk: [((mk(2, 4), 1, mk.int(2, 3, hi=4), mk(2, 3)), {"reduce": "add"})], grad=False),
    S(
        "scatter_add",
        lambda mk: [
            ((mk(2, 4), 1, mk.int(2, 5, hi=4), mk(2, 5)), {}),
            ((mk(2, 4), 0, mk.int(3, 4, hi=2), mk(3, 4)), {}),
        ],
    ),
    S(
        "scatter_reduce",
        lambda mk: [
            ((mk(2, 3, lo=0.5), 1, mk.int(2, 4, hi=3), mk(2, 4, lo=0.5)), {"reduce": r, "include_self": i})
            for r in ("sum", "prod", "mean", "amax", "amin")
            for i in (True, False)
        ],
    ),
]
