"""Arrays from numbers, sequences, memory and shapes."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

import lamella.core as _core
from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..overlap import may_share
from ..storage import is_cupy
from ..tensor import Tensor, describe


def _size(shape: Any) -> tuple[int, ...]:
    """A shape from an int or a sequence of ints."""
    if isinstance(shape, (tuple, list)):
        return tuple(int(s) for s in shape)
    return (int(shape),)


def _number(x: Any) -> Any:
    """A Python number; arrays of one element give theirs."""
    return x.item() if isinstance(x, (Tensor, np.generic, np.ndarray)) else x


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: builtins.bool | None = None) -> Any:
    """An array from a number, nested sequences, another array, or an object with memory to share.

    Args:
        obj: what to convert.
        dtype: the type; by default that of ``obj``, where Python floats have the default floating type.
        device: where the result goes.
        copy: True always copies, False never does, None copies where it must.

    Raises:
        ValueError: with ``copy=False``, if a copy is needed.

    Example:
        >>> asarray([[1, 2], [3, 4]], dtype=float32).dtype
        torch.float32
    """
    if copy is False:
        return _shared(obj, dtype, device)
    if isinstance(obj, Tensor):
        made = obj.to(device=obj.device if device is None else device, dtype=dtype or obj.dtype)
        return made.clone() if copy and made is obj else made
    if isinstance(obj, np.generic) or hasattr(obj, "__array__"):
        a = np.asarray(obj)
        if a.dtype.kind in "OUSMm":
            raise TypeError(message("asarray", f"an array cannot hold NumPy's {a.dtype}"))
        usable = a.dtype.isnative and a.flags.writeable and all(s >= 0 for s in a.strides)
        a = a if usable and not copy else np.array(a, dtype=a.dtype.newbyteorder("="))
        made = _core.asarray(a, dtype=dtype)
        return made if device is None else made.to(device)
    return _core.asarray(obj, dtype=dtype, device=device, copy=copy)


def _shared(obj: Any, dtype: Any, device: Any) -> Any:
    """``obj`` as an array over the same memory, or a ValueError."""
    made: Any = asarray(obj) if isinstance(obj, (Tensor, np.ndarray)) or hasattr(obj, "__dlpack__") else None
    copied = made is not None and not isinstance(obj, Tensor) and not _over(made._a, obj)
    if made is None or copied or not _fits(made, dtype, device):
        raise ValueError(message("asarray", "a copy is needed, but copy=False"))
    return made


def _over(a: Any, obj: Any) -> builtins.bool:
    """Whether an array lies over another library's memory."""
    if is_cupy(a):
        return is_cupy(obj) and may_share(a, obj)
    theirs = obj if isinstance(obj, np.ndarray) else np.asarray(obj)
    return a.size == 0 or bool(np.shares_memory(a, theirs))


def _fits(x: Any, dtype: Any, device: Any) -> builtins.bool:
    return (dtype is None or dtype is x.dtype) and (device is None or _core.device(device) == x.device)


