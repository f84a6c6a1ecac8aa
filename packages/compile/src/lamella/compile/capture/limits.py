"""Operators whose result depends on which of two sizes is larger: the comparison becomes a guard.

A slice ends where its tensor ends, a split has as many parts as are needed, an index must lie inside. Numbers fitted at
a few sizes do not tell of it, so these operators' comparisons are made here, on tracked numbers.
"""

from __future__ import annotations

from typing import Any

from .symint import tracker

_FAR = 1 << 62


def compare(name: str, args: tuple[Any, ...]) -> None:
    """Note what an operator compares, while sizes vary."""
    current = tracker()
    if current is None or not args or not hasattr(args[0], "_a"):
        return
    rule = _RULES.get(name)
    if rule is not None:
        rule(current.read, args[0]._a.shape, args)
    elif "linalg" in name and args[0]._a.ndim > 1:
        _order(current.read, *args[0]._a.shape[-2:])


def compare_index(t: Any, index: Any) -> None:
    """Note what indexing compares; slices that take all of a dimension never become operators."""
    current = tracker()
    if current is None:
        return
    shape = t._a.shape
    items = index if isinstance(index, tuple) else (index,)
    left = sum(_width(each) for each in items)
    dim = 0
    for each in items:
        if each is Ellipsis:
            dim = len(shape) - left
            continue
        left -= _width(each)
        if dim < len(shape):
            if isinstance(each, slice):
                _slice(current.read, shape, (t, dim, each.start, each.stop))
            elif isinstance(each, int) and not isinstance(each, bool):
                _inside(current.read, each, shape[dim])
        dim += _width(each)


def _width(item: Any) -> int:
    """How many dimensions an index takes."""
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    array = getattr(item, "_a", None)
    return array.ndim if array is not None and array.dtype.kind == "b" else 1


def _order(read: Any, a: int, b: int) -> None:
    left, right = read(int(a)), read(int(b))
    if not left < right:
        left.__eq__(right)


def _inside(read: Any, index: Any, n: int) -> None:
    """Where an index lies that may count from the end, and may be beyond either."""
    if isinstance(index, int) and abs(index) < _FAR:
        tracked = read(int(index))
        if tracked < 0:
            _order(read, -int(index), n)
        else:
            _order(read, index, n)


def _slice(read: Any, shape: tuple[int, ...], args: tuple[Any, ...]) -> None:
    dim, start, end = (*args[1:4], None, None, None)[:3]
    n = shape[dim or 0]
    _inside(read, start, n)
    _inside(read, end, n)
    if isinstance(start, int) and isinstance(end, int) and abs(end) < _FAR:
        _order(read, start if start >= 0 else start + n, end if end >= 0 else end + n)


def _select(read: Any, shape: tuple[int, ...], args: tuple[Any, ...]) -> None:
    _inside(read, args[2], shape[args[1]])


def _count(read: Any, shape: tuple[int, ...], args: tuple[Any, ...]) -> None:
    if not shape:
        return
    size, dim = args[1], args[2] if len(args) > 2 else 0
    if isinstance(size, int) and size > 0:
        n, part = read(shape[dim]), read(int(size))
        (n + part - 1) // part == (shape[dim] + int(size) - 1) // int(size)  # noqa: B015 - the comparison is noted


def _at_most(place: int, dim_place: int, default: int) -> Any:
    def rule(read: Any, shape: tuple[int, ...], args: tuple[Any, ...]) -> None:
        dim = args[dim_place] if len(args) > dim_place else default
        if shape and len(args) > place:
            _order(read, args[place], shape[dim])

    return rule


def _diagonal(read: Any, shape: tuple[int, ...], args: tuple[Any, ...]) -> None:
    offset, a, b = (*args[1:4], 0, 0, 1)[:3] if len(args) > 3 else (args[1] if len(args) > 1 else 0, 0, 1)
    _order(read, shape[a] + min(offset, 0), shape[b] - max(offset, 0))


def _differs_from(number: int) -> Any:
    """Whether a size is this one: dimensions of size 1 are squeezed, and empty ones have no maximum."""
    def rule(read: Any, shape: tuple[int, ...], args: tuple[Any, ...]) -> None:
        for n in shape:
            read(int(n)).__eq__(number)

    return rule


_RULES: dict[str, Any] = {
    **dict.fromkeys(("aten::squeeze", "aten::squeeze.dim", "aten::squeeze.dims"), _differs_from(1)),
    **dict.fromkeys(("aten::max", "aten::min", "aten::max.dim", "aten::min.dim", "aten::amax", "aten::amin",
                     "aten::argmax", "aten::argmin", "aten::aminmax", "aten::median", "aten::median.dim",
                     "aten::nanmedian", "aten::nanmedian.dim", "aten::mode"), _differs_from(0)),
    "aten::slice.Tensor": _slice,
    "aten::slice_scatter": lambda read, shape, args: _slice(read, shape, (args[0], *args[2:])),
    "aten::select.int": _select,
    "aten::select_scatter": lambda read, shape, args: _select(read, shape, (args[0], args[3], args[2])),
    "aten::split.Tensor": _count,
    "aten::topk": _at_most(1, 2, -1),
    "aten::kthvalue": _at_most(1, 2, -1),
    "aten::unfold": _at_most(2, 1, 0),
    "aten::diagonal": _diagonal,
}
