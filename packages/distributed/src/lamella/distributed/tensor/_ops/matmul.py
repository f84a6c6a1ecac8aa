"""Products: dimensions are named by letters, as `einsum` names them, and one letter at a time may be cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..placement_types import Placement, Shard
from .rule import SUM, Candidate, Operand, Question, R, rule

_LETTERS = "abcdefgh"


def _at(letters: str, shape: Sequence[int], letter: str, size: int) -> Placement:
    """Cut where the letter stands, unless the operand is broadcast along it."""
    i = letters.find(letter)
    return R if i < 0 or shape[i] != size else Shard(i)


def _einsum(q: Question, operands: list[str], results: list[str]) -> Iterator[Candidate]:
    """Candidates of a product: cut along a letter of the results, or along one that is summed over.

    The first two operands are multiplied; further ones are added to the result (and reach other results alone).
    """
    sizes: dict[str, int] = {}
    for letters, shape in zip(operands, q.shapes):
        for letter, size in zip(letters, shape):
            sizes[letter] = max(sizes.get(letter, 1), size)
    for letter, size in sizes.items():
        outs = [Shard(r.index(letter)) if letter in r else SUM for r in results]
        ins = [_at(o, s, letter, size) for o, s in zip(operands, q.shapes)]
        summed = letter not in results[0]
        if summed and len(results) == 1:
            ins[2:] = [SUM] * len(ins[2:])
        yield outs, tuple(ins)


def _summands(q: Question, factors: list[int], added: list[int]) -> Iterator[Candidate]:
    """Of one factor there are summands, and of what is added."""
    for k in factors:
        ins: list[Placement] = [R] * len(q.shapes)
        ins[k] = SUM
        for a in added:
            ins[a] = SUM
        yield SUM, tuple(ins)


def _matrices(a: int, b: int) -> tuple[str, str, str]:
    """Letters of ``a @ b`` for operands of this many dimensions, and of the result."""
    batch = _LETTERS[: max(a, b, 2) - 2]
    left = "k" if a == 1 else batch[len(batch) - (a - 2):] + "mk" if a > 2 else "mk"
    right = "k" if b == 1 else batch[len(batch) - (b - 2):] + "kn" if b > 2 else "kn"
    return left, right, batch + ("m" if a > 1 else "") + ("n" if b > 1 else "")


@rule("mm bmm matmul mv dot")
def _matmul(q: Question) -> Iterator[Candidate]:
    left, right, out = _matrices(len(q.shapes[0]), len(q.shapes[1]))
    yield from _einsum(q, [left, right], [out])
    yield from _summands(q, [0, 1], [])


@rule("outer")
def _outer(q: Question) -> Iterator[Candidate]:
    yield from _einsum(q, ["m", "n"], ["mn"])
    yield from _summands(q, [0, 1], [])


@rule("addmm baddbmm addmv")
def _addmm(q: Question) -> Iterator[Candidate]:
    """The operand that is added comes first in the call, and last for `_einsum`."""
    left, right, out = _matrices(len(q.shapes[1]), len(q.shapes[2]))
    if len(q.shapes) != 3:
        return
    added = out[len(out) - len(q.shapes[0]):]
    turned = Question(q.name, q.values, [q.shapes[1], q.shapes[2], q.shapes[0]], q.out_shapes, q.n, q.cuts, q.now)
    for outs, ins in (*_einsum(turned, [left, right, added], [out]), *_summands(turned, [0, 1], [2])):
        yield outs, (ins[2], ins[0], ins[1])


@rule("linear")
def _linear(q: Question) -> Iterator[Candidate]:
    if len(q.shapes[1]) != 2:
        return
    batch = _LETTERS[: len(q.shapes[0]) - 1]
    added = ["n"] if isinstance(q.values.get("bias"), Operand) else []
    yield from _einsum(q, [batch + "k", "nk", *added], [batch + "n"])
    yield from _summands(q, [0, 1], [2] if added else [])


@rule("linear_backward")
def _linear_backward(q: Question) -> Iterator[Candidate]:
    """Gradients of input, weight and bias; operands are input, gradient of the output, weight."""
    if len(q.shapes[2]) != 2:
        return
    batch = _LETTERS[: len(q.shapes[1]) - 1]
    letters = [batch + "k", batch + "n", "nk"]
    results = [batch + "k", "nk", "n"]
    for letter in batch + "kn":
        ins = tuple(Shard(o.index(letter)) if letter in o else R for o in letters)
        outs: list[Placement] = [Shard(r.index(letter)) if letter in r else SUM for r in results]
        if letter == "k":
            outs[2] = R  # the bias's gradient does not know the input
        yield outs, ins
    yield SUM, (R, SUM, R)
