"""The stand-in's `cupy.cuda`: devices, streams, events, pools and the runtime's questions."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import memory
from .functions import OWN


class Stream:
    """`cupy.cuda.Stream`: work is done at once, so a stream only says which one is current."""

    null: Any
    ptds: Any

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: Any = None
    ) -> None:
        self.ptr = 0 if null else id(self)
        self.device_id = -1 if null else memory.current()
        self.is_non_blocking, self.priority = non_blocking, priority or 0
        self._capturing = False
        self._before: list[Any] = []

    def __enter__(self) -> Stream:
        self._before.append(memory.THREAD.streams.get(memory.current()))
        memory.THREAD.streams[memory.current()] = self
        return self

    def __exit__(self, *exc: Any) -> None:
        memory.THREAD.streams[memory.current()] = self._before.pop()

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Stream) and other.ptr == self.ptr

    def __hash__(self) -> int:
        return hash(self.ptr)

    def use(self) -> Stream:
        memory.THREAD.streams[memory.current()] = self
        return self

    def synchronize(self) -> None:
        pass

    def record(self, event: Any = None) -> Any:
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Any) -> None:
        pass

    done = property(lambda self: True)

    def begin_capture(self, mode: Any = None) -> None:
        raise NotImplementedError("the stand-in for CuPy captures no graphs")

    def is_capturing(self) -> bool:
        return self._capturing


class ExternalStream(Stream):
    """`cupy.cuda.ExternalStream`."""

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        super().__init__()
        self.ptr, self.device_id = ptr, device_id


Stream.null = Stream(null=True)
Stream.ptds = Stream(null=True)


class Event:
    """`cupy.cuda.Event`."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        self.ptr, self._timed, self._at = id(self), not disable_timing, None

    def record(self, stream: Any = None) -> None:
        self._at: Any = time.perf_counter()

    def synchronize(self) -> None:
        pass

    done = property(lambda self: True)


def get_elapsed_time(start_event: Any, end_event: Any) -> float:
    if start_event._at is None or end_event._at is None:
        raise RuntimeError("cudaErrorInvalidResourceHandle: invalid resource handle")
    return (end_event._at - start_event._at) * 1000


def get_current_stream(device_id: int = -1) -> Any:
    return memory.THREAD.streams.get(memory.current() if device_id < 0 else device_id) or Stream.null


class PinnedMemoryPool:
    """`cupy.cuda.PinnedMemoryPool`."""

    def free_all_blocks(self) -> None:
        pass

    def n_free_blocks(self) -> int:
        return 0

    def malloc(self, size: int) -> Any:
        return alloc_pinned_memory(size)


PINNED = PinnedMemoryPool()


class PinnedMemoryPointer:
    """`cupy.cuda.PinnedMemoryPointer`: a buffer of the host."""

    def __init__(self, size: int) -> None:
        self.mem = self._bytes = np.zeros(size, np.uint8)
        self.size = lambda: size
        _pinned.add(self.ptr)

    ptr = property(lambda self: self._bytes.__array_interface__["data"][0])

    def __buffer__(self, flags: int) -> memoryview:  # Python 3.12
        return memoryview(self._bytes)

    @property
    def __array_interface__(self) -> Any:  # Python 3.11 has no __buffer__: np.frombuffer(np.asarray(p)) serves
        return self._bytes.__array_interface__


_pinned: set[int] = set()


def pinned(n: np.ndarray) -> np.ndarray:
    """Remember that an array of the host is pinned."""
    _pinned.add(n.__array_interface__["data"][0])
    return n


def alloc_pinned_memory(size: int) -> PinnedMemoryPointer:
    return PinnedMemoryPointer(size)


def _properties(device: int) -> dict[str, Any]:
    if not 0 <= device < memory.COUNT:
        raise RuntimeError("cudaErrorInvalidDevice: invalid device ordinal")
    return {
        "name": b"Stand-in GPU", "totalGlobalMem": memory.TOTAL, "major": 8, "minor": 0, "multiProcessorCount": 108,
        "warpSize": 32, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiProcessor": 2048, "sharedMemPerBlock": 49152,
        "sharedMemPerBlockOptin": 166912, "sharedMemPerMultiprocessor": 167936, "regsPerMultiprocessor": 65536,
        "regsPerBlock": 65536, "l2CacheSize": 41943040, "integrated": 0, "isMultiGpuBoard": 0, "clockRate": 1410000,
        "memoryClockRate": 1215000, "memoryBusWidth": 5120, "pciBusID": device, "pciDeviceID": 0, "pciDomainID": 0,
        "uuid": b"\0" * 16, "canMapHostMemory": 1, "concurrentKernels": 1, "ECCEnabled": 1,
    }  # fmt: skip


def _peer(device: int, peer: int) -> int:
    return int(device != peer)


def _set_device(device: int) -> None:
    memory.Device(device).use()


_RUNTIME: dict[str, Any] = {
    "getDeviceCount": lambda: memory.COUNT,
    "getDevice": memory.current,
    "setDevice": _set_device,
    "deviceSynchronize": lambda: None,
    "pointerGetAttributes": lambda ptr: SimpleNamespace(type=int(ptr in _pinned)),
    "getDeviceProperties": _properties,
    "memGetInfo": lambda: memory.Device().mem_info,
    "driverGetVersion": lambda: 13000,
    "runtimeGetVersion": lambda: 13000,
    "deviceCanAccessPeer": _peer,
    "deviceEnablePeerAccess": lambda peer: None,
    "CUDARuntimeError": type("CUDARuntimeError", (RuntimeError,), {}),
    "is_hip": False,
}
for _name, _value in _RUNTIME.items():
    OWN["cupy.cuda.runtime", _name] = _value
_CUDA: dict[str, Any] = {
    "Device": memory.Device, "Stream": Stream, "ExternalStream": ExternalStream, "Event": Event,
    "MemoryPool": memory.MemoryPool, "MemoryPointer": memory.MemoryPointer, "PinnedMemoryPool": PinnedMemoryPool,
    "PinnedMemoryPointer": PinnedMemoryPointer, "get_elapsed_time": get_elapsed_time,
    "get_cublas_handle": lambda: 1, "get_current_stream": get_current_stream, "get_device_id": memory.current,
    "is_available": lambda: True,
    "alloc_pinned_memory": alloc_pinned_memory, "set_allocator": memory.set_allocator,
    "using_allocator": memory.using_allocator, "UnownedMemory": memory.UnownedMemory,
    "get_local_runtime_version": lambda: 13000, "get_cuda_path": lambda: "/nowhere",
    "alloc": lambda size: memory.MemoryPointer(memory.taken(size), 0),
}  # fmt: skip
for _name, _value in _CUDA.items():
    OWN["cupy.cuda", _name] = _value
for _name in ("MemoryPool", "MemoryPointer"):
    OWN["cupy.cuda.memory", _name] = _CUDA[_name]
OWN["cupy.cuda.memory", "OutOfMemoryError"] = memory.OutOfMemoryError
