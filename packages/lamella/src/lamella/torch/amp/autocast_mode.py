"""autocast: blocks in which operators may compute in lower precision."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from lamella import torch
from lamella.dispatch.state import state

from . import rules

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

_said: set[str] = set()


def is_autocast_available(device_type: str) -> bool:
    """Whether a device type has lower-precision kernels that ``autocast`` would choose: GPUs have."""
    return device_type == "cuda" and torch.cuda.is_available()


class autocast:
    """A block (or a decorated function) in which operators may compute in lower precision.

    On GPUs products (``matmul``, ``linear``, convolutions, attention, recurrent layers) compute in the lower precision,
    and operators whose results leave its range (``exp``, norms, softmax, losses, sums) in float32; other operators take
    what they get. On the CPU all is computed in the precision of its inputs, which is at least as exact, and a warning
    says so once. As in torch, ``"cuda"`` without a GPU is disabled with a warning.

    Args:
        device_type: ``"cpu"``, ``"cuda"`` or another device type.
        dtype: the lower precision (None: the device's usual one).
        enabled: False makes the block do nothing.
        cache_enabled: keep the casts of weights until the outermost block ends.

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
        self._enabled = enabled and is_autocast_available(device_type)
        if self._enabled and self.fast_dtype not in (torch.float16, torch.bfloat16):
            text = "autocast: the lower precision is float16 or bfloat16, so the block is disabled"
            warnings.warn(text, stacklevel=3)
            self._enabled = False
        elif enabled and not self._enabled and device_type not in _said:
            _said.add(device_type)
            if device_type == "cuda":
                warnings.warn("autocast: device_type is 'cuda' and there is no GPU, so it is disabled", stacklevel=3)
            else:
                warnings.warn(f"autocast: lamella has no lower-precision kernels for {device_type!r} yet, so the block "
                              "computes in the precision of its inputs", stacklevel=3)
        self._cache_enabled = cache_enabled is None or bool(cache_enabled)
        self._before: list[Any] = []

    def __enter__(self) -> autocast:
        if self.device != "cuda":
            return self
        if self._enabled:
            rules.install()
        here = rules.current
        thread = state.thread
        self._before.append((here.dtype, here.keep, thread.include & rules.AUTOCAST))
        here.dtype, here.keep = (self.fast_dtype if self._enabled else None), self._cache_enabled
        here.depth += 1
        include = thread.include & ~rules.AUTOCAST | (rules.AUTOCAST if self._enabled else 0)
        if include != thread.include:
            state.set_masks(include, thread.exclude)
        return self

    def __exit__(self, *exc: Any) -> None:
        if not self._before:
            return
        here, thread = rules.current, state.thread
        here.dtype, here.keep, included = self._before.pop()
        here.depth -= 1
        if not here.depth:
            here.kept.clear()
        include = thread.include & ~rules.AUTOCAST | included
        if include != thread.include:
            state.set_masks(include, thread.exclude)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def inside(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return inside


def custom_fwd(fwd: Any = None, *, device_type: str = "cuda", cast_inputs: Any = None) -> Any:
    """Make the forward of a ``Function`` aware of autocast.

    Args:
        fwd: ``forward(ctx, *args)``.
        device_type: the device whose blocks count.
        cast_inputs: within a block, cast floating tensors of the device to this type and compute outside of autocast.
    """
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(*args: Any, **kwargs: Any) -> Any:
        on = is_autocast_enabled(device_type)
        args[0]._fwd_used_autocast, args[0]._dtype = on and cast_inputs is None, get_autocast_dtype(device_type)
        if not on or cast_inputs is None:
            return fwd(*args, **kwargs)
        given = [rules.cast(a, cast_inputs) for a in args]
        named = {k: rules.cast(v, cast_inputs) for k, v in kwargs.items()}
        with autocast(device_type, enabled=False):
            return fwd(*given, **named)

    return forward


def custom_bwd(bwd: Any = None, *, device_type: str = "cuda") -> Any:
    """Make the backward of a ``Function`` compute as its forward did (see `custom_fwd`)."""
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(*args: Any, **kwargs: Any) -> Any:
        ctx = args[0]
        on = getattr(ctx, "_fwd_used_autocast", False)
        with autocast(device_type, enabled=on, dtype=getattr(ctx, "_dtype", None)):
            return bwd(*args, **kwargs)

    return backward


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether operators on a device type compute in lower precision now."""
    return device_type == "cuda" and rules.current.dtype is not None


def is_autocast_cpu_enabled() -> bool:
    """Whether operators on the CPU compute in lower precision now."""
    return False


def get_autocast_dtype(device_type: str) -> Any:
    """The lower precision of a device type: that of the block around the call, or the usual one."""
    if device_type == "cuda":
        return rules.current.dtype or torch.float16
    return torch.bfloat16


def get_autocast_gpu_dtype() -> Any:
    """The lower precision of GPUs."""
    return get_autocast_dtype("cuda")


def get_autocast_cpu_dtype() -> Any:
    """The lower precision of the CPU."""
    return torch.bfloat16


def is_autocast_cache_enabled() -> bool:
    """Whether casts of weights are kept."""
    return rules.current.keep


def clear_autocast_cache() -> None:
    """Forget the casts of weights that are kept."""
    rules.current.kept.clear()
