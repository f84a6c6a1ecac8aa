"""Samples of copies and conversions."""

from __future__ import annotations

from .. import dtypes as dt
from . import S

SAMPLES = [
    S("clone", lambda mk: [((mk(2, 3),), {}), ((mk(2, 3).t(),), {})]),
    S("Tensor.contiguous", lambda mk: [((mk(2, 3).t(),), {}), ((mk(2),), {})]),
    S("Tensor.to", lambda mk: [((mk(2), dt.float64), {}), ((mk(2),), {"copy": True})]),
    S(
        "Tensor.to",
        lambda mk: [((mk(2), dt.float32), {}), ((mk.int(2), dt.bool_), {}), ((mk(2), dt.complex64), {})],
        grad=False,
    ),
    S("Tensor.double", lambda mk: [((mk.int(2, 3),), {})], grad=False),
    S("Tensor.long", lambda mk: [((mk(2, 3, lo=-5, hi=5),), {})], grad=False),
    S("Tensor.type_as", lambda mk: [((mk(2), mk(1, grad=False)), {})]),
    S("fill", lambda mk: [((mk(2, 3), 2.0), {}), ((mk(2), mk()), {})]),
    S("complex", lambda mk: [((mk(2, 3), mk(3)), {}), ((mk(), mk()), {})]),
    S("polar", lambda mk: [((mk(2, 3, lo=0.5), mk(2, 3)), {})]),
]
