"""Rules of operators that look at the same elements in another shape."""

from __future__ import annotations

import math
from typing import Any

from lamella.core._gen import conversion as _conversion, joining as _joining, shape as _shape, slicing as _slicing
from lamella.core.checks import wrap_dim, wrap_dims
from lamella.dispatch.errors import message
from lamella.dispatch.registry import OpOverload

from .elementwise import elementwise, padded
from .fallback import fallback, unbatched_target
from .level import BatchLevel, base_of, batch_like, invoke, wrapped
from .rules import rule


def _view(level: BatchLevel, out: Any, source: Any) -> Any:
    return level.wrap(out, 0, base_of(out, (source,)))


@rule("view", "_unsafe_view")
def view(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, size = args
    out = invoke(op, (level.front(x), (level.size, *sizes_of(x, size, op.opname))), {})
    return _view(level, out, x)


def sizes_of(x: Any, size: Any, op: str) -> list[int]:
    """A wanted shape with -1 worked out from the logical size."""
    size = list(size) if not isinstance(size, int) else [size]
    if -1 in size:
        known = 1
        for n in size:
            if n != -1:
                known *= n
        total = x._a.size
        if size.count(-1) > 1 or not known or total % known:
            raise RuntimeError(message(op, f"shape '{size}' is invalid for input of size {total}"))
        size[size.index(-1)] = total // known
    return size


@rule("view.dtype", "view_as_real", "view_as_complex", "tril", "triu")
def leading(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Operators that leave dimensions in front alone."""
    if not args[0]._a.ndim:
        value = _shape.op_unsqueeze(level.front(args[0]), 1)
        out = invoke(op, (value, *args[1:]), kwargs)
        return _view(level, _shape.op_squeeze_dim(out, 1), args[0])
    return wrapped(level, invoke(op, (level.front(args[0]), *args[1:]), kwargs), 0, (args[0],))


@rule("expand")
def expand(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, size = args[0], args[1]
    size = (size,) if isinstance(size, int) else tuple(size)
    value = padded(level.front(x), 0, len(size))
    return _view(level, invoke(op, (value, (level.size, *size)), kwargs), x)


@rule("squeeze")
def squeeze(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x = args[0]
    value, dim = level.split(x)
    ones = tuple(i for i, n in enumerate(value._a.shape) if n == 1 and i != dim)
    out = _shape.op_squeeze_dims(value, ones) if ones else _shape.op_alias(value)
    return level.wrap(out, dim - sum(i < dim for i in ones), base_of(out, (x,)))  # type: ignore[operator]


@rule("t")
def t(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x = args[0]
    n = x._a.ndim
    if n > 2:
        raise RuntimeError(message("t", f"t() expects a tensor with <= 2 dimensions, but self is {n}D"))
    value, dim = level.split(x)
    if n < 2:
        out = _shape.op_alias(value)
        return level.wrap(out, dim, base_of(out, (x,)))  # type: ignore[arg-type]
    return _view(level, _shape.op_transpose_int(level.front(x), 1, 2), x)


@rule("permute")
def permute(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, dims = args
    order = tuple([d + 1 for d in wrap_dims("permute", dims, x._a.ndim)]) if x._a.ndim else ()
    if len(order) != x._a.ndim:
        raise RuntimeError(message("permute", f"the number of dimensions in the tensor input ({x._a.ndim}) does not "
                                              f"match the length of the desired ordering ({len(order)})"))
    return _view(level, _shape.op_permute(level.front(x), (0, *order)), x)


@rule("as_strided")
def as_strided(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, size, stride = args[:3]
    offset = args[3] if len(args) > 3 else kwargs.get("storage_offset")
    value = level.front(x)
    step = value.stride(0)
    last = sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if all(size) else 0
    own = sum((n - 1) * s for n, s in zip(value._a.shape[1:], value.stride()[1:], strict=True)) if x._a.size else 0
    start = value.storage_offset()
    if (0 if offset is None else offset - start) + last > own:
        raise RuntimeError(message("as_strided", "vmap: the view would reach beyond the memory of one example",
                                   {"size": list(size), "stride": list(stride), "storage_offset": offset}))
    out = _shape.op_as_strided(value, (level.size, *size), (step, *stride), start if offset is None else offset)
    return _view(level, out, x)


@rule("clone", "_to_copy")
def clone(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Copies in a memory format of their own put the batch in front and lie in order."""
    if kwargs.get("memory_format") is None:
        return elementwise(level, op, args, kwargs)
    kwargs = {k: v for k, v in kwargs.items() if k != "memory_format"}
    value = level.front(args[0])
    out = invoke(op, (value,), kwargs)
    if not out._a.flags.c_contiguous:
        out = out.contiguous()
    return level.wrap(out)


@rule("resize_")
def resize_(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Fewer elements of each example; the tensor gets memory of its own."""
    x, size = args[:2]
    if not level.has(x):
        raise unbatched_target("resize_")
    wanted = math.prod(size)
    if wanted > x._a.size:
        raise RuntimeError(message("resize_", "vmap: a batched tensor cannot grow", {"from": list(x._a.shape),
                                                                                     "to": list(size)}))
    rows = _shape.op_reshape(level.front(x), (level.size, x._a.size))
    value = _shape.op_reshape(_slicing.op_slice_Tensor(rows, 1, 0, wanted), (level.size, *size))
    x._become(level.wrap(value))
    return x


@rule("set_.source_Tensor")
def set_(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, source = args[:2]
    if not level.has(x) or not level.has(source):
        raise RuntimeError(message("set_", "vmap: both tensors must be batched, or neither"))
    x._become(source)
    return x


# -- joining -----------------------------------------------------------------------------------------------------------


@rule("cat", "stack")
def join(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensors, dim = args[0], args[1] if len(args) > 1 else kwargs.get("dim", 0)
    extra = 1 if op.opname == "stack" else 0
    rank = max(t._a.ndim for t in tensors)
    place = wrap_dim(op.opname, dim, rank + extra) + 1
    values = [level.full(t) for t in tensors if extra or t._a.shape != (0,) or rank == 1]
    return level.wrap(invoke(op, (values, place), {}))


@rule("repeat")
def repeat(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, repeats = args
    repeats = (repeats,) if isinstance(repeats, int) else tuple(repeats)
    if len(repeats) < x._a.ndim:
        raise RuntimeError(message("repeat", "Number of dimensions of repeat dims can not be smaller than number of "
                                             "dimensions of tensor", {"repeats": list(repeats)}))
    value = padded(level.front(x), 0, len(repeats))
    return level.wrap(_joining.op_repeat(value, (1, *repeats)))


@rule("roll")
def roll(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, shifts = args[0], args[1]
    dims = args[2] if len(args) > 2 else kwargs.get("dims", ())
    value = level.front(x)
    if not isinstance(dims, int) and not len(dims):
        shape = value._a.shape
        rows = _shape.op_reshape(value, (level.size, x._a.size))
        return level.wrap(_shape.op_reshape(_joining.op_roll(rows, shifts, (1,)), shape))
    dims = [dims] if isinstance(dims, int) else dims
    return level.wrap(_joining.op_roll(value, shifts, tuple(wrap_dim("roll", d, x._a.ndim) + 1 for d in dims)))


@rule("constant_pad_nd")
def constant_pad_nd(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, pad = args[0], args[1]
    if len(pad) > 2 * x._a.ndim:
        raise RuntimeError(message("constant_pad_nd", f"Length of pad should be no more than twice the number of "
                                                      f"dimensions of the input. Pad length is {len(pad)} while the "
                                                      f"input has {x._a.ndim} dimensions."))
    return level.wrap(invoke(op, (level.front(x), *args[1:]), kwargs))


# -- what slices and selections do backwards ---------------------------------------------------------------------------


@rule("select_backward", "slice_backward", "unfold_backward")
def part_backward(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    g, sizes, dim = args[:3]
    if not len(sizes):
        return fallback(level, op, args, kwargs)
    dim = wrap_dim(op.opname, dim, len(sizes)) + 1
    return level.wrap(invoke(op, (level.front(g), (level.size, *sizes), dim, *args[3:]), kwargs))


@rule("diagonal_backward")
def diagonal_backward(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    g, sizes, offset, dim1, dim2 = args
    n = len(sizes)
    dims = wrap_dim("diagonal", dim1, n) + 1, wrap_dim("diagonal", dim2, n) + 1
    return level.wrap(_slicing.op_diagonal_backward(level.front(g), (level.size, *sizes), offset, *dims))


@rule("as_strided_scatter")
def as_strided_scatter(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, src, size, stride = args[:4]
    offset = args[4] if len(args) > 4 else kwargs.get("storage_offset")
    value = _conversion.op_clone(level.full(x))
    if not value._a.flags.c_contiguous:
        value = value.contiguous()
    source = level.full(src)
    value = batch_like(value, source)
    part = _shape.op_as_strided(value, (level.size, *size), (value.stride(0), *stride), offset or 0)
    _conversion.op_copy_(part, source)
    return level.wrap(value)
