"""gather, scatter and their like: places along one dimension, every other index taken from the position."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..checks import wrap_dim
from ..dtypes import from_numpy_dtype
from .accumulate import apart, copying, extent, reduce_at
from .conversion import scalar_for
from .strides import in_order, writable
from .sums import ROW, number_of, steps

_I64 = np.dtype(np.int64)


def _check_index(op: str, a: Any, dim: int, index: Any) -> tuple[int, Any]:
    """The dimension, and the places as an array of at least one dimension, all in range."""
    dim = wrap_dim(op, dim, a.ndim)
    if (index.dtype.kind != "i" or index.dtype.itemsize < 4) and not (op == "gather" and index.dtype == "u1"):
        raise RuntimeError(message(op, "Expected dtype int32/int64 for index", [index.dtype.name]))
    if index.size:
        n = a.shape[dim] if a.ndim else 1
        low, high = extent(index)
        if low < 0 or high >= n:
            bad = int(low if low < 0 else high)
            raise RuntimeError(message(op, f"index {bad} is out of bounds for dimension {dim} with size {n}"))
    return dim, index if index.ndim else index.reshape(1)


def grid(xp: Any, index: Any, dim: int) -> tuple[Any, ...]:
    """Index arrays that visit every position of ``index`` with its values as places along ``dim``."""
    key: list[Any] = []
    for k, n in enumerate(index.shape):
        if k == dim:
            key.append(index)
        else:
            key.append(xp.arange(n).reshape([n if j == k else 1 for j in range(index.ndim)]))
    return tuple(key)


def _quick(xp: Any, a: Any, dim: int, index: Any) -> Any:
    """`flat_places` of a few places in a contiguous matrix, where everything fits; else None, and others say why."""
    if index.ndim != 2 or a.ndim != 2 or not 0 < index.size <= ROW or not a.flags.c_contiguous:
        return None
    (n, m), (r, c) = a.shape, index.shape
    if index.dtype is not _I64 or r > n and dim & 1 or c > m and not dim & 1:
        return None
    low, high = extent(index)
    if low < 0:
        return None
    if dim == 1 or dim == -1:
        return index + steps(xp, r * m, m).reshape(r, 1) if high < m else None
    if dim == 0 or dim == -2:
        return index * number_of(xp, m, _I64) + steps(xp, c, 1) if high < n else None
    return None


def _quick_source(xp: Any, a: Any, index: Any, src: Any) -> Any:
    """The part of a source that goes with an index; None where it does not fit or shares memory with the target."""
    if src.ndim != 2 or src.dtype is not a.dtype or not a.flags.writeable:
        return None
    (r, c), (n, m) = index.shape, src.shape
    if r > n or c > m or xp.may_share_memory(src, a):
        return None
    return src if r == n and c == m else src[:r, :c]


def flat_places(xp: Any, a: Any, dim: int, places: Any, first: int = 0) -> Any:
    """The same positions counted in the flattened array (which must be contiguous).

    Args:
        xp: the array module.
        a: the array.
        dim: the dimension that ``places`` are along.
        places: the places.
        first: where ``places`` begins along the first dimension, if it is a part.
    """
    if not places.size:
        return places
    step = 1
    flat: Any = 0
    for k in range(a.ndim - 1, -1, -1):
        n = places.shape[k]
        if k == dim:
            flat = flat + (places if step == 1 else places * step)
        elif n > 1:
            flat = flat + xp.arange(0, n * step, step).reshape((n,) + (1,) * (a.ndim - 1 - k))
        step *= a.shape[k]
    return flat + first * (step // a.shape[0]) if first and dim else flat


def parts(index: Any) -> Any:
    """(start, stop) along the first dimension, for parts of an index that the cache holds."""
    n = index.shape[0]
    step = max(1, (1 << 15) * n // index.size) if index.size > 1 << 16 else n
    for start in range(0, n, step):
        yield start, min(start + step, n)


def gather(xp: Any, self: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    quick = _quick(xp, self, dim, index)
    if quick is not None:
        return self.reshape(-1).take(quick)
    wrap_dim("gather", dim, self.ndim)
    if index.size and index.ndim != self.ndim and max(index.ndim, 1) != max(self.ndim, 1):
        raise RuntimeError(
            message(
                "gather",
                "Index tensor must have the same number of dimensions as input tensor",
                {"input": list(self.shape), "index": list(index.shape)},
            )
        )
    at, places = _check_index("gather", self, dim, index)
    if not index.size:
        return xp.empty(index.shape, self.dtype)
    a = self.reshape(1) if not self.ndim else self
    for k, (n, m) in enumerate(zip(places.shape, a.shape, strict=True)):
        if k != at and n > m:
            raise RuntimeError(
                message(
                    "gather",
                    f"Size does not match at dimension {k} expected index {list(index.shape)} to "
                    f"be no larger than self {list(self.shape)} apart from dimension {dim}",
                )
            )
    if a.flags.c_contiguous:
        flat = a.reshape(-1)
        if index.size <= 1 << 16:
            return flat.take(flat_places(xp, a, at, places)).reshape(index.shape)
        out = xp.empty(places.shape, a.dtype)
        for i, j in parts(places):
            out[i:j] = flat.take(flat_places(xp, a, at, places[i:j], i))
        return out
    return in_order(xp, a[grid(xp, places, at)].reshape(index.shape))


def _scatter_target(xp: Any, op: str, self: Any, dim: int, index: Any, src: Any) -> tuple[Any, int, Any, Any]:
    """``self`` with at least one dimension, the dimension, and places and values that fit."""
    wrap_dim(op, dim, self.ndim)
    if src is not None and src.dtype != self.dtype:
        raise RuntimeError(
            message(
                op,
                "Expected self.dtype to be equal to src.dtype",
                [from_numpy_dtype(self.dtype).name, from_numpy_dtype(src.dtype).name],
            )
        )
    for name, x in (("index", index), ("src", src)):
        if x is not None and index.size and max(x.ndim, 1) != max(self.ndim, 1):
            raise RuntimeError(
                message(
                    op,
                    f"Index tensor must have the same number of dimensions as {name if name == 'src' else 'self'} "
                    "tensor",
                    {"self": list(self.shape), name: list(x.shape)},
                )
            )
    at, places = _check_index(op, self, dim, index)
    a = writable(op, self if self.ndim else self.reshape(1))
    if not index.size:
        return a, at, places, None
    for k, n in enumerate(places.shape):
        if k != at and n > a.shape[k] or src is not None and src.ndim and n > src.shape[k]:
            raise RuntimeError(
                message(
                    op,
                    f"Expected index {list(index.shape)} to be no larger than self {list(self.shape)} "
                    f"apart from dimension {dim}"
                    + ("" if src is None else f" and to be no larger size than src {list(src.shape)}"),
                )
            )
    if src is not None:
        src = apart(xp, src if src.ndim else src.reshape(1), a)[tuple(slice(n) for n in places.shape)]
    return a, at, places, src


def scatter__src(xp: Any, self: Any, dim: int, index: Any, src: Any) -> None:
    quick = _quick(xp, self, dim, index)
    if quick is not None:
        values = _quick_source(xp, self, index, src)
        if values is not None:
            self.reshape(-1)[quick] = values
            return
    a, at, places, values = _scatter_target(xp, "scatter", self, dim, index, src)
    if index.size:
        if a.flags.c_contiguous:
            flat = a.reshape(-1)
            for i, j in parts(places):
                flat[flat_places(xp, a, at, places[i:j], i)] = values[i:j]
        else:
            a[grid(xp, places, at)] = values


def scatter__value(xp: Any, self: Any, dim: int, index: Any, value: Any) -> None:
    value = scalar_for("scatter", self.dtype, value)
    a, at, places, _ = _scatter_target(xp, "scatter", self, dim, index, None)
    if index.size:
        a[grid(xp, places, at)] = value


def _old_reduce(reduce: str) -> str:
    if reduce not in ("add", "multiply"):
        raise RuntimeError(message("scatter", f"reduce argument must be either add or multiply, not {reduce!r}"))
    return "sum" if reduce == "add" else "prod"


def scatter__reduce(xp: Any, self: Any, dim: int, index: Any, src: Any, reduce: str) -> None:
    scatter_reduce__two(xp, self, dim, index, src, _old_reduce(reduce), True)


def scatter__value_reduce(xp: Any, self: Any, dim: int, index: Any, value: Any, reduce: str) -> None:
    how = _old_reduce(reduce)
    a, at, places, _ = _scatter_target(xp, "scatter", self, dim, index, None)
    if index.size:
        one = xp.asarray(scalar_for("scatter", self.dtype, value), self.dtype)
        reduce_at(xp, a, grid(xp, places, at), one, how, True)


def scatter_add_(xp: Any, self: Any, dim: int, index: Any, src: Any) -> None:
    quick = _quick(xp, self, dim, index) if self.dtype.kind == "f" else None
    if quick is not None:
        values = _quick_source(xp, self, index, src)
        if values is not None:
            xp.add.at(self.reshape(-1), quick.reshape(-1), values.reshape(-1))
            return
    a, at, places, values = _scatter_target(xp, "scatter_add", self, dim, index, src)
    if not index.size:
        return
    if a.flags.c_contiguous and a.dtype.kind != "b":
        flat = a.reshape(-1)
        for i, j in parts(places):
            xp.add.at(flat, flat_places(xp, a, at, places[i:j], i).reshape(-1), values[i:j].reshape(-1))
    else:
        xp.add.at(a, grid(xp, places, at), values)


def scatter_reduce__two(xp: Any, self: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool) -> None:
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(
            message("scatter_reduce", f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
        )
    a, at, places, values = _scatter_target(xp, "scatter_reduce", self, dim, index, src)
    if index.size:
        if a.flags.c_contiguous and a.size:
            key: Any = (flat_places(xp, a, at, places).reshape(-1),)
            reduce_at(xp, a.reshape(-1), key, values.reshape(-1), reduce, include_self)
        else:
            reduce_at(xp, a, grid(xp, places, at), values, reduce, include_self)


scatter_src, scatter_value, scatter_add = copying(scatter__src), copying(scatter__value), copying(scatter_add_)
scatter_reduce, scatter_value_reduce = copying(scatter__reduce), copying(scatter__value_reduce)
scatter_reduce_two = copying(scatter_reduce__two)
