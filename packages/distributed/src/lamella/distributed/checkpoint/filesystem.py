"""Checkpoints in folders.

A save writes files with names of its own (``__<rank>_<number>_<save>.safetensors``), waits until they are on the disk,
and then gives ``.metadata``, the manifest, its new content at one stroke; what the old one named is removed after that.
Killed anywhere on the way, it leaves the checkpoint that was there before, whole. What killed saves left behind is
removed by the next one.
"""

from __future__ import annotations

import io
import os
import re
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..work import Future
from . import manifest, torch_format
from .default_planner import narrowed
from .files import ArrayFile, checksum, damaged, plain_array, remove_file, replace_file, tensor_of, write_arrays
from .manifest import Place
from .metadata import Metadata, MetadataIndex, StorageMeta, TensorStorageMetadata
from .planner import LoadItemType, LoadPlan, LoadPlanner, ReadItem, SavePlan, SavePlanner, WriteItem, WriteItemType
from .staging import BlockingAsyncStager
from .storage import StorageReader, StorageWriter, WriteResult, done
from .torch_format import TorchPlace

__all__ = ["FileSystemReader", "FileSystemWriter", "SerializationFormat"]

MANIFEST = ".metadata"
_OURS = re.compile(r"__(\d+)_\d+_[0-9a-f]{12}\.safetensors|(?:__\d+)?\.metadata\.[0-9a-f]{12}\.tmp")


class SerializationFormat(Enum):
    """The form of the files; here they are always safetensors."""

    TORCH_SAVE = "torch_save"
    SAFETENSORS = "safetensors"


class _Folder:
    """A place of checkpoints that is a folder."""

    path: Path

    @property
    def checkpoint_id(self) -> Path:
        """The folder."""
        return self.path

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Whether it is a folder's name (and no address)."""
        if isinstance(checkpoint_id, Path):
            return True
        text = os.fspath(checkpoint_id)
        return isinstance(text, str) and "://" not in text


