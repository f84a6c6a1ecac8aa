"""Differences, slopes and areas of sampled functions."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen import comparison as _comp
from ..checks import wrap_dim, wrap_dims
from ..runtime import is_number, write_out
from ..tensor import Tensor


def diff(
    input: Tensor,  # noqa: A002
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Any = None,
) -> Tensor:
    """Differences of neighbours along a dimension.

    Args:
        input: a tensor of at least one dimension; of bools, where neighbours differ.
        n: how often to take differences.
        dim: along which dimension.
        prepend, append: what to put before and after ``input`` first.
        out: where the result goes.

    Raises:
        RuntimeError: for a 0-d tensor or a negative ``n``.
        IndexError: for a dimension out of range.

    Example:
        >>> from lamella import core
        >>> diff(core.tensor([1, 3, 2]))
        tensor([ 2, -1])
    """
    if input._a.ndim == 0:
        raise RuntimeError(message("diff", "input must have at least one dimension"))
    if n < 0:
        raise RuntimeError(message("diff", f"order must be non-negative but got {n}"))
    axis = wrap_dim("diff", dim, input._a.ndim)
    r: Any = input
    if n == 0:
        r = r.clone()
    else:
        parts = [x for x in (prepend, input, append) if x is not None]
        if len(parts) > 1:
            from . import FUNCTIONS as everything

            r = everything["cat"](parts, axis)
        for _ in range(min(n, r.shape[axis])):
            m = r.shape[axis] - 1
            high, low = r.narrow(axis, 1, m), r.narrow(axis, 0, m)
            r = _comp.op_logical_xor(high, low) if r.dtype is dt.bool_ else high - low
    return r if out is None else write_out("diff", out, r)


def _steps(op: str, y: Tensor, x: Any, axis: int) -> Any:
    """The widths between sample points, shaped to meet ``y``."""
    if x.dtype is dt.bool_:
        raise RuntimeError(message(op, "received a bool input for x or y, but bool is not supported"))
    if x.ndim == 1 and y.ndim > 1:
        if x.shape[0] != y.shape[axis]:
            raise RuntimeError(
                message(op, "there must be one x value for each sample point", {"x": list(x.shape), "y": list(y.shape)})
            )
        return diff(x).reshape([-1 if i == axis else 1 for i in range(y.ndim)])  # type: ignore[attr-defined]
    if x.ndim < y.ndim:
        x = x.reshape([1] * (y.ndim - x.ndim) + list(x.shape))
    return diff(x, dim=axis)


def _areas(op: str, y: Any, x: Any, dx: Any, dim: int) -> tuple[Any, int]:
    """Twice the area between neighbours, and the dimension counted from the front."""
    if y.dtype is dt.bool_:
        raise RuntimeError(message(op, "received a bool input for x or y, but bool is not supported"))
    axis = wrap_dim(op, dim, y.ndim)
    if x is not None and dx is not None:
        raise TypeError(message(op, "x and dx cannot be given together"))
    m = max(y.shape[axis] - 1, 0) if y.ndim else 0
    if not y.ndim or not y.shape[axis]:
        return y.new_zeros([n for i, n in enumerate(y.shape) if i != axis] if y.ndim else ()), -1
    both = y.narrow(axis, 0, m) + y.narrow(axis, 1, m)
    if x is not None:
        return both * _steps(op, y, x, axis), axis
    return both if dx is None or (is_number(dx) and dx == 1) else both * dx, axis


def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """The integral of samples along a dimension by the trapezoidal rule.

    Args:
        y: samples.
        x: where they were taken; ``dx`` apart if not given.
        dx: the distance of neighbours, 1 by default.
        dim: along which dimension.

    Raises:
        RuntimeError: for bools, or x that does not fit y.

    Example:
        >>> from lamella import core
        >>> trapezoid(core.tensor([1.0, 5.0, 10.0]))
        tensor(10.5000)
    """
    r, axis = _areas("trapezoid", y, x, dx, dim)
    return r if axis < 0 else r.sum(axis) / 2.0


def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """As `trapezoid`, up to every sample but the first.

    Example:
        >>> from lamella import core
        >>> cumulative_trapezoid(core.tensor([1.0, 5.0, 10.0]))
        tensor([ 3.0000, 10.5000])
    """
    r, axis = _areas("cumulative_trapezoid", y, x, dx, dim)
    return r if axis < 0 else r.cumsum(axis) / 2.0


def gradient(input: Tensor, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple[Tensor, ...]:  # noqa: A002
    """The slope along dimensions, from second-order central differences.

    Args:
        input: samples.
        spacing: the distance of neighbours: a number, one for each dimension, or a tensor of positions for each.
        dim: one dimension or several; all if not given.
        edge_order: 1 or 2, the order of the one-sided differences at both ends.

    Returns:
        A tensor for each dimension.

    Raises:
        RuntimeError: for spacing that does not match the dimensions, or too few samples.

    Example:
        >>> from lamella import core
        >>> gradient(core.tensor([1.0, 2.0, 4.0, 8.0]))
        (tensor([1.0000, 1.5000, 3.0000, 4.0000]),)
    """
    dims = wrap_dims("gradient", range(input._a.ndim) if dim is None else dim, input._a.ndim)
    if edge_order not in (1, 2):
        raise RuntimeError(
            message("gradient", "only edge_order=1 and edge_order=2 are supported", {"edge_order": edge_order})
        )
    steps = (
        [1.0 if spacing is None else spacing] * len(dims) if spacing is None or is_number(spacing) else list(spacing)
    )
    if len(steps) != len(dims):
        raise RuntimeError(
            message(
                "gradient",
                "expected spacing to be unspecified, a scalar, or as many values as dims",
                {"spacing": len(steps), "dims": len(dims)},
            )
        )
    found = []
    for axis, step in zip(dims, steps, strict=True):
        if input._a.shape[axis] < edge_order + 1:
            raise RuntimeError(
                message(
                    "gradient",
                    "each dimension size must be at least edge_order + 1",
                    {"size": input._a.shape[axis], "edge_order": edge_order},
                )
            )
        if isinstance(step, Tensor) and step.device != input.device:
            raise RuntimeError(
                message(
                    "gradient", "expected each tensor to be on the same device", [str(step.device), str(input.device)]
                )
            )
        found.append(_slope(input, step, axis, edge_order))
    return tuple(found)


def _slope(f: Any, step: Any, axis: int, order: int) -> Any:
    """The slope along one dimension; the coefficients are those of parabolas through three samples."""
    from . import FUNCTIONS as everything

    n = f.shape[axis]
    if isinstance(step, Tensor) and step._a.ndim:
        h = diff(step).reshape([-1 if i == axis else 1 for i in range(f.ndim)])  # type: ignore[attr-defined]
    else:
        h = f.new_full([n - 1 if i == axis else 1 for i in range(f.ndim)], 1.0, dtype=_real_type(f)) * step

    def at(x: Any, i: int, m: int = 1) -> Any:
        return x.narrow(axis, i if i >= 0 else x.shape[axis] + i, m)

    parts = []
    if n > 2:
        p, q = at(h, 0, n - 2), at(h, 1, n - 2)
        mid = at(f, 0, n - 2) * (-q / (p * (p + q))) + at(f, 1, n - 2) * ((q - p) / (p * q))
        parts = [mid + at(f, 2, n - 2) * (p / (q * (p + q)))]
    if order == 1:
        first, last = (at(f, 1) - at(f, 0)) / at(h, 0), (at(f, -1) - at(f, -2)) / at(h, -1)
    else:
        p, q = at(h, 0), at(h, 1)
        first = (
            at(f, 0) * (-(p * 2 + q) / (p * (p + q))) + at(f, 1) * ((p + q) / (p * q)) - at(f, 2) * (p / (q * (p + q)))
        )
        p, q = at(h, -2), at(h, -1)
        last = (
            at(f, -3) * (q / (p * (p + q)))
            - at(f, -2) * ((q + p) / (p * q))
            + at(f, -1) * ((q * 2 + p) / (q * (p + q)))
        )
    return everything["cat"]([first, *parts, last], axis)


def _real_type(f: Any) -> Any:
    return f.dtype.to_real() if f.dtype.category > 1 else dt.get_default_dtype()


FUNCTIONS: dict[str, Any] = {f.__name__: f for f in (diff, trapezoid, cumulative_trapezoid, gradient)} | {
    "trapz": trapezoid
}
METHODS = {"diff": diff}
