"""Placements: how a tensor lies on the ranks along one dimension of a mesh."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..reduce_op import ReduceOp

__all__ = ["Partial", "Placement", "Replicate", "Shard"]

_REDUCTIONS = {"sum": ReduceOp.SUM, "avg": ReduceOp.AVG, "product": ReduceOp.PRODUCT, "max": ReduceOp.MAX,
               "min": ReduceOp.MIN}


class Placement:
    """How a tensor lies on the ranks along one dimension of a mesh; the base of `Shard`, `Replicate` and `Partial`."""

    __slots__ = ()

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether each rank has a part, of dimension ``dim`` if one is named."""
        return isinstance(self, Shard) and (dim is None or self.dim == dim)

    def is_replicate(self) -> bool:
        """Whether each rank has all of it."""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op: str | None = None) -> bool:
        """Whether the tensor is the reduction of what the ranks have, by ``reduce_op`` if one is named."""
        return isinstance(self, Partial) and (reduce_op is None or self.reduce_op == reduce_op)

    def __reduce__(self) -> tuple[Any, ...]:
        slots: Any = type(self).__slots__
        return type(self), tuple(getattr(self, name) for name in slots)


class Shard(Placement):
    """Each rank has a part of one dimension of the tensor.

    The parts are as large as those of `chunk`: all of one size but the last ones, which may be smaller or empty.

    Args:
        dim: which dimension.

    Example:
        >>> Shard(0)
        Shard(dim=0)
        >>> [Shard.local_shard_size_and_offset(5, 4, rank) for rank in range(4)]
        [(2, 0), (2, 2), (1, 4), (0, 5)]
    """

    __slots__ = ("dim",)
    dim: int

    def __init__(self, dim: int) -> None:
        if not isinstance(dim, int):
            raise TypeError(message("Shard", "dim must be an int", type(dim).__name__))
        self.dim = dim

    @staticmethod
    def local_shard_size_and_offset(curr_local_size: int, num_chunks: int, rank: int) -> tuple[int, int]:
        """The size of a rank's part, and where it begins.

        Args:
            curr_local_size: the size that is cut.
            num_chunks: among how many ranks.
            rank: which of them.
        """
        step = -(-curr_local_size // num_chunks)
        start = min(step * rank, curr_local_size)
        return min(step, curr_local_size - start), start

    _local_shard_size_and_offset = local_shard_size_and_offset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shard) and self.dim == other.dim

    def __hash__(self) -> int:
        return hash((Shard, self.dim))

    def __repr__(self) -> str:
        return f"Shard(dim={self.dim})"

    def __str__(self) -> str:
        return f"S({self.dim})"


class Replicate(Placement):
    """Each rank has the whole tensor.

    Example:
        >>> Replicate() == Replicate()
        True
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Replicate)

    def __hash__(self) -> int:
        return hash(Replicate)

    def __repr__(self) -> str:
        return "Replicate()"

    def __str__(self) -> str:
        return "R"


class Partial(Placement):
    """The tensor is the reduction of what the ranks have, which has not been done yet.

    Args:
        reduce_op: "sum", "avg", "product", "max" or "min".

    Example:
        >>> Partial()
        Partial(sum)
    """

    __slots__ = ("reduce_op",)
    reduce_op: str

    def __init__(self, reduce_op: str | None = None) -> None:
        reduce_op = "sum" if reduce_op is None else reduce_op
        if reduce_op not in _REDUCTIONS:
            raise ValueError(message("Partial", f"there is no reduction {reduce_op!r}", hint=", ".join(_REDUCTIONS)))
        self.reduce_op = reduce_op

    @property
    def op(self) -> Any:
        """The reduction, as collectives take it."""
        return _REDUCTIONS[self.reduce_op]

    @property
    def linear(self) -> bool:
        """Whether sums and multiples can be taken before the reduction."""
        return self.reduce_op in ("sum", "avg")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and self.reduce_op == other.reduce_op

    def __hash__(self) -> int:
        return hash((Partial, self.reduce_op))

    def __repr__(self) -> str:
        return f"Partial({self.reduce_op})"

    def __str__(self) -> str:
        return f"P({self.reduce_op})"
