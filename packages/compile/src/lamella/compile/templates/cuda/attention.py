"""Scaled dot-product attention and its gradients: `cuda/attention.cuh`; 16-bit types: `cuda/attention_halves.cuh`.

Where heads are large, or the weights are given: by products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.node import Node
from ...loops.device import TYPES, DeviceKernel, blocks, pointer, sizes
from ...loops.index import product as size_of
from ...loops.ir import Buffer, Native, itemsize
from ...lower.registry import Unsupported, lowering
from ...lower.values import Value, stored
from ..attention import _full, _steps, _strides_like, _summed
from ..common import FLOATS, HALF, narrowed, real
from .attention_products import backward_by_products, by_products
from .common import about
from .random import drawn

LARGEST = 128  # columns of a head
WARPS = 4  # of a block that uses tensor cores, each for 16 rows
SHARED = 48 * 1024


class Heads:
    """A call's matrices, and the text of the kernels that go over them.

    Attributes:
        dtype: of the elements. sums: the type to compute in. outer, inner: the batch as two sizes.
        rows, keys, depth, width: of queries, of keys, and of the columns of keys and values.
    """

    def __init__(self, lo: Any, query: Value, key: Value, value: Value, mask: Value | None, drop: Value | None,
                 scores: tuple[Any, ...], causal: bool, scale: float, others: Sequence[Buffer] = (),
                 noise: Any = None) -> None:
        self.noise = noise
        drop = None if noise is not None else drop
        self.dtype, self.sums = query.dtype, "float64" if query.dtype == "float64" else "float32"
        self.batch, self.causal, self.scale = scores[:-2], bool(causal), float(scale)
        self.rows, self.keys = scores[-2:]
        self.depth, self.width = query.shape[-1], value.shape[-1]
        self.columns = -(-max(self.depth, self.width) // 16) * 16
        self.mask, self.drop = (None if v is None else v.buffer for v in (_full(lo, mask, scores),
                                                                          _full(lo, drop, scores)))
        self.ins = [lo.realize(v) for v in (query, key, value)]
        if _steps(self.batch, [*self.ins, self.mask, self.drop, *others]) is None:
            self.ins = [lo.dense(v) for v in (query, key, value)]
            if self.mask is not None:
                self.mask = _full(lo, stored(lo.dense(mask)), scores).buffer  # type: ignore[union-attr]

    def read(self) -> list[Buffer]:
        """What all kernels read."""
        return [b for b in (*self.ins, self.mask, self.drop) if b is not None]

    def everything(self) -> list[Buffer]:
        """What a call reads."""
        return [*self.read(), *([] if self.noise is None else self.noise[:1])]

    def call(self, function: str, named: Sequence[tuple[str, Buffer, bool]], tiles: int, steps: Any,
             with_drop: bool = True) -> DeviceKernel:
        """A launch.

        Args:
            function: of the header.
            named: (name, buffer, whether it is written) in the function's order: matrices of heads, or (buffers of
                other ranks) plain pointers.
            tiles: how many tiles of rows are in shared memory. steps: over what blocks go: rows or keys.
            with_drop: whether the function takes what weights are multiplied by.
        """
        extra: list[Any] = [] if self.mask is None else [("mask", self.mask, False)]
        extra += [("factors", self.drop, False)] if with_drop and self.drop is not None else []
        heads = [b for name, b, _ in (*named, *extra) if name not in PLAIN]
        found = _steps(self.batch, heads)
        if found is None:
            raise Unsupported("batches that are laid out in more than two steps")
        outer, inner, each = found
        parameters = [pointer(b, name, written) for name, b, written in (*named, *extra)]
        values = [("heads", inner), ("rows", self.rows), ("keys", self.keys)]
        values += [(f"{b.name}_{k}", s) for b, four in zip(heads, each, strict=True) for k, s in enumerate(four)]
        more, words = sizes(values)
        where = {b: ", ".join(words[f"{b.name}_{k}"] for k in range(4)) for b in heads}
        body = [f"// {outer} x {inner} heads of {self.rows} rows and {self.keys} keys{', causal' * self.causal}"]
        body.append(f"const AttentionSizes size = {{{words['heads']}, {words['rows']}, {words['keys']}, {self.depth}, "
                    f"{self.width}, {self.scale!r}}};")
        arguments = []
        for name, b, written in (*named, *extra):
            if name in PLAIN:
                arguments.append(name)
                continue
            kind = f"Heads<{'' if written else 'const '}{TYPES[b.dtype]}>{{{name}, {where[b]}}}"
            around = {"mask": "Allowed" if b.dtype == "bool" else f"Added<{TYPES[b.dtype]}>",
                      "factors": f"Factors<{TYPES[b.dtype]}>"}.get(name)
            arguments.append(kind if around is None else f"{around}{{{kind}}}")
        if self.mask is None:
            arguments.insert(len(named), "Unmasked{}")
        if with_drop and self.noise is not None:
            state, draw, keep, factor = self.noise
            parameters.append(pointer(state, "draws"))
            arguments.append(f"Noise<{TYPES[self.sums]}>{{draws, {draw}, {keep!r}, {TYPES[self.sums]}({factor!r}), "
                             f"{words['heads']}, {words['rows']}, {words['keys']}}}")
        elif with_drop and self.drop is None:
            arguments.append("Undropped{}")
        low = self.dtype in HALF and function != "attention_weights"
        tile = (32 if self.columns <= 64 else 16) if low else self.tile(tiles)
        given = [str(self.columns), str(tile), "true" if self.causal else "false", *([] if low else [TYPES[self.sums]])]
        body.append(f"{function}{'_halves' * low}<{', '.join(given)}>(")
        body += [f"    {'size, ' if n == 0 else ''}{a}{',' if n + 1 < len(arguments) else ');'}"
                 for n, a in enumerate(arguments)]
        read, made = ([b for _, b, w in (*named, *extra) if w == written] for written in (False, True))
        rows = WARPS * 16 if low else tile
        return DeviceKernel(STEMS[function], f"cuda/attention{'_halves' * low}.cuh", [*parameters, *more], body,
                            (size_of(self.batch), blocks(steps, rows), 1), (32 * WARPS if low else 4 * tile, 1, 1),
                            about=about(read, made, self.work * PRODUCTS[function] * self.columns))

    def tile(self, count: int) -> int:
        """Rows of a tile, so that ``count`` tiles and two of scores fit."""
        each = itemsize(self.sums)
        return next(t for t in (32, 16, 8) if count * t * (self.columns + 4) * each + 2 * t * (t + 4) * each <= SHARED)

    @property
    def work(self) -> Any:
        """Operations of all scores, for one column."""
        return 2 * size_of(self.batch) * self.rows * self.keys


PLAIN = ("logs", "delta", "weights")
#: Products of whole matrices of scores that they make.
PRODUCTS = {"attention_forward": 2, "attention_weights": 1, "attention_backward_query": 3, "attention_backward_key": 4}
#: Kernels by the functions that they call.
STEMS = {"attention_forward": "attention", "attention_weights": "weights_of_attention",
         "attention_backward_query": "attention_by_query", "attention_backward_key": "attention_by_key"}


def _checked(scores: tuple[Any, ...], shape: tuple[Any, ...], scale: Any, *values: Value | None) -> str:
    dtype = real(*values, of=FLOATS)
    if shape[:-2] != scores[:-2] or not isinstance(scale, (int, float)) or 0 in (*shape, *scores):
        raise Unsupported("a value with batches of its own, or an empty tensor")
    return dtype


def _small(*columns: Any) -> bool:
    return all(isinstance(n, int) and n <= LARGEST for n in columns)


def _weights_wanted(lo: Any, node: Node) -> bool:
    """Whether anything but a backward pass that computes them again reads the weights."""
    for item in lo.graph.nodes:
        if item.kind != "item" or item.args != (node, 1):
            continue
        if item in lo.graph.outputs:
            return True
        for user in lo.graph.users()[item]:
            if user.kind == "call" and user.op.name == "aten::_attention_backward" and not user.args[8][3]:
                continue
            return True
    return False


@lowering("aten::_attention", target="cuda")
def attention(lo: Any, node: Any, query: Value, key: Value, value: Value, mask: Value | None, drop: Value | None,
              is_causal: bool, scale: float) -> Any:
    shape, scores = tuple(node.spec[0].shape), tuple(node.spec[1].shape)
    dtype = _checked(scores, shape, scale, query, key, value)
    if not _small(query.shape[-1], shape[-1]):
        return by_products(lo, query, key, value, mask, drop, scores, is_causal, scale)
    heads = Heads(lo, query, key, value, mask, drop, scores, is_causal, scale, (), drawn(lo, node.args[4], drop))
    out = lo.new_buffer(dtype, shape, _strides_like(shape, heads.ins[0]))
    logs = lo.new_buffer(heads.sums, scores[:-1])
    q, k, v = heads.ins
    named = [("out", out, True), ("logs", logs, True), ("query", q, False), ("key", k, False), ("value", v, False)]
    if _steps(heads.batch, [out, *heads.read()]) is None:
        out = lo.new_buffer(dtype, shape)
        named[0] = ("out", out, True)
    native = Native([out, logs], heads.everything(), "attention", [out, *heads.ins], "cuda/attention.cuh",
                    flops=heads.work * (heads.depth + heads.width))
    native.calls = [heads.call("attention_forward", named, 2, heads.rows)]
    lo.add_step(native)
    lo.notes[node] = logs, stored(out), bool(is_causal)
    if not _weights_wanted(lo, node):
        return stored(out), None
    weights = lo.new_buffer(dtype, scores)
    named = [("weights", weights, True), ("logs", logs, False), ("query", q, False), ("key", k, False)]
    native = Native([weights], [*heads.read(), logs], "attention_weights", [weights, q, k], "cuda/attention.cuh",
                    flops=heads.work * heads.depth)
    native.calls = [heads.call("attention_weights", named, 2, heads.rows, with_drop=False)]
    lo.add_step(native)
    return stored(out), stored(weights)


@lowering("aten::_attention_backward", target="cuda")
def attention_backward(lo: Any, node: Any, g: Value, query: Value, key: Value, value: Value, mask: Value | None,
                       drop: Value | None, weights: Value | None, scale: float, output_mask: Any) -> Any:
    item = node.args[6]
    scores = tuple(item.spec.shape)
    dtype = _checked(scores, g.shape, scale, g, query, key, value)
    known = lo.notes.get(item.args[0]) if item.kind == "item" else None
    if known is None or output_mask[3]:
        if weights is None:
            raise Unsupported("weights that are not there")
        return backward_by_products(lo, g, query, key, value, mask, drop, weights, scale, output_mask)
    logs, out, causal = known
    heads = Heads(lo, query, key, value, mask, drop, scores, causal, scale, [lo.realize(g)],
                  drawn(lo, node.args[5], drop))
    wide = heads.sums
    delta = lo.realize(lo.reduce(lo.pointwise(lambda ops, a, b: ops.mul(a, b), g, out, dtype=wide),
                                 [g.ndim - 1], "sum", wide))
    grad = lo.realize(g)
    if _steps(heads.batch, [grad, *heads.read()]) is None:
        grad = lo.dense(g)
    outs: list[Buffer | None] = [None, None, None]
    for n, like in enumerate(heads.ins):
        shape = (*heads.batch, *like.shape[-2:])
        if output_mask[n] or n and (output_mask[1] or output_mask[2]):
            outs[n] = lo.new_buffer(dtype, shape, _strides_like(shape, like))
            if _steps(heads.batch, [outs[n], grad, *heads.read()]) is None:
                outs[n] = lo.new_buffer(dtype, shape)
    names = ("to_query", "to_key", "to_value")
    given = [("logs", logs, False), ("delta", delta, False), ("grad", grad, False),
             *((name, b, False) for name, b in zip(("query", "key", "value"), heads.ins, strict=True))]
    for function, which, steps in (("attention_backward_query", (0,), heads.rows),
                                   ("attention_backward_key", (1, 2), heads.keys)):
        made = [(names[n], outs[n], True) for n in which if outs[n] is not None]
        if not made:
            continue
        buffers = [b for n in which if (b := outs[n]) is not None]
        native = Native(buffers, [*heads.everything(), grad, logs, delta], function, [*buffers, grad, *heads.ins],
                        "cuda/attention.cuh", flops=heads.work * (2 * heads.depth + heads.width * len(which)))
        native.calls = [heads.call(function, [*made, *given], 4, steps)]  # type: ignore[list-item]
        lo.add_step(native)
    found = [None if b is None or not wanted else narrowed(lo, _summed(lo, stored(b), tuple(v.shape), dtype), dtype)
             for b, v, wanted in zip(outs, (query, key, value), output_mask, strict=False)]
    return *found, None
