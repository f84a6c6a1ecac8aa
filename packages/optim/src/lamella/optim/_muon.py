"""Muon."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.autograd.grad_mode import enable_grad, no_grad
from lamella.core.tensor import Tensor

from .grouped import number
from .optimizer import Optimizer, ParamsT

__all__ = ["Muon"]


class Muon(Optimizer):
    """Muon: momentum whose matrix is made nearly orthogonal before the step. For the 2-D weights of hidden layers.

    Source: Jordan et al., "Muon: An optimizer for hidden layers in neural networks", 2024. The orthogonalisation runs
    in bfloat16, as there.

    Args:
        params: 2-D tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate.
        weight_decay: how fast parameters shrink.
        momentum: share of the buffer that is kept.
        nesterov: look ahead along the buffer.
        ns_coefficients: the polynomial of the Newton-Schulz iteration.
        eps: the least norm a matrix is divided by.
        ns_steps: iterations.
        adjust_lr_fn: how the rate depends on the shape: "original" (also where None) or "match_rms_adamw".

    Raises:
        ValueError: a parameter that is not 2-D, or an option out of its range.
        RuntimeError: a complex parameter.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError(f"Muon: Tensor lr must be 1-element (got {lr.numel()})")
        for name, value in (("Learning rate", number(lr)), ("momentum", momentum), ("weight decay", weight_decay)):
            if not value >= 0.0:
                raise ValueError(f"Muon: {name} should be >= 0 but is: {value}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(
                f"Muon: Adjust learning rate function {adjust_lr_fn} is not supported\n"
                "hint: 'original' or 'match_rms_adamw'"
            )
        if not 0 <= ns_steps < 100 or len(ns_coefficients) != 3:
            raise ValueError(
                f"Muon: needs fewer than 100 ns_steps and 3 ns_coefficients (got {ns_steps}, {len(ns_coefficients)})"
            )
        defaults = {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                if p.ndim != 2:
                    raise ValueError(
                        f"Muon: Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}"
                    )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns what ``closure`` returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._update(p, group)
        return loss

    def _update(self, p: Any, group: dict[str, Any]) -> None:
        if p.is_complex():
            raise RuntimeError("Muon: Muon does not support complex parameters")
        state, g = self.state[p], p.grad
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = core.zeros_like(g)
        buffer, momentum = state["momentum_buffer"], group["momentum"]
        buffer.mul_(momentum).add_(g, alpha=1 - momentum)
        move = g * (1 - momentum) + buffer * momentum if group["nesterov"] else buffer
        move = orthogonal(move, group["ns_coefficients"], group["ns_steps"], group["eps"])
        lr = number(group["lr"])
        p.mul_(1 - lr * group["weight_decay"])
        p.add_(move, alpha=-lr * shape_factor(group["adjust_lr_fn"], p.shape))


def shape_factor(name: str | None, shape: tuple[int, ...]) -> float:
    """Return what the rate of a matrix of this shape is multiplied with."""
    rows, columns = shape
    if name == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns)) if columns else 1.0


def orthogonal(g: Any, coefficients: tuple[float, float, float], steps: int, eps: float) -> Any:
    """Return nearly the closest matrix with orthonormal rows or columns, in bfloat16."""
    a, b, c = coefficients
    tall = g.shape[0] > g.shape[1]
    x = g.to(core.bfloat16)
    x = x.t() if tall else x
    norm = x.float().square().sum().sqrt().to(core.bfloat16)
    x = x / norm.clamp(min=eps)

    def mixed(x: Any, beta: float, left: Any, right: Any, alpha: float = 1.0) -> Any:
        # Sums in float32, one rounding at the end.
        return (x.float() * beta + (left.float() @ right.float()) * alpha).to(core.bfloat16)

    for _ in range(steps):
        gram = (x.float() @ x.float().t()).to(core.bfloat16)
        x = mixed(x, a, mixed(gram, b, gram, gram, c), x)
    return x.t() if tall else x
