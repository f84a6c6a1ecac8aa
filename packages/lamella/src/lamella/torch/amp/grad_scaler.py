"""GradScaler: losses scaled up so that gradients in lower precision do not vanish."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from lamella import torch

__all__ = ["GradScaler"]


class GradScaler:
    """Scales a loss, unscales the gradients before the step, and leaves out steps whose gradients are not finite.

    Args:
        device: the device type of the tensors; ``"cuda"`` without a GPU disables it with a warning, as in torch.
        init_scale: the scale at first.
        growth_factor: the scale is multiplied with it after ``growth_interval`` good steps.
        backoff_factor: the scale is multiplied with it after a bad step.
        growth_interval: see above.
        enabled: False makes all methods pass things through.

    Raises:
        ValueError: for factors on the wrong side of 1.
        RuntimeError: for calls in the wrong order.

    Example:
        >>> scaler = GradScaler("cpu", init_scale=4.0)
        >>> scaler.get_scale()
        4.0
    """

    def __init__(self, device: str = "cuda", init_scale: float = 2.0**16, growth_factor: float = 2.0,
                 backoff_factor: float = 0.5, growth_interval: int = 2000, enabled: bool = True) -> None:
        if enabled and device == "cuda" and not torch.cuda.is_available():
            warnings.warn("GradScaler: device is 'cuda' and there is no GPU, so it is disabled", stacklevel=2)
            enabled = False
        if enabled and not growth_factor > 1:
            raise ValueError(f"GradScaler: growth_factor must be greater than 1 (growth_factor={growth_factor})")
        if enabled and not backoff_factor < 1:
            raise ValueError(f"GradScaler: backoff_factor must be less than 1 (backoff_factor={backoff_factor})")
        self._enabled = enabled
        self._device = device
        self._scale = float(init_scale)
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        self._found: dict[int, bool] = {}  # id of an optimizer whose gradients are unscaled -> something not finite
        self._stepped: set[int] = set()

    def scale(self, outputs: Any) -> Any:
        """The outputs (a tensor or nested iterables of them) times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, torch.Tensor):
            tensor: Any = outputs
            return tensor * self._scale
        if isinstance(outputs, Iterable):
            scaled = [self.scale(x) for x in outputs]
            return tuple(scaled) if isinstance(outputs, tuple) else scaled
        raise ValueError(f"GradScaler.scale: outputs must be tensors or lists of them, not {type(outputs).__name__}")

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, in place."""
        if not self._enabled:
            return
        if id(optimizer) in self._stepped:
            raise RuntimeError("GradScaler.unscale_: it must come before step()")
        if id(optimizer) in self._found:
            raise RuntimeError("GradScaler.unscale_: the gradients are unscaled already since the last update()")
        bad = False
        on_gpus: dict[Any, list[Any]] = {}
        with torch.no_grad():
            for group in optimizer.param_groups:
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    p.grad.mul_(1.0 / self._scale)
                    if p.grad.is_cuda:
                        on_gpus.setdefault(p.grad.device, []).append(torch.isfinite(p.grad).all())
                    else:
                        bad = bad or not bool(torch.isfinite(p.grad).all())
            for flags in on_gpus.values():  # the host waits for each GPU once
                bad = bad or not bool(torch.stack(flags).all())
        self._found[id(optimizer)] = bad

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """``optimizer.step(*args, **kwargs)``, unless a gradient is not finite; what the step returns, or None."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("GradScaler.step: a closure is not supported")
        if id(optimizer) in self._stepped:
            raise RuntimeError("GradScaler.step: it was called already since the last update()")
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        self._stepped.add(id(optimizer))
        if self._found[id(optimizer)]:
            # A scheduler that steps now is in the right order all the same.
            optimizer._opt_called = True
            return None
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale: Any = None) -> None:
        """Change the scale after a step: down after a bad one, up after enough good ones, or to a given value."""
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        elif not self._found:
            raise RuntimeError("GradScaler.update: there was no step() or unscale_() since the last update()")
        elif any(self._found.values()):
            self._scale *= self._backoff_factor
            self._growth_tracker = 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:
                self._scale *= self._growth_factor
                self._growth_tracker = 0
        self._found.clear()
        self._stepped.clear()

    def get_scale(self) -> float:
        """The scale; 1 when disabled."""
        return self._scale if self._enabled else 1.0

    def is_enabled(self) -> bool:
        """Whether the scaler does anything."""
        return self._enabled

    def get_growth_factor(self) -> float:
        """What a growing scale is multiplied with."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set what a growing scale is multiplied with."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What a shrinking scale is multiplied with."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set what a shrinking scale is multiplied with."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """How many good steps let the scale grow."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set how many good steps let the scale grow."""
        self._growth_interval = new_interval

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint needs; empty when disabled."""
        if not self._enabled:
            return {}
        return {"scale": self._scale, "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._growth_tracker}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take the state from a checkpoint."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("GradScaler.load_state_dict: the state is empty: it was saved by a disabled scaler")
        self._scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = state_dict["_growth_tracker"]
