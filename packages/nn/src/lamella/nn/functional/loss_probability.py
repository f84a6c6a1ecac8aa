"""Losses of probabilities and rates."""

from __future__ import annotations

import math
import warnings
from typing import Any

from lamella.core import functions as _core
from lamella.core.checks import concrete
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen import loss as _gen
from .._reduction import code, constants, one_type, reduced


def _tensors(op: str, **arguments: Any) -> None:
    for name, x in arguments.items():
        if not isinstance(x, Tensor):
            raise TypeError(message(op, f"argument '{name}' must be Tensor, not {type(x).__name__}"))


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """``-(target * log(input) + (1 - target) * log(1 - input))``, logarithms kept above -100.

    Args:
        input: probabilities in [0, 1].
        target: probabilities, in the shape of ``input``.
        weight: factors that broadcast to that shape.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        ValueError: for different shapes.
        RuntimeError: for an input outside [0, 1], or different types.

    Example:
        >>> from lamella import core
        >>> binary_cross_entropy(core.tensor([0.5]), core.tensor([1.0]))
        tensor(0.6931)
    """
    how = code("binary_cross_entropy", reduction, size_average, reduce)
    _tensors("binary_cross_entropy", input=input, target=target)
    if input._a.shape != target._a.shape:
        raise ValueError(
            message(
                "binary_cross_entropy",
                f"Using a target size ({target.shape}) that is different to the "
                f"input size ({input.shape}) is deprecated.",
                hint="make them the same size",
            )
        )
    if input._a.dtype != target._a.dtype:
        raise RuntimeError(message("binary_cross_entropy", f"Found dtype {target.dtype} but expected {input.dtype}"))
    if weight is not None and weight._a.shape != input._a.shape:
        weight = weight.expand(input._a.shape)  # type: ignore[attr-defined]
    constants("binary_cross_entropy", weight=weight)
    return _gen.op_binary_cross_entropy(input, target, weight, how)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of the logistic function of scores, without its loss of digits.

    Args:
        input: scores (logits).
        target: probabilities, in the shape of ``input``.
        weight: factors that broadcast to that shape.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.
        pos_weight: factors of the positive part that broadcast to that shape.

    Raises:
        ValueError: for different shapes.

    Example:
        >>> from lamella import core
        >>> binary_cross_entropy_with_logits(core.zeros(3), core.ones(3))
        tensor(0.6931)
    """
    op = "binary_cross_entropy_with_logits"
    how = code(op, reduction, size_average, reduce)
    _tensors(op, input=input, target=target)
    if input._a.shape != target._a.shape:
        raise ValueError(message(op, f"Target size ({target.shape}) must be the same as input size ({input.shape})"))
    constants(op, weight=weight, pos_weight=pos_weight)
    input, target = one_type(input, target)
    return _gen.op_binary_cross_entropy_with_logits(input, target, weight, pos_weight, how)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """The Kullback-Leibler divergence ``target * (log(target) - input)``, element by element.

    Args:
        input: log-probabilities.
        target: probabilities, or their logarithms with ``log_target``.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"``, ``"sum"``, or ``"batchmean"`` (the sum by the size of dimension 0: the
        divergence proper).
        log_target: whether ``target`` holds logarithms.

    Example:
        >>> from lamella import core
        >>> kl_div(core.tensor([[0.5, 0.5]]).log(), core.tensor([[1.0, 0.0]]), reduction="batchmean")
        tensor(0.6931)
    """
    _tensors("kl_div", input=input, target=target)
    batch = reduction == "batchmean" and size_average is None and reduce is None
    if reduction == "mean" and size_average is None and reduce is None:
        warnings.warn(
            message(
                "kl_div",
                "reduction 'mean' divides by the number of elements, not by the batch size as the "
                "definition of the divergence does",
                hint="use reduction='batchmean'",
            ),
            UserWarning,
            stacklevel=2,
        )
    how = 2 if batch else code("kl_div", reduction, size_average, reduce)
    x: Any = input
    t: Any = target
    if "c" in (x._a.dtype.kind, t._a.dtype.kind):
        raise RuntimeError(message("kl_div", "complex inputs are not supported"))
    if x._a.dtype.kind in "biu" and t._a.dtype.kind in "biu":
        raise RuntimeError(message("kl_div", "integral inputs are not supported", [x.dtype.name, t.dtype.name]))
    losses = t.exp() * (t - x) if log_target else _core.xlogy(t, t) - t * x  # type: ignore[attr-defined]
    r = reduced(losses, how)
    return r / x.size(0) if batch and x.ndim else r


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log likelihood of counts under a Poisson distribution.

    Args:
        input: expected counts, or their logarithms with ``log_input``.
        target: counts.
        log_input: whether ``input`` holds logarithms.
        full: add Stirling's term for ``log(target!)``.
        size_average, reduce: former ways to choose the reduction.
        eps: keeps the logarithm of an expected count of 0 finite.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Example:
        >>> from lamella import core
        >>> poisson_nll_loss(core.zeros(2), core.ones(2))
        tensor(1.)
    """
    how = code("poisson_nll_loss", reduction, size_average, reduce)
    _tensors("poisson_nll_loss", input=input, target=target)
    x: Any = input
    t: Any = target
    losses = x.exp() - t * x if log_input else x - t * (x + eps).log()
    if full:
        stirling = t * t.log() - t + 0.5 * (2 * math.pi * t).log()
        losses = losses + _core.where(t > 1, stirling, 0)  # type: ignore[attr-defined]
    return reduced(losses, how)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log likelihood of values under normal distributions.

    Args:
        input: expected values.
        target: values.
        var: variances: a number, or a tensor in the shape of ``input``, or with 1 or nothing in place of its last
        dimension. full: add the constant ``log(2 pi) / 2``.
        eps: the least variance (a guard that has no gradient).
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        ValueError: for variances of another shape or negative ones, and for another reduction.

    Example:
        >>> from lamella import core
        >>> gaussian_nll_loss(core.zeros(2), core.ones(2), core.ones(2))
        tensor(0.5000)
    """
    _tensors("gaussian_nll_loss", input=input, target=target)
    x: Any = input
    v: Any = var if isinstance(var, Tensor) else x.new_full(x.shape, float(var))
    if (
        isinstance(var, (int, float))
        and var < 0
        or isinstance(var, Tensor)
        and not var.is_meta
        and bool((concrete(var) < 0).any())
    ):  # type: ignore[attr-defined, operator]
        raise ValueError(message("gaussian_nll_loss", "var has negative entry/entries"))
    if v.shape != x.shape:
        if x.shape[:-1] == v.shape:
            v = v.unsqueeze(-1)
        elif x.ndim != v.ndim or [b for a, b in zip(x.shape, v.shape, strict=True) if a != b] != [1]:
            # One variance for all along a single dimension is the only other form.
            raise ValueError(
                message("gaussian_nll_loss", "var is of incorrect size", {"input": list(x.shape), "var": list(v.shape)})
            )
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(message("gaussian_nll_loss", f"{reduction} is not valid", hint="valid: none, mean, sum"))
    guard = v.detach().clamp(min=eps) - v.detach()
    v = v + guard
    losses = 0.5 * (v.log() + (x - target) ** 2 / v)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduced(losses, code("gaussian_nll_loss", reduction))


__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "gaussian_nll_loss",
    "kl_div",
    "poisson_nll_loss",
]
