"""Plans: what each rank writes or reads, and the interfaces of what makes them."""

from __future__ import annotations

import abc
import io
from dataclasses import dataclass
from enum import Enum, auto
from math import prod
from typing import Any

from lamella.core import Size, Tensor

from .metadata import ChunkStorageMetadata, Metadata, MetadataIndex, StorageMeta, TensorProperties

__all__ = [
    "BytesIOWriteData",
    "LoadItemType",
    "LoadPlan",
    "LoadPlanner",
    "ReadItem",
    "SavePlan",
    "SavePlanner",
    "TensorWriteData",
    "WriteItem",
    "WriteItemType",
]


class WriteItemType(Enum):
    """What is written: a whole tensor, a chunk of one, or a value as bytes."""

    TENSOR = auto()
    SHARD = auto()
    BYTE_IO = auto()


class LoadItemType(Enum):
    """What is read: part of a tensor, or a value as bytes."""

    TENSOR = auto()
    BYTE_IO = auto()


@dataclass(frozen=True)
class BytesIOWriteData:
    """How long a value is."""

    nbytes: int


@dataclass(frozen=True)
class TensorWriteData:
    """Which chunk is written, of what tensor."""

    chunk: ChunkStorageMetadata
    properties: TensorProperties
    size: Size


@dataclass(frozen=True)
class WriteItem:
    """One thing to write."""

    index: MetadataIndex
    type: WriteItemType
    bytes_io_data: BytesIOWriteData | None = None
    tensor_data: TensorWriteData | None = None

    def tensor_storage_size(self) -> int | None:
        """Bytes of the chunk; None for a value."""
        if self.tensor_data is None:
            return None
        return prod(self.tensor_data.chunk.sizes) * self.tensor_data.properties.dtype.itemsize


@dataclass(frozen=True)
class ReadItem:
    """One box to read: from which chunk, where in it, into which box of this rank's, where in that."""

    type: LoadItemType
    dest_index: MetadataIndex
    dest_offsets: Size
    storage_index: MetadataIndex
    storage_offsets: Size
    lengths: Size


@dataclass(frozen=True)
class SavePlan:
    """What a rank writes."""

    items: list[WriteItem]
    storage_data: Any = None
    planner_data: Any = None
    usable: bool = True


@dataclass
class LoadPlan:
    """What a rank reads."""

    items: list[ReadItem]
    storage_data: Any = None
    planner_data: Any = None


class SavePlanner(abc.ABC):
    """Decides which rank writes what.

    `save` calls, in this order: `set_up_planner` and `create_local_plan` on all ranks, `create_global_plan` on one with
    the plans of all, `finish_plan` on all with what became of their plans, and `resolve_data` for each item that is
    written. `DefaultSavePlanner` is the one to derive from.
    """

    @abc.abstractmethod
    def set_up_planner(self, state_dict: dict[str, Any], storage_meta: StorageMeta | None = None,
                       is_coordinator: bool = False) -> None:
        """Take the state dict that is to be saved."""

    @abc.abstractmethod
    def create_local_plan(self) -> SavePlan:
        """Say what this rank could write."""

    @abc.abstractmethod
    def create_global_plan(self, all_plans: list[SavePlan]) -> tuple[list[SavePlan], Metadata]:
        """Say what each rank writes, and what the checkpoint holds."""

    @abc.abstractmethod
    def finish_plan(self, new_plan: SavePlan) -> SavePlan:
        """Take what became of this rank's plan."""

    @abc.abstractmethod
    def resolve_data(self, write_item: WriteItem) -> Tensor | io.BytesIO:
        """The tensor, or the value as bytes, of an item. It may be called more than once, and from any thread."""


class LoadPlanner(abc.ABC):
    """Decides which rank reads what.

    `load` calls, in this order: `set_up_planner` and `create_local_plan` on all ranks, `create_global_plan` on one with
    the plans of all, `finish_plan` on all, then `load_bytes` for each value, and `resolve_tensor` and `commit_tensor`
    for each box of a tensor. `DefaultLoadPlanner` is the one to derive from.
    """

    @abc.abstractmethod
    def set_up_planner(self, state_dict: dict[str, Any], metadata: Metadata | None = None,
                       is_coordinator: bool = False) -> None:
        """Take the state dict that is to be filled, and what the checkpoint holds."""

    @abc.abstractmethod
    def create_local_plan(self) -> LoadPlan:
        """Say what this rank reads."""

    @abc.abstractmethod
    def create_global_plan(self, global_plan: list[LoadPlan]) -> list[LoadPlan]:
        """Say what each rank reads, knowing all plans."""

    @abc.abstractmethod
    def finish_plan(self, central_plan: LoadPlan) -> LoadPlan:
        """Take what became of this rank's plan."""

    @abc.abstractmethod
    def load_bytes(self, read_item: ReadItem, value: io.BytesIO) -> None:
        """Put a value into the state dict."""

    def resolve_bytes(self, read_item: ReadItem) -> io.BytesIO:
        """Where a value's bytes go, for readers that ask."""
        return io.BytesIO()

    @abc.abstractmethod
    def resolve_tensor(self, read_item: ReadItem) -> Tensor:
        """The memory that a box is read into."""

    @abc.abstractmethod
    def commit_tensor(self, read_item: ReadItem, tensor: Tensor) -> None:
        """Take the memory that `resolve_tensor` gave, now that it is filled."""
