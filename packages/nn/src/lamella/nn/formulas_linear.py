"""Second derivatives of linear maps."""

from __future__ import annotations

from typing import Any

from lamella.autograd.fit import sum_to

from .formulas import total


def linear_twice(grads: Any, self: Any, grad_output: Any, weight: Any, needs: Any) -> Any:
    """What reaches the arguments of `linear_backward` through its three results."""
    by_input, by_weight, by_bias = grads
    w = weight if weight.ndim == 2 else weight.unsqueeze(0)
    g = grad_output if weight.ndim == 2 else grad_output.unsqueeze(-1)
    gw = by_weight if by_weight is None or weight.ndim == 2 else by_weight.unsqueeze(0)
    to_self = to_grad = to_weight = None
    if needs[0] and gw is not None:
        to_self = g.matmul(gw)
    if needs[1]:
        parts = total(
            None if by_input is None else by_input.matmul(w.t()),
            None if gw is None else self.matmul(gw.t()),
            None if by_bias is None else by_bias.expand(g.shape),
        )
        to_grad = parts if parts is None or weight.ndim == 2 else parts.squeeze(-1)
    if needs[2] and by_input is not None:
        k = weight.shape[-1]
        to_weight = sum_to(g.reshape(-1, g.shape[-1]).t().matmul(by_input.reshape(-1, k)), w.shape).reshape(
            weight.shape
        )
    return to_self, to_grad, to_weight
