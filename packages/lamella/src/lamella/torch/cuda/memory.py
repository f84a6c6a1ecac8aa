"""torch.cuda.memory: how much memory of GPUs is in use, and what is kept of it."""

from __future__ import annotations

from typing import Any

from lamella.core import cuda as _cuda

from .._missing import lookup
from ._state import gpu, index, used

__all__ = ["empty_cache", "max_memory_allocated", "max_memory_reserved", "mem_get_info", "memory_allocated",
           "memory_reserved", "memory_stats", "memory_summary", "reset_peak_memory_stats",
           "set_per_process_memory_fraction"]


def _meter(name: str, device: Any) -> Any:
    """The counts of a GPU; None where no GPU has been used."""
    if not _cuda.available():
        return None
    gpu(name)
    from lamella.core.cuda.allocator import meter

    return meter(index(name, device))


def _reserved(name: str, device: Any) -> int:
    cupy = gpu(name)
    with cupy.cuda.Device(index(name, device)):
        return cupy.get_default_memory_pool().total_bytes()


def empty_cache() -> None:
    """Give unused GPU memory back to the driver; without a GPU, nothing happens."""
    if _cuda.available() and used():
        cupy = gpu("empty_cache")
        for number in range(_cuda.device_count()):
            with cupy.cuda.Device(number):
                cupy.get_default_memory_pool().free_all_blocks()
        cupy.get_default_pinned_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """Bytes of a GPU's memory that tensors use."""
    found = _meter("memory_allocated", device)
    return 0 if found is None else found.current


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes of a GPU's memory that tensors used at a time."""
    found = _meter("max_memory_allocated", device)
    return 0 if found is None else found.peak


def memory_reserved(device: Any = None) -> int:
    """Bytes of a GPU's memory that this program holds, in use or kept for later."""
    return _reserved("memory_reserved", device) if _cuda.available() else 0


def max_memory_reserved(device: Any = None) -> int:
    """The most bytes of a GPU's memory that this program was seen to hold at a time, by calls that look."""
    found = _meter("max_memory_reserved", device)
    if found is None:
        return 0
    found.reserved_peak = max(found.reserved_peak, found.peak, _reserved("max_memory_reserved", device))
    return found.reserved_peak


def reset_peak_memory_stats(device: Any = None) -> None:
    """Start the peaks of a GPU's memory anew; without a GPU, nothing happens."""
    found = _meter("reset_peak_memory_stats", device)
    if found is not None:
        found.peak, found.reserved_peak = found.current, 0


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Start the counts of a GPU's allocations anew; without a GPU, nothing happens."""
    found = _meter("reset_accumulated_memory_stats", device)
    if found is not None:
        found.made = found.retries = found.failures = 0


def memory_stats(device: Any = None) -> dict[str, Any]:
    """Numbers about a GPU's memory, under torch's names; none without a GPU.

    Args:
        device: the GPU (None: the current one).

    Returns:
        Bytes and counts: ``allocated_bytes.all.current``, ``allocated_bytes.all.peak``, ...
    """
    found = _meter("memory_stats", device)
    if found is None:
        return {}
    peak = max_memory_reserved(device)
    return {
        "allocated_bytes.all.current": found.current, "allocated_bytes.all.peak": found.peak,
        "allocation.all.allocated": found.made, "allocation.all.current": found.count,
        "allocation.all.freed": found.made - found.count, "num_alloc_retries": found.retries,
        "num_ooms": found.failures, "reserved_bytes.all.current": _reserved("memory_stats", device),
        "reserved_bytes.all.peak": peak,
    }  # fmt: skip


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The numbers of `memory_stats` as a table.

    Args:
        device: the GPU (None: the current one).
        abbreviated: accepted; the table is short.
    """
    stats = memory_stats(device)
    if not stats:
        return "no GPU, no memory of a GPU"
    from lamella.core.cuda.allocator import shown

    width = max(map(len, stats))
    lines = [f"memory of cuda:{index('memory_summary', device)}"]
    for name, value in stats.items():
        lines.append(f"  {name:<{width}}  {shown(value) if 'bytes' in name else value}")
    return "\n".join(lines)


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total bytes of a GPU's memory.

    Args:
        device: the GPU (None: the current one).

    Raises:
        RuntimeError: there is no GPU.
    """
    cupy = gpu("mem_get_info")
    with cupy.cuda.Device(index("mem_get_info", device)):
        return tuple(cupy.cuda.runtime.memGetInfo())


def set_per_process_memory_fraction(fraction: float, device: Any = None) -> None:
    """Hold no more than a part of a GPU's memory.

    Args:
        fraction: the part, from 0 to 1.
        device: the GPU (None: the current one).

    Raises:
        ValueError: the fraction lies outside [0, 1].
        RuntimeError: there is no GPU.
    """
    if not 0 <= fraction <= 1:
        raise ValueError(f"torch.cuda.set_per_process_memory_fraction: invalid fraction {fraction}, allowed range: 0~1")
    cupy = gpu("set_per_process_memory_fraction")
    with cupy.cuda.Device(index("set_per_process_memory_fraction", device)):
        cupy.get_default_memory_pool().set_limit(fraction=fraction)


def get_allocator_backend() -> str:
    """What hands out the memory: CuPy's pool, which caches as torch's native allocator does."""
    return "native"


memory_cached, max_memory_cached = memory_reserved, max_memory_reserved
reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats

__getattr__, __dir__ = lookup(__name__)
