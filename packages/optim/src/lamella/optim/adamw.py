"""AdamW."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from .adam import Adam
from .optimizer import ParamsT

__all__ = ["AdamW"]


class AdamW(Adam):
    """Adam with decoupled weight decay: the parameter shrinks by ``lr * weight_decay`` of itself before the step.

    Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        betas: shares of the two running means that are kept from step to step.
        eps: added to the root.
        weight_decay: how fast parameters shrink.
        amsgrad: divide by the largest running mean so far.
        maximize: climb instead of descend.
        foreach, fused, capturable: accepted; there is one implementation.
        differentiable: let autograd record the step.

    Raises:
        ValueError: an option out of its range.

    Example:
        >>> from lamella.core import tensor
        >>> w = tensor([1.0], requires_grad=True)
        >>> optimizer = AdamW([w], lr=0.1, weight_decay=0.0)
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
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        # Checkpoints of the time when AdamW was a class of its own do not say it.
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True
