"""Helpers for the derivatives of pooling."""

from __future__ import annotations

from typing import Any

from ._gen import pooling as _gen


def avg_pool_again(
    grad: Any, kernel: Any, stride: Any, padding: Any, ceil_mode: bool, count_include_pad: bool, divisor: Any
) -> Any:
    """Averages are linear: the gradient of their gradient takes averages."""
    how = (kernel, stride, padding, ceil_mode, count_include_pad)
    if len(kernel) == 1:
        return _gen.op_avg_pool1d(grad, *how)
    return (_gen.op_avg_pool2d if len(kernel) == 2 else _gen.op_avg_pool3d)(grad, *how, divisor)
