"""Arrays put together, repeated and rearranged."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..checks import ints, wrap_dim, wrap_dims
from ..dtypes import from_numpy_dtype
from ..promotion import promote_types
from .conversion import scalar_for
from .strides import in_order

_ALL = slice(None)


def common_dtype(arrays: Any) -> Any:
    """The NumPy dtype that all arrays promote to."""
    first = arrays[0].dtype
    for a in arrays:
        if a.dtype is not first:
            break
    else:
        return first
    # Zero-dimensional operands count less, as in arithmetic, where there are others.
    found = None
    for a in arrays:
        d = from_numpy_dtype(a.dtype)
        found = d if found is None else promote_types(found, d)
    return found.np  # type: ignore[union-attr]


def cat(xp: Any, tensors: Any, dim: int) -> Any:
    if not tensors:
        raise ValueError(message("cat", "expected a non-empty list of Tensors"))
    first = tensors[0]
    d = first.dtype
    for a in tensors:
        if a.dtype is not d:
            d = common_dtype(tensors)
            tensors = [a.astype(d, copy=False) for a in tensors]
            break
    try:
        r = xp.concatenate(tensors, dim)
    except (ValueError, TypeError, IndexError):
        r = _cat_checked(xp, tensors, dim)
    return r if r.ndim > 3 else in_order(xp, r)  # more dimensions may have channels last


def cat_checked(tensors: Any, dim: int) -> tuple[list[Any], int]:
    """The tensors (or arrays) that count, and the dimension; the errors of a list that does not fit.

    Empty one-dimensional tensors are left out, as torch does for old programs' sake.
    """
    for i, a in enumerate(tensors):
        if a.ndim == 0:
            raise RuntimeError(message("cat", f"zero-dimensional tensor (at position {i}) cannot be concatenated"))
    kept = [a for a in tensors if a.shape != (0,)] or list(tensors[:1])
    first = kept[0]
    at = wrap_dim("cat", dim, first.ndim)
    for i, a in enumerate(tensors):
        if a.shape == (0,):
            continue
        if a.ndim != first.ndim:
            raise RuntimeError(
                message("cat", f"Tensors must have same number of dimensions: got {first.ndim} and {a.ndim}")
            )
        for k, (n, m) in enumerate(zip(first.shape, a.shape, strict=True)):
            if k != at and n != m:
                raise RuntimeError(
                    message(
                        "cat",
                        f"Sizes of tensors must match except in dimension {at}. Expected size {n} "
                        f"but got size {m} for tensor number {i} in the list.",
                    )
                )
    return kept, at


def _cat_checked(xp: Any, tensors: Any, dim: int) -> Any:
    kept, dim = cat_checked(tensors, dim)
    return xp.concatenate(kept, dim)


def stack(xp: Any, tensors: Any, dim: int) -> Any:
    first = tensors[0]
    d, shape = first.dtype, first.shape
    for a in tensors:
        if a.dtype is not d or a.shape != shape:
            stack_checked(tensors, dim)
            d = common_dtype(tensors)
            break
    if not 0 <= dim <= len(shape):
        dim = stack_checked(tensors, dim)
    r = xp.empty((*shape[:dim], len(tensors), *shape[dim:]), d)
    if dim == 0:
        for i, a in enumerate(tensors):
            r[i, ...] = a
        return r
    lead = (_ALL,) * dim
    for i, a in enumerate(tensors):
        r[(*lead, i)] = a
    return r


def stack_checked(tensors: Any, dim: int) -> int:
    """The dimension, after checking that all tensors (or arrays) have one shape."""
    if not tensors:
        raise RuntimeError(message("stack", "expects a non-empty TensorList"))
    shape = tensors[0].shape
    for i, a in enumerate(tensors):
        if a.shape != shape:
            raise RuntimeError(
                message(
                    "stack",
                    f"expects each tensor to be equal size, but got {list(shape)} at entry 0 and "
                    f"{list(a.shape)} at entry {i}",
                )
            )
    return wrap_dim("stack", dim, len(shape) + 1)


def repeat(xp: Any, self: Any, repeats: Any) -> Any:
    repeats = repeat_checked(self, repeats)
    lead = len(repeats) - self.ndim
    # One broadcast copy: every dimension becomes a pair (how often, what).
    full = (1,) * lead + self.shape
    pairs = [k for n, m in zip(repeats, full, strict=True) for k in (n, m)]
    r = xp.empty(pairs, self.dtype)
    r[...] = self.reshape([k for m in full for k in (1, m)])
    return r.reshape([n * m for n, m in zip(repeats, full, strict=True)])


def repeat_checked(a: Any, repeats: Any) -> tuple[int, ...]:
    """The repeats as ints, after checking their number and signs."""
    repeats = ints("repeat", "repeats", repeats)
    if len(repeats) < a.ndim:
        raise RuntimeError(
            message(
                "repeat",
                "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
                {"repeats": list(repeats), "dimensions": a.ndim},
            )
        )
    if min(repeats, default=0) < 0:
        raise RuntimeError(message("repeat", f"Trying to create tensor with negative dimension {min(repeats)}"))
    return repeats


def repeat_interleave_Tensor(xp: Any, repeats: Any, output_size: Any) -> Any:
    if repeats.ndim != 1:
        raise RuntimeError(message("repeat_interleave", "repeat_interleave only accept 1D vector as repeat"))
    if repeats.dtype.kind != "i" or repeats.itemsize < 4:
        raise RuntimeError(
            message("repeat_interleave", f"repeats has to be Long or Int tensor, not {repeats.dtype.name}")
        )
    if repeats.size and repeats.min() < 0:
        raise RuntimeError(message("repeat_interleave", "repeats can not be negative"))
    return xp.repeat(xp.arange(repeats.size, dtype=repeats.dtype), repeats)


def flip(xp: Any, self: Any, dims: Any) -> Any:
    axes = wrap_dims("flip", ints("flip", "dims", dims), self.ndim)
    if not self.ndim:
        return self.copy()
    back = slice(None, None, -1)
    return self[tuple(back if i in axes else _ALL for i in range(self.ndim))].copy()


def roll(xp: Any, self: Any, shifts: Any, dims: Any) -> Any:
    shifts = ints("roll", "shifts", shifts)
    dims = () if dims is None else ints("roll", "dims", dims)
    if not shifts:
        raise RuntimeError(message("roll", "`shifts` required"))
    if not dims and len(shifts) == 1:
        return _rolled(xp, in_order(xp, self).reshape(-1), shifts[0], 0).reshape(self.shape)
    if len(shifts) != len(dims):
        raise RuntimeError(
            message("roll", f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
        )
    if not self.ndim:
        raise IndexError(message("roll", "Dimension specified as 0 but tensor has no dimensions"))
    r = in_order(xp, self)
    for shift, axis in zip(shifts, [wrap_dim("roll", d, self.ndim) for d in dims], strict=True):
        r = _rolled(xp, r, shift, axis)
    return r


def _rolled(xp: Any, a: Any, shift: int, axis: int) -> Any:
    """The last elements along an axis in front of the others, in new memory."""
    n = a.shape[axis]
    if not n:
        return a.copy()
    at = n - shift % n
    before = (_ALL,) * axis
    return xp.concatenate((a[(*before, slice(at, None))], a[(*before, slice(at))]), axis)


def tril(xp: Any, self: Any, diagonal: int) -> Any:
    return _triangle(xp, "tril", self, diagonal)


def triu(xp: Any, self: Any, diagonal: int) -> Any:
    return _triangle(xp, "triu", self, diagonal)


def _triangle(xp: Any, op: str, a: Any, diagonal: int) -> Any:
    if a.ndim < 2:
        raise RuntimeError(message(op, "input tensor must have at least 2 dimensions"))
    rows, cols = a.shape[-2:]
    r = xp.zeros(a.shape, a.dtype)
    xp.copyto(r, a, where=triangle_mask(rows, cols, diagonal, op == "tril"))
    return r


@lru_cache(maxsize=32)
def _small_mask(rows: int, cols: int, diagonal: int, lower: bool) -> Any:
    mask = np.tri(rows, cols, diagonal if lower else diagonal - 1, bool)
    return mask if lower else ~mask


def triangle_mask(rows: int, cols: int, diagonal: int, lower: bool) -> Any:
    """True in the triangle; small masks are kept, because causal ones are asked for again and again."""
    if rows * cols <= 1 << 16:
        return _small_mask(rows, cols, diagonal, lower)
    return _small_mask.__wrapped__(rows, cols, diagonal, lower)


def tril_indices(xp: Any, row: int, col: int, offset: int, dtype: Any) -> Any:
    _check_sizes("tril_indices", row, col)
    return xp.stack(xp.tril_indices(row, offset, col)).astype(np.int64 if dtype is None else dtype.np, copy=False)


def triu_indices(xp: Any, row: int, col: int, offset: int, dtype: Any) -> Any:
    _check_sizes("triu_indices", row, col)
    return xp.stack(xp.triu_indices(row, offset, col)).astype(np.int64 if dtype is None else dtype.np, copy=False)


def _check_sizes(op: str, row: int, col: int) -> None:
    if row < 0 or col < 0:
        raise RuntimeError(message(op, "row and col must be non-negative", {"row": row, "col": col}))


def constant_pad_nd(xp: Any, self: Any, pad: Any, value: Any) -> Any:
    before, shape = pad_checked(self.shape, pad)
    r = xp.empty(shape, self.dtype)
    r.fill(scalar_for("constant_pad_nd", self.dtype, value))
    source, target = [], []
    for n, lo, out in zip(self.shape, before, shape, strict=True):
        source.append(slice(max(-lo, 0), max(min(n, out - lo), 0)))
        target.append(slice(max(lo, 0), max(min(out, n + lo), 0)))
    r[tuple(target)] = self[tuple(source)]
    return r


def pad_checked(shape: Any, pad: Any) -> tuple[list[int], list[int]]:
    """The width in front of each dimension, and the padded shape."""
    pad = ints("constant_pad_nd", "pad", pad)
    n = len(shape)
    if len(pad) % 2:
        raise RuntimeError(message("constant_pad_nd", f"Length of pad must be even but instead it equals {len(pad)}"))
    if len(pad) > 2 * n:
        raise RuntimeError(
            message(
                "constant_pad_nd",
                "Length of pad should be no more than twice the number of dimensions "
                f"of the input. Pad length is {len(pad)} while the input has {n} "
                "dimensions.",
            )
        )
    before, out = [0] * n, list(shape)
    for i in range(len(pad) // 2):
        at = n - 1 - i
        before[at] = pad[2 * i]
        out[at] = shape[at] + pad[2 * i] + pad[2 * i + 1]
        if out[at] < 0:
            raise RuntimeError(
                message(
                    "constant_pad_nd",
                    f"The input size {shape[at]}, plus negative padding {pad[2 * i]} "
                    f"and {pad[2 * i + 1]}, resulted in a negative output size, which "
                    "is invalid.",
                    {"dimension": at},
                )
            )
    return before, out
