"""Changing the resolution: along a dimension, each element of the result is a weighted sum of a few of the input's.

Places and weights are known beforehand (see `lamella.nn.kernels.vision`) and become constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import layers
from ..builder import Builder
from ..table import Keep, rule

Taps = tuple[Any, Any]
#: With more taps than this a gradient is left to the eager kernel.
_LONGEST = 8


def _sizes(shape: Any, output_size: Any, scales: Any) -> list[tuple[int, int, int, Any]]:
    """(dimension, size, wanted size, scale) for the dimensions that change, those first that shrink most."""
    n = len(output_size)
    found = []
    for i, m in enumerate(output_size):
        dim = len(shape) - n + i
        scale = scales[i] if scales else None
        if not isinstance(shape[dim], int) or not isinstance(m, int):
            raise Keep("a symbolic size")
        if shape[dim] != m or scale and scale != 1:
            found.append((dim, shape[dim], m, scale))
    return sorted(found, key=lambda f: f[2] / f[1])


def _constant(b: Builder, array: Any) -> Any:
    return b.constant((array.dtype.str, array.shape, array.tobytes()), np.ascontiguousarray(array))


def _nearest_rule(name: str, mode: str) -> None:
    @rule(*[f"aten::{name}{n}d" for n in (1, 2, 3)])
    def upsample(b: Builder, self: Any, output_size: Any, scales: Any = None) -> Any:
        made = self
        for dim, n, m, scale in _sizes(self.spec.shape, output_size, scales):
            [place], _ = layers.resampling(mode, n, m, False, scale)
            made = b.index_select(made, dim, _constant(b, place))
        return b.copy(self) if made is self else made


_nearest_rule("upsample_nearest", "nearest")
_nearest_rule("_upsample_nearest_exact", "nearest-exact")


def _weighted(b: Builder, x: Any, dim: int, taps: Taps) -> Any:
    places, weights = taps
    column = (-1, *[1] * (len(x.spec.shape) - 1 - dim))
    total = None
    for place, w in zip(places, weights, strict=True):
        part = b.index_select(x, dim, _constant(b, place))
        part = b.mul(part, b.view(_constant(b, w.astype(x.spec.dtype.np)), column))
        total = part if total is None else b.add(total, part)
    return total


def _smooth_rule(names: tuple[str, ...], mode: str) -> None:
    @rule(*names)
    def upsample(b: Builder, self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
        d = self.spec.dtype
        if d.category != 2:
            raise Keep("integers")
        made = b.wide(self)
        for dim, n, m, scale in _sizes(self.spec.shape, output_size, scales):
            made = _weighted(b, made, dim, layers.resampling(mode, n, m, bool(align_corners), scale))
        return b.copy(self) if made is self else b.to(made, d)


_smooth_rule(("aten::upsample_linear1d", "aten::upsample_bilinear2d", "aten::upsample_trilinear3d"), "linear")
_smooth_rule(("aten::upsample_bicubic2d",), "cubic")


@rule("aten::_upsample_backward")
def upsample_backward(
    b: Builder, grad_output: Any, size: Any, mode: str, align_corners: bool, scales: Any
) -> Any:
    if mode.endswith("-aa"):
        raise Keep("smoothed")
    d, shape = grad_output.spec.dtype, tuple(size)
    made = b.wide(grad_output)
    for dim, n, m, scale in reversed(_sizes(shape, grad_output.spec.shape[2:], scales)):
        taps = layers.resampling(mode, n, m, bool(align_corners), scale, back=True)
        if len(taps[0]) > _LONGEST:
            raise Keep("many taps")
        made = _weighted(b, made, dim, taps)
    return b.copy(grad_output) if made is grad_output else b.to(made, d)
