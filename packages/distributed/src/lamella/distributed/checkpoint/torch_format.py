"""Checkpoints that torch wrote: a pickled table of contents, and files of archives one behind the other."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from lamella.core import Size, Tensor
from lamella.core.dtypes import BY_NAME, dtype
from lamella.core.layouts import LAYOUTS
from lamella.dispatch.errors import message

from .files import absent, damaged
from .metadata import (
    BytesStorageMetadata,
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    StorageMeta,
    TensorProperties,
    TensorStorageMetadata,
)

#: How such a table of contents begins.
START = b"\x80"


@dataclass
class TorchPlace:
    """Where a chunk or value lies: an archive in a file."""

    relative_path: str
    offset: int
    length: int
    transform_descriptors: Any = None

    @property
    def file(self) -> str:
        """The file's name."""
        return self.relative_path


class _Properties(TensorProperties):
    """TensorProperties as torch pickles them."""

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(TensorProperties(dtype=state[0], requires_grad=bool(state[2])).__dict__)


_HOME = "torch.distributed.checkpoint."
_KNOWN: dict[str, Any] = {
    "torch.Size": Size,
    "torch.serialization._get_layout": lambda name: LAYOUTS[name.removeprefix("torch.")],
    "pathlib.PosixPath": PurePosixPath,
    "pathlib.WindowsPath": lambda *parts: "/".join(parts),
    "pathlib._local.PosixPath": PurePosixPath,
    _HOME + "metadata._MEM_FORMAT_ENCODING": int,
    _HOME + "metadata.TensorProperties": _Properties,
    _HOME + "filesystem._StorageInfo": TorchPlace,
    **{f"{_HOME}metadata.{c.__name__}": c for c in (
        BytesStorageMetadata, ChunkStorageMetadata, Metadata, MetadataIndex, StorageMeta, TensorStorageMetadata)},
}


class _Reader(pickle.Unpickler):
    """Makes only what a table of contents consists of."""

    def find_class(self, module: str, name: str) -> Any:
        """The class or function of a name that may stand there."""
        found = _KNOWN.get(f"{module}.{name}")
        if found is None and module == "torch":
            found = BY_NAME.get(name)
        if found is None:
            raise pickle.UnpicklingError(message("load", "a checkpoint's table of contents has no business with this",
                                                 f"{module}.{name}"))
        return found


def metadata_of(data: bytes, where: Path) -> Metadata:
    """What a table of contents says.

    Raises:
        RuntimeError: it is damaged; the text names the file.
    """
    try:
        found = _Reader(io.BytesIO(data)).load()
    except pickle.UnpicklingError as e:
        raise RuntimeError(f"{e} (in {where})") from None
    except Exception as e:
        raise damaged(where, f"{type(e).__name__}: {e}") from None
    if not isinstance(found, Metadata):
        raise damaged(where, f"it holds a {type(found).__name__}")
    for entry in found.state_dict_metadata.values():
        if isinstance(entry, TensorStorageMetadata) and not isinstance(entry.properties.dtype, dtype):
            raise damaged(where, "a tensor has no type")
    found.storage_meta = StorageMeta()
    return found


def read_archive(folder: Path, place: TorchPlace) -> bytes:
    """The bytes of a chunk or value."""
    path = folder / place.relative_path
    if place.transform_descriptors:
        raise RuntimeError(message("load", f"{path} was written through extensions, which are not here",
                                   str(list(place.transform_descriptors))))
    try:
        with open(path, "rb") as f:
            f.seek(place.offset)
            data = f.read(place.length)
    except FileNotFoundError:
        raise absent(path) from None
    if len(data) != place.length:
        raise damaged(path, f"it ends before byte {place.offset + place.length}")
    return data


def read_tensor(folder: Path, place: TorchPlace) -> Tensor:
    """The tensor of a chunk."""
    from lamella.core.serialization import load

    data = read_archive(folder, place)
    try:
        found = load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as e:
        raise damaged(folder / place.relative_path, f"{type(e).__name__}: {e}") from None
    if not isinstance(found, Tensor):
        raise damaged(folder / place.relative_path, f"there is a {type(found).__name__} where a tensor should be")
    return found
