"""Index maps of views: reshape, permute, slices, broadcasting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..loops.index import contiguous, product
from ..loops.ir import Index
from .values import Value, mapped, view_of


def insert_ones(value: Value, dims: Sequence[int]) -> Value:
    """Insert dimensions of size 1, at these places of the result."""
    shape = list(value.shape)
    stride = list(value.buffer.stride) if value.buffer is not None else []
    for d in sorted(dims):
        shape.insert(d, 1)
        if value.buffer is not None:
            stride.insert(d, 1)
    if value.buffer is not None:
        return view_of(value, tuple(shape), tuple(stride), value.buffer.offset)
    keep = tuple(d for d in range(len(shape)) if d not in set(dims))
    return mapped(value, tuple(shape), lambda index: tuple([index[d] for d in keep]),
                  again=lambda v: insert_ones(v, dims))


def drop(value: Value, dims: Sequence[int]) -> Value:
    """Leave out dimensions of size 1."""
    gone = set(dims)
    keep = [d for d in range(value.ndim) if d not in gone]
    shape = tuple(value.shape[d] for d in keep)
    if value.buffer is not None:
        return view_of(value, shape, tuple(value.buffer.stride[d] for d in keep), value.buffer.offset)
    places = tuple(keep.index(d) if d not in gone else None for d in range(value.ndim))
    return mapped(value, shape, lambda index: tuple([0 if n is None else index[n] for n in places]),
                  again=lambda v: drop(v, dims))


def permute(value: Value, dims: Sequence[int]) -> Value:
    """Dimensions in another order: ``dims[k]`` is the old place of the k-th."""
    dims = tuple(d % value.ndim for d in dims)
    shape = tuple(value.shape[d] for d in dims)
    if value.buffer is not None:
        return view_of(value, shape, tuple(value.buffer.stride[d] for d in dims), value.buffer.offset)
    back = tuple(dims.index(d) for d in range(len(dims)))
    return mapped(value, shape, lambda index: tuple([index[n] for n in back]), again=lambda v: permute(v, dims))


def sliced(value: Value, dim: int, start: Any, size: Any, step: Any = 1) -> Value:
    """Elements ``start``, ``start + step``, ... of a dimension, ``size`` of them."""
    shape = (*value.shape[:dim], size, *value.shape[dim + 1:])
    if value.buffer is not None:
        b = value.buffer
        stride = (*b.stride[:dim], b.stride[dim] * step, *b.stride[dim + 1:])
        return view_of(value, shape, stride, b.offset + start * b.stride[dim])
    return mapped(value, shape, lambda i: (*i[:dim], i[dim] * step + start, *i[dim + 1:]))


def select(value: Value, dim: int, at: Any) -> Value:
    """One element of a dimension, which goes."""
    shape = (*value.shape[:dim], *value.shape[dim + 1:])
    if value.buffer is not None:
        b = value.buffer
        return view_of(value, shape, (*b.stride[:dim], *b.stride[dim + 1:]), b.offset + at * b.stride[dim])
    return mapped(value, shape, lambda i: (*i[:dim], at, *i[dim:]))


def expand(lo: Any, value: Value, shape: tuple[Any, ...]) -> Value:
    """Sizes of 1 repeated, and new dimensions in front."""
    if value.shape == shape:
        return value
    lo.ready(value)
    if value.buffer is None:
        found: Value = lo.expanded(value, shape)
        return found
    skip = len(shape) - value.ndim
    grown = [0 if n == 1 and shape[d + skip] != 1 else s
             for d, (n, s) in enumerate(zip(value.shape, value.buffer.stride, strict=True))]
    return view_of(value, shape, (0,) * skip + tuple(grown), value.buffer.offset)


def reshape(value: Value, shape: tuple[Any, ...]) -> Value:
    """The elements in row-major order under other sizes: a view where memory allows, else an index map."""
    if value.shape == shape:
        return value
    groups = _groups(value.shape, shape)
    if groups is None:
        groups = [(tuple(range(value.ndim)), tuple(range(len(shape))))]
    if value.buffer is not None:
        stride = _strides(value, shape, groups)
        if stride is not None:
            return view_of(value, shape, stride, value.buffer.offset)
    return mapped(value, shape, _reshape_map(value.shape, shape, groups), cost=1,
                  again=lambda v: reshape(v, shape))


Groups = list[tuple[tuple[int, ...], tuple[int, ...]]]


def _groups(old: tuple[Any, ...], new: tuple[Any, ...]) -> Groups | None:
    """Runs of old and new dimensions that hold the same elements; sizes of 1 belong to no run."""
    a = [d for d, n in enumerate(old) if n != 1]
    b = [d for d, n in enumerate(new) if n != 1]
    groups: Groups = []
    while a and b:
        left, right = [a.pop(0)], [b.pop(0)]
        m, n = old[left[0]], new[right[0]]
        while m != n:
            if isinstance(m, int) and isinstance(n, int):
                grow_left = m < n
            else:
                grow_left = len(str(m)) < len(str(n))
            if (grow_left or not b) and a:
                left.append(a.pop(0))
                m = m * old[left[-1]]
            elif b:
                right.append(b.pop(0))
                n = n * new[right[-1]]
            else:
                return None
        groups.append((tuple(left), tuple(right)))
    return None if a or b else groups


def _strides(value: Value, shape: tuple[Any, ...], groups: Groups) -> tuple[Any, ...] | None:
    buffer = value.buffer
    assert buffer is not None
    if any(n == 0 for n in shape if isinstance(n, int)):
        return contiguous(shape)
    stride: list[Any] = [1] * len(shape)
    for left, right in groups:
        for outer, inner in zip(left, left[1:], strict=False):
            if buffer.stride[outer] != buffer.stride[inner] * value.shape[inner]:
                return None
        step = buffer.stride[left[-1]]
        for d in reversed(right):
            stride[d] = step
            step = step * shape[d]
    return tuple(stride)


def _reshape_map(old: tuple[Any, ...], new: tuple[Any, ...], groups: Groups) -> Any:
    plans = []
    for left, right in groups:
        plans.append((left, right, contiguous(tuple(new[d] for d in right)),
                      contiguous(tuple(old[d] for d in left)), tuple(old[d] for d in left)))

    def index(i: Index) -> Index:
        found: list[Any] = [0] * len(old)
        for left, right, steps, places, sizes in plans:
            flat: Any = 0
            for d, step in zip(right, steps, strict=True):
                flat = flat + i[d] * step
            for n, (d, place) in enumerate(zip(left, places, strict=True)):
                whole = flat // place if n < len(left) - 1 else flat
                found[d] = whole if n == 0 else whole % sizes[n]
        return tuple(found)

    return index


def flat(value: Value) -> Value:
    """All elements in one dimension."""
    return reshape(value, (product(value.shape),))
