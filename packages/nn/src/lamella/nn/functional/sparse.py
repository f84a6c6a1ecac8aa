"""Rows of a table: embeddings, bags of them, and one-hot vectors."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from lamella.autograd.grad_mode import no_grad
from lamella.core import functions as _core
from lamella.core.faults import as_float, as_int, explain_annotated
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen import embedding as _gen
from .._gen.embedding import one_hot


def _padding(op: str, padding_idx: int | None, rows: int) -> int:
    """The padding row counted from the front, -1 for none."""
    if padding_idx is None:
        return -1
    padding_idx = as_int(op, "padding_idx", padding_idx)
    if not -rows <= padding_idx < rows:
        raise ValueError(
            message(
                op, "Padding_idx must be within num_embeddings", {"padding_idx": padding_idx, "num_embeddings": rows}
            )
        )
    return padding_idx + rows if padding_idx < 0 else padding_idx


def _limit_norm(weight: Any, indices: Any, max_norm: float, norm_type: float) -> None:
    with no_grad():
        limit, order = as_float("embedding", "max_norm", max_norm), as_float("embedding", "norm_type", norm_type)
        _gen.embedding_renorm_(weight, indices, float(limit), float(order))


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of ``weight`` that ``input`` names.

    Args:
        input: int64 or int32 row numbers of any shape.
        weight: a table of shape ``(V, D)``.
        padding_idx: a row that gets no gradient.
        max_norm: rows that are used and have a larger norm are scaled down first, in ``weight`` itself.
        norm_type: the order of that norm.
        scale_grad_by_freq: divide each gradient by how often its row is used.
        sparse: accepted; gradients are dense.

    Returns:
        A tensor of shape ``(*, D)``.

    Raises:
        IndexError: for a row number outside ``[0, V)``.
        RuntimeError: for other types, or a table that is no matrix.
        ValueError: for a padding row outside the table.

    Example:
        >>> from lamella import core
        >>> embedding(core.tensor([1, 0]), core.tensor([[1.0, 2.0], [3.0, 4.0]]))
        tensor([[3., 4.],
                [1., 2.]])
    """
    try:
        ignored = -1 if padding_idx is None else _padding("embedding", padding_idx, weight.size(0))
        if max_norm is not None:
            _limit_norm(weight, input, max_norm, norm_type)
        return _gen.op_embedding(weight, input, ignored, scale_grad_by_freq, sparse)
    except Exception:
        given = (input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        explain_annotated("embedding", embedding, given, {})
        raise


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Sums, means or maxima of the rows of ``weight`` that each bag names.

    Args:
        input: row numbers: ``(B, N)`` for bags of one size, ``(N,)`` with ``offsets``.
        weight: a table of shape ``(V, D)``.
        offsets: where each bag starts in ``input``.
        max_norm, norm_type, scale_grad_by_freq, sparse: as for `embedding`.
        mode: ``"sum"``, ``"mean"`` or ``"max"``.
        per_sample_weights: a factor for each row number; for ``"sum"`` only.
        include_last_offset: ``offsets`` ends with the length of ``input``.
        padding_idx: a row that counts in no bag.

    Returns:
        A tensor of shape ``(B, D)``; empty bags are 0.

    Raises:
        ValueError: for arguments that do not go together.
        RuntimeError: for offsets that do not start at 0 or exceed the input.
        NotImplementedError: for weights with another mode than ``"sum"``.

    Example:
        >>> from lamella import core
        >>> embedding_bag(core.tensor([0, 1, 1]), core.tensor([[1.0], [3.0]]), core.tensor([0, 2]), mode="sum")
        tensor([[4.],
                [3.]])
    """
    if not isinstance(input, Tensor) or not isinstance(weight, Tensor):
        raise TypeError(message("embedding_bag", "arguments 'input' and 'weight' must be Tensors"))
    _check_bag(input, offsets, mode, scale_grad_by_freq, per_sample_weights)
    if weight.ndim != 2:  # type: ignore[attr-defined]
        rule = f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}"  # type: ignore[attr-defined]
        raise ValueError(message("embedding_bag", rule))
    if not weight.is_floating_point():  # type: ignore[attr-defined]
        rule = f"expected 'weight' to be Half, BFloat16, Float or Double, but got {weight.dtype.name}"
        raise RuntimeError(message("embedding_bag", rule))
    pad = _padding("embedding_bag", padding_idx, weight.size(0))
    if max_norm is not None:
        _limit_norm(weight, input, max_norm, norm_type)
    bags: Any = input
    fits, factors = None, per_sample_weights
    if input.ndim == 1:
        bags, fits, factors = _bags(input, offsets, include_last_offset, per_sample_weights)
    elif input.size(1) == 0:
        return weight.new_zeros((input.size(0), weight.size(1)))  # type: ignore[attr-defined]
    if pad >= 0:
        counted = _core.ne(bags, pad)  # type: ignore[attr-defined]
        fits = counted if fits is None else fits & counted
    # The rows of each bag, side by side; what only fills up shorter bags is masked.
    try:
        rows = _gen.op_embedding(weight, bags, pad, scale_grad_by_freq, sparse)
    except IndexError:
        rule = "expected row numbers of at least 0 and less than num_embeddings"
        raise RuntimeError(message("embedding_bag", rule, {"num_embeddings": weight.size(0)})) from None  # type: ignore[attr-defined]
    return _combined(rows if factors is None else rows * factors.unsqueeze(-1), fits, mode)  # type: ignore[attr-defined]


def _combined(rows: Any, fits: Any, mode: str) -> Any:
    """(B, N, D) to (B, D)."""
    if mode == "max":
        if fits is None:
            return rows.max(1)[0]
        best = _core.where(fits.unsqueeze(-1), rows, float("-inf")).max(1)[0]  # type: ignore[attr-defined]
        return _core.where(fits.any(1, keepdim=True), best, 0)  # type: ignore[attr-defined]
    if fits is None:
        return rows.sum(1) if mode == "sum" else rows.mean(1)
    total = _core.where(fits.unsqueeze(-1), rows, 0).sum(1)  # type: ignore[attr-defined]
    return total if mode == "sum" else total / fits.sum(1, keepdim=True).clamp(min=1)


def _check_bag(input: Any, offsets: Any, mode: str, scale: bool, factors: Any) -> None:
    op = "embedding_bag"
    if factors is not None and factors.shape != input.shape:
        raise ValueError(
            message(
                op,
                f"If per_sample_weights ({factors.shape}) is not None, then it must have the same shape "
                f"as the input ({input.shape})",
            )
        )
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                message(
                    op,
                    "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of "
                    f"fixed length sequences. However, found offsets of type {type(offsets)}",
                )
            )
    elif input.ndim == 1:
        if not isinstance(offsets, Tensor):
            raise ValueError(message(op, f"offsets has to be a 1D Tensor but got {type(offsets).__name__}"))
        if offsets.ndim != 1:
            raise ValueError(message(op, "offsets has to be a 1D Tensor"))
    else:
        raise ValueError(message(op, f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}"))
    if mode not in ("sum", "mean", "max"):
        raise ValueError(message(op, "mode has to be one of sum, mean or max", {"mode": mode}))
    if mode == "max" and scale:
        raise ValueError(message(op, "max mode does not support scaling the gradient by the frequency"))
    if factors is not None and mode != "sum":
        raise NotImplementedError(
            message(
                op,
                "per_sample_weights was not None. per_sample_weights is only supported for "
                f"mode='sum' (got mode='{mode}').",
            )
        )


def _bags(index: Any, offsets: Any, include_last: bool, factors: Any) -> tuple[Any, Any, Any]:
    """Row numbers of unequal bags as a matrix, which of its places are filled, and the factors in the same places."""
    from lamella.core import tensor

    starts, total = offsets.tolist(), index.numel()
    if starts and starts[0] != 0:
        raise RuntimeError(
            message(
                "embedding_bag",
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to "
                f"start from position 0. However, got {starts[0]}",
            )
        )
    if starts and starts[-1] > total:
        raise RuntimeError(
            message(
                "embedding_bag",
                f"offsets[-1] can not be greater than input's length {total} but got offsets[-1] of {starts[-1]}",
            )
        )
    if any(b < a for a, b in pairwise([0, *starts])):
        raise RuntimeError(message("embedding_bag", "offsets must not be negative or fall", [starts]))
    if include_last and not starts:
        raise RuntimeError(message("embedding_bag", "include_last_offset: number of offset should be at least 1"))
    ends = starts[1:] if include_last else [*starts[1:], total]
    starts = starts[: len(ends)]
    longest = max([e - s for s, e in zip(starts, ends, strict=True)], default=0)
    place = [[s + i if s + i < e else -1 for i in range(max(longest, 1))] for s, e in zip(starts, ends, strict=True)]
    where = tensor(place, dtype=offsets.dtype).reshape(len(place), max(longest, 1)).long()  # type: ignore[attr-defined]
    fits = where >= 0
    if total == 0:
        return where.clamp(min=0), fits, None
    where = where.clamp(min=0)
    return index[where], fits, None if factors is None else factors[where]


__all__ = ["embedding", "embedding_bag", "one_hot"]
