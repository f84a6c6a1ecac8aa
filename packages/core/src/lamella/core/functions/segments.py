"""Reductions of segments of a dimension."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from .._gen import segments as _gen
from ..checks import concrete, wrap_dim
from ..runtime import unsupported
from ..tensor import Tensor

_REDUCE = {"sum": "sum", "mean": "sum", "prod": "prod", "max": "amax", "amax": "amax", "min": "amin", "amin": "amin"}
_EMPTY = {"sum": 0.0, "prod": 1.0, "amax": -math.inf, "amin": math.inf}


def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Any = None,
) -> Tensor:
    """Each of the segments, into which a dimension is cut, reduced to one element.

    Args:
        data: a floating tensor.
        reduce: ``"sum"``, ``"mean"``, ``"prod"``, ``"max"`` or ``"min"``.
        lengths: the segments' lengths along the last of its dimensions; the dimensions before it are data's.
        indices: not supported, as in torch.
        offsets: instead of ``lengths``: where segments begin, and where the last one ends.
        axis: the dimension that is cut, the last one of ``lengths``.
        unsafe: do not check the lengths.
        initial: what reductions start from; by default an empty segment gives 0, nan (mean), 1, -inf or inf.

    Returns:
        A tensor with the segments in place of the dimension.

    Raises:
        RuntimeError: for lengths that are negative or do not add up to the size, or an unknown reduction.

    Example:
        >>> segment_reduce(tensor([1.0, 2.0, 3.0]), "sum", lengths=tensor([2, 1])).tolist()
        [3.0, 3.0]
    """
    op = "segment_reduce"
    if reduce not in _REDUCE:
        raise RuntimeError(message(op, f"reduce must be one of sum, mean, prod, max and min, got {reduce!r}"))
    if data.dtype.category != 2:
        raise unsupported(op, data.dtype)
    if indices is not None:
        raise RuntimeError(message(op, "indices based reduction is not supported yet"))
    axis = wrap_dim(op, axis, data._a.ndim)
    parts: Any = lengths if offsets is None else offsets.diff(dim=-1)  # type: ignore[attr-defined]
    if parts is None:
        raise RuntimeError(message(op, "either lengths or offsets must be defined"))
    shape = data._a.shape
    if not shape or parts.ndim != axis + 1 or parts.shape[:-1] != shape[:axis]:
        values = {"lengths": list(parts.shape), "data": list(shape), "axis": axis}
        raise RuntimeError(message(op, "lengths must have data's dimensions up to axis", values))
    if not unsafe and not parts.is_meta:
        known = concrete(parts)
        if bool((known < 0).any()):
            raise RuntimeError(message(op, "lengths contains negative value"))
        if known is parts and not bool((parts.sum(-1) == shape[axis]).all()):
            raise RuntimeError(message(op, f"all rows of lengths must sum to data's size {shape[axis]} along axis"))
    return _reduced(data, reduce, parts, axis, initial)


def _reduced(data: Any, reduce: str, lengths: Any, axis: int, initial: Any) -> Tensor:
    how, rest = _REDUCE[reduce], data.shape[axis + 1 :]
    flat = data.reshape(math.prod(data.shape[: axis + 1]), math.prod(rest))
    counts = lengths.reshape(-1)
    start = _EMPTY[how] if initial is None else float(initial)
    if how == "sum":
        out = _gen.op__segment_sum(flat, counts)
        return _finished(out if not start else out + start, data, reduce, lengths, axis, initial)
    places = counts.new_ones(counts.shape).cumsum(0).sub(1)
    segment = places.repeat_interleave(counts, output_size=flat.shape[0])
    out = flat.new_full((counts.shape[0], flat.shape[1]), start)
    out = out.scatter_reduce(0, segment.unsqueeze(1).expand_as(flat), flat, how)
    return _finished(out, data, reduce, lengths, axis, initial)


def _finished(out: Any, data: Any, reduce: str, lengths: Any, axis: int, initial: Any) -> Tensor:
    if reduce == "mean":
        n = lengths.reshape(-1, 1)
        out = (out / n.clamp(min=1)).masked_fill(n == 0, math.nan if initial is None else float(initial))
    return out.reshape(*lengths.shape, *data.shape[axis + 1 :])


FUNCTIONS: dict[str, Any] = {"segment_reduce": segment_reduce}
METHODS: dict[str, Any] = {}
