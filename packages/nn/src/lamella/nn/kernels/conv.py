"""Convolutions as matrix products.

The windows of an input are laid out as columns, one block copy for each place in the kernel window; a convolution is
then one product per batch entry. The same two moves (`columns` and `scatter`) give both gradients, and the transposed
convolution, which is the gradient of a convolution in its input.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from . import conv_blocks as blocks

Ints = tuple[int, ...]


def out_size(n: int, k: int, s: int, p: int, d: int) -> int:
    """How many windows fit into one dimension."""
    return (n + 2 * p - d * (k - 1) - 1) // s + 1


def padded(xp: Any, x: Any, padding: Ints, value: Any = 0) -> Any:
    """``x`` with its spatial dimensions padded on both sides."""
    if not any(padding):
        return x
    shape = (*x.shape[:2], *(n + 2 * p for n, p in zip(x.shape[2:], padding, strict=True)))
    r = xp.zeros(shape, x.dtype) if value == 0 else xp.full(shape, value, x.dtype)
    r[(..., *(slice(p, p + n) for n, p in zip(x.shape[2:], padding, strict=True)))] = x
    return r


def window(place: Ints, out: Ints, stride: Ints, dilation: Ints) -> tuple[Any, ...]:
    """The elements of a padded input that one place of the kernel window meets, over all windows."""
    return (
        ...,
        *(slice(i * d, i * d + s * (o - 1) + 1, s) for i, o, s, d in zip(place, out, stride, dilation, strict=True)),
    )


def columns(xp: Any, x: Any, kernel: Ints, out: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """All windows: (N, C, *kernel, *out) from (N, C, *size)."""
    if all(k == 1 for k in kernel) and all(s == 1 for s in stride) and not any(padding):
        return x.reshape(*x.shape[:2], *kernel, *x.shape[2:])
    x = padded(xp, x, padding)
    r = xp.empty((*x.shape[:2], *kernel, *out), x.dtype)
    for place in product(*map(range, kernel)):
        r[(slice(None), slice(None), *place)] = x[window(place, out, stride, dilation)]
    return r


def scatter(
    xp: Any, cols: Any, size: Ints, kernel: Ints, out: Ints, stride: Ints, padding: Ints, dilation: Ints
) -> Any:
    """Add windows (N, C, *kernel, *out) back into (N, C, *size)."""
    if all(k == 1 for k in kernel) and all(s == 1 for s in stride) and not any(padding):
        return cols.reshape(*cols.shape[:2], *size)
    r = xp.zeros((*cols.shape[:2], *(n + 2 * p for n, p in zip(size, padding, strict=True))), cols.dtype)
    for place in product(*map(range, kernel)):
        r[window(place, out, stride, dilation)] += cols[(slice(None), slice(None), *place)]
    if not any(padding):
        return r
    return xp.ascontiguousarray(r[(..., *(slice(p, p + n) for n, p in zip(size, padding, strict=True)))])


def _wide(xp: Any, *arrays: Any) -> tuple[Any, ...]:
    """Half precision is computed in float32."""
    return tuple(
        a.astype(xp.float32) if a is not None and a.dtype.itemsize == 2 and a.dtype.kind not in "iu" else a
        for a in arrays
    )


def _depthwise(channels: int, weight_shape: Ints, groups: int) -> bool:
    return groups > 1 and groups == channels == weight_shape[0]


def _blocked(weight_shape: Ints, groups: int) -> bool:
    """Whether columns are so much larger than results that they are better made block by block."""
    return groups == 1 and math.prod(weight_shape[2:]) > 1 and math.prod(weight_shape[1:]) >= 2 * weight_shape[0]


def _factor(weight: Any, place: Ints) -> Any:
    """One place of a depthwise kernel, to broadcast over batch and positions."""
    return weight[(slice(None), 0, *place)].reshape(1, -1, *[1] * len(place))


def forward(
    xp: Any, x: Any, weight: Any, stride: Ints, padding: Ints, dilation: Ints, groups: int, out: Ints | None = None
) -> Any:
    """The convolution of (N, C, *size) with (O, C / groups, *kernel); ``out`` leaves out windows at the end."""
    kernel = weight.shape[2:]
    if out is None:
        out = tuple(map(out_size, x.shape[2:], kernel, stride, padding, dilation))
    n, o = x.shape[0], weight.shape[0]
    if _depthwise(x.shape[1], weight.shape, groups):
        x = padded(xp, x, padding)
        r = xp.zeros((n, o, *out), x.dtype)
        for place in product(*map(range, kernel)):
            r += x[window(place, out, stride, dilation)] * _factor(weight, place)
        return r
    if _blocked(weight.shape, groups):
        return blocks.forward(xp, x, weight, out, stride, padding, dilation)
    cols = columns(xp, x, kernel, out, stride, padding, dilation)
    inner = weight.size // o if o else 0
    left = weight.reshape(groups, o // groups, inner)
    right = cols.reshape(n, groups, inner, math.prod(out))
    return xp.matmul(left, right).reshape(n, o, *out)


def backward_input(
    xp: Any, g: Any, weight: Any, size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    """The gradient of `forward` in its input of spatial ``size``."""
    kernel, out = weight.shape[2:], g.shape[2:]
    n, o = g.shape[:2]
    if _depthwise(weight.shape[1] * groups, weight.shape, groups):
        r = xp.zeros((n, o, *(m + 2 * p for m, p in zip(size, padding))), g.dtype)
        for place in product(*map(range, kernel)):
            r[window(place, out, stride, dilation)] += g * _factor(weight, place)
        return xp.ascontiguousarray(r[(..., *(slice(p, p + m) for p, m in zip(padding, size)))])
    if _blocked(weight.shape, groups):
        return blocks.backward_input(xp, g, weight, size, stride, padding, dilation)
    inner = weight.size // o if o else 0
    left = weight.reshape(groups, o // groups, inner).swapaxes(1, 2)
    cols = xp.matmul(left, g.reshape(n, groups, o // groups, math.prod(out)))
    cols = cols.reshape(n, groups * weight.shape[1], *kernel, *out)
    return scatter(xp, cols, size, kernel, out, stride, padding, dilation)


def backward_weight(
    xp: Any, g: Any, x: Any, weight_shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    """The gradient of `forward` in its weight."""
    kernel, out = weight_shape[2:], g.shape[2:]
    n, o = g.shape[:2]
    if _depthwise(x.shape[1], weight_shape, groups):
        x, r = padded(xp, x, padding), xp.empty(weight_shape, x.dtype)
        for place in product(*map(range, kernel)):
            part = g * x[window(place, out, stride, dilation)]
            r[(slice(None), 0, *place)] = part.reshape(n, o, math.prod(out)).sum(2).sum(0)
        return r
    if _blocked(weight_shape, groups):
        return blocks.backward_weight(xp, g, x, weight_shape, stride, padding, dilation)
    cols = columns(xp, x, kernel, out, stride, padding, dilation)
    positions, inner = math.prod(out), math.prod(weight_shape[1:])
    right = cols.reshape(n, groups, inner, positions).swapaxes(2, 3)
    left = g.reshape(n, groups, o // groups, positions)
    return xp.matmul(left, right).sum(0).reshape(weight_shape)


def convolution(
    xp: Any,
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
    from ..meta.conv import check_convolution

    stride, padding, dilation, extra = map(tuple, (stride, padding, dilation, output_padding))
    shape = check_convolution(input, weight, bias, stride, padding, dilation, transposed, extra, groups)
    x, w = _wide(xp, input, weight)
    if 0 in shape:
        r = xp.zeros(shape, x.dtype)
    elif transposed:
        r = backward_input(xp, x, w, shape[2:], stride, padding, dilation, groups)
    else:
        r = forward(xp, x, w, stride, padding, dilation, groups)
    if bias is not None:
        r += bias.reshape(1, -1, *[1] * (len(shape) - 2))
    return r.astype(input.dtype, copy=False)


def convolution_backward(
    xp: Any,
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
    stride, padding, dilation = map(tuple, (stride, padding, dilation))
    g, x, w = _wide(xp, grad_output, input, weight)
    gi = gw = gb = None
    if x.dtype.kind == "c":
        w, x = w.conj(), x.conj()
    if output_mask[0]:
        if transposed:
            # Output padding may leave room for more windows than the input has elements.
            gi = forward(xp, g, w, stride, padding, dilation, groups, x.shape[2:]) if g.size else xp.zeros_like(x)
        else:
            gi = (
                backward_input(xp, g, w, x.shape[2:], stride, padding, dilation, groups) if g.size else xp.zeros_like(x)
            )
        gi = gi.astype(input.dtype, copy=False)
    if output_mask[1]:
        if not g.size:
            gw = xp.zeros_like(w)
        elif transposed:
            gw = backward_weight(xp, x, g, w.shape, stride, padding, dilation, groups)
        else:
            gw = backward_weight(xp, g, x, w.shape, stride, padding, dilation, groups)
        gw = gw.astype(weight.dtype, copy=False)
    if output_mask[2]:
        gb = g.sum(axis=(0, *range(2, g.ndim))).astype(input.dtype, copy=False)
    return gi, gw, gb


def im2col(xp: Any, self: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    x = self if self.ndim == 4 else self[None]
    k, d, p, s = map(tuple, (kernel_size, dilation, padding, stride))
    out = tuple(map(out_size, x.shape[2:], k, s, p, d))
    r = columns(xp, x, k, out, s, p, d).reshape(x.shape[0], x.shape[1] * math.prod(k), math.prod(out))
    r = r.copy() if xp.may_share_memory(r, self) else r
    return r if self.ndim == 4 else r[0]


def col2im(xp: Any, self: Any, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    x = self if self.ndim == 3 else self[None]
    size, k, d, p, s = map(tuple, (output_size, kernel_size, dilation, padding, stride))
    out = tuple(map(out_size, size, k, s, p, d))
    cols = x.reshape(x.shape[0], x.shape[1] // math.prod(k), *k, *out)
    r = scatter(xp, cols, size, k, out, s, p, d)
    r = r.copy() if xp.may_share_memory(r, self) else r
    return r if self.ndim == 3 else r[0]
