"""Rules of attention: the batch is one more batch dimension of its matrices."""

from __future__ import annotations

from typing import Any

from lamella.autograd.transforms.batching.elementwise import padded
from lamella.autograd.transforms.batching.rules import rule
from lamella.core.tensor import Tensor

from .._gen import attention as _attention


@rule("_attention")
def attention(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    rank = max(a._a.ndim for a in args if isinstance(a, Tensor))
    values = []
    for a in args:
        if isinstance(a, Tensor):
            value, dim = level.split(a)
            a = value if dim is None else padded(value, dim, rank)
        values.append(a)
    out, weights = _attention.op__attention(*values)
    # Without batched scores the weights are those of all examples.
    query, key, _, mask = args[:4]
    scored = level.has(query) or level.has(key) or level.has(mask)
    return level.wrap(out), level.wrap(weights) if scored else weights


@rule("_attention_backward")
def attention_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    rank = max(a._a.ndim for a in args if isinstance(a, Tensor))
    values = [padded(level.full(a), 0, rank) if isinstance(a, Tensor) else a for a in args]
    found = _attention.op__attention_backward(*values)
    return tuple([None if r is None else level.wrap(r.reshape(level.size, *a._a.shape))
                  for r, a in zip(found, args[1:5], strict=True)])
