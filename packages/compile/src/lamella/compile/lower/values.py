"""Values of a graph while it is lowered: memory, or a body that is computed where it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..loops.index import contiguous, product
from ..loops.ir import Buffer, Index

Load = Callable[[Any, Index], Any]
NONE: frozenset[Buffer] = frozenset()


class Value:
    """A tensor of the graph.

    Take ``load`` when a body is composed, not when it runs: once a value is realized, ``load`` reads its memory,
    which is not there yet for steps that were added earlier.

    Attributes:
        shape: sizes, int or Expr.
        dtype: name of the element type (float16 and bfloat16 values are float32 inside bodies).
        load: ``load(ops, index) -> value`` of one element.
        buffer: where it lies, or None for a lazy value: a `Buffer`, perhaps a view (``buffer.base``).
        cost: about how many operations ``load`` takes. reads: the buffers it loads from.
        number: the Python number that all elements are, or None.
        source: of a lazy value that holds all elements of another in another arrangement: that one, and the function
            that arranges. Memory is then made for the source, which other readers share.
        origins: of a lazy value: names of the graph's nodes that its body computes, its own last. where: its line.
    """

    __slots__ = ("shape", "dtype", "load", "buffer", "cost", "reads", "number", "source", "origins", "where")

    def __init__(self, shape: tuple[Any, ...], dtype: str, load: Load, *, buffer: Buffer | None = None, cost: float = 0,
                 reads: frozenset[Buffer] = NONE, number: Any = None) -> None:
        self.shape, self.dtype, self.load, self.buffer = shape, dtype, load, buffer
        self.cost, self.reads, self.number = cost, reads, number
        self.source: tuple[Value, Callable[[Value], Value]] | None = None
        self.origins: tuple[str, ...] = ()
        self.where = ""

    @property
    def numel(self) -> Any:
        """The number of elements."""
        return product(self.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def is_floating(self) -> bool:
        """Whether the element type is a floating one."""
        return self.dtype in ("float32", "float64", "float16", "bfloat16")

    def __repr__(self) -> str:
        return f"{self.buffer or 'lazy'}: {self.dtype}{list(self.shape)}"


class Scalar(Value):
    """A float that is only known when the program runs; in promotion it counts as a Python number.

    Attributes:
        name, k: of its symbol, and which of the program's scalars it is.
    """

    __slots__ = ("name", "k")

    def __init__(self, name: str, k: int) -> None:
        super().__init__((), "float64", lambda ops, index: ops.scalar(k, "float64"))
        self.name, self.k = name, k


def stored(buffer: Buffer) -> Value:
    """The value that lies in a buffer."""
    return Value(buffer.shape, buffer.dtype, reader(buffer), buffer=buffer, reads=frozenset((buffer.root,)))


def reader(buffer: Buffer) -> Load:
    """``load`` of a buffer."""
    root, at = buffer.root, buffer.at
    return lambda ops, index: ops.load(root, at(index))


def constant(number: Any, shape: tuple[Any, ...], dtype: str) -> Value:
    """All elements are a Python number."""
    return Value(shape, dtype, lambda ops, index: ops.constant(number, dtype), number=number)


def view_of(value: Value, shape: tuple[Any, ...], stride: tuple[Any, ...], offset: Any) -> Value:
    """A view of a value that has memory; ``offset`` in elements from the start of its buffer's root."""
    root = value.buffer.root  # type: ignore[union-attr]
    return stored(Buffer(root.name, root.dtype, shape, stride or contiguous(shape), offset, root.kind, root.number,
                         root.data, root))


def mapped(value: Value, shape: tuple[Any, ...], index: Callable[[Index], Index], cost: int = 0,
           again: Callable[[Value], Value] | None = None) -> Value:
    """The value whose element ``i`` is element ``index(i)`` of another.

    Args:
        value: the other. shape: of the result. index: see above. cost: of the index, in operations.
        again: does the same to a value with memory; given where the result holds each element once.
    """
    load = value.load
    # A little more even for a plain index, so that bodies do not nest without end.
    total = value.cost + cost + 0.5
    made = Value(shape, value.dtype, lambda ops, i: load(ops, index(i)), cost=total, reads=value.reads,
                 number=value.number)
    if again is not None and value.buffer is None and value.number is None:
        made.source = (value, again)
    return made


def is_dense(buffer: Buffer) -> bool:
    """Whether the elements lie in row-major order without gaps."""
    return all(n == 1 or s == c for n, s, c in zip(buffer.shape, buffer.stride, contiguous(buffer.shape), strict=True))
