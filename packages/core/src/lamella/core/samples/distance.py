"""Samples of distances."""

from __future__ import annotations

from . import S

_INF = float("inf")

SAMPLES = [
    S(
        "cdist",
        lambda mk: [
            ((mk(3, 2), mk(4, 2)), {}),
            ((mk(2, 1, 3, 2), mk(3, 2, 2)), {}),
            ((mk(3, 2), mk(2, 2)), {"p": 1.0}),
            ((mk(3, 2), mk(2, 2)), {"p": 1.5}),
            ((mk(3, 2), mk(2, 2)), {"p": 3.0}),
            ((mk.distinct(3, 2), mk(2, 2)), {"p": _INF}),
            ((mk(3, 2), mk(2, 2)), {"p": 0.0}),
            ((mk(3, 2), mk(2, 2)), {"compute_mode": "use_mm_for_euclid_dist"}),
            ((mk(0, 2), mk(2, 2)), {}),
            ((mk(3, 0), mk(2, 0)), {}),
        ],
    ),
]
