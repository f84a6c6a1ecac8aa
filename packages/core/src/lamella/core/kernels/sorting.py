"""Sorting, searching and counting. NaN counts as larger than every number, as NumPy has it too."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..checks import wrap_dim
from ..dtypes import from_numpy_dtype
from .scattering import flat_places, grid

_ALL = slice(None)


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
    if not descending:
        return _stable(xp, a, dim)
    # Equal elements keep their order: sort the reversed array and count the places from the other end.
    back = (_ALL,) * dim + (slice(None, None, -1),)
    return a.shape[dim] - 1 - _stable(xp, a[back], dim)[back]


def _stable(xp: Any, a: Any, dim: int) -> Any:
    """argsort; rows of different elements, which have one order only, by the fast algorithm that is not stable."""
    n = a.shape[dim]
    if a.size < 4096 or n > 2048 or dim != a.ndim - 1 or a.dtype.kind != "f" or a.itemsize < 4:
        return xp.argsort(a, dim, kind="stable")
    rows = a.reshape(-1, n)
    places = xp.argsort(rows, 1)
    ordered = pick(xp, rows, places, 1)
    equal = xp.flatnonzero(~(ordered[:, 1:] > ordered[:, :-1]).all(1))  # NaN compares false: such rows count as equal
    if equal.size:
        places[equal] = xp.argsort(rows[equal], 1, kind="stable")
    return places.reshape(a.shape)


def pick(xp: Any, a: Any, places: Any, dim: int) -> Any:
    """The elements at places along a dimension (places has ``a``'s number of dimensions)."""
    if a.ndim == 1:
        return a[places]
    if a.flags.c_contiguous:
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
    dim, k = topk_checked(self, k, dim)
    if not self.ndim:
        return (self.copy(), xp.zeros((), xp.int64)) if k else (xp.empty(0, self.dtype), xp.empty(0, xp.int64))
    n = self.shape[dim]
    keys = self.astype(xp.float32) if self.dtype.kind == "V" else self
    if k * 8 > n or n < 64:
        places = order(xp, keys, dim, largest)[(_ALL,) * dim + (slice(k),)]
    elif keys.ndim == 1 and n >= 100_000 and largest:
        places = _top_of_many(xp, keys, k)
    else:
        # Only the part that is asked for is sorted; NaN, which counts as largest, goes to the same end.
        part = xp.argpartition(keys, n - k if largest else k - 1, dim) if k else xp.zeros_like(keys, xp.int64)
        part = part[(_ALL,) * dim + (slice(n - k, None) if largest else slice(k),)]
        part.sort(dim)
        places = pick(xp, part, order(xp, pick(xp, keys, part, dim), dim, largest), dim)
    return pick(xp, self, places, dim), xp.ascontiguousarray(places)


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
    dim = kth_checked(self, k, dim)
    if not self.ndim:
        return self.copy(), xp.zeros((), xp.int64)
    keys = self.astype(xp.float32) if self.dtype.kind == "V" else self
    places = xp.argpartition(keys, k - 1, dim)[(_ALL,) * dim + (slice(k - 1, k),)]
    values = pick(xp, self, places, dim)
    if keepdim:
        return values, xp.ascontiguousarray(places)
    return values.squeeze(dim), places.squeeze(dim).copy()


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
    by = xp.argsort(keys, kind="stable")
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
    search_checked(seq, values, right, side, sorter)
    where = "right" if right or side == "right" else "left"
    if sorter is not None:
        if sorter.size and (sorter.min() < 0 or sorter.max() >= seq.shape[-1]):
            raise RuntimeError(message("searchsorted", "sorter index out of range"))
        seq = xp.take_along_axis(seq, sorter, -1)
    out = xp.int32 if out_int32 else xp.int64
    if seq.ndim == 1:
        return xp.searchsorted(seq, values, where).astype(out)
    n, m = seq.shape[-1], values.shape[-1]
    rows, wanted = seq.reshape(-1, n), values.reshape(-1, m)
    r = xp.empty(wanted.shape, out)
    for i in range(len(rows)):
        r[i] = xp.searchsorted(rows[i], wanted[i], where)
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
