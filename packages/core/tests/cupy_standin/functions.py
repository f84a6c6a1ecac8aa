"""The stand-in's modules: CuPy's names from the table, each passed on to NumPy or SciPy."""

from __future__ import annotations

import importlib
import warnings
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np

from .arrays import TABLE, bare, check_call, checked_dtype, here, ndarray, refuse_bfloat16, wrapped

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_KINDS = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3}
_DEFAULTS = {bool: np.dtype(bool), int: np.dtype(np.int64), float: np.dtype(np.float64), complex: np.dtype(complex)}


def loop_dtype(char: str) -> np.dtype:
    """The dtype of a letter of CuPy's types (E is bfloat16)."""
    return _BFLOAT16 if char == "E" else np.dtype(char)


def _kind(d: np.dtype) -> int:
    return 2 if d == _BFLOAT16 else _KINDS[d.kind]


def _fits(value: Any, to: np.dtype, highest: int) -> bool:
    """Whether an operand may enter a loop's type: arrays by safe casting, Python's numbers by their kind."""
    if isinstance(value, (ndarray, np.generic)):
        return value.dtype == to or bool(np.can_cast(value.dtype, to, "safe"))
    d = _DEFAULTS[type(value)]
    return _kind(d) <= _kind(to) if _kind(d) <= highest else bool(np.can_cast(d, to, "safe"))


