"""What a GPU is and has."""

from __future__ import annotations

from typing import Any

from lamella.core import cuda as _cuda

from ._state import gpu, index

#: torch's name of a property -> CUDA's.
_NAMES = {
    "total_memory": "totalGlobalMem", "multi_processor_count": "multiProcessorCount", "warp_size": "warpSize",
    "max_threads_per_multi_processor": "maxThreadsPerMultiProcessor", "max_threads_per_block": "maxThreadsPerBlock",
    "shared_memory_per_block": "sharedMemPerBlock", "shared_memory_per_block_optin": "sharedMemPerBlockOptin",
    "shared_memory_per_multiprocessor": "sharedMemPerMultiprocessor",
    "regs_per_multiprocessor": "regsPerMultiprocessor", "L2_cache_size": "l2CacheSize", "is_integrated": "integrated",
    "is_multi_gpu_board": "isMultiGpuBoard", "clock_rate": "clockRate", "memory_clock_rate": "memoryClockRate",
    "memory_bus_width": "memoryBusWidth", "pci_bus_id": "pciBusID", "pci_device_id": "pciDeviceID",
    "pci_domain_id": "pciDomainID", "major": "major", "minor": "minor",
}  # fmt: skip
_CODES = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")


class _CudaDeviceProperties:
    """What a GPU has: memory in bytes, numbers of processors and threads, rates in kHz."""

    def __init__(self, found: dict[str, Any]) -> None:
        name = found["name"]
        self.name: str = name.decode() if isinstance(name, bytes) else name
        for ours, theirs in _NAMES.items():
            if theirs in found:
                setattr(self, ours, found[theirs])
        self.gcnArchName = f"sm_{found['major']}{found['minor']}"
        self.uuid = found.get("uuid")

    def __repr__(self) -> str:
        given: Any = self
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={given.major}, minor={given.minor}, "
            f"total_memory={given.total_memory // 2**20}MB, multi_processor_count={given.multi_processor_count})"
        )


def get_device_properties(device: Any = None) -> Any:
    """What a GPU has.

    Args:
        device: the GPU (None: the current one).

    Returns:
        An object with torch's attributes: ``name``, ``total_memory``, ``major``, ``multi_processor_count``, ...

    Raises:
        RuntimeError: there is no such GPU.
    """
    number = index("get_device_properties", device)
    return _CudaDeviceProperties(gpu("get_device_properties").cuda.runtime.getDeviceProperties(number))


def get_device_name(device: Any = None) -> str:
    """The name of a GPU (None: the current one)."""
    index("get_device_name", device)
    return get_device_properties(device).name


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The compute capability of a GPU (None: the current one), as two numbers."""
    index("get_device_capability", device)
    found = get_device_properties(device)
    return found.major, found.minor


def get_arch_list() -> list[str]:
    """The GPU architectures that code can be made for; none without a GPU."""
    return list(_CODES) if _cuda.available() else []
