"""RAdam."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_betas, check_modes, check_options
from .optimizer import ParamsT


class RAdam(GroupOptimizer, rule="radam", keys="exp_avg exp_avg_sq step"):
    """RAdam: Adam that takes plain steps until the variance of its divisor is known.

    Source: Liu et al., "On the Variance of the Adaptive Learning Rate and Beyond", 2020.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        betas: shares of the two running means that are kept from step to step.
        eps: added to the divisor.
        weight_decay: times the parameter, added to the gradient.
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
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ):
        check_modes("RAdam", None, foreach=foreach)
        check_options("RAdam", lr, **{"epsilon value": eps, "weight_decay": weight_decay})
        check_betas("RAdam", betas)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        beta1, beta2 = group["betas"]
        return {
            "lr": group["lr"], "beta1": beta1, "beta2": beta2, "weight_decay": group["weight_decay"],
            "eps": group["eps"], "maximize": group["maximize"], "decoupled": group["decoupled_weight_decay"],
        }  # fmt: skip
