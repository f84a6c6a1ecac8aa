"""Adagrad."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_modes, check_options, filled_like
from .optimizer import ParamsT


class Adagrad(GroupOptimizer, rule="adagrad", keys="sum step"):
    """Adagrad: the gradient divided by the root of the sum of all its squares so far.

    Source: Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization",
    2011.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        lr_decay: the rate of step ``n`` is ``lr / (1 + (n - 1) * lr_decay)``.
        weight_decay: times the parameter, added to the gradient.
        initial_accumulator_value: what the sums begin with.
        eps: added to the divisor.
        maximize: climb instead of descend.
        foreach, fused: accepted; there is one implementation.
        differentiable: let autograd record the step.

    Raises:
        ValueError: an option out of its range.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        check_modes("Adagrad", None, foreach=foreach, fused=fused, differentiable=differentiable)
        check_options(
            "Adagrad", lr,
            **{"lr_decay": lr_decay, "weight_decay": weight_decay,
               "initial_accumulator_value": initial_accumulator_value, "epsilon value": eps},
        )  # fmt: skip
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        # The sums exist from the start, so that a state saved before the first step has them.
        for group in self.param_groups:
            self._init_states(group["params"], group)

    def _first(self, key: str, params: list[Tensor], group: dict[str, Any]) -> list[Tensor]:
        if key == "sum":
            return filled_like(params, group["initial_accumulator_value"])
        return super()._first(key, params, group)

    def share_memory(self) -> None:
        """Accepted for torch's sake: lamella's tensors are not passed between processes."""

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        return {
            "lr": group["lr"], "lr_decay": group["lr_decay"], "weight_decay": group["weight_decay"],
            "eps": group["eps"], "maximize": group["maximize"],
        }  # fmt: skip
