"""Taking tensors apart for pickle and putting them together again.

`reduce_tensor` is what `Tensor.__reduce_ex__` returns; the `_rebuild_*` functions are what it names. Inside `save` a
tensor refers to a stored block, under plain `pickle` to the block's bytes, and under `copy.copy` to the block itself.
Either way one block is written once, however many tensors look at it.
"""

from __future__ import annotations

import copy
import copyreg
import threading
from collections import OrderedDict
from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from ..devices import device
from ..dtypes import dtype
from ..layouts import LAYOUTS
from ..tensor import Tensor, alias, wrap
from .memory import Memory, copied, layout_of, make_tensor, memory_of, meta_tensor
from .names import (
    UNTYPED,
    StorageType,
    load_parameter_class,
    parameter_class,
    register_global,
    storage_type_of,
)


class StorageRef:
    """A block seen as elements of one type: what a file calls a storage."""

    __slots__ = ("memory", "type")

    def __init__(self, memory: Memory, kind: StorageType) -> None:
        self.memory = memory
        self.type = kind

    @property
    def dtype(self) -> dtype:
        """The element type."""
        return self.type.dtype

    def __reduce__(self) -> tuple[Any, ...]:
        return StorageRef, (self.memory, self.type)


class Session(threading.local):
    """What `save` and `load` must know while they pickle: under which type each block was mentioned first, which
    memory of GPUs was copied to the host, and what has to wait for the blocks."""

    types: dict[int, StorageType] | None = None
    hosts: dict[Any, Any] | None = None
    waiting: list[tuple[Any, np.ndarray, np.ndarray]] | None = None

    def downloaded(self, a: Any) -> np.ndarray:
        """An array of a GPU on the host; while a file is written, arrays that share memory there share its copy."""
        from ..cuda.memory import downloaded

        return downloaded(a, {} if self.hosts is None else self.hosts)

    def after_reading(self, function: Any, source: np.ndarray, target: np.ndarray) -> None:
        """Compute elements from a stored block, which the old format reads after the tensors over it are made."""
        if self.waiting is None:
            function(source, out=target)
        else:
            self.waiting.append((function, source, target))

    def ref(self, memory: Memory, element: dtype) -> tuple[StorageRef, bool]:
        """The block as the file will mention it, and whether the element type has to be given besides.

        Readers take a block's type from its first mention, so a second type over the same bytes goes in untyped.
        """
        kind = storage_type_of(element) or UNTYPED
        if self.types is not None:
            first = self.types.setdefault(id(memory.owner), kind)
            kind = kind if first is kind else UNTYPED
        return StorageRef(memory, kind), kind.untyped


session = Session()


# ---------------------------------------------------------------- apart


def _state_of(t: Any) -> Any:
    """What a tensor carries besides its elements: attributes, and slots of subclasses."""
    if type(t).__getstate__ is not object.__getstate__:
        return t.__getstate__()
    # Names that Tensor itself declares are autograd's bookkeeping.
    state = {k: v for k, v in t.__dict__.items() if not (k[:1] == "_" and k in Tensor.__dict__)}
    if type(t) is Tensor:
        return state
    slots = {n: getattr(t, n) for n in _extra_slots(type(t)) if hasattr(t, n)}
    return (state, slots) if slots else state


def _extra_slots(cls: type) -> list[str]:
    basic = set(copyreg._slotnames(Tensor))  # type: ignore[attr-defined]
    return [n for n in copyreg._slotnames(cls) if n not in basic]  # type: ignore[attr-defined]


def _requires_grad(t: Any) -> bool:
    return bool(getattr(t, "requires_grad", False))


def _is_parameter(t: Any) -> bool:
    cls = parameter_class()  # other classes that are marked as parameters keep their type and their mark
    return cls is not None and issubclass(type(t), cls)


