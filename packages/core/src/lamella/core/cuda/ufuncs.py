"""CuPy's elementwise functions with the methods that NumPy's have: reduce, accumulate, at, reduceat and outer."""

from __future__ import annotations

from typing import Any

import cupy

_METHODS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
}  # fmt: skip
#: Element types whose additions at places CUDA has atomic instructions for.
_ATOMIC = {"add": "ilqILQefdFD", "maximum": "ilqILQefd", "minimum": "ilqILQefd"}


class Ufunc:
    """An elementwise function of CuPy's.

    Args:
        name: its name.
    """

    def __init__(self, name: str) -> None:
        self.__name__ = self.name = name
        self._fn = getattr(cupy, name)
        #: What operands of types that CuPy's function does not take are turned into.
        self.prepare: Any = None
        self.nin, self.nout, self.types = self._fn.nin, self._fn.nout, self._fn.types

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.prepare is not None:
            args = tuple(map(self.prepare, args))
        return self._fn(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}' of CuPy>"

    # ------------------------------------------------------------ reductions

    def reduce(self, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """The elements along dimensions, combined."""
        if axis.__class__ is list:
            axis = tuple(axis)
        if axis == () or a.ndim == 0:
            r = a.astype(bool if self.name[:7] == "logical" else a.dtype if dtype is None else dtype)
        elif self.name not in _METHODS:
            r = self._halves(a, axis, keepdims)
        else:
            r = self._reduced(a, axis, dtype, keepdims)
        if r.ndim > 1 and not r.flags.c_contiguous:
            r = cupy.ascontiguousarray(r)
        if out is None:
            return r
        cupy.copyto(out, r, casting="unsafe")
        return out

    def _reduced(self, a: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
        method = _METHODS[self.name]
        if method in ("sum", "prod"):
            return getattr(a, method)(axis, dtype, keepdims=keepdims)
        if method in ("max", "min") and not a.size:
            axes = range(a.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
            gone = {k % a.ndim for k in axes}
            if all(a.shape[k] for k in gone):  # nothing is left, but nothing is missing either
                shape = [1 if k in gone else n for k, n in enumerate(a.shape) if keepdims or k not in gone]
                return cupy.empty(shape, a.dtype)
        if self.prepare is not None:
            a = self.prepare(a)
        r = getattr(a, method)(axis, keepdims=keepdims)
        return r if dtype is None else r.astype(dtype, copy=False)

    def _halves(self, a: Any, axis: Any, keepdims: bool) -> Any:
        """Pairs of elements are combined until one is left."""
        axes = tuple(range(a.ndim)) if axis is None else (axis,) if isinstance(axis, int) else axis
        axes = tuple(k % a.ndim for k in axes)
        kept = [k for k in range(a.ndim) if k not in axes]
        shape = tuple(1 if k in axes else n for k, n in enumerate(a.shape) if keepdims or k not in axes)
        rows = a.transpose(*kept, *axes).reshape([a.shape[k] for k in kept] + [-1])
        while rows.shape[-1] > 1:
            n = rows.shape[-1]
            half = n // 2
            r = self._fn(rows[..., :half], rows[..., half : 2 * half])
            rows = cupy.concatenate([r, rows[..., -1:]], -1) if n % 2 else r
        return rows.reshape(shape)

    def accumulate(self, a: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        """The combination of all elements up to each."""
        if self.name in ("add", "multiply") and a.size:
            r = (a.cumsum if self.name == "add" else a.cumprod)(axis, a.dtype if dtype is None else dtype)
        else:
            r = self._doubling(a if dtype is None else a.astype(dtype, copy=False), axis)
        if out is None:
            return r
        cupy.copyto(out, r, casting="unsafe")
        return out

    def _doubling(self, a: Any, axis: int) -> Any:
        """Each step combines every element with the one 1, 2, 4, ... places before it."""
        lead = (slice(None),) * (axis % a.ndim)
        n, k = a.shape[axis], 1
        now = a.copy()
        while k < n:
            head, rest, before = (*lead, slice(None, k)), (*lead, slice(k, None)), (*lead, slice(None, -k))
            now = cupy.concatenate([now[head], self._fn(now[rest], now[before])], axis)
            k *= 2
        return now

    # ------------------------------------------------------------ places

    def at(self, a: Any, key: Any, values: Any) -> None:
        """``a[key] = fn(a[key], values)``, with repeated places counted as often as they come."""
        if a.dtype.char in _ATOMIC.get(self.name, ""):
            self._fn.at(a, key, values)
        elif self.name == "add" and a.dtype.kind in "iu":
            wide = a.astype(cupy.int32)
            self._fn.at(wide, key, values.astype(cupy.int32))
            a[...] = wide.astype(a.dtype)
        elif self.name in _ATOMIC and a.dtype.itemsize <= 2 and a.dtype.kind != "b":
            wide = a.astype(cupy.float32)
            self._fn.at(wide, key, values.astype(cupy.float32))
            a[...] = wide.astype(a.dtype)
        else:
            self._in_rounds(a, key, values)

    def _in_rounds(self, a: Any, key: Any, values: Any) -> None:
        """Every round takes one value for each place that has any left."""
        numbers = cupy.arange(a.size).reshape(a.shape)[key]
        places = numbers.ravel()
        values = cupy.broadcast_to(values, numbers.shape).ravel()
        order = places.argsort()
        places, values = places[order], values[order]
        new = cupy.concatenate([cupy.ones(1, bool), places[1:] != places[:-1]])[: places.size]
        n = cupy.arange(places.size)
        rank = n - Ufunc("maximum").accumulate(cupy.where(new, n, 0))
        flat = a.ravel()
        for k in range(int(rank.max()) + 1 if rank.size else 0):
            now = rank == k
            at = places[now]
            flat[at] = self._fn(flat[at], values[now]).astype(a.dtype, copy=False)
        a[...] = flat.reshape(a.shape)

    def reduceat(self, a: Any, starts: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        """The elements between each place and the next, combined."""
        if a.dtype.kind == "V":
            return self._fn.reduceat(a.astype(cupy.float32), starts, axis).astype(a.dtype)
        return self._fn.reduceat(a, starts, axis, a.dtype if dtype is None else dtype, out)

    def outer(self, a: Any, b: Any, **kwargs: Any) -> Any:
        """The function of every pair."""
        return self._fn(a.reshape(a.shape + (1,) * b.ndim), b, **kwargs)
