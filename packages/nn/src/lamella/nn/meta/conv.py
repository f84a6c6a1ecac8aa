"""Shape rules and checks of convolutions."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from ..kernels.conv import out_size


def _fail(rule: str, values: Any = (), hint: str | None = None) -> RuntimeError:
    return RuntimeError(message("convolution", rule, values, hint=hint))


def check_convolution(
    x: Any, w: Any, b: Any, stride: Any, padding: Any, dilation: Any, transposed: bool, extra: Any, groups: int
) -> tuple[int, ...]:
    """Refuse operands (arrays) that do not fit together; returns the result's shape."""
    n = w.ndim - 2
    shown = {"input": list(x.shape), "weight": list(w.shape)}
    if n < 1 or x.ndim != w.ndim:
        raise _fail(f"Expected {w.ndim}D input for a weight of {w.ndim} dimensions, but got {x.ndim}D", shown)
    for name, v, low in (
        ("stride", stride, 1),
        ("padding", padding, 0),
        ("dilation", dilation, 1),
        ("output_padding", extra, 0),
    ):
        if len(v) != n:
            raise _fail(f"expected {name} to have {n} elements (got {list(v)})")
        if any(i < low for i in v):
            raise _fail(f"{'negative' if low == 0 else 'non-positive'} {name} is not supported", [list(v)])
    if x.dtype != w.dtype or b is not None and b.dtype != x.dtype:
        raise _fail(
            "Input type and weight (and bias) type should be the same",
            [x.dtype.name, w.dtype.name, *([] if b is None else [b.dtype.name])],
        )
    if groups < 1 or w.shape[0] % groups:
        raise _fail(f"groups must be positive and divide the weight's first size (groups={groups})", shown)
    if 0 in w.shape[2:]:
        raise _fail("kernel size should be greater than zero", shown)
    if not w.shape[0]:
        raise _fail("expected the weight to be at least 1 at dimension 0", shown)
    channels = w.shape[0] if transposed else w.shape[1] * groups
    if x.shape[1] != channels:
        raise _fail(
            f"expected the input to have {channels} channels, but got {x.shape[1]} channels instead",
            {**shown, "groups": groups},
        )
    made = w.shape[1] * groups if transposed else w.shape[0]
    if b is not None and b.shape != (made,):
        raise _fail(f"expected bias to be 1-dimensional with {made} elements, but got bias of size {list(b.shape)}")
    sizes = zip(x.shape[2:], w.shape[2:], stride, padding, dilation, extra, strict=True)
    if transposed:
        for e, s, d in zip(extra, stride, dilation, strict=True):
            if e >= max(s, d):
                raise _fail(
                    "output padding must be smaller than either stride or dilation",
                    {"output_padding": e, "stride": s, "dilation": d},
                )
        out = [(i - 1) * s - 2 * p + d * (k - 1) + e + 1 for i, k, s, p, d, e in sizes]
    else:
        for i, k, _s, p, d, _e in sizes:
            if i + 2 * p < d * (k - 1) + 1:
                raise _fail(
                    "the kernel can't be larger than the padded input",
                    {"padded input": i + 2 * p, "kernel": d * (k - 1) + 1},
                )
        out = [
            out_size(i, k, s, p, d)
            for i, k, s, p, d in zip(x.shape[2:], w.shape[2:], stride, padding, dilation, strict=True)
        ]
    if any(o < 1 for o in out):
        raise _fail("Output size is too small", {**shown, "output": out})
    return (x.shape[0], made, *out)


def convolution(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> Any:
    b = None if bias is None else bias._a
    return check_convolution(
        input._a, weight._a, b, stride, padding, dilation, transposed, output_padding, groups
    ), input.dtype


def convolution_backward(
    grad_output: Any,
    input: Any,
    weight: Any,
    bias_sizes: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    output_mask: Any,
) -> Any:
    channels = weight._a.shape[1] * groups if transposed else weight._a.shape[0]
    return ((input._a.shape, input.dtype), (weight._a.shape, weight.dtype), ((channels,), input.dtype))


def im2col(self: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    shape = self._a.shape
    out = [out_size(*v) for v in zip(shape[-2:], kernel_size, stride, padding, dilation, strict=True)]
    return (*shape[:-3], shape[-3] * math.prod(kernel_size), math.prod(out)), self.dtype


def col2im(self: Any, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    shape = self._a.shape
    return (*shape[:-2], shape[-2] // math.prod(kernel_size), *output_size), self.dtype
