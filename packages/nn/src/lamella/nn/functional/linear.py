"""Linear and bilinear maps."""

from __future__ import annotations

import math
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen.linear import linear


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input1 @ weight[o] @ input2`` for every output feature ``o``, plus ``bias``.

    Args:
        input1: ``(*, in1_features)``.
        input2: ``(*, in2_features)``, with the same leading dimensions.
        weight: ``(out_features, in1_features, in2_features)``.
        bias: ``(out_features,)``.

    Returns:
        A tensor of shape ``(*, out_features)``.

    Raises:
        RuntimeError: for sizes that do not match.

    Example:
        >>> from lamella import core
        >>> bilinear(core.ones(1, 2), core.ones(1, 3), core.ones(1, 2, 3))
        tensor([[6.]])
    """
    a, b, w = input1._a.shape, input2._a.shape, weight._a.shape
    if len(a) != len(b) or a[:-1] != b[:-1]:
        raise RuntimeError(
            message(
                "bilinear",
                "the inputs must have the same dimensions except the last",
                {"input1": list(a), "input2": list(b)},
            )
        )
    if len(w) != 3 or not a or a[-1] != w[1] or b[-1] != w[2]:
        raise RuntimeError(
            message(
                "bilinear",
                "the weight must be (out, in1, in2) for inputs that end in in1 and in2",
                {"input1": list(a), "input2": list(b), "weight": list(w)},
            )
        )
    if bias is not None and bias._a.shape != w[:1]:
        raise RuntimeError(
            message(
                "bilinear",
                "the bias must have one element for each output feature",
                {"bias": list(bias._a.shape), "out_features": w[0]},
            )
        )
    _one_type(input1=input1, input2=input2, weight=weight, bias=bias)
    x = input1.reshape(math.prod(a[:-1]), w[1])  # type: ignore[attr-defined]
    y = input2.reshape(math.prod(a[:-1]), 1, w[2])  # type: ignore[attr-defined]
    wide = x.matmul(weight.permute(1, 0, 2).reshape(w[1], w[0] * w[2]))  # type: ignore[attr-defined]
    wide = wide.reshape(math.prod(a[:-1]), w[0], w[2])
    out = (wide * y).sum(-1, dtype=input1.dtype)
    if bias is not None:
        out = out + bias
    return out.reshape((*a[:-1], w[0]))


def _one_type(**operands: Any) -> None:
    shown = {name: x.dtype.name for name, x in operands.items() if x is not None}
    if len(set(shown.values())) > 1:
        raise RuntimeError(message("bilinear", "all tensors must have the same dtype", shown))


__all__ = ["bilinear", "linear"]
