"""Losses of classes and of differences."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as _core
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen import loss as _gen
from .._reduction import CODES, code, constants, pair, reduced


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Minus the logarithm of the probability that scores give to the target class.

    Args:
        input: scores (logits) of shape ``(C,)``, ``(N, C)`` or ``(N, C, d1, ...)``.
        target: class numbers of shape ``()``, ``(N,)`` or ``(N, d1, ...)``; or probabilities in the shape of ``input``.
        weight: one factor for each class.
        size_average, reduce: former ways to choose the reduction.
        ignore_index: a class number that does not count.
        reduction: ``"none"``, ``"mean"`` (weighted) or ``"sum"``.
        label_smoothing: the share of the target that is spread evenly over all classes, in [0, 1].

    Returns:
        A scalar, or the shape of the class numbers for ``"none"``.

    Raises:
        ValueError, RuntimeError: for shapes, types or options that do not fit.
        IndexError: for a class number outside ``[0, C)``.

    Example:
        >>> from lamella import core
        >>> cross_entropy(core.zeros(2, 4), core.tensor([0, 3]))
        tensor(1.3863)
    """
    how = CODES.get(reduction) if reduction.__class__ is str else None
    if how is None or size_average is not None or reduce is not None:
        how = code("cross_entropy", reduction, size_average, reduce)
    try:
        x, t = input._a.shape, target._a.shape
    except AttributeError:
        pair("cross_entropy", input, target)
        raise
    if label_smoothing and not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(
            message("cross_entropy", f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
        )
    if x == t:
        return _with_probabilities(input, target, weight, how, ignore_index, label_smoothing)
    if len(x) != 2 or t != x[:1]:
        target = _checked_classes("cross_entropy", input, target)
    if weight is not None:
        constants("cross_entropy", weight=weight)
    return _gen.op__cross_entropy(input, target, weight, how, ignore_index, label_smoothing)[0]


def _with_probabilities(input: Any, target: Any, weight: Any, how: int, ignore_index: int, smoothing: float) -> Any:
    if not target.is_floating_point():
        raise RuntimeError(
            message(
                "cross_entropy",
                f"Expected floating point type for target with class probabilities, got {target.dtype}",
                hint="class numbers have no class dimension",
            )
        )
    if ignore_index >= 0:
        raise RuntimeError(message("cross_entropy", "ignore_index is not supported for floating point target"))
    dim = 0 if input.ndim == 1 else 1
    count = input.size(dim)
    if weight is not None and weight.shape != (count,):
        raise RuntimeError(
            message(
                "cross_entropy",
                f"weight tensor should be defined either for all {count} classes or no "
                f"classes but got weight tensor of shape: {list(weight.shape)}",
            )
        )
    if smoothing:
        target = target * (1 - smoothing) + smoothing / count
    losses = _core.log_softmax(input, dim) * target  # type: ignore[attr-defined]
    if weight is not None:
        losses = losses * (weight if dim == 0 else weight.reshape(count, *[1] * (input.ndim - 2)))
    if how == 0:
        return -losses.sum(dim)
    total = -losses.sum()
    return total / (input.numel() // count) if how == 1 and count else total


def _checked_classes(op: str, input: Any, target: Any) -> Any:
    """Refuse class numbers whose shape does not go with the scores."""
    x, t = input._a.shape, target._a.shape
    if not x:
        raise ValueError(message(op, f"Expected 1 or more dimensions (got {len(x)})"))
    if len(x) == 1:
        if len(t) > 1:
            raise RuntimeError(message(op, "0D or 1D target tensor expected, multi-target not supported"))
        if target.numel() != 1:
            raise ValueError(message(op, f"For 1D input, 1D target must have size 1, but got target size: {t[0]}"))
        return target.reshape(())
    if not t or x[0] != t[0]:
        raise ValueError(
            message(op, f"Expected input batch_size ({x[0]}) to match target batch_size ({t[0] if t else 0}).")
        )
    if len(x) == 2:
        raise RuntimeError(
            message(
                op, "0D or 1D target tensor expected, multi-target not supported", {"input": list(x), "target": list(t)}
            )
        )
    if t != x[:1] + x[2:]:
        raise RuntimeError(message(op, f"Expected target size {[x[0], *x[2:]]}, got {list(t)}"))
    return target


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the element of each row that the target names: with log-probabilities, the negative log likelihood.

    Args:
        input: log-probabilities of shape ``(C,)``, ``(N, C)`` or ``(N, C, d1, ...)``.
        target: class numbers of shape ``()``, ``(N,)`` or ``(N, d1, ...)``.
        weight: one factor for each class.
        size_average, reduce: former ways to choose the reduction.
        ignore_index: a class number that does not count.
        reduction: ``"none"``, ``"mean"`` (weighted) or ``"sum"``.

    Raises:
        ValueError, RuntimeError: for shapes or types that do not fit.
        IndexError: for a class number outside ``[0, C)``.

    Example:
        >>> from lamella import core
        >>> nll_loss(core.tensor([[-0.5, -2.0]]), core.tensor([1]))
        tensor(2.)
    """
    how = code("nll_loss", reduction, size_average, reduce)
    x, t = input._a.shape, target._a.shape
    if len(x) != 2 or t != x[:1]:
        target = _checked_classes("nll_loss", input, target)
    constants("nll_loss", weight=weight)
    return _gen.op_nll_loss(input, target, weight, how, ignore_index)


def _weighted(op: str, losses: Any, weight: Any, how: int) -> Any:
    """Elements times their weights, reduced; the mean is over the sum of weights."""
    if weight is None:
        return reduced(losses, how)
    if weight.shape != losses.shape:
        raise ValueError(
            message(
                op,
                "Weights and input must have the same size.",
                {"weight": list(weight.shape), "input": list(losses.shape)},
            )
        )
    losses = losses * weight
    return losses.sum() / weight.sum() if how == 1 else reduced(losses, how)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared difference.

    Args:
        input, target: tensors of one shape.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.
        weight: one factor for each element; the mean is then weighted.

    Raises:
        RuntimeError: for shapes that do not broadcast. Different ones give a warning.

    Example:
        >>> from lamella import core
        >>> mse_loss(core.tensor([1.0, 3.0]), core.zeros(2))
        tensor(5.)
    """
    how = CODES.get(reduction) if reduction.__class__ is str else None
    if how is None or size_average is not None or reduce is not None:
        how = code("mse_loss", reduction, size_average, reduce)
    x, t = pair("mse_loss", input, target)
    if weight is not None:
        return _weighted("mse_loss", _gen.op_mse_loss(x, t, 0), weight, how)
    return _gen.op_mse_loss(x, t, how)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The absolute difference; arguments as for `mse_loss`.

    Example:
        >>> from lamella import core
        >>> l1_loss(core.tensor([1.0, -3.0]), core.zeros(2))
        tensor(2.)
    """
    how = code("l1_loss", reduction, size_average, reduce)
    x, t = pair("l1_loss", input, target)
    return _weighted("l1_loss", (x - t).abs(), weight, how)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """The squared difference by ``2 * beta`` where it is less than ``beta``, else the absolute one less ``beta / 2``.

    Args:
        input, target: tensors of one shape.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.
        beta: where the two parts meet; 0 gives `l1_loss`.

    Raises:
        RuntimeError: for a negative ``beta``.

    Example:
        >>> from lamella import core
        >>> smooth_l1_loss(core.tensor([0.5, 3.0]), core.zeros(2), reduction="none")
        tensor([0.1250, 2.5000])
    """
    how = code("smooth_l1_loss", reduction, size_average, reduce)
    x, t = pair("smooth_l1_loss", input, target)
    if not beta >= 0:
        raise RuntimeError(message("smooth_l1_loss", "does not support negative values for beta.", {"beta": beta}))
    if beta == 0:
        return reduced((x - t).abs(), how)
    return _gen.op_smooth_l1_loss(x, t, how, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the squared difference where it is less than ``delta``, else ``delta * (|difference| - delta / 2)``
    (Huber, 1964).

    Args:
        input, target: tensors of one shape.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.
        delta: where the two parts meet.
        weight: one factor for each element; the mean is then weighted.

    Raises:
        RuntimeError: if ``delta`` is not positive.

    Example:
        >>> from lamella import core
        >>> huber_loss(core.tensor([0.5, 3.0]), core.zeros(2), reduction="none", delta=2.0)
        tensor([0.1250, 4.0000])
    """
    how = code("huber_loss", reduction)
    x, t = pair("huber_loss", input, target)
    if not delta > 0:
        raise RuntimeError(message("huber_loss", "does not support non-positive values for delta.", {"delta": delta}))
    if weight is not None:
        return _weighted("huber_loss", _gen.op_huber_loss(x, t, 0, delta), weight, how)
    return _gen.op_huber_loss(x, t, how, delta)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """``log(1 + exp(-target * input))`` for targets 1 and -1; other arguments as for `mse_loss`.

    Example:
        >>> from lamella import core
        >>> soft_margin_loss(core.zeros(2), core.ones(2))
        tensor(0.6931)
    """
    how = code("soft_margin_loss", reduction, size_average, reduce)
    x, t = pair("soft_margin_loss", input, target, warn=False)
    constants("soft_margin_loss", target=target)
    return _gen.op_soft_margin_loss(x, t, how)


__all__ = ["cross_entropy", "huber_loss", "l1_loss", "mse_loss", "nll_loss", "smooth_l1_loss", "soft_margin_loss"]
