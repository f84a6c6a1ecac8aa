"""Files of chunks: safetensors, written so that they are on the disk, read in parts through a map of the memory.

Complex tensors are written as real ones with a last dimension of 2, since the format does not have all of them. Values
that are not in the manifest are written as their bytes (U8).
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import zlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import safetensors

from lamella.core import Tensor, from_numpy
from lamella.core.dtypes import BY_NAME, dtype
from lamella.dispatch.errors import message

#: The format's names of types.
NAMES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
    "U64": "uint64", "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64",
    "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz", "F8_E8M0": "float8_e8m0fnu", "C64": "complex64",
}


# -- writing ---------------------------------------------------------------------------------------------------------


def host_array(t: Tensor) -> np.ndarray:
    """A tensor's elements in the CPU's memory, row by row."""
    return np.ascontiguousarray(t.detach().cpu()._a).reshape(tuple(t.shape))


def plain_array(t: Tensor) -> np.ndarray:
    """A tensor's elements in the CPU's memory, row by row, complex ones as pairs."""
    a = host_array(t)
    return a.view(a.real.dtype).reshape(*a.shape, 2) if a.dtype.kind == "c" else a


def checksum(a: np.ndarray) -> int:
    """The CRC-32 of an array's bytes."""
    row: Any = a.reshape(-1).view(np.uint8)
    return zlib.crc32(row) if a.size else 0


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], sync: bool = True, **text: str) -> None:
    """Write a file of arrays (and text in its header), and wait until it is on the disk."""
    if hasattr(safetensors, "TensorSpec"):
        specs: dict[str, Any] = {
            name: safetensors.TensorSpec(dtype=a.dtype.name, shape=list(a.shape), data_len=a.nbytes,
                                         data_ptr=a.__array_interface__["data"][0] if a.size else 0)
            for name, a in arrays.items()
        }
    else:  # before 0.8
        specs = {n: {"dtype": a.dtype.name, "shape": a.shape, "data": a.tobytes()} for n, a in arrays.items()}
    safetensors.serialize_file(specs, str(path), metadata={"format": "pt", **text})
    if sync:
        sync_file(path)


def sync_file(path: Path) -> None:
    """Wait until a file (or a folder's table of files) is on the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_folder(path: Path) -> None:
    """Wait until a folder's table of files is on the disk, where the system can tell."""
    if os.name == "posix":
        sync_file(path)


def replace_file(path: Path, data: bytes, unique: str, sync: bool = True) -> None:
    """Give a file a new content at one stroke: who opens it sees the old one or the new one, whole."""
    fresh = path.with_name(f"{path.name}.{unique}.tmp")
    with open(fresh, "wb") as f:
        f.write(data)
        if sync:
            f.flush()
            os.fsync(f.fileno())
    try:
        os.replace(fresh, path)
    except OSError:
        remove_file(fresh)
        raise
    if sync:
        sync_folder(path.parent)


def remove_file(path: Path) -> None:
    """Remove a file if it is there and may be removed."""
    with contextlib.suppress(OSError):
        path.unlink()


# -- reading ---------------------------------------------------------------------------------------------------------


def damaged(path: Path, what: str) -> RuntimeError:
    """An error that names a file."""
    return RuntimeError(message("load", f"the file {path} is damaged: {what}"))


def absent(path: Path) -> FileNotFoundError:
    """An error that names a file."""
    return FileNotFoundError(message("load", f"the checkpoint's file {path} is not there"))


class ArrayFile:
    """A file of arrays, of which parts are read.

    Args:
        path: the file.
        nbytes: how long it should be; None where nobody knows.

    Raises:
        FileNotFoundError, RuntimeError: it is not there, or not what it should be; the text names it.
    """

    def __init__(self, path: Path, nbytes: int | None = None) -> None:
        self.path = path
        try:
            with open(path, "rb") as f:
                there = os.fstat(f.fileno()).st_size
                if nbytes is not None and there != nbytes:
                    raise damaged(path, f"it has {there} bytes, not the {nbytes} that were written")
                if there < 8:
                    raise damaged(path, "it has no header")
                self._map = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_COPY)
        except FileNotFoundError:
            raise absent(path) from None
        length = int.from_bytes(self._map[:8], "little")
        if length > there - 8:
            raise damaged(path, "its header does not end")
        self._start = 8 + length
        try:
            self._entries = json.loads(self._map[8 : self._start])
            if not isinstance(self._entries, dict):
                raise ValueError("no object")
        except ValueError:
            raise damaged(path, "its header is no JSON") from None

    def keys(self) -> list[str]:
        """The arrays' names."""
        return [key for key in self._entries if key != "__metadata__"]

    def text(self, key: str) -> str | None:
        """Text in the header."""
        return self._entries.get("__metadata__", {}).get(key)

    def array(self, key: str) -> np.ndarray:
        """One array, without copying; who writes to it changes no file."""
        try:
            entry = self._entries[key]
            kind = BY_NAME[NAMES[entry["dtype"]]].np
            shape = tuple(entry["shape"])
            begin, end = (self._start + at for at in entry["data_offsets"])
            if end - begin != prod(shape) * kind.itemsize or not self._start <= begin <= end <= len(self._map):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise damaged(self.path, f"there is no {key!r} in it, or not as it should be") from None
        return np.frombuffer(self._map, kind, prod(shape), begin).reshape(shape) if prod(shape) else np.empty(
            shape, kind)


def tensor_of(a: np.ndarray, d: dtype, path: Path, key: str) -> Tensor:
    """The tensor that `plain_array` was given."""
    if d.is_complex and a.dtype.kind == "f" and a.ndim and a.shape[-1] == 2:
        a = a.view(d.np)[..., 0] if a.size else np.empty(a.shape[:-1], d.np)
    if a.dtype != d.np:
        raise damaged(path, f"{key!r} is {a.dtype}, not {d.name}")
    return from_numpy(a)
