"""The block of memory behind a tensor, found from its array, and tensors made from such a block.

NumPy keeps the array that owns the memory at the end of the `.base` chain. That array is the identity of a block: two
tensors share memory exactly if their arrays end in the same owner.
"""

from __future__ import annotations

import pickle
import weakref
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from lamella.dispatch.errors import message

from ..devices import CPU, META, backend_bit, device
from ..dtypes import dtype
from ..storage import owner_of
from ..tensor import CUDA, Tensor, contiguous_strides, wrap


class _Exposed:
    """A range of addresses in the form that NumPy reads, holding on to the owner of the memory."""

    def __init__(self, address: int, nbytes: int, owner: np.ndarray) -> None:
        self.__array_interface__ = {
            "data": (address, not owner.flags.writeable), "shape": (nbytes,), "typestr": "|u1", "version": 3,
        }
        self.base = owner


class Memory:
    """A block of bytes that tensors share: what `save` stores once and `load` restores once.

    It answers to the part of torch's storage interface that `map_location` functions use.

    Attributes:
        owner: the array that keeps the bytes alive.
        device: where tensors made from it will be.
    """

    __slots__ = ("owner", "device", "_size", "_start", "_on_gpu", "__weakref__")

    def __init__(self, owner: np.ndarray | None, where: device = CPU, nbytes: int | None = None) -> None:
        self.owner = owner
        self.device = where
        self._start = 0
        self._on_gpu: Any = None
        if owner is None:
            self._size = nbytes or 0
        elif owner.size == 0:
            self._size = 0
        else:
            low, high = byte_bounds(owner)
            self._start, self._size = low, high - low

    def raw(self) -> np.ndarray:
        """All bytes, as a flat uint8 array over the same memory."""
        owner = self.owner
        if owner is None or self._size == 0:
            return np.zeros(self._size, np.uint8)
        if owner.dtype == np.uint8 and owner.ndim == 1 and owner.flags.c_contiguous:
            return owner
        return np.asarray(_Exposed(self._start, self._size, owner))

    def on_gpu(self) -> Any:
        """The bytes as an array of CuPy's on this block's device, copied there once."""
        if self._on_gpu is None:
            from ..cuda.memory import uploaded

            self._on_gpu = uploaded(self.raw(), self.device.index)
        return self._on_gpu

    def offset_of(self, arr: np.ndarray) -> int:
        """The distance in bytes of an array's first element from the start."""
        return arr.ctypes.data - self._start if arr.size else 0

    def nbytes(self) -> int:
        """The size in bytes."""
        return self._size

    size = nbytes
    __len__ = nbytes

    def data_ptr(self) -> int:
        """The address of the first byte, 0 when there is none."""
        return self._start

    def to(self, where: Any = None, **kwargs: Any) -> Memory:
        """The same bytes for another device; tensors move there when they are made."""
        where = device(kwargs.get("device", where))
        if where == self.device:
            return self
        if where.type == "meta":
            return Memory(None, META, self._size)
        return Memory(self.owner, where, self._size)

    def cpu(self) -> Memory:
        """The same bytes for the CPU."""
        return self.to(CPU)

    def cuda(self, index: int | None = None) -> Memory:
        """The same bytes for an NVIDIA GPU."""
        return self.to(device("cuda", index))

    def __deepcopy__(self, memo: dict[int, Any]) -> Memory:
        return copied(self, memo)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        raw = self.raw()
        return _restored, (pickle.PickleBuffer(raw.data) if protocol >= 5 else raw.tobytes(), str(self.device))


def _restored(data: Any, where: str) -> Memory:
    raw = np.frombuffer(data, np.uint8)
    return Memory(raw if raw.flags.writeable else raw.copy(), device(where))


_handles: weakref.WeakValueDictionary[int, Memory] = weakref.WeakValueDictionary()


def memory_of(arr: np.ndarray, where: device = CPU) -> Memory:
    """The block that holds an array. While one is in use, every array of the same owner gets the same object."""
    owner = owner_of(arr)
    found = _handles.get(id(owner))
    if found is None or found.owner is not owner or found.device != where:
        found = _handles[id(owner)] = Memory(owner, where)
    return found


def copied(memory: Memory, memo: dict[Any, Any]) -> Memory:
    """A copy of a block; the same block is copied once per `copy.deepcopy`, whose memo this keeps the account in."""
    done = memo.setdefault("lamella.memory", {})
    found = done.get(id(memory.owner))
    if found is None:
        copy = None if memory.owner is None else memory.raw().copy()
        found = done[id(memory.owner)] = (Memory(copy, memory.device, memory._size), memory.owner)
    return found[0]


def layout_of(arr: np.ndarray, memory: Memory) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """Offset, size and stride in elements of an array within its block; None when elements do not count them."""
    step = arr.itemsize
    offset = memory.offset_of(arr)
    if arr.size == 0:
        return 0, arr.shape, contiguous_strides(arr.shape)
    if offset % step or any(s < 0 or s % step for s in arr.strides):
        return None
    return offset // step, arr.shape, tuple(s // step for s in arr.strides)


def make_tensor(memory: Memory, element: dtype, offset: int, size: Any, stride: Any) -> Tensor:
    """A tensor over part of a block.

    Args:
        memory: the block; on another device than the CPU's the tensor is moved there.
        element: the element type.
        offset, size, stride: the place in the block, in elements.

    Raises:
        RuntimeError: the elements would lie outside the block.
    """
    shape, steps = tuple(size), tuple(stride)
    itemsize = element.itemsize
    numbers = (offset, *shape, *steps)
    last = offset + sum((n - 1) * s for n, s in zip(shape, steps)) if 0 not in shape else -1
    if len(shape) != len(steps) or any(type(n) is not int or n < 0 for n in numbers):
        raise RuntimeError(message("load", "a tensor has an impossible layout", _layout(offset, shape, steps)))
    if (last + 1) * itemsize > memory.nbytes():
        values = {**_layout(offset, shape, steps), "storage": f"{memory.nbytes()} bytes"}
        raise RuntimeError(message("load", "a tensor reaches beyond its storage", values))
    strides = tuple(s * itemsize for s in steps)
    if memory.device.type == "meta":
        return meta_tensor(element, shape, steps)
    if memory.device.type == "cuda" and last >= 0:
        from ..cuda.memory import within

        return wrap(within(memory.on_gpu(), shape, element.np, offset * itemsize, strides), CUDA)
    if last < 0:
        arr = np.empty(shape, element.np)
    else:
        arr = np.ndarray(shape, element.np, memory.raw(), offset * itemsize, strides)
    if memory.device == CPU:
        return wrap(arr)
    moved: Any = wrap(arr)
    return moved.to(memory.device)


def meta_tensor(element: dtype, size: Any, stride: Any) -> Tensor:
    """A tensor with shape and strides and no data."""
    zero = np.zeros(1, element.np)
    strides = tuple(s * element.itemsize for s in stride)
    arr = np.lib.stride_tricks.as_strided(zero, tuple(size), strides)
    return wrap(arr, backend_bit(META))


def _layout(offset: Any, shape: Any, steps: Any) -> dict[str, Any]:
    return {"size": shape, "stride": steps, "offset": offset}
