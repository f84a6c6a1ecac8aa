"""Convolutions and their gradients: patches of the image as columns of a matrix (a loop), and products of matrices.

With image (n, g * c, *s), kernel (g * k, c, *r) and result (n, g * k, *o): columns hold, for each element of a kernel
and each place of the result, what of the image meets there. Few products per place (depthwise) are summed in the loop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ...loops.index import is_static
from ...loops.ir import Buffer
from ...loops.record import computing
from ...lower.registry import Unsupported, lowering
from ...lower.rules.joining import both, chosen, within
from ...lower.values import Value, stored
from ..common import FLOATS, fixed, narrowed, real
from .products import matrices, turned

DIRECT = 32  # up to so many products per place are summed in a loop, where there are groups
UNROLLED = 64  # kernels of up to so many places are gone through in the body of the loop


@dataclass(frozen=True)
class Sizes:
    """A convolution: n images, g groups of c channels to k channels; space, kernel, result, and the geometry."""

    n: Any
    g: int
    c: int
    k: int
    space: tuple[int, ...]
    kernel: tuple[int, ...]
    out: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]

    @property
    def plain(self) -> bool:
        """Whether the columns are the image itself."""
        return set(self.kernel) == set(self.stride) == {1} and not any(self.padding)

    def places(self) -> Iterator[tuple[int, ...]]:
        """The places of a kernel."""
        return product(*map(range, self.kernel))

    def seen(self, ops: Any, at: Sequence[Any], place: Sequence[Any]) -> tuple[list[Any], Any]:
        """Where in the image a place of the kernel lies at a place of the result, and whether that is inside."""
        found, inside = [], True
        for d, size in enumerate(self.space):
            y = at[d] * self.stride[d] + place[d] * self.dilation[d] - self.padding[d]
            before = self.padding[d] > (place[d] * self.dilation[d] if isinstance(place[d], int) else 0)
            reach = place[d] if isinstance(place[d], int) else self.kernel[d] - 1
            last = (self.out[d] - 1) * self.stride[d] + reach * self.dilation[d] - self.padding[d]
            if before:
                inside = both(ops, inside, ops.ge(ops.index_value(y, "int64"), ops.constant(0, "int64")))
            inside = both(ops, inside, within(ops, y, 0, size if last >= size else None))
            found.append(y)
        return found, inside

    def seeing(self, ops: Any, at: Sequence[Any], place: Sequence[Any]) -> tuple[list[Any], Any]:
        """Where in the result a place of the kernel lies over a place of the image, and whether there is such."""
        found, inside = [], True
        for d, size in enumerate(self.out):
            stride, back = self.stride[d], -(-(self.kernel[d] - 1) * self.dilation[d] // self.stride[d])
            y = at[d] + self.padding[d] - place[d] * self.dilation[d] + back * stride  # not negative
            o = y // stride - back
            if stride > 1:
                rest = ops.index_value(y % stride, "int64")
                inside = both(ops, inside, ops.eq(rest, ops.constant(0, "int64")))
            inside = both(ops, inside, ops.ge(ops.index_value(o, "int64"), ops.constant(0, "int64")))
            inside = both(ops, inside, ops.lt(ops.index_value(o, "int64"), ops.constant(size, "int64")))
            found.append(o)
        return found, inside


def sizes_of(x: Any, weight: Any, out: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Sizes:
    """The sizes of a convolution of x to out.

    Raises:
        Unsupported: empty tensors, symbolic sizes other than the number of images.
    """
    fixed(weight, groups, stride, padding, dilation)
    if 0 in [*x, *weight, *out]:
        raise Unsupported("an empty tensor")
    if len(weight) < 3 or not all(map(is_static, (*x[1:], *out[1:]))):
        raise Unsupported("a size that is symbolic")
    d = len(weight) - 2
    full = [tuple(v) * d if len(v) == 1 else tuple(v) for v in (stride, padding, dilation)]
    return Sizes(x[0], groups, weight[1], weight[0] // groups, tuple(x[2:]), tuple(weight[2:]), tuple(out[2:]), *full)


def _view(buffer: Buffer, *shape: Any) -> Value:
    """The same row-major memory in another shape."""
    return stored(Buffer(buffer.name, buffer.dtype, shape, offset=buffer.offset, base=buffer.root))


def _columns(lo: Any, s: Sizes, image: Value, images_first: bool) -> Value:
    """(n, g * c * r, o) or (g, c * r, n * o)."""
    width, places, r = math.prod(s.kernel), math.prod(s.out), len(s.kernel)
    if s.plain and images_first:
        return _view(lo.dense(image), s.n, s.g * s.c, places)
    load, dtype = lo.ready(image).load, image.dtype

    def element(ops: Any, i: Any) -> Any:
        n, channel = (i[0], i[1]) if images_first else (i[1 + r], i[0])
        place = i[2:2 + r] if images_first else i[1:1 + r]
        at, inside = s.seen(ops, i[2 + r:], place)
        return chosen(ops, inside, lambda: load(ops, (n, channel, *at)), 0, computing(dtype))

    shape = (s.n, s.g * s.c, *s.kernel, *s.out) if images_first else (s.g * s.c, *s.kernel, s.n, *s.out)
    made = lo.realize(Value(shape, dtype, element, cost=image.cost + 8, reads=image.reads))
    return _view(made, s.n, s.g * s.c * width, places) if images_first else _view(
        made, s.g, s.c * width, s.n * places)


def _channels_first(lo: Any, s: Sizes, up: Value) -> Value:
    """(g, k, n * o) of (n, g * k, *o)."""
    load = lo.ready(up).load
    shape = (s.g * s.k, s.n, *s.out)
    made = lo.realize(Value(shape, up.dtype, lambda ops, i: load(ops, (i[1], i[0], *i[2:])), cost=1, reads=up.reads))
    return _view(made, s.g, s.k, s.n * math.prod(s.out))


def _images_first(value: Value, n: Any, channels: int, space: tuple[int, ...]) -> Value:
    """(n, channels, *space) of (channels, n, *space)."""
    load = value.load
    return Value((n, channels, *space), value.dtype, lambda ops, i: load(ops, (i[1], i[0], *i[2:])), reads=value.reads)


def _sum(ops: Any, parts: Iterator[Any]) -> Any:
    total: Any = None
    for part in parts:
        total = part if total is None else ops.add(total, part)
    return total


def forward(lo: Any, s: Sizes, image: Value, kernel: Value) -> Value:
    """The convolution, in float32 for half precision."""
    wide, shape = computing(image.dtype), (s.n, s.g * s.k, *s.out)
    if s.g > 1 and s.c * math.prod(s.kernel) <= DIRECT:
        load, weight = lo.ready(image).load, lo.ready(kernel).load

        def element(ops: Any, i: Any) -> Any:
            def parts() -> Iterator[Any]:
                for c, place in product(range(s.c), list(s.places())):
                    at, inside = s.seen(ops, i[2:], place)
                    channel = i[1] // s.k * s.c + c
                    x = chosen(ops, inside, lambda: load(ops, (i[0], channel, *at)), 0, wide)  # noqa: B023
                    yield ops.mul(x, weight(ops, (i[1], c, *place)))

            return _sum(ops, parts())

        cost = 4 * s.c * math.prod(s.kernel)
        return _stored(lo, Value(shape, wide, element, cost=cost, reads=image.reads | kernel.reads))
    low = image.dtype
    if s.g == 1:
        rows = _view(lo.dense(kernel), s.k, s.c * math.prod(s.kernel))
        made = matrices(lo, low, rows, _columns(lo, s, image, True), wide)
        return _view(lo.dense(made), *shape)
    rows = _view(lo.dense(kernel), s.g, s.k, s.c * math.prod(s.kernel))
    made = matrices(lo, low, rows, _columns(lo, s, image, False), wide)
    return _images_first(_view(lo.dense(made), s.g * s.k, s.n, *s.out), s.n, s.g * s.k, s.out)


def _stored(lo: Any, value: Value) -> Value:
    lo.realize(value)
    return value


def backward_input(lo: Any, s: Sizes, up: Value, kernel: Value) -> Value:
    """The gradient of the image, in float32 for half precision."""
    wide, shape = computing(up.dtype), (s.n, s.g * s.c, *s.space)
    if s.g > 1 and s.k * math.prod(s.kernel) <= DIRECT:
        load, weight = lo.ready(up).load, lo.ready(kernel).load

        def direct(ops: Any, i: Any, place: Sequence[Any]) -> Any:
            at, inside = s.seeing(ops, i[2:], place)
            group, c = i[1] // s.c, i[1] % s.c

            def part() -> Any:
                return _sum(ops, (ops.mul(load(ops, (i[0], group * s.k + k, *at)),
                                          weight(ops, (group * s.k + k, c, *place))) for k in range(s.k)))

            return chosen(ops, inside, part, 0, wide)

        return _over_places(lo, s, shape, wide, direct, up.reads | kernel.reads)
    width, places = math.prod(s.kernel), math.prod(s.out)
    if s.g == 1:
        rows = _view(lo.dense(kernel), s.k, s.c * width)
        made = matrices(lo, up.dtype, turned(lo, rows), _view(lo.dense(up), s.n, s.k, places), wide)
        columns = _view(lo.dense(made), s.n, s.c, *s.kernel, *s.out)
        if s.plain:
            return _view(lo.dense(made), *shape)
    else:
        rows = _view(lo.dense(kernel), s.g, s.k, s.c * width)
        made = matrices(lo, up.dtype, turned(lo, rows), _channels_first(lo, s, up), wide)
        columns = _view(lo.dense(made), s.g * s.c, *s.kernel, s.n, *s.out)
    each = columns.load

    def met(ops: Any, i: Any, place: Sequence[Any]) -> Any:
        at, inside = s.seeing(ops, i[2:], place)
        index = (i[0], i[1], *place, *at) if s.g == 1 else (i[1], *place, i[0], *at)
        return chosen(ops, inside, lambda: each(ops, index), 0, wide)

    return _over_places(lo, s, shape, wide, met, columns.reads)


def _over_places(lo: Any, s: Sizes, shape: tuple[Any, ...], dtype: str, part: Any, reads: Any) -> Value:
    """The sum of ``part(ops, index, place)`` over the places of the kernel."""
    width = math.prod(s.kernel)
    if width <= UNROLLED:
        return _stored(lo, Value(shape, dtype, lambda ops, i: _sum(ops, (part(ops, i, place) for place in s.places())),
                                 cost=8 * width, reads=reads))
    n = len(shape)
    full = Value((*shape, *s.kernel), dtype, lambda ops, i: part(ops, i[:n], i[n:]), cost=8, reads=reads)
    return lo.reduce(full, range(n, n + len(s.kernel)), "sum", dtype)  # type: ignore[no-any-return]


def backward_weight(lo: Any, s: Sizes, up: Value, image: Value) -> Value:
    """The gradient of the kernel, in float32 for half precision."""
    wide, shape = computing(up.dtype), (s.g * s.k, s.c, *s.kernel)
    d = len(s.kernel)
    if s.g > 1 and s.c * s.k * math.prod(s.kernel) <= DIRECT:
        load, grad = lo.ready(image).load, lo.ready(up).load

        def element(ops: Any, i: Any) -> Any:
            at, inside = s.seen(ops, i[3 + d:], i[2:2 + d])
            channel = i[0] // s.k * s.c + i[1]
            x = chosen(ops, inside, lambda: load(ops, (i[2 + d], channel, *at)), 0, wide)
            return ops.mul(x, grad(ops, (i[2 + d], i[0], *i[3 + d:])))

        full = Value((*shape, s.n, *s.out), wide, element, cost=8, reads=image.reads | up.reads)
        return lo.reduce(full, range(2 + d, 3 + 2 * d), "sum", wide)  # type: ignore[no-any-return]
    columns = turned(lo, _columns(lo, s, image, False))
    made = matrices(lo, up.dtype, _channels_first(lo, s, up), columns, wide)
    return _view(lo.dense(made), *shape)


@lowering("aten::convolution", target="cuda")
def convolution(lo: Any, node: Any, x: Value, weight: Value, bias: Value | None, stride: Any, padding: Any,
                dilation: Any, transposed: bool, output_padding: Any, groups: int) -> Any:
    shape = tuple(node.spec.shape)
    dtype = real(x, weight, bias, of=FLOATS)
    ends = (shape, x.shape) if transposed else (x.shape, shape)
    s = sizes_of(ends[0], weight.shape, ends[1], stride, padding, dilation, groups)
    made = (backward_input if transposed else forward)(lo, s, x, weight)
    if bias is None:
        return narrowed(lo, made, dtype)
    row = stored(lo.dense(bias))
    column = Value((shape[1], *[1] * (len(shape) - 2)), row.dtype, lambda ops, i: row.load(ops, i[:1]), reads=row.reads)
    return lo.pointwise(lambda ops, y, b: ops.to(ops.add(y, b), dtype), made, column, dtype=dtype)


@lowering("aten::convolution_backward", target="cuda")
def convolution_backward(lo: Any, node: Any, g: Value, x: Value, weight: Value, bias_sizes: Any, stride: Any,
                         padding: Any, dilation: Any, transposed: bool, output_padding: Any, groups: int,
                         output_mask: Any) -> Any:
    dtype = real(g, x, weight, of=FLOATS)
    ends = (g, x) if transposed else (x, g)
    s = sizes_of(ends[0].shape, weight.shape, ends[1].shape, stride, padding, dilation, groups)
    found: list[Value | None] = [None, None, None]
    if output_mask[0]:
        found[0] = forward(lo, s, g, weight) if transposed else backward_input(lo, s, g, weight)
    if output_mask[1]:
        found[1] = backward_weight(lo, s, x, g) if transposed else backward_weight(lo, s, g, x)
    if output_mask[2]:
        found[2] = lo.reduce(g, [0, *range(2, g.ndim)], "sum", computing(dtype))
    return tuple(None if r is None else narrowed(lo, r, dtype) for r in found)



