"""Where a view lies in its base's memory, and moving gradients between the two.

Everything here is made of operators on tensors, so that it can be differentiated in turn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lamella.core import functions as F
from lamella.core.storage import address, is_cupy
from lamella.core.tensor import CPU, Tensor, contiguous_strides, describe, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, TRANSFORM_MASK
from lamella.dispatch.state import state


class Geometry(NamedTuple):
    """Shape, strides and offset in elements, counted from the base's first element; whether elements are halves of
    complex ones."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    real_of_complex: bool = False


def _address(a: Any) -> int:
    if is_cupy(a) or hasattr(a, "__array_interface__"):
        return address(a)
    return a.__cuda_array_interface__["data"][0]


def geometry_of(base: Tensor, view: Tensor) -> Geometry:
    """The place of ``view`` in ``base``'s memory."""
    if (base._ks | view._ks) & TRANSFORM_MASK:
        return _behind(base, view)
    a, b = view._a, base._a
    size = a.itemsize
    if a is b:
        return Geometry(a.shape, tuple(s // size for s in a.strides), 0)
    halves = a.dtype.kind == "f" and b.dtype.kind == "c" and 2 * size == b.itemsize
    if a.dtype != b.dtype and not halves:
        raise RuntimeError(message("in-place", "a write through a view of another element type cannot be "
                                               "differentiated",
                                   {"view": describe(view), "base": describe(base)}, hint="clone() the view first"))
    offset = (_address(a) - _address(b)) // size if a.size else 0
    return Geometry(a.shape, tuple(s // size for s in a.strides), offset, halves)


def _behind(base: Any, view: Any) -> Geometry:
    """`geometry_of` for tensors of transforms: the place within one example, as if only one was in memory."""
    b_shape, b_strides, b = _example(base)
    a_shape, a_strides, a = _example(view)
    halves = a.dtype.kind == "f" and b.dtype.kind == "c" and 2 * a.itemsize == b.itemsize
    if a.dtype != b.dtype and not halves:
        raise RuntimeError(message("in-place", "a write through a view of another element type cannot be "
                                               "differentiated",
                                   {"view": describe(view), "base": describe(base)}, hint="clone() the view first"))
    offset = _address(a) - _address(b) if 0 not in a_shape else 0
    steps = [] if not halves else [(a.itemsize, 1)]
    dense = 2 if halves else 1
    for s, n in sorted((s, n) for s, n in zip(b_strides, b_shape, strict=True) if n > 1 and s):
        steps.append((s, dense))
        dense *= n
    steps.sort(reverse=True)

    def packed(distance: int) -> int:
        """A distance in bytes as one in elements of memory without gaps."""
        found = 0
        for step, length in steps:
            found += distance // step * length
            distance %= step
        return found

    return Geometry(a_shape, tuple(packed(s) for s in a_strides), packed(offset), halves)


def _example(t: Any) -> tuple[tuple[int, ...], tuple[int, ...], Any]:
    """Shape and strides (in bytes) of one example of a transform's tensor, and the plain array behind it."""
    if not t._ks & TRANSFORM_MASK:
        return t._a.shape, t._a.strides, t._a
    shape, strides, a = _example(t._value)
    dim = getattr(t, "_bdim", None)
    if dim is None:
        return shape, strides, a
    return shape[:dim] + shape[dim + 1 :], strides[:dim] + strides[dim + 1 :], a


def _extent(g: Geometry) -> int:
    """Elements of memory from the first to the last element."""
    if 0 in g.shape:
        return 0
    return 1 + sum((n - 1) * s for n, s in zip(g.shape, g.strides, strict=True))


def _room(base: Geometry, view: Geometry) -> tuple[int, int]:
    """Elements that base and view cover before the base's first one, and in all: `as_strided` looks beyond its base."""
    unit = 2 if view.real_of_complex else 1
    reach = _extent(view)
    start = view.offset // unit if reach else 0
    stop = max(_extent(base), -(-(view.offset + reach) // unit) if reach else 0, 1)
    return max(-start, 0), stop + max(-start, 0)


def is_plain(g: Tensor) -> bool:
    """Whether arrays may be used directly: a CPU tensor without history, and nobody listening to operators."""
    return g._ks == CPU and not state.affected & CPU


def is_recording() -> bool:
    """Whether what this thread computes gets a history."""
    return not (state.affected and state.thread.exclude & AUTOGRAD_MASK)


def plain_copy(g: Tensor, base: Geometry, view: Geometry, fill: bool = True) -> tuple[Tensor, Any]:
    """A copy of ``g`` (or zeros) in the base's layout, and the array of the part that ``view`` covers."""
    a = g._a
    size = a.itemsize
    before, n = _room(base, view)
    flat = np.empty(n, a.dtype) if fill and n == a.size else np.zeros(n, a.dtype)
    whole = np.ndarray(base.shape, a.dtype, flat, before * size, tuple(s * size for s in base.strides))
    if fill:
        np.copyto(whole, a)
    part_type = a.real.dtype if view.real_of_complex and fill else a.dtype
    size = part_type.itemsize
    at = before * a.itemsize + view.offset * size if 0 not in view.shape else 0
    part = np.ndarray(view.shape, part_type, flat, at, tuple(s * size for s in view.strides))
    return wrap(whole), part


def copy_in_layout(g: Tensor, base: Geometry) -> Any:
    """A copy of ``g`` whose memory is laid out like the base's."""
    return empty_in_layout(g.detach(), base).copy_(g)  # type: ignore[attr-defined]


def empty_in_layout(like: Any, base: Geometry) -> Any:
    """A new tensor of ``like``'s type whose memory is laid out like the base's."""
    if like._ks & TRANSFORM_MASK:  # batched tensors have strides of their own only as views
        return like.new_zeros((_extent(base),)).as_strided(base.shape, base.strides, 0)
    return like.new_empty_strided(base.shape, base.strides)


def part_of(whole: Tensor, view: Geometry) -> Any:
    """The part of ``whole`` that ``view`` describes; a view without history."""
    with state.masks(exclude=AUTOGRAD_MASK):
        return strided_part(whole, view)


def strided_part(whole: Tensor, view: Geometry) -> Any:
    """The part of ``whole`` that ``view`` describes, as an ordinary view."""
    if view.real_of_complex:
        whole = F.view_as_real(whole)
    return whole.as_strided(view.shape, view.strides, view.offset)  # type: ignore[attr-defined]


def _overlaps(view: Geometry) -> bool:
    reach = 0
    for s, n in sorted((abs(s), n) for n, s in zip(view.shape, view.strides, strict=True) if n > 1):
        if s <= reach:
            return True
        reach += s * (n - 1)
    return False


def scatter(grad: Tensor, base: Geometry, view: Geometry) -> Any:
    """The gradient of a base from that of a view: zeros around ``grad``, summed where elements repeat."""
    if is_plain(grad) and not view.real_of_complex and not _overlaps(view):
        whole, part = plain_copy(grad, base, view, fill=False)
        np.copyto(part, grad._a)
        return whole
    plain = grad.detach()
    before, n = _room(base, view)
    at = before * (2 if view.real_of_complex else 1) + view.offset if 0 not in view.shape else 0
    if view.real_of_complex:
        flat = plain.new_zeros((n, 2))  # type: ignore[attr-defined]
        place = flat.as_strided(view.shape, view.strides, at)
        place.copy_(grad)
        return F.view_as_complex(flat).as_strided(base.shape, base.strides, before)  # type: ignore[attr-defined]
    if not _overlaps(view):
        flat = plain.new_zeros((n,))  # type: ignore[attr-defined]
        flat.as_strided(view.shape, view.strides, at).copy_(grad)
    else:
        index = F.arange(n, device=grad.device).as_strided(view.shape, view.strides, at)
        flat = plain.new_zeros((n,)).index_add(0, index.reshape(-1), grad.reshape(-1))  # type: ignore[attr-defined]
    if n == _extent(base) and base.strides == contiguous_strides(base.shape):
        return flat.view(base.shape)
    return flat.as_strided(base.shape, base.strides, before)

