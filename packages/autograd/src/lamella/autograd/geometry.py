"""Where a view lies in its base's memory, and moving gradients between the two.

Everything here is made of operators on tensors, so that it can be differentiated in turn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lamella.core.tensor import Tensor, contiguous_strides, describe
from lamella.dispatch.errors import message


class Geometry(NamedTuple):
    """Shape, strides and offset in elements, counted from the base's first element; whether elements are halves of
    complex ones."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    real_of_complex: bool = False


def _address(a: Any) -> int:
    found = getattr(a, "__array_interface__", None) or a.__cuda_array_interface__
    return found["data"][0]


def geometry_of(base: Tensor, view: Tensor) -> Geometry:
    """The place of ``view`` in ``base``'s memory."""
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


def _extent(g: Geometry) -> int:
    """Elements of memory from the first to the last element."""
    if 0 in g.shape:
        return 0
    return 1 + sum((n - 1) * s for n, s in zip(g.shape, g.strides, strict=True))


def strided(g: Tensor, base: Geometry, view: Geometry | None) -> Any:
    """Without ``view``: a copy of ``g`` in the base's layout. With it: the part of such a copy that the view covers."""
    if view is None:
        whole = g.detach().new_empty_strided(base.shape, base.strides)  # type: ignore[attr-defined]
        if _extent(base) > g.numel():
            whole.zero_()
        return whole.copy_(g)
    if view.real_of_complex:
        from lamella import core

        g = core.view_as_real(g)  # type: ignore[attr-defined]
    return g.as_strided(view.shape, view.strides, g.storage_offset() + view.offset)  # type: ignore[attr-defined]


def _overlaps(view: Geometry) -> bool:
    reach = 0
    for s, n in sorted((abs(s), n) for n, s in zip(view.shape, view.strides, strict=True) if n > 1):
        if s <= reach:
            return True
        reach += s * (n - 1)
    return False


def scatter(grad: Tensor, base: Geometry, view: Geometry) -> Any:
    """The gradient of a base from that of a view: zeros around ``grad``, summed where elements repeat."""
    plain = grad.detach()
    n = max(_extent(base), 1)
    if view.real_of_complex:
        from lamella import core

        flat = plain.new_zeros((n, 2))  # type: ignore[attr-defined]
        place = flat.as_strided(view.shape, view.strides, view.offset)
        place.copy_(grad)
        return core.view_as_complex(flat).as_strided(base.shape, base.strides, 0)  # type: ignore[attr-defined]
    if not _overlaps(view):
        flat = plain.new_zeros((n,))  # type: ignore[attr-defined]
        flat.as_strided(view.shape, view.strides, view.offset).copy_(grad)
    else:
        from lamella import core

        index = core.arange(n, device=grad.device).as_strided(view.shape, view.strides,
                                                              view.offset)  # type: ignore[attr-defined]
        flat = plain.new_zeros((n,)).index_add(0, index.reshape(-1), grad.reshape(-1))  # type: ignore[attr-defined]
    if base.strides == contiguous_strides(base.shape):
        return flat.view(base.shape) if flat.numel() == _numel(base) else flat.as_strided(base.shape, base.strides, 0)
    return flat.as_strided(base.shape, base.strides, 0)


def _numel(g: Geometry) -> int:
    n = 1
    for s in g.shape:
        n *= s
    return n
