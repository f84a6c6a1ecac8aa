"""torch.accelerator: the devices that compute faster than the CPU, whatever their kind: NVIDIA's GPUs."""

from __future__ import annotations

from typing import Any

from lamella.core.devices import device as _device

from . import cuda
from ._missing import lookup

__all__ = ["current_accelerator", "device_count", "is_available"]


def is_available() -> bool:
    """Whether there is an accelerator.

    Example:
        >>> is_available() == (device_count() > 0)
        True
    """
    return cuda.is_available()


def device_count() -> int:
    """How many accelerators there are."""
    return cuda.device_count()


def current_accelerator(check_available: bool = False) -> Any:
    """The kind of accelerator that the program uses: the device ``cuda``, or None where there is no GPU.

    Args:
        check_available: accepted; a kind that is not there is never named.
    """
    return _device("cuda") if cuda.is_available() else None


#: Names here -> names in torch.cuda.
_ACTIONS = {
    "current_device_idx": "current_device", "current_device_index": "current_device", "set_device_idx": "set_device",
    "set_device_index": "set_device", "get_memory_info": "mem_get_info",
    "get_device_capability": "get_device_capability",
    **{
        name: name
        for name in (
            "current_stream", "empty_cache", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
            "memory_reserved", "memory_stats", "reset_accumulated_memory_stats", "reset_peak_memory_stats",
            "set_stream", "synchronize",
        )
    },
}  # fmt: skip


def _action(name: str, known: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        if not cuda.is_available():
            raise RuntimeError(f"torch.accelerator.{name}: Cannot access accelerator device when none is available.")
        return getattr(cuda, known)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`torch.cuda.{known}` of the current accelerator; an error where there is none."
    return function


class device_index:  # noqa: N801 - torch's name
    """Another device for a block (None: no change).

    Args:
        device: its number.

    Raises:
        RuntimeError: there is no accelerator of that number.
    """

    def __init__(self, device: int | None) -> None:
        if not cuda.is_available():
            raise RuntimeError("torch.accelerator.device_index: Cannot access accelerator device when there is none.")
        self._block = cuda.device(device)

    def __enter__(self) -> None:
        self._block.__enter__()

    def __exit__(self, *exc: Any) -> None:
        self._block.__exit__(*exc)


globals().update({name: _action(name, known) for name, known in _ACTIONS.items()})

__getattr__, __dir__ = lookup(__name__)
