"""Pooling over small windows, as bodies that go through all places of a window."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ...loops.index import product as count
from ...loops.ir import Native
from ...loops.record import computing
from ..promote import cast, category, spec_type
from ..registry import Unsupported, lowering
from ..values import Value, stored
from .joining import both, chosen, within

PLACES = 27  # windows of more elements are left to the eager kernel


def _lowest(dtype: str) -> Any:
    return -math.inf if category(dtype) == 2 else int(np.iinfo(dtype).min)


class Windows:
    """Windows over the last dimensions of a tensor.

    Attributes:
        n: how many dimensions. size, out: of the tensor and of the result. kernel, stride, padding, dilation: of each.
    """

    def __init__(self, size: Any, out: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> None:
        self.n = len(kernel)
        self.kernel, self.stride = tuple(kernel), tuple(stride) or tuple(kernel)
        self.padding, self.dilation = tuple(padding), tuple(dilation)
        self.size, self.out = tuple(size)[-self.n:], tuple(out)[-self.n:]
        if math.prod(self.kernel) > PLACES:
            raise Unsupported(f"windows of more than {PLACES} elements")
        if not all(isinstance(k, int) for k in (*self.size, *self.out)):
            raise Unsupported("a size that is symbolic")

    @property
    def in_pairs(self) -> bool:
        """Whether they are two by two elements side by side."""
        half = tuple(k // 2 for k in self.size)
        two = self.kernel == self.stride == (2, 2)
        return two and self.out == half and not any(self.padding) and self.dilation == (1, 1)

    def places(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Number and place of each element of a window."""
        return enumerate(product(*map(range, self.kernel)))

    def source(self, ops: Any, i: Any, place: tuple[int, ...]) -> tuple[Any, Any]:
        """(the index in the tensor, whether it is inside) of a place in the window of a result's index."""
        found, inside = [], True
        for k in range(self.n):
            at = i[k - self.n] * self.stride[k] + place[k] * self.dilation[k] - self.padding[k]
            last = (self.out[k] - 1) * self.stride[k] + place[k] * self.dilation[k] - self.padding[k]
            low = None if place[k] * self.dilation[k] >= self.padding[k] else 0
            high = None if last < self.size[k] else self.size[k]
            inside = both(ops, inside, limited(ops, at, low, high))
            found.append(at)
        return (*i[:-self.n], *found), inside

    def covering(self, ops: Any, i: Any) -> Iterator[tuple[Any, list[Any], Any]]:
        """(the window, the place in it, whether there is such) for the windows that may cover an index."""
        if any(d != 1 for d in self.dilation):
            raise Unsupported("windows with gaps")
        turns = [-(-k // s) for k, s in zip(self.kernel, self.stride, strict=True)]
        for turn in product(*map(range, turns)):
            window, place, inside = [], [], True
            for k, t in enumerate(turn):
                s, at = self.stride[k], i[k - self.n] + self.padding[k]
                o, inner = at // s - t, at % s + t * s
                last = (self.size[k] - 1 + self.padding[k]) // s - t
                high = self.out[k] if last >= self.out[k] else None
                inside = both(ops, inside, limited(ops, o, 0 if t else None, high))
                if t * s + s - 1 >= self.kernel[k]:
                    inside = both(ops, inside, limited(ops, inner, None, self.kernel[k]))
                window.append(o)
                place.append(inner)
            yield (*i[:-self.n], *window), place, inside


def limited(ops: Any, at: Any, low: Any, high: Any) -> Any:
    """Whether an index is not below ``low`` and is below ``high`` (None: it is known to be)."""
    conditions: Any = True
    if low is not None:
        value = ops.index_value(at, "int64")
        conditions = at >= low if isinstance(at, int) else ops.ge(value, ops.constant(low, "int64"))
    return both(ops, conditions, within(ops, at, 0, high)) if high is not None else conditions


@lowering("aten::_max_pool", "aten::_max_pool2d_with_places", "aten::_max_pool3d_with_places")
def max_pool(lo: Any, node: Any, a: Value, kernel: Any, stride: Any, padding: Any, dilation: Any, *_: Any) -> Any:
    several = isinstance(node.spec, tuple)
    shape = tuple((node.spec[0] if several else node.spec).shape)
    windows = Windows(a.shape, shape, kernel, stride, padding, dilation)
    if windows.in_pairs and a.dtype in ("float32", "float64") and lo.target == "cpp":
        pair = _pairs_by_call(lo, windows, shape, a)
        return pair if several else pair[0]
    source = lo.ready(a)
    dtype, load = a.dtype, source.load
    lowest = _lowest(dtype)

    def values(ops: Any, i: Any) -> Iterator[tuple[int, Any, Any]]:
        for number, place in windows.places():
            at, inside = windows.source(ops, i, place)
            yield number, inside, chosen(ops, inside, lambda at=at: load(ops, at), lowest, dtype)

    def best(ops: Any, i: Any) -> Any:
        result: Any = None
        for _, _, v in values(ops, i):
            result = v if result is None else ops.maximum(result, v)
        return result

    def where(ops: Any, i: Any) -> Any:
        result, place, first = None, ops.constant(0, "uint8"), ops.constant(0, "uint8")
        found = list(values(ops, i))
        for number, _, v in found:
            if result is None:
                result = v
                continue
            code, better = ops.constant(number, "uint8"), ops.gt(v, result)
            if category(dtype) == 2:
                better = ops.logical_or(better, ops.isnan(v))
            place = ops.where(better, code, place)
            result = ops.maximum(result, v)
        if any(windows.padding):
            for number, inside, _ in reversed(found):
                code = ops.constant(number, "uint8")
                first = code if inside is True else first if inside is False else ops.where(inside, code, first)
            place = ops.where(ops.eq(result, ops.constant(lowest, dtype)), first, place)
        return place

    count = math.prod(windows.kernel)
    made = Value(shape, dtype, best, cost=a.cost + 2 * count + 8, reads=source.reads)
    if not several:
        return made
    return made, Value(shape, "uint8", where, cost=a.cost + 4 * count + 8, reads=source.reads)


@lowering("aten::_max_pool_put")
def max_pool_put(lo: Any, node: Any, grad: Value, places: Value, size: Any, kernel: Any, stride: Any, padding: Any,
                 dilation: Any) -> Value:
    shape, dtype = tuple(node.spec.shape), grad.dtype
    windows = Windows(shape, grad.shape, kernel, stride, padding, dilation)
    if any(d != 1 for d in windows.dilation):
        raise Unsupported("windows with gaps")
    if windows.n == 2 and dtype in ("float32", "float64") and lo.target == "cpp":
        return _put_by_call(lo, windows, shape, grad, places)
    load, codes = lo.ready(grad).load, lo.ready(places).load

    def body(ops: Any, i: Any) -> Any:
        total: Any = None
        for window, place, inside in windows.covering(ops, i):
            code: Any = 0
            for k, p in zip(windows.kernel, place, strict=True):
                code = code * k + p

            def part(window: Any = window, code: Any = code) -> Any:
                here = ops.eq(ops.to(codes(ops, window), "int64"), ops.index_value(code, "int64"))
                return ops.where(here, load(ops, window), ops.constant(0, dtype))

            value = chosen(ops, inside, part, 0, dtype)
            total = value if total is None else ops.add(total, value)
        return total

    turns = math.prod(-(-k // s) for k, s in zip(windows.kernel, windows.stride, strict=True))
    return Value(shape, dtype, body, cost=grad.cost + places.cost + 8 * turns, reads=grad.reads | places.reads)


def _pairs_by_call(lo: Any, windows: Windows, shape: Any, a: Value) -> tuple[Value, Value]:
    """As a loop, it would read every other element, which the compiler does one by one."""
    given = lo.dense(a)
    out, places = lo.new_buffer(a.dtype, shape), lo.new_buffer("uint8", shape)
    lo.add_step(Native([out, places], [given], "max_pool_pairs", [count(shape[:-2]), *windows.size, out, places, given],
                       "pool.h", flops=given.numel))
    return stored(out), stored(places)


def _put_by_call(lo: Any, windows: Windows, shape: Any, grad: Value, places: Value) -> Any:
    """As a loop, it would read by quotients of the index, which keeps loops beside it from using vectors."""
    given, codes = lo.dense(grad), lo.dense(places)
    out = lo.new_buffer(grad.dtype, shape)
    arguments = [count(shape[:-2]), *windows.size, *windows.out, *windows.kernel, *windows.stride, *windows.padding]
    lo.add_step(Native([out], [given, codes], "max_pool_put", [*arguments, out, given, codes], "pool.h",
                       flops=out.numel))
    return stored(out)


@lowering("aten::_max_pool_index")
def max_pool_index(lo: Any, node: Any, places: Value, size: Any, kernel: Any, stride: Any, padding: Any,
                   dilation: Any) -> Value:
    n, whole, load = len(kernel), tuple(size)[-len(kernel):], places.load

    def body(ops: Any, i: Any) -> Any:
        rest, index, scale = ops.to(load(ops, i), "int64"), None, 1
        for k in reversed(range(n)):
            here = ops.mod(rest, ops.constant(kernel[k], "int64")) if k else rest
            at = ops.add(ops.mul(here, ops.constant(dilation[k], "int64")),
                         ops.index_value(i[k - n] * stride[k] - padding[k], "int64"))
            at = ops.minimum(ops.maximum(at, ops.constant(0, "int64")), ops.constant(whole[k] - 1, "int64"))
            at = ops.mul(at, ops.constant(scale, "int64"))
            index = at if index is None else ops.add(index, at)
            rest = ops.floordiv(rest, ops.constant(kernel[k], "int64"))
            scale *= whole[k]
        return index

    return Value(places.shape, "int64", body, cost=places.cost + 12 * n, reads=places.reads)


def _divisor(windows: Windows, include: bool, override: Any) -> Any:
    """How many elements a window averages over: ``divisor(ops, i, dtype)``, a value."""
    whole = override or math.prod(windows.kernel)

    def divisor(ops: Any, i: Any, dtype: str) -> Any:
        total: Any = None
        for k in range(windows.n):
            m, j, s, p, o = (v[k] for v in (windows.size, windows.kernel, windows.stride, windows.padding, windows.out))
            if override or (s * (o - 1) + j - p <= m + (p if include else 0) and (include or not p)):
                continue
            start = ops.index_value(i[k - windows.n] * s - p, "int64")
            stop = ops.minimum(ops.add(start, ops.constant(j, "int64")), ops.constant(m + p, "int64"))
            if not include:
                stop = ops.minimum(stop, ops.constant(m, "int64"))
                start = ops.maximum(start, ops.constant(0, "int64"))
            width = ops.to(ops.sub(stop, start), dtype)
            counted[k] = width
            total = width if total is None else ops.mul(total, width)
        rest = math.prod(j for k, j in enumerate(windows.kernel) if k not in counted) if total is not None else whole
        counted.clear()
        number = ops.constant(rest, dtype)
        return number if total is None else ops.mul(total, number)

    counted: dict[int, Any] = {}
    return divisor


@lowering("aten::avg_pool1d", "aten::avg_pool2d", "aten::avg_pool3d")
def avg_pool(lo: Any, node: Any, a: Value, kernel_size: Any, stride: Any = (), padding: Any = 0, ceil_mode: Any = False,
             count_include_pad: bool = True, divisor_override: Any = None) -> Value:
    shape, dtype = tuple(node.spec.shape), spec_type(node)
    if category(dtype) != 2:
        raise Unsupported("integers")
    n = int(node.op.opname[-2])
    kernel, steps, padding = (_sizes(v, n) for v in (kernel_size, stride or kernel_size, padding))
    windows = Windows(a.shape, shape, kernel, steps, padding, (1,) * n)
    source = lo.ready(a)
    work, load, divisor = computing(dtype), source.load, _divisor(windows, count_include_pad, divisor_override)

    def body(ops: Any, i: Any) -> Any:
        total: Any = None
        for _, place in windows.places():
            at, inside = windows.source(ops, i, place)
            value = chosen(ops, inside, lambda at=at: load(ops, at), 0, work)
            total = value if total is None else ops.add(total, value)
        return ops.div(total, divisor(ops, i, work))

    return Value(shape, dtype, body, cost=a.cost + 2 * math.prod(kernel) + 8, reads=source.reads)


def _sizes(value: Any, n: int) -> tuple[int, ...]:
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * n if len(value) == 1 else value


@lowering("aten::_avg_pool_backward")
def avg_pool_backward(lo: Any, node: Any, grad: Value, size: Any, kernel_size: Any, stride: Any, padding: Any,
                      ceil_mode: Any, count_include_pad: bool, divisor_override: Any = None) -> Value:
    shape, dtype = tuple(node.spec.shape), spec_type(node)
    n = len(kernel_size)
    windows = Windows(shape, grad.shape, kernel_size, stride or kernel_size, _sizes(padding, n), (1,) * n)
    work, divisor = computing(dtype), _divisor(windows, count_include_pad, divisor_override)
    shares = cast(lo, grad, work)
    given = shares.load

    def share(ops: Any, i: Any) -> Any:
        return ops.div(given(ops, i), divisor(ops, i, work))

    load = lo.ready(Value(grad.shape, work, share, cost=shares.cost + 8, reads=shares.reads)).load

    def body(ops: Any, i: Any) -> Any:
        total: Any = None
        for window, _, inside in windows.covering(ops, i):
            value = chosen(ops, inside, lambda window=window: load(ops, window), 0, work)
            total = value if total is None else ops.add(total, value)
        return ops.to(total, dtype) if dtype != work else total

    turns = math.prod(-(-k // s) for k, s in zip(windows.kernel, windows.stride, strict=True))
    return Value(shape, dtype, body, cost=8 * turns, reads=shares.reads)
