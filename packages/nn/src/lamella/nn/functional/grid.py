"""Sampling at places that a grid names."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from lamella.core import Tensor, functions as _core
from lamella.dispatch.errors import message

from .._args import need_tensor
from .._gen import grid as _gen

__all__ = ["affine_grid", "grid_sample"]

MODES = ("bilinear", "nearest", "bicubic")
PADDINGS = ("zeros", "border", "reflection")
_CHANGED = "{}: align_corners is False by default, which centres pixels; pass it to say which way is meant"


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
    if mode not in MODES:
        raise ValueError(
            message("grid_sample", f"expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'")
        )
    if padding_mode not in PADDINGS:
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
    op = _gen.op_grid_sampler_2d if input.ndim == 4 else _gen.op_grid_sampler_3d
    return op(input, grid, MODES.index(mode), PADDINGS.index(padding_mode), align)


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
