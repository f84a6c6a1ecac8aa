"""How a tensor that is spread over ranks says which part of it is here.

Plain tensors are taken to be the same on all ranks, and one rank writes them. A class of tensors that are spread over
ranks has the global ``shape`` (or ``size()``) and ``dtype``, and two methods:

``__create_chunk_list__(self) -> list[ChunkStorageMetadata]``
    the boxes of the global tensor that are on this rank; none where this rank has no part. A box that several ranks
    have is written by one of them.
``__get_tensor_shard__(self, index: MetadataIndex) -> Tensor``
    the local tensor of the box that begins at ``index.offset`` (``index.index`` is a hint that may be wrong): a view,
    since loading writes into it.

``__create_write_items__(self, fqn, object)`` may be there too, and then says what is written. These are the names that
torch's own classes use. Two more make `get_state_dict` and `set_state_dict` work with such tensors: ``full_tensor()``
gathers the global tensor on every rank, and what `__get_tensor_shard__` gives is filled from a global one.

`LocalShards` is such a class for whoever has boxes, or a range of a flattened tensor, and no class of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lamella.core import Size, Tensor
from lamella.dispatch.errors import message

from .boxes import flat_boxes, inside, volume
from .metadata import ChunkStorageMetadata, MetadataIndex

__all__ = ["LocalShards", "chunks_of", "is_sharded", "is_tensor", "local_part", "shape_of"]


def is_sharded(x: Any) -> bool:
    """Whether `x` is a tensor that says which part of it is on this rank."""
    return hasattr(type(x), "__create_chunk_list__")


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, whole or in parts."""
    return isinstance(x, Tensor) or is_sharded(x)


def shape_of(x: Any) -> Size:
    """The global shape."""
    return Size(tuple(x.shape))


def chunks_of(x: Any) -> list[ChunkStorageMetadata]:
    """The boxes of a tensor that are on this rank."""
    if is_sharded(x):
        return list(x.__create_chunk_list__())
    shape = shape_of(x)
    return [ChunkStorageMetadata(Size((0,) * len(shape)), shape)]


def local_part(x: Any, index: MetadataIndex) -> Tensor:
    """The memory of one box of a tensor."""
    return x.__get_tensor_shard__(index) if is_sharded(x) else x


class LocalShards:
    """The boxes of a global tensor that one rank has.

    Args:
        shape: of the global tensor.
        shards: (offsets, tensor) of each box. The tensors are written as they are, and loaded into.
        dtype: where there are no shards to tell it.

    Example:
        >>> from lamella.core import arange
        >>> part = LocalShards.from_flat((2, 3), 2, arange(3))
        >>> [(tuple(c.offsets), tuple(c.sizes)) for c in part.__create_chunk_list__()]
        [((0, 2), (1, 1)), ((1, 0), (1, 2))]
    """

    requires_grad = False

    def __init__(self, shape: Sequence[int], shards: Iterable[tuple[Sequence[int], Tensor]], dtype: Any = None) -> None:
        self.shape = Size(tuple(shape))
        self.shards = [(Size(tuple(offsets)), t) for offsets, t in shards]
        if dtype is None:
            if not self.shards:
                raise ValueError(message("LocalShards", "without shards it needs a dtype"))
            dtype = self.shards[0][1].dtype
        self.dtype = dtype
        for box in self.__create_chunk_list__():
            if not inside(box, self.shape):
                raise ValueError(message("LocalShards", f"a shard lies outside of the tensor of {list(self.shape)}",
                                         {"offsets": list(box.offsets), "sizes": list(box.sizes)}))

    @classmethod
    def from_flat(cls, shape: Sequence[int], start: int, flat: Tensor) -> LocalShards:
        """Elements `start`, `start + 1`, ... of the flattened global tensor.

        Args:
            shape: of the global tensor.
            start: which of its elements, counted row by row, is the first.
            flat: the elements, in one dimension. The shards are views of it.
        """
        shards, at = [], 0
        for box in flat_boxes(shape, start, start + flat.numel()):
            n = volume(box)
            shards.append((box.offsets, flat[at : at + n].view(tuple(box.sizes))))
            at += n
        return cls(shape, shards, flat.dtype)

    def size(self) -> Size:
        """The global shape."""
        return self.shape

    def __create_chunk_list__(self) -> list[ChunkStorageMetadata]:
        return [ChunkStorageMetadata(offsets, t.shape) for offsets, t in self.shards]

    def __get_tensor_shard__(self, index: MetadataIndex) -> Tensor:
        if index.index is not None and index.index < len(self.shards):
            offsets, t = self.shards[index.index]
            if offsets == index.offset:
                return t
        for offsets, t in self.shards:
            if offsets == index.offset:
                return t
        raise ValueError(message("LocalShards", "no shard begins there", {"offset": index.offset}))

    def __repr__(self) -> str:
        parts = ", ".join(f"{list(o)}+{list(t.shape)}" for o, t in self.shards)
        return f"LocalShards({list(self.shape)}, {self.dtype.name}: {parts or 'nothing here'})"
