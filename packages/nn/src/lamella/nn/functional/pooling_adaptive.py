"""Pooling to a given size, as users call it."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor, functions as _core
from lamella.dispatch.errors import message

from .._args import need_tensor, spread
from .._gen import pooling_adaptive as _gen

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
]


def _size(op: str, n: int, x: Any, output_size: Any) -> tuple[int, ...]:
    """The size to pool to; None stands for the input's own."""
    need_tensor(op, input=x)
    if output_size is None:
        raise TypeError(message(op, "argument 'output_size' must be an int or a tuple of ints, not NoneType"))
    if not isinstance(output_size, int):
        wanted = tuple(output_size)
        if x.ndim <= len(wanted):
            raise ValueError(
                message(op, f"Input dimension should be at least {len(wanted) + 1}", {"input": list(x.shape)})
            )
        if len(wanted) == n:
            output_size = [m if v is None else v for v, m in zip(wanted, x.shape[-n:], strict=True)]
    return spread(op, "output_size", output_size, n)


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Any:
    need_tensor("adaptive_avg_pool1d", input=input)
    return _gen.op_adaptive_avg_pool1d(input, spread("adaptive_avg_pool1d", "output_size", output_size, 1))


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Any:
    size = _size("adaptive_avg_pool2d", 2, input, output_size)
    if size == (1, 1) and input.ndim in (3, 4) and input._a.size and input.dtype.is_floating_point:
        return input.mean((-1, -2), True)
    return _gen.op__adaptive_avg_pool2d(input, size)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Any:
    size = _size("adaptive_avg_pool3d", 3, input, output_size)
    if size == (1, 1, 1) and input.ndim in (4, 5) and input._a.size and input.dtype.is_floating_point:
        return input.mean((-1, -2, -3), True)
    return _gen.op__adaptive_avg_pool3d(input, size)


def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    need_tensor("adaptive_max_pool1d", input=input)
    return _gen.op_adaptive_max_pool1d(input, spread("adaptive_max_pool1d", "output_size", output_size, 1))


def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    return _gen.op_adaptive_max_pool2d(input, _size("adaptive_max_pool2d", 2, input, output_size))


def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    return _gen.op_adaptive_max_pool3d(input, _size("adaptive_max_pool3d", 3, input, output_size))


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    r = adaptive_max_pool1d_with_indices(input, output_size)
    return r if return_indices else r[0]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    r = adaptive_max_pool2d_with_indices(input, output_size)
    return r if return_indices else r[0]


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    r = adaptive_max_pool3d_with_indices(input, output_size)
    return r if return_indices else r[0]


_DOC = """The {what} of evenly spread windows over the last {n} dimension{s}, whatever their size.

    Window i of m over n elements goes from i * n // m up to (i + 1) * n / m, rounded up.

    Args:
        input: (N, C, {d}) or (C, {d}), of a floating type.
        output_size: the size to pool to; a number or one for each dimension{none}.{more}

    Returns:
        (N, C, *output_size){pair}.

    Raises:
        RuntimeError: for an input with another number of dimensions, or empty ones.

    Example:
        >>> from lamella import core
        >>> {name}(core.arange({count}.0).reshape({shape}), 2).flatten()
        {result}
    """
_SPACE = {1: "L", 2: "H, W", 3: "D, H, W"}
_INDEXED = "\n        return_indices: also return where the maxima are, flat over the spatial dimensions."


def _document(n: int, fn: Any, result: str) -> None:
    most = "max" in fn.__name__
    fn.__doc__ = _DOC.format(
        what="largest element" if most else "mean",
        n=n,
        s="" if n == 1 else "s",
        d=_SPACE[n],
        name=fn.__name__,
        result=result,
        none="" if n == 1 else ", None for the input's own",
        more=_INDEXED if most else "",
        pair=", or a pair of this and int64 places" if most else "",
        count=(4, 16, 8)[n - 1],
        shape=("1, 4", "1, 4, 4", "1, 2, 2, 2")[n - 1],
    )


for _n, _f, _r in (
    (1, adaptive_avg_pool1d, "tensor([0.5000, 2.5000])"),
    (1, adaptive_max_pool1d, "tensor([1., 3.])"),
    (2, adaptive_avg_pool2d, "tensor([ 2.5000,  4.5000, 10.5000, 12.5000])"),
    (2, adaptive_max_pool2d, "tensor([ 5.,  7., 13., 15.])"),
    (3, adaptive_avg_pool3d, "tensor([0., 1., 2., 3., 4., 5., 6., 7.])"),
    (3, adaptive_max_pool3d, "tensor([0., 1., 2., 3., 4., 5., 6., 7.])"),
):
    _document(_n, _f, _r)
for _n, _f in (
    (1, adaptive_max_pool1d_with_indices),
    (2, adaptive_max_pool2d_with_indices),
    (3, adaptive_max_pool3d_with_indices),
):
    _f.__doc__ = f"As `adaptive_max_pool{_n}d` with ``return_indices=True``: the maxima and where they are."


def _fractional(n: int, x: Any, kernel_size: Any, output_size: Any, output_ratio: Any, samples: Any) -> Any:
    op = f"fractional_max_pool{n}d"
    need_tensor(op, input=x)
    k = spread(op, "kernel_size", kernel_size, n)
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(
            message(op, f"Expected {n + 1}D or {n + 2}D (batch mode) tensor for input, but got: {list(x.shape)}")
        )
    if output_size is None:
        if output_ratio is None:
            raise ValueError(message(op, "it requires specifying either an output_size or an output_ratio"))
        ratio = (output_ratio,) * n if isinstance(output_ratio, (int, float)) else tuple(output_ratio)
        if len(ratio) not in (1, n):
            raise ValueError(
                message(op, f"it requires output_ratio to be a single number or a tuple of {n}", [list(ratio)])
            )
        ratio = ratio * n if len(ratio) == 1 else ratio
        output_size = [int(m * r) for m, r in zip(x.shape[-n:], ratio, strict=True)]
    size = spread(op, "output_size", output_size, n)
    if samples is None:
        batch = x.shape[0] if x.ndim == n + 2 else 1
        samples = _core.rand(batch, x.shape[-n - 1], n, dtype=x.dtype, device=x.device)
    return (_gen.op_fractional_max_pool2d if n == 2 else _gen.op_fractional_max_pool3d)(x, k, size, samples)


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    r = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return r if return_indices else r[0]


def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    r = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return r if return_indices else r[0]


_FRACTIONAL_DOC = """The largest element of windows with random steps (Graham, Fractional Max-Pooling, 2014).

    Args:
        input: (N, C, {d}) or (C, {d}), of a floating type.
        kernel_size: the size of the window; a number or one for each dimension.
        output_size: the size to pool to, or
        output_ratio: the share of the input's size, between 0 and 1.
        return_indices: also return where the maxima are, flat over the spatial dimensions.
        _random_samples: (N, C, {n}) numbers in [0, 1) that place the windows; drawn where not given.

    Returns:
        (N, C, *output_size), or a pair of this and int64 places.

    Raises:
        ValueError: without output_size and output_ratio.
        RuntimeError: for windows that do not fit.
    """
_fn: Any
_indexed: Any
for _n, _fn, _indexed in (
    (2, fractional_max_pool2d, fractional_max_pool2d_with_indices),
    (3, fractional_max_pool3d, fractional_max_pool3d_with_indices),
):
    _fn.__doc__ = _FRACTIONAL_DOC.format(d=_SPACE[_n], n=_n)
    _indexed.__doc__ = f"As `fractional_max_pool{_n}d` with ``return_indices=True``: the maxima and where they are."
