"""torch.cuda on a machine where lamella has no GPU backend: questions are answered, actions on a GPU are refused."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, NoReturn

from .._missing import lookup

__all__ = ["current_device", "device_count", "empty_cache", "is_available", "is_bf16_supported", "is_initialized",
           "manual_seed", "manual_seed_all", "synchronize"]


def is_available() -> bool:
    """Whether tensors can be put on a GPU."""
    return False


def device_count() -> int:
    """How many GPUs tensors can be put on."""
    return 0


def is_initialized() -> bool:
    """Whether a GPU has been used."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the GPU computes in bfloat16."""
    return False


def manual_seed(seed: int) -> None:
    """Seed the current GPU's generator; without one, nothing happens."""


def manual_seed_all(seed: int) -> None:
    """Seed the generators of all GPUs; without one, nothing happens."""


def seed() -> None:
    """Seed the current GPU's generator from the system; without one, nothing happens."""


def seed_all() -> None:
    """Seed the generators of all GPUs from the system; without one, nothing happens."""


def get_rng_state_all() -> list[Any]:
    """The states of the generators of all GPUs."""
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Set the states of the generators of all GPUs."""
    for _ in new_states:
        _refuse("set_rng_state_all")


def empty_cache() -> None:
    """Give unused GPU memory back; without a GPU, nothing happens."""


def ipc_collect() -> None:
    """Give shared GPU memory back; without a GPU, nothing happens."""


def memory_allocated(device: Any = None) -> int:
    """Bytes of GPU memory in use."""
    return 0


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes of GPU memory that were in use at a time."""
    return 0


def memory_reserved(device: Any = None) -> int:
    """Bytes of GPU memory that are held."""
    return 0


def max_memory_reserved(device: Any = None) -> int:
    """The most bytes of GPU memory that were held at a time."""
    return 0


def memory_stats(device: Any = None) -> dict[str, Any]:
    """Numbers about GPU memory; none without a GPU."""
    return {}


def reset_peak_memory_stats(device: Any = None) -> None:
    """Start the peaks of GPU memory anew; without a GPU, nothing happens."""


def get_arch_list() -> list[str]:
    """The GPU architectures that code can be made for."""
    return []


def _refuse(name: str) -> NoReturn:
    raise RuntimeError(f"torch.cuda.{name}: there is no GPU that lamella can use\n"
                       "hint: ask torch.cuda.is_available() first, or use device='cpu'")


def current_device() -> int:
    """The index of the current GPU."""
    _refuse("current_device")


def set_device(device: Any) -> None:
    """Make a GPU the current one; a negative index means none."""
    if not (isinstance(device, int) and device < 0):
        _refuse("set_device")


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done its work."""
    _refuse("synchronize")


def init() -> None:
    """Start the GPU backend."""
    _refuse("init")


def get_device_name(device: Any = None) -> str:
    """The name of a GPU."""
    _refuse("get_device_name")


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The compute capability of a GPU."""
    _refuse("get_device_capability")


def get_device_properties(device: Any = None) -> Any:
    """What a GPU has."""
    _refuse("get_device_properties")


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total bytes of a GPU's memory."""
    _refuse("mem_get_info")


def current_stream(device: Any = None) -> Any:
    """The stream that work goes to."""
    _refuse("current_stream")


def default_stream(device: Any = None) -> Any:
    """The stream that work goes to at first."""
    _refuse("default_stream")


def get_rng_state(device: Any = "cuda") -> Any:
    """The state of a GPU's generator."""
    _refuse("get_rng_state")


def set_rng_state(new_state: Any, device: Any = "cuda") -> None:
    """Set the state of a GPU's generator."""
    _refuse("set_rng_state")


class Stream:
    """A queue of GPU work."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse("Stream")


class Event:
    """A mark in a queue of GPU work."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse("Event")


class CUDAGraph:
    """A recording of GPU work."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse("CUDAGraph")


class OutOfMemoryError(RuntimeError):
    """GPU memory ran out."""


@contextmanager
def stream(stream: Any) -> Any:
    """Send the work of a block to a stream (None: no change)."""
    if stream is not None:
        _refuse("stream")
    yield


class device:
    """Make a GPU the current one for a block (None or a negative index: no change)."""

    def __init__(self, device: Any) -> None:
        self.idx = -1 if device is None else device

    def __enter__(self) -> None:
        set_device(self.idx)

    def __exit__(self, *exc: Any) -> None:
        pass


__getattr__, __dir__ = lookup(__name__, submodules=("amp",))
