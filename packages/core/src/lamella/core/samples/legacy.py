"""Samples of reductions by segments and of functions that torch keeps for old programs."""

from __future__ import annotations

from . import S


def _segments(mk):
    lengths = mk.int(3, lo=2, hi=3)
    rows = lengths.reshape(1, 3).expand(2, 3)
    x = mk.distinct
    return [
        ((x(6, 2), "sum"), {"lengths": lengths}),
        ((x(6), "mean"), {"lengths": lengths, "initial": 2}),
        ((x(2, 6), "amax"), {"lengths": rows, "axis": 1}),
        ((x(2, 6, 2), "min"), {"lengths": rows, "axis": -2}),
        ((x(6), "prod"), {"offsets": mk.int(4, lo=0, hi=1) + lengths.new_tensor([0, 1, 4, 6])}),
    ]


SAMPLES = [
    S("segment_reduce", _segments),
    S("vander", lambda mk: [((mk(3),), {}), ((mk(3), 2, True), {}), ((mk(2), 0), {})]),
    S("norm_except_dim", lambda mk: [((mk(2, 3), 2, 1), {}), ((mk(2, 3, 2),), {}), ((mk(2, 3), 2, -1), {})]),
    S("linalg_diagonal", lambda mk: [((mk(2, 3, 3),), {}), ((mk(2, 3, 3),), {"offset": 1, "dim1": 0})]),
]
