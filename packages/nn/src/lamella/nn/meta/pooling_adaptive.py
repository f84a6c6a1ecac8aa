"""Shape rules and checks of pooling to a given size."""

from __future__ import annotations

from typing import Any

from lamella.core.dtypes import int64
from lamella.dispatch.errors import message

from ..kernels.types import type_name


def check(op: str, x: Any, size: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of an array after adaptive pooling."""
    n = len(size)
    op = f"{op}{n}d"
    if x.dtype.kind in "iubc":
        raise NotImplementedError(message(op, f"it is not implemented for '{type_name(x.dtype)}'"))
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(message(op, f"Expected {n + 1}D or {n + 2}D tensor, but got {list(x.shape)}"))
    if any(m == 0 for m in x.shape[x.ndim - n :]):
        raise RuntimeError(
            message(op, "Expected input to have non-zero size for non-batch dimensions", [list(x.shape)])
        )
    if any(v < 0 for v in size):
        raise RuntimeError(message(op, f"elements of output_size must be greater than or equal to 0, got {list(size)}"))
    return (*x.shape[:-n], *size)


def check_fractional(x: Any, k: tuple[int, ...], size: tuple[int, ...], samples: Any) -> tuple[int, ...]:
    """The shape of an array after fractional pooling."""
    n, op = len(k), f"fractional_max_pool{len(k)}d"
    if x.dtype.kind in "iubc":
        raise NotImplementedError(message(op, f"it is not implemented for '{type_name(x.dtype)}'"))
    if x.ndim not in (n + 1, n + 2) or any(m == 0 for m in x.shape[x.ndim - n - 1 :]):
        raise RuntimeError(
            message(
                op,
                f"Expected {n + 1}D or {n + 2}D (batch mode) tensor, with no empty dimension but the "
                f"batch, for input, but got: {list(x.shape)}",
            )
        )
    for m, o, j in zip(x.shape[-n:], size, k, strict=True):
        # Torch wants one element more in three dimensions than in two.
        if o < 1 or j < 1 or o + j - 1 > m - (n == 3):
            raise RuntimeError(message(op, f"pool size {j} and output size {o} do not fit into input size {m}"))
    if samples.dtype != x.dtype:
        raise RuntimeError(
            message(op, "Expect _random_samples to have the same dtype as input", [samples.dtype.name, x.dtype.name])
        )
    batch = x.shape[0] if x.ndim == n + 2 else 1
    if samples.ndim != 3 or samples.shape[0] < batch or samples.shape[1:] != (x.shape[x.ndim - n - 1], n):
        raise RuntimeError(
            message(
                op,
                f"Expect _random_samples of size {[batch, x.shape[x.ndim - n - 1], n]}, but got {list(samples.shape)}",
            )
        )
    return (*x.shape[:-n], *size)


def adaptive_avg_pool(self: Any, output_size: Any) -> Any:
    return check("adaptive_avg_pool", self._a, tuple(output_size)), self.dtype


def _adaptive_avg_pool_backward(grad_output: Any, size: Any, spatial: int) -> Any:
    return tuple(size), grad_output.dtype


def adaptive_max_pool(self: Any, output_size: Any) -> Any:
    shape = check("adaptive_max_pool", self._a, tuple(output_size))
    return (shape, self.dtype), (shape, int64)


def fractional_max_pool(self: Any, kernel_size: Any, output_size: Any, random_samples: Any) -> Any:
    shape = check_fractional(self._a, tuple(kernel_size), tuple(output_size), random_samples._a)
    return (shape, self.dtype), (shape, int64)
