"""Memory of GPUs: CuPy's pools, with what is in use counted, and with torch's error where there is none left.

CuPy's own pools say what they hold, but not how much was in use at most. Every piece handed out here counts itself in
and out, on whatever thread that happens.
"""

from __future__ import annotations

import gc
import threading
from typing import Any

import cupy

from lamella.dispatch.errors import message

from .errors import OutOfMemoryError

_BLOCK = 512  # bytes; pools hand out multiples of it


class Meter:
    """What is in use on one GPU, and what was."""

    __slots__ = ("current", "peak", "count", "made", "retries", "failures", "reserved_peak")

    def __init__(self) -> None:
        self.current = self.peak = self.count = self.made = self.retries = self.failures = self.reserved_peak = 0


_meters: dict[int, Meter] = {}
_lock = threading.RLock()  # the collector may give a piece back in the middle of a count


def meter(device: int) -> Meter:
    """The counts of a GPU."""
    found = _meters.get(device)
    if found is None:
        with _lock:
            found = _meters.setdefault(device, Meter())
    return found


class Piece:
    """A piece of a pool; it is given back, and counted out, when nothing refers to it."""

    __slots__ = ("memory", "size", "counts", "streams")

    def __init__(self, memory: Any, size: int, counts: Meter) -> None:
        self.memory, self.size, self.counts = memory, size, counts
        #: Streams beside the one it was made on that work with it.
        self.streams: list[Any] = []
        with _lock:
            counts.made += 1
            counts.count += 1
            counts.current += size
            if counts.current > counts.peak:
                counts.peak = counts.current

    def __del__(self) -> None:
        with _lock:
            self.counts.current -= self.size
            self.counts.count -= 1
        if self.streams:
            _waiting.append(([stream.record() for stream in self.streams], self.memory))


#: Memory that nobody refers to, but that other streams may still work with: (marks in those streams, memory).
_waiting: list[tuple[list[Any], Any]] = []


def used_on(a: Any, stream: Any) -> None:
    """Memory is not handed out again before a stream has done what it was given so far when nobody refers to it.

    Args:
        a: an array of a GPU.
        stream: a stream of CuPy's.
    """
    piece = getattr(a.data.mem, "_owner", None)
    if isinstance(piece, Piece) and stream not in piece.streams:
        piece.streams.append(stream)


def allocate(size: int) -> Any:
    """Memory of the current GPU, for CuPy's arrays.

    Args:
        size: in bytes.

    Raises:
        OutOfMemoryError: there is not so much, also after unused memory was given back.
    """
    if _waiting:
        _waiting[:] = [each for each in _waiting if not all(mark.done for mark in each[0])]
    device = cupy.cuda.runtime.getDevice()
    counts = meter(device)
    pool = cupy.get_default_memory_pool()
    try:
        got = pool.malloc(size)
    except cupy.cuda.memory.OutOfMemoryError:
        counts.retries += 1
        gc.collect()
        pool.free_all_blocks()
        try:
            got = pool.malloc(size)
        except cupy.cuda.memory.OutOfMemoryError:
            counts.failures += 1
            raise _out_of_memory(size, device, counts, pool) from None
    piece = Piece(got.mem, (size + _BLOCK - 1) // _BLOCK * _BLOCK, counts)
    return cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(got.ptr, size, piece, device), 0)


def _out_of_memory(size: int, device: int, counts: Meter, pool: Any) -> OutOfMemoryError:
    free, total = cupy.cuda.runtime.memGetInfo()
    return OutOfMemoryError(
        message(
            "cuda",
            f"CUDA out of memory. Tried to allocate {shown(size)}. GPU {device} has a total capacity of {shown(total)} "
            f"of which {shown(free)} is free. Of the allocated memory {shown(counts.current)} is in tensors and "
            f"{shown(max(pool.total_bytes() - counts.current, 0))} is reserved but unallocated",
            hint="use smaller batches, or free tensors that are no longer needed",
        )
    )


def shown(size: float) -> str:
    """Bytes as people read them.

    Example:
        >>> shown(2**20 * 3)
        '3.00 MiB'
    """
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.2f} {unit}" if unit != "bytes" else f"{size} bytes"
        size /= 1024
    return f"{size:.2f} GiB"


def install() -> None:
    """Give CuPy's arrays their memory through `allocate`."""
    cupy.cuda.set_allocator(allocate)
