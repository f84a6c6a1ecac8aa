"""ASGD."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_modes, check_options, count, number
from .optimizer import ParamsT


class ASGD(GroupOptimizer, rule="asgd", keys="ax step eta mu"):
    """Averaged stochastic gradient descent: ``state[p]["ax"]`` holds the mean of the parameter over the last steps.

    Source: Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        lambd: how fast parameters and rate shrink.
        alpha: the power at which the rate falls.
        t0: the step where averaging begins.
        weight_decay: times the parameter, added to the gradient.
        maximize: climb instead of descend.
        foreach, capturable: accepted; there is one implementation.
        differentiable: let autograd record the step.

    Raises:
        ValueError: an option out of its range.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ):
        check_modes("ASGD", lr, foreach=foreach, capturable=capturable)
        check_options("ASGD", lr, weight_decay=weight_decay)
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _first(self, key: str, params: list[Tensor], group: dict[str, Any]) -> list[Tensor]:
        if key in ("eta", "mu"):
            value = float(number(group["lr"])) if key == "eta" else 1.0
            return [count(group, value, like=p) for p in params]
        return super()._first(key, params, group)

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        return {
            "lr": group["lr"], "lambd": group["lambd"], "alpha": group["alpha"], "t0": group["t0"],
            "weight_decay": group["weight_decay"], "maximize": group["maximize"],
        }  # fmt: skip
