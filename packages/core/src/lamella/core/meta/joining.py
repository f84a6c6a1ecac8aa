"""Shape rules of joining and rearranging."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..checks import ints
from ..dtypes import from_numpy_dtype
from ..kernels.joining import cat_checked, common_dtype, pad_checked, repeat_checked, stack_checked
from ..tensor import Tensor
from . import same

flip = roll = same


def cat(tensors: Any, dim: int = 0) -> Any:
    arrays = [t._a for t in tensors]
    if not arrays:
        raise ValueError(message("cat", "expected a non-empty list of Tensors"))
    kept, dim = cat_checked(arrays, dim)
    shape = list(kept[0].shape)
    shape[dim] = sum(a.shape[dim] for a in kept)
    return shape, from_numpy_dtype(common_dtype(arrays))


def stack(tensors: Any, dim: int = 0) -> Any:
    arrays = [t._a for t in tensors]
    dim = stack_checked(arrays, dim)
    shape = arrays[0].shape
    return (*shape[:dim], len(arrays), *shape[dim:]), from_numpy_dtype(common_dtype(arrays))


def repeat(self: Tensor, repeats: Any) -> Any:
    repeats = repeat_checked(self._a, repeats)
    shape = (1,) * (len(repeats) - self._a.ndim) + self._a.shape
    return [n * m for n, m in zip(repeats, shape, strict=True)], self.dtype


def repeat_interleave_Tensor(repeats: Tensor, *, output_size: Any = None) -> Any:
    if output_size is None:
        raise NotImplementedError(
            message(
                "repeat_interleave",
                "the size of the result depends on data that meta tensors lack",
                hint="pass output_size=",
            )
        )
    return (output_size,), repeats.dtype


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, **_: Any) -> Any:
    count = sum(min(max(i + offset + 1, 0), col) for i in range(row))
    return (2, count), dtype or dt.int64


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, **_: Any) -> Any:
    count = sum(col - min(max(i + offset, 0), col) for i in range(row))
    return (2, count), dtype or dt.int64


def constant_pad_nd(self: Tensor, pad: Any, value: Any = 0) -> Any:
    return pad_checked(self._a.shape, ints("constant_pad_nd", "pad", pad))[1], self.dtype
