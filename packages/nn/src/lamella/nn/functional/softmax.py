"""Shares: softmax and its kin, and vectors of length one."""

from __future__ import annotations

import warnings
from typing import Any

from lamella.core import functions as _core
from lamella.core.faults import explain_annotated
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.registry import find
from lamella.dispatch.state import state

_softmax: Any = find("aten::_softmax")
_kernels = _softmax.table


def _dim(name: str, input: Tensor, dim: int | None, stacklevel: int) -> int:
    """The dimension, or the one that torch once chose by itself."""
    if dim is not None:
        return dim
    warnings.warn(
        message(name, "choosing the dimension implicitly is deprecated", hint="pass dim="), stacklevel=stacklevel
    )
    return 0 if input._a.ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """exp(x) divided by its sum along a dimension.

    Args:
        input: a floating tensor.
        dim: the dimension whose elements sum to 1 afterwards. Not passing it is deprecated.
        dtype: type to convert to first.

    Example:
        >>> from lamella import core
        >>> softmax(core.zeros(2, 4), -1)[0]
        tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    try:
        if dim is None:
            dim = _dim("softmax", input, dim, _stacklevel)
        if dtype is None and input.__class__ is Tensor and dim.__class__ is int and not input._ks & state.affected:
            return _kernels[input._ks](input, dim, False)  # what the call below comes to, without its checks
        return _core.softmax(input, dim, dtype)  # type: ignore[attr-defined]
    except Exception:
        explain_annotated("softmax", softmax, (input, dim), {})
        raise


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """`softmax` of the negative input; arguments are the same."""
    return _core.softmax(-input, _dim("softmin", input, dim, _stacklevel), dtype)  # type: ignore[attr-defined, operator]


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of `softmax`, computed without loss of small values; arguments are the same.

    Example:
        >>> from lamella import core
        >>> log_softmax(core.zeros(2), 0)
        tensor([-0.6931, -0.6931])
    """
    try:
        if dim is None:
            dim = _dim("log_softmax", input, dim, _stacklevel)
        return _core.log_softmax(input, dim, dtype)  # type: ignore[attr-defined]
    except Exception:
        explain_annotated("log_softmax", log_softmax, (input, dim), {})
        raise


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A draw from a categorical distribution that has a gradient (Jang et al., Maddison et al., 2016).

    Args:
        logits: unnormalised logarithms of the probabilities.
        tau: temperature; the lower, the nearer to one-hot.
        hard: give one-hot vectors, with the gradient of the soft ones.
        eps: not used.
        dim: the dimension of the categories.

    Returns:
        A tensor like ``logits`` whose elements sum to 1 along ``dim``.

    Example:
        >>> from lamella import core
        >>> gumbel_softmax(core.zeros(2, 5), hard=True).sum(1)
        tensor([1., 1.])
    """
    gumbels = -_core.empty_like(logits).exponential_().log()  # type: ignore[attr-defined]
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = _core.zeros_like(logits).scatter_(dim, index, 1.0)  # type: ignore[attr-defined]
    return one_hot - soft.detach() + soft


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Vectors divided by their p-norm.

    Args:
        input: a floating or complex tensor.
        p: the order of the norm.
        dim: the dimension (or dimensions) along which vectors lie.
        eps: the least divisor.
        out: where the result goes.

    Example:
        >>> from lamella import core
        >>> normalize(core.tensor([[3.0, 4.0]]))
        tensor([[0.6000, 0.8000]])
    """
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)  # type: ignore[attr-defined]
    return _core.div(input, length, out=out)  # type: ignore[attr-defined]


__all__ = ["gumbel_softmax", "log_softmax", "normalize", "softmax", "softmin"]
