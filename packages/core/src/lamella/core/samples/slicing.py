"""Samples of parts of tensors."""

from __future__ import annotations

from . import S

SAMPLES = [
    S("select", lambda mk: [((mk(2, 3), 0, 1), {}), ((mk(2, 3), -1, -1), {})]),
    S("narrow", lambda mk: [((mk(5), 0, 1, 3), {}), ((mk(2, 5), 1, -3, 2), {}), ((mk(2, 5), 1, 5, 0), {})]),
    S("narrow_copy", lambda mk: [((mk(2, 5), 1, 1, 3), {})]),
    S(
        "diagonal",
        lambda mk: [((mk(3, 4),), {}), ((mk(3, 4), 1), {}), ((mk(2, 3, 4), -1, 1, 2), {}), ((mk(2, 2), 5), {})],
    ),
    S("diag", lambda mk: [((mk(3),), {}), ((mk(3), -1), {}), ((mk(3, 4), 1), {})]),
    S("diag_embed", lambda mk: [((mk(2, 3),), {}), ((mk(2, 3), 1, 0, 2), {}), ((mk(3), -1), {})]),
    S("diagflat", lambda mk: [((mk(2, 2),), {}), ((mk(2), 1), {})]),
    S("unbind", lambda mk: [((mk(2, 3),), {}), ((mk(2, 3), -1), {})]),
    S("split", lambda mk: [((mk(5), 2), {}), ((mk(2, 5), [1, 4], 1), {}), ((mk(2, 4), 2, -1), {})]),
    S("split_with_sizes", lambda mk: [((mk(5), [2, 3]), {})]),
    S("chunk", lambda mk: [((mk(5), 2), {}), ((mk(2, 6), 4, 1), {})]),
    S("tensor_split", lambda mk: [((mk(5), 2), {}), ((mk(5), (1, 4)), {}), ((mk(2, 5), 3, 1), {})]),
    S("hsplit", lambda mk: [((mk(2, 4), 2), {}), ((mk(4), (1,)), {})]),
    S("vsplit", lambda mk: [((mk(4, 2), 2), {})]),
    S("dsplit", lambda mk: [((mk(2, 2, 4), [1, 3]), {})]),
    S("Tensor.unfold", lambda mk: [((mk(6), 0, 3, 2), {}), ((mk(2, 5), 1, 2, 1), {}), ((mk(), 0, 1, 1), {})]),
    S("slice_scatter", lambda mk: [((mk(5), mk(2)), {"start": 1, "end": 3}), ((mk(2, 5), mk(2, 2), 1, 0, 4, 2), {})]),
    S("select_scatter", lambda mk: [((mk(2, 3), mk(3), 0, 1), {}), ((mk(2, 3), mk(2), -1, 0), {})]),
    S("diagonal_scatter", lambda mk: [((mk(3, 3), mk(3)), {}), ((mk(3, 3), mk(2), 1), {})]),
    S("unsafe_split", lambda mk: [((mk(5), 2), {})]),
    S(
        "Tensor.__getitem__",
        lambda mk: [
            ((mk(3, 4), 1), {}),
            ((mk(3, 4), slice(1, 3)), {}),
            ((mk(3, 4), (0, 2)), {}),
            ((mk(3, 4), (..., None, slice(None, None, 2))), {}),
            ((mk(3, 4), (slice(1), -1)), {}),
        ],
    ),
]
