"""Parts of tensors that are made of select, slice and other views."""

from __future__ import annotations

from operator import index as as_int
from typing import Any

from lamella.dispatch.errors import message

from .. import functions as F
from ..checks import ints, wrap_dim
from ..tensor import Tensor


def narrow(self: Tensor, dim: int, start: Any, length: int) -> Tensor:
    n = self._a.ndim
    if n == 0:
        raise RuntimeError(message("narrow", "it cannot be applied to a 0-dim tensor"))
    if length < 0:
        raise RuntimeError(message("narrow", "length must be non-negative.", {"length": length}))
    dim = wrap_dim("narrow", dim, n)
    size, start = self._a.shape[dim], as_int(start)
    if not -size <= start <= size:
        raise IndexError(
            message("narrow", f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
        )
    if start < 0:
        start += size
    if start + length > size:
        raise RuntimeError(message("narrow", f"start ({start}) + length ({length}) exceeds dimension size ({size})."))
    return F.op_slice_Tensor(self, dim, start, start + length)


def narrow_copy(self: Tensor, dim: int, start: Any, length: int) -> Tensor:
    from ..layouts import contiguous_format

    if self._a.ndim and isinstance(dim, int) and dim >= self._a.ndim:
        raise RuntimeError(
            message("narrow_copy", "Expected dim < self.dim()", {"dim": dim, "self.dim()": self._a.ndim})
        )
    return F.op_clone(F.op_narrow(self, dim, start, length), memory_format=contiguous_format)


def diag(self: Tensor, diagonal: int = 0) -> Tensor:
    n = self._a.ndim
    if n == 1:
        return F.op_diag_embed(self, diagonal)
    if n == 2:
        return F.op_clone(F.op_diagonal(self, diagonal))
    raise RuntimeError(message("diag", f"Supports 1D or 2D tensors. Got {n}D"))


def diagflat(self: Tensor, offset: int = 0) -> Tensor:
    return F.op_diag_embed(F.op_reshape(self, (-1,)), offset)


def chunk(self: Tensor, chunks: int, dim: int = 0) -> Any:
    if self._a.ndim == 0:
        raise RuntimeError(message("chunk", "chunk expects at least a 1-dimensional tensor"))
    if chunks <= 0:
        raise RuntimeError(message("chunk", f"chunk expects `chunks` to be greater than 0, got: {chunks}"))
    dim = wrap_dim("chunk", dim, self._a.ndim)
    n = self._a.shape[dim]
    size = (n + chunks - 1) // chunks
    if size == 0:
        return F.op_split_with_sizes(self, [0] * chunks, dim)
    return F.op_split_Tensor(self, size, dim)


def tensor_split_sections(self: Tensor, sections: int, dim: int = 0) -> Any:
    if self._a.ndim == 0:
        raise RuntimeError(
            message(
                "tensor_split", "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
            )
        )
    dim = wrap_dim("tensor_split", dim, self._a.ndim)
    if sections <= 0:
        raise RuntimeError(message("tensor_split", f"number of sections must be larger than 0, got {sections}"))
    size, more = divmod(self._a.shape[dim], sections)
    parts, at = [], 0
    for i in range(sections):
        end = at + size + (i < more)
        parts.append(F.op_slice_Tensor(self, dim, at, end))
        at = end
    return tuple(parts)


def tensor_split_indices(self: Tensor, indices: Any, dim: int = 0) -> Any:
    if self._a.ndim == 0:
        raise RuntimeError(
            message(
                "tensor_split", "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
            )
        )
    dim = wrap_dim("tensor_split", dim, self._a.ndim)
    parts, at = [], 0
    for end in ints("tensor_split", "indices", indices):
        parts.append(F.op_slice_Tensor(self, dim, at, end))
        at = end
    parts.append(F.op_slice_Tensor(self, dim, at))
    return tuple(parts)
