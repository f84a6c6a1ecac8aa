"""Shape rules of masks, conditions and flattened places."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes as dt
from ..kernels.masking import _common, static_shape
from ..promotion import result_dtype
from ..tensor import Tensor
from . import same as same
from .indexing import unknown


def masked_fill_Scalar(self: Tensor, mask: Tensor, value: Any) -> Any:
    return _common(np, "masked_fill", self._a, mask._a), self.dtype


masked_fill_Tensor = masked_fill_Scalar


def masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Any:
    return _common(np, "masked_scatter", self._a, mask._a), self.dtype


def masked_select(self: Tensor, mask: Tensor) -> Any:
    raise unknown("masked_select", "how many elements of the mask are true")


def take(self: Tensor, index: Tensor) -> Any:
    return index._a.shape, self.dtype


def where_self(condition: Tensor, self: Tensor, other: Tensor) -> Any:
    shape = _common(np, "where", condition._a, self._a)
    try:
        shape = np.broadcast_shapes(shape, other._a.shape)
    except ValueError:
        _common(np, "where", condition._a, other._a)
        _common(np, "where", self._a, other._a)
    return shape, result_dtype(self, other)


def nonzero(self: Tensor) -> Any:
    raise unknown("nonzero", "how many elements are not zero")


def nonzero_static(self: Tensor, *, size: int, fill_value: int = -1) -> Any:
    return static_shape(self._a, size), dt.int64
