"""Samples of joining and rearranging."""

from __future__ import annotations

from . import S

SAMPLES = [
    S(
        "cat",
        lambda mk: [
            (([mk(2, 3), mk(1, 3)],), {}),
            (([mk(2, 3), mk(2, 1)], 1), {}),
            (([mk(0), mk(2, 3)],), {}),
            (([mk(2), mk.int(2)],), {"dim": -1}),
            (([mk(2)],), {}),
        ],
    ),
    S("concat", lambda mk: [(([mk(2), mk(3)],), {})]),
    S("stack", lambda mk: [(([mk(2, 3), mk(2, 3)],), {}), (([mk(2), mk(2), mk(2)], -1), {}), (([mk(), mk()],), {})]),
    S("hstack", lambda mk: [(((mk(2), mk(3)),), {}), (([mk(2, 1), mk(2, 2)],), {})]),
    S("vstack", lambda mk: [(((mk(2), mk(2)),), {}), (((mk(), mk(1)),), {})]),
    S("dstack", lambda mk: [(((mk(2, 3), mk(2, 3)),), {})]),
    S("column_stack", lambda mk: [(((mk(2), mk(2, 3)),), {})]),
    S("atleast_1d", lambda mk: [((mk(),), {}), ((mk(2), mk()), {})]),
    S("atleast_2d", lambda mk: [((mk(),), {}), ((mk(2),), {})]),
    S("atleast_3d", lambda mk: [((mk(),), {}), ((mk(2),), {}), ((mk(2, 3),), {})]),
    S("Tensor.repeat", lambda mk: [((mk(2, 3), 2, 1), {}), ((mk(3), (2, 2)), {}), ((mk(2), 0), {}), ((mk(), 3), {})]),
    S("tile", lambda mk: [((mk(2, 3), (2,)), {}), ((mk(2), (2, 3)), {})]),
    S(
        "repeat_interleave",
        lambda mk: [((mk(2, 3), 2), {}), ((mk(2, 3), 2, 1), {}), ((mk(3), mk.int(3, lo=0, hi=3)), {"output_size": 2})][
            :2
        ],
    ),
    S("flip", lambda mk: [((mk(2, 3), (0,)), {}), ((mk(2, 3), (0, -1)), {}), ((mk(), ()), {})]),
    S("fliplr", lambda mk: [((mk(2, 3),), {})]),
    S("flipud", lambda mk: [((mk(2, 3),), {})]),
    S("roll", lambda mk: [((mk(2, 3), 1), {}), ((mk(2, 3), (1, -1), (0, 1)), {}), ((mk(2, 3), 1, 1), {})]),
    S("rot90", lambda mk: [((mk(2, 3),), {}), ((mk(2, 3), -1, (1, 0)), {}), ((mk(2, 3), 2), {})]),
    S("tril", lambda mk: [((mk(3, 4),), {}), ((mk(2, 3, 3), -1), {}), ((mk(3, 3), 1), {})]),
    S("triu", lambda mk: [((mk(3, 4),), {}), ((mk(2, 3, 3), -1), {}), ((mk(3, 3), 1), {})]),
    S("meshgrid", lambda mk: [((mk(2), mk(3)), {"indexing": "ij"}), ((mk(2), mk(3), mk(1)), {"indexing": "xy"})]),
    S("block_diag", lambda mk: [((mk(2, 2), mk(1, 3), mk(2)), {})]),
    S("cartesian_prod", lambda mk: [((mk(2), mk(3)), {}), ((mk(2),), {})]),
    S("combinations", lambda mk: [((mk(4),), {}), ((mk(3), 2, True), {})]),
    S("pixel_shuffle", lambda mk: [((mk(1, 4, 2, 3), 2), {})]),
    S("pixel_unshuffle", lambda mk: [((mk(1, 1, 4, 6), 2), {})]),
    S("channel_shuffle", lambda mk: [((mk(1, 4, 2), 2), {})]),
    S(
        "constant_pad_nd",
        lambda mk: [((mk(2, 3), (1, 2)), {}), ((mk(2, 3), (1, -1, 0, 2), 0.5), {}), ((mk(2, 3), (-1, -1)), {})],
    ),
]
