"""Parts of arrays."""

from __future__ import annotations

from contextlib import suppress
from operator import index as as_int
from typing import Any

from lamella.dispatch.errors import message

from ..checks import ints, wrap_dim
from .strides import in_order, strided

_ALL = slice(None)


def select_int(xp: Any, self: Any, dim: int, index: int) -> Any:
    if dim == 0:
        try:
            return self[index, ...]
        except IndexError:
            pass
    return _select(self, dim, index)


def _select(self: Any, dim: int, index: Any) -> Any:
    if self.ndim == 0:
        raise IndexError(message("select", "it cannot be applied to a 0-dim tensor"))
    dim = wrap_dim("select", dim, self.ndim)
    n = self.shape[dim]
    try:
        i = as_int(index)
    except TypeError:
        raise TypeError(message("select", f"argument 'index' must be int, not {type(index).__name__}")) from None
    if not -n <= i < n:
        raise IndexError(
            message("select", f"index {i} out of range for tensor of size {list(self.shape)} at dimension {dim}")
        )
    return self[(_ALL,) * dim + (i, ...)]


def slice_Tensor(xp: Any, self: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    if self.ndim == 0:
        raise RuntimeError(message("slice", "it cannot be applied to a 0-dim tensor"))
    if step <= 0:
        raise RuntimeError(message("slice", "slice step must be positive", {"step": step}))
    part = slice(start, end, step)
    if dim == 0:
        return self[part]
    dim = wrap_dim("slice", dim, self.ndim)
    return self[(_ALL,) * dim + (part,)]


def planes(op: str, a: Any, dim1: int, dim2: int, ndim: int | None = None) -> tuple[int, int]:
    """Two different dimensions, counted from the front."""
    n = a.ndim if ndim is None else ndim
    i, j = wrap_dim(op, dim1, n), wrap_dim(op, dim2, n)
    if i == j:
        raise RuntimeError(message(op, f"diagonal dimensions cannot be identical {dim1}, {dim2}"))
    return i, j


def diagonal(xp: Any, self: Any, offset: int, dim1: int, dim2: int) -> Any:
    i, j = planes("diagonal", self, dim1, dim2)
    if not -(1 << 31) < offset < 1 << 31:
        offset = 1 << 30  # as far outside as NumPy can count
    r = self.diagonal(offset, i, j)
    if not r.flags.writeable and self.flags.writeable:
        r.setflags(write=True)  # NumPy marks diagonals read-only for the sake of old programs
    return r


def diag_embed(xp: Any, self: Any, offset: int, dim1: int, dim2: int) -> Any:
    n = self.ndim + 1
    i, j = planes("diag_embed", self, dim1, dim2, n)
    size = self.shape[-1] + abs(offset)
    lead = list(self.shape[:-1])
    r = xp.zeros((*lead, size, size), self.dtype)
    diagonal(xp, r, offset, -2, -1)[...] = self
    return in_order(xp, xp.moveaxis(r, (-2, -1), (i, j)))


def unbind_int(xp: Any, self: Any, dim: int) -> Any:
    if self.ndim == 0:
        raise IndexError(message("unbind", "Dimension specified as 0 but tensor has no dimensions"))
    dim = wrap_dim("unbind", dim, self.ndim)
    lead = (_ALL,) * dim
    return [self[(*lead, i, ...)] for i in range(self.shape[dim])]


def split_Tensor(xp: Any, self: Any, split_size: int, dim: int) -> Any:
    if self.ndim == 0:
        raise RuntimeError(message("split", "it expects at least a 1-dimensional tensor"))
    dim = wrap_dim("split", dim, self.ndim)
    n = self.shape[dim]
    if split_size < 0 or split_size == 0 and n:
        raise RuntimeError(
            message(
                "split",
                f"split expects split_size be non-negative, but got split_size={split_size}"
                if split_size < 0
                else f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}",
            )
        )
    lead = (_ALL,) * dim
    if not n:
        return [self.view()]
    return [self[(*lead, slice(i, i + split_size))] for i in range(0, n, split_size)]