def from_dlpack(x: Any, /, *, device: Any = None, copy: builtins.bool | None = None) -> Any:
    """An array over the memory of another library's.

    Args:
        x: an object with ``__dlpack__``.
        device: where the result goes; by default where the memory is.
        copy: True always copies, False never does, None copies where it must.

    Example:
        >>> from_dlpack(np.arange(3)).tolist()
        [0, 1, 2]
    """
    return _core.from_dlpack(x, device=device, copy=copy)


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """Evenly spaced numbers in ``[start, stop)``.

    Args:
        start: the first number; the end, if ``stop`` is not given.
        stop: the end, which is left out. step: the distance.
        dtype: by default the default integer type, or floating type where a number is a float.
        device: where the result goes.

    Example:
        >>> arange(5).tolist(), arange(3, 0).tolist()
        ([0, 1, 2, 3, 4], [])
    """
    start, stop, step = (_number(x) for x in (start, stop, step))
    if stop is None:
        start, stop = 0, start
    if step != 0 and (stop - start) / step < 0:
        stop = start
    return _core.arange(start, stop, step, dtype=dtype, device=device)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array whose elements are not set.

    Args:
        shape: an int or a tuple of ints.
        dtype: the default floating type by default. device: where it is made.

    Example:
        >>> empty((2, 3)).shape
        torch.Size([2, 3])
    """
    return _core.empty(_size(shape), dtype=dtype, device=device)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of zeros (arguments as those of ``empty``).

    Example:
        >>> zeros(2).tolist()
        [0.0, 0.0]
    """
    return _core.zeros(_size(shape), dtype=dtype, device=device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of ones (arguments as those of ``empty``).

    Example:
        >>> ones(2).tolist()
        [1.0, 1.0]
    """
    return _core.ones(_size(shape), dtype=dtype, device=device)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array filled with one number.

    Args:
        shape: an int or a tuple of ints. fill_value: the number.
        dtype: by default the type that ``asarray(fill_value)`` has. device: where it is made.

    Example:
        >>> full(2, 7).tolist()
        [7, 7]
    """
    if dtype is None and isinstance(fill_value, (Tensor, np.generic)):
        dtype = asarray(fill_value).dtype
    return _core.full(_size(shape), _number(fill_value), dtype=dtype, device=device)


def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of ``x``'s shape, and type and device unless others are given, whose elements are not set.

    Example:
        >>> empty_like(zeros((2, 3))).shape
        torch.Size([2, 3])
    """
    return _core.empty_like(x, dtype=dtype, device=device)


def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """Zeros in ``x``'s shape, and type and device unless others are given.

    Example:
        >>> zeros_like(asarray([1, 2])).tolist()
        [0, 0]
    """
    return _core.zeros_like(x, dtype=dtype, device=device)


def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """Ones in ``x``'s shape, and type and device unless others are given.

    Example:
        >>> ones_like(asarray([5, 6])).tolist()
        [1, 1]
    """
    return _core.ones_like(x, dtype=dtype, device=device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """One number in ``x``'s shape, and type and device unless others are given.

    Example:
        >>> full_like(asarray([5, 6]), 3).tolist()
        [3, 3]
    """
    return _core.full_like(x, _number(fill_value), dtype=dtype, device=device)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Any:
    """Ones on a diagonal, zeros elsewhere.

    Args:
        n_rows, n_cols: the shape; square by default.
        k: which diagonal: 0 the main one, above it if positive.
        dtype, device: as those of ``empty``.

    Example:
        >>> eye(2, 3, k=1).tolist()
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    cols = n_rows if n_cols is None else n_cols
    made = _core.zeros((n_rows, cols), dtype=dtype, device=device)
    if -n_rows < k < cols:
        _core.diagonal(made, k).fill_(1)
    return made


def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: builtins.bool = True
) -> Any:
    """``num`` evenly spaced numbers from ``start`` to ``stop``.

    Args:
        start, stop: the ends, real or complex.
        num: how many. endpoint: whether ``stop`` is one of them.
        dtype: the default floating (or complex) type by default. device: where the result goes.

    Example:
        >>> linspace(0, 1, 4, endpoint=False).tolist()
        [0.0, 0.25, 0.5, 0.75]
    """
    start, stop = _number(start), _number(stop)
    if dtype is None:
        is_complex = isinstance(start, complex) or isinstance(stop, complex)
        dtype = dt.get_default_complex() if is_complex else dt.get_default_dtype()
    if endpoint:
        return _core.linspace(start, stop, num, dtype=dtype, device=device)
    return _core.linspace(start, stop, num + 1, dtype=dtype, device=device)[:num]


def meshgrid(*arrays: Any, indexing: str = "xy") -> Any:
    """Coordinates of a grid from those of its axes.

    Args:
        arrays: one-dimensional arrays of one type.
        indexing: ``"xy"`` swaps the first two axes of the result, ``"ij"`` does not.

    Returns:
        As many arrays as were given, each of the grid's shape.

    Raises:
        ValueError: for an array that is not one-dimensional, or another ``indexing``.

    Example:
        >>> [g.tolist() for g in meshgrid(asarray([1, 2]), asarray([3]))]
        [[[1, 2]], [[3, 3]]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(message("meshgrid", "indexing must be 'xy' or 'ij'", [indexing]))
    for x in arrays:
        if x.ndim != 1:
            raise ValueError(message("meshgrid", "the arrays must be one-dimensional", [describe(x)]))
    return tuple(_core.meshgrid(*arrays, indexing=indexing)) if arrays else ()


def tril(x: Any, /, *, k: int = 0) -> Any:
    """Matrices with zeros above a diagonal.

    Args:
        x: an array; its last two dimensions are the matrices. k: the diagonal, as in ``eye``.

    Example:
        >>> tril(ones((2, 2))).tolist()
        [[1.0, 0.0], [1.0, 1.0]]
    """
    return _core.tril(x, k)


def triu(x: Any, /, *, k: int = 0) -> Any:
    """Matrices with zeros below a diagonal.

    Args:
        x: an array; its last two dimensions are the matrices. k: the diagonal, as in ``eye``.

    Example:
        >>> triu(ones((2, 2))).tolist()
        [[1.0, 1.0], [0.0, 1.0]]
    """
    return _core.triu(x, k)


def diag(x: Any, /, *, k: int = 0) -> Any:
    """The diagonal of a matrix, or the matrix with a diagonal: not in the standard, but SciPy counts on it.

    Args:
        x: a matrix or a vector. k: the diagonal, as in ``eye``.

    Example:
        >>> diag(asarray([1, 2])).tolist()
        [[1, 0], [0, 2]]
    """
    return _core.diag(x, k)
