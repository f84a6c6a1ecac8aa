"""Adadelta."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_modes, check_options
from .optimizer import ParamsT


class Adadelta(GroupOptimizer, rule="adadelta", keys="square_avg acc_delta step"):
    """Adadelta: Adagrad with running means, scaled by the size that steps have had.

    Source: Zeiler, "ADADELTA: An Adaptive Learning Rate Method", 2012.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        rho: share of the running means that is kept from step to step.
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
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        check_modes("Adadelta", None, foreach=foreach)
        check_options("Adadelta", lr, **{"epsilon value": eps, "weight_decay": weight_decay})
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Adadelta: Invalid rho value: {rho}")
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        return {
            "lr": group["lr"], "rho": group["rho"], "eps": group["eps"], "weight_decay": group["weight_decay"],
            "maximize": group["maximize"],
        }  # fmt: skip
