"""Kernels that serve every backend: they handle the tensor itself and leave its elements to other operators.

They are registered as CompositeExplicitAutograd: autograd has its own say before them, and tracing sees one call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from .. import functions as F
from ..checks import ints
from ..copies import copied
from ..devices import backend_bit, device as make_device
from ..dtypes import FLOAT8
from ..kernels.conversion import within
from ..layouts import arrange, dense_order, order_of, preserve_format
from ..runtime import bump
from ..tensor import CPU, CUDA, META, Tensor, alias, wrap

#: Conversions between devices: (from, to) key bits -> function(tensor, dtype, device, non_blocking, memory_format).
TRANSFERS: dict[tuple[int, int], Any] = {}


def detach(self: Tensor) -> Tensor:
    return alias(self)


def _to_copy(
    self: Tensor,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: Any = None,
    non_blocking: bool = False,
    memory_format: Any = None,
) -> Tensor:
    if device is None and memory_format is None and dtype is not None and self._ks & BACKEND_MASK == CPU:
        a = self._a
        if a.flags.c_contiguous and a.dtype.kind != "c" and (dtype.itemsize > 1 or dtype.category != 2):
            return wrap(copied(a, dtype.np))
    dtype = self.dtype if dtype is None else dtype
    have = self._ks & BACKEND_MASK
    want = have if device is None else backend_bit(device)
    if have == want and not _elsewhere(self, device):
        return _same_device(self, have, dtype, memory_format)
    move = TRANSFERS.get((have, want))
    if move is not None:
        return move(self, dtype, device, non_blocking, memory_format)
    if want == META:
        from ..meta import meta_result
        from ..meta.conversion import strides_of

        return meta_result((self._a.shape, dtype, strides_of("to", self._a, memory_format)))
    if have == META:
        raise NotImplementedError(
            message(
                "to",
                "Cannot copy out of meta tensor; no data!",
                hint="use empty_like(t, device=...) or Module.to_empty() to make memory first",
            )
        )
    source = self if self.dtype is dtype else _to_copy(self, dtype=dtype)
    r = _alike(self._a, dtype, device, memory_format, bool((have | want) & ~(CPU | CUDA)))
    F.op_copy_(r, source, non_blocking)
    r._vc = None  # filling new memory is no write that anybody could have missed
    return r


def _alike(a: Any, dtype: Any, device: Any, fmt: Any, plain: bool) -> Tensor:
    """A tensor on another device whose elements lie in memory as an array's, or in the order of a memory format."""
    order: Any = None
    if not plain and fmt is not None and fmt.order:
        order = order_of("to", fmt, a.ndim)
    elif not plain and not a.flags.c_contiguous and (fmt is None or fmt is preserve_format):
        order = dense_order(a)
    if order is None:
        return F.empty(tuple(a.shape), dtype=dtype, device=device)
    r = F.empty(tuple(a.shape[i] for i in order), dtype=dtype, device=device)
    r._a = r._a.transpose([order.index(i) for i in range(a.ndim)])
    return r


def _elsewhere(self: Tensor, where: Any) -> bool:
    """Whether a tensor on one GPU is wanted on another."""
    if where is None or self._ks & BACKEND_MASK != CUDA:
        return False
    index = make_device(where).index
    return index is not None and index != self._a.device.id


def _same_device(self: Tensor, bits: int, dtype: Any, memory_format: Any) -> Tensor:
    if bits == META:
        from ..meta import meta_result
        from ..meta.conversion import strides_of

        return meta_result((self._a.shape, dtype, strides_of("to", self._a, memory_format)))
    a = self._a
    if a.dtype.kind == "c" and not dtype.is_complex and dtype.category:
        a = a.real
    if bits == CUDA:
        from ..cuda.memory import arranged

        return wrap(arranged(a, dtype.np, memory_format), bits)
    if dtype in FLOAT8:
        a = within(a, dtype)
    if bits == CPU:
        return wrap(arrange("to", np, a, dtype.np, memory_format), bits)
    return wrap(a.astype(dtype.np), bits)


def resize_(self: Tensor, size: Any, *, memory_format: Any = None) -> Tensor:
    shape = ints("resize_", "size", size)
    if min(shape, default=0) < 0:
        raise RuntimeError(message("resize_", f"requested resize to {list(shape)}, but sizes must not be negative"))
    if self._ag is not None:
        raise RuntimeError(message("resize_", "cannot resize variables that require grad"))
    if self._a.shape == shape:
        return self
    self._a = resized(self, shape)
    bump(self, "resize_")
    return self


def resized(self: Tensor, shape: tuple[int, ...]) -> Any:
    """The memory under another contiguous shape; more memory with the old elements first where it does not suffice."""
    from ..kernels.shape import _room, as_strided
    from ..storage import address, lowest, owner_of
    from ..tensor import contiguous_strides

    a = self._a
    n = int(np.prod(shape, dtype=np.int64))
    if self._ks & META:
        from ..meta import meta_array

        return meta_array(shape, self.dtype)
    if self._ks & CUDA:
        from ..cuda.memory import resized as on_gpu

        return on_gpu(a, shape)
    root = owner_of(a)
    start = address(a) - lowest(root)
    if n and start + n * a.itemsize > _room(root):
        wider = np.empty(n, a.dtype)
        kept = (_room(root) - start) // a.itemsize
        if kept > 0:
            wider[:kept] = as_strided(np, a, (kept,), (1,), start // a.itemsize)
        return wider.reshape(shape)
    return as_strided(np, a, shape, contiguous_strides(shape), start // a.itemsize)


def set__source_Tensor(self: Tensor, source: Tensor) -> Tensor:
    if source._a.dtype != self._a.dtype:
        raise RuntimeError(
            message("set_", f"Could not set tensor of type {source.dtype.name} to a tensor of type {self.dtype.name}")
        )
    if self._twin is not None:
        self.data = source.detach()  # type: ignore[attr-defined]  # graphs that exist keep the memory they saw
    else:
        self._a = source._a
    bump(self, "set_")
    return self
