"""Shape rules of indexing."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..checks import wrap_dim
from ..kernels.indexing import _common, index_key
from ..promotion import result_dtype
from ..tensor import META, Tensor
from . import same as same


def unknown(op: str, what: str) -> NotImplementedError:
    """The error for a shape that depends on elements."""
    return NotImplementedError(
        message(op, f"the shape of the result depends on {what}, which meta tensors do not have")
    )


def index_Tensor(self: Tensor, indices: Any) -> Any:
    arrays = []
    for i in indices:
        if i is not None and i._a.dtype.kind in "b":
            if i._ks & META:
                raise unknown("index", "how many elements of the mask are true")
            arrays += list(i._a.nonzero())
        else:
            arrays.append(None if i is None else i._a)
    key, _ = index_key("index", self._a, arrays)
    shape = self._a.shape
    places = [k for k, i in enumerate(key) if not isinstance(i, slice)]
    if not places:
        return shape, self.dtype
    try:
        common = np.broadcast_shapes(*(key[k].shape for k in places))
    except ValueError:
        raise IndexError(
            message(
                "index",
                "shape mismatch: indexing tensors could not be broadcast together with shapes "
                + ", ".join(str(list(key[k].shape)) for k in places),
            )
        ) from None
    rest = [n for k, n in enumerate(shape) if k not in places]
    at = places[0] if places == list(range(places[0], places[-1] + 1)) else 0
    return (*rest[:at], *common, *rest[at:]), self.dtype


def index_select(self: Tensor, dim: int, index: Tensor) -> Any:
    shape = list(self._a.shape)
    dim = wrap_dim("index_select", dim, len(shape))
    if index._a.ndim > 1:
        raise IndexError(message("index_select", "Index is supposed to be a vector", {"dimensions": index._a.ndim}))
    if shape:
        shape[dim] = index._a.size
    return shape, self.dtype


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
