"""torch.accelerator: devices that compute faster than the CPU; there are none."""

from __future__ import annotations

from typing import Any

from ._missing import lookup

__all__ = ["current_accelerator", "device_count", "is_available"]


def is_available() -> bool:
    """Whether there is an accelerator: no.

    Example:
        >>> is_available()
        False
    """
    return False


def device_count() -> int:
    """How many accelerators there are: none."""
    return 0


def current_accelerator(check_available: bool = False) -> Any:
    """The kind of accelerator that the program uses: None."""
    return None


def _action(name: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"torch.accelerator.{name}: Cannot access accelerator device when none is available.")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "An error: there is no accelerator."
    return function


class device_index:  # noqa: N801 - torch's name
    """Another device for a block; an error: there is no accelerator."""

    def __init__(self, device: int | None) -> None:
        _action("device_index")()


_ACTIONS = (
    "current_device_idx current_device_index current_stream empty_cache get_memory_info "
    "max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats "
    "reset_accumulated_memory_stats reset_peak_memory_stats set_device_idx set_device_index set_stream synchronize"
).split()
globals().update({name: _action(name) for name in _ACTIONS})

__getattr__, __dir__ = lookup(__name__)
