"""Rules of activations whose kernels want arguments of one shape."""

from __future__ import annotations

from typing import Any

from lamella.autograd.transforms.batching.elementwise import elementwise
from lamella.autograd.transforms.batching.rules import rule
from lamella.core.tensor import Tensor


@rule("_prelu_kernel", "gelu_backward", "silu_backward", "leaky_relu_backward", "hardtanh_backward",
      "hardswish_backward", "hardsigmoid_backward", "mish_backward", "softplus_backward", "_elu_backward",
      "_log_sigmoid_backward", "_shrink_backward")
def alike(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    """Elementwise, with every argument batched."""
    args = tuple([level.wrap(level.full(a)) if isinstance(a, Tensor) and not level.has(a) else a for a in args])
    return elementwise(level, op, args, kwargs)
