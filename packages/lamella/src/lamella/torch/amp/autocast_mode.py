"""autocast: blocks in which operators may compute in lower precision."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from lamella import torch

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

_said: set[str] = set()


def is_autocast_available(device_type: str) -> bool:
    """Whether a device type has lower-precision kernels that ``autocast`` would choose; none has yet."""
    return False


class autocast:
    """A block (or a decorated function) in which operators may compute in lower precision.

    lamella has no lower-precision kernels to choose from yet: on the CPU all is computed in the precision of its
    inputs, which is at least as exact, and a warning says so once. As in torch, ``"cuda"`` without a GPU is disabled
    with a warning.

    Args:
        device_type: ``"cpu"``, ``"cuda"`` or another device type.
        dtype: the lower precision (None: the device's usual one).
        enabled: False makes the block do nothing.
        cache_enabled: accepted; nothing is cast.

    Raises:
        ValueError: if ``device_type`` is not a string.

    Example:
        >>> with autocast("cpu", enabled=False) as mode:
        ...     mode.device
        'cpu'
    """

    def __init__(self, device_type: str, dtype: Any = None, enabled: bool = True,
                 cache_enabled: bool | None = None) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"autocast: device_type must be a str (got {type(device_type).__name__})")
        self.device = device_type
        self.fast_dtype = dtype or (torch.float16 if device_type == "cuda" else torch.bfloat16)
        if enabled and device_type not in _said:
            _said.add(device_type)
            if device_type == "cuda":
                warnings.warn("autocast: device_type is 'cuda' and there is no GPU, so it is disabled", stacklevel=3)
            else:
                warnings.warn(f"autocast: lamella has no lower-precision kernels for {device_type!r} yet, so the block "
                              "computes in the precision of its inputs", stacklevel=3)
        self._enabled = False
        self._cache_enabled = bool(cache_enabled)

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *exc: Any) -> None:
        pass

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def inside(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return inside


def custom_fwd(fwd: Any = None, *, device_type: str = "cuda", cast_inputs: Any = None) -> Any:
    """Mark the forward of a ``Function`` as aware of autocast; nothing is cast here, so it is returned as it is."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
    return fwd


def custom_bwd(bwd: Any = None, *, device_type: str = "cuda") -> Any:
    """Mark the backward of a ``Function`` as aware of autocast; nothing is cast here, so it is returned as it is."""
    return functools.partial(custom_bwd, device_type=device_type) if bwd is None else bwd


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether operators on a device type compute in lower precision now."""
    return False


def is_autocast_cpu_enabled() -> bool:
    """Whether operators on the CPU compute in lower precision now."""
    return False


def get_autocast_dtype(device_type: str) -> Any:
    """The lower precision of a device type."""
    return torch.float16 if device_type == "cuda" else torch.bfloat16


def get_autocast_gpu_dtype() -> Any:
    """The lower precision of GPUs."""
    return torch.float16


def get_autocast_cpu_dtype() -> Any:
    """The lower precision of the CPU."""
    return torch.bfloat16


def is_autocast_cache_enabled() -> bool:
    """Whether casts of weights are kept; nothing is cast here."""
    return True


def clear_autocast_cache() -> None:
    """Forget the casts of weights that are kept; there are none."""
