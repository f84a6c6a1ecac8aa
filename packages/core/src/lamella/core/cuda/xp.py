"""The array module that CUDA kernels get as ``xp``: NumPy's names, from CuPy, with CuPy's differences mended once.

What CuPy lacks is made here out of what it has; what only looks at shapes and types is NumPy's own. Functions that
have no form on a GPU are not here: their operators have kernels of their own below ``kernels``.
"""

from __future__ import annotations

import contextlib
import importlib
from types import ModuleType
from typing import Any

import cupy
import numpy as np

from lamella.dispatch.errors import message

from . import allocator
from .ufuncs import Ufunc

CUPY: Any = ModuleType("cupy")
CUPY.__dict__.update({name: value for name, value in vars(cupy).items() if name[:2] != "__"})
for _name in ("broadcast_shapes", "ndindex", "dtype", "iinfo", "finfo", "can_cast", "ndim", "shape", "result_type"):
    setattr(CUPY, _name, getattr(np, _name))
for _name in ("add", "multiply", "subtract", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or",
              "logaddexp", "bitwise_and", "bitwise_or", "bitwise_xor"):  # fmt: skip
    setattr(CUPY, _name, Ufunc(_name))
ndarray: Any = cupy.ndarray
allocator.install()


def mended(fn: Any) -> Any:
    """Put a function in the place of CuPy's of that name."""
    setattr(CUPY, fn.__name__.rstrip("_"), fn)
    return fn


def _array(x: Any) -> Any:
    return x if isinstance(x, ndarray) else cupy.asarray(x)


@mended
def concatenate(arrays: Any, axis: Any = 0, out: Any = None) -> Any:
    """CuPy takes arrays alone, NumPy also lists among them."""
    return cupy.concatenate([_array(a) for a in arrays], axis, out)


def known_type(d: Any) -> Any:
    """A type of elements that CuPy has; others are a RuntimeError."""
    d = np.dtype(d)
    if d.itemsize == 1 and d.kind not in "biu":
        raise RuntimeError(
            message("cuda", f"tensors of {d.name} cannot be on a GPU: CuPy has no such type",
                    hint="keep the bytes on the GPU: x.view(torch.uint8).cuda()")
        )
    return d


