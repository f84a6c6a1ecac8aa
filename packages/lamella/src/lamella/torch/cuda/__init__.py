"""torch.cuda: NVIDIA's GPUs, through CuPy.

Without a GPU questions are answered (``is_available()`` is False, memory is 0) and actions are refused with an error
that says what is missing: the driver, CuPy or CUDA's libraries. CuPy is loaded when a GPU is first used.
"""

from __future__ import annotations

from typing import Any

from lamella.core import cuda as _cuda
from lamella.core.cuda.errors import OutOfMemoryError
from lamella.core.random.gpu import default_gpu_generator

from .._missing import lookup
from . import graphs, memory, random, streams
from ._state import gpu as _gpu, index as _index, used as _used
from .graphs import CUDAGraph, graph, graph_pool_handle, is_current_stream_capturing
from .memory import (
    empty_cache,
    get_allocator_backend,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_stats,
    memory_summary,
    reset_accumulated_memory_stats,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
)  # fmt: skip
from .properties import get_arch_list, get_device_capability, get_device_name, get_device_properties
from .random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)  # fmt: skip
from .streams import (
    Event,
    ExternalStream,
    Stream,
    StreamContext,
    current_stream,
    default_stream,
    get_stream_from_external,
    set_stream,
)  # fmt: skip

__all__ = [
    "CUDAGraph", "Event", "ExternalStream", "OutOfMemoryError", "Stream", "StreamContext", "can_device_access_peer",
    "current_device", "current_stream", "default_stream", "device", "device_count", "device_of", "empty_cache",
    "get_allocator_backend", "get_arch_list", "get_device_capability", "get_device_name", "get_device_properties",
    "get_rng_state", "get_rng_state_all", "get_stream_from_external", "graph", "graph_pool_handle", "graphs", "init",
    "initial_seed", "ipc_collect", "is_available", "is_bf16_supported", "is_current_stream_capturing",
    "is_initialized", "is_tf32_supported", "manual_seed", "manual_seed_all", "max_memory_allocated",
    "max_memory_cached", "max_memory_reserved", "mem_get_info", "memory", "memory_allocated", "memory_cached",
    "memory_reserved", "memory_stats", "memory_summary", "random", "reset_accumulated_memory_stats",
    "reset_max_memory_allocated", "reset_max_memory_cached", "reset_peak_memory_stats", "seed", "seed_all",
    "set_device", "set_per_process_memory_fraction", "set_rng_state", "set_rng_state_all", "set_stream", "stream",
    "streams", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether tensors can be put on a GPU: there are a driver, a GPU, CuPy and CUDA's libraries.

    Example:
        >>> is_available() == (device_count() > 0)
        True
    """
    return _cuda.available()


def device_count() -> int:
    """How many GPUs tensors can be put on."""
    return _cuda.device_count()


def is_initialized() -> bool:
    """Whether a GPU has been used."""
    return _used() and is_available()


def init() -> None:
    """Start the GPU backend; the first use does so too.

    Raises:
        RuntimeError: there is no GPU.
    """
    _gpu("init")


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the current GPU computes in bfloat16.

    Args:
        including_emulation: count GPUs that only store it, too.
    """
    return is_available() and (including_emulation or get_device_capability()[0] >= 8)


def is_tf32_supported() -> bool:
    """Whether the current GPU has TF32."""
    return is_available() and get_device_capability()[0] >= 8


def ipc_collect() -> None:
    """Give GPU memory back that other processes no longer use; nothing is shared between processes."""


def current_device() -> int:
    """The number of the current GPU.

    Raises:
        RuntimeError: there is no GPU.
    """
    return _gpu("current_device").cuda.runtime.getDevice()


def set_device(device: Any) -> None:
    """Make a GPU the current one; a negative number means none.

    Args:
        device: a number or a device.

    Raises:
        RuntimeError: there is no such GPU.
    """
    if isinstance(device, int) and device < 0:
        return
    _gpu("set_device").cuda.Device(_index("set_device", device)).use()


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done its work.

    Args:
        device: the GPU (None: the current one).

    Raises:
        RuntimeError: there is no GPU, or its work failed.
    """
    cupy = _gpu("synchronize")
    with cupy.cuda.Device(_index("synchronize", device)):
        cupy.cuda.runtime.deviceSynchronize()


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Whether a GPU can read another one's memory."""
    cupy = _gpu("can_device_access_peer")
    a, b = _index("can_device_access_peer", device), _index("can_device_access_peer", peer_device)
    return bool(cupy.cuda.runtime.deviceCanAccessPeer(a, b))


def stream(stream: Any) -> StreamContext:
    """A block whose work goes to a stream (None: no change).

    Args:
        stream: where the work goes.

    Raises:
        RuntimeError: there is no GPU.
    """
    return StreamContext(stream)


class device:  # noqa: N801 - torch's name
    """A block in which a GPU is the current one (None or a negative number: no change).

    Args:
        device: a number or a device.

    Raises:
        RuntimeError: there is no such GPU.
    """

    def __init__(self, device: Any) -> None:
        none = device is None or isinstance(device, int) and device < 0
        self.idx = -1 if none else _index("device", device)
        self._entered: list[Any] = []

    def __enter__(self) -> None:
        if self.idx >= 0:
            self._entered.append(_gpu("device").cuda.Device(self.idx))
            self._entered[-1].__enter__()

    def __exit__(self, *exc: Any) -> None:
        if self._entered:
            self._entered.pop().__exit__(*exc)


class device_of(device):  # noqa: N801 - torch's name
    """A block in which a tensor's GPU is the current one (a tensor that is on none: no change).

    Args:
        obj: a tensor or a storage.
    """

    def __init__(self, obj: Any) -> None:
        where = obj.device
        super().__init__(where.index if where.type == "cuda" else -1)


_lookup, __dir__ = lookup(__name__, submodules=("amp", "nvtx"))


def __getattr__(name: str) -> Any:
    if name == "default_generators":
        return tuple(default_gpu_generator(i) for i in range(device_count()))
    return _lookup(name)
