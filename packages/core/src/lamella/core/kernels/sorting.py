"""Sorting, searching and counting. NaN counts as larger than every number, as NumPy has it too."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..checks import wrap_dim
from ..dtypes import from_numpy_dtype
from .reducing import no_flags
from .scattering import flat_places, grid
from .sums import ROW, number_of, steps

_ALL = slice(None)
_I64 = np.dtype(np.int64)


def _refuse_complex(op: str, a: Any) -> None:
    if a.dtype.kind == "c":
        raise RuntimeError(
            message(
                op,
                f"Sort does not yet support complex dtypes on CPU, {from_numpy_dtype(a.dtype).name}"
                if op == "sort"
                else f"it is not implemented for {from_numpy_dtype(a.dtype).name}",
            )
        )


def order(xp: Any, a: Any, dim: int, descending: bool) -> Any:
    """The stable order of the elements along a dimension."""
    if a.dtype.kind == "V":
        a = a.astype(xp.float32)
    if a.size >= _MANY:
        keys = _keys(xp, a, descending)
        if keys is not None:
            return _by_keys(xp, keys, dim)
    if not descending:
        return a.argsort(dim, "stable")
    # Equal elements keep their order: sort the reversed array and count the places from the other end.
    back = (_ALL,) * dim + (slice(None, None, -1),)
    return number_of(xp, a.shape[dim] - 1, _I64) - a[back].argsort(dim, "stable")[back]


#: From this many elements on a sort of integers that hold key and place is quicker than a sort of places.
_MANY = 4096


def _keys(xp: Any, a: Any, descending: bool) -> Any:
    """Integers of 32 bits in the order of the elements; None for elements that do not fit."""
    kind = a.dtype.kind
    if kind == "f" and a.itemsize <= 4:
        a = xp.add(a, 0, dtype=xp.float32)  # one zero of two
        bad = xp.isnan(a)
        if bad.any():
            a[bad] = xp.nan
        keys = a.view(xp.int32)
        keys ^= (keys >> 31) & 0x7FFFFFFF
    elif kind in "iu" and a.itemsize == 8:
        low, high = a.min(), a.max()
        if int(high) - int(low) >= 1 << 31:
            return None
        keys = xp.subtract(a, low).astype(xp.int32)
    elif kind in "bi" or kind == "u" and a.itemsize < 4:
        keys = a.astype(xp.int32)
    else:
        return None
    return xp.invert(keys, keys) if descending else keys


def _by_keys(xp: Any, keys: Any, dim: int) -> Any:
    """The stable order of integers of 32 bits, by sorts that are quicker than NumPy's stable one of their places.

    Those of 16 bits it sorts by digits, in two passes where there are 32. Short rows are sorted as integers with the
    key in the upper half and the place in the lower one, which NumPy does many at a time.
    """
    last = keys.ndim - 1
    if dim != last:
        return xp.moveaxis(_by_keys(xp, xp.moveaxis(keys, dim, -1), last), -1, dim)
    n = keys.shape[-1]
    if n > 512:
        low = keys.min()
        if int(keys.max()) - int(low) < 1 << 16:
            return xp.argsort((keys - low).astype(xp.uint16), -1, kind="stable")
    if last == 0 and n <= 1 << 20:
        digits = xp.ascontiguousarray(keys).view(xp.uint16).reshape(n, 2)
        by = xp.argsort(digits[:, 0].copy(), kind="stable")
        return by[xp.argsort((digits[:, 1] ^ 0x8000)[by], kind="stable")]
    packed = keys.astype(xp.int64, "C")
    packed <<= 32
    packed |= xp.arange(n)
    packed.sort(-1)
    packed &= 0xFFFFFFFF
    return packed


def pick(xp: Any, a: Any, places: Any, dim: int) -> Any:
    """The elements at places along a dimension (places has ``a``'s number of dimensions)."""
    if a.ndim == 1:
        return a[places]
    if a.flags.c_contiguous:
        if a.ndim == 2 and dim == 1 and 0 < a.size <= ROW:
            return a.reshape(-1).take(places + steps(xp, a.size, a.shape[1]).reshape(-1, 1))
        return a.reshape(-1).take(flat_places(xp, a, dim, places))
    return a[grid(xp, places, dim)]


def sort_stable(xp: Any, self: Any, stable: Any, dim: int, descending: bool) -> Any:
    _refuse_complex("sort", self)
    dim = wrap_dim("sort", dim, self.ndim)
    if not self.ndim:
        return self.copy(), xp.zeros((), xp.int64)
    places = order(xp, self, dim, descending)
    return pick(xp, self, places, dim), xp.ascontiguousarray(places)


def argsort_stable(xp: Any, self: Any, stable: Any, dim: int, descending: bool) -> Any:
    _refuse_complex("sort", self)
    dim = wrap_dim("argsort", dim, self.ndim)
    if not self.ndim:
        return xp.zeros((), xp.int64)
    return xp.ascontiguousarray(order(xp, self, dim, descending))


def topk(xp: Any, self: Any, k: int, dim: int, largest: bool, sorted: bool) -> Any:
    _refuse_complex("topk", self)
    no_flags("topk", self)
    dim, k = topk_checked(self, k, dim)
    if not self.ndim:
        return (self.copy(), xp.zeros((), xp.int64)) if k else (xp.empty(0, self.dtype), xp.empty(0, xp.int64))
    places = _top(xp, self, k, dim, largest)
    return pick(xp, self, places, dim), xp.ascontiguousarray(places)


def _top(xp: Any, a: Any, k: int, dim: int, largest: bool) -> Any:
    """The places of the k largest or smallest elements, in order."""
    n = a.shape[dim]
    keys = a.astype(xp.float32) if a.dtype.kind == "V" else a
    places = None
    if k * 8 > n or n < 64:
        places = order(xp, keys, dim, largest)[(_ALL,) * dim + (slice(k),)]
    elif k <= 24 and keys.dtype.kind in "fi" and keys.itemsize > 2:
        places = _one_by_one(xp, keys, k, dim, largest)
    elif keys.ndim == 1 and n >= 100_000 and largest:
        places = _top_of_many(xp, keys, k)
    if places is None:
        # Only the part that is asked for is sorted; NaN, which counts as largest, goes to the same end.
        part = xp.argpartition(keys, n - k if largest else k - 1, dim) if k else xp.zeros_like(keys, xp.int64)
        part = part[(_ALL,) * dim + (slice(n - k, None) if largest else slice(k),)]
        part.sort(dim)
        places = pick(xp, part, order(xp, pick(xp, keys, part, dim), dim, largest), dim)
    return places


def _one_by_one(xp: Any, keys: Any, k: int, dim: int, largest: bool) -> Any:
    """The places of the k largest or smallest, each found in one pass, after which it counts as the last of all.

    None where an element is the last of all already, and for the smallest beside NaN.
    """
    d = keys.dtype
    n = keys.shape[dim]
    rest = xp.array(xp.moveaxis(keys, dim, -1), order="C").reshape(-1, n)
    if d.kind == "f" and not largest and xp.isnan(rest).any():
        return None
    find = xp.argmax if largest else xp.argmin
    last = (-xp.inf if largest else xp.inf) if d.kind == "f" else xp.iinfo(d).min if largest else xp.iinfo(d).max
    rows = xp.arange(0, rest.size, n)
    flat, places = rest.reshape(-1), xp.empty((rest.shape[0], k), xp.int64)
    for i in range(k):
        at = find(rest, 1)
        places[:, i] = at
        at += rows
        if (flat[at] == last).any():
            return None
        flat[at] = last
    lead = [m for j, m in enumerate(keys.shape) if j != dim]
    return xp.moveaxis(places.reshape(*lead, k), -1, dim)


def _top_of_many(xp: Any, keys: Any, k: int) -> Any:
    """The places of the k largest of a long vector: finding the k-th value is faster than finding its place."""
    n = keys.shape[0]
    if not k:
        return xp.empty(0, xp.int64)
    limit = xp.partition(keys, n - k)[n - k]
    part = xp.flatnonzero(~(keys < limit))  # NaN stays in
    return part[order(xp, keys[part], 0, True)[:k]]


def topk_checked(a: Any, k: int, dim: int) -> tuple[int, int]:
    """The dimension and the number, checked against its size."""
    dim = wrap_dim("topk", dim, a.ndim)
    if not 0 <= k <= (a.shape[dim] if a.ndim else 1):
        raise RuntimeError(
            message("topk", "selected index k out of range", {"k": k, "size": a.shape[dim] if a.ndim else 1})
        )
    return dim, k


def kthvalue(xp: Any, self: Any, k: int, dim: int, keepdim: bool) -> Any:
    _refuse_complex("kthvalue", self)
    no_flags("kthvalue", self)
    dim = kth_checked(self, k, dim)
    if not self.ndim:
        return self.copy(), xp.zeros((), xp.int64)
    places = _kth(xp, self, k, dim)
    values = pick(xp, self, places, dim)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _kth(xp: Any, a: Any, k: int, dim: int) -> Any:
    """The places of the k-th smallest elements; the dimension stays, with one place."""
    keys = a.astype(xp.float32) if a.dtype.kind == "V" else a
    if keys.dtype.kind != "b" and keys.size >= 256:
        # A value is found several times as fast as its place.
        values = xp.partition(keys, k - 1, dim)[(_ALL,) * dim + (slice(k - 1, k),)]
        hit = keys == values
        if keys.dtype.kind == "f" and xp.isnan(values).any():
            hit |= xp.isnan(keys) & xp.isnan(values)
        return xp.expand_dims(hit.argmax(dim), dim)
    return xp.argpartition(keys, k - 1, dim)[(_ALL,) * dim + (slice(k - 1, k),)].copy()


def kth_checked(a: Any, k: int, dim: int) -> int:
    """The dimension, after checking ``k`` against its size."""
    dim = wrap_dim("kthvalue", dim, a.ndim)
    n = a.shape[dim] if a.ndim else 1
    if not 1 <= k <= n:
        raise (IndexError if a.ndim and n == 0 else RuntimeError)(
            message("kthvalue", f"selected number k out of range for dimension {dim}", {"k": k, "size": n})
        )
    return dim


# ---------------------------------------------------------------- different values


def _unique_flat(xp: Any, flat: Any) -> tuple[Any, Any, Any]:
    """Sorted different values, the place of each element among them, and counts; every NaN differs from the others."""
    keys = flat.astype(xp.float32) if flat.dtype.kind == "V" else flat
    by = order(xp, keys, 0, False)
    ordered = flat[by]
    new = _steps(xp, ordered)
    starts = xp.flatnonzero(new)
    inverse = xp.empty(flat.size, xp.int64)
    inverse[by] = xp.cumsum(new) - 1
    counts = xp.diff(xp.concatenate((starts, [flat.size])))
    return ordered[starts], inverse, counts.astype(xp.int64)


def _steps(xp: Any, ordered: Any) -> Any:
    """Where a value differs from the one before it."""
    new = xp.ones(ordered.shape[0], bool)
    if ordered.shape[0] > 1:
        differ = ordered[1:] != ordered[:-1]
        new[1:] = differ if differ.ndim == 1 else differ.reshape(differ.shape[0], -1).any(1)
    return new


def _unique2(xp: Any, self: Any, sorted: bool, return_inverse: bool, return_counts: bool) -> Any:
    if not return_inverse and not return_counts and self.dtype.kind != "V":
        none = xp.empty(0, xp.int64)
        return xp.unique(self, equal_nan=False), none, none
    values, inverse, counts = _unique_flat(xp, self.reshape(-1))
    return values, inverse.reshape(self.shape), counts


def _rows(xp: Any, op: str, self: Any, dim: int) -> tuple[int, Any]:
    dim = wrap_dim(op, dim, self.ndim)
    a = self.reshape(1) if not self.ndim else self
    if 0 in a.shape and a.shape[dim] and a.ndim > 1 and op == "unique":
        raise RuntimeError(
            message(op, "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
        )
    return dim, xp.ascontiguousarray(xp.moveaxis(a, dim, 0))


def unique_dim(xp: Any, self: Any, dim: int, sorted: bool, return_inverse: bool, return_counts: bool) -> Any:
    dim, rows = _rows(xp, "unique", self, dim)
    n = rows.shape[0]
    flat = rows.reshape(n, -1) if rows.size else rows.reshape(n, 0)
    keys = flat.astype(xp.float32) if flat.dtype.kind == "V" else flat
    by = xp.lexsort(keys.T[::-1]) if flat.shape[1] else xp.arange(n)
    new = _steps(xp, flat[by])
    starts = xp.flatnonzero(new)
    inverse = xp.empty(n, xp.int64)
    inverse[by] = xp.cumsum(new) - 1
    counts = xp.diff(xp.concatenate((starts, [n]))).astype(xp.int64)
    values = xp.moveaxis(rows[by[starts]], 0, dim)
    return xp.ascontiguousarray(values), inverse, counts


def unique_consecutive(xp: Any, self: Any, return_inverse: bool, return_counts: bool, dim: Any) -> Any:
    if dim is None:
        rows = self.reshape(-1)
    else:
        dim, rows = _rows(xp, "unique_consecutive", self, dim)
    new = _steps(xp, rows) if rows.shape[0] else xp.ones(0, bool)
    starts = xp.flatnonzero(new)
    inverse = xp.cumsum(new) - 1
    counts = xp.diff(xp.concatenate((starts, [rows.shape[0]]))).astype(xp.int64)
    values = rows[starts] if dim is None else xp.ascontiguousarray(xp.moveaxis(rows[starts], 0, dim))
    return values, (inverse.reshape(self.shape) if dim is None else inverse).astype(xp.int64), counts


# ---------------------------------------------------------------- searching and counting


def searchsorted_Tensor(
    xp: Any, sorted_sequence: Any, self: Any, out_int32: bool, right: bool, side: Any, sorter: Any
) -> Any:
    seq, values = sorted_sequence, self
    _refuse_complex("searchsorted", seq)
    _refuse_complex("searchsorted", values)
    search_checked(seq, values, right, side, sorter)
    where = "right" if right or side == "right" else "left"
    if sorter is not None:
        if sorter.size and (sorter.min() < 0 or sorter.max() >= seq.shape[-1]):
            raise RuntimeError(message("searchsorted", "sorter index out of range"))
        seq = xp.take_along_axis(seq, sorter, -1)
    out = xp.int32 if out_int32 else xp.int64
    if seq.ndim == 1:
        if values.size >= 1 << 14 and 1 < seq.size <= 1 << 16 and seq.dtype is values.dtype and seq[-1] == seq[-1]:
            return _halving(xp, xp.ascontiguousarray(seq), values, where == "right", out)
        return seq.searchsorted(values, where).astype(out, copy=False)
    n, m = seq.shape[-1], values.shape[-1]
    count = prod(values.shape[:-1])
    rows, wanted = seq.reshape(count, n), values.reshape(count, m)
    r = xp.empty(wanted.shape, out)
    for i in range(len(rows)):
        r[i] = xp.searchsorted(rows[i], wanted[i], where)
    return r.reshape(values.shape)


def _halving(xp: Any, seq: Any, values: Any, right: bool, out: Any) -> Any:
    """The places of many values in no order, a block of them at a time: each step halves what is left for all of it.

    NumPy searches for one value after the other, and half of its comparisons come as a surprise to the processor.
    """
    n = seq.size
    flat, r = values.reshape(-1), xp.empty(values.size, out)
    beyond = xp.greater if right else xp.greater_equal
    for start in range(0, flat.size, 1 << 14):
        v = flat[start : start + (1 << 14)]
        low = xp.zeros(v.size, xp.int64)
        left = n
        while left > 1:
            half = left // 2
            at = low + (half - 1)
            # NaN compares false: it goes on to the end.
            low += xp.logical_not(beyond(seq.take(at, None, None, "clip"), v)).view(xp.int8) * xp.int64(half)
            left -= half
        low += xp.logical_not(beyond(seq.take(low, None, None, "clip"), v))
        r[start : start + v.size] = low
    return r.reshape(values.shape)


def search_checked(seq: Any, values: Any, right: bool, side: Any, sorter: Any) -> None:
    """Refuse sequences, values and options that do not fit."""
    op = "searchsorted"
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(message(op, f"side can only be 'left' or 'right' but got {side}"))
    if side == "left" and right:
        raise RuntimeError(
            message(op, "side and right can't be set to opposites, got side of left while right was True")
        )
    if seq.ndim == 0:
        raise RuntimeError(message(op, "sorted_sequence must have at least one dimension"))
    if values.ndim == 0 and seq.ndim != 1:
        raise RuntimeError(
            message(
                op, "input value can be a scalar only when the boundaries are one-dimensional", {"dimensions": seq.ndim}
            )
        )
    if seq.ndim != 1 and seq.shape[:-1] != values.shape[:-1]:
        raise RuntimeError(
            message(
                op,
                "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
                "tensor and input value tensor must match",
                {"boundaries": list(seq.shape), "values": list(values.shape)},
            )
        )
    if sorter is not None:
        if sorter.shape != seq.shape:
            raise RuntimeError(
                message(
                    op,
                    "boundary and sorter must have the same size",
                    {"boundaries": list(seq.shape), "sorter": list(sorter.shape)},
                )
            )
        if sorter.dtype.kind != "i" or sorter.dtype.itemsize != 8:
            raise RuntimeError(message(op, f"sorter must be a tensor of long dtype but got dtype {sorter.dtype.name}"))


def histc(xp: Any, self: Any, bins: int, min: Any, max: Any) -> Any:
    if self.dtype.kind not in "f":
        raise NotImplementedError(message("histc", f"it is not implemented for {from_numpy_dtype(self.dtype).name}"))
    if bins <= 0:
        raise RuntimeError(message("histc", f"bins must be > 0, but got {bins}"))
    low, high = float(min), float(max)
    flat = self.reshape(-1)
    if low == high and flat.size:
        low, high = float(flat.min()), float(flat.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (xp.isfinite(low) and xp.isfinite(high)):
        raise RuntimeError(message("histc", f"range of [{low}, {high}] is not finite"))
    if low > high:
        raise RuntimeError(message("histc", "max must be larger than min", {"min": low, "max": high}))
    inside = flat[(flat >= low) & (flat <= high)]
    at = ((inside - self.dtype.type(low)) * (bins / (high - low))).astype(xp.int64)
    xp.minimum(at, bins - 1, out=at)
    return xp.bincount(at, minlength=bins).astype(self.dtype)


def bincount(xp: Any, self: Any, weights: Any, minlength: int) -> Any:
    if self.dtype.kind not in "iu":
        raise NotImplementedError(message("bincount", f"it is not implemented for {from_numpy_dtype(self.dtype).name}"))
    if self.ndim != 1:
        raise RuntimeError(message("bincount", "bincount only supports 1-d non-negative integral inputs."))
    if minlength < 0:
        raise RuntimeError(message("bincount", f"minlength should be >= 0, got {minlength}"))
    if self.size and self.min() < 0:
        raise RuntimeError(message("bincount", "bincount only supports 1-d non-negative integral inputs."))
    if weights is None:
        return xp.bincount(self.astype(xp.int64, copy=False), minlength=minlength).astype(xp.int64)
    if weights.shape != self.shape:
        raise RuntimeError(
            message(
                "bincount",
                "weights should be 1-d and have the same length as input",
                {"input": list(self.shape), "weights": list(weights.shape)},
            )
        )
    r = xp.bincount(self.astype(xp.int64, copy=False), weights, minlength)
    return r.astype(xp.float32 if weights.dtype == xp.float32 else xp.float64)


def isin_Tensor_Tensor(xp: Any, elements: Any, test_elements: Any, assume_unique: bool, invert: bool) -> Any:
    if test_elements.size * elements.size <= 4096:
        found = (elements[..., None] == test_elements.reshape(-1)).any(-1)
        return ~found if invert else found
    return xp.isin(elements, test_elements, assume_unique=False, invert=invert)
