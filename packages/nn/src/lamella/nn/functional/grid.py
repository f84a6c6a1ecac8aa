"""Sampling at places that a grid names."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from itertools import product
from typing import Any

from lamella.core import Tensor, functions as _core, int64
from lamella.dispatch.errors import message

from .._args import need_tensor
from ..formulas import recorded
from ..kernels.vision import cubic_weights

__all__ = ["affine_grid", "grid_sample"]

_CHANGED = "{}: align_corners is False by default, which centres pixels; pass it to say which way is meant"


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


def _places(grid: Any, sizes: Sequence[int], padding_mode: str, align: bool, live: bool, keep: bool) -> list[Any]:
    """Per dimension (width first), places in the input that carry the gradient of the grid."""
    found = []
    for d, n in enumerate(sizes):
        g = grid.select(-1, d)
        fixed = g.detach()
        at, slope = _unnormalized(fixed, n, align)
        bent = None
        if keep:
            at, bent = _kept_inside(at, n, padding_mode, align)
        if live:
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


def _check(x: Any, grid: Any, mode: str) -> None:
    op = "grid_sample"
    if x.dtype is not grid.dtype:
        raise RuntimeError(
            message(
                op, f"expected input and grid to have same dtype, but input has {x.dtype} and grid has {grid.dtype}"
            )
        )
    if not x.dtype.is_floating_point:
        raise NotImplementedError(message(op, f"it is not implemented for {x.dtype}"))
    if x.ndim not in (4, 5) or x.ndim != grid.ndim:
        raise RuntimeError(
            message(
                op,
                "expected 4D or 5D input and grid with same number of dimensions",
                {"input": list(x.shape), "grid": list(grid.shape)},
            )
        )
    if x.shape[0] != grid.shape[0] or grid.shape[-1] != x.ndim - 2:
        raise RuntimeError(
            message(
                op,
                f"expected grid to have the input's batch size and size {x.ndim - 2} in last dimension",
                {"input": list(x.shape), "grid": list(grid.shape)},
            )
        )
    if any(n == 0 for n in x.shape[2:]):
        raise RuntimeError(message(op, "expected input to have non-empty spatial dimensions", [list(x.shape)]))
    if mode == "bicubic" and x.ndim != 4:
        raise RuntimeError(message(op, "bicubic interpolation only supports 4D input"))


def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """Samples images or volumes at the places that a grid names.

    Args:
        input: (N, C, H, W) or (N, C, D, H, W).
        grid: (N, HO, WO, 2) or (N, DO, HO, WO, 3): for each element of the result its place in the input, x
            first, where -1 and 1 are the ends of a dimension.
        mode: ``"bilinear"`` (trilinear for volumes), ``"nearest"`` or ``"bicubic"`` (images only).
        padding_mode: what lies outside: ``"zeros"``, the nearest element (``"border"``) or ``"reflection"``.
        align_corners: whether -1 and 1 are the centres of the outermost elements, or their outer edges (default).

    Returns:
        (N, C, HO, WO) or (N, C, DO, HO, WO).

    Raises:
        ValueError: for an unknown mode.
        RuntimeError: for shapes or types that do not fit together.

    Example:
        >>> from lamella import core
        >>> x, places = core.tensor([[[[1.0, 2.0]]]]), core.tensor([[[[0.0, 0.0]]]])
        >>> grid_sample(x, places, align_corners=False)
        tensor([[[[1.5000]]]])
    """
    need_tensor("grid_sample", input=input, grid=grid)
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            message("grid_sample", f"expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'")
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            message(
                "grid_sample",
                f"expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '{padding_mode}'",
            )
        )
    if align_corners is None:
        warnings.warn(_CHANGED.format("grid_sample"), stacklevel=2)
    align = bool(align_corners)
    _check(input, grid, mode)
    sizes, live = tuple(reversed(input.shape[2:])), recorded(grid)
    at = _places(grid, sizes, padding_mode, align, live, mode != "bicubic")
    if mode == "bilinear":
        return _linear(input, at, sizes)
    if mode == "bicubic":
        return _cubic(input, at, sizes, padding_mode, align)
    out = _gather(input, [_core.round(p.detach()) for p in at], sizes)
    if live:
        # The result does not move with the grid, whose gradient is zero (and not missing).
        out = out + ((grid - grid.detach()) * 0).sum(-1).unsqueeze(1)
    return out


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """The grid that samples an image (or volume) after an affine map; see `grid_sample`.

    Args:
        theta: (N, 2, 3) or (N, 3, 4) matrices from places in the result to places in the input.
        size: (N, C, H, W) or (N, C, D, H, W), the size of the result.
        align_corners: whether -1 and 1 are the centres of the outermost elements, or their outer edges (default).

    Returns:
        (N, H, W, 2) or (N, D, H, W, 3).

    Raises:
        ValueError: for matrices or sizes that do not fit together.
        NotImplementedError: for sizes of another length.

    Example:
        >>> from lamella import core
        >>> identity = core.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> affine_grid(identity, (1, 1, 1, 2), align_corners=False)
        tensor([[[[-0.5000,  0.0000],
                  [ 0.5000,  0.0000]]]])
    """
    need_tensor("affine_grid", theta=theta)
    if align_corners is None:
        warnings.warn(_CHANGED.format("affine_grid"), stacklevel=2)
    align = bool(align_corners)
    if not theta.dtype.is_floating_point:
        raise ValueError(message("affine_grid", f"Expected theta to have floating point type, but got {theta.dtype}"))
    size = tuple(int(v) for v in size)
    n = len(size) - 2
    if n not in (2, 3):
        raise NotImplementedError(
            message(
                "affine_grid",
                f"it only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size {size}.",
            )
        )
    if theta.ndim != 3 or tuple(theta.shape[1:]) != (n, n + 1):
        raise ValueError(
            message(
                "affine_grid",
                f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size "
                f"{size}. Got {list(theta.shape)}.",
            )
        )
    if min(size) <= 0:
        raise ValueError(message("affine_grid", f"Expected non-zero, positive output size. Got {size}"))
    if theta.shape[0] != size[0]:
        raise RuntimeError(message("affine_grid", f"theta has {theta.shape[0]} matrices for a batch of {size[0]}"))
    space, base = size[2:], []
    for i, m in enumerate(reversed(space)):
        line = (
            _core.linspace(-1, 1, m, dtype=theta.dtype, device=theta.device)
            if m > 1
            else _core.zeros(1, dtype=theta.dtype, device=theta.device)
        )
        line = line if align else line * ((m - 1) / m)
        shape = [1] * n
        shape[n - 1 - i] = m
        base.append(line.reshape(shape).expand(space))
    base.append(_core.ones(space, dtype=theta.dtype, device=theta.device))
    points = _core.stack(base, -1).reshape(1, -1, n + 1)
    return points.matmul(theta.transpose(1, 2)).reshape(size[0], *space, n)
