"""Elements written by mask on a GPU; a number that is there already stays there."""

from __future__ import annotations

from typing import Any

from ...kernels.masking import _common, _inside, _mask, _one_value
from ..twins import twin
from ..xp import CUPY
from .strides import writable

__all__ = ["masked_fill_Tensor", "masked_fill__Tensor"]


def _fits(a: Any, value: Any) -> bool:
    """Whether any number of the value's type is one of the array's."""
    ranks = "biufVc"
    return ranks.index(value.dtype.kind) <= ranks.index(a.dtype.kind)


def masked_fill_Tensor(xp: Any, self: Any, mask: Any, value: Any) -> Any:
    """A copy with a number of a tensor where the mask is true."""
    if value.ndim or not _fits(self, value):
        number = _one_value("masked_fill", value)
        return twin("lamella.core.kernels.masking").masked_fill_Scalar(xp, self, mask, number)
    mask = _mask("masked_fill", mask)
    _common(CUPY, "masked_fill", self, mask)
    return CUPY.where(mask, value.astype(self.dtype), self)


def masked_fill__Tensor(xp: Any, self: Any, mask: Any, value: Any) -> None:
    """A number of a tensor written where the mask is true."""
    if value.ndim or not _fits(self, value) or 0 in self.strides:
        number = _one_value("masked_fill_", value)
        twin("lamella.core.kernels.masking").masked_fill__Scalar(xp, self, mask, number)
        return
    mask = _mask("masked_fill_", mask)
    _inside("masked_fill_", CUPY, self, mask)
    CUPY.copyto(writable("masked_fill_", self), value.astype(self.dtype), where=mask)
