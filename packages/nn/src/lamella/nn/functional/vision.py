"""Changes of resolution and rearrangements of pixels, as users call them."""

from __future__ import annotations

import warnings
from operator import index
from typing import Any

from lamella.core import Tensor, channel_shuffle, pixel_shuffle, pixel_unshuffle
from lamella.core.runtime import is_number
from lamella.dispatch.errors import message

from .._args import need_tensor
from .._gen import vision as _gen
from .pooling_adaptive import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

__all__ = [
    "channel_shuffle",
    "interpolate",
    "pixel_shuffle",
    "pixel_unshuffle",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]

_AREA = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}
_NEAREST = {
    "nearest": {3: _gen.op_upsample_nearest1d, 4: _gen.op_upsample_nearest2d, 5: _gen.op_upsample_nearest3d},
    "nearest-exact": {
        3: _gen.op__upsample_nearest_exact1d,
        4: _gen.op__upsample_nearest_exact2d,
        5: _gen.op__upsample_nearest_exact3d,
    },
}
_SMOOTH = {
    "linear": (3, _gen.op_upsample_linear1d),
    "bilinear": (4, _gen.op_upsample_bilinear2d),
    "trilinear": (5, _gen.op_upsample_trilinear3d),
    "bicubic": (4, _gen.op_upsample_bicubic2d),
}
_ANTIALIAS = {
    "bilinear": _gen.op__upsample_bilinear2d_aa,
    "bicubic": _gen.op__upsample_bicubic2d_aa,
    "lanczos": _gen.op__upsample_lanczos2d_aa,
}


def _sizes(x: Tensor, size: Any, scale_factor: Any, recompute: bool, explicit: bool) -> tuple[tuple[int, ...], Any]:
    """The size to come to, and the scale factors where those place the samples."""
    dim = x.ndim - 2
    if size is not None and scale_factor is not None:
        raise ValueError(message("interpolate", "only one of size or scale_factor should be defined"))
    if size is None and scale_factor is None:
        raise ValueError(message("interpolate", "either size or scale_factor should be defined"))
    name, given = ("size", size) if size is not None else ("scale_factor", scale_factor)
    values = tuple(given) if isinstance(given, (list, tuple)) else (given,) * dim
    if len(values) != dim:
        raise ValueError(
            message(
                "interpolate",
                f"Input and {name} must have the same number of spatial dimensions, but got "
                f"input with {list(x.shape[2:])} and {name} of {given}",
            )
        )
    if size is not None:
        try:
            wanted = tuple(index(v) for v in values)
        except TypeError:
            raise TypeError(
                message(
                    "interpolate",
                    "expected size to be one of int or a tuple of ints, but got size with types "
                    f"{[type(v).__name__ for v in values]}",
                )
            ) from None
        if recompute:
            raise ValueError(message("interpolate", "recompute_scale_factor is not meaningful with an explicit size."))
        return wanted, None
    for v in values:
        if not is_number(v) or isinstance(v, complex):
            raise TypeError(message("interpolate", f"argument 'scale_factor' must be numbers (got {given!r})"))
    wanted = tuple(int(n * v) for n, v in zip(x.shape[2:], values, strict=True))
    return wanted, None if recompute or explicit else [float(v) for v in values]


def _resized(input: Tensor, wanted: Any, scales: Any, mode: str, align: bool, antialias: bool) -> Tensor:
    """The result of the operator that a mode has for this number of dimensions."""
    n = input.ndim
    if antialias:
        if mode not in _ANTIALIAS or n != 4:
            raise ValueError(
                message(
                    "interpolate",
                    "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes "
                    "and requires a 4-D tensor as input",
                )
            )
        if mode == "lanczos" and align:
            raise ValueError(message("interpolate", "Lanczos mode does not support align_corners=True"))
        return _ANTIALIAS[mode](input, wanted, align, scales)
    if mode == "lanczos" and n == 4:
        raise ValueError(message("interpolate", "Lanczos mode requires antialias=True"))
    if mode in _NEAREST and n in _NEAREST[mode]:
        return _NEAREST[mode][n](input, wanted, scales)
    if mode == "area" and n in _AREA:
        return _AREA[n](input, wanted)
    if mode in _SMOOTH and _SMOOTH[mode][0] == n:
        return _SMOOTH[mode][1](input, wanted, align, scales)
    if mode in _SMOOTH and n in (3, 4, 5):
        raise NotImplementedError(
            message("interpolate", f"Got {n}D input, but {mode} mode needs {_SMOOTH[mode][0]}D input")
        )
    raise NotImplementedError(
        message(
            "interpolate",
            f"Only 3D, 4D and 5D input Tensors supported (got {n}D) for the modes: nearest | linear | bilinear | "
            f"bicubic | trilinear | lanczos | area | nearest-exact (got {mode})",
        )
    )


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Changes the resolution of a signal, an image or a volume.

    Args:
        input: (N, C, L), (N, C, H, W) or (N, C, D, H, W).
        size: the size to come to; a number or one for each spatial dimension. Or
        scale_factor: by how much sizes are multiplied (and rounded down).
        mode: ``"nearest"``, ``"nearest-exact"`` (centres of pixels decide), ``"area"`` (means), ``"linear"`` (3-d
            input), ``"bilinear"``, ``"bicubic"``, ``"lanczos"`` (4-d) or ``"trilinear"`` (5-d).
        align_corners: in the smooth modes, whether the centres of the corner pixels keep their place, or the edges of
            the image (default).
        recompute_scale_factor: place samples by the ratio of sizes instead of by ``scale_factor``.
        antialias: in the modes bilinear, bicubic and lanczos, smooth before shrinking.

    Returns:
        (N, C, *size).

    Raises:
        ValueError: for arguments that contradict each other.
        NotImplementedError: for a mode that the number of dimensions does not have.
        RuntimeError: for empty inputs or sizes.

    Example:
        >>> from lamella import core
        >>> interpolate(core.tensor([[[1.0, 3.0]]]), size=4, mode="linear")
        tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
    need_tensor("interpolate", input=input)
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ValueError(
            message(
                "interpolate",
                "align_corners option can only be set with the interpolating modes: linear | "
                "bilinear | bicubic | trilinear",
            )
        )
    wanted, scales = _sizes(input, size, scale_factor, bool(recompute_scale_factor), mode == "area")
    return _resized(input, wanted, scales, mode, bool(align_corners), antialias)


def _deprecated(name: str) -> None:
    warnings.warn(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3)


def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """The old name of `interpolate`."""
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The old name of `interpolate` with ``mode="nearest"``."""
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The old name of `interpolate` with ``mode="bilinear", align_corners=True``."""
    _deprecated("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
