"""Adafactor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.autograd.grad_mode import enable_grad, no_grad
from lamella.core.tensor import Tensor

from .grouped import count, number
from .optimizer import Optimizer, ParamsT

__all__ = ["Adafactor"]


class Adafactor(Optimizer):
    """Adafactor: Adam's divisor kept as row and column means, so that matrices need little state.

    Source: Shazeer and Stern, "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost", 2018.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the highest learning rate; the rate of step ``n`` is at most ``1 / sqrt(n)``.
        beta2_decay: the running means move by ``n ** beta2_decay`` in step ``n``.
        eps: bounds from below of the divisor (None: the element type's precision) and of the parameter's size.
        d: steps whose root mean square is larger are cut down to it.
        weight_decay: how fast parameters shrink.
        foreach: accepted; there is one implementation.
        maximize: climb instead of descend.

    Raises:
        ValueError: an option out of its range.
        RuntimeError: a complex parameter.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError(f"Adafactor: Tensor lr must be 1-element (got {lr.numel()})")
        checks: tuple[tuple[str, Any, float, int], ...] = (
            ("Learning rate should be >= 0", number(lr), 0.0, 1),
            ("beta2_decay should be <= 0", beta2_decay, 0.0, -1),
            ("epsilon1 should be >= 0", 0.0 if eps[0] is None else eps[0], 0.0, 1),
            ("epsilon2 should be >= 0", eps[1], 0.0, 1),
            ("Clipping threshold d should be >= 1", d, 1.0, 1),
            ("weight_decay should be >= 0", weight_decay, 0.0, 1),
        )
        for rule, value, bound, sign in checks:
            if not sign * value >= sign * bound:
                raise ValueError(f"Adafactor: {rule} but is: {value}")
        defaults = {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)

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
            raise RuntimeError("Adafactor: Adafactor does not support complex parameters")
        state = self.state[p]
        g = -p.grad if group["maximize"] else p.grad
        if not state:
            self._begin(state, g, group)
        state["step"] += 1
        step = state["step"].item()
        lr, (eps1, eps2) = number(group["lr"]), group["eps"]
        eps1 = core.finfo(p.dtype).eps if eps1 is None else eps1
        alpha = max(eps2, root_mean_square(p)) * min(lr, 1 / math.sqrt(step))
        if group["weight_decay"]:
            p.mul_(1 - lr * group["weight_decay"])
        move = g * self._variance(state, g, step ** group["beta2_decay"], eps1).clamp(min=eps1 * eps1).rsqrt()
        p.add_(move, alpha=-alpha / max(1.0, root_mean_square(move) / group["d"]))

    def _begin(self, state: dict[str, Any], g: Any, group: dict[str, Any]) -> None:
        state["step"] = count(group)
        if g.dim() > 1:
            state["row_var"] = core.zeros_like(g[..., :1])
            state["col_var"] = core.zeros_like(g[..., :1, :])
        else:
            state["variance"] = core.zeros_like(g)

    def _variance(self, state: dict[str, Any], g: Any, share: float, eps: float) -> Any:
        square = g * g
        if g.dim() == 1 or not g.dim():
            state["variance"].lerp_(square, share)
            return state["variance"]
        row, column = state["row_var"], state["col_var"]
        row.lerp_(square.mean(dim=-1, keepdim=True), share)
        column.lerp_(square.mean(dim=-2, keepdim=True), share)
        return row @ column / row.mean(dim=-2, keepdim=True).clamp(min=eps)


def root_mean_square(a: Any) -> float:
    """Return the root of the mean of the squared elements."""
    return math.sqrt((a * a).sum().item() / a.numel()) if a.numel() else 0.0
