"""NAdam."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_betas, check_modes, check_options, count
from .optimizer import ParamsT


class NAdam(GroupOptimizer, rule="nadam", keys="exp_avg exp_avg_sq step mu_product"):
    """NAdam: Adam with Nesterov momentum.

    Source: Dozat, "Incorporating Nesterov Momentum into Adam", 2016.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        betas: shares of the two running means that are kept from step to step.
        eps: added to the divisor.
        weight_decay: times the parameter, added to the gradient.
        momentum_decay: how fast the momentum grows to its full value.
        decoupled_weight_decay: shrink the parameter instead, as AdamW does.
        maximize: climb instead of descend.
        foreach, capturable: accepted; there is one implementation.
        differentiable: let autograd record the step.

    Raises:
        ValueError: an option out of its range.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ):
        check_modes("NAdam", None, foreach=foreach)
        check_options(
            "NAdam", lr, **{"epsilon value": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay}
        )
        check_betas("NAdam", betas)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _first(self, key: str, params: list[Tensor], group: dict[str, Any]) -> list[Tensor]:
        if key == "mu_product":
            return [count(group, 1.0, like=p) for p in params]
        return super()._first(key, params, group)

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        beta1, beta2 = group["betas"]
        return {
            "lr": group["lr"], "beta1": beta1, "beta2": beta2, "weight_decay": group["weight_decay"],
            "eps": group["eps"], "maximize": group["maximize"], "momentum_decay": group["momentum_decay"],
            "decoupled": group["decoupled_weight_decay"],
        }  # fmt: skip
