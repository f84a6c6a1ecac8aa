"""Adding and combining at places that may repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..xp import NUMPY

_UFUNCS = {"prod": "multiply", "amax": "maximum", "amin": "minimum", "sum": "add", "mean": "add"}
_START = {"prod": 1, "sum": 0, "mean": 0}


def copying(write: Any) -> Any:
    """The form of an in-place kernel that leaves its argument alone and returns a changed copy."""

    def kernel(xp: Any, self: Any, *rest: Any) -> Any:
        r = self.copy()
        write(xp, r, *rest)
        return r

    kernel.__name__ = kernel.__qualname__ = write.__name__.replace("__", "_").rstrip("_")
    return kernel


def apart(xp: Any, values: Any, target: Any) -> Any:
    """``values``, as a copy if writing to ``target`` might change them."""
    return values.copy() if xp.may_share_memory(values, target) else values


def extent(index: Any) -> tuple[Any, Any]:
    """The least and the greatest of some integers; finding where they are takes NumPy a fifth of the time."""
    flat = index.reshape(-1)
    return flat[flat.argmin()], flat[flat.argmax()]


def add_rows(xp: Any, target: Any, places: Any, rows: Any) -> None:
    """``target[places[i]] += rows[i]`` for every i, repeated places included.

    Args:
        target: an array, written in place.
        places: a vector of checked places along the first dimension.
        rows: the rows to add.
    """
    n = places.size
    if n == 0 or rows.size == 0:
        return
    if n <= 8:
        for i, p in enumerate(places.tolist()):
            target[p, ...] += rows[i]
        return
    if target.ndim == 1:
        xp.add.at(target, places, rows)
        return
    if xp is NUMPY and rows.size >= 1024 and target.dtype.kind in "fc" and target.itemsize >= 4:
        _add_sparse(target, places, rows)
        return
    # Rows sorted by place are summed in runs: element-by-element addition is far slower for wide rows.
    order = xp.argsort(places, kind="stable")
    sorted_places = places[order]
    starts = xp.flatnonzero(xp.concatenate(([True], sorted_places[1:] != sorted_places[:-1])))
    target[sorted_places[starts]] += xp.add.reduceat(rows[order], starts, 0, target.dtype)


def _add_sparse(target: Any, places: Any, rows: Any) -> None:
    """`add_rows` as a sparse matrix times the rows: one 1 per column, at the row's place."""
    from scipy.sparse import csc_matrix

    n, width = places.size, rows[0].size
    ones = np.ones(n, target.dtype)
    matrix = csc_matrix((ones, places, np.arange(n + 1)), shape=(target.shape[0], n))
    target += (matrix @ rows.reshape(n, width)).reshape(target.shape)


def reduce_at(xp: Any, target: Any, key: tuple[Any, ...], values: Any, reduce: str, include_self: bool) -> None:
    """Combine ``values`` into ``target[key]``, repeated places included.

    Args:
        target: an array, written in place.
        key: index arrays (checked), as NumPy takes them.
        values: what to combine, of the shape of ``target[key]``.
        reduce: ``"sum"``, ``"prod"``, ``"mean"``, ``"amax"`` or ``"amin"``.
        include_self: whether the elements that are there take part.
    """
    kind = target.dtype.kind
    if not include_self:
        if reduce in _START:
            target[key] = _START[reduce]
        else:
            target[key] = _lowest(xp, target.dtype) if reduce == "amax" else _highest(xp, target.dtype)
    ufunc = (
        getattr(xp, _UFUNCS[reduce])
        if kind != "b"
        else {"prod": xp.logical_and, "amin": xp.logical_and, "amax": xp.logical_or}.get(reduce, xp.logical_or)
    )
    # NumPy has a quick loop for one plain index, not for a tuple of one.
    ufunc.at(target, key[0] if len(key) == 1 else key, values)
    if reduce == "mean":
        count = xp.zeros(target.shape, xp.int64) if not include_self else xp.ones(target.shape, xp.int64)
        xp.add.at(count, key, xp.ones((), xp.int64))
        count[count == 0] = 1
        if kind in "iu":
            target[...] = xp.floor_divide(target, count.astype(target.dtype))
        else:
            target[...] = target / count


def _lowest(xp: Any, d: Any) -> Any:
    return -xp.inf if d.kind == "f" or d.kind == "V" else False if d.kind == "b" else xp.iinfo(d).min


def _highest(xp: Any, d: Any) -> Any:
    return xp.inf if d.kind == "f" or d.kind == "V" else True if d.kind == "b" else xp.iinfo(d).max
