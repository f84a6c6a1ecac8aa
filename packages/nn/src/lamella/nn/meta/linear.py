"""Shape rules of linear maps."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message


def linear(input: Tensor, weight: Tensor, bias: Any = None) -> Any:
    x, w = input._a.shape, weight._a.shape
    if not x or len(w) not in (1, 2) or x[-1] != w[-1]:
        raise RuntimeError(
            message("linear", "mat1 and mat2 shapes cannot be multiplied", {"input": list(x), "weight": list(w)})
        )
    return x[:-1] + w[:-1], input.dtype


def linear_backward(self: Tensor, grad_output: Tensor, weight: Tensor, output_mask: Any) -> Any:
    d = grad_output.dtype
    shapes = self._a.shape, weight._a.shape, weight._a.shape[:-1]
    return tuple((shape, d) if wanted else None for shape, wanted in zip(shapes, output_mask, strict=True))
