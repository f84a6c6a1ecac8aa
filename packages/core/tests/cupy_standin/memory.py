"""The stand-in's devices and memory: two devices, a pool for each that counts what is in use and what is kept."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

COUNT = 2
TOTAL = 1 << 34
COUNTING = threading.RLock()  # the collector may give memory back in the middle of a count
#: Called before every operation on arrays, and before the host reads one: a stand-in with queues empties them here.
LAUNCHES: list[Callable[[], None]] = []


class PerThread(threading.local):
    """What each thread has of its own, as in CUDA: the devices that it is in, and its current streams."""

    def __init__(self) -> None:
        self.devices = [0]
        self.streams: dict[int, Any] = {}


THREAD = PerThread()


class OutOfMemoryError(MemoryError):
    """`cupy.cuda.memory.OutOfMemoryError`."""


def current() -> int:
    """The index of the current device."""
    return THREAD.devices[-1]


class Device:
    """`cupy.cuda.Device`."""

    def __init__(self, device: Any = None) -> None:
        self.id = current() if device is None else int(device)
        if not 0 <= self.id < COUNT:
            raise RuntimeError("cudaErrorInvalidDevice: invalid device ordinal")

    def __enter__(self) -> Device:
        THREAD.devices.append(self.id)
        return self

    def __exit__(self, *exc: Any) -> None:
        THREAD.devices.pop()

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def use(self) -> None:
        THREAD.devices[-1] = self.id

    def synchronize(self) -> None:
        pass

    compute_capability = property(lambda self: "80")
    attributes = property(lambda self: {"MultiProcessorCount": 108, "WarpSize": 32})
    mem_info = property(lambda self: (TOTAL - POOLS[self.id].total_bytes(), TOTAL))
    pci_bus_id = property(lambda self: f"0000:0{self.id}:00.0")


class Memory:
    """A piece of a pool, given back when nothing refers to it."""

    def __init__(self, pool: MemoryPool, size: int, device: int, buffer: np.ndarray | None = None) -> None:
        self.pool, self.size, self.device, self.device_id = pool, size, device, device
        self._buffer = buffer

    def bytes(self) -> np.ndarray:
        """Its memory."""
        if self._buffer is None:
            self._buffer = np.zeros(self.size, np.uint8)
        return self._buffer

    @property
    def ptr(self) -> int:
        return self.bytes().__array_interface__["data"][0]

    def __del__(self) -> None:
        with COUNTING:
            self.pool._used -= rounded(self.size)


def rounded(size: int) -> int:
    """What a pool hands out: pieces of 512 bytes."""
    return (size + 511) // 512 * 512


class MemoryPool:
    """`cupy.cuda.MemoryPool`."""

    def __init__(self, device: int | None = None) -> None:
        self._device, self._used, self._total, self._limit = device, 0, 0, 0

    def malloc(self, size: int) -> Any:
        return MemoryPointer(self.take(size), 0)

    def take(self, size: int) -> Memory:
        """A piece of the pool; the pool grows where what it keeps does not do."""
        with COUNTING:
            need = self._used + rounded(size)
            if need > self._total:
                if need > (self._limit or TOTAL):
                    self.free_all_blocks()
                    raise OutOfMemoryError(
                        f"Out of memory allocating {rounded(size):,} bytes (allocated so far: {self._used:,} bytes, "
                        f"limit set to: {self._limit or TOTAL:,} bytes)."
                    )
                self._total = need
            self._used = need
        return Memory(self, size, current() if self._device is None else self._device)

    def used_bytes(self) -> int:
        return self._used

    def total_bytes(self) -> int:
        return self._total

    def free_bytes(self) -> int:
        return self._total - self._used

    def n_free_blocks(self) -> int:
        return int(self._total > self._used)

    def free_all_blocks(self, stream: Any = None) -> None:
        self._total = self._used

    def set_limit(self, size: Any = None, fraction: Any = None) -> None:
        self._limit = int(size or 0) if fraction is None else int(fraction * TOTAL)

    def get_limit(self) -> int:
        return self._limit


class UnownedMemory:
    """`cupy.cuda.UnownedMemory`: memory that something else owns and that is kept alive with it."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        self.ptr, self.size, self._owner = ptr, size, owner
        self.device = self.device_id = current() if device_id < 0 else device_id

    def bytes(self) -> np.ndarray:
        """Its memory."""
        owned = getattr(self._owner, "memory", self._owner)
        return owned.bytes()


POOLS = [MemoryPool(i) for i in range(COUNT)]


class DefaultPool:
    """`cupy.get_default_memory_pool()`: the current device's pool behind one name."""

    def __getattr__(self, name: str) -> Any:
        return getattr(POOLS[current()], name)


DEFAULT = DefaultPool()
_allocator: list[Any] = [None]


def taken(size: int) -> Any:
    """Memory for an array of so many bytes."""
    if _allocator[0] is not None:
        return _allocator[0](size).mem
    return POOLS[current()].take(size)


@contextlib.contextmanager
def using_allocator(allocator: Any = None) -> Any:
    """`cupy.cuda.using_allocator`."""
    before = _allocator[0]
    set_allocator(allocator)
    yield
    _allocator[0] = before


def set_allocator(allocator: Any = None) -> None:
    """`cupy.cuda.set_allocator`."""
    pooled = isinstance(getattr(allocator, "__self__", None), DefaultPool)
    _allocator[0] = None if pooled else allocator


class MemoryPointer:
    """`cupy.cuda.MemoryPointer`."""

    def __init__(self, mem: Any, offset: int, ptr: int | None = None, view: Any = None) -> None:
        self.mem, self._view = mem, view
        self.ptr = mem.ptr + offset if ptr is None else ptr

    device_id = property(lambda self: self.mem.device)
    device = property(lambda self: Device(self.mem.device))

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, 0, self.ptr + offset, self._view)

    __radd__ = __add__

    def __sub__(self, offset: int) -> MemoryPointer:
        return self + -offset

    def __int__(self) -> int:
        return self.ptr

    def copy_from_device(self, src: Any, size: int) -> None:
        ctypes.memmove(self.ptr, src.ptr, size)

    def copy_from_device_async(self, src: Any, size: int, stream: Any = None) -> None:
        ctypes.memmove(self.ptr, src.ptr, size)

    copy_from, copy_from_async = copy_from_device, copy_from_device_async

    def copy_from_host(self, mem: Any, size: int) -> None:
        ctypes.memmove(self.ptr, mem, size)

    def copy_from_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        ctypes.memmove(self.ptr, mem, size)

    def copy_to_host(self, mem: Any, size: int) -> None:
        ctypes.memmove(mem, self.ptr, size)

    def copy_to_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        ctypes.memmove(mem, self.ptr, size)

    def memset(self, value: int, size: int) -> None:
        ctypes.memset(self.ptr, value, size)

    def memset_async(self, value: int, size: int, stream: Any = None) -> None:
        ctypes.memset(self.ptr, value, size)