def split_with_sizes(xp: Any, self: Any, split_sizes: Any, dim: int) -> Any:
    if self.ndim == 0:
        raise RuntimeError(message("split", "it expects at least a 1-dimensional tensor"))
    dim = wrap_dim("split", dim, self.ndim)
    n = self.shape[dim]
    sizes = ints("split", "split_sizes", split_sizes)
    if min(sizes, default=0) < 0:
        raise RuntimeError(
            message(
                "split",
                "split_with_sizes expects split_sizes have only non-negative entries, but got "
                f"split_sizes={list(sizes)}",
            )
        )
    if sum(sizes) != n:
        raise RuntimeError(
            message(
                "split",
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's "
                f"size at dimension {dim}), but got split_sizes={list(sizes)}",
            )
        )
    lead, at, parts = (_ALL,) * dim, 0, []
    for size in sizes:
        parts.append(self[(*lead, slice(at, at + size))])
        at += size
    return parts


def unfold(xp: Any, self: Any, dimension: int, size: int, step: int) -> Any:
    dim = wrap_dim("unfold", dimension, self.ndim)
    n = self.shape[dim] if self.ndim else 1
    if size < 0 or size > n:
        raise RuntimeError(
            message(
                "unfold",
                f"maximum size for tensor at dimension {dim} is {n} but size is {size}"
                if size > n
                else f"size is {size} but must be >= 0",
            )
        )
    if step <= 0:
        raise RuntimeError(message("unfold", f"step is {step} but must be > 0"))
    if self.ndim == 0:
        return strided(xp, self, (size,), (self.itemsize,))
    shape, strides = list(self.shape), list(self.strides)
    shape[dim] = (n - size) // step + 1
    shape.append(size)
    strides.append(strides[dim])
    strides[dim] *= step
    return strided(xp, self, tuple(shape), tuple(strides))


def unfold_backward(xp: Any, grad_in: Any, input_sizes: Any, dim: int, size: int, step: int) -> Any:
    r = xp.zeros(tuple(input_sizes), grad_in.dtype)
    if not r.ndim:
        r[...] = grad_in.reshape(()) if grad_in.size else 0
        return r
    dim = wrap_dim("unfold", dim, r.ndim)
    lead = (_ALL,) * dim
    count = grad_in.shape[dim]
    for k in range(size):  # one strided addition per place in the window
        r[(*lead, slice(k, k + (count - 1) * step + 1, step))] += grad_in[..., k]
    return r


def _into(op: str, part: Any, src: Any) -> None:
    if part.shape != src.shape:
        raise RuntimeError(
            message(
                op,
                "expected src to have a size equal to the slice of self",
                {"src sizes": list(src.shape), "slice sizes": list(part.shape)},
            )
        )
    part[...] = src


def slice_scatter(xp: Any, self: Any, src: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    r = self.copy()
    part = slice_Tensor(xp, r, dim, start, end, step)
    if part.shape != src.shape:
        with suppress(ValueError):
            src = xp.broadcast_to(src, part.shape)
    _into("slice_scatter", part, src)
    return r


def select_scatter(xp: Any, self: Any, src: Any, dim: int, index: int) -> Any:
    r = self.copy()
    _into("select_scatter", select_int(xp, r, dim, index), src)
    return r


def diagonal_scatter(xp: Any, self: Any, src: Any, offset: int, dim1: int, dim2: int) -> Any:
    r = self.copy()
    _into("diagonal_scatter", diagonal(xp, r, offset, dim1, dim2), src)
    return r


def select_backward(xp: Any, grad_output: Any, input_sizes: Any, dim: int, index: int) -> Any:
    r = xp.zeros(tuple(input_sizes), grad_output.dtype)
    r[(_ALL,) * (dim % r.ndim) + (index,)] = grad_output
    return r


def slice_backward(xp: Any, grad_output: Any, input_sizes: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    r = xp.zeros(tuple(input_sizes), grad_output.dtype)
    r[(_ALL,) * (dim % r.ndim) + (slice(start, end, step),)] = grad_output
    return r


def diagonal_backward(xp: Any, grad_output: Any, input_sizes: Any, offset: int, dim1: int, dim2: int) -> Any:
    r = xp.zeros(tuple(input_sizes), grad_output.dtype)
    diagonal(xp, r, offset, dim1, dim2)[...] = grad_output
    return r
