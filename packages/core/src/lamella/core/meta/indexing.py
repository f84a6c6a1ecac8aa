"""Shape rules of indexing."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..checks import wrap_dim
from ..kernels.indexing import index_key
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
