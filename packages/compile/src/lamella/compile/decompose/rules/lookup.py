"""Sums of many elements at one place: for types of 16 bits they are taken in float32, as eager does."""

from __future__ import annotations

from typing import Any

from ..builder import Builder
from ..specs import LOW, dense
from ..table import Keep, rule


@rule("aten::embedding_dense_backward")
def embedding_dense_backward(
    b: Builder, grad_output: Any, indices: Any, num_weights: Any, padding_idx: Any, scale_grad_by_freq: bool
) -> Any:
    d = grad_output.spec.dtype
    if d not in LOW:
        raise Keep("a primitive as it is")
    grad = b.wide(grad_output)
    spec = dense((num_weights, grad.spec.shape[-1]), grad.spec.dtype, grad.spec.device)
    made = b.call("aten::embedding_dense_backward", grad, indices, num_weights, padding_idx, scale_grad_by_freq,
                  spec=spec)
    return b.to(made, d)
