"""Convolutions and their gradients: `conv.h`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..loops.index import is_static, product
from ..loops.ir import Native
from ..lower.registry import Unsupported, lowering
from ..lower.values import Value
from .common import NULL, fixed, narrowed, real, widened


def _three(values: Sequence[Any], fill: int) -> list[Any]:
    return [fill] * (3 - len(values)) + list(values)


def _sizes(x: Sequence[Any], weight: Sequence[Any], out: Sequence[Any], stride: Any, padding: Any, dilation: Any,
           groups: int) -> list[Any]:
    """The sizes that all functions of conv.h start with, of a convolution of x to out."""
    fixed(weight, groups, stride, padding, dilation)
    if 0 in [*x, *weight, *out]:
        raise Unsupported("an empty tensor")
    if not 1 <= len(weight) - 2 <= 3:
        raise Unsupported("more than three dimensions")
    if not all(map(is_static, (*x[1:], *out[1:]))):
        raise Unsupported("a size that is symbolic")
    spaces = [*_three(x[2:], 1), *_three(weight[2:], 1), *_three(out[2:], 1)]
    return [x[0], groups, weight[1], weight[0] // groups, *spaces, *_three(stride, 1), *_three(padding, 0),
            *_three(dilation, 1)]


def _work(weight: Value, out: Sequence[Any]) -> Any:
    return 2 * product(weight.shape[1:]) * product(list(out))


@lowering("aten::convolution", target="cpp")
def convolution(lo: Any, node: Any, x: Value, weight: Value, bias: Value | None, stride: Any, padding: Any,
                dilation: Any, transposed: bool, output_padding: Any, groups: int) -> Any:
    shape = tuple(node.spec.shape)
    ends = (shape, x.shape) if transposed else (x.shape, shape)
    sizes = _sizes(ends[0], weight.shape, ends[1], stride, padding, dilation, groups)
    wide = [widened(lo, v) for v in (x, weight, bias)]
    dtype = real(*wide)
    image, kernel = lo.dense(wide[0]), lo.dense(wide[1])
    row = None if wide[2] is None else lo.dense(wide[2])
    out = lo.new_buffer(dtype, shape)
    ins = [image, kernel] if row is None else [image, kernel, row]
    name = "conv_backward_input" if transposed else "conv_forward"
    lo.add_step(Native([out], ins, name, [*sizes, out, image, kernel, row or NULL], "conv.h",
                       flops=_work(weight, ends[1])))
    return narrowed(lo, out, node.spec.dtype.name)


@lowering("aten::convolution_backward", target="cpp")
def convolution_backward(lo: Any, node: Any, g: Value, x: Value, weight: Value, bias_sizes: Any, stride: Any,
                         padding: Any, dilation: Any, transposed: bool, output_padding: Any, groups: int,
                         output_mask: Any) -> Any:
    low = x.dtype
    ends = (g, x) if transposed else (x, g)
    sizes = _sizes(ends[0].shape, weight.shape, ends[1].shape, stride, padding, dilation, groups)
    g, x, weight = (widened(lo, v) for v in (g, x, weight))
    dtype = real(g, x, weight)
    up = lo.dense(g)
    work = _work(weight, ends[1].shape)
    by_input = by_weight = by_bias = None
    if output_mask[0]:
        kernel = lo.dense(weight)
        by_input = lo.new_buffer(dtype, x.shape)
        name = "conv_forward" if transposed else "conv_backward_input"
        lo.add_step(Native([by_input], [up, kernel], name, [*sizes, by_input, up, kernel, NULL], "conv.h", flops=work))
    together = output_mask[1] and output_mask[2] and not transposed
    if output_mask[1]:
        image = lo.dense(x)
        by_weight = lo.new_buffer(dtype, weight.shape)
        by_bias = lo.new_buffer(dtype, (weight.shape[0],)) if together else None
        pair = [image, up] if transposed else [up, image]
        outs = [by_weight, by_bias] if together else [by_weight]
        lo.add_step(Native(outs, pair, "conv_backward_weight", [*sizes, by_weight, by_bias or NULL, *pair], "conv.h",
                           flops=work))
    if output_mask[2] and not together:
        by_bias = lo.reduce(g, [0, *range(2, g.ndim)], "sum", dtype)
    return tuple(narrowed(lo, r, low) for r in (by_input, by_weight, by_bias))