def reduce_tensor(t: Any, protocol: Any = 2) -> tuple[Any, ...]:
    """What `Tensor.__reduce_ex__` returns: a function and its arguments that give an equal tensor.

    Args:
        t: a tensor, a parameter or an instance of another subclass.
        protocol: the pickle protocol; not looked at.

    Returns:
        `(function, arguments)`. The gradient and the history are not part of it; whether the tensor requires grad is.
    """
    state = _state_of(t)
    if _is_parameter(t):
        arguments: tuple[Any, ...] = (alias(t), _requires_grad(t), OrderedDict())
        return (_rebuild_parameter_with_state, (*arguments, state)) if state else (_rebuild_parameter, arguments)
    function, parts = _reduce_plain(t)
    if type(t) is Tensor and not state:
        return function, parts
    return _rebuild_from_type_v2, (function, type(t), parts, state)


def _reduce_plain(t: Any) -> tuple[Any, tuple[Any, ...]]:
    if t.is_meta:
        return _rebuild_meta_tensor_no_storage, (t.dtype, tuple(t.shape), tuple(t.stride()), _requires_grad(t))
    arr = session.downloaded(t._a) if t.is_cuda else t._a
    if not isinstance(arr, np.ndarray):
        arr = arr.get()
    memory = memory_of(arr, t.device)
    layout = layout_of(arr, memory)
    if layout is None:
        memory = memory_of(arr := arr.copy(order="C"), t.device)
        layout = layout_of(arr, memory)
    offset, size, stride = layout  # type: ignore[misc]
    ref, explicit = session.ref(memory, t.dtype)
    start: tuple[Any, ...] = (ref, offset, tuple(size), stride, _requires_grad(t), OrderedDict())
    return (_rebuild_tensor_v3, (*start, t.dtype)) if explicit else (_rebuild_tensor_v2, start)


# ---------------------------------------------------------------- together


def _block(storage: Any) -> tuple[Memory, dtype | None]:
    if isinstance(storage, StorageRef):
        return storage.memory, storage.dtype
    if isinstance(storage, Memory):
        return storage, None
    raise TypeError(message("load", "a tensor is made from a storage", [type(storage).__name__]))


def _finish(t: Any, requires_grad: Any, metadata: Any = None) -> Any:
    for bit, function in (("conj", np.conjugate), ("neg", np.negative)):
        if isinstance(metadata, dict) and metadata.get(bit):
            source, t = t._a, wrap(np.empty_like(t._a), t._ks)
            session.after_reading(function, source, t._a)
    if requires_grad is True and hasattr(Tensor, "requires_grad"):  # without autograd there is nothing to record
        t.requires_grad_(True)
    return t


def _rebuild_tensor(storage: Any, storage_offset: Any, size: Any, stride: Any) -> Any:
    memory, element = _block(storage)
    if element is None:
        raise TypeError(message("load", "an untyped storage needs an element type"))
    return make_tensor(memory, element, storage_offset, size, stride)


def _rebuild_tensor_v2(
    storage: Any, storage_offset: Any, size: Any, stride: Any, requires_grad: Any, backward_hooks: Any,
    metadata: Any = None,
) -> Any:
    return _finish(_rebuild_tensor(storage, storage_offset, size, stride), requires_grad, metadata)


def _rebuild_tensor_v3(
    storage: Any, storage_offset: Any, size: Any, stride: Any, requires_grad: Any, backward_hooks: Any, dtype: Any,
    metadata: Any = None,
) -> Any:
    t = make_tensor(_block(storage)[0], _checked(dtype), storage_offset, size, stride)
    return _finish(t, requires_grad, metadata)


def _checked(element: Any) -> dtype:
    if not isinstance(element, dtype):
        raise TypeError(message("load", "an element type is expected", [repr(element)]))
    return element


def _rebuild_parameter(data: Any, requires_grad: Any, backward_hooks: Any) -> Any:
    if not isinstance(data, Tensor):
        raise TypeError(message("load", "a parameter is made from a tensor", [type(data).__name__]))
    cls = load_parameter_class()
    if cls is None:  # lamella-nn is not there: the numbers still are
        return _finish(data, requires_grad)
    return cls(data, requires_grad)


def _rebuild_parameter_with_state(data: Any, requires_grad: Any, backward_hooks: Any, state: Any) -> Any:
    return _set_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _rebuild_meta_tensor_no_storage(dtype: Any, size: Any, stride: Any, requires_grad: Any) -> Any:
    return _finish(meta_tensor(_checked(dtype), size, stride), requires_grad)


