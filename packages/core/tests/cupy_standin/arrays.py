"""The stand-in's `cupy.ndarray`: NumPy's memory behind CuPy's manners.

What CuPy refuses is refused here: conversion to NumPy without asking, operands that are NumPy arrays, element types
that CuPy has not, methods and keywords that are not in the table, work on another device than the current one.
Indices that are out of range wrap around, as CuPy's do, so kernels that lean on NumPy's IndexError show here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from . import memory

TABLE = json.loads(Path(__file__).with_name("cupy_names.json").read_text())
METHODS = TABLE["classes"]["cupy.ndarray"]
_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_new = object.__new__


#: What CuPy's kernels do not know bfloat16 in (their lists of types, and its sorts, scans and products).
NO_BFLOAT16 = frozenset(
    "all allclose any argmax argmin argpartition argsort bincount clip copyto count_nonzero cumprod cumsum dot einsum "
    "flatnonzero inner isclose isin lexsort logical_not logical_xor matmul mean median nan_to_num nonzero outer "
    "partition percentile quantile round searchsorted sort std tensordot trace unique var vdot where".split()
)


def refuse_bfloat16(name: str, *values: Any) -> None:
    """TypeError where a function that does not know bfloat16 is called with an array of it."""
    if name in NO_BFLOAT16:
        for v in values:
            if isinstance(v, ndarray) and v.dtype == _BFLOAT16:
                raise TypeError(f"cupy.{name}: unsupported dtype bfloat16")
            if isinstance(v, (tuple, list)):
                refuse_bfloat16(name, *v)


def checked_dtype(d: Any) -> np.dtype:
    """A dtype that CuPy has; others are a TypeError."""
    d = np.dtype(d)
    if d != _BFLOAT16 and d.char not in "?bBhHiIlLqQefdFD":
        raise TypeError(f"cupy: unsupported dtype {d}")
    return d


def wrapped(n: Any, of: Any = None) -> Any:
    """An array of the stand-in over a NumPy array (`of`: the array whose memory it may share); tuples item by item."""
    if isinstance(n, (tuple, list)):
        items = [wrapped(x, of) for x in n]
        return type(n)._make(items) if hasattr(n, "_make") else type(n)(items)
    if not isinstance(n, (np.ndarray, np.generic)):
        return n
    n = np.asarray(n)
    checked_dtype(n.dtype)
    a: Any = _new(ndarray)
    if of is not None and np.may_share_memory(n, of._n):
        a._n, a._memory, a._base = n, of._memory, of if of._base is None else of._base
        return a
    a._memory, a._base = memory.taken(n.nbytes), None
    a._n = np.ndarray(n.shape, n.dtype, a._memory.bytes(), 0, np.empty_like(n, subok=False).strides)
    a._n[...] = n
    return a


def here(*arrays: Any) -> None:
    """Work goes to the current device: arrays of another one are refused."""
    for launch in memory.LAUNCHES:
        launch()
    current = memory.current()
    for a in arrays:
        if isinstance(a, ndarray) and a._memory.device != current:
            raise ValueError(
                "Array device must be same as the current device: "
                f"array device = {a._memory.device} while current = {current}"
            )


def bare(value: Any, allow_lists: bool = True) -> Any:
    """The NumPy array of one of the stand-in's, also inside lists and tuples; NumPy arrays are refused."""
    if isinstance(value, ndarray):
        here(value)
        return value._n
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    if isinstance(value, (tuple, list)) and allow_lists:
        items = [bare(v) for v in value]
        return type(value)._make(items) if hasattr(value, "_make") else type(value)(items)
    return value


