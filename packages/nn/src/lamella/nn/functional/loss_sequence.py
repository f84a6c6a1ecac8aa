"""The loss of label sequences without alignment."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import functions as _core
from lamella.core.dtypes import bool_
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen.ctc import _ctc_loss
from .._reduction import code, reduced

_OP = "ctc_loss"


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the log probability of label sequences, summed over all alignments (Graves et al., 2006).

    Args:
        log_probs: log-probabilities ``(T, N, C)`` or ``(T, C)``.
        targets: labels without blanks: ``(N, S)``, or all sequences end to end ``(sum(target_lengths),)``.
        input_lengths: the number of steps of each sequence: a tensor or a tuple ``(N,)``.
        target_lengths: the number of labels of each sequence.
        blank: the class that stands for no label.
        reduction: ``"none"``, ``"mean"`` (each loss by its number of labels, then the mean) or ``"sum"``.
        zero_infinity: losses of impossible sequences and their gradients count 0.

    Returns:
        A scalar, or ``(N,)`` (``()`` without a batch) for ``"none"``.

    Raises:
        RuntimeError: for shapes, types or lengths that do not go together.

    Example:
        >>> from lamella import core
        >>> even = core.full((2, 1, 2), 0.5).log()
        >>> ctc_loss(even, core.tensor([[1]]), (2,), (1,), reduction="sum")
        tensor(0.2877)
    """
    how = code(_OP, reduction)
    x: Any = log_probs
    if not isinstance(log_probs, Tensor) or not isinstance(targets, Tensor):
        raise TypeError(message(_OP, "arguments 'log_probs' and 'targets' must be Tensors"))
    if x.ndim not in (2, 3) or x.dtype.name not in ("float32", "float64"):
        raise RuntimeError(
            message(_OP, "log_probs must be a float or double tensor (T, N, C) or (T, C)", [x.dtype, x.shape])
        )
    batched = x.ndim == 3
    steps, labels = _lengths(input_lengths), _lengths(target_lengths)
    if not batched:
        x = x.unsqueeze(1)
    rows = _rows(x, targets, steps, labels, blank)
    losses: Any = _ctc_loss(x, rows, steps, labels, blank, zero_infinity)[0]
    if zero_infinity:
        losses = _core.where(losses == math.inf, 0, losses)  # type: ignore[attr-defined]
    if how == 1:
        from lamella.core import tensor

        losses = losses / tensor([max(n, 1) for n in labels], dtype=x.dtype, device=x.device)
    if how == 0 and not batched:
        losses = losses.squeeze(0)
    return reduced(losses, how)


def _lengths(given: Any) -> tuple[int, ...]:
    if isinstance(given, Tensor):
        if given.is_floating_point():
            raise RuntimeError(message(_OP, "lengths must be integers"))
        given = given.reshape(-1).tolist()  # type: ignore[attr-defined]
    return tuple(int(n) for n in given)


def _rows(x: Any, targets: Any, steps: tuple[int, ...], labels: tuple[int, ...], blank: int) -> Any:
    """Targets as one padded row of int64 per sequence, after all checks."""
    longest, n, classes = x.shape
    if targets.is_floating_point() or targets.dtype.name not in ("int64", "int32"):
        raise RuntimeError(message(_OP, "targets must be int64 or int32", {"targets": targets.dtype}))
    if not 0 <= blank < classes:
        raise RuntimeError(message(_OP, "blank must be in label range", {"blank": blank, "classes": classes}))
    for name, given in (("input_lengths", steps), ("target_lengths", labels)):
        if len(given) != n:
            raise RuntimeError(message(_OP, f"{name} must be of size batch_size", {name: len(given), "batch": n}))
        if any(g < 0 for g in given):
            raise RuntimeError(message(_OP, f"{name} must not be negative", {name: given}))
    if any(s > longest for s in steps):
        raise RuntimeError(
            message(_OP, f"Expected input_lengths to have value at most {longest}", {"input_lengths": steps})
        )
    t = targets.long()
    if t.ndim == 1:
        if t.numel() < sum(labels):
            raise RuntimeError(
                message(
                    _OP,
                    "Expected tensor to have size at least the sum of target_lengths",
                    {"targets": t.numel(), "sum": sum(labels)},
                )
            )
        width, parts, at = max(labels, default=0), [], 0
        for k in labels:
            row = t[at : at + k]
            parts.append(_core.cat([row, row.new_full((width - k,), blank)]))  # type: ignore[attr-defined]
            at += k
        return _core.stack(parts) if parts else t.reshape(0, 0)  # type: ignore[attr-defined]
    if t.ndim != 2 or t.shape[0] != n:
        raise RuntimeError(
            message(_OP, "targets must be (N, S) or one-dimensional", {"targets": list(t.shape), "batch": n})
        )
    width = max(labels, default=0)
    if width > t.shape[1]:
        raise RuntimeError(
            message(_OP, f"Expected targets to have size at least {width} at dimension 1, but got size {t.shape[1]}")
        )
    from lamella.core import tensor

    # What lies behind a sequence's end may be anything.
    inside = tensor([[i < k for i in range(width)] for k in labels], dtype=bool_, device=t.device).reshape(n, width)
    return _core.where(inside, t[:, :width], blank)  # type: ignore[attr-defined]


__all__ = ["ctc_loss"]