class ufunc:  # noqa: N801 - CuPy's name
    """`cupy.ufunc`: a loop is looked for in CuPy's list; its types say what is computed and what comes out."""

    def __init__(self, name: str, entry: dict[str, Any], fn: Any) -> None:
        self.name, self.types, self._fn = f"cupy_{name}", entry["types"], fn
        self.__name__ = name
        self.nin = len(self.types[0].partition("->")[0])
        self.nout = len(self.types[0].partition("->")[2])
        self.nargs = self.nin + self.nout
        self._keywords, self._methods = entry["keywords"], entry["methods"]

    def _loop(self, args: list[Any], dtype: Any) -> tuple[list[np.dtype], list[np.dtype]]:
        typed = [_kind(a.dtype) for a in args if isinstance(a, (ndarray, np.generic))]
        for types in self.types:
            left, _, right = types.partition("->")
            if dtype is not None:
                if loop_dtype(right[0]) == dtype:
                    return [loop_dtype(c) for c in left], [loop_dtype(c) for c in right]
            elif all(_fits(a, loop_dtype(c), max(typed, default=-1)) for a, c in zip(args, left)):
                return [loop_dtype(c) for c in left], [loop_dtype(c) for c in right]
        shown = [a.dtype.name if hasattr(a, "dtype") else type(a).__name__ for a in args]
        raise TypeError(f"Wrong type ({shown}) of arguments for {self.name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for k in kwargs:
            if k not in self._keywords:
                raise TypeError(f"Wrong arguments {kwargs}")
        out = kwargs.get("out")
        if len(args) > self.nin:
            out = args[self.nin :] if self.nout > 1 else args[self.nin]
        if not self.nin <= len(args) <= self.nargs:
            raise TypeError(f"Wrong number of arguments for {self.name}")
        given = list(args[: self.nin])
        for a in given:
            if not isinstance(a, (ndarray, np.generic, bool, int, float, complex)):
                raise TypeError(f"Unsupported type {type(a)}")
        here(*given)
        ins, outs = self._loop(given, None if kwargs.get("dtype") is None else checked_dtype(kwargs["dtype"]))
        arrays = [self._cast(a, d) for a, d in zip(given, ins)]
        with np.errstate(all="ignore"):
            results = self._fn(*arrays)
        results = results if isinstance(results, tuple) else (results,)
        results = [np.asarray(r).astype(d, copy=False) for r, d in zip(results, outs)]
        outputs = out if isinstance(out, tuple) else (out,) * self.nout if out is None else (out,)
        done = tuple(self._into(o, r, kwargs.get("casting")) for o, r in zip(outputs, results))
        return done if self.nout > 1 else done[0]

    @staticmethod
    def _cast(a: Any, d: np.dtype) -> Any:
        n = a._n if isinstance(a, ndarray) else a
        return n.astype(d, copy=False) if isinstance(n, (np.ndarray, np.generic)) else np.asarray(n, d)

    @staticmethod
    def _into(out: Any, result: np.ndarray, casting: Any) -> Any:
        if out is None:
            return wrapped(result)
        if not isinstance(out, ndarray):
            raise TypeError("return arrays must be of ArrayType")
        here(out)
        rule = casting or "same_kind"
        if result.dtype != out.dtype and not np.can_cast(result.dtype, out.dtype, rule):
            raise TypeError(f"output ('{result.dtype.char}') could not be coerced to '{out.dtype.char}' ({rule})")
        if np.broadcast_shapes(result.shape, out.shape) != out.shape:
            raise ValueError(f"non-broadcastable output operand with shape {out.shape}")
        out._n[...] = result
        return out

    def _has(self, method: str) -> None:
        if method not in self._methods:
            raise NotImplementedError(f"`{self.name}.{method}` is not supported yet")

    def reduce(self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        self._has("reduce")
        return array.sum(axis, dtype, out, keepdims) if "add" in self.name else array.prod(axis, dtype, out, keepdims)

    def accumulate(self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        self._has("accumulate")
        return array.cumsum(axis, dtype, out) if "add" in self.name else array.cumprod(axis, dtype, out)

    def reduceat(self, array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        self._has("reduceat")
        return wrapped(self._fn.reduceat(bare(array), bare(indices), axis, dtype))

    def at(self, a: Any, indices: Any, b: Any = None) -> None:
        """`ufunc.at`; CUDA's atomics know few types, and additions of others are refused as CuPy refuses them."""
        self._has("at")
        if a.dtype.char not in ("ilIqLQefdFDE" if self.__name__ in ("add", "subtract") else "ilqILQefd"):
            raise TypeError(f"{self.name}.at: unsupported dtype {a.dtype}")
        from .arrays import _wrap_key

        here(a)
        self._fn.at(a._n, _wrap_key(indices, a.shape), *(() if b is None else (bare(b),)))

    def outer(self, A: Any, B: Any, **kwargs: Any) -> Any:  # noqa: N803 - CuPy's names
        return self(A.reshape(A.shape + (1,) * B.ndim), B, **kwargs)


#: Functions that the stand-in itself defines, by module and name; filled by the modules beside this one.
OWN: dict[tuple[str, str], Any] = {}
_MAKERS = {"empty", "zeros", "ones", "full", "arange", "linspace", "eye", "identity", "tri", "tril_indices",
           "triu_indices", "indices", "logspace", "diag_indices"}  # fmt: skip
#: Functions that make arrays out of what the host has.
_IMPORTERS = {"array", "asarray", "ascontiguousarray", "asfortranarray", "asanyarray", "frombuffer", "fromiter"}
_BY_SCIPY = {f"cupyx.scipy.{m}": f"scipy.{m}" for m in ("special", "linalg", "fft", "ndimage", "signal")}
_QUIET_LINALG = ("cholesky", "inv", "solve")


def _dtypes(name: str, kwargs: dict[str, Any]) -> None:
    if kwargs.get("dtype") is not None:
        checked_dtype(kwargs["dtype"])


def _first(args: Any) -> Any:
    for a in args:
        if isinstance(a, ndarray):
            return a
        if isinstance(a, (tuple, list)):
            found = _first(a)
            if found is not None:
                return found
    return None


def function(module: str, name: str, params: Any, fn: Any) -> Any:
    """A function of CuPy that calls NumPy's, with CuPy's parameters and CuPy's arrays alone."""
    importer = module == "cupy" and name in _IMPORTERS

    def call(*args: Any, **kwargs: Any) -> Any:
        check_call(f"{module}.{name}", params, args, kwargs)
        _dtypes(name, kwargs)
        refuse_bfloat16(name, *args)
        if importer:
            return _imported(name, args, kwargs)
        if name in ("take", "sort", "argsort") and module == "cupy":
            return getattr(args[0], name)(*args[1:], **kwargs) if isinstance(args[0], ndarray) else _not_array(args[0])
        if name == "take_along_axis":
            args = (args[0], _in_range(args[1], args[0], args[2] if len(args) > 2 else kwargs["axis"]), *args[2:])
        out = kwargs.get("out")
        bare_args = [bare(a) for a in args]
        bare_kwargs = {k: bare(v) for k, v in kwargs.items()}
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # CuPy says nothing of singular matrices
                result = fn(*bare_args, **bare_kwargs)
        except np.linalg.LinAlgError:
            if name not in _QUIET_LINALG:
                raise
            result = np.full_like(bare_args[-1], np.nan)  # CuPy checks nothing here unless asked to
        return out if isinstance(out, ndarray) else wrapped(result, _first(args))

    call.__name__ = name
    call.__module__ = module
    return call


def _not_array(a: Any) -> Any:
    raise TypeError(f"Unsupported type {type(a)}")


def _in_range(indices: Any, a: Any, axis: Any) -> Any:
    if not isinstance(indices, ndarray):
        _not_array(indices)
    n = a.size if axis is None else a.shape[axis]
    return wrapped(indices._n % n) if n and indices.dtype.kind in "iu" else indices


def _imported(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    kwargs = {k: v for k, v in kwargs.items() if k != "blocking"}
    source, *rest = args
    if name == "asarray" and isinstance(source, ndarray):
        here(source)
    of = source if isinstance(source, ndarray) else None
    if of is not None:
        source = of._n
    elif isinstance(source, (list, tuple)):
        source = bare(source)
    if rest and rest[0] is not None:
        checked_dtype(rest[0])
    made = getattr(np, name)(source, *rest, **kwargs)
    if of is None and name != "frombuffer":
        made = np.array(made, order="K")  # the host's memory and the device's are two
    return of if of is not None and made is of._n else wrapped(made, of)


class Module(ModuleType):
    """A module that has what the table says and nothing else."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")


def _source(module: str, name: str) -> Any:
    if module in _BY_SCIPY:
        return getattr(importlib.import_module(_BY_SCIPY[module]), name, None)
    parts = {"cupy.linalg": np.linalg, "cupy.fft": np.fft, "cupy.lib.stride_tricks": np.lib.stride_tricks}
    part = parts.get(module, np)
    return getattr(part, name, None) if name in dir(part) else None


def _refused(module: str, name: str) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"the stand-in for CuPy has no {module}.{name}; CuPy has it")

    return call


def build(module: str) -> Module:
    """A module of the table."""
    made = Module(module)
    for name, entry in TABLE["modules"][module].items():
        own = OWN.get((module, name))
        if own is not None:
            value = own
        elif entry == "module":
            continue
        else:
            value = _source(module, name)
            if isinstance(entry, dict):
                value = _refused(module, name) if value is None else ufunc(name, entry, value)
            elif entry == "type":
                value = value if isinstance(value, type) else _refused(module, name)
            elif isinstance(entry, list) or callable(value) and not isinstance(value, type):
                value = function(module, name, entry, value) if callable(value) else _refused(module, name)
        setattr(made, name, value)
    return made
