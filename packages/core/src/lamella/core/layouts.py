"""How elements lie in memory: memory formats and layouts, as values that print as torch's."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .copies import copied


class memory_format:
    """The order in which a tensor's dimensions lie in memory.

    There are four: contiguous_format, preserve_format, channels_last and channels_last_3d.
    """

    __slots__ = ("name", "order")

    def __init__(self, name: str, order: tuple[int, ...] | None = None) -> None:
        self.name = name
        self.order = order

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


class layout:
    """How a tensor stores its elements. Tensors here are strided; the others are names to compare with."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


contiguous_format, preserve_format = memory_format("contiguous_format"), memory_format("preserve_format")
channels_last = memory_format("channels_last", (0, 2, 3, 1))
channels_last_3d = memory_format("channels_last_3d", (0, 2, 3, 4, 1))
strided, jagged = layout("strided"), layout("jagged")
sparse_coo, sparse_csr, sparse_csc = layout("sparse_coo"), layout("sparse_csr"), layout("sparse_csc")
sparse_bsr, sparse_bsc, _mkldnn = layout("sparse_bsr"), layout("sparse_bsc"), layout("_mkldnn")

FORMATS = {f.name: f for f in (contiguous_format, preserve_format, channels_last, channels_last_3d)}
LAYOUTS = {x.name: x for x in (strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc, jagged)}


def order_of(op: str, fmt: Any, ndim: int) -> tuple[int, ...]:
    """The dimensions of a channels-last format, slowest first; RuntimeError for another number of dimensions."""
    if len(fmt.order) != ndim:
        raise RuntimeError(
            message(op, f"required rank {len(fmt.order)} tensor to use {fmt.name} format", {"rank": ndim})
        )
    return fmt.order


def is_contiguous(op: str, a: np.ndarray, fmt: Any = None) -> bool:
    """Whether an array's elements lie without gaps in the order of a memory format."""
    if fmt is None or fmt is contiguous_format:
        return a.flags.c_contiguous
    if not isinstance(fmt, memory_format):
        raise TypeError(message(op, f"argument 'memory_format' must be torch.memory_format, not {type(fmt).__name__}"))
    if fmt is preserve_format:
        raise RuntimeError(message(op, "preserve memory format is unsupported by the contiguous operator"))
    return len(fmt.order or ()) == a.ndim and a.transpose(fmt.order).flags.c_contiguous


def dense_order(a: np.ndarray) -> list[int] | None:
    """The order in which the dimensions of a gapless array lie in memory, slowest first; None for other arrays."""
    order = sorted(range(a.ndim), key=lambda i: (-a.strides[i], i))
    return order if a.transpose(order).flags.c_contiguous else None


def arrange(op: str, xp: Any, a: Any, dtype: Any, fmt: Any) -> Any:
    """A copy of ``a`` in a type and memory format (None and preserve_format keep the order of a gapless array)."""
    if a.flags.c_contiguous and (fmt is None or fmt is preserve_format or fmt is contiguous_format):
        return copied(a, dtype) if dtype is not a.dtype else a.copy()
    if fmt is None or fmt is preserve_format:
        order = dense_order(a)
    elif fmt is contiguous_format:
        order = None
    else:
        order = list(order_of(op, fmt, a.ndim))
    if order is None:
        return copied(a, dtype)
    back = [order.index(i) for i in range(a.ndim)]
    return copied(a.transpose(order), dtype).transpose(back)
