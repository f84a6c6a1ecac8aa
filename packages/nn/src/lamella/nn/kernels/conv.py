"""Convolutions as matrix products.

The windows of an input are laid out as columns, one block copy for each place in the kernel window; a convolution is
then one product per batch entry. The same two moves (`columns` and `scatter`) give both gradients, and the transposed
convolution, which is the gradient of a convolution in its input.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from lamella.core.kernels.sums import ones_of

from . import conv_blocks as blocks, conv_depthwise as depthwise, conv_small as small
from .few import is_few, mapped

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


def _large(kernel: Ints) -> bool:
    """Whether a window has so many places that even the columns of a depthwise convolution cost more than they save."""
    return math.prod(kernel) > 16


def _few(x: Any, kernel: Ints, out: Ints, o: int) -> bool:
    """Whether the columns of all images are so few that one gather makes them fastest."""
    return x.shape[0] * math.prod(out) * max(x.shape[1] * math.prod(kernel), o) <= small.FEW


def _blocked(weight_shape: Ints, groups: int) -> bool:
    """Whether columns are so much larger than results that they are better made block by block."""
    return math.prod(weight_shape[2:]) > 1 and math.prod(weight_shape[1:]) >= 2 * (weight_shape[0] // groups)


def _batches(n: int, each: int) -> list[slice]:
    """Images in blocks whose columns, ``each`` elements an image, stay in cache."""
    step = max((1 << 18) // max(each, 1), 1)
    return [slice(i, i + step) for i in range(0, n, step)] if n > step else [slice(0, n)]


def forward(
    xp: Any,
    x: Any,
    weight: Any,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    out: Ints | None = None,
    bias: Any = None,
) -> Any:
    """The convolution of (N, C, *size) with (O, C / groups, *kernel); ``out`` leaves out windows at the end."""
    kernel = weight.shape[2:]
    if out is None:
        out = tuple(map(out_size, x.shape[2:], kernel, stride, padding, dilation))
    n, o = x.shape[0], weight.shape[0]
    if _few(x, kernel, out, o):
        r = _product(xp, weight, small.columns(xp, x, kernel, out, stride, padding, dilation), groups)
        r = r.reshape(n, o, *out)
    elif _large(kernel) and _depthwise(x.shape[1], weight.shape, groups):
        r = depthwise.forward(xp, x, weight, out, stride, padding, dilation)
    elif _blocked(weight.shape, groups):
        return blocks.forward(xp, x, weight, out, stride, padding, dilation, groups, bias)
    else:
        r = xp.empty((n, o, *out), x.dtype)
        for part in _batches(n, x.shape[1] * math.prod(kernel) * math.prod(out)):
            cols = columns(xp, x[part], kernel, out, stride, padding, dilation)
            _product(xp, weight, cols.reshape(cols.shape[0], -1, math.prod(out)), groups, r[part])
    if bias is not None:
        r += bias.reshape(1, -1, *[1] * len(out))
    return r


def _product(xp: Any, weight: Any, cols: Any, groups: int, out: Any = None) -> Any:
    """The weight times the columns (n, C * places, positions) of each image."""
    o, positions = weight.shape[0], cols.shape[2]
    if groups == 1:
        left = weight.reshape(o, cols.shape[1])
        return xp.matmul(left, cols, out=None if out is None else out.reshape(len(cols), o, positions))
    left = weight.reshape(groups, o // groups, cols.shape[1] // groups)
    right = cols.reshape(len(cols), groups, -1, positions)
    return xp.matmul(left, right, out=None if out is None else out.reshape(len(cols), groups, -1, positions))


def _turned(weight: Any, groups: int) -> Any:
    """The kernel of the gradient: input and output channels swapped, all places in reverse order."""
    o, c, *kernel = weight.shape
    back = (..., *(slice(None, None, -1) for _ in kernel))
    if groups == 1:
        return weight.swapaxes(0, 1)[back]
    return weight.reshape(groups, o // groups, c, *kernel).swapaxes(1, 2)[back].reshape(groups * c, -1, *kernel)


def backward_input(
    xp: Any, g: Any, weight: Any, size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    """The gradient of `forward` in its input of spatial ``size``."""
    kernel, out = weight.shape[2:], g.shape[2:]
    n, o = g.shape[:2]
    ones = (1,) * len(size)
    around = tuple([d * (k - 1) - p for k, p, d in zip(kernel, padding, dilation)])
    if _few(g, kernel, size, weight.shape[1] * groups) and min(around) >= 0:
        wide = small.stretched(xp, g, size, kernel, stride, padding, dilation)
        cols = small.columns(xp, wide, kernel, size, ones, (0,) * len(size), dilation)
        return _product(xp, _turned(weight, groups), cols, groups).reshape(n, -1, *size)
    exact = all(m == v + d * (k - 1) - 2 * p for m, v, k, p, d in zip(size, out, kernel, padding, dilation))
    if math.prod(kernel) > 1 and stride == ones and exact and min(around) >= 0:
        return forward(xp, g, _turned(weight, groups), ones, around, dilation, groups, size)
    if _depthwise(weight.shape[1] * groups, weight.shape, groups):
        return depthwise.backward_input(xp, g, weight, size, stride, padding, dilation)
    if _blocked(weight.shape, groups):
        return blocks.backward_input(xp, g, weight, size, stride, padding, dilation, groups)
    c, inner = weight.shape[1] * groups, weight.size // o if o else 0
    left = weight.reshape(groups, o // groups, inner).swapaxes(1, 2)
    if math.prod(kernel) == 1 and stride == ones and not any(padding):
        return xp.matmul(left, g.reshape(n, groups, o // groups, math.prod(out))).reshape(n, c, *size)
    r = xp.empty((n, c, *size), g.dtype)
    for part in _batches(n, groups * inner * math.prod(out)):
        up = g[part]
        cols = xp.matmul(left, up.reshape(len(up), groups, o // groups, math.prod(out)))
        cols = cols.reshape(len(up), c, *kernel, *out)
        r[part] = scatter(xp, cols, size, kernel, out, stride, padding, dilation)
    return r


def backward_weight(
    xp: Any, g: Any, x: Any, weight_shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    """The gradient of `forward` in its weight."""
    kernel, out = weight_shape[2:], g.shape[2:]
    n, o = g.shape[:2]
    few = _few(x, kernel, out, o)
    whole = all(s == 1 for s in stride) or _large(kernel)
    if not few and whole and _depthwise(x.shape[1], weight_shape, groups):
        return depthwise.backward_weight(xp, g, x, weight_shape, stride, padding, dilation)
    if not few and _blocked(weight_shape, groups):
        return blocks.backward_weight(xp, g, x, weight_shape, stride, padding, dilation, groups)
    positions, inner = math.prod(out), math.prod(weight_shape[1:])
    total: Any = None
    for part in [slice(0, n)] if few else _batches(n, x.shape[1] * math.prod(kernel) * positions):
        make = small.columns if few else columns
        right = make(xp, x[part], kernel, out, stride, padding, dilation).reshape(-1, groups, inner, positions)
        left = g[part].reshape(-1, groups, o // groups, positions)
        made = xp.matmul(left, right.swapaxes(2, 3))
        made = made[0] if len(made) == 1 else xp.add.reduce(made, 0)
        total = made if total is None else xp.add(total, made, total)
    return total.reshape(weight_shape)


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
    x, w, b = _wide(xp, input, weight, bias)
    if not transposed and 0 not in shape:
        r = forward(xp, x, w, stride, padding, dilation, groups, shape[2:], b)
        return r.astype(input.dtype, copy=False)
    if 0 in shape:
        r = xp.zeros(shape, x.dtype)
    else:
        r = backward_input(xp, x, w, shape[2:], stride, padding, dilation, groups)
    if b is not None:
        r += b.reshape(1, -1, *[1] * (len(shape) - 2))
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
        gb = _channel_sums(xp, g).astype(input.dtype, copy=False)
    return gi, gw, gb


def _channel_sums(xp: Any, g: Any) -> Any:
    """Sums over all but the channels: products with ones."""
    n, o = g.shape[:2]
    positions = math.prod(g.shape[2:])
    if not g.flags.c_contiguous or g.dtype.kind != "f" or g.size < 1 << 12:
        return g.sum(axis=(0, *range(2, g.ndim)))
    return xp.add.reduce(g.reshape(n * o, positions).dot(ones_of(xp, positions, g.dtype)).reshape(n, o), 0)


def im2col(xp: Any, self: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    x = self if self.ndim == 4 else self[None]
    k, d, p, s = map(tuple, (kernel_size, dilation, padding, stride))
    out = tuple(map(out_size, x.shape[2:], k, s, p, d))
    if x.size and _few(x, k, out, 0) and min(out) > 0:
        r = small.columns(xp, x, k, out, s, p, d)
        return r if self.ndim == 4 else r[0]
    r = columns(xp, x, k, out, s, p, d).reshape(x.shape[0], x.shape[1] * math.prod(k), math.prod(out))
    r = r.copy() if xp.may_share_memory(r, self) else r
    return r if self.ndim == 4 else r[0]


@lru_cache(64)
def _overlaps(size: Ints, k: Ints, out: Ints, s: Ints, p: Ints, d: Ints, dtype: Any) -> Any:
    """The matrix that adds few windows into an image."""
    n = math.prod(k) * math.prod(out)
    cols = np.eye(n, dtype=dtype).reshape(n, 1, *k, *out)
    return scatter(np, cols, size, k, out, s, p, d).reshape(n, math.prod(size))


def col2im(xp: Any, self: Any, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    x = self if self.ndim == 3 else self[None]
    size, k, d, p, s = map(tuple, (output_size, kernel_size, dilation, padding, stride))
    out = tuple(map(out_size, size, k, s, p, d))
    lead, each = (x.shape[0], x.shape[1] // math.prod(k)), (math.prod(k), math.prod(out))
    if is_few(x, each, size) and x.size and len(size) == 2:
        r = mapped(xp, x.reshape(*lead, *each), xp.asarray(_overlaps(size, k, out, s, p, d, x.dtype)), size)
        if r is not None:
            return r if self.ndim == 3 else r[0]
    cols = x.reshape(*lead, *k, *out)
    r = scatter(xp, cols, size, k, out, s, p, d)
    r = r.copy() if xp.may_share_memory(r, self) else r
    return r if self.ndim == 3 else r[0]
