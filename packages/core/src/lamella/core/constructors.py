"""Torch's old constructors: ``Tensor(2, 3)`` and the classes that are named after types of elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from . import dtypes as dt
from .creation import as_subclass, tensor
from .devices import device as device_type
from .faults import as_ints, kind_of
from .tensor import Tensor, wrap

__all__: list[str] = []


def legacy_constructor(cls: type, *args: Any, **kwargs: Any) -> Any:
    """``Tensor()``, ``Tensor(2, 3)``, ``Tensor([1, 2])``: the default dtype, uninitialised or from data."""
    d = kwargs.pop("dtype", dt._default)
    device = kwargs.pop("device", None)
    if device is not None and device_type(device).type == "cuda":
        rule = "legacy constructor expects device type: cpu but device type: cuda was passed"
        raise RuntimeError(message("Tensor", rule, hint="use torch.empty(size, device=...) or torch.tensor(data, ...)"))
    if kwargs and set(kwargs) != {"data"}:
        raise TypeError(message("Tensor", f"got an unexpected keyword argument '{next(iter(kwargs))}'"))
    args = args or tuple(kwargs.values())
    if len(args) == 1 and not isinstance(args[0], (int, np.integer)):
        data = args[0]
        if not isinstance(data, (Tensor, list, tuple, np.ndarray)) and not hasattr(data, "__len__"):
            raise TypeError(message(cls.__name__, f"new(): data must be a sequence (got {kind_of(data)})"))
        t = data if isinstance(data, Tensor) else tensor(data, dtype=d, device=device)
        if isinstance(data, Tensor):
            t = data.detach()  # type: ignore[attr-defined]
        elif isinstance(data, tuple) and type(data).__name__ == "Size":
            t = wrap(np.empty(tuple(data), d.np))
    else:
        t = wrap(np.empty(_legacy_size(args) if args else 0, d.np))
    if cls is Tensor:
        return t
    return as_subclass(t, cls)


def _legacy_size(args: tuple[Any, ...]) -> tuple[int, ...]:
    size = as_ints("Tensor", "size", args, False)
    for n in size:
        if n < 0:
            raise RuntimeError(message("Tensor", f"Trying to create tensor with negative dimension {n}: {list(size)}"))
    return size


def typed_constructor(name: str, d: dt.dtype) -> Any:
    """An old constructor such as ``FloatTensor``: makes tensors of one type and tests for them with isinstance."""

    class Meta(type):
        def __instancecheck__(cls, x: Any) -> bool:
            return isinstance(x, Tensor) and x.dtype is d and x.is_cpu

    class Typed(metaclass=Meta):
        dtype = d
        is_cuda = False

        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            return legacy_constructor(Tensor, *args, dtype=d, **kwargs)

    Typed.__name__ = Typed.__qualname__ = name
    Typed.__module__ = "torch"
    Typed.__doc__ = f"Tensors of type {d.name}: ``{name}(2, 3)`` (elements not set) or ``{name}([1, 2])``."
    return Typed


TYPED = {
    "FloatTensor": dt.float32,
    "DoubleTensor": dt.float64,
    "HalfTensor": dt.float16,
    "BFloat16Tensor": dt.bfloat16,
    "LongTensor": dt.int64,
    "IntTensor": dt.int32,
    "ShortTensor": dt.int16,
    "CharTensor": dt.int8,
    "ByteTensor": dt.uint8,
    "BoolTensor": dt.bool_,
}
globals().update({n: typed_constructor(n, d) for n, d in TYPED.items()})
__all__ += list(TYPED)
