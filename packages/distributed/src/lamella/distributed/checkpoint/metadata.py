"""What a checkpoint holds: each tensor's shape, type and chunks, the other values, and where everything lies."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lamella.core import Size, Tensor
from lamella.core.dtypes import dtype, get_default_dtype
from lamella.core.layouts import contiguous_format, layout, memory_format, strided

__all__ = [
    "BytesStorageMetadata",
    "ChunkStorageMetadata",
    "Metadata",
    "MetadataIndex",
    "StorageMeta",
    "TensorProperties",
    "TensorStorageMetadata",
]


@dataclass
class ChunkStorageMetadata:
    """A box of a tensor: where it begins and how long it is in each dimension."""

    offsets: Size
    sizes: Size


@dataclass
class TensorProperties:
    """What a tensor is besides its shape."""

    dtype: dtype = field(default_factory=get_default_dtype)
    layout: layout = strided
    requires_grad: bool = False
    memory_format: memory_format = contiguous_format
    pin_memory: bool = False

    @staticmethod
    def create_from_tensor(tensor: Tensor) -> TensorProperties:
        """The properties of a tensor."""
        return TensorProperties(dtype=tensor.dtype, requires_grad=bool(tensor.requires_grad))


@dataclass
class TensorStorageMetadata:
    """A whole tensor, and the chunks that it is stored in."""

    properties: TensorProperties
    size: Size
    chunks: list[ChunkStorageMetadata]


@dataclass
class BytesStorageMetadata:
    """A value that is no tensor."""


STORAGE_TYPES = TensorStorageMetadata | BytesStorageMetadata
STATE_DICT_TYPE = dict[str, Any]


@dataclass
class StorageMeta:
    """Which checkpoint it is."""

    checkpoint_id: str | os.PathLike[str] | None = None
    save_id: str | None = None
    load_id: str | None = None
    modules: list[str] = field(default_factory=list)


@dataclass
class Metadata:
    """A checkpoint's table of contents.

    Attributes:
        state_dict_metadata: by name (the path in the state dict, joined by dots), what is stored.
        planner_data: by name, the path itself.
        storage_data: by `MetadataIndex`, where the chunk or value lies.
        storage_meta: which checkpoint it is.
        version: of the format.
    """

    state_dict_metadata: dict[str, TensorStorageMetadata | BytesStorageMetadata]
    planner_data: Any = None
    storage_data: Any = None
    storage_meta: StorageMeta | None = None
    version: str | None = None


@dataclass(frozen=True)
class MetadataIndex:
    """The key of one chunk or value.

    Attributes:
        fqn: the name.
        offset: where the chunk begins; None for a value.
        index: the chunk's place in the list of chunks, a hint that does not count when keys are compared.
    """

    fqn: str
    offset: Size | None = None
    index: int | None = field(hash=False, compare=False, default=None)

    def __init__(self, fqn: str, offset: Iterable[int] | None = None, index: int | None = None) -> None:
        object.__setattr__(self, "fqn", fqn)
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "offset", None if offset is None else Size(tuple(offset)))
