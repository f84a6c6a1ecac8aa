"""Shape rules and checks of pooling."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from lamella.core.dtypes import from_numpy_dtype, int64
from lamella.dispatch.errors import message

from ..kernels.types import type_name


def out_size(n: int, k: int, s: int, p: int, d: int, ceil_mode: bool) -> int:
    """How many windows fit into one dimension; in ceil mode the last may hang over, but must start inside."""
    m = (n + 2 * p - d * (k - 1) - 1 + (s - 1 if ceil_mode else 0)) // s + 1
    return m - 1 if ceil_mode and (m - 1) * s >= n + p else m


def codes(count: int) -> Any:
    """The type for places in a window of so many elements."""
    return np.dtype(np.uint8 if count <= 256 else np.uint16 if count <= 65536 else np.uint32)


@lru_cache(256)
def _check(op: str, shape: Any, k: Any, s: Any, p: Any, d: Any, ceil_mode: bool) -> tuple[int, ...]:
    """Refuse windows that do not fit; returns the pooled shape."""
    n = len(k)
    op = f"{op}{n}d"
    for name, v, low in (("kernel_size", k, 1), ("stride", s, 1), ("dilation", d, 1), ("padding", p, 0)):
        if any(i < low for i in v):
            raise RuntimeError(
                message(
                    op, f"{name} should be {'greater than zero' if low else 'not negative'}, but got {name}={list(v)}"
                )
            )
    if len(shape) not in (n + 1, n + 2):
        raise RuntimeError(
            message(op, f"Expected {n + 1}D or {n + 2}D (batch mode) tensor for input, but got: {list(shape)}")
        )
    if any(m == 0 for m in shape[len(shape) - n - 1 :]):
        raise RuntimeError(message(op, "the input may be empty in its batch dimension only", [list(shape)]))
    for a, j, e in zip(p, k, d, strict=True):
        if a > ((j - 1) * e + 1) // 2:
            raise RuntimeError(
                message(
                    op,
                    "pad should be at most half of effective kernel size, but got "
                    f"pad={a}, kernel_size={j} and dilation={e}",
                )
            )
    out = [out_size(*v, ceil_mode) for v in zip(shape[-n:], k, s, p, d, strict=True)]
    if any(o < 1 for o in out):
        raise RuntimeError(
            message(
                op,
                f"Given input size: {list(shape)}. Calculated output size: "
                f"{[*shape[:-n], *out]}. Output size is too small",
                hint="the window must fit into the padded input",
            )
        )
    return (*shape[:-n], *out)


def check_max(x: Any, k: Any, s: Any, p: Any, d: Any, ceil_mode: bool) -> tuple[int, ...]:
    """The shape of a maximum pooling of an array."""
    if x.dtype.kind in "cb":
        raise NotImplementedError(message(f"max_pool{len(k)}d", f"it is not implemented for '{type_name(x.dtype)}'"))
    return _check("max_pool", x.shape, k, s, p, d, ceil_mode)


def check_avg(x: Any, k: Any, s: Any, p: Any, ceil_mode: bool, divisor: Any) -> tuple[int, ...]:
    """The shape of an average pooling of an array."""
    if divisor == 0:
        raise RuntimeError(message(f"avg_pool{len(k)}d", "divisor must be not zero"))
    if x.dtype.kind in "cb" or x.dtype.kind in "iu" and x.dtype.itemsize != 8:
        raise NotImplementedError(message(f"avg_pool{len(k)}d", f"it is not implemented for '{type_name(x.dtype)}'"))
    return _check("avg_pool", x.shape, k, s, p, (1,) * len(k), ceil_mode)


def _max_pool(self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool) -> Any:
    k, s, p, d = map(tuple, (kernel_size, stride, padding, dilation))
    return check_max(self._a, k, s, p, d, ceil_mode), self.dtype


def max_pool_with_places(self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool) -> Any:
    shape, dtype = _max_pool(self, kernel_size, stride, padding, dilation, ceil_mode)
    return (shape, dtype), (shape, from_numpy_dtype(codes(math.prod(kernel_size))))


def _max_pool_put(self: Any, places: Any, size: Any, *_how: Any) -> Any:
    return tuple(size), self.dtype


def _max_pool_take(self: Any, places: Any, *_how: Any) -> Any:
    return places._a.shape, self.dtype


def _max_pool_index(places: Any, *_how: Any) -> Any:
    return places._a.shape, int64


def avg_pool(
    self: Any,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
) -> Any:
    k = tuple(kernel_size)
    return check_avg(self._a, k, tuple(stride) or k, tuple(padding), ceil_mode, divisor_override), self.dtype


def _avg_pool_backward(grad_output: Any, size: Any, *_how: Any) -> Any:
    return tuple(size), grad_output.dtype
