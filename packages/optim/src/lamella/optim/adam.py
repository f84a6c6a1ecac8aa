"""Adam."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_betas, check_modes, check_options, number
from .optimizer import ParamsT

__all__ = ["Adam"]


class Adam(GroupOptimizer, rule="adam", keys="exp_avg exp_avg_sq max_exp_avg_sq step"):
    """Adam: steps along the running mean of the gradient, divided by the root of the running mean of its square.

    Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        betas: shares of the two running means that are kept from step to step.
        eps: added to the root.
        weight_decay: times the parameter, added to the gradient.
        amsgrad: divide by the largest running mean so far (Reddi et al., "On the Convergence of Adam and Beyond",
            2018).
        foreach, fused, capturable: accepted; there is one implementation.
        maximize: climb instead of descend.
        differentiable: let autograd record the step.
        decoupled_weight_decay: shrink the parameter instead, as AdamW does.

    Raises:
        ValueError: an option out of its range.

    Example:
        >>> from lamella.core import tensor
        >>> w = tensor([1.0], requires_grad=True)
        >>> optimizer = Adam([w], lr=0.1)
        >>> (w * w).sum().backward()
        >>> optimizer.step()
        >>> w
        tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ):
        op = type(self).__name__
        check_modes(op, lr, foreach=foreach, fused=fused, differentiable=differentiable, capturable=capturable)
        check_options(op, lr, **{"epsilon value": eps, "weight_decay": weight_decay})
        check_betas(op, betas)
        _check_tensor_betas(op, betas, capturable, foreach)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
            "maximize": maximize, "foreach": foreach, "capturable": capturable, "differentiable": differentiable,
            "fused": fused, "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _used(self, group: dict[str, Any]) -> tuple[str, ...]:
        return ("step", "exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if group["amsgrad"] else ()))

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        beta1, beta2 = group["betas"]
        return {
            "lr": group["lr"], "beta1": number(beta1), "beta2": number(beta2), "weight_decay": group["weight_decay"],
            "eps": group["eps"], "maximize": group["maximize"], "amsgrad": group["amsgrad"],
            "decoupled": group["decoupled_weight_decay"],
        }  # fmt: skip


def _check_tensor_betas(op: str, betas: Any, capturable: bool, foreach: Any) -> None:
    kinds = [isinstance(beta, Tensor) for beta in betas]
    if not any(kinds):
        return
    if not all(kinds):
        raise ValueError(f"{op}: betas must be either both floats or both Tensors")
    for i, beta in enumerate(betas):
        if not capturable and foreach:
            raise ValueError(f"{op}: betas[{i}] as a Tensor is not supported for capturable=False and foreach=True")
        if beta.numel() != 1:
            raise ValueError(f"{op}: Tensor betas[{i}] must be 1-element (got {beta.numel()})")