def _rebuild_device_tensor_from_cpu_tensor(data: Any, dtype: Any, device_: Any, requires_grad: Any) -> Any:
    return _finish(data.to(device=device(device_), dtype=_checked(dtype)), requires_grad)


def _rebuild_from_type_v2(function: Any, cls: Any, args: Any, state: Any) -> Any:
    made = function(*args)
    if not isinstance(made, Tensor) or not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise TypeError(message("load", "a tensor subclass is made from a tensor", [repr(cls), type(made).__name__]))
    if type(made) is not cls:
        made = as_class(made, cls)
    own = getattr(cls, "__setstate__", None)
    if own is not None and own is not getattr(Tensor, "__setstate__", None):
        own(made, state)
        return made
    return _set_state(made, state)


def as_class(t: Any, cls: type) -> Any:
    """A leaf of another class over the same memory, which requires grad if `t` does."""
    made: Any = object.__new__(cls)
    made._a, made._ks = t._a, t._ks & BACKEND_MASK | cls._class_keys  # type: ignore[attr-defined]
    made._ag = made._vc = made._base = None
    return _finish(made, _requires_grad(t))


def _set_state(t: Any, state: Any) -> Any:
    slots: dict[str, Any] = {}
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state[0], state[1] or {}
    if state:
        t.__dict__.update(state)
    for name in _extra_slots(type(t)):
        if name in slots:
            setattr(t, name, slots[name])
    return t


# ---------------------------------------------------------------- copies


def deepcopy_tensor(t: Any, memo: dict[int, Any]) -> Any:
    """What `Tensor.__deepcopy__` returns.

    Args:
        t: a leaf, of any tensor class.
        memo: `copy.deepcopy`'s memo; tensors that share memory still share it in the copy.

    Returns:
        An equal tensor over new memory, with its gradient and attributes copied too. A parameter is copied alone:
        without its gradient and without sharing, as torch does it.

    Raises:
        RuntimeError: `t` was computed from tensors that require grad.
    """
    if id(t) in memo:
        return memo[id(t)]
    if not getattr(t, "is_leaf", True):
        raise RuntimeError(
            message(
                "deepcopy", "only tensors that the user created (graph leaves) can be copied deeply",
                {"grad_fn": type(t.grad_fn).__name__}, hint="copy x.detach(), or use x.clone() to stay in the graph",
            )
        )
    if _is_parameter(t):
        made = type(t)(wrap(t._a.copy(order="K"), t._ks & BACKEND_MASK), _requires_grad(t))
        memo[id(t)] = made
        return made
    made = _copy_elements(t, memo)
    if type(t) is not Tensor:
        made = as_class(made, type(t))
    if _requires_grad(t):
        made.requires_grad_(True)
    grad = getattr(t, "grad", None)
    if grad is not None:
        made.grad = copy.deepcopy(grad, memo)
    memo[id(t)] = made
    state = _state_of(t)
    return _set_state(made, copy.deepcopy(state, memo)) if state else made


def _copy_elements(t: Any, memo: dict[int, Any]) -> Any:
    if t.is_meta:
        return meta_tensor(t.dtype, tuple(t.shape), tuple(t.stride()))
    memory = memory_of(t._a, t.device) if isinstance(t._a, np.ndarray) else None
    layout = layout_of(t._a, memory) if memory is not None else None
    if t.is_cuda:
        return t.detach().clone()
    if layout is None or memory is None or t.device.type != "cpu":
        return wrap(t._a.copy(), t._ks & BACKEND_MASK)
    return make_tensor(copied(memory, memo), t.dtype, *layout)


def _get_layout(name: str) -> Any:
    found = LAYOUTS.get(str(name).removeprefix("torch."))
    if found is None:
        raise ValueError(message("load", "there is no such layout", [repr(name)]))
    return found


SAFE = (
    _rebuild_tensor, _rebuild_tensor_v2, _rebuild_tensor_v3, _rebuild_parameter, _rebuild_parameter_with_state,
    _rebuild_meta_tensor_no_storage, _rebuild_device_tensor_from_cpu_tensor,
)
for _f in SAFE:
    register_global("torch._utils", _f.__name__, _f)
register_global("torch._tensor", "_rebuild_from_type_v2", _rebuild_from_type_v2)
register_global("torch.serialization", "_get_layout", _get_layout)
