"""Adamax."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_betas, check_modes, check_options
from .optimizer import ParamsT


class Adamax(GroupOptimizer, rule="adamax", keys="exp_avg exp_inf step"):
    """Adamax: Adam with the largest gradient, slowly forgotten, in place of the mean square.

    Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, section 7.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        betas: shares of the two running means that are kept from step to step.
        eps: added to the divisor.
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
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ):
        check_modes("Adamax", None, foreach=foreach)
        check_options("Adamax", lr, **{"epsilon value": eps, "weight_decay": weight_decay})
        check_betas("Adamax", betas)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        beta1, beta2 = group["betas"]
        return {
            "lr": group["lr"], "beta1": beta1, "beta2": beta2, "weight_decay": group["weight_decay"],
            "eps": group["eps"], "maximize": group["maximize"],
        }  # fmt: skip
