"""Boxes of tensors: where two overlap, and which ones a range of a flattened tensor consists of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from lamella.core import Size

from .metadata import ChunkStorageMetadata

Ints = tuple[int, ...]


def overlap(saved: ChunkStorageMetadata, wanted: ChunkStorageMetadata) -> tuple[Ints, Ints, Ints] | None:
    """What two boxes of one tensor have in common.

    Returns:
        Where it begins in the first, where in the second, and its sizes; None for nothing.

    Example:
        >>> a, b = (ChunkStorageMetadata(Size((o,)), Size((4,))) for o in (0, 3))
        >>> overlap(a, b)
        ((3,), (0,), (1,))
    """
    in_saved, in_wanted, lengths = [], [], []
    for s, w, n, m in zip(saved.offsets, wanted.offsets, saved.sizes, wanted.sizes, strict=True):
        start, stop = max(s, w), min(s + n, w + m)
        if start >= stop:
            return None
        in_saved.append(start - s)
        in_wanted.append(start - w)
        lengths.append(stop - start)
    return tuple(in_saved), tuple(in_wanted), tuple(lengths)


def inside(box: ChunkStorageMetadata, size: Sequence[int]) -> bool:
    """Whether a box lies within a tensor of a shape."""
    if not len(box.offsets) == len(box.sizes) == len(size):
        return False
    return all(o >= 0 and n >= 0 and o + n <= m for o, n, m in zip(box.offsets, box.sizes, size, strict=True))


def flat_boxes(shape: Sequence[int], start: int, stop: int) -> Iterator[ChunkStorageMetadata]:
    """The boxes that elements `start` to `stop` of a flattened tensor consist of, in order.

    Args:
        shape: the tensor's.
        start, stop: the range, of its elements row by row.

    Returns:
        At most twice as many boxes as there are dimensions. Their elements, one box after the other, are the range's.

    Example:
        >>> [(tuple(b.offsets), tuple(b.sizes)) for b in flat_boxes((3, 4), 2, 9)]
        [((0, 2), (1, 2)), ((1, 0), (1, 4)), ((2, 0), (1, 1))]
    """
    for offsets, sizes in _parts(tuple(shape), start, stop):
        yield ChunkStorageMetadata(Size(offsets), Size(sizes))


def _parts(shape: Ints, start: int, stop: int) -> Iterator[tuple[Ints, Ints]]:
    if start >= stop:
        return
    if not shape:
        yield (), ()
        return
    inner = shape[1:]
    row = prod(inner)
    (first, begin), (last, end) = divmod(start, row), divmod(stop, row)
    if begin:
        upto = end if first == last else row
        yield from (((first, *o), (1, *n)) for o, n in _parts(inner, begin, upto))
        if first == last:
            return
        first += 1
    if first < last:
        yield (first, *([0] * len(inner))), (last - first, *inner)
    yield from (((last, *o), (1, *n)) for o, n in _parts(inner, 0, end))


def volume(box: ChunkStorageMetadata) -> int:
    """How many elements a box has."""
    return prod(box.sizes)


def slices(box: ChunkStorageMetadata) -> tuple[slice, ...]:
    """The index that takes a box out of its tensor."""
    return tuple(slice(o, o + n) for o, n in zip(box.offsets, box.sizes, strict=True))
