"""Samples of histograms."""

from __future__ import annotations

from . import S


def _edges(mk):
    return mk(5, grad=False).sort()[0]


SAMPLES = [
    S(
        "histogram",
        lambda mk: [
            ((mk(3, 4, grad=False), 5), {}),
            ((mk(9, grad=False), 4), {"range": (-0.5, 0.5), "density": True}),
            ((mk(9, grad=False), _edges(mk)), {"weight": mk(9, grad=False)}),
        ],
        grad=False,
    ),
    S(
        "nonzero_static",
        lambda mk: [((mk.int(2, 3, hi=2),), {"size": 4}), ((mk.int(5, hi=2),), {"size": 1, "fill_value": 7})],
        grad=False,
    ),
]
