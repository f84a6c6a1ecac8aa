"""Samples of views."""

from __future__ import annotations

from . import S

SAMPLES = [
    S("Tensor.view", lambda mk: [((mk(2, 6), 3, 4), {}), ((mk(2, 6), -1), {}), ((mk(4), (2, 2)), {}), ((mk(), 1), {})]),
    S("reshape", lambda mk: [((mk(2, 6), (3, -1)), {}), ((mk(2, 3).t(), (6,)), {}), ((mk(0, 3), (3, 0)), {})]),
    S("Tensor.view_as", lambda mk: [((mk(6), mk(2, 3, grad=False)), {})]),
    S("Tensor.reshape_as", lambda mk: [((mk(2, 3).t(), mk(6, grad=False)), {})]),
    S(
        "flatten",
        lambda mk: [((mk(2, 3, 4),), {}), ((mk(2, 3, 4), 1), {}), ((mk(),), {}), ((mk(2, 3, 4).transpose(0, 2),), {})],
    ),
    S("unflatten", lambda mk: [((mk(2, 12), 1, (3, -1)), {}), ((mk(6), -1, (2, 3)), {})]),
    S("ravel", lambda mk: [((mk(2, 3),), {}), ((mk(2, 3).t(),), {})]),
    S(
        "squeeze",
        lambda mk: [
            ((mk(1, 2, 1),), {}),
            ((mk(1, 2, 1), 0), {}),
            ((mk(1, 2, 1), (0, -1)), {}),
            ((mk(2, 2), 1), {}),
            ((mk(), 0), {}),
        ],
        inplace=False,
    ),
    S(
        "unsqueeze",
        lambda mk: [((mk(2, 3), 0), {}), ((mk(2, 3), -1), {}), ((mk(2, 3), 1), {}), ((mk(), 0), {})],
        inplace=False,
    ),
    S("t", lambda mk: [((mk(2, 3),), {}), ((mk(3),), {}), ((mk(),), {})], inplace=False),
    S("transpose", lambda mk: [((mk(2, 3, 4), 0, -1), {}), ((mk(), 0, 0), {})], inplace=False),
    S("permute", lambda mk: [((mk(2, 3, 4), (2, 0, 1)), {}), ((mk(2, 3), (-1, 0)), {}), ((mk(), ()), {})]),
    S("movedim", lambda mk: [((mk(2, 3, 4), 0, -1), {}), ((mk(2, 3, 4), (0, 1), (2, 0)), {})]),
    S("swapaxes", lambda mk: [((mk(2, 3), 0, 1), {})], inplace=False),
    S("adjoint", lambda mk: [((mk(2, 3),), {}), ((mk.complex(2, 3),), {})]),
    S(
        "Tensor.expand",
        lambda mk: [((mk(2, 1), 2, 3), {}), ((mk(2, 1), (4, -1, 3)), {}), ((mk(), 2), {}), ((mk(2), 2), {})],
    ),
    S("Tensor.expand_as", lambda mk: [((mk(2, 1), mk(2, 3, grad=False)), {})]),
    S("broadcast_to", lambda mk: [((mk(3), (2, 3)), {})]),
    S("broadcast_tensors", lambda mk: [((mk(3, 1), mk(2)), {})]),
    S(
        "as_strided",
        lambda mk: [((mk(6), (2, 2), (2, 1)), {}), ((mk(6), (3, 2), (1, 1), 1), {}), ((mk(2, 3), (2,), (3,)), {})],
        inplace=False,
    ),
    S("as_strided_scatter", lambda mk: [((mk(4), mk(2), (2,), (2,)), {}), ((mk(4), mk(2), (2,), (2,), 1), {})]),
    S("real", lambda mk: [((mk.complex(2, 3),), {}), ((mk(2),), {})]),
    S("imag", lambda mk: [((mk.complex(2, 3),), {})]),
    S("view_as_real", lambda mk: [((mk.complex(2, 3),), {}), ((mk.complex(),), {})]),
    S("view_as_complex", lambda mk: [((mk(3, 2),), {}), ((mk(2),), {})]),
    S("Tensor.detach", lambda mk: [((mk(2, 3),), {})], grad=False, inplace=False),
    S("view_copy", lambda mk: [((mk(2, 3), (3, 2)), {})]),
    S("permute_copy", lambda mk: [((mk(2, 3), (1, 0)), {})]),
]
