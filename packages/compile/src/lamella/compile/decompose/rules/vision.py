"""Changing the resolution: along a dimension, each element of the result is a weighted sum of a few of the input's.

Places and weights are known beforehand and become constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..builder import Builder
from ..table import Keep, rule

Taps = tuple[Any, Any]
#: With more taps than this a gradient is left to the eager kernel.
_LONGEST = 8


def _ratio(n: int, m: int, align_corners: bool, scale: Any) -> float:
    """How far the place in the input moves for one step in the result."""
    if align_corners:
        return (n - 1) / (m - 1) if m > 1 else 0.0
    return 1.0 / scale if scale else n / m


def _nearest(n: int, m: int, exact: bool, scale: Any) -> Any:
    # float32, as eager computes places whatever the type of the elements.
    at = np.arange(m, dtype=np.float32) + np.float32(0.5 if exact else 0)
    return np.minimum(np.floor(at * np.float32(_ratio(n, m, False, scale))).astype(np.int64), n - 1)


def _linear(n: int, m: int, align_corners: bool, scale: Any) -> Taps:
    ratio, i = _ratio(n, m, align_corners, scale), np.arange(m)
    at = ratio * i if align_corners else np.maximum(ratio * (i + 0.5) - 0.5, 0)
    low = np.minimum(np.floor(at).astype(np.int64), n - 1)
    t = np.clip(at - low, 0, 1)
    return np.stack([low, np.minimum(low + 1, n - 1)]), np.stack([1 - t, t])


def _cubic(n: int, m: int, align_corners: bool, scale: Any) -> Taps:
    ratio, i, a = _ratio(n, m, align_corners, scale), np.arange(m), -0.75
    at = ratio * i if align_corners else ratio * (i + 0.5) - 0.5
    low = np.floor(at).astype(np.int64)
    places = np.clip(low + np.arange(-1, 3)[:, None], 0, n - 1)
    t = at - low
    inner = [((a + 2) * x - (a + 3)) * x * x + 1 for x in (t, 1 - t)]
    outer = [((a * x - 5 * a) * x + 8 * a) * x - 4 * a for x in (t + 1, 2 - t)]
    return places, np.stack([outer[0], *inner, outer[1]])


def _transposed(taps: Taps, n: int, m: int) -> Taps:
    """For each of the ``n`` elements the results that it goes into; rows are filled up with weights of 0."""
    places, weights = taps
    into: list[list[tuple[int, float]]] = [[] for _ in range(n)]
    for row, share in zip(places, weights, strict=True):
        for target, (place, w) in enumerate(zip(row.tolist(), share.tolist(), strict=True)):
            if w:
                into[place].append((target, w))
    longest = max(1, *map(len, into))
    if longest > _LONGEST:
        raise Keep("many taps")
    full = [each + [(0, 0.0)] * (longest - len(each)) for each in into]
    return np.array([[t for t, _ in each] for each in full]).T, np.array([[w for _, w in each] for each in full]).T


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


def _nearest_rule(name: str, exact: bool) -> None:
    @rule(*[f"aten::{name}{n}d" for n in (1, 2, 3)])
    def upsample(b: Builder, self: Any, output_size: Any, scales: Any = None) -> Any:
        made = self
        for dim, n, m, scale in _sizes(self.spec.shape, output_size, scales):
            made = b.index_select(made, dim, _constant(b, _nearest(n, m, exact, scale)))
        return b.copy(self) if made is self else made


_nearest_rule("upsample_nearest", False)
_nearest_rule("_upsample_nearest_exact", True)


def _weighted(b: Builder, x: Any, dim: int, taps: Taps) -> Any:
    places, weights = taps
    column = (-1, *[1] * (len(x.spec.shape) - 1 - dim))
    total = None
    for place, w in zip(places, weights, strict=True):
        part = b.index_select(x, dim, _constant(b, place))
        part = b.mul(part, b.view(_constant(b, w.astype(x.spec.dtype.np)), column))
        total = part if total is None else b.add(total, part)
    return total


def _smooth_rule(names: tuple[str, ...], taps: Any) -> None:
    @rule(*names)
    def upsample(b: Builder, self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
        d = self.spec.dtype
        if d.category != 2:
            raise Keep("integers")
        made = b.wide(self)
        for dim, n, m, scale in _sizes(self.spec.shape, output_size, scales):
            made = _weighted(b, made, dim, taps(n, m, bool(align_corners), scale))
        return b.copy(self) if made is self else b.to(made, d)


_smooth_rule(("aten::upsample_linear1d", "aten::upsample_bilinear2d", "aten::upsample_trilinear3d"), _linear)
_smooth_rule(("aten::upsample_bicubic2d",), _cubic)


@rule("aten::_upsample_backward")
def upsample_backward(
    b: Builder, grad_output: Any, size: Any, mode: str, align_corners: bool, scales: Any
) -> Any:
    d, shape = grad_output.spec.dtype, tuple(size)
    made = b.wide(grad_output)
    for dim, n, m, scale in reversed(_sizes(shape, grad_output.spec.shape[2:], scales)):
        if mode in ("nearest", "nearest-exact"):
            taps = _nearest(n, m, mode == "nearest-exact", scale)[None], np.ones((1, m))
        elif mode in ("linear", "cubic"):
            taps = (_linear if mode == "linear" else _cubic)(n, m, bool(align_corners), scale)
        else:
            raise Keep("smoothed")
        made = _weighted(b, made, dim, _transposed(taps, n, m))
    return b.copy(grad_output) if made is grad_output else b.to(made, d)
