"""Views as functions and back: what a view adds to its offset, and how a base looks after its view got new elements."""

from __future__ import annotations

from typing import Any

from ..errors import CompileError
from ..loops.index import Expr, Var, contiguous, lift, product
from .node import Spec

#: Operators that show all elements of their operand in another shape, in row-major order.
RESHAPING = frozenset(("aten::view", "aten::unsqueeze", "aten::squeeze", "aten::squeeze.dim", "aten::squeeze.dims"))
#: Operators whose result is their operand under another name.
SAME = frozenset(("aten::alias", "aten::detach"))
SCATTERS = {
    "aten::select.int": "aten::select_scatter",
    "aten::slice.Tensor": "aten::slice_scatter",
    "aten::diagonal": "aten::diagonal_scatter",
}


def unsupported(rule: str, values: Any = ()) -> CompileError:
    """The error for what functionalization cannot express."""
    return CompileError("prepare", rule, values)


def argument(args: tuple[Any, ...], kwargs: dict[str, Any], at: int, name: str, default: Any) -> Any:
    """An argument that may be given by position, by name, or not at all."""
    return args[at] if at < len(args) else kwargs.get(name, default)


def added_offset(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], base: Spec) -> Any:
    """By how many elements a view's first element lies behind its base's (``args`` are those after the base)."""
    if name == "aten::select.int":
        dim, index = args[0] % len(base.shape), args[1]
        return (index + base.shape[dim] if isinstance(index, int) and index < 0 else index) * base.stride[dim]
    if name == "aten::slice.Tensor":
        dim = argument(args, kwargs, 0, "dim", 0) % len(base.shape)
        start = argument(args, kwargs, 1, "start", None)
        return _start(start, base.shape[dim]) * base.stride[dim]
    if name == "aten::diagonal":
        offset = argument(args, kwargs, 0, "offset", 0)
        first = argument(args, kwargs, 1, "dim1", 0) % len(base.shape)
        second = argument(args, kwargs, 2, "dim2", 1) % len(base.shape)
        return offset * base.stride[second] if offset >= 0 else -offset * base.stride[first]
    return 0


def _start(start: Any, size: Any) -> Any:
    if start is None:
        return 0
    if isinstance(start, int) and start < 0:
        if isinstance(size, int):
            return max(start + size, 0)
        return start + size
    return min(start, size) if isinstance(start, int) and isinstance(size, int) else start


def split_parts(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], base: Spec, count: int) -> list[Any]:
    """The results of an operator with several views: (operator, arguments after the base) of each."""
    if name == "aten::unbind.int":
        dim = argument(args, kwargs, 0, "dim", 0)
        return [("aten::select.int", (dim, i)) for i in range(count)]
    dim = argument(args, kwargs, 1, "dim", 0)
    sizes = args[0]
    if name == "aten::split.Tensor":
        starts = [i * sizes for i in range(count)]
        ends = [*starts[1:], base.shape[dim % len(base.shape)]]
    else:
        starts, at = [], 0
        for n in sizes:
            starts.append(at)
            at = at + n
        ends = [*starts[1:], at]
    return [("aten::slice.Tensor", (dim, a, b, 1)) for a, b in zip(starts, ends, strict=True)]


def overlaps(shape: tuple[Any, ...], stride: tuple[Any, ...]) -> bool:
    """Whether elements may share memory (strides of 0, or a window that steps less than it spans)."""
    span: Any = 0
    for s, n in sorted(zip(stride, shape, strict=True), key=lambda pair: tuple(map(_sample, pair))):
        if isinstance(n, int) and n == 1:
            continue
        if not _positive(s - span):
            return True
        span = span + s * (n - 1)
    return False


def _sample(size: Any) -> int:
    """What an expression is where all sizes are large."""
    return size if isinstance(size, int) else size.evaluate({v.name: 1000 for v in size.vars()})


def _positive(value: Any) -> bool:
    """Whether an expression is surely above 0, whatever the sizes in it, which are 2 or more."""
    if isinstance(value, int):
        return value > 0
    if not all(isinstance(atom, Var) for atom in value.atoms()):
        return False
    above = value.substitute({v: lift(v) + 2 for v in value.vars()})
    return isinstance(above, Expr) and min(above.terms.values()) > 0 and above.terms.get((), 0) > 0


def covers(view: Spec, base: Spec) -> bool:
    """Whether a view with the base's shape shows all of it in place."""
    return view.shape == base.shape and view.dtype == base.dtype


def windows(args: tuple[Any, ...], base: Spec) -> tuple[list[Any], list[Any]]:
    """`unfold`'s result as sizes and strides over the row-major elements of its base."""
    dim, size, step = args[0] % max(len(base.shape), 1), args[1], args[2]
    stride = list(contiguous(base.shape))
    shape = list(base.shape)
    if not shape:
        return [size], [1]
    inner = stride[dim]
    shape[dim] = (shape[dim] - size) // step + 1
    stride[dim] = inner * step
    return [*shape, size], [*stride, inner]


def numel(spec: Spec) -> Any:
    """The number of elements."""
    return product(spec.shape)
