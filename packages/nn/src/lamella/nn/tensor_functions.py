"""Functions of networks that torch also has at its top, where their arguments differ from those in `functional`.

There ``reduction`` is a number (0 none, 1 mean, 2 sum) and tables come before indices.
"""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor

from . import functional as _F
from ._gen import embedding as _gen
from ._gen.dropout import op__dropout_noise as _noise


def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """The rows of ``weight`` that ``indices`` name; see `functional.embedding`, which has the arguments turned around.

    Example:
        >>> from lamella import core
        >>> embedding(core.tensor([[1.0], [2.0]]), core.tensor([1]))
        tensor([[2.]])
    """
    return _gen.op_embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)


def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.dropout` with all arguments required."""
    return _F.dropout(input, p, train)


def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.alpha_dropout` with all arguments required."""
    return _F.alpha_dropout(input, p, train)


def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.dropout` of whole channels of ``(N, C, ...)``."""
    from .functional.dropout import _channels, _check, _drop

    _check("feature_dropout", input, p)
    return _drop(input, p, train, False, _channels("feature_dropout", input))


def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.feature_alpha_dropout` with all arguments required."""
    return _F.feature_alpha_dropout(input, p, train)


def _in_place(name: str, out_of_place: Any) -> Any:
    def function(input: Tensor, p: float, train: bool) -> Tensor:
        return input.copy_(out_of_place(input, p, train)) if train and p else input  # type: ignore[attr-defined]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{out_of_place.__name__}`, written into ``input``."
    return function


dropout_ = _in_place("dropout_", dropout)
alpha_dropout_ = _in_place("alpha_dropout_", alpha_dropout)
feature_dropout_ = _in_place("feature_dropout_", feature_dropout)
feature_alpha_dropout_ = _in_place("feature_alpha_dropout_", feature_alpha_dropout)


def native_dropout(input: Tensor, p: float, train: bool | None) -> tuple[Tensor, Tensor]:
    """`functional.dropout` and the mask of what stayed."""
    x: Any = input
    if train is False or p == 0:
        return x, x.new_ones(x.shape).bool()
    kept = x.new_zeros(x.shape) if p == 1 else _noise(x.detach(), None, p, False)
    return x * (kept * (0.0 if p == 1 else 1 / (1 - p))), kept.bool()


def kl_div(input: Tensor, target: Tensor, reduction: Any = 1, *, log_target: bool = False) -> Tensor:
    """`functional.kl_div` with a number for the reduction."""
    return _F.kl_div(input, target, reduction=reduction, log_target=log_target)


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Any = None, pos_weight: Any = None, reduction: Any = 1
) -> Tensor:
    """`functional.binary_cross_entropy_with_logits` with a number for the reduction."""
    return _F.binary_cross_entropy_with_logits(input, target, weight, reduction=reduction, pos_weight=pos_weight)


def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: Any) -> Tensor:
    """`functional.poisson_nll_loss` with a number for the reduction."""
    return _F.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=reduction)


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: Any = 1) -> Tensor:
    """`functional.hinge_embedding_loss` with a number for the reduction."""
    return _F.hinge_embedding_loss(input, target, margin, reduction=reduction)


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: Any = 1
) -> Tensor:
    """`functional.margin_ranking_loss` with a number for the reduction."""
    return _F.margin_ranking_loss(input1, input2, target, margin, reduction=reduction)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: Any = 1
) -> Tensor:
    """`functional.cosine_embedding_loss` with a number for the reduction."""
    return _F.cosine_embedding_loss(input1, input2, target, margin, reduction=reduction)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: Any = 1,
) -> Tensor:
    """`functional.triplet_margin_loss` with a number for the reduction."""
    return _F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=reduction)


def embedding_renorm_(input: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    """Scale the rows that ``indices`` name down to a norm of at most ``max_norm``, in place."""
    return _gen.op_embedding_renorm_(input, indices, max_norm, norm_type)
