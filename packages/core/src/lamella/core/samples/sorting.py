"""Samples of sorting, searching and counting."""

from __future__ import annotations

from . import S

SAMPLES = [
    S(
        "sort",
        lambda mk: [
            ((mk.distinct(5),), {}),
            ((mk.distinct(2, 4), 0, True), {}),
            ((mk(),), {}),
            ((mk.distinct(3),), {"stable": True}),
        ],
    ),
    S("argsort", lambda mk: [((mk.distinct(2, 4),), {}), ((mk.distinct(2, 4), 0, True), {})], grad=False),
    S("msort", lambda mk: [((mk.distinct(3, 2),), {})]),
    S(
        "topk",
        lambda mk: [((mk.distinct(5), 2), {}), ((mk.distinct(2, 5), 3, 1, False), {}), ((mk.distinct(100), 3), {})],
    ),
    S("kthvalue", lambda mk: [((mk.distinct(5), 2), {}), ((mk.distinct(2, 5), 3, 1, True), {}), ((mk(), 1), {})]),
    S(
        "searchsorted",
        lambda mk: [((mk.int(3).sort()[0], mk.int(2, 2)), {}), ((mk.int(3).sort()[0], 4), {"right": True})],
        grad=False,
    ),
    S("bucketize", lambda mk: [((mk.int(2, 2), mk.int(3).sort()[0]), {})], grad=False),
    S("histc", lambda mk: [((mk(10),), {"bins": 4, "min": -1, "max": 1})], grad=False),
    S("isin", lambda mk: [((mk.int(2, 3), mk.int(2)), {}), ((mk.int(2, 3), mk.int(2)), {"invert": True})], grad=False),
]