def check_call(name: str, params: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuse calls that do not fit CuPy's parameters."""
    if not isinstance(params, list):
        return
    plain = [p.rstrip("=") for p in params if p[0] not in "*/"]
    positional = params.index("*") - ("/" in params) if "*" in params else len(plain)
    if not any(p[0] == "*" and p[1:2] not in ("", "*") for p in params) and len(args) > positional:
        raise TypeError(f"{name}() takes {positional} positional arguments but {len(args)} were given")
    if not any(p[:2] == "**" for p in params):
        for k in kwargs:
            if k not in plain:
                raise TypeError(f"{name}() got an unexpected keyword argument '{k}'")


class Flags:
    """`ndarray.flags`: CuPy's has these and no `writeable`."""

    def __init__(self, n: np.ndarray, owns: bool) -> None:
        self.c_contiguous, self.f_contiguous = n.flags.c_contiguous, n.flags.f_contiguous
        self.owndata, self.fnc, self.forc = owns, n.flags.fnc, n.flags.forc

    def __getitem__(self, name: str) -> bool:
        return getattr(self, {"C": "c_contiguous", "F": "f_contiguous", "O": "owndata"}.get(name, name.lower()))


def _wrap_key(key: Any, shape: tuple[int, ...]) -> Any:
    """An index expression for NumPy: the arrays in it bare, their entries brought into range by wrapping around."""
    items = list(key) if isinstance(key, tuple) else [key]
    out: list[Any] = []
    flags = 0
    used = sum(_axes(k) for k in items)
    axis = 0
    for k in items:
        if k is not None and k is not Ellipsis and not isinstance(
            k, (slice, int, np.integer, np.bool_, list, ndarray)
        ):
            raise IndexError(f"Unsupported type {type(k)}")
        if isinstance(k, slice) and any(isinstance(x, ndarray) for x in (k.start, k.stop, k.step)):
            raise TypeError("'ndarray' object cannot be interpreted as an integer")
        if k is Ellipsis:
            axis += len(shape) - used
        elif k is not None:
            if isinstance(k, list):
                k = wrapped(np.asarray(k))
            if isinstance(k, ndarray):
                here(k)
                k = k._n
                flags += k.dtype.kind == "b" and k.ndim > 0
                if k.dtype.kind in "iu":
                    n = shape[axis]
                    k = k % n if n else k
                elif k.dtype.kind != "b":
                    raise IndexError("arrays used as indices must be of integer or boolean type. (actual: float)")
            axis += _axes(k)
        out.append(k)
    if flags > 1:
        raise NotImplementedError("cupy: only one boolean array in an index")
    return tuple(out) if isinstance(key, tuple) else out[0]


def _axes(k: Any) -> int:
    if k is None or k is Ellipsis or isinstance(k, (bool, np.bool_)):
        return 0
    n = k._n if isinstance(k, ndarray) else k
    return n.ndim if isinstance(n, np.ndarray) and n.dtype.kind == "b" else 1


class ndarray:
    """See the module."""

    __slots__ = ("_n", "_memory", "_base", "__weakref__")
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None, order: str = "C"
    ) -> None:
        d = checked_dtype(dtype)
        self._base = None
        if memptr is None:
            made = np.empty(shape, d, order)  # type: ignore[call-overload]
            self._memory = memory.taken(made.nbytes)
            self._n = np.ndarray(made.shape, d, self._memory.bytes(), 0, made.strides)
        else:
            self._memory = memptr.mem
            self._n = np.ndarray(shape, d, memptr.mem.bytes(), memptr.ptr - memptr.mem.ptr, strides)

    # ------------------------------------------------------------ what it is

    shape = property(lambda self: self._n.shape, lambda self, shape: setattr(self._n, "shape", shape))
    strides = property(lambda self: self._n.strides)
    dtype = property(lambda self: self._n.dtype)
    ndim = property(lambda self: self._n.ndim)
    size = property(lambda self: self._n.size)
    itemsize = property(lambda self: self._n.itemsize)
    nbytes = property(lambda self: self._n.nbytes)
    T = property(lambda self: wrapped(self._n.T, self))
    mT = property(lambda self: wrapped(self._n.mT, self))
    base = property(lambda self: self._base)
    flags = property(lambda self: Flags(self._n, self._base is None))
    device = property(lambda self: memory.Device(self._memory.device))
    flat = property(lambda self: self.ravel())

    @property
    def data(self) -> Any:
        return memory.MemoryPointer(self._memory, 0, self._n.__array_interface__["data"][0], self._n)

    @property
    def real(self) -> Any:
        return wrapped(self._n.real, self)

    @real.setter
    def real(self, value: Any) -> None:
        self._n.real = bare(value)

    @property
    def imag(self) -> Any:
        return wrapped(self._n.imag, self)

    @imag.setter
    def imag(self, value: Any) -> None:
        self._n.imag = bare(value)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.dtype == _BFLOAT16:
            raise AttributeError("__cuda_array_interface__: bfloat16 has no type string")
        return {
            "shape": self.shape, "typestr": self.dtype.str, "descr": self.dtype.descr, "stream": 1, "version": 3,
            "strides": None if self.flags.c_contiguous else self.strides, "data": (self.data.ptr, False),
        }  # fmt: skip

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self._n.view(np.uint16 if self.dtype == _BFLOAT16 else self.dtype).__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self._memory.device

    # ------------------------------------------------------------ to the host, only when asked

    def _host(self) -> np.ndarray:
        for launch in memory.LAUNCHES:
            launch()
        return self._n

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct one.")

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> np.ndarray:
        if out is not None:
            out[...] = self._host()
            return out
        return self._host().copy(order)  # type: ignore[arg-type]

    def set(self, arr: Any, stream: Any = None) -> None:
        if not isinstance(arr, np.ndarray) or arr.dtype != self.dtype or arr.shape != self.shape:
            raise TypeError("Only a numpy.ndarray of the array's dtype and shape can be set to cupy.ndarray")
        self._host()[...] = arr

    def item(self) -> Any:
        return self._host().item()

    def tolist(self) -> Any:
        return self._host().tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        return self._host().tobytes(order)

    def __bool__(self) -> bool:
        return bool(self._host())

    def __int__(self) -> int:
        return int(self._host())

    def __float__(self) -> float:
        return float(self._host())

    def __complex__(self) -> complex:
        return complex(self._host())

    def __repr__(self) -> str:
        return repr(self._host())

    def __str__(self) -> str:
        return str(self._host())

    def __format__(self, spec: str) -> str:
        return format(self._host(), spec)

    def __len__(self) -> int:
        return len(self._n)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self._n)))

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return _array, (self._n.copy(),)

    # ------------------------------------------------------------ elements

    def __getitem__(self, key: Any) -> Any:
        n = self._n[_wrap_key(key, self.shape)]
        return wrapped(n, self)

    def __setitem__(self, key: Any, value: Any) -> None:
        here(self)
        if isinstance(value, (list, tuple)):
            raise TypeError(f"Unsupported type {type(value)}")
        self._n[_wrap_key(key, self.shape)] = bare(value)

    def astype(self, dtype: Any, order: Any = "K", casting: Any = None, subok: Any = None, copy: bool = True) -> Any:
        d = checked_dtype(dtype)
        if not copy and d == self.dtype:
            return self
        return wrapped(self._host().astype(d, order, casting or "unsafe"))

    def view(self, dtype: Any = None, type: Any = None) -> Any:  # noqa: A002 - CuPy's name
        return wrapped(self._n.view() if dtype is None else self._n.view(checked_dtype(dtype)), self)

    def reduced_view(self, dtype: Any = None) -> Any:
        return self

    def scatter_add(self, slices: Any, value: Any) -> None:
        np.add.at(self._n, _wrap_key(slices, self.shape), bare(value))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        import cupy

        fn = getattr(cupy, ufunc.__name__, None)
        if fn is None or method != "__call__":
            return NotImplemented
        return fn(*inputs, **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        import cupy

        module = cupy.linalg if "linalg" in func.__module__ else cupy.fft if "fft" in func.__module__ else cupy
        fn = getattr(module, func.__name__, None)
        return NotImplemented if fn is None else fn(*args, **kwargs)


def _array(n: np.ndarray) -> Any:
    return wrapped(n)


def _method(name: str, params: Any) -> Any:
    plain = getattr(np.ndarray, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        check_call(name, params if name not in ("reshape", "transpose") else None, args, kwargs)
        if name in ("sort", "argsort"):
            kind = args[1] if len(args) > 1 else kwargs.get("kind")
            args = args[:1]
            if kind not in (None, "stable"):
                raise ValueError(f"cupy: sort kind {kind!r} is not supported")
            kwargs["kind"] = "stable"
        if name == "take":
            kwargs["mode"] = "wrap"
        if kwargs.get("dtype") is not None:
            checked_dtype(kwargs["dtype"])
        out = kwargs.get("out")
        refuse_bfloat16(name, self, *args)
        if name not in ("transpose", "squeeze", "swapaxes", "diagonal"):  # views need no device
            here(self)
        result = plain(self._n, *[bare(a) for a in args], **{k: bare(v) for k, v in kwargs.items()})
        if name == "diagonal":
            result.setflags(write=True)  # CuPy's diagonals may be written
        return out if out is not None else wrapped(result, self)

    method.__name__ = name
    return method


for _name in (
    "all any argmax argmin argpartition argsort choose clip compress conj conjugate copy cumprod cumsum diagonal dot "
    "fill flatten max mean min nonzero partition prod put ravel repeat reshape round searchsorted sort squeeze std sum "
    "swapaxes take trace transpose var"
).split():
    setattr(ndarray, _name, _method(_name, METHODS[_name]))

_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "left_shift", "rshift": "right_shift", "matmul": "matmul",
}  # fmt: skip
_COMPARISONS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
_UNARY = {"neg": "negative", "abs": "absolute", "invert": "invert"}


def _operator(name: str, ufunc: str, swapped: bool = False, inplace: bool = False) -> Any:
    def method(self: Any, other: Any) -> Any:
        import cupy

        fn = getattr(cupy, ufunc)
        if swapped:
            return fn(other, self)
        return fn(self, other, self) if inplace and ufunc != "matmul" else fn(self, other)

    return method


for _name, _ufunc in {**_OPERATORS, **_COMPARISONS}.items():
    setattr(ndarray, f"__{_name}__", _operator(_name, _ufunc))
for _name, _ufunc in _OPERATORS.items():
    setattr(ndarray, f"__r{_name}__", _operator(_name, _ufunc, swapped=True))
    if f"__i{_name}__" in METHODS:
        setattr(ndarray, f"__i{_name}__", _operator(_name, _ufunc, inplace=True))
for _name, _ufunc in _UNARY.items():
    setattr(ndarray, f"__{_name}__", (lambda u: lambda self: getattr(__import__("cupy"), u)(self))(_ufunc))
ndarray.__pos__ = lambda self: self.copy()  # type: ignore[attr-defined]
ndarray.__module__ = "cupy"
