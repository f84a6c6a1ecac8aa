"""The gradient of sampling by a grid: the fused kernel, or operators where it is differentiated again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

from lamella.core import functions as _core, int64

from ._gen import grid as _gen
from .formulas import recorded
from .formulas_recurrent import through_operators
from .kernels.vision import cubic_weights

_PADDINGS = ("zeros", "border", "reflection")


def grid_grads(grad: Any, x: Any, grid: Any, mode: int, padding: int, align: bool, needs: Any) -> tuple:
    """The gradients of input and grid."""
    if not recorded(grad, x, grid):
        return _gen.op__grid_sampler_backward(grad, x, grid, mode, padding, align, needs)

    def run(a: Any, b: Any) -> tuple:
        return (sampled(a, b, mode, _PADDINGS[padding], align),)

    return through_operators(run, (x, grid), (grad,), needs)


def sampled(x: Any, grid: Any, mode: int, padding: str, align: bool) -> Any:
    """The samples, made of operators."""
    sizes = tuple(reversed(x.shape[2:]))
    at = _places(grid, sizes, padding, align, mode != 2)
    if mode == 0:
        return _linear(x, at, sizes)
    if mode == 2:
        return _cubic(x, at, sizes, padding, align)
    # The result does not move with the grid, whose gradient is zero (and not missing).
    rest = ((grid - grid.detach()) * 0).sum(-1).unsqueeze(1)
    return _gather(x, [_core.round(p.detach()) for p in at], sizes) + rest


def _unnormalized(g: Any, n: int, align: bool) -> Any:
    """Places in [-1, 1] as places between elements, and how far one moves with the other."""
    slope = (n - 1) / 2 if align else n / 2
    return (g + 1) * slope - (0 if align else 0.5), slope


def _reflected(at: Any, low: float, high: float) -> tuple[Any, Any]:
    """Places folded back into [low, high], and the sign of the fold."""
    span = high - low
    if span <= 0:
        return at * 0, at * 0
    away = at - low
    folded = away.abs()
    turns = _core.floor(folded / span)
    rest = folded - turns * span
    odd = turns % 2 == 1
    sign = _core.where(away < 0, -1.0, 1.0) * _core.where(odd, -1.0, 1.0)
    return _core.where(odd, span - rest, rest) + low, sign


def _kept_inside(at: Any, n: int, padding_mode: str, align: bool) -> tuple[Any, Any]:
    """Places after padding, and their slope (None: 1)."""
    if padding_mode == "zeros":
        return at, None
    slope: Any = 1.0
    if padding_mode == "reflection":
        at, slope = _reflected(at, 0 if align else -0.5, n - 1 if align else n - 0.5)
    inside = _core.logical_and(at > 0, at < n - 1)
    return at.clamp(0, n - 1), _core.where(inside, slope, 0.0).to(at.dtype)


def _places(grid: Any, sizes: Sequence[int], padding_mode: str, align: bool, keep: bool) -> list[Any]:
    """Per dimension (width first), places in the input that carry the gradient of the grid."""
    found = []
    for d, n in enumerate(sizes):
        g = grid.select(-1, d)
        fixed = g.detach()
        at, slope = _unnormalized(fixed, n, align)
        bent = None
        if keep:
            at, bent = _kept_inside(at, n, padding_mode, align)
        # Zero in value: it only carries the slope.
        at = at + (g - fixed) * (slope if bent is None else bent * slope)
        found.append(at)
    return found


def _gather(x: Any, at: list[Any], sizes: Sequence[int]) -> Any:
    """Elements of (N, C, *) at whole places (width first), zero outside: (N, C, *places)."""
    flat: Any = None
    inside: Any = None
    stride = 1
    for p, n in zip(at, sizes, strict=True):
        ok = _core.logical_and(p >= 0, p <= n - 1)
        inside = ok if inside is None else _core.logical_and(inside, ok)
        step = p.clamp(0, n - 1).to(int64) * stride
        flat = step if flat is None else flat + step
        stride *= n
    lead, shape = tuple(x.shape[:2]), tuple(at[0].shape)
    count = math.prod(shape[1:])
    index = flat.reshape(lead[0], 1, count).expand(*lead, count)
    r = x.reshape(*lead, math.prod(x.shape[2:])).gather(2, index).reshape(*lead, *shape[1:])
    return _core.where(inside.unsqueeze(1), r, _core.zeros((), dtype=x.dtype, device=x.device))


def _linear(x: Any, at: list[Any], sizes: Sequence[int]) -> Any:
    low = [_core.floor(p.detach()) for p in at]
    high = [p - q for p, q in zip(at, low, strict=True)]
    out: Any = None
    for corner in product((0, 1), repeat=len(at)):
        weight: Any = None
        for c, t in zip(corner, high, strict=True):
            part = t if c else 1 - t
            weight = part if weight is None else weight * part
        part = _gather(x, [q + c for c, q in zip(corner, low, strict=True)], sizes) * weight.unsqueeze(1)
        out = part if out is None else out + part
    return out


def _cubic(x: Any, at: list[Any], sizes: Sequence[int], padding_mode: str, align: bool) -> Any:
    low = [_core.floor(p.detach()) for p in at]
    across, down = (cubic_weights(p - q, -0.75) for p, q in zip(at, low, strict=True))
    cols, rows = (
        [_kept_inside(q + i, n, padding_mode, align)[0] for i in range(-1, 3)] for q, n in zip(low, sizes, strict=True)
    )
    out: Any = None
    for row, wy in zip(rows, down, strict=True):
        line: Any = None
        for col, wx in zip(cols, across, strict=True):
            part = _gather(x, [col, row], sizes) * wx.unsqueeze(1)
            line = part if line is None else line + part
        out = line * wy.unsqueeze(1) if out is None else out + line * wy.unsqueeze(1)
    return out
