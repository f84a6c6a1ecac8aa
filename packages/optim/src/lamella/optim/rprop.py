"""Rprop."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_modes, check_options, filled_like, number
from .optimizer import ParamsT


class Rprop(GroupOptimizer, rule="rprop", keys="prev step_size step"):
    """Rprop: each element has a step size of its own, which grows while its gradient keeps its sign. For full batches.

    Source: Riedmiller and Braun, "A direct adaptive method for faster backpropagation learning: the RPROP algorithm",
    1993.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the first step size.
        etas: the factors of a step size after a change of sign, and after none.
        step_sizes: the smallest and the largest step size.
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
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        check_modes("Rprop", None, foreach=foreach)
        check_options("Rprop", lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Rprop: Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _first(self, key: str, params: list[Tensor], group: dict[str, Any]) -> list[Tensor]:
        if key == "step_size":
            return filled_like(params, float(number(group["lr"])))
        return super()._first(key, params, group)

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        (less, more), (low, high) = group["etas"], group["step_sizes"]
        return {
            "etaminus": less, "etaplus": more, "step_size_min": low, "step_size_max": high,
            "maximize": group["maximize"],
        }  # fmt: skip
