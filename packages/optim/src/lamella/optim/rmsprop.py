"""RMSprop."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_modes, check_options
from .optimizer import ParamsT


class RMSprop(GroupOptimizer, rule="rmsprop", keys="square_avg grad_avg momentum_buffer step"):
    """RMSprop: the gradient divided by the root of the running mean of its square.

    Source: Hinton, "Neural Networks for Machine Learning", lecture 6, 2012.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        alpha: share of the running mean that is kept from step to step.
        eps: added to the divisor.
        weight_decay: times the parameter, added to the gradient.
        momentum: share of a buffer of steps that is kept.
        centered: divide by an estimate of the standard deviation instead (Graves, 2013).
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
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        check_modes("RMSprop", lr, foreach=foreach, capturable=capturable)
        check_options(
            "RMSprop", lr, **{"epsilon value": eps, "momentum": momentum, "weight_decay": weight_decay, "alpha": alpha}
        )
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _used(self, group: dict[str, Any]) -> tuple[str, ...]:
        optional = [("grad_avg",) * bool(group["centered"]), ("momentum_buffer",) * (group["momentum"] > 0)]
        return ("step", "square_avg", *optional[1], *optional[0])

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        return {
            "lr": group["lr"], "alpha": group["alpha"], "eps": group["eps"], "weight_decay": group["weight_decay"],
            "momentum": group["momentum"], "centered": group["centered"], "maximize": group["maximize"],
        }  # fmt: skip
