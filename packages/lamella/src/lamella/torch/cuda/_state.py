"""What the parts of torch.cuda share: CuPy where there is a GPU, and device arguments as numbers."""

from __future__ import annotations

from typing import Any

from lamella.core import cuda as _cuda
from lamella.core.devices import device as _device

_used = False


def gpu(name: str) -> Any:
    """CuPy, for a function that acts on a GPU.

    Args:
        name: the function, for the error.

    Raises:
        RuntimeError: there is no GPU; it says what is missing.
    """
    global _used
    why = _cuda.missing()
    if why:
        raise RuntimeError(
            f"torch.cuda.{name}: there is no GPU that lamella can use\n"
            f"hint: {why}; ask torch.cuda.is_available() first, or use device='cpu'"
        )
    import cupy

    _used = True
    return cupy


def used() -> bool:
    """Whether a GPU has been used."""
    return _used


def index(name: str, device: Any = None) -> int:
    """The number of a device argument's GPU: the current one for None and for devices without a number.

    Args:
        name: the function, for errors.
        device: a number, a device, its text, or None.

    Raises:
        ValueError: the device is no GPU.
        RuntimeError: there is no GPU of that number.
    """
    cupy = gpu(name)
    if device is None:
        return cupy.cuda.runtime.getDevice()
    if isinstance(device, int) and not isinstance(device, bool):
        found: int | None = device
    else:
        d = device if isinstance(device, _device) else _device(device)
        if d.type != "cuda":
            raise ValueError(f"torch.cuda.{name}: Expected a cuda device, but got: {d}")
        found = cupy.cuda.runtime.getDevice() if d.index is None else d.index
    n = _cuda.device_count()
    if not 0 <= found < n:  # type: ignore[operator]
        raise RuntimeError(f"torch.cuda.{name}: invalid device ordinal {found} (there are {n} GPUs)")
    return found  # type: ignore[return-value]


def torch_device(number: int) -> Any:
    """The device of a number."""
    return _device("cuda", number)
