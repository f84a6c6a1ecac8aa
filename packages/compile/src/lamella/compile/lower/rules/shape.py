"""Views, and operators that only move elements."""

from __future__ import annotations

from typing import Any

from .. import views
from ..registry import Unsupported, lowering
from ..values import Value, is_dense, mapped, view_of


@lowering("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::flatten.using_ints", "aten::unflatten.int",
          "aten::view_as")
def view(lo: Any, node: Any, a: Value, *_: Any, **__: Any) -> Value:
    return views.reshape(a, tuple(node.spec.shape))


@lowering("aten::view.dtype")
def view_dtype(lo: Any, node: Any, a: Value, dtype: Any) -> Value:
    if dtype.name == a.dtype:
        return a
    raise Unsupported("bits read as another type")


@lowering("aten::squeeze", "aten::squeeze.dim", "aten::squeeze.dims")
def squeeze(lo: Any, node: Any, a: Value, dim: Any = None) -> Value:
    dims = range(a.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    gone = [d % a.ndim for d in dims if a.ndim and a.shape[d] == 1] if a.ndim else []
    return views.drop(a, gone) if gone else a


@lowering("aten::unsqueeze")
def unsqueeze(lo: Any, node: Any, a: Value, dim: int) -> Value:
    return views.insert_ones(a, [dim % (a.ndim + 1)])


@lowering("aten::t", "aten::mT", "aten::numpy_T")
def t(lo: Any, node: Any, a: Value) -> Value:
    return a if a.ndim < 2 else views.permute(a, tuple(reversed(range(a.ndim))))


@lowering("aten::transpose.int")
def transpose(lo: Any, node: Any, a: Value, dim0: int, dim1: int) -> Value:
    if not a.ndim:
        return a
    dims = list(range(a.ndim))
    dim0, dim1 = dim0 % a.ndim, dim1 % a.ndim
    dims[dim0], dims[dim1] = dim1, dim0
    return views.permute(a, dims)


@lowering("aten::permute", "aten::movedim.intlist")
def permute(lo: Any, node: Any, a: Value, dims: Any) -> Value:
    return views.permute(a, dims) if a.ndim else a


@lowering("aten::expand", "aten::broadcast_to", "aten::expand_as")
def expand(lo: Any, node: Any, a: Value, *_: Any, **__: Any) -> Value:
    return views.expand(lo, a, tuple(node.spec.shape))


@lowering("aten::select.int")
def select(lo: Any, node: Any, a: Value, dim: int, index: Any) -> Value:
    dim %= a.ndim
    return views.select(a, dim, index + a.shape[dim] if isinstance(index, int) and index < 0 else index)


def bounds(start: Any, end: Any, n: Any) -> tuple[Any, Any]:
    """Start and end of a slice of a dimension of size ``n``, inside it."""
    low, high = 0 if start is None else start, n if end is None else end
    if isinstance(low, int) and low < 0:
        low = low + n
    if isinstance(high, int) and high < 0:
        high = high + n
    if isinstance(n, int) and isinstance(low, int) and isinstance(high, int):
        low = min(max(low, 0), n)
        high = min(max(high, low), n)
    elif isinstance(high, int) and high > 1 << 40:
        high = n
    return low, high


@lowering("aten::slice.Tensor")
def slices(lo: Any, node: Any, a: Value, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Value:
    dim %= a.ndim
    low, _ = bounds(start, end, a.shape[dim])
    size = node.spec.shape[dim]
    return a if size == a.shape[dim] and step == 1 else views.sliced(a, dim, low, size, step)


@lowering("aten::split.Tensor", "aten::split_with_sizes", "aten::chunk")
def split(lo: Any, node: Any, a: Value, sizes: Any, dim: int = 0) -> tuple[Value, ...]:
    dim %= a.ndim
    parts, at = [], 0
    for spec in node.spec:
        size = spec.shape[dim]
        parts.append(views.sliced(a, dim, at, size))
        at = at + size
    return tuple(parts)


@lowering("aten::unbind.int")
def unbind(lo: Any, node: Any, a: Value, dim: int = 0) -> tuple[Value, ...]:
    return tuple(views.select(a, dim % a.ndim, k) for k in range(len(node.spec)))


@lowering("aten::narrow")
def narrow(lo: Any, node: Any, a: Value, dim: int, start: Any, length: Any) -> Value:
    dim %= a.ndim
    return views.sliced(a, dim, start + a.shape[dim] if isinstance(start, int) and start < 0 else start, length)


@lowering("aten::diagonal")
def diagonal(lo: Any, node: Any, a: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    dim1, dim2 = dim1 % a.ndim, dim2 % a.ndim
    rest = [d for d in range(a.ndim) if d not in (dim1, dim2)]
    shape = tuple(node.spec.shape)
    row, col = max(-offset, 0), max(offset, 0)
    if a.buffer is not None:
        b = a.buffer
        stride = (*(b.stride[d] for d in rest), b.stride[dim1] + b.stride[dim2])
        return view_of(a, shape, stride, b.offset + row * b.stride[dim1] + col * b.stride[dim2])

    def index(i: Any) -> Any:
        found: list[Any] = [0] * (len(rest) + 2)
        for k, d in enumerate(rest):
            found[d] = i[k]
        found[dim1], found[dim2] = i[-1] + row, i[-1] + col
        return tuple(found)

    return mapped(a, shape, index)


@lowering("aten::unfold")
def unfold(lo: Any, node: Any, a: Value, dimension: int, size: int, step: int) -> Value:
    shape = tuple(node.spec.shape)
    if not a.ndim:
        return views.reshape(a, shape)
    dim = dimension % a.ndim
    if a.buffer is not None:
        b = a.buffer
        stride = (*b.stride[:dim], b.stride[dim] * step, *b.stride[dim + 1:], b.stride[dim])
        return view_of(a, shape, stride, b.offset)
    return mapped(a, shape, lambda i: (*i[:dim], i[dim] * step + i[-1], *i[dim + 1:-1]))


@lowering("aten::as_strided")
def as_strided(lo: Any, node: Any, a: Value, size: Any, stride: Any, storage_offset: Any = None) -> Value:
    # Functionalization gives the whole memory, in order of its addresses, as the operand.
    size, stride, start = tuple(size), tuple(stride), storage_offset or 0
    if a.buffer is not None and is_dense(a.buffer):
        return view_of(a, size, stride, a.buffer.offset + start)
    line = views.flat(a)

    def index(i: Any) -> Any:
        place = start
        for k, step in zip(i, stride, strict=True):
            place = place + k * step
        return (place,)

    return mapped(line, size, index)


@lowering("aten::flip")
def flip(lo: Any, node: Any, a: Value, dims: Any) -> Value:
    if not a.ndim:
        return a
    back = {d % a.ndim for d in dims}
    if a.buffer is not None and a.numel != 0:
        b = a.buffer
        offset = b.offset
        for d in back:
            offset = offset + (a.shape[d] - 1) * b.stride[d]
        return mapped_view(a, tuple(-s if d in back else s for d, s in enumerate(b.stride)), offset)
    return mapped(a, a.shape, lambda i: tuple([a.shape[d] - 1 - k if d in back else k for d, k in enumerate(i)]))


def mapped_view(a: Value, stride: tuple[Any, ...], offset: Any) -> Value:
    """A lazy value that reads a stored one by steps that no buffer is to have (negative ones)."""
    found = view_of(a, a.shape, stride, offset)
    found.buffer = None
    return found


@lowering("aten::repeat_interleave.self_int")
def repeat_interleave(lo: Any, node: Any, a: Value, repeats: Any, dim: Any = None, output_size: Any = None) -> Value:
    line = views.flat(a) if dim is None else a
    d = 0 if dim is None else dim % a.ndim
    return mapped(line, tuple(node.spec.shape), lambda i: (*i[:d], i[d] // repeats, *i[d + 1:]), cost=2)


@lowering("aten::pixel_shuffle", "aten::pixel_unshuffle")
def shuffle(lo: Any, node: Any, a: Value, factor: int) -> Value:
    *lead, c, h, w = a.shape
    n = len(lead)
    if node.op.opname == "pixel_shuffle":
        parts = views.reshape(a, (*lead, c // factor**2, factor, factor, h, w))
        order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    else:
        parts = views.reshape(a, (*lead, c, h // factor, factor, w // factor, factor))
        order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return views.reshape(views.permute(parts, order), tuple(node.spec.shape))
