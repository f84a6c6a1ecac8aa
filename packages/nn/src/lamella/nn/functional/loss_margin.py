"""Losses of margins: rankings, pairs, triplets and many labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.core import dtypes as _dt, functions as _core
from lamella.core.checks import concrete
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._reduction import code, constants, reduced
from ..kernels.types import I64, type_name
from .activation import logsigmoid
from .distance import pairwise_distance


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """A distance where the target is 1, what it lacks to the margin where it is -1.

    Args:
        input: distances.
        target: 1 and -1, in a shape that broadcasts.
        margin: the distance that unlike pairs should have.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Example:
        >>> from lamella import core
        >>> hinge_embedding_loss(core.tensor([0.5, 0.25]), core.tensor([1.0, -1.0]), reduction="none")
        tensor([0.5000, 0.7500])
    """
    how = code("hinge_embedding_loss", reduction, size_average, reduce)
    x: Any = input
    t: Any = target
    apart = _core.where(t != 1, (margin - x).clamp_min(0), 0)  # type: ignore[attr-defined]
    near = _core.where(t != -1, x, 0)  # type: ignore[attr-defined]
    return reduced(apart + near, how)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """``max(0, -target * (input1 - input2) + margin)``: target 1 wants the first larger, -1 the second.

    Args:
        input1, input2, target: tensors of as many dimensions that broadcast together.
        margin: by how much it should be larger.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        RuntimeError: for different numbers of dimensions.

    Example:
        >>> from lamella import core
        >>> margin_ranking_loss(core.tensor([1.0]), core.tensor([3.0]), core.tensor([1.0]))
        tensor(2.)
    """
    how = code("margin_ranking_loss", reduction, size_average, reduce)
    if not input1._a.ndim == input2._a.ndim == target._a.ndim:
        raise RuntimeError(
            message(
                "margin_ranking_loss",
                "All input tensors should have same dimension but got sizes: "
                f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape}",
            )
        )
    a: Any = input1
    t: Any = target
    return reduced((-t * (a - input2) + float(margin)).clamp_min(0), how)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """``1 - cos`` where the target is 1, ``max(0, cos - margin)`` where it is -1.

    Args:
        input1, input2: ``(N, D)`` or ``(D,)``.
        target: 1 and -1, ``(N,)`` or ``()``.
        margin: the largest cosine that unlike pairs may have.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        RuntimeError: for other shapes.

    Example:
        >>> from lamella import core
        >>> cosine_embedding_loss(core.tensor([[1.0, 0.0]]), core.tensor([[0.0, 1.0]]), core.tensor([1.0]))
        tensor(1.)
    """
    op = "cosine_embedding_loss"
    how = code(op, reduction, size_average, reduce)
    a: Any = input1
    b: Any = input2
    t: Any = target
    if t.ndim not in (0, 1):
        raise RuntimeError(message(op, "0D or 1D target tensor expected, multi-target not supported"))
    if a.ndim != t.ndim + 1 or b.ndim != t.ndim + 1:
        raise RuntimeError(
            message(
                op,
                f"{t.ndim}D target tensor expects {t.ndim + 1}D input tensors, but found inputs with "
                f"sizes {list(a.shape)} and {list(b.shape)}.",
            )
        )
    # The constant under the roots is torch's; it keeps the slope at 0 finite.
    cosine = (a * b).sum(t.ndim) / (((a * a).sum(t.ndim) + 1e-12) * ((b * b).sum(t.ndim) + 1e-12)).sqrt()
    losses = _core.where(t == 1, 1 - cosine, 0) + _core.where(t == -1, (cosine - margin).clamp_min(0), 0)  # type: ignore[attr-defined]
    return reduced(losses, how)


def _check_triplet(op: str, anchor: Any, positive: Any, negative: Any, margin: float) -> None:
    if margin <= 0:
        raise ValueError(message(op, f"margin must be greater than 0, got {margin}"))
    a, p, n = anchor.ndim, positive.ndim, negative.ndim
    if not a == p == n:
        raise RuntimeError(
            message(
                op,
                "The anchor, positive, and negative tensors are expected to have the same number of "
                f"dimensions, but got: anchor {a}D, positive {p}D, and negative {n}D inputs",
            )
        )


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """``max(0, d(anchor, positive) - d(anchor, negative) + margin)`` with the p-norm as distance.

    Args:
        anchor, positive, negative: vectors along the last dimension.
        margin: by how much the negative should be further away.
        p: the order of the norm.
        eps: added to differences.
        swap: use the distance of positive and negative where it is smaller (Balntas et al., 2016).
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        ValueError: for a margin that is not positive.
        RuntimeError: for different numbers of dimensions.

    Example:
        >>> from lamella import core
        >>> triplet_margin_loss(core.zeros(1, 2), core.zeros(1, 2), core.zeros(1, 2))
        tensor(1.)
    """
    how = code("triplet_margin_loss", reduction, size_average, reduce)
    _check_triplet("triplet_margin_loss", anchor, positive, negative, margin)
    return _triplet(anchor, positive, negative, lambda a, b: pairwise_distance(a, b, p, eps), margin, swap, how)


def _triplet(anchor: Any, positive: Any, negative: Any, distance: Any, margin: float, swap: bool, how: int) -> Any:
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _core.minimum(far, distance(positive, negative))  # type: ignore[attr-defined]
    return reduced((margin + near - far).clamp_min(0), how)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` with a distance of one's own.

    Args:
        anchor, positive, negative: as there.
        distance_function: gives the distances of two tensors of vectors; default `pairwise_distance`.
        margin, swap, reduction: as there.

    Raises:
        ValueError: for a margin that is not positive, or another reduction.
        RuntimeError: for different numbers of dimensions.
    """
    how = code("triplet_margin_with_distance_loss", reduction)
    _check_triplet("triplet_margin_with_distance_loss", anchor, positive, negative, margin)
    return _triplet(anchor, positive, negative, distance_function or pairwise_distance, margin, swap, how)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """How far other classes come within a margin of the target class, by the number of classes.

    Args:
        input: scores ``(N, C)`` or ``(C,)``.
        target: class numbers ``(N,)`` or ``()``.
        p: 1, or 2 for squares.
        margin: by how much the target's score should be larger.
        weight: one factor for each class, chosen by the target.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        ValueError: for another ``p``, or a weight that is no vector.
        RuntimeError: for shapes that do not go together, or a target outside the classes.

    Example:
        >>> from lamella import core
        >>> multi_margin_loss(core.tensor([[0.0, 0.5]]), core.tensor([1]))
        tensor(0.2500)
    """
    op = "multi_margin_loss"
    how = code(op, reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError(message(op, "only p == 1 and p == 2 supported", {"p": p}))
    x: Any = input
    rows, own = _checked_margin(op, x, target, weight)
    gaps = margin - rows.gather(1, own) + rows
    others = rows.new_ones(rows.shape, dtype=_dt.bool_).scatter(1, own, False)
    gaps = _core.where(others & (gaps > 0), gaps, 0)  # type: ignore[attr-defined]  # nothing for a gap of exactly 0, nor its gradient
    if p == 2:
        gaps = gaps * gaps
    if weight is not None:
        gaps = gaps * weight[own]
    return reduced(gaps.sum(1).reshape(target.shape) / rows.shape[1], how)


def _check_types(op: str, x: Any, t: Any) -> None:
    if x._a.dtype.kind in "biuc":
        raise NotImplementedError(message(op, f"it is not implemented for '{type_name(x._a.dtype)}'"))
    if t._a.dtype != I64:
        raise RuntimeError(message(op, f"expected scalar type Long but found {type_name(t._a.dtype)}"))


def _checked_margin(op: str, x: Any, t: Any, weight: Any) -> tuple[Any, Any]:
    """Scores as rows and their targets as a column."""
    if weight is not None and weight.ndim != 1:
        raise ValueError(message(op, "weight must be one-dimensional", {"weight": list(weight.shape)}))
    _check_types(op, x, t)
    constants(op, weight=weight)
    if x.ndim > 2 or x.numel() == 0 and x.shape[-1:] == (0,):
        raise RuntimeError(
            message(op, f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(x.shape)}")
        )
    rows = x.reshape(-1, x.shape[-1] if x.ndim else 1)
    if t.ndim > 1 or t.numel() != rows.shape[0]:
        rule = f"target tensor should be 1-D with size equal to the batch size. Expected target size [{rows.shape[0]}]"
        raise RuntimeError(message(op, rule, {"target": list(t.shape), "input": list(x.shape)}))
    if weight is not None and weight.numel() != rows.shape[1]:
        rule = f"inconsistent weight size, expected {rows.shape[1]} but got {list(weight.shape)}"
        raise RuntimeError(message(op, rule))
    if t.numel() and not t.is_meta and bool(((concrete(t) < 0) | (concrete(t) >= rows.shape[1])).any()):
        raise RuntimeError(message(op, "target out of range", {"classes": rows.shape[1]}))
    return rows, t.reshape(-1, 1)


def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """How far classes that are no targets come within 1 of each class that is one, by the number of classes.

    Args:
        input: scores ``(N, C)`` or ``(C,)``.
        target: in the same shape the target classes of each row, -1 after the last.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        RuntimeError: for different shapes, or a target outside the classes.

    Example:
        >>> from lamella import core
        >>> multilabel_margin_loss(core.tensor([[0.5, 0.0]]), core.tensor([[0, -1]]))
        tensor(0.2500)
    """
    op = "multilabel_margin_loss"
    how = code(op, reduction, size_average, reduce)
    x: Any = input
    t: Any = target
    if x.ndim > 2 or x.numel() == 0 and x.shape[-1:] == (0,):
        raise RuntimeError(
            message(op, f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(x.shape)}")
        )
    _check_types(op, x, t)
    if x.shape != t.shape:
        raise RuntimeError(message(op, f"inconsistent target size: {list(t.shape)} for input of size: {list(x.shape)}"))
    classes = x.shape[-1] if x.ndim else 1
    rows, labels = x.reshape(-1, classes), t.reshape(-1, classes)
    if t.numel() and not t.is_meta and bool(((concrete(t) < -1) | (concrete(t) >= classes)).any()):
        raise RuntimeError(message(op, "argument #2 'target' is out of range", {"classes": classes}))
    counts = (labels >= 0).long().cumprod(1)  # up to the first -1
    labels = labels.clamp(min=0)
    is_target = _core.zeros_like(labels).scatter_add(1, labels, counts) > 0  # type: ignore[attr-defined]
    gaps = 1 - rows.gather(1, labels).unsqueeze(2) + rows.unsqueeze(1)
    pairs = counts.unsqueeze(2).bool() & is_target.logical_not().unsqueeze(1)
    gaps = _core.where(pairs & (gaps > 0), gaps, 0)  # type: ignore[attr-defined]
    return reduced(gaps.sum((1, 2)).reshape(x.shape[:-1]) / classes, how)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over classes of the binary cross entropy with logits.

    Args:
        input: scores ``(N, C)`` or ``(C,)``.
        target: 0 and 1 in the same shape.
        weight: one factor for each class.
        size_average, reduce: former ways to choose the reduction.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Example:
        >>> from lamella import core
        >>> multilabel_soft_margin_loss(core.zeros(1, 2), core.ones(1, 2))
        tensor(0.6931)
    """
    how = code("multilabel_soft_margin_loss", reduction, size_average, reduce)
    x: Any = input
    t: Any = target
    losses = -(t * logsigmoid(x) + (1 - t) * logsigmoid(-x))
    if weight is not None:
        losses = losses * weight
    return reduced(losses.sum(-1) / x.size(-1), how)


__all__ = [
    "cosine_embedding_loss",
    "hinge_embedding_loss",
    "margin_ranking_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
]
