"""Elements of arrays picked and written by mask, condition or place in the flattened array."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..dtypes import from_numpy_dtype
from .accumulate import apart, copying, extent
from .conversion import scalar_for
from .select import select
from .strides import writable

_ALL = slice(None)
_I64 = np.dtype(np.int64)


def _mask(op: str, mask: Any, error: Any = RuntimeError) -> Any:
    if mask.dtype.kind == "b":
        return mask
    if mask.dtype.kind == "u" and mask.dtype.itemsize == 1 and op == "masked_select":
        return mask.astype(bool)
    raise error(
        message(op, f"{op} only supports boolean masks, but got mask with dtype {from_numpy_dtype(mask.dtype).name}")
    )


def _common(xp: Any, op: str, *arrays: Any) -> tuple[int, ...]:
    try:
        return xp.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError:
        a, b = arrays[0].shape, arrays[1].shape
        at = next(i for i in range(1, min(len(a), len(b)) + 1) if a[-i] != b[-i] and 1 not in (a[-i], b[-i]))
        raise RuntimeError(
            message(
                op,
                f"The size of tensor a ({a[-at]}) must match the size of tensor b ({b[-at]}) at "
                f"non-singleton dimension {max(len(a), len(b)) - at}",
            )
        ) from None


def masked_fill_Scalar(xp: Any, self: Any, mask: Any, value: Any) -> Any:
    mask = _mask("masked_fill", mask)
    value = xp.asarray(scalar_for("masked_fill", self.dtype, value), self.dtype)
    shape = self.shape if self.shape == mask.shape else _common(xp, "masked_fill", self, mask)
    if self.size > 4096 and self.shape == mask.shape:
        return select(xp, mask, value, self)
    r = self.copy() if self.shape == shape else xp.broadcast_to(self, shape).copy()
    xp.copyto(r, value, where=mask)
    return r


def masked_fill__Scalar(xp: Any, self: Any, mask: Any, value: Any) -> None:
    mask = _mask("masked_fill_", mask)
    value = xp.asarray(scalar_for("masked_fill_", self.dtype, value), self.dtype)
    _inside("masked_fill_", xp, self, mask)
    repeated = tuple(k for k, (n, s) in enumerate(zip(self.shape, self.strides, strict=True)) if s == 0 and n > 1)
    if repeated and self.size:
        # An element that stands for several takes the value if the mask is true at any of them.
        warnings.warn(
            message(
                "masked_fill_",
                "use of masked_fill_ on expanded tensors is deprecated",
                hint="call .clone() on the tensor first",
            ),
            UserWarning,
            stacklevel=5,
        )
        mask = xp.broadcast_to(mask, self.shape).any(repeated, keepdims=True)
        self = self[tuple(slice(1) if k in repeated else _ALL for k in range(self.ndim))]
    xp.copyto(writable("masked_fill_", self), value, where=mask)


def _inside(op: str, xp: Any, a: Any, mask: Any) -> None:
    """Refuse a mask that is larger than what it is for."""
    if mask.shape != a.shape and _common(xp, op, a, mask) != a.shape:
        shape = list(_common(xp, op, a, mask))
        raise RuntimeError(message(op, f"output with shape {list(a.shape)} doesn't match the broadcast shape {shape}"))


def _one_value(op: str, value: Any) -> Any:
    if value.ndim:
        rule = (
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
        raise RuntimeError(message(op, rule))
    return value.item()


def masked_fill_Tensor(xp: Any, self: Any, mask: Any, value: Any) -> Any:
    return masked_fill_Scalar(xp, self, mask, _one_value("masked_fill", value))


def masked_fill__Tensor(xp: Any, self: Any, mask: Any, value: Any) -> None:
    masked_fill__Scalar(xp, self, mask, _one_value("masked_fill_", value))


def masked_select(xp: Any, self: Any, mask: Any) -> Any:
    mask = _mask("masked_select", mask)
    if self.shape == mask.shape:
        return self[mask].reshape(-1)
    shape = _common(xp, "masked_select", self, mask)
    return xp.broadcast_to(self, shape)[xp.broadcast_to(mask, shape)].reshape(-1)


def masked_scatter(xp: Any, self: Any, mask: Any, source: Any) -> Any:
    mask = _mask("masked_scatter", mask)
    if self.dtype != source.dtype:
        raise RuntimeError(
            message(
                "masked_scatter",
                "expected self and source to have same dtypes but got "
                f"{from_numpy_dtype(self.dtype).name} and "
                f"{from_numpy_dtype(source.dtype).name}",
            )
        )
    shape = _common(xp, "masked_scatter", self, mask)
    r, mask = xp.broadcast_to(self, shape).copy(), xp.broadcast_to(mask, shape)
    count = int(xp.count_nonzero(mask))
    if count > source.size:
        raise RuntimeError(
            message(
                "masked_scatter", f"Number of elements of source < number of ones in mask ({source.size} < {count})"
            )
        )
    r[mask] = source.reshape(-1)[:count]
    return r


# ---------------------------------------------------------------- flattened, conditions


def _flat_places(op: str, a: Any, index: Any) -> Any:
    if index.dtype.kind != "i" or index.dtype.itemsize != 8:
        raise RuntimeError(
            message(op, f"{op}(): Expected a long tensor for index, but got {from_numpy_dtype(index.dtype).name}")
        )
    n = a.size
    if not n and index.size:
        raise IndexError(message(op, f"{op}(): tried to take from an empty tensor"))
    low, high = extent(index) if index.size else (0, -1)
    if low < -n or high >= n:
        bad = int(index[(index < -n) | (index >= n)].flat[0])
        raise IndexError(message(op, f"out of range: tried to access index {bad} on a tensor of {n} elements"))
    return index


def take(xp: Any, self: Any, index: Any) -> Any:
    if index.dtype is _I64:
        try:
            return self.reshape(-1).take(index)
        except IndexError:
            pass
    return self.reshape(-1).take(_flat_places("take", self, index))


def put_(xp: Any, self: Any, index: Any, source: Any, accumulate: bool) -> None:
    if self.dtype != source.dtype:
        raise RuntimeError(
            message(
                "put_",
                "self and source expected to have the same dtype, but got self.dtype = "
                f"{from_numpy_dtype(self.dtype).name} and source.dtype = {from_numpy_dtype(source.dtype).name}",
            )
        )
    places = _flat_places("put_", self, index).reshape(-1)
    if index.size != source.size:
        raise IndexError(
            message(
                "put_",
                "Expected source and index to have the same number of elements, but got "
                f"source.numel() = {source.size}, index.numel() = {index.size}",
            )
        )
    target, values = writable("put_", self), apart(xp, source, self).reshape(-1)
    whole = target.flags.c_contiguous
    flat = target.reshape(-1)  # a copy where the target is not one block
    if accumulate:
        xp.add.at(flat, places, values)
    else:
        flat[places] = values
    if not whole:
        target[...] = flat.reshape(target.shape)


put = copying(put_)


def where_self(xp: Any, condition: Any, self: Any, other: Any) -> Any:
    if condition.dtype.kind != "b":
        if condition.dtype.kind != "u" or condition.dtype.itemsize != 1:
            raise RuntimeError(
                message(
                    "where",
                    "where expected condition to be a boolean tensor, but got a tensor with dtype "
                    f"{from_numpy_dtype(condition.dtype).name}",
                )
            )
        condition = condition.astype(bool)
    try:
        return select(xp, condition, self, other)
    except ValueError:
        for a, b in ((condition, self), (condition, other), (self, other)):
            _common(xp, "where", a, b)
        raise


def nonzero(xp: Any, self: Any) -> Any:
    if not self.ndim:
        return xp.zeros((int(bool(self)), 0), xp.int64)
    # Flat places first: NumPy finds them several times faster than places by dimension. Columns are in one piece each.
    flat = xp.flatnonzero(self if self.dtype.kind == "b" else self != 0)
    if self.ndim == 1:
        return flat.reshape(-1, 1)
    rows = xp.empty((self.ndim, flat.size), xp.int64)
    for k in range(self.ndim - 1, 0, -1):
        above = flat // self.shape[k]
        rows[k] = flat - above * self.shape[k]
        flat = above
    rows[0] = flat
    return rows.T


def nonzero_static(xp: Any, self: Any, size: int, fill_value: int) -> Any:
    r = xp.full(static_shape(self, size), fill_value, xp.int64)
    found = nonzero(xp, self)[:size]
    r[: len(found)] = found
    return r


def static_shape(a: Any, size: int) -> tuple[int, int]:
    """The shape of the places of ``size`` elements."""
    if size < 0:
        raise RuntimeError(message("nonzero_static", "'size' must be an non-negative integer", {"size": size}))
    return size, a.ndim
