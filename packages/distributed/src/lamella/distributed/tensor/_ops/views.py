"""Operators that arrange elements anew: shapes, slices, joins."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..placement_types import Partial, Shard
from .rule import Candidate, Operand, Question, R, dims_of, local_size, rule


def partials(q: Question) -> Iterator[Candidate]:
    """Summands may be arranged as the sum may."""
    for p in {p for p in q.now if isinstance(p, Partial)}:
        yield p, (p,) * len(q.shapes)


def _mapped(q: Question, pairs: Any) -> Iterator[Candidate]:
    """Dimensions of the operand that are dimensions of the result as they are."""
    for old, new in pairs:
        yield Shard(new), (Shard(old),)
    yield from partials(q)


# ---------------------------------------------------------------------- shapes


def groups(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """The dimensions of two shapes with as many elements, in the smallest groups that hold the same elements."""
    i = j = 0
    while i < len(old) or j < len(new):
        left, right = ([i] if i < len(old) else []), ([j] if j < len(new) else [])
        a, b = math.prod(old[k] for k in left), math.prod(new[k] for k in right)
        i, j = i + len(left), j + len(right)
        while a != b:
            if (a < b and i < len(old)) or j >= len(new):
                left.append(i)
                a, i = a * old[i], i + 1
            else:
                right.append(j)
                b, j = b * new[j], j + 1
        yield left, right


def _reshape(q: Question) -> Iterator[Candidate]:
    """Within a group only the first dimension may be cut, into parts of one size."""
    old, new = q.shapes[0], q.out_shapes[0] or ()
    yield from partials(q)
    if 0 in old:
        return
    for left, right in groups(old, new):
        left, right = [d for d in left if old[d] != 1] or left[:1], [d for d in right if new[d] != 1] or right[:1]
        if not left or not right:
            continue
        a, b = left[0], right[0]
        alone = len(left) == len(right) == 1
        if alone or (q.even(0, a) and new[b] % (q.n * q.cuts.get((0, a), 1)) == 0):
            yield Shard(b), (Shard(a),)


@rule("view _unsafe_view", adjust=local_size("size"))
def _view(q: Question) -> Iterator[Candidate]:
    yield from () if "dtype" in q.values else _reshape(q)


@rule("reshape", adjust=local_size("shape"))
def _reshaped(q: Question) -> Iterator[Candidate]:
    yield from _reshape(q)


@rule("expand", adjust=local_size("size"))
def _expand(q: Question) -> Iterator[Candidate]:
    old, new = q.shapes[0], q.out_shapes[0] or ()
    lead = len(new) - len(old)
    yield from _mapped(q, [(d, d + lead) for d, size in enumerate(old) if size == new[d + lead]])


@rule("unsqueeze")
def _unsqueeze(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[0])
    dim = q.values["dim"] % (ndim + 1)
    yield from _mapped(q, [(d, d + (d >= dim)) for d in range(ndim)])


def _squeezed_dims(values: dict[str, Any], shape: Sequence[int]) -> list[int]:
    named = dims_of(values.get("dim"), len(shape)) if values.get("dim") is not None else range(len(shape))
    return [d for d in named if shape[d] == 1]


def _squeeze_parts(op: Any, values: dict[str, Any], ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    """A part may have size 1 where the whole does not."""
    from lamella import core

    gone = _squeezed_dims(values, ins[0].shape)
    return core.squeeze(values["self"], tuple(gone)) if gone else values["self"].view(values["self"].shape)


@rule("squeeze", run=_squeeze_parts)
def _squeeze(q: Question) -> Iterator[Candidate]:
    shape = q.shapes[0]
    gone = _squeezed_dims(q.values, shape)
    yield from _mapped(q, [(d, d - sum(g < d for g in gone)) for d in range(len(shape)) if d not in gone])


@rule("permute transpose t numpy_T mT movedim")
def _permute(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[0])
    order = list(range(ndim))
    if q.name == "permute":
        order = dims_of(q.values["dims"], ndim) if ndim else []
    elif q.name == "transpose" and ndim:
        a, b = q.values["dim0"] % ndim, q.values["dim1"] % ndim
        order[a], order[b] = order[b], order[a]
    elif q.name == "movedim":
        return
    elif q.name == "numpy_T":
        order.reverse()
    elif ndim > 1:
        order[-1], order[-2] = order[-2], order[-1]
    yield from _mapped(q, [(old, new) for new, old in enumerate(order)])


# ---------------------------------------------------------------------- slices


def _but(q: Question, dims: list[int]) -> list[tuple[int, int]]:
    return [(d, d) for d in range(len(q.shapes[0])) if d not in dims]


@rule("select unbind")
def _select(q: Question) -> Iterator[Candidate]:
    dim = q.values["dim"] % len(q.shapes[0])
    yield from _mapped(q, [(d, d - (d > dim)) for d, _ in _but(q, [dim])])


@rule("slice narrow narrow_copy split split_with_sizes chunk tensor_split unfold")
def _slice(q: Question) -> Iterator[Candidate]:
    dim = q.values.get("dim", q.values.get("dimension", 0)) % len(q.shapes[0])
    yield from _mapped(q, _but(q, [dim]))


@rule("select_backward", adjust=local_size("input_sizes"))
def _select_backward(q: Question) -> Iterator[Candidate]:
    ndim = len(q.out_shapes[0] or ())
    dim = q.values["dim"] % ndim
    yield from _mapped(q, [(d - (d > dim), d) for d in range(ndim) if d != dim])


@rule("slice_backward", adjust=local_size("input_sizes"))
def _slice_backward(q: Question) -> Iterator[Candidate]:
    yield from _mapped(q, _but(q, [q.values["dim"] % len(q.shapes[0])]))


@rule("slice_scatter select_scatter")
def _scatter(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[0])
    dim = q.values["dim"] % ndim
    for d in range(ndim):
        if d != dim:
            yield Shard(d), (Shard(d), Shard(d - (q.name == "select_scatter" and d > dim)))


@rule("tril triu")
def _triangle(q: Question) -> Iterator[Candidate]:
    yield from _mapped(q, [(d, d) for d in range(len(q.shapes[0]) - 2)])


@rule("roll")
def _roll(q: Question) -> Iterator[Candidate]:
    if q.values["dims"]:
        yield from _mapped(q, _but(q, dims_of(q.values["dims"], len(q.shapes[0]))))


@rule("constant_pad_nd")
def _pad(q: Question) -> Iterator[Candidate]:
    pad, ndim = q.values["pad"], len(q.shapes[0])
    moved = [ndim - 1 - i for i in range(len(pad) // 2) if pad[2 * i] or pad[2 * i + 1]]
    for d, _ in _but(q, moved):
        yield Shard(d), (Shard(d),)


@rule("repeat")
def _repeat(q: Question) -> Iterator[Candidate]:
    repeats = q.values["repeats"]
    lead = len(repeats) - len(q.shapes[0])
    yield from _mapped(q, [(d, d + lead) for d in range(len(q.shapes[0])) if repeats[d + lead] == 1])


# ---------------------------------------------------------------------- joins


@rule("cat")
def _cat(q: Question) -> Iterator[Candidate]:
    ndim = len(q.out_shapes[0] or ())
    if ndim and all(len(s) == ndim for s in q.shapes):
        for d in range(ndim):
            if d != q.values["dim"] % ndim:
                yield Shard(d), (Shard(d),) * len(q.shapes)
    yield from partials(q)


@rule("stack")
def _stack(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[0])
    dim = q.values["dim"] % (ndim + 1)
    for d in range(ndim):
        yield Shard(d + (d >= dim)), (Shard(d),) * len(q.shapes)
    yield from partials(q)


# ---------------------------------------------------------------------- by index


@rule("index_select index_add index_copy index_fill")
def _by_index(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[0])
    dim = q.values["dim"] % max(ndim, 1)
    for d in range(ndim):
        if d != dim:
            # Operands in order: self, index, and what is added or copied, which has the dimensions of self.
            yield Shard(d), tuple(R if k == 1 or len(s) != ndim else Shard(d) for k, s in enumerate(q.shapes))


@rule("gather scatter scatter_add scatter_reduce take_along_dim")
def _gather(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[0])
    dim = q.values.get("dim")
    if dim is None:
        return
    for d in range(ndim):
        if d != dim % ndim and all(len(s) == ndim and s[d] == q.shapes[0][d] for s in q.shapes):
            yield Shard(d), (Shard(d),) * len(q.shapes)


@rule("one_hot")
def _one_hot(q: Question) -> Iterator[Candidate]:
    if q.values["num_classes"] > 0 and isinstance(q.values["self"], Operand):
        for d in range(len(q.shapes[0])):
            yield Shard(d), (Shard(d),)
