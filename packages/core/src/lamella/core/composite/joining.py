"""Joining and rearranging, made of cat, stack, index_select and views."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import functions as F
from ..checks import ints, wrap_dims
from ..functions.joining import at_least
from ..tensor import Tensor


def hstack(tensors: Any) -> Tensor:
    parts = _some("hstack", tensors, 1)
    return F.op_cat(parts, 0 if parts[0]._a.ndim == 1 else 1)


def vstack(tensors: Any) -> Tensor:
    return F.op_cat(_some("vstack", tensors, 2), 0)


def dstack(tensors: Any) -> Tensor:
    return F.op_cat(_some("dstack", tensors, 3), 2)


def _some(op: str, tensors: Any, ndim: int) -> list[Tensor]:
    if not tensors:
        raise RuntimeError(message(op, f"{op} expects a non-empty TensorList"))
    return [at_least(t, ndim) for t in tensors]


def column_stack(tensors: Any) -> Tensor:
    if not tensors:
        raise RuntimeError(message("column_stack", "column_stack expects a non-empty TensorList"))
    parts = [F.op_reshape(t, (t._a.size, 1)) if t._a.ndim <= 1 else t for t in tensors]
    return F.op_cat(parts, 1)


def tile(self: Tensor, dims: Any) -> Tensor:
    dims = ints("tile", "dims", dims)
    return F.op_repeat(self, (1,) * (self._a.ndim - len(dims)) + dims)


def repeat_interleave_self_Tensor(
    self: Tensor, repeats: Tensor, dim: int | None = None, *, output_size: Any = None
) -> Tensor:
    x = self
    if dim is None:
        x, dim = F.op_reshape(x, (-1,)), 0
    elif x._a.ndim == 0:
        x = F.op_reshape(x, (1,))
    from ..checks import wrap_dim

    dim = wrap_dim("repeat_interleave", dim, x._a.ndim)
    n = x._a.shape[dim]
    if repeats._a.ndim == 0 or repeats._a.shape == (1,):
        repeats = F.op_expand(F.op_reshape(repeats, (1,)), (n,))
    elif repeats._a.ndim != 1:
        raise RuntimeError(message("repeat_interleave", "repeats must be 0-dim or 1-dim tensor"))
    elif repeats._a.size != n:
        raise RuntimeError(
            message(
                "repeat_interleave",
                f"repeats must have the same size as input along dim, but "
                f"repeats.size(0) = {repeats._a.size} and input.size({dim}) = {n}",
            )
        )
    places = F.op_repeat_interleave_Tensor(repeats, output_size=output_size)
    if output_size is not None and places._a.size != output_size:
        raise RuntimeError(
            message(
                "repeat_interleave",
                "allocated size does not match required size",
                {"output_size": output_size, "needed": places._a.size},
            )
        )
    return F.op_index_select(x, dim, places)


def repeat_interleave_self_int(
    self: Tensor, repeats: int, dim: int | None = None, *, output_size: Any = None
) -> Tensor:
    if repeats < 0:
        raise RuntimeError(message("repeat_interleave", "Repeats must be non-negative", {"repeats": repeats}))
    x = F.op_reshape(self, (-1,)) if dim is None or self._a.ndim == 0 else self
    at = 0 if dim is None else wrap_dims("repeat_interleave", dim, x._a.ndim)[0]
    shape = x._a.shape
    wide = F.op_expand(F.op_unsqueeze(x, at + 1), (*shape[: at + 1], repeats, *shape[at + 1 :]))
    from ..layouts import contiguous_format

    return F.op__unsafe_view(
        F.op_clone(wide, memory_format=contiguous_format), (*shape[:at], shape[at] * repeats, *shape[at + 1 :])
    )


def fliplr(self: Tensor) -> Tensor:
    if self._a.ndim < 2:
        raise RuntimeError(message("fliplr", "Input must be >= 2-d."))
    return F.op_flip(self, (1,))


def flipud(self: Tensor) -> Tensor:
    if self._a.ndim < 1:
        raise RuntimeError(message("flipud", "Input must be >= 1-d."))
    return F.op_flip(self, (0,))


def rot90(self: Tensor, k: int = 1, dims: Any = (0, 1)) -> Tensor:
    n = self._a.ndim
    dims = ints("rot90", "dims", dims)
    if len(dims) != 2:
        raise RuntimeError(message("rot90", f"expected total rotation dims == 2, but got dims = {len(dims)}"))
    if n < 2:
        raise RuntimeError(message("rot90", f"expected total dims >= 2, but got total dims = {n}"))
    for d in dims:
        if not -n <= d < n:
            rule = f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {d})"
            raise IndexError(message("rot90", rule))
    a, b = (d % n for d in dims)
    if a == b:
        raise RuntimeError(message("rot90", "expected rotation dims to be different", {"dims": list(dims)}))
    k %= 4
    if k == 0:
        return F.op_clone(self)
    if k == 2:
        return F.op_flip(self, (a, b))
    return F.op_transpose_int(F.op_flip(self, (b if k == 1 else a,)), a, b)


def meshgrid_indexing(tensors: Any, *, indexing: str) -> Any:
    if not tensors:
        raise RuntimeError(message("meshgrid", "meshgrid expects a non-empty TensorList"))
    if indexing not in ("ij", "xy"):
        raise RuntimeError(message("meshgrid", f'indexing must be one of "xy" or "ij", but received: {indexing}'))
    for t in tensors:
        if t._a.ndim > 1:
            raise RuntimeError(
                message("meshgrid", f"Expected 0D or 1D tensor in the tensor list but got: {t._a.ndim}D")
            )
        if t._a.dtype != tensors[0]._a.dtype:
            raise RuntimeError(message("meshgrid", "meshgrid expects all tensors to have the same dtype"))
    swap = indexing == "xy" and len(tensors) >= 2
    order = [1, 0, *range(2, len(tensors))] if swap else list(range(len(tensors)))
    shape = [tensors[i]._a.size for i in order]
    out = [
        F.op_expand(F.op_view(t, [-1 if order[k] == i else 1 for k in range(len(order))]), shape)
        for i, t in enumerate(tensors)
    ]
    return tuple(out)


def block_diag(tensors: Any) -> Tensor:
    parts = []
    for i, t in enumerate(tensors):
        if t._a.ndim > 2:
            raise RuntimeError(
                message(
                    "block_diag", f"Input tensors must have 2 or fewer dimensions. Input {i} has {t._a.ndim} dimensions"
                )
            )
        parts.append(t if t._a.ndim == 2 else F.op_reshape(t, (1, -1)))
    total = sum(t._a.shape[1] for t in parts)
    rows, at = [], 0
    for t in parts:
        n = t._a.shape[1]
        rows.append(F.op_constant_pad_nd(t, (at, total - at - n)))
        at += n
    return F.op_cat(rows, 0)


def cartesian_prod(tensors: Any) -> Tensor:
    for t in tensors:
        if t._a.ndim != 1:
            raise RuntimeError(message("cartesian_prod", f"Expect a 1D vector, but got shape {list(t._a.shape)}"))
    if len(tensors) == 1:
        return tensors[0]
    grids = F.op_meshgrid_indexing(tensors, indexing="ij")
    return F.op_stack([F.op_reshape(g, (-1,)) for g in grids], 1)


def combinations(self: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    if self._a.ndim != 1:
        raise RuntimeError(message("combinations", f"Expect a 1D vector, but got shape {list(self._a.shape)}"))
    if r < 0:
        raise RuntimeError(message("combinations", f"Expect a non-negative number, but got {r}"))
    if r == 0:
        return F.empty((0,), dtype=self.dtype, device=self.device)
    from itertools import combinations as plain, combinations_with_replacement as repeated

    n = self._a.size
    rows = list((repeated if with_replacement else plain)(range(n), r))
    from ..dtypes import int64

    index = F.zeros((0, r), dtype=int64) if not rows else _index(rows)
    return F.op_index_Tensor(self, [index])


def _index(rows: Any) -> Tensor:
    from ..creation import tensor

    return tensor(rows)


def pixel_shuffle(self: Tensor, upscale_factor: int) -> Tensor:
    shape, r = self._a.shape, upscale_factor
    if len(shape) < 3:
        raise RuntimeError(
            message(
                "pixel_shuffle",
                f"pixel_shuffle expects input to have at least 3 dimensions, but got input "
                f"with {len(shape)} dimension(s)",
            )
        )
    if r <= 0:
        raise RuntimeError(message("pixel_shuffle", f"pixel_shuffle expects a positive upscale_factor, but got {r}"))
    *lead, c, h, w = shape
    if c % (r * r):
        raise RuntimeError(
            message(
                "pixel_shuffle",
                "pixel_shuffle expects its input's 'channel' dimension to be divisible by "
                f"the square of upscale_factor, but input.size(-3)={c} is not divisible "
                f"by {r * r}",
            )
        )
    n = len(lead)
    x = F.op_reshape(self, (*lead, c // (r * r), r, r, h, w))
    x = F.op_permute(x, (*range(n), n, n + 3, n + 1, n + 4, n + 2))
    return F.op_reshape(F.op_clone(x, memory_format=_contiguous()), (*lead, c // (r * r), h * r, w * r))


def pixel_unshuffle(self: Tensor, downscale_factor: int) -> Tensor:
    shape, r = self._a.shape, downscale_factor
    if len(shape) < 3:
        raise RuntimeError(
            message(
                "pixel_unshuffle",
                f"pixel_unshuffle expects input to have at least 3 dimensions, but got "
                f"input with {len(shape)} dimension(s)",
            )
        )
    if r <= 0:
        raise RuntimeError(
            message("pixel_unshuffle", f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
        )
    *lead, c, h, w = shape
    for name, size in (("height", h), ("width", w)):
        if size % r:
            raise RuntimeError(
                message(
                    "pixel_unshuffle",
                    f"pixel_unshuffle expects {name} to be divisible by "
                    f"downscale_factor, but {size} is not divisible by {r}",
                )
            )
    n = len(lead)
    x = F.op_reshape(self, (*lead, c, h // r, r, w // r, r))
    x = F.op_permute(x, (*range(n), n, n + 2, n + 4, n + 1, n + 3))
    return F.op_reshape(F.op_clone(x, memory_format=_contiguous()), (*lead, c * r * r, h // r, w // r))


def _contiguous() -> Any:
    from ..layouts import contiguous_format

    return contiguous_format


def channel_shuffle(self: Tensor, groups: int) -> Tensor:
    shape = self._a.shape
    if len(shape) < 3:
        raise RuntimeError(
            message(
                "channel_shuffle",
                f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}",
            )
        )
    if groups <= 0:
        raise RuntimeError(
            message(
                "channel_shuffle", f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
            )
        )
    b, c, *rest = shape
    if c % groups:
        raise RuntimeError(
            message(
                "channel_shuffle",
                f"Number of channels must be divisible by groups. Got {c} channels and {groups} groups.",
            )
        )
    x = F.op_transpose_int(F.op_reshape(self, (b, groups, c // groups, *rest)), 1, 2)
    return F.op_reshape(F.op_clone(x, memory_format=_contiguous()), shape)
