"""The manifest: a checkpoint's table of contents as JSON, in the file ``.metadata``.

    {"format": "lamella.distributed.checkpoint", "version": "1", "world_size": 2, "save_id": "...",
     "files": {"__0_0_ab12.safetensors": 4096, ...},
     "entries": {
       "model.weight": {"path": ["model", "weight"], "shape": [4, 3], "dtype": "float32", "chunks": [
           {"offsets": [0, 0], "sizes": [2, 3], "file": "...", "key": "model.weight", "crc32": 123}, ...]},
       "step": {"path": ["step"], "value": 3},
       "other": {"path": ["other"], "file": "...", "key": "other", "crc32": 123}}}

``files`` has each file's length in bytes. ``value`` is a value as `values.encode` tells it; larger ones lie in a file.
In paths, strings are keys of dicts and numbers are places in lists; a key that is no string is ``{"key": ...}``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from lamella.core import Size
from lamella.core.dtypes import BY_NAME
from lamella.dispatch.errors import message

from . import values
from .metadata import (
    BytesStorageMetadata,
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    StorageMeta,
    TensorProperties,
    TensorStorageMetadata,
)
from .nested import Key, Path

FORMAT = "lamella.distributed.checkpoint"
VERSION = "1"
#: Values whose text is longer lie in files.
INLINE = 1 << 16


@dataclass(frozen=True)
class Place:
    """Where a chunk or value lies: in a file (of so many bytes) under a key, or as text in the manifest itself."""

    file: str = ""
    key: str = ""
    crc32: int | None = None
    text: str | None = None
    nbytes: int = 0


def inline(data: bytes) -> Place | None:
    """A value's place in the manifest, if it may stand there."""
    if len(data) > INLINE or data.startswith(b"PK"):
        return None
    try:
        text = data.decode()
        return Place(text=text) if values.to_text(json.loads(text)) == text else None
    except ValueError:
        return None


def to_json(metadata: Metadata, world_size: int) -> bytes:
    """The manifest's text."""
    files = {p.file: p.nbytes for p in metadata.storage_data.values() if p.file}
    entries = {name: _entry(name, entry, metadata) for name, entry in metadata.state_dict_metadata.items()}
    meta = metadata.storage_meta
    head = {"format": FORMAT, "version": VERSION, "world_size": world_size, "save_id": meta.save_id if meta else None,
            "files": dict(sorted(files.items()))}
    lines = [f"{json.dumps(name)}:{values.to_text(entry)}" for name, entry in entries.items()]
    body = ",\n".join(lines)
    return (values.to_text(head)[:-1] + ',\n"entries":{\n' + body + "\n}}\n").encode()


def _entry(name: str, entry: Any, metadata: Metadata) -> dict[str, Any]:
    paths = metadata.planner_data or {}
    told: dict[str, Any] = {"path": [_key_out(k) for k in paths[name]]} if name in paths else {}
    if isinstance(entry, BytesStorageMetadata):
        place = metadata.storage_data[MetadataIndex(name)]
        if place.text is not None:
            return {**told, "value": json.loads(place.text)}
        return {**told, **_place_out(place)}
    chunks = [{"offsets": list(c.offsets), "sizes": list(c.sizes),
               **_place_out(metadata.storage_data[MetadataIndex(name, c.offsets)])} for c in entry.chunks]
    return {**told, "shape": list(entry.size), "dtype": entry.properties.dtype.name, "chunks": chunks}


def _place_out(place: Place) -> dict[str, Any]:
    return {"file": place.file, "key": place.key, "crc32": place.crc32}


def _key_out(key: Any) -> Any:
    if type(key) is not Key:
        return key
    try:
        return {"key": values.encode(key.value)}
    except values.NotPlain:
        raise TypeError(message("save", f"a dict's key is a {type(key.value).__name__}, which the manifest can't hold",
                                hint="keys may be strings, numbers, and tuples of them")) from None


def from_json(data: bytes, where: Any) -> tuple[Metadata, dict[str, int]]:
    """What a manifest says, and the files' lengths.

    Raises:
        RuntimeError: it is none, or damaged; the text names the file.
    """
    try:
        told = json.loads(data)
        if told["format"] != FORMAT:
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise RuntimeError(message("load", f"the file {where} is damaged, or no manifest of a checkpoint")) from None
    if told.get("version") != VERSION:
        raise RuntimeError(message("load", f"the checkpoint's format is of version {told.get('version')}, "
                                   f"known here is {VERSION}", str(where)))
    contents: dict[str, Any] = {}
    paths: dict[str, Path] = {}
    places: dict[MetadataIndex, Place] = {}
    try:
        for name, entry in told["entries"].items():
            contents[name] = _read_entry(name, entry, places)
            if "path" in entry:
                paths[name] = tuple(Key(values.decode(k["key"])) if isinstance(k, dict) else k for k in entry["path"])
        meta = StorageMeta(save_id=told.get("save_id"))
        return Metadata(contents, paths or None, places, meta, VERSION), dict(told["files"])
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise RuntimeError(message("load", f"the file {where} is damaged: {type(e).__name__}: {e}")) from None


def _read_entry(name: str, entry: dict[str, Any], places: dict[MetadataIndex, Place]) -> Any:
    if "shape" not in entry:
        text = values.to_text(entry["value"]) if "value" in entry else None
        places[MetadataIndex(name)] = Place(text=text) if text is not None else _place_in(entry)
        return BytesStorageMetadata()
    chunks = []
    for i, c in enumerate(entry["chunks"]):
        chunks.append(ChunkStorageMetadata(Size(tuple(c["offsets"])), Size(tuple(c["sizes"]))))
        places[MetadataIndex(name, c["offsets"], i)] = _place_in(c)
    properties = TensorProperties(dtype=BY_NAME[entry["dtype"]])
    return TensorStorageMetadata(properties, Size(tuple(entry["shape"])), chunks)


def _place_in(told: dict[str, Any]) -> Place:
    return Place(told["file"], told["key"], told["crc32"])
