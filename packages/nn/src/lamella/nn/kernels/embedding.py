"""Rows of a table, and their gradients added up."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .products import spread
from .types import F32, I64, is_low, type_name

# Up to this size a product with the one-hot matrix is faster than sorting.
_ONE_HOT_LIMIT = 1 << 14


def _indices(xp: Any, op: str, indices: Any, rows: int) -> Any:
    """Checked row numbers as int64."""
    if indices.dtype is not I64:
        indices = _as_int64(op, indices)
    # Negative numbers are huge as unsigned ones, so one maximum checks both ends.
    flat = indices.reshape(-1)
    if flat.size and int(xp.maximum.reduce(flat.view(xp.uint64))) >= rows:
        wrong = flat[(flat < 0) | (flat >= rows)][0]
        raise IndexError(message(op, "index out of range in self", {"index": int(wrong), "rows": rows}))
    return indices


def _as_int64(op: str, indices: Any) -> Any:
    d = indices.dtype
    if d.kind != "i" or d.itemsize < 4:
        raise RuntimeError(
            message(
                op,
                "Expected tensor for argument #1 'indices' to have one of the following scalar "
                f"types: Long, Int; but got {type_name(d)} instead",
            )
        )
    return indices.astype(I64)


def embedding(xp: Any, weight: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool, sparse: bool) -> Any:
    if weight.ndim != 2:
        raise RuntimeError(message("embedding", "'weight' must be 2-D", {"weight": list(weight.shape)}))
    return weight.take(_indices(xp, "embedding", indices, weight.shape[0]), 0)


def embedding_dense_backward(
    xp: Any, grad_output: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    d, width = grad_output.dtype, grad_output.shape[-1]
    t = indices.reshape(-1)
    g = grad_output.reshape(len(t), width)
    if is_low(d):
        g = g.astype(F32)
    if scale_grad_by_freq:
        g = g / xp.bincount(t, minlength=num_weights)[t].astype(g.dtype)[:, None]
    r = add_rows(xp, g, t, num_weights)
    if 0 <= padding_idx < num_weights:
        r[padding_idx] = 0
    return r.astype(d, copy=False)


def add_rows(xp: Any, rows: Any, index: Any, count: int) -> Any:
    """A matrix of ``count`` rows; row i is the sum of the rows whose index is i."""
    n = len(index)
    if n and count * n <= _ONE_HOT_LIMIT and rows.dtype.kind == "f":
        one_hot = xp.zeros((count, n), rows.dtype)
        one_hot[index, xp.arange(n)] = 1
        r = one_hot.dot(rows)
        if xp.isfinite(xp.add.reduce(r, None)):  # 0 times infinity would spoil the rows of others
            return r
    return spread(xp, rows, index[:, None], xp.ones((n, 1), rows.dtype), count)


def embedding_renorm_(xp: Any, self: Any, indices: Any, max_norm: float, norm_type: float) -> Any:
    used = xp.unique(_indices(xp, "embedding_renorm_", indices, self.shape[0]))
    rows = self[used]
    size = xp.abs(rows.astype(xp.float64))
    norms = size.max(1) if norm_type == float("inf") else (size**norm_type).sum(1) ** (1 / norm_type)
    long = norms > max_norm
    if long.any():
        scale = (max_norm / (norms[long] + 1e-7)).astype(rows.dtype)
        self[used[long]] = rows[long] * scale[:, None]


def one_hot(xp: Any, self: Any, num_classes: int) -> Any:
    if self.dtype != I64:
        raise RuntimeError(
            message(
                "one_hot", "one_hot is only applicable to index tensor of type LongTensor.", {"dtype": self.dtype.name}
            )
        )
    if self.size == 0:
        if num_classes <= 0:
            raise RuntimeError(
                message("one_hot", "Can not infer total number of classes from empty tensor.", hint="pass num_classes")
            )
        return xp.zeros((*self.shape, num_classes), I64)
    if self.min() < 0:
        raise RuntimeError(message("one_hot", "Class values must be non-negative.", {"min": int(self.min())}))
    top = int(self.max())
    if num_classes == -1:
        num_classes = top + 1
    elif num_classes < 1:
        raise RuntimeError(message("one_hot", "num_classes should be positive", {"num_classes": num_classes}))
    elif top >= num_classes:
        raise RuntimeError(
            message(
                "one_hot", "Class values must be smaller than num_classes.", {"max": top, "num_classes": num_classes}
            )
        )
    r = xp.zeros((self.size, num_classes), I64)
    r[xp.arange(self.size), self.reshape(-1)] = 1
    return r.reshape((*self.shape, num_classes))
