"""Where the elements of parameters lie among the ranks.

A unit's parameters (of one element type) become one vector that is cut into as many equal shards as there are ranks.
`FlatLayout` writes the parameters one behind another and cuts anywhere: a gathered vector holds whole parameters
without a copy. `RowLayout` divides each parameter by rows and gives each rank its rows of every parameter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

__all__ = ["FlatLayout", "Layout", "Part", "RowLayout"]


class Part(NamedTuple):
    """What one rank holds of one parameter.

    Attributes:
        at: where it starts in the rank's shard.
        start: where it starts in the parameter, whose elements are counted in row-major order.
        size: how many elements.
    """

    at: int
    start: int
    size: int

    @property
    def here(self) -> slice:
        """Its place in the rank's shard."""
        return slice(self.at, self.at + self.size)

    @property
    def there(self) -> slice:
        """Its place in the parameter."""
        return slice(self.start, self.start + self.size)


class Layout:
    """A division of parameters among ranks.

    Args:
        shapes: of the whole parameters.
        world: how many ranks share them.
        dims: for each parameter, the dimension that is divided (`RowLayout` alone asks); the first where None.

    Attributes:
        length: elements of each rank's shard, the same on all ranks.
        parts: for each rank, a `Part` for each parameter.
    """

    length: int

    def __init__(self, shapes: Sequence[tuple[int, ...]], world: int, dims: Sequence[int] | None = None) -> None:
        self.dims = list(dims or [0] * len(shapes))
        self.shapes = [_first(tuple(s), d) if d else tuple(s) for s, d in zip(shapes, self.dims, strict=True)]
        self.sizes = [math.prod(s) for s in self.shapes]
        self.world = world
        self.parts = self._divide()

    def _divide(self) -> list[list[Part]]:
        raise NotImplementedError

    def local_shape(self, i: int, rank: int) -> tuple[int, ...]:
        """The shape that a rank's part of parameter ``i`` has."""
        raise NotImplementedError

    def to_rows(self, i: int, a: Any) -> Any:
        """Parameter ``i``, or a rank's part of it, with the dimension that is divided in front."""
        return a if self.dims[i] == 0 else a.transpose(_first(tuple(range(a.ndim)), self.dims[i]))

    def from_rows(self, i: int, a: Any) -> Any:
        """The reverse of `to_rows`."""
        d = self.dims[i]
        return a if d == 0 else a.transpose((*range(1, d + 1), 0, *range(d + 1, a.ndim)))

    def own(self, i: int, rank: int, shard: Any) -> Any:
        """A rank's part of parameter ``i``: a view of its shard."""
        return self.from_rows(i, shard[self.parts[rank][i].here].reshape(self.local_shape(i, rank)))

    def whole(self, gathered: Any, empty: Callable[[int], Any]) -> list[Any]:
        """The parameters in a vector of all shards; views of it where that is possible, else made by ``empty(n)``."""
        rows = gathered.reshape(self.world, self.length)
        found = []
        for i, shape in enumerate(self.shapes):
            a = empty(self.sizes[i])
            for row, parts in zip(rows, self.parts, strict=True):
                part = parts[i]
                a[part.there] = row[part.here]
            found.append(self.from_rows(i, a.reshape(shape)))
        return found

    def collect(self, into: Any, arrays: Sequence[Any]) -> None:
        """Write parameters (None: nothing) to where they lie in a vector of all shards."""
        rows = into.reshape(self.world, self.length)
        for i, a in enumerate(arrays):
            if a is None:
                continue
            flat = self.to_rows(i, a).reshape(-1)
            for row, parts in zip(rows, self.parts, strict=True):
                part = parts[i]
                if part.size:
                    row[part.here] = flat[part.there]

    def fills(self, present: Sequence[bool]) -> bool:
        """Whether the parameters that are present cover a vector of all shards without gaps."""
        return all(present) and sum(self.sizes) == self.world * self.length


def _first(items: tuple[int, ...], d: int) -> tuple[int, ...]:
    """A tuple with one of its entries moved to the front."""
    return (items[d], *items[:d], *items[d + 1 :])


class FlatLayout(Layout):
    """Parameters one behind another; each rank has an equal piece of the whole, and the last may be padded.

    Example:
        >>> layout = FlatLayout([(3,), (2, 2)], 2)
        >>> layout.length, layout.parts[0][1], layout.parts[1][1]
        (4, Part(at=3, start=0, size=1), Part(at=0, start=1, size=3))
    """

    def _divide(self) -> list[list[Part]]:
        total = sum(self.sizes)
        length = self.length = -(-total // self.world)
        found = []
        for rank in range(self.world):
            low, high, at, parts = rank * length, (rank + 1) * length, 0, []
            for n in self.sizes:
                first, last = max(low, at), min(high, at + n)
                parts.append(Part(first - low, first - at, last - first) if last > first else Part(0, 0, 0))
                at += n
            found.append(parts)
        return found

    def local_shape(self, i: int, rank: int) -> tuple[int, ...]:
        """A vector; the parameter's own shape where nothing is divided."""
        if self.world == 1:
            return self.shapes[i]
        return (self.parts[rank][i].size,)

    def whole(self, gathered: Any, empty: Callable[[int], Any]) -> list[Any]:
        """Views of the gathered vector."""
        at, found = 0, []
        for n, shape in zip(self.sizes, self.shapes, strict=True):
            found.append(gathered[at : at + n].reshape(shape))
            at += n
        return found

    def collect(self, into: Any, arrays: Sequence[Any]) -> None:
        """One copy for each parameter."""
        at = 0
        for n, a in zip(self.sizes, arrays, strict=True):
            if a is not None:
                into[at : at + n] = a.reshape(-1)
            at += n


class RowLayout(Layout):
    """Each rank has equally many rows (entries of one dimension) of each parameter; the last ranks may have less.

    Shapes of parts have that dimension in front; `from_rows` puts it back.

    Example:
        >>> layout = RowLayout([(3, 2), (2,)], 2)
        >>> layout.length, layout.local_shape(0, 0), layout.local_shape(0, 1)
        (5, (2, 2), (1, 2))
    """

    def _divide(self) -> list[list[Part]]:
        rows = [-(-shape[0] // self.world) for shape in self.shapes]
        step = [math.prod(shape[1:]) for shape in self.shapes]
        found = []
        for rank in range(self.world):
            at, parts = 0, []
            for shape, n, width in zip(self.shapes, rows, step, strict=True):
                first, last = min(rank * n, shape[0]), min((rank + 1) * n, shape[0])
                parts.append(Part(at, first * width, (last - first) * width))
                at += n * width
            found.append(parts)
        self.length = sum(n * width for n, width in zip(rows, step, strict=True))
        return found

    def local_shape(self, i: int, rank: int) -> tuple[int, ...]:
        """As many rows as the rank has."""
        shape = self.shapes[i]
        n = -(-shape[0] // self.world)
        return (max(0, min(n, shape[0] - rank * n)), *shape[1:])

    def whole(self, gathered: Any, empty: Callable[[int], Any]) -> list[Any]:
        """Copies, except where there is one rank."""
        if self.world > 1:
            return super().whole(gathered, empty)
        return [self.own(i, 0, gathered) for i in range(len(self.shapes))]
