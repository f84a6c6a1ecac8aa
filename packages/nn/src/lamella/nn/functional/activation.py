"""Activations: elementwise functions between layers."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as _core
from lamella.core.faults import explain_annotated
from lamella.core.runtime import write_out
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state as _state

from .._gen import activation as _gen

_ALPHA = 1.6732632423543772848170429916717
_SCALE = 1.0507009873554804934193349852946


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The larger of an element and 0.

    Args:
        input: a real tensor.
        inplace: write the result into ``input``.

    Example:
        >>> from lamella import core
        >>> relu(core.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """
    try:
        return input.relu_() if inplace else _core.relu(input)  # type: ignore[attr-defined]
    except Exception:
        explain_annotated("relu", relu, (input, inplace), {})
        raise


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Elements above a threshold; ``value`` in place of the others.

    Args:
        input: a real tensor.
        threshold: elements up to it are replaced.
        value: what replaces them.
        inplace: write the result into ``input``.

    Example:
        >>> from lamella import core
        >>> threshold(core.tensor([0.5, 2.0]), 1.0, -7.0)
        tensor([-7.,  2.])
    """
    return (_gen.op_threshold_ if inplace else _gen.op_threshold)(input, threshold, value)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Elements limited to ``[min_val, max_val]``.

    Args:
        input: a real tensor.
        min_val, max_val: the limits.
        inplace: write the result into ``input``.

    Raises:
        ValueError: if ``min_val`` is greater than ``max_val``.

    Example:
        >>> from lamella import core
        >>> hardtanh(core.tensor([-2.0, 0.5]))
        tensor([-1.0000,  0.5000])
    """
    if min_val > max_val:
        raise ValueError(
            message("hardtanh", "min_val cannot be greater than max_val", {"min_val": min_val, "max_val": max_val})
        )
    return (_gen.op_hardtanh_ if inplace else _gen.op_hardtanh)(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Elements limited to [0, 6]; ``inplace`` writes the result into ``input``.

    Example:
        >>> from lamella import core
        >>> relu6(core.tensor([-1.0, 7.0]))
        tensor([0., 6.])
    """
    return (_gen.op_hardtanh_ if inplace else _gen.op_hardtanh)(input, 0, 6)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x right of 0, ``alpha * (exp(x) - 1)`` left of it (Clevert et al., 2015).

    Args:
        input: a floating tensor.
        alpha: minus the limit on the left.
        inplace: write the result into ``input``.

    Example:
        >>> from lamella import core
        >>> elu(core.tensor([0.0, 2.0]))
        tensor([0., 2.])
    """
    return (_gen.op_elu_ if inplace else _gen.op_elu)(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu` scaled so that mean 0 and variance 1 reproduce themselves (Klambauer et al., 2017).

    Args:
        input: a floating tensor.
        inplace: write the result into ``input``.

    Example:
        >>> from lamella import core
        >>> selu(core.tensor([1.0]))
        tensor([1.0507])
    """
    return (_gen.op_elu_ if inplace else _gen.op_elu)(input, _ALPHA, _SCALE)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x right of 0, ``alpha * (exp(x / alpha) - 1)`` left of it: `elu` without a kink (Barron, 2017).

    Args:
        input: a floating tensor.
        alpha: minus the limit on the left; not 0.
        inplace: write the result into ``input``.

    Raises:
        RuntimeError: if ``alpha`` is 0.

    Example:
        >>> from lamella import core
        >>> celu(core.tensor([0.0, 3.0]), 2.0)
        tensor([0., 3.])
    """
    if alpha == 0:
        raise RuntimeError(message("celu", "ZeroDivisionError: alpha cannot be 0 for CELU"))
    return (_gen.op_elu_ if inplace else _gen.op_elu)(input, alpha, 1.0, 1.0 / alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x right of 0, ``negative_slope * x`` left of it.

    Args:
        input: a floating tensor.
        negative_slope: the slope left of 0.
        inplace: write the result into ``input``.

    Example:
        >>> from lamella import core
        >>> leaky_relu(core.tensor([-1.0, 2.0]), 0.5)
        tensor([-0.5000,  2.0000])
    """
    return (_gen.op_leaky_relu_ if inplace else _gen.op_leaky_relu)(input, negative_slope)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """x right of 0, ``weight * x`` left of it, with one learned slope or one for each channel (He et al., 2015).

    Args:
        input: a floating tensor; its dimension 1 is that of the channels.
        weight: a tensor of one element, or of as many as there are channels.

    Raises:
        RuntimeError: for a weight that is no vector of that size, or of another type.

    Example:
        >>> from lamella import core
        >>> prelu(core.tensor([-2.0, 2.0]), core.tensor([0.25]))
        tensor([-0.5000,  2.0000])
    """
    x, w = input._a, weight._a
    if x.dtype != w.dtype:
        raise RuntimeError(message("prelu", f"Type promoting not supported. Got {input.dtype} and {weight.dtype}"))
    if w.ndim > 1:
        raise RuntimeError(message("prelu", f"Expected `weight` to be a scalar or 1D tensor, but got: ndim = {w.ndim}"))
    if w.size != 1:
        if x.ndim == 0:
            raise RuntimeError(message("prelu", "Not allow zero-dim input tensor."))
        channels = x.shape[1] if x.ndim > 1 else 1
        if w.size != channels:
            raise RuntimeError(
                message(
                    "prelu",
                    "Mismatch of parameter numbers and input channel size. Found parameter "
                    f"numbers = {w.size} and channel size = {channels}.",
                )
            )
    elif w.ndim == 0:
        return _gen.op__prelu_kernel(input, weight)
    shape = [1] * x.ndim
    if x.ndim > 1:
        shape[1] = w.size
    return _gen.op__prelu_kernel(input, weight.reshape(shape))  # type: ignore[attr-defined]


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """`leaky_relu` with slopes drawn from ``[lower, upper)`` in training, and their mean otherwise.

    Args:
        input: a floating tensor.
        lower, upper: the range of slopes.
        training: draw a slope for each element that is not positive.
        inplace: write the result into ``input``.

    Example:
        >>> from lamella import core
        >>> rrelu(core.tensor([-1.0, 2.0]), 0.25, 0.75)
        tensor([-0.5000,  2.0000])
    """
    if lower > upper:
        raise RuntimeError(
            message(
                "rrelu", "lower bound should be less than or equal to the upper bound", {"lower": lower, "upper": upper}
            )
        )
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    noise = _gen.op__rrelu_noise(input, float(lower), float(upper))
    return input.mul_(noise) if inplace else input * noise  # type: ignore[attr-defined, operator]


def gelu(input: Tensor, *, approximate: str = "none", out: Tensor | None = None) -> Tensor:
    """x times the normal distribution function of x (Hendrycks and Gimpel, 2016).

    Args:
        input: a floating tensor.
        approximate: ``"none"``, or ``"tanh"`` for the formula with tanh that some models were trained with.

    Raises:
        RuntimeError: for another ``approximate``.

    Example:
        >>> from lamella import core
        >>> gelu(core.tensor([-1.0, 0.0, 1.0]))
        tensor([-0.1587,  0.0000,  0.8413])
    """
    # A backward pass will want the slope, which costs little while the forward pass has its parts at hand.
    # Only this thread's masks count: how much is saved must not depend on what other threads do (checkpoints count it).
    plain = not _state.affected or not (_state.thread.include or _state.thread.exclude)
    if isinstance(input, Tensor) and input._ks & AUTOGRAD_MASK and plain and out is None:
        return _gen.op__gelu_with_slope(input, approximate)[0]
    r = _gen.op_gelu(input, approximate=approximate)
    return r if out is None else write_out("gelu", out, r)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x times its logistic function, also called swish; ``inplace`` writes the result into ``input``.

    Example:
        >>> from lamella import core
        >>> silu(core.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7311])
    """
    return (_gen.op_silu_ if inplace else _gen.op_silu)(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * tanh(softplus(x))`` (Misra, 2019); ``inplace`` writes the result into ``input``.

    Example:
        >>> from lamella import core
        >>> mish(core.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8651])
    """
    return (_gen.op_mish_ if inplace else _gen.op_mish)(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """0 left of -3, 1 right of 3, a line between; ``inplace`` writes the result into ``input``.

    Example:
        >>> from lamella import core
        >>> hardsigmoid(core.tensor([-4.0, 0.0, 4.0]))
        tensor([0.0000, 0.5000, 1.0000])
    """
    return (_gen.op_hardsigmoid_ if inplace else _gen.op_hardsigmoid)(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x times its `hardsigmoid` (Howard et al., 2019); ``inplace`` writes the result into ``input``.

    Example:
        >>> from lamella import core
        >>> hardswish(core.tensor([-4.0, 3.0]))
        tensor([-0., 3.])
    """
    return (_gen.op_hardswish_ if inplace else _gen.op_hardswish)(input)


def softplus(input: Tensor, beta: float = 1, threshold: float = 20, *, out: Tensor | None = None) -> Tensor:
    """``log(1 + exp(beta * x)) / beta``: a smooth relu.

    Args:
        input: a floating tensor.
        beta: the sharpness.
        threshold: where ``beta * x`` exceeds it, the result is x.

    Example:
        >>> from lamella import core
        >>> softplus(core.tensor([0.0, 30.0]))
        tensor([ 0.6931, 30.0000])
    """
    r = _gen.op_softplus(input, beta, threshold)
    return r if out is None else write_out("softplus", out, r)


def logsigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the logistic function.

    Example:
        >>> from lamella import core
        >>> logsigmoid(core.tensor([0.0]))
        tensor([-0.6931])
    """
    r = _gen.op_log_sigmoid(input)
    return r if out is None else write_out("logsigmoid", out, r)


def hardshrink(input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Elements outside ``[-lambd, lambd]``, 0 in place of the others.

    Example:
        >>> from lamella import core
        >>> hardshrink(core.tensor([0.25, 1.0]))
        tensor([0., 1.])
    """
    r = _gen.op_hardshrink(input, lambd)
    return r if out is None else write_out("hardshrink", out, r)


def softshrink(input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Elements moved towards 0 by ``lambd``, at most to 0.

    Raises:
        RuntimeError: if ``lambd`` is negative.

    Example:
        >>> from lamella import core
        >>> softshrink(core.tensor([0.25, 1.0]))
        tensor([0.0000, 0.5000])
    """
    r = _gen.op_softshrink(input, lambd)
    return r if out is None else write_out("softshrink", out, r)


def tanhshrink(input: Tensor) -> Tensor:
    """``x - tanh(x)``."""
    return input - input.tanh()  # type: ignore[attr-defined]


def softsign(input: Tensor) -> Tensor:
    """``x / (1 + |x|)``."""
    return input / (input.abs() + 1)  # type: ignore[attr-defined]


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent."""
    return input.tanh()  # type: ignore[attr-defined]


def sigmoid(input: Tensor) -> Tensor:
    """The logistic function ``1 / (1 + exp(-x))``."""
    return input.sigmoid()  # type: ignore[attr-defined]


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half of the input times the logistic function of the second half (Dauphin et al., 2016).

    Args:
        input: a floating tensor.
        dim: the dimension that is halved; its size is even.

    Raises:
        RuntimeError: for a tensor without dimensions or an odd size.

    Example:
        >>> from lamella import core
        >>> glu(core.tensor([4.0, 0.0]))
        tensor([2.])
    """
    if input._a.ndim == 0:
        raise RuntimeError(message("glu", "does not support 0-dimensional tensors"))
    n = input.size(dim)
    if not input.is_floating_point():  # type: ignore[attr-defined]
        raise NotImplementedError(message("glu", f"it is not implemented for {input.dtype.name} tensors"))
    if n % 2:
        raise RuntimeError(message("glu", f"Halving dimension must be even, but dimension {dim} is size {n}"))
    a, b = input.chunk(2, dim)  # type: ignore[attr-defined]
    return a * b.sigmoid()


def _in_place(fn: Any) -> Any:
    def changed(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return fn(input, *args, inplace=True, **kwargs)

    changed.__name__ = changed.__qualname__ = f"{fn.__name__}_"
    changed.__doc__ = f"`{fn.__name__}`, written into the input."
    return changed


relu_, threshold_, hardtanh_, elu_, selu_, celu_, leaky_relu_, rrelu_ = (
    _in_place(f) for f in (relu, threshold, hardtanh, elu, selu, celu, leaky_relu, rrelu)
)

__all__ = [
    "celu",
    "celu_",
    "elu",
    "elu_",
    "gelu",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "leaky_relu",
    "leaky_relu_",
    "logsigmoid",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "rrelu",
    "rrelu_",
    "selu",
    "selu_",
    "sigmoid",
    "silu",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "threshold_",
]
