"""Views of arrays through other sizes and strides."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..checks import ints, wrap_dim, wrap_dims
from ..storage import address, is_overlapping, lowest, owner_of
from .strides import fixed, ndarray, strided, writable

mark: Any = ndarray.setflags


def view(xp: Any, self: Any, size: Any) -> Any:
    # NumPy copies silently where strides do not allow a view; a view that shares no memory is an error here.
    try:
        r = self.reshape(size)
    except (ValueError, TypeError):
        raise _bad_shape("view", self, size) from None
    if (len(size) != 1 or size[0] < 0) and r.shape != size and min(size, default=0) < -1:
        raise _bad_shape("view", self, size)  # NumPy takes any negative size for -1
    base = r.base
    if base is self or (base is not None and base is self.base) or self.size == 0:
        return r
    raise RuntimeError(
        message(
            "view",
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces)",
            {"shape": list(self.shape), "size": list(size)},
            hint="use .reshape(...) instead",
        )
    )


def _bad_shape(op: str, a: Any, size: Any) -> Exception:
    size = ints(op, "size", size)
    if min(size, default=0) < -1:
        return RuntimeError(message(op, f"invalid shape dimension {min(size)}", {"size": list(size)}))
    if size.count(-1) > 1:
        return RuntimeError(message(op, "only one dimension can be inferred", {"size": list(size)}))
    if -1 in size and 0 in size:
        return RuntimeError(
            message(
                op,
                f"cannot reshape tensor of {a.size} elements into shape {list(size)} because the "
                "unspecified dimension size -1 can be any value",
            )
        )
    return RuntimeError(message(op, f"shape '{list(size)}' is invalid for input of size {a.size}"))


def view_dtype(xp: Any, self: Any, dtype: Any) -> Any:
    d = dtype.np
    if d is self.dtype:
        return self.view()
    if d.itemsize == self.itemsize:
        return self.view(d)
    have, want = self.itemsize, d.itemsize
    if self.ndim == 0:
        raise RuntimeError(
            message(
                "view", f"self.dim() cannot be 0 to view {self.dtype.name} as {dtype.name} (different element sizes)"
            )
        )
    if have < want and self.shape[-1] * have % want:
        raise RuntimeError(
            message(
                "view",
                f"self.size(-1) must be divisible by {want // have} to view {self.dtype.name} as "
                f"{dtype.name} (different element sizes), but got {self.shape[-1]}",
            )
        )
    if self.size == 0:  # NumPy's strides of empty arrays mean nothing
        return xp.empty((*self.shape[:-1], self.shape[-1] * have // want), d)
    if self.strides[-1] != have and self.shape[-1] > 1:
        raise RuntimeError(
            message(
                "view",
                f"self.stride(-1) must be 1 to view {self.dtype.name} as {dtype.name} "
                f"(different element sizes), but got {self.strides[-1] // have}",
            )
        )
    if have < want and (self.strides[-1] != have or any(s % want for s in self.strides[:-1])):
        raise RuntimeError(
            message(
                "view",
                f"strides must be divisible by {want // have} to view {self.dtype.name} as "
                f"{dtype.name} (different element sizes)",
            )
        )
    return self.view(d)


def _unsafe_view(xp: Any, self: Any, size: Any) -> Any:
    try:
        if min(size, default=0) >= -1:
            return self.reshape(size)
        raise ValueError
    except (ValueError, TypeError):
        raise _bad_shape("reshape", self, size) from None


def squeeze(xp: Any, self: Any) -> Any:
    return self.squeeze()


def squeeze_dim(xp: Any, self: Any, dim: int) -> Any:
    dim = wrap_dim("squeeze", dim, self.ndim)
    if self.ndim and self.shape[dim] == 1:
        return self.squeeze(dim)
    return self.view()


def squeeze_dims(xp: Any, self: Any, dim: Any) -> Any:
    dims = wrap_dims("squeeze", dim, self.ndim)
    if not self.ndim:
        return self.view()
    return self.squeeze(tuple(d for d in dims if self.shape[d] == 1))


def unsqueeze(xp: Any, self: Any, dim: int) -> Any:
    n = self.ndim + 1
    if dim.__class__ is not int:
        dim = wrap_dim("unsqueeze", dim, n)
    if dim < 0:
        dim += n
    if not 0 <= dim < n:
        raise IndexError(
            message(
                "unsqueeze",
                f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but "
                f"got {dim if dim >= n else dim - n})",
            )
        )
    if dim == 0:
        return self[None]
    if dim == n - 1:
        return self[..., None]
    return self[(slice(None),) * dim + (None,)]


def t(xp: Any, self: Any) -> Any:
    if self.ndim > 2:
        raise RuntimeError(message("t", f"expects a tensor with <= 2 dimensions, but self is {self.ndim}D"))
    return self.T


def transpose_int(xp: Any, self: Any, dim0: int, dim1: int) -> Any:
    try:
        return self.swapaxes(dim0, dim1)
    except (ValueError, TypeError, OverflowError):
        wrap_dim("transpose", dim0, self.ndim), wrap_dim("transpose", dim1, self.ndim)
        return self.view()


def permute(xp: Any, self: Any, dims: Any) -> Any:
    n = self.ndim
    if len(dims) == n:
        try:
            return self.transpose(dims) if n else self.view()
        except (ValueError, TypeError):
            pass
    if len(dims) != n:
        raise RuntimeError(
            message(
                "permute",
                "number of dimensions in the tensor input does not match "
                "the length of the desired ordering of dimensions",
                f"i.e. input.dim() = {n} is not equal to len(dims) = {len(dims)}",
            )
        )
    dims = wrap_dims("permute", ints("permute", "dims", dims), n)
    return self.transpose(dims)


def expand(xp: Any, self: Any, size: Any, implicit: bool) -> Any:
    have = self.shape
    lead = len(size) - len(have)
    if lead < 0:
        raise RuntimeError(
            message(
                "expand",
                f"the number of sizes provided ({len(size)}) must be greater or equal to the number of dimensions in "
                f"the tensor ({len(have)})",
                {"shape": list(have), "size": list(size)},
            )
        )
    shape, strides = [], []
    i = -lead
    added = repeated = False
    for want in size:
        if i < 0 or have[i] != want:
            if i >= 0 and want == -1:
                want, step = have[i], self.strides[i]
            elif want.__class__ is not int:
                return expand(xp, self, ints("expand", "size", size), implicit)
            elif want < 0 or i >= 0 and have[i] != 1:
                raise _no_expand(have, size, i + lead, have[i] if i >= 0 else None)
            else:
                step, added = 0, True
                repeated = repeated or want > 1
        else:
            step = self.strides[i]
        shape.append(want)
        strides.append(step)
        i += 1
    if not added:
        return self.view()
    r = strided(xp, self, shape, strides)
    if repeated:
        mark(r, False)  # NumPy itself then refuses writes, as torch does
    return r


def _no_expand(have: Any, size: Any, i: int, n: int | None) -> RuntimeError:
    if n is None and size[i] == -1:
        return RuntimeError(
            message(
                "expand",
                f"the expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {i}",
                {"shape": list(have), "size": list(size)},
            )
        )
    return RuntimeError(
        message(
            "expand",
            f"The expanded size of the tensor ({size[i]}) must match the existing size ({n}) at "
            f"non-singleton dimension {i}. Target sizes: {list(size)}. Tensor sizes: "
            f"{list(have)}",
        )
    )


def as_strided(xp: Any, self: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    size, stride = ints("as_strided", "size", size), ints("as_strided", "stride", stride)
    if len(size) != len(stride):
        raise RuntimeError(
            message("as_strided", f"mismatch in length of strides and shape ({len(stride)}, {len(size)})")
        )
    if min(stride, default=0) < 0:
        raise RuntimeError(
            message("as_strided", f"Negative strides are not supported at the moment, got strides: {list(stride)}")
        )
    if min(size, default=0) < 0:
        raise RuntimeError(message("as_strided", f"sizes must not be negative, got {list(size)}"))
    step = self.itemsize
    root = owner_of(self)
    start = address(self) - lowest(root)
    at = start if storage_offset is None else int(storage_offset) * step
    if at < 0:
        raise RuntimeError(message("as_strided", f"Tensor: invalid storage offset {storage_offset}"))
    span = 0 if 0 in size else step + sum((n - 1) * s * step for n, s in zip(size, stride, strict=True))
    room = _room(root)
    if span and at + span > room:
        raise RuntimeError(
            message(
                "as_strided",
                f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset "
                f"{at // step}, and itemsize {step} requiring a storage size of "
                f"{at + span} are out of bounds for storage of size {room}",
            )
        )
    if not span:
        return self.reshape(-1)[:0].reshape(size) if not self.size else self[(slice(0, 0),) * self.ndim].reshape(size)
    return fixed(strided(xp, self, size, tuple(s * step for s in stride), at - start))


def _room(root: Any) -> int:
    """Bytes of memory that an owning array covers."""
    if root.size == 0:
        return 0
    return root.itemsize + sum((n - 1) * abs(s) for n, s in zip(root.shape, root.strides, strict=True))


def as_strided_scatter(xp: Any, self: Any, src: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    # The copy has the memory around the input too, so that the same window means the same elements.
    root = owner_of(self)
    start = address(self) - lowest(root)
    room = _room(root) // self.itemsize
    if root is not self and not root.flags.forc or is_overlapping(self) or start % self.itemsize or not self.size:
        r = self.copy()
    else:
        memory = strided(xp, self, (room,), (self.itemsize,), -start).copy()
        r = strided(xp, memory, self.shape, self.strides, start)
    window = as_strided(xp, r, size, stride, storage_offset)
    if window.shape != src.shape:
        raise _no_fit("as_strided_scatter", src, window)
    writable("as_strided_scatter", window)[...] = src
    return r


def _no_fit(op: str, src: Any, window: Any) -> RuntimeError:
    return RuntimeError(
        message(
            op,
            "expected src to have a size equal to the slice of self",
            {"src": list(src.shape), "slice": list(window.shape)},
        )
    )


def view_as_real(xp: Any, self: Any) -> Any:
    if self.dtype.kind != "c":
        raise RuntimeError(message("view_as_real", f"it is only supported for complex tensors, not {self.dtype.name}"))
    return self[..., None].view(self.real.dtype)


def view_as_complex(xp: Any, self: Any) -> Any:
    if self.dtype.kind != "f" or self.itemsize < 4:
        raise RuntimeError(
            message(
                "view_as_complex",
                "it is only supported for float and double tensors, but got a "
                f"tensor of scalar type: {self.dtype.name}",
            )
        )
    if self.ndim == 0 or self.shape[-1] != 2:
        raise RuntimeError(
            message(
                "view_as_complex",
                "Tensor must have a last dimension of size 2"
                if self.ndim
                else "Input tensor must have one or more dimensions",
                {"shape": list(self.shape)},
            )
        )
    step = self.itemsize
    if self.strides[-1] != step:
        raise RuntimeError(message("view_as_complex", "Tensor must have a last dimension with stride 1"))
    if (address(self) - lowest(owner_of(self))) % (2 * step):
        raise RuntimeError(message("view_as_complex", "Tensor must have a storage_offset divisible by 2"))
    if any(s % (2 * step) for s, n in zip(self.strides[:-1], self.shape[:-1], strict=True) if n > 1):
        raise RuntimeError(
            message("view_as_complex", "Tensor must have a stride divisible by 2 for all but last dimension")
        )
    return self.view(xp.complex64 if step == 4 else xp.complex128)[..., 0]


def alias(xp: Any, self: Any) -> Any:
    return self.view()