class FileSystemWriter(_Folder, BlockingAsyncStager, StorageWriter):
    """Writes checkpoints into a folder that all ranks see.

    Args:
        path: the folder; it is made if it is not there.
        single_file_per_rank: one file per rank (and thread), else one per tensor.
        sync_files: wait until files are on the disk. Without it a checkpoint may be lost when the machine goes down,
            though not when a process is killed.
        thread_count: threads that write, each its own files.
        per_thread_copy_ahead: ignored.
        cache_staged_state_dict: for `async_save`: copy into the memory of the copy before.
        overwrite: take the place of a checkpoint that is there. The old one counts until the new one is complete.
        serialization_format: ignored; files are safetensors.

    Example:
        >>> import tempfile
        >>> FileSystemWriter(tempfile.mkdtemp()).checkpoint_id.name[:3]
        'tmp'
    """

    def __init__(self, path: str | os.PathLike[str], single_file_per_rank: bool = True, sync_files: bool = True,
                 thread_count: int = 1, per_thread_copy_ahead: int = 10_000_000, cache_staged_state_dict: bool = False,
                 overwrite: bool = True, _extensions: Any = None,
                 serialization_format: SerializationFormat = SerializationFormat.SAFETENSORS) -> None:
        super().__init__(cache_staged_state_dict=cache_staged_state_dict)
        if _extensions:
            raise ValueError(message("FileSystemWriter", "_extensions would change files that are read in parts"))
        if thread_count < 1:
            raise ValueError(message("FileSystemWriter", "thread_count must be at least 1", str(thread_count)))
        self.path = Path(path)
        self.single_file_per_rank = single_file_per_rank
        self.sync_files = sync_files
        self.thread_count = thread_count
        self.per_thread_copy_ahead = per_thread_copy_ahead
        self.overwrite = overwrite
        self.serialization_format = serialization_format
        self.rank: int | None = None
        self.use_collectives = True
        self.save_id = _unique()
        self._written: list[Path] = []

    def storage_meta(self) -> StorageMeta:
        """Which checkpoint is written."""
        return StorageMeta(checkpoint_id=self.path, save_id=self.save_id)

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """A new save begins, to this folder."""
        if checkpoint_id:
            self.path = Path(checkpoint_id)
        self.save_id = _unique()
        self._written = []

    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Hear which rank this is, and whether one manifest is written or one per rank."""
        self.rank = kwargs.get("rank")
        self.use_collectives = kwargs.get("use_collectives", True)

    def _manifest_path(self) -> Path:
        own = not self.use_collectives and self.rank is not None
        return self.path / (f"__{self.rank}{MANIFEST}" if own else MANIFEST)

    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        """Make the folder."""
        self.path.mkdir(parents=True, exist_ok=True)
        if not self.overwrite and self._manifest_path().exists():
            raise RuntimeError(message("save", f"Checkpoint already exists in {self.path} and overwrite is False"))
        return plan if self.use_collectives else replace(plan, storage_data=self.rank or 0)

    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        """Give each plan its rank's number, which is in the names of its files."""
        return [p if p.storage_data is not None else replace(p, storage_data=i) for i, p in enumerate(plans)]

    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Future:
        """Write this rank's files."""
        parts = list(self._parts(plan.items))
        results: list[list[WriteResult]] = [[] for _ in parts]
        errors: list[BaseException] = []

        def work(numbers: range) -> None:
            try:
                for i in numbers:
                    path = self.path / f"__{plan.storage_data}_{i}_{self.save_id}.safetensors"
                    results[i] = self._write_file(path, parts[i], planner)
            except BaseException as e:
                errors.append(e)

        threads = [threading.Thread(target=work, args=(range(t, len(parts), self.thread_count),))
                   for t in range(1, min(self.thread_count, len(parts)))]
        for t in threads:
            t.start()
        work(range(0, len(parts), self.thread_count))
        for t in threads:
            t.join()
        if errors:
            self.discard()
            raise errors[0]
        return done([r for part in results for r in part])

    def _parts(self, items: list[WriteItem]) -> Iterator[list[WriteItem]]:
        """The items of each file: values in the first, tensors so that all files have about the same size."""
        if not self.single_file_per_rank:
            yield from ([item] for item in items)
            return
        bins: list[list[WriteItem]] = [[] for _ in range(self.thread_count)]
        load = [0] * self.thread_count
        for item in sorted(items, key=lambda i: -(i.tensor_storage_size() or 0)):
            i = load.index(min(load)) if item.type is not WriteItemType.BYTE_IO else 0
            bins[i].append(item)
            load[i] += item.tensor_storage_size() or 0
        yield from (b for b in bins if b)

    def _write_file(self, path: Path, items: list[WriteItem], planner: SavePlanner) -> list[WriteResult]:
        arrays: dict[str, np.ndarray] = {}
        results = []
        for item in items:
            data: Any = planner.resolve_data(item)
            if item.type is WriteItemType.BYTE_IO:
                raw = data.getvalue()
                place = manifest.inline(raw)
                if place is not None:
                    results.append(WriteResult(item.index, len(raw), place))
                    continue
                a = np.frombuffer(raw, np.uint8)
            else:
                a = plain_array(data)
            key = _key(item.index, arrays)
            arrays[key] = a
            results.append(WriteResult(item.index, a.nbytes, Place(path.name, key, checksum(a))))
        if arrays:
            self._written.append(path)
            write_arrays(path, arrays, self.sync_files)
            size = path.stat().st_size
            results = [replace(r, storage_data=replace(r.storage_data, nbytes=size)) for r in results]
        return results

    def discard(self) -> None:
        """Remove what this rank has written, after a save that failed."""
        for path in self._written:
            remove_file(path)
        self._written = []

    def finish(self, metadata: Metadata, results: list[list[WriteResult]]) -> None:
        """Write the manifest, and remove what it does not name."""
        metadata.version = manifest.VERSION
        metadata.storage_data = {r.index: r.storage_data for part in results for r in part}
        metadata.storage_meta = self.storage_meta()
        files = {p.file for p in metadata.storage_data.values()}
        text = manifest.to_json(metadata, len(results))
        replace_file(self._manifest_path(), text, self.save_id, self.sync_files)
        self._written = []
        for name in os.listdir(self.path):
            found = _OURS.fullmatch(name)
            mine = self.use_collectives or (found and found[1] == str(self.rank))
            if found and mine and name not in files:
                remove_file(self.path / name)


def _unique() -> str:
    return uuid.uuid4().hex[:12]


def _key(index: MetadataIndex, taken: dict[str, Any]) -> str:
    """The name of a chunk in its file: the tensor's, and where the chunk begins if not at 0."""
    key = index.fqn if not index.offset or not any(index.offset) else f"{index.fqn}@{','.join(map(str, index.offset))}"
    while key in taken or key == "__metadata__":
        key += "'"
    return key


