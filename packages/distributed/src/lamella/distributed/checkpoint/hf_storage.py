"""Checkpoints in the form of the Hugging Face hub: safetensors files of whole tensors, and an index of them.

Only tensors are in them. Ranks may also write their parts (``shard-...`` files, whose headers say where the parts
begin), which can be loaded as they are, or made whole at the end.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lamella.core import Size
from lamella.core.dtypes import from_numpy_dtype
from lamella.dispatch.errors import message

from ..work import Future
from .boxes import slices, volume
from .files import ArrayFile, host_array, replace_file, write_arrays
from .filesystem import FileSystemReader, FileSystemWriter, SerializationFormat
from .manifest import Place
from .metadata import (
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    StorageMeta,
    TensorProperties,
    TensorStorageMetadata,
)
from .planner import SavePlan, SavePlanner, WriteItem, WriteItemType
from .planner_helpers import refuse
from .storage import WriteResult, done

__all__ = ["HuggingFaceStorageReader", "HuggingFaceStorageWriter"]

INDEX = "model.safetensors.index.json"
SHARDING = "DCP_SHARDING_INFO"
OFFSETS = "saved_offsets"
SHARDED = "sharded"


def _file_name(index: int, last: int, shard: int | None = None) -> str:
    whole = f"model-{index:05d}-of-{last:05d}.safetensors"
    return whole if shard is None else f"shard-{shard:05d}-{whole}"


class HuggingFaceStorageWriter(FileSystemWriter):
    """Writes checkpoints in the form of the Hugging Face hub.

    Args:
        path: the folder.
        fqn_to_index_mapping: name -> number (from 1) of the file that a tensor goes to; one file where None.
        thread_count: ignored; files are written one after the other.
        save_distributed: each rank writes the parts that it has. Without it, tensors must be whole.
        enable_consolidation: with `save_distributed`: parts go to a folder ``sharded`` inside, and are made whole at
            the end, by one rank.
        thread_count_consolidation: threads that do that, each a file of its own.
    """

    def __init__(self, path: str | os.PathLike[str], fqn_to_index_mapping: dict[str, int] | None = None,
                 thread_count: int = 1, save_distributed: bool = False, enable_consolidation: bool = False,
                 thread_count_consolidation: int = 1) -> None:
        super().__init__(path, serialization_format=SerializationFormat.SAFETENSORS, thread_count=thread_count)
        self.fqn_to_index_mapping = fqn_to_index_mapping
        self.save_distributed = save_distributed
        self.enable_consolidation = enable_consolidation
        self.thread_count_consolidation = thread_count_consolidation
        self._into = self.path
        self.reset()

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """A new save begins, to this folder."""
        super().reset(checkpoint_id or self._into)
        self._into = self.path
        if self.enable_consolidation:
            self.path = self._into / SHARDED

    def _index(self, name: str) -> int:
        return 1 if self.fqn_to_index_mapping is None else self.fqn_to_index_mapping[name]

    def _last(self) -> int:
        return max(self.fqn_to_index_mapping.values()) if self.fqn_to_index_mapping else 1

    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        """Make the folder.

        Raises:
            ValueError: values that are no tensors, or tensors without a file; all are listed.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        names = [item.index.fqn for item in plan.items]
        wrong = [f"{i.index.fqn} is no tensor" for i in plan.items if i.type is WriteItemType.BYTE_IO]
        if self.fqn_to_index_mapping is not None:
            wrong += [f"{n} is not in fqn_to_index_mapping" for n in names if n not in self.fqn_to_index_mapping]
        if not self.save_distributed:
            wrong += [f"{i.index.fqn} is not whole (save_distributed=True writes parts)" for i in plan.items
                      if i.tensor_data is not None and i.tensor_data.chunk.sizes != i.tensor_data.size]
        if wrong:
            raise refuse("save", "the state dict does not fit this form", wrong)
        return replace(plan, storage_data=frozenset(names))

    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        """Give each plan its rank's number; whole tensors of one file to one rank."""
        if self.save_distributed:
            return [replace(p, storage_data=(i, len(plans))) for i, p in enumerate(plans)]
        by_file: dict[int, list[WriteItem]] = {}
        for item in (item for plan in plans for item in plan.items):
            by_file.setdefault(self._index(item.index.fqn), []).append(item)
        given: list[list[WriteItem]] = [[] for _ in plans]
        for index, items in by_file.items():
            names = {item.index.fqn for item in items}
            able = [rank for rank, plan in enumerate(plans) if names <= plan.storage_data]
            if not able:
                raise ValueError(message("save", f"no rank has all tensors of file {index}",
                                         hint="save_distributed=True lets each rank write what it has"))
            given[able[index % len(able)]] += items
        return [replace(p, items=items, storage_data=(i, len(plans)))
                for i, (p, items) in enumerate(zip(plans, given, strict=True))]

    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Future:
        """Write this rank's files."""
        rank, size = plan.storage_data
        files: dict[tuple[int, int | None], dict[str, WriteItem]] = {}
        seen: dict[str, int] = {}
        for item in plan.items:
            name = item.index.fqn
            part = seen[name] = seen.get(name, -1) + 1  # a file holds one part of a tensor
            shard = part * size + rank + 1 if self.save_distributed else None
            files.setdefault((self._index(name), shard), {})[name] = item
        results = []
        for (index, shard), items in files.items():
            file = _file_name(index, self._last(), shard)
            arrays: dict[str, np.ndarray] = {}
            for name, item in items.items():
                data: Any = planner.resolve_data(item)
                arrays[name] = host_array(data)
                results.append(WriteResult(item.index, arrays[name].nbytes, Place(file, name)))
            where = {name: {OFFSETS: list(item.index.offset or ())} for name, item in items.items()}
            text = {} if shard is None else {SHARDING: json.dumps(where)}
            _write(self.path / file, arrays, self.save_id, self.sync_files, **text)
        return done(results)

    def finish(self, metadata: Metadata, results: list[list[WriteResult]]) -> None:
        """Write the index; make tensors whole before, if that is wanted."""
        metadata.storage_data = {r.index: r.storage_data for part in results for r in part}
        metadata.storage_meta = self.storage_meta()
        if self.save_distributed and not self.enable_consolidation:
            return
        sizes = {n: int(np.prod(e.size)) * e.properties.dtype.itemsize for n, e in metadata.state_dict_metadata.items()
                 if isinstance(e, TensorStorageMetadata)}
        files = {n: _file_name(self._index(n), self._last()) for n in sizes}
        if self.save_distributed:
            self._make_whole(files)
        index = {"metadata": {"total_size": sum(sizes.values())}, "weight_map": files}
        replace_file(self._into / INDEX, json.dumps(index, indent=2).encode(), self.save_id, self.sync_files)

    def _make_whole(self, files: dict[str, str]) -> None:
        reader = HuggingFaceStorageReader(self.path)
        parts = reader.read_metadata()
        by_file: dict[str, list[str]] = {}
        for name, file in files.items():
            by_file.setdefault(file, []).append(name)

        @functools.cache
        def opened(file: str) -> ArrayFile:
            return ArrayFile(self.path / file)

        def one(file: str) -> None:
            arrays = {name: _whole(name, parts, opened) for name in by_file[file]}
            _write(self._into / file, arrays, self.save_id, self.sync_files)

        with ThreadPoolExecutor(self.thread_count_consolidation) as threads:
            list(threads.map(one, by_file))


