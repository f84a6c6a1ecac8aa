"""Pooling over windows, as users call it."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import Tensor, functions as _core, int64
from lamella.core.checks import concrete
from lamella.core.faults import as_bool
from lamella.core.runtime import write_out
from lamella.dispatch.errors import message

from .._args import need_tensor, spread
from .._gen import pooling as _gen
from ..formulas import recorded

__all__ = [
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
]

_WITH_PLACES = {
    1: _gen.op__max_pool2d_with_places,
    2: _gen.op__max_pool2d_with_places,
    3: _gen.op__max_pool3d_with_places,
}


def _max_pool(
    n: int, x: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, return_indices: bool
) -> Any:
    op = f"max_pool{n}d"
    need_tensor(op, input=x)
    k = spread(op, "kernel_size", kernel_size, n)
    s = k if stride is None or (isinstance(stride, (tuple, list)) and not stride) else spread(op, "stride", stride, n)
    p, d = spread(op, "padding", padding, n), spread(op, "dilation", dilation, n)
    ceil_mode = as_bool(op, "ceil_mode", ceil_mode)
    if return_indices:
        values, places = _WITH_PLACES[n](x, k, s, p, d, ceil_mode)
        return values, _gen.op__max_pool_index(places, x.shape[-n:], k, s, p, d)
    if recorded(x):
        return _WITH_PLACES[n](x, k, s, p, d, ceil_mode)[0]
    return _gen.op__max_pool(x, k, s, p, d, ceil_mode)


_MAX_DOC = """The largest element of each window over the last {n} dimension{s}.

    Args:
        input: (N, C, {d}) or (C, {d}), real.
        kernel_size: the size of the window; here and below a number or one for each dimension.
        stride: from one window to the next; the window's size by default.
        padding: how much of minus infinity is put on both sides, at most half the window.
        dilation: from one element of a window to the next.
        ceil_mode: the last window may hang over the end.
        return_indices: also return where the maxima are.

    Returns:
        (N, C, ...) with (size + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1 in each dimension, or a
        pair of this and an int64 tensor of places in the flattened spatial dimensions. Of equal elements the first
        counts; a nan wins.

    Raises:
        RuntimeError: for windows that do not fit.

    Example:
        >>> from lamella import core
        >>> {name}(core.arange(8.0).reshape({shape}), 2).flatten()
        {result}
    """

_INDEXED_DOC = """As `max_pool{n}d` with ``return_indices=True``: the maxima and where they are."""


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max_pool(1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max_pool(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max_pool(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max_pool(1, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max_pool(2, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max_pool(3, input, kernel_size, stride, padding, dilation, ceil_mode, True)


_n: int
_f: Any
_SPACE = {1: "L", 2: "H, W", 3: "D, H, W"}
_SHAPE = {1: "1, 8", 2: "1, 2, 4", 3: "1, 2, 2, 2"}
for _n, _f, _g, _r in (
    (1, max_pool1d, max_pool1d_with_indices, "tensor([1., 3., 5., 7.])"),
    (2, max_pool2d, max_pool2d_with_indices, "tensor([5., 7.])"),
    (3, max_pool3d, max_pool3d_with_indices, "tensor([7.])"),
):
    _f.__doc__ = _MAX_DOC.format(
        n=_n, s="" if _n == 1 else "s", d=_SPACE[_n], name=_f.__name__, shape=_SHAPE[_n], result=_r
    )
    _g.__doc__ = _INDEXED_DOC.format(n=_n)


def _unpooled_size(op: str, n: int, x: Tensor, k: Any, s: Any, p: Any, output_size: Any) -> tuple[int, ...]:
    default = [(m - 1) * t + j - 2 * a for m, j, t, a in zip(x.shape[-n:], k, s, p, strict=True)]
    if output_size is None:
        return tuple(default)
    size = [int(v) for v in output_size]
    if len(size) == n + 2:
        size = size[-n:]
    if len(size) != n:
        raise ValueError(
            message(
                op,
                f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a "
                f"length of {len(size)}",
            )
        )
    for i, (v, m, t) in enumerate(zip(size, default, s, strict=True)):
        if not m - t < v < m + t:
            raise ValueError(message(op, f"invalid output_size {size} (dim {i} must be between {m - t} and {m + t})"))
    return tuple(size)


def _max_unpool(n: int, x: Any, indices: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any) -> Any:
    op = f"max_unpool{n}d"
    need_tensor(op, input=x, indices=indices)
    k, p = spread(op, "kernel_size", kernel_size, n), spread(op, "padding", padding, n)
    s = k if stride is None else spread(op, "stride", stride, n)
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(
            message(op, f"Input to {op} should be a {n + 1}d or {n + 2}d Tensor, but got a tensor with {x.ndim} dims")
        )
    size = _unpooled_size(op, n, x, k, s, p, output_size)
    if indices.dtype is not int64:
        raise RuntimeError(message(op, f"elements in indices should be type int64 but got: {indices.dtype}"))
    if indices.shape != x.shape:
        raise RuntimeError(
            message(
                op,
                "Expected shape of indices to be same as that of the input tensor",
                {"input": list(x.shape), "indices": list(indices.shape)},
            )
        )
    volume, lead = math.prod(size), tuple(x.shape[:-n])
    if any(v < 1 for v in size):
        raise RuntimeError(message(op, f"the output would have size {list(size)}"))
    flat = indices.reshape(*lead, -1)
    a = concrete(flat)._a
    if a.size and flat.device.type != "meta" and (a.min() < 0 or a.max() >= volume):
        bad = int(a.max() if a.max() >= volume else a.min())
        raise RuntimeError(message(op, f"Found an invalid max index: {bad} (output volumes are of size {list(size)})"))
    zeros = _core.zeros((*lead, volume), dtype=x.dtype, device=x.device)
    return zeros.scatter(-1, flat, x.reshape(*lead, -1)).reshape(*lead, *size)


_UNPOOL_DOC = """Puts maxima back where `max_pool{n}d` found them; everything else is zero.

    Args:
        input: the maxima, (N, C, {d}) or (C, {d}).
        indices: their places, from ``max_pool{n}d(..., return_indices=True)``.
        kernel_size, stride, padding: as they were for the pooling.
        output_size: the size to restore, where strides leave several possibilities; the smallest that fits the windows
            by default.

    Returns:
        (N, C, ...) of that size.

    Raises:
        ValueError: for an output_size that the pooling cannot have come from.
        RuntimeError: for indices of another type or shape, or outside the output.
    """


def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    return _max_unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)


for _n, _f in ((1, max_unpool1d), (2, max_unpool2d), (3, max_unpool3d)):
    _f.__doc__ = _UNPOOL_DOC.format(n=_n, d=_SPACE[_n])


def _windows(op: str, n: int, x: Any, kernel_size: Any, stride: Any, padding: Any) -> Any:
    need_tensor(op, input=x)
    k = spread(op, "kernel_size", kernel_size, n)
    s = k if stride is None or (isinstance(stride, (tuple, list)) and not stride) else spread(op, "stride", stride, n)
    return k, s, spread(op, "padding", padding, n)


def _flags(op: str, ceil_mode: Any, count_include_pad: Any) -> tuple[bool, bool]:
    return as_bool(op, "ceil_mode", ceil_mode), as_bool(op, "count_include_pad", count_include_pad)


def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    op = "avg_pool1d"
    k, s, p = _windows(op, 1, input, kernel_size, stride, padding)
    return _gen.op_avg_pool1d(input, k, s, p, *_flags(op, ceil_mode, count_include_pad))


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    *,
    out: Any = None,
) -> Any:
    op = "avg_pool2d"
    k, s, p = _windows(op, 2, input, kernel_size, stride, padding)
    r = _gen.op_avg_pool2d(input, k, s, p, *_flags(op, ceil_mode, count_include_pad), divisor_override)
    return r if out is None else write_out("avg_pool2d", out, r)


def avg_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    *,
    out: Any = None,
) -> Any:
    op = "avg_pool3d"
    k, s, p = _windows(op, 3, input, kernel_size, stride, padding)
    r = _gen.op_avg_pool3d(input, k, s, p, *_flags(op, ceil_mode, count_include_pad), divisor_override)
    return r if out is None else write_out("avg_pool3d", out, r)


_AVG_DOC = """The mean of each window over the last {n} dimension{s}.

    Args:
        input: (N, C, {d}) or (C, {d}).
        kernel_size: the size of the window; here and below a number or one for each dimension.
        stride: from one window to the next; the window's size by default.
        padding: how many zeros are put on both sides, at most half the window.
        ceil_mode: the last window may hang over the end.
        count_include_pad: whether the zeros count in the mean.{more}

    Returns:
        (N, C, ...) with (size + 2 * padding - kernel_size) // stride + 1 in each dimension.

    Raises:
        RuntimeError: for windows that do not fit.

    Example:
        >>> from lamella import core
        >>> {name}(core.arange(8.0).reshape({shape}), 2).flatten()
        {result}
    """
_OVERRIDE = (
    "\n        divisor_override: divides each window's sum by this instead."
    "\n        out: a tensor to write the result into."
)
for _n, _f, _r in (
    (1, avg_pool1d, "tensor([0.5000, 2.5000, 4.5000, 6.5000])"),
    (2, avg_pool2d, "tensor([2.5000, 4.5000])"),
    (3, avg_pool3d, "tensor([3.5000])"),
):
    _f.__doc__ = _AVG_DOC.format(
        n=_n,
        s="" if _n == 1 else "s",
        d=_SPACE[_n],
        name=_f.__name__,
        shape=_SHAPE[_n],
        result=_r,
        more="" if _n == 1 else _OVERRIDE,
    )


def _lp_pool(n: int, x: Tensor, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool) -> Any:
    need_tensor(f"lp_pool{n}d", input=x)
    k = spread(f"lp_pool{n}d", "kernel_size", kernel_size, n)
    if norm_type == math.inf:
        return (max_pool1d, max_pool2d, max_pool3d)[n - 1](x.abs(), k, stride, 0, 1, ceil_mode)
    mean = (avg_pool1d, avg_pool2d, avg_pool3d)[n - 1](x.pow(norm_type), k, stride, 0, ceil_mode)
    return (mean.sign() * _core.relu(mean.abs())).mul(math.prod(k)).pow(1.0 / norm_type)


_LP_DOC = """The p-norm of each window over the last {n} dimension{s}: the p-th root of the sum of p-th powers.

    Args:
        input: (N, C, {d}) or (C, {d}).
        norm_type: the power p.
        kernel_size: the size of the window; a number or one for each dimension.
        stride: from one window to the next; the window's size by default.
        ceil_mode: the last window may hang over the end.

    Returns:
        (N, C, ...), of the sizes that `avg_pool{n}d` gives.

    Raises:
        RuntimeError: for windows that do not fit.
    """


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    return _lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    return _lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    return _lp_pool(3, input, norm_type, kernel_size, stride, ceil_mode)


for _n, _f in ((1, lp_pool1d), (2, lp_pool2d), (3, lp_pool3d)):
    _f.__doc__ = _LP_DOC.format(n=_n, s="" if _n == 1 else "s", d=_SPACE[_n])