class FileSystemReader(_Folder, StorageReader):
    """Reads checkpoints from a folder, of each file only what is wanted. Those that torch wrote are read too.

    Args:
        path: the folder.

    Example:
        >>> import tempfile
        >>> try:
        ...     FileSystemReader(tempfile.gettempdir() + "/none").read_metadata()
        ... except FileNotFoundError as e:
        ...     print("no checkpoint" in str(e))
        True
    """

    def __init__(self, path: str | os.PathLike[str], _extension_registry: Any = None) -> None:
        self.path = Path(path)
        self.load_id = _unique()
        self.storage_data: dict[MetadataIndex, Place | TorchPlace] = {}
        self.metadata: Metadata | None = None
        self._lengths: dict[str, int] = {}

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """A new load begins, from this folder."""
        if checkpoint_id:
            self.path = Path(checkpoint_id)
        self.load_id = _unique()
        self.storage_data = {}

    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        """The manifest.

        Args:
            rank: whose, where each rank has its own.

        Raises:
            FileNotFoundError: there is no checkpoint, or only what a killed save left.
            RuntimeError: the manifest is damaged.
        """
        rank = kwargs.get("rank")
        path = self.path / (MANIFEST if rank is None else f"__{rank}{MANIFEST}")
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError(self._absent(path)) from None
        if data.startswith(torch_format.START):
            metadata, self._lengths = torch_format.metadata_of(data, path), {}
        else:
            metadata, self._lengths = manifest.from_json(data, path)
        assert metadata.storage_meta is not None
        metadata.storage_meta.checkpoint_id = self.path
        metadata.storage_meta.load_id = self.load_id
        return metadata

    def _absent(self, path: Path) -> str:
        found = os.listdir(self.path) if self.path.is_dir() else None
        if found is None:
            why = "there is no such folder"
        elif any(_OURS.fullmatch(n) for n in found):
            why = "a save to it did not finish"
        else:
            why = f"it has no {path.name}"
        return message("load", f"{self.path} holds no checkpoint: {why}")

    def set_up_storage_reader(self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Hear what the checkpoint holds."""
        self.metadata = metadata
        self.storage_data = metadata.storage_data or {}

    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """The plan as it is."""
        return plan

    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        """The plans as they are."""
        return plans

    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Future:
        """Read this rank's boxes and values, file by file."""
        by_file: dict[str, list[ReadItem]] = {}
        for item in plan.items:
            by_file.setdefault(self.storage_data[item.storage_index].file, []).append(item)
        for name, items in by_file.items():
            by_torch = isinstance(self.storage_data[items[0].storage_index], TorchPlace)
            file = ArrayFile(self.path / name, self._lengths.get(name)) if name and not by_torch else None
            for item in items:
                place = self.storage_data[item.storage_index]
                if isinstance(place, TorchPlace):
                    self._read_of_torch(place, item, planner)
                elif item.type is LoadItemType.BYTE_IO:
                    raw = place.text.encode() if place.text is not None else _checked(file, place).tobytes()
                    planner.load_bytes(item, io.BytesIO(raw))
                else:
                    self._read_box(file, place, item, planner)
        return done(None)

    def _read_of_torch(self, place: TorchPlace, item: ReadItem, planner: LoadPlanner) -> None:
        if item.type is LoadItemType.BYTE_IO:
            planner.load_bytes(item, io.BytesIO(torch_format.read_archive(self.path, place)))
        else:
            _copy(torch_format.read_tensor(self.path, place), item, planner)

    def _read_box(self, file: Any, place: Place, item: ReadItem, planner: LoadPlanner) -> None:
        assert self.metadata is not None
        entry = self.metadata.state_dict_metadata[item.storage_index.fqn]
        assert isinstance(entry, TensorStorageMetadata)
        sizes = _sizes(entry, item.storage_index)
        whole = item.lengths == sizes
        a = _checked(file, place) if whole else file.array(place.key)
        saved = tensor_of(a, entry.properties.dtype, file.path, place.key)
        if saved.shape != sizes:
            raise damaged(file.path, f"{place.key!r} is {list(saved.shape)}, not {list(sizes)}")
        _copy(saved, item, planner)


def _copy(saved: Any, item: ReadItem, planner: LoadPlanner) -> None:
    """Fill the memory that the planner gives with a box of a chunk."""
    target = planner.resolve_tensor(item).detach()
    target.copy_(narrowed(saved, item.storage_offsets, item.lengths))
    planner.commit_tensor(item, target)


def _sizes(entry: TensorStorageMetadata, index: MetadataIndex) -> Any:
    if index.index is not None and entry.chunks[index.index].offsets == index.offset:
        return entry.chunks[index.index].sizes
    return next(c.sizes for c in entry.chunks if c.offsets == index.offset)


def _checked(file: Any, place: Place) -> np.ndarray:
    """A whole array whose checksum is right."""
    a = file.array(place.key)
    if place.crc32 is not None and checksum(a) != place.crc32:
        raise damaged(file.path, f"the checksum of {place.key!r} is wrong")
    return a