def _write(path: Path, arrays: dict[str, np.ndarray], unique: str, sync: bool, **text: str) -> None:
    fresh = path.with_name(f"{path.name}.{unique}.tmp")
    write_arrays(fresh, arrays, sync, **text)
    os.replace(fresh, path)


def _whole(name: str, parts: Metadata, opened: Callable[[str], ArrayFile]) -> np.ndarray:
    """A tensor of parts."""
    entry: Any = parts.state_dict_metadata[name]
    made = np.empty(tuple(entry.size), entry.properties.dtype.np)
    for i, chunk in enumerate(entry.chunks):
        place = parts.storage_data[MetadataIndex(name, chunk.offsets, i)]
        made[slices(chunk)] = opened(place.file).array(place.key)
    return made


class HuggingFaceStorageReader(FileSystemReader):
    """Reads checkpoints in the form of the Hugging Face hub, of each file only what is wanted.

    Args:
        path: the folder; all its safetensors files are read.
        thread_count: ignored.

    Example:
        >>> import tempfile
        >>> from lamella.core import arange, zeros
        >>> from lamella.distributed.checkpoint import load, save
        >>> folder, into = tempfile.mkdtemp(), {"w": zeros(3)}
        >>> _ = save({"w": arange(3)}, storage_writer=HuggingFaceStorageWriter(folder), no_dist=True)
        >>> load(into, storage_reader=HuggingFaceStorageReader(folder), no_dist=True)
        >>> into["w"].tolist()
        [0.0, 1.0, 2.0]
    """

    def __init__(self, path: str | os.PathLike[str], thread_count: int = 1) -> None:
        super().__init__(path)
        self.thread_count = thread_count

    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        """What the files' headers say.

        Raises:
            FileNotFoundError: there are no such files.
        """
        contents: dict[str, Any] = {}
        places: dict[MetadataIndex, Place] = {}
        files = sorted(self.path.glob("*.safetensors")) if self.path.is_dir() else []
        if not files:
            raise FileNotFoundError(message("load", f"{self.path} has no safetensors files"))
        for path in files:
            _add(contents, places, path)
        self._lengths = {}
        return Metadata(contents, None, places, StorageMeta(checkpoint_id=self.path, load_id=self.load_id))


def _add(contents: dict[str, Any], places: dict[MetadataIndex, Place], path: Path) -> None:
    file = ArrayFile(path)
    where = json.loads(file.text(SHARDING) or "null")
    for key in file.keys():  # noqa: SIM118 - not a dict
        a = file.array(key)
        offsets = Size(where[key][OFFSETS] if where else [0] * a.ndim)
        chunk = ChunkStorageMetadata(offsets, Size(a.shape))
        reach = Size(o + n for o, n in zip(chunk.offsets, chunk.sizes, strict=True))
        entry = contents.setdefault(key, TensorStorageMetadata(TensorProperties(dtype=from_numpy_dtype(a.dtype)), reach,
                                                               []))
        both = Size(max(a, b) for a, b in zip(entry.size, reach, strict=True))
        if volume(chunk) or not entry.chunks:
            entry.chunks.append(chunk)
            entry.size = both
        places[MetadataIndex(key, offsets, len(entry.chunks) - 1)] = Place(path.name, key)
