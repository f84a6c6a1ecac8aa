"""The format from before torch 1.6: pickles one after the other, then the storages."""

from __future__ import annotations

import io
import os
import pickle
import struct
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .memory import Memory
from .names import StorageType
from .rebuild import StorageRef, session

MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001


def save(obj: Any, f: Any, pickle_module: Any, protocol: int) -> None:
    """Write an object in the old format.

    Args:
        obj, f, pickle_module, protocol: as for `serialization.save`, checked already.
    """
    from .writer import Blocks, pickled

    class OldBlocks(Blocks):
        def persistent_id(self, obj: Any) -> tuple[Any, ...] | None:
            found = super().persistent_id(obj)
            return None if found is None else (*found, None)

    blocks = OldBlocks()
    data = io.BytesIO()
    system = {
        "protocol_version": PROTOCOL_VERSION,
        "little_endian": sys.byteorder == "little",
        "type_sizes": {"short": 2, "int": 4, "long": 8},
    }
    for part in (MAGIC_NUMBER, PROTOCOL_VERSION, system):
        pickle_module.dump(part, data, protocol=protocol)
    pickled(obj, data, blocks, pickle_module, protocol)
    keys = sorted(blocks.memories)
    pickle_module.dump(keys, data, protocol=protocol)
    out = open(f, "wb") if isinstance(f, (str, os.PathLike)) else f  # noqa: SIM115 - closed below where opened
    try:
        out.write(data.getbuffer())
        for key in keys:
            raw = blocks.memories[key].raw()
            out.write(struct.pack("<q", len(raw) // blocks.itemsizes[key]))
            out.write(raw.data)
        out.flush()
    finally:
        if out is not f:
            out.close()


def _is_view(view: Any, numel: int) -> bool:
    fits = isinstance(view, tuple) and len(view) == 3 and isinstance(view[0], (str, int))
    return fits and all(isinstance(n, int) and n >= 0 for n in view[1:]) and view[1] + view[2] <= numel


class _Storages:
    """The storages of a file while it is read: mentioned first, filled at the end."""

    def __init__(self, restore: Callable[[Any, str], Any], size: int) -> None:
        self.restore = restore
        self.size = size  # of the file: no storage is larger
        self.blocks: dict[str, tuple[Memory, Memory, int]] = {}
        self.views: dict[str, Memory] = {}

    def persistent_load(self, pid: Any) -> Any:
        kind, *data = pid if isinstance(pid, tuple) and len(pid) > 1 else (None, None)
        if kind in ("module", b"module"):
            return data[0]
        if kind not in ("storage", b"storage"):
            raise pickle.UnpicklingError(message("load", "only storages are kept outside the pickle", [repr(pid)[:80]]))
        storage, key, location, numel, view = data if len(data) == 5 else (None,) * 5
        location = location.decode("ascii", "replace") if isinstance(location, bytes) else location
        if not (
            isinstance(storage, StorageType)
            and isinstance(key, (str, int))
            and isinstance(location, str)
            and isinstance(numel, int)
            and 0 <= numel * storage.dtype.itemsize <= self.size
            and (view is None or _is_view(view, numel))
        ):
            raise pickle.UnpicklingError(message("load", "a storage is described wrongly", [repr(pid)[:80]]))
        itemsize = storage.dtype.itemsize
        if key not in self.blocks:
            memory = Memory(np.zeros(numel * itemsize, np.uint8))
            placed = self.restore(memory, location)
            if placed.device.type not in ("cpu", "meta"):
                raise RuntimeError(
                    message("load", "this old format loads to the CPU only", {"device": placed.device},
                            hint="pass map_location='cpu', then move the tensors")
                )
            self.blocks[key] = (memory, placed, itemsize)
        memory = self.blocks[key][1]
        if view is not None:
            name, offset, length = view
            if name not in self.views:
                part = memory.raw()[offset * itemsize : (offset + length) * itemsize]
                self.views[name] = Memory(part, memory.device, length * itemsize)
            memory = self.views[name]
        return StorageRef(memory, storage)

    def fill(self, f: Any, keys: Any, swap: bool) -> None:
        """Read the bytes of all storages."""
        for key in keys if isinstance(keys, list) else [None]:
            if key not in self.blocks:
                raise RuntimeError(message("load", "the file holds a storage that nothing in it uses", [repr(key)]))
            memory, _, itemsize = self.blocks[key]
            header = f.read(8)
            count = struct.unpack("<q", header)[0] if len(header) == 8 else -1
            data = f.read(memory.nbytes()) if count * itemsize == memory.nbytes() else b""
            if len(data) != memory.nbytes() or count < 0:
                raise RuntimeError(
                    message("load", "the file ends within a storage, or is damaged", {"storage": key},
                            hint="copy the file once more, or save it again")
                )
            raw = memory.raw()
            raw[:] = np.frombuffer(data, np.uint8)
            if swap and itemsize > 1:
                raw.view(f"u{min(itemsize, 8)}").byteswap(inplace=True)


def read(f: Any, restore: Callable[[Any, str], Any], unpickle: Callable[[Any, Any], Any]) -> Any:
    """Read a file in the old format.

    Args:
        f: the file, at its start.
        restore: puts a storage on its device.
        unpickle: reads one pickle from the file, given a function for persistent ids.

    Raises:
        RuntimeError: the pickles are not those of such a file.
    """
    start = f.tell()
    storages = _Storages(restore, f.seek(0, os.SEEK_END) or f.tell())
    f.seek(start)
    if unpickle(f, None) != MAGIC_NUMBER:
        raise RuntimeError(
            message("load", "this is a pickle, but not one that save wrote (the magic number is missing)",
                    hint="pickle.load reads other pickles; a damaged file has to be saved again")
        )
    version = unpickle(f, None)
    if version != PROTOCOL_VERSION:
        raise RuntimeError(message("load", "the file has an unknown protocol version", [repr(version)]))
    system = unpickle(f, None)
    little = system.get("little_endian", True) if isinstance(system, dict) else True
    session.waiting, before = [], session.waiting
    try:
        made = unpickle(f, storages.persistent_load)
        storages.fill(f, unpickle(f, None), little != (sys.byteorder == "little"))
        for function, source, target in session.waiting:
            function(source, out=target)
    finally:
        session.waiting = before
    return made


