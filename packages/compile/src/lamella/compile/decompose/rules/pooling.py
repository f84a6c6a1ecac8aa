"""Means over windows that do not overlap: a dimension is cut into windows, and the mean taken along them.

Other poolings stay whole.
"""

from __future__ import annotations

from typing import Any

from ...loops.index import product
from ..builder import Builder
from ..table import Keep, rule


def _pair(value: Any, n: int) -> tuple[Any, ...]:
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * n if len(value) == 1 else value


def _split(shape: Any, windows: Any) -> tuple[list[Any], list[int]]:
    """A shape whose last dimensions are cut into (windows, elements), and where the elements stand."""
    n = len(windows)
    sizes, dims = list(shape[: len(shape) - n]), []
    for size, k in zip(shape[len(shape) - n :], windows, strict=True):
        if not isinstance(size, int) or not isinstance(k, int) or size % k:
            raise Keep("windows that do not fit evenly")
        sizes += [size // k, k]
        dims.append(len(sizes) - 1)
    return sizes, dims


def _means(b: Builder, x: Any, windows: Any, divisor: Any = None) -> Any:
    sizes, dims = _split(x.spec.shape, windows)
    if x.spec.dtype.category != 2:
        raise Keep("integers")
    wide = b.view(b.wide(x), sizes)
    made = b.mean(wide, dims) if divisor is None else b.div(b.sum(wide, dims), divisor)
    return b.to(made, x.spec.dtype)


def _handed_out(b: Builder, grad: Any, size: Any, windows: Any, divisor: Any = None) -> Any:
    """The gradient of the means: each element gets its window's share."""
    sizes, dims = _split(size, windows)
    share = b.div(b.wide(grad), product(windows) if divisor is None else divisor)
    for dim in dims:
        share = b.unsqueeze(share, dim)
    return b.to(b.view(b.copy(b.expand(share, sizes)), size), grad.spec.dtype)


def _tiles(kernel_size: Any, stride: Any, padding: Any, n: int) -> tuple[Any, ...]:
    k, s, p = _pair(kernel_size, n), _pair(stride, n) if stride else None, _pair(padding, n)
    if (s is not None and s != k) or any(p):
        raise Keep("windows that overlap, or padding")
    return k


def _avg_pool(n: int) -> None:
    @rule(f"aten::avg_pool{n}d")
    def avg_pool(
        b: Builder,
        self: Any,
        kernel_size: Any,
        stride: Any = (),
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Any = None,
    ) -> Any:
        return _means(b, self, _tiles(kernel_size, stride, padding, n), divisor_override)


for _n in (1, 2, 3):
    _avg_pool(_n)


@rule("aten::_avg_pool_backward")
def avg_pool_backward(
    b: Builder,
    grad_output: Any,
    size: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Any,
) -> Any:
    k = _tiles(kernel_size, stride, padding, len(kernel_size))
    return _handed_out(b, grad_output, tuple(size), k, divisor_override)


def _windows(size: Any, output_size: Any) -> tuple[int, ...]:
    found = []
    for n, m in zip(size[len(size) - len(output_size) :], output_size, strict=True):
        if not isinstance(n, int) or not isinstance(m, int) or not m or n % m:
            raise Keep("windows that do not fit evenly")
        found.append(n // m)
    return tuple(found)


@rule("aten::adaptive_avg_pool1d", "aten::_adaptive_avg_pool2d", "aten::_adaptive_avg_pool3d")
def adaptive_avg_pool(b: Builder, self: Any, output_size: Any) -> Any:
    size = (output_size,) if isinstance(output_size, int) else tuple(output_size)
    return _means(b, self, _windows(self.spec.shape, size))


@rule("aten::_adaptive_avg_pool_backward")
def adaptive_avg_pool_backward(b: Builder, grad_output: Any, size: Any, spatial: int) -> Any:
    out = grad_output.spec.shape[len(grad_output.spec.shape) - spatial :]
    return _handed_out(b, grad_output, tuple(size), _windows(tuple(size), out))