@mended
def empty(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    """Memory that is not set."""
    return cupy.empty(shape, known_type(dtype), order)


@mended
def zeros(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    """Zeros."""
    return cupy.zeros(shape, known_type(dtype), order)


@mended
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    """CuPy wraps what is out of range around; it knows no modes."""
    return cupy.take(a, indices, axis, out)


@mended
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours; numbers may stand for what is put before and behind."""
    axis %= a.ndim
    shape = [1 if k == axis else m for k, m in enumerate(a.shape)]
    ends = [
        x if x is None or np.ndim(x) else cupy.broadcast_to(cupy.asarray(x, a.dtype), shape) for x in (prepend, append)
    ]
    parts = [x for x in (ends[0], a, ends[1]) if x is not None]
    a = concatenate(parts, axis) if len(parts) > 1 else a
    lead = (slice(None),) * axis
    for _ in range(n):
        a = (cupy.not_equal if a.dtype.kind == "b" else cupy.subtract)(
            a[(*lead, slice(1, None))], a[(*lead, slice(None, -1))]
        )
    return a


@mended
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Elements repeated, also each as often as an array says (CuPy takes numbers alone; the host waits for the sum)."""
    if not isinstance(repeats, ndarray) or repeats.ndim == 0:
        return cupy.repeat(a, int(repeats) if isinstance(repeats, ndarray) else repeats, axis)
    if axis is None:
        a, axis = a.ravel(), 0
    repeats = cupy.broadcast_to(repeats, (a.shape[axis],))
    ends = repeats.cumsum()
    total = int(ends[-1]) if ends.size else 0
    return a.take(ends.searchsorted(cupy.arange(total), "right"), axis)


@mended
def vecdot(a: Any, b: Any) -> Any:
    """Products of vectors along the last dimension."""
    return (a.conj() * b if a.dtype.kind == "c" else a * b).sum(-1)


@mended
def size(a: Any) -> int:
    """The number of elements, of numbers too."""
    return getattr(a, "size", 1)


@mended
def errstate(**_: Any) -> Any:
    """CUDA has no floating-point warnings to silence."""
    return contextlib.nullcontext()


def _narrow(a: Any) -> bool:
    """Whether an operand is an array of bfloat16, which many of CuPy's kernels do not know."""
    return isinstance(a, ndarray) and a.dtype.kind == "V"


def _bits(x: Any, d: Any) -> Any:
    """An operand as the bits of its bfloat16 numbers."""
    if isinstance(x, ndarray):
        return x.astype(d, copy=False).view(np.uint16)
    return np.asarray(x, d).view(np.uint16)[()]


def _flags(a: Any) -> Any:
    return a != 0 if _narrow(a) else a


@mended
def all_(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements are true, of numbers too."""
    return cupy.all(_flags(a), axis, out, keepdims) if isinstance(a, ndarray) else np.all(a)


@mended
def any_(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Whether any element is true, of numbers too."""
    return cupy.any(_flags(a), axis, out, keepdims) if isinstance(a, ndarray) else np.any(a)


@mended
def count_nonzero(a: Any, axis: Any = None) -> Any:
    """How many elements are not 0."""
    return cupy.count_nonzero(_flags(a), axis)


@mended
def flatnonzero(a: Any) -> Any:
    """Where elements are not 0."""
    return cupy.flatnonzero(_flags(a))


@mended
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """``x`` where the condition holds, else ``y``; the condition may be a number."""
    if not isinstance(condition, ndarray):
        condition = cupy.asarray(condition)
    if x is None:
        return cupy.where(condition)
    if _narrow(x) or _narrow(y):
        d = x.dtype if _narrow(x) else y.dtype
        other = getattr(y if _narrow(x) else x, "dtype", d)
        if other.kind == "f" and getattr(y if _narrow(x) else x, "ndim", 0) and other != d:
            wide = np.dtype(np.float64 if other.itemsize == 8 else np.float32)
            return cupy.where(condition, *[v.astype(wide) if isinstance(v, ndarray) else v for v in (x, y)])
        return cupy.where(condition, _bits(x, d), _bits(y, d)).view(d)
    return cupy.where(condition, x, y)


@mended
def copyto(target: Any, source: Any, casting: str = "same_kind", where: Any = None) -> None:
    """Elements written into an array, where a mask says so."""
    if where is not None and (_narrow(target) or _narrow(source)):
        if _narrow(target):
            target, source = target.view(np.uint16), _bits(source, target.dtype)
        else:
            source = source.astype(target.dtype)
    if where is None:
        cupy.copyto(target, source, casting)
    else:
        cupy.copyto(target, source, casting, where)


@mended
def clip(a: Any, low: Any, high: Any, out: Any = None) -> Any:
    """Elements limited to a range."""
    if not _narrow(a):
        return cupy.clip(a, low, high, out)
    r = a if low is None else cupy.maximum(a, low)
    r = r if high is None else cupy.minimum(r, high)
    if out is None:
        return r.copy() if r is a else r
    cupy.copyto(out, r)
    return out


def widened(name: str) -> None:
    """A function of CuPy's that computes bfloat16 in float32 (its result is float32 or places)."""
    plain = getattr(CUPY, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        return plain(*[x.astype(np.float32) if _narrow(x) else x for x in args], **kwargs)

    call.__name__ = name
    setattr(CUPY, name, call)


for _name in ("argmax", "argmin", "argsort", "argpartition", "searchsorted", "isin"):
    widened(_name)


def _truth(a: Any) -> Any:
    return a != 0 if _narrow(a) or getattr(a, "dtype", None) in _COMPLEX else a


def _truths(name: str) -> None:
    """A logical function that takes complex numbers and bfloat16 too, which CuPy's does not."""
    plain = getattr(CUPY, name)

    def logical(*args: Any) -> Any:
        return plain(*map(_truth, args))

    logical.__name__ = name
    logical.nin = cupy.logical_not.nin if name == "logical_not" else 2  # type: ignore[attr-defined]
    if isinstance(plain, Ufunc):
        plain.prepare = _truth
    else:
        setattr(CUPY, name, logical)


_COMPLEX = (np.dtype(np.complex64), np.dtype(np.complex128))
for _name in ("logical_and", "logical_or", "logical_xor", "logical_not"):
    _truths(_name)


class _Lazy(ModuleType):
    """A module of CuPy's that is loaded when a name in it is first needed (it loads a library of CUDA's)."""

    def __init__(self, name: str, **own: Any) -> None:
        super().__init__(name)
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        value = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, value)
        return value


def _package(name: str, **children: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(children)
    return made


def on_host(fn: Any) -> Any:
    """A function of NumPy arrays as one of CuPy's: its arrays are copied to the host, and its results back."""

    def moved(*args: Any) -> Any:
        found = fn(*[x.get() if isinstance(x, ndarray) else x for x in args])
        if isinstance(found, tuple):
            return tuple(cupy.asarray(x) for x in found)
        return cupy.asarray(found)

    return moved


class _Special(_Lazy):
    """SciPy's special functions: CuPy's where it has them, else SciPy's on the host."""

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            import scipy.special

            value = on_host(getattr(scipy.special, name))
        setattr(self, name, value)
        return value


CUPY.linalg = _Lazy("cupy.linalg", LinAlgError=np.linalg.LinAlgError)
CUPY.fft = _Lazy("cupy.fft")
_SPECIAL = _Special("cupyx.scipy.special")
_LINALG = _Lazy("cupyx.scipy.linalg")
_FFT = _Lazy("cupyx.scipy.fft")

#: What an import statement in a kernel gives on CUDA.
MODULES: dict[str, Any] = {
    "numpy": CUPY,
    "numpy.linalg": CUPY.linalg,
    "scipy": _package("scipy", special=_SPECIAL, linalg=_LINALG, fft=_FFT),
    "scipy.special": _SPECIAL,
    "scipy.linalg": _LINALG,
    "scipy.fft": _FFT,
}
