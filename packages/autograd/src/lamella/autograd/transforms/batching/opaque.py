"""Arrays that have a shape and a type but may not be read: what batched tensors show in place of their contents."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from lamella.core.meta import zero_page
from lamella.dispatch.errors import message

_HINT = "use operators instead (torch.where in place of if), or compute the value outside vmap"
_ITEM = "vmap: It looks like you're calling .item() on a Tensor, which is not supported: it has a value per example"
_CONTROL = ("vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow, which is not "
            "supported: it has a value per example")
_DATA = "Cannot access data pointer of Tensor that doesn't have storage: it stands for one example of a batch in vmap"


def no_item(op: str = "item") -> RuntimeError:
    """The error for asking a batched tensor for a Python number."""
    return RuntimeError(message(op, _ITEM, hint=_HINT))


def no_control(op: str = "__bool__") -> RuntimeError:
    """The error for branching on a batched tensor."""
    return RuntimeError(message(op, _CONTROL, hint=_HINT))


def no_data(op: str = "data") -> RuntimeError:
    """The error for reaching for a batched tensor's memory."""
    return RuntimeError(message(op, _DATA, hint=_HINT))


class Opaque(np.ndarray):
    """An array over a page of zeros that refuses to be read."""

    __slots__ = ()
    __array_priority__ = 1e6

    def _refuse(self, *_args: Any, **_kwargs: Any) -> Any:
        raise no_data()

    def _refuse_item(self, *_args: Any, **_kwargs: Any) -> Any:
        raise no_item()

    def __bool__(self) -> bool:
        raise no_control()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        raise no_data(ufunc.__name__)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise no_data(func.__name__)

    __getitem__ = __setitem__ = __array__ = __iter__ = __contains__ = _refuse
    tolist = copy = astype = reshape = ravel = flatten = sum = mean = max = min = any = all = _refuse
    tobytes = fill = take = choose = sort = argsort = nonzero = dot = cumsum = prod = __dlpack__ = _refuse
    item = __int__ = __float__ = __complex__ = __index__ = _refuse_item

    def __repr__(self) -> str:
        return f"Opaque(shape={self.shape}, dtype={self.dtype})"

    __str__ = __repr__

    def __reduce__(self) -> Any:
        raise no_data("pickle")


@functools.cache
def _on_gpu(index: int) -> type[Opaque]:
    """Opaque arrays that say of themselves that they are on a GPU."""
    import cupy

    return type("Opaque", (Opaque,), {"__slots__": (), "device": cupy.cuda.Device(index)})


def opaque(a: np.ndarray, dim: int) -> np.ndarray:
    """An opaque array with the shape, type and strides of ``a`` without one dimension."""
    shape, strides = a.shape, a.strides
    shape, strides = shape[:dim] + shape[dim + 1 :], strides[:dim] + strides[dim + 1 :]
    device: Any = a.device
    kind = Opaque if isinstance(device, str) else _on_gpu(int(device))
    try:
        return np.ndarray.__new__(kind, shape, a.dtype, zero_page(), 0, strides)
    except ValueError:  # larger than the page, or backwards in memory
        zeros = np.zeros((), a.dtype)
        return np.lib.stride_tricks.as_strided(zeros, shape, (0,) * len(shape)).view(kind)
