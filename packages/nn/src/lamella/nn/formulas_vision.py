"""Helpers for the derivatives of changes of resolution."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from ._gen import vision as _gen

_FIXED = {
    "nearest": (_gen.op_upsample_nearest1d, _gen.op_upsample_nearest2d, _gen.op_upsample_nearest3d),
    "nearest-exact": (
        _gen.op__upsample_nearest_exact1d,
        _gen.op__upsample_nearest_exact2d,
        _gen.op__upsample_nearest_exact3d,
    ),
}
_ALIGNED = {
    "linear": (_gen.op_upsample_linear1d, _gen.op_upsample_bilinear2d, _gen.op_upsample_trilinear3d),
    "cubic": (None, _gen.op_upsample_bicubic2d, None),
    "linear-aa": (None, _gen.op__upsample_bilinear2d_aa, None),
    "cubic-aa": (None, _gen.op__upsample_bicubic2d_aa, None),
    "lanczos-aa": (None, _gen.op__upsample_lanczos2d_aa, None),
}


def upsample_again(grad: Tensor, shape: Any, mode: str, align_corners: bool, scales: Any) -> Any:
    """The map is linear: the gradient of its gradient is the map itself."""
    size = tuple(shape)[2:]
    if mode in _FIXED:
        return _FIXED[mode][len(size) - 1](grad, size, scales)
    op: Any = _ALIGNED[mode][len(size) - 1]
    return op(grad, size, align_corners, scales)
