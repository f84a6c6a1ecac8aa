"""Gradients of convolutions on their own: with respect to the input or the weight, of which only the size is given."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.dispatch.errors import message

from ._gen import conv as _gen
from .functional.conv import spread

_backward: Any = _gen.op_convolution_backward
__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]


def _checked(op: str, n: int, size: Any, grad_output: Any, other: Any, what: str) -> tuple[int, ...]:
    for name, t in (("grad_output", grad_output), (what, other)):
        if not isinstance(t, Tensor):
            raise TypeError(message(op, f"argument '{name}' must be Tensor, not {type(t).__name__}"))
        if t._a.ndim != n + 2:
            raise RuntimeError(message(op, f"expected {name} to have {n + 2} dimensions, but got {t._a.ndim}"))
    size = tuple(size)
    if len(size) != n + 2:
        raise RuntimeError(message(op, f"expected a size of {n + 2} numbers", [list(size)]))
    return size


def _how(op: str, n: int, stride: Any, padding: Any, dilation: Any, groups: int) -> tuple[Any, ...]:
    given = {"stride": stride, "padding": padding, "dilation": dilation}
    return (*[spread(op, name, value, n) for name, value in given.items()], False, (0,) * n, groups)


def _input(n: int) -> Any:
    op = f"conv{n}d_input"

    def function(
        input_size: Any,
        weight: Tensor,
        grad_output: Tensor,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        size = _checked(op, n, input_size, grad_output, weight, "weight")
        x = grad_output.new_empty(1).expand(size)  # type: ignore[attr-defined]
        how = _how(op, n, stride, padding, dilation, groups)
        return _backward(grad_output, x, weight, None, *how, (True, False, False))[0]

    return _finish(function, op, n, "input", "input_size: the input's shape.\n        weight: as for the convolution.")


def _weight(n: int) -> Any:
    op = f"conv{n}d_weight"

    def function(
        input: Tensor,
        weight_size: Any,
        grad_output: Tensor,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        size = _checked(op, n, weight_size, grad_output, input, "input")
        w = grad_output.new_empty(1).expand(size)  # type: ignore[attr-defined]
        how = _how(op, n, stride, padding, dilation, groups)
        return _backward(grad_output, input, w, None, *how, (False, True, False))[1]

    first = "input: as for the convolution.\n        weight_size: the weight's shape."
    return _finish(function, op, n, "weight", first)


def _finish(function: Any, op: str, n: int, what: str, first: str) -> Any:
    function.__name__ = function.__qualname__ = op
    ones, dims = ", ".join(["1"] * (n + 1)), ", ".join(["1"] * n)
    call = f"(1, {ones}), w, g" if what == "input" else f"x, (1, {ones}), g"
    function.__doc__ = f"""The gradient of a {n}-dimensional convolution with respect to its {what}.

    Args:
        {first}
        grad_output: the gradient of the result.
        stride, padding, dilation, groups: as for the convolution.

    Returns:
        A tensor of the given shape.

    Raises:
        RuntimeError: if the shapes do not fit together.

    Example:
        >>> from lamella import core
        >>> x = w = g = core.ones(1, 1, {dims})
        >>> {op}({call}).tolist() == g.tolist()
        True
    """
    return function


conv1d_input, conv2d_input, conv3d_input = _input(1), _input(2), _input(3)
conv1d_weight, conv2d_weight, conv3d_weight = _weight(1), _weight(2), _weight(3)
