"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from lamella.autograd.grad_mode import no_grad
from lamella.core.tensor import Tensor

from .grouped import GroupOptimizer, check_modes, check_options, filled_like, number
from .optimizer import ParamsT


class SGD(GroupOptimizer, rule="sgd", keys="momentum_buffer"):
    """Stochastic gradient descent, with momentum or Nesterov momentum.

    Each step is ``buffer = momentum * buffer + (1 - dampening) * grad`` and ``p -= lr * buffer`` (the first buffer is
    the gradient itself). Source: Sutskever et al., "On the importance of initialization and momentum in deep
    learning", 2013.

    Args:
        params: tensors, dicts of parameter groups, or pairs of name and tensor.
        lr: the learning rate; a tensor of one element may be changed in place.
        momentum: share of the buffer that is kept.
        dampening: share of the gradient that is left out of the buffer.
        weight_decay: times the parameter, added to the gradient.
        nesterov: look ahead along the buffer; needs momentum, and no dampening.
        maximize: climb instead of descend.
        foreach, fused: accepted; there is one implementation.
        differentiable: let autograd record the step.

    Raises:
        ValueError: a negative option, or ``nesterov`` without momentum or with dampening.

    Example:
        >>> from lamella.core import tensor
        >>> w = tensor([1.0], requires_grad=True)
        >>> optimizer = SGD([w], lr=0.1)
        >>> (w * w).sum().backward()
        >>> optimizer.step()
        >>> w
        tensor([0.8000], requires_grad=True)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        check_options("SGD", lr, momentum=momentum, weight_decay=number(weight_decay))
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                "SGD: Nesterov momentum requires a momentum and zero dampening "
                f"(momentum={momentum}, dampening={dampening})"
            )
        check_modes("SGD", None, foreach=foreach, fused=fused, differentiable=differentiable)
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach, "differentiable": differentiable,
            "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        state = self.state
        momentum = group["momentum"] != 0
        # The first buffer is the gradient, without dampening: such parameters go in a call of their own.
        calls: dict[bool, list[tuple[Tensor, Tensor]]] = {}
        ks = 0
        for p in group["params"]:
            g = p.grad  # type: ignore[attr-defined]
            if g is None:
                continue
            ks |= p._ks | g._ks
            first = momentum and state[p].get("momentum_buffer") is None
            calls.setdefault(first, []).append((p, g))
        if momentum and True in calls:
            fresh = [p for p, _ in calls[True]]
            with no_grad():
                for p, buffer in zip(fresh, filled_like(fresh, 0.0)):
                    state[p]["momentum_buffer"] = buffer
        for first, pairs in calls.items():
            params, grads = map(list, zip(*pairs))
            buffers = [state[p]["momentum_buffer"] for p in params] if momentum else []
            options = self._options(group)
            options["is_first_step"] = first
            self._launch(ks, [params, grads, buffers], group, options)

    def _options(self, group: dict[str, Any]) -> dict[str, Any]:
        return {
            "lr": group["lr"], "momentum": group["momentum"], "dampening": group["dampening"],
            "weight_decay": number(group["weight_decay"]), "nesterov": group["nesterov"],
            "maximize": group["maximize"],
        }  # fmt: skip
