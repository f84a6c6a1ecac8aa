"""The zip file around a checkpoint.

A file holds `<name>/data.pkl` (the objects, with numbers in place of storages), `<name>/data/0`, `1`, ... (the bytes of
the storages, not compressed and aligned, so that they can be mapped) and a few one-line records about the format.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

ALIGNMENT = 64
_LOCAL_HEADER = 30
_ZIP64_EXTRA = 20
_PADDING_ID = 0x4246
_CHUNK = 1 << 24
# Above this zipfile adds the 64-bit fields to the local header by itself; the padding has to count them.
_ZIP64_FROM = int(zipfile.ZIP64_LIMIT / 1.05)  # type: ignore[attr-defined]


class _Forward:
    """A file object of which nothing but `write` and `flush` is asked: sockets and compressors cannot go back."""

    def __init__(self, file: Any) -> None:
        self.write = file.write
        self.flush = getattr(file, "flush", lambda: None)


class ArchiveWriter:
    """Writes the records of one file.

    Args:
        file: a path or an object with `write`.
    """

    def __init__(self, file: Any) -> None:
        is_path = isinstance(file, (str, os.PathLike))
        stem = os.path.basename(os.fspath(file)).partition(".")[0] if is_path else ""
        self.prefix = stem if stem and stem.isascii() else "archive"
        target: Any = file if is_path else _Forward(file)
        self.zip = zipfile.ZipFile(target, "w", zipfile.ZIP_STORED)

    def write(self, name: str, data: Any) -> None:
        """Add a record: bytes, or an array whose memory is written as it is."""
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")
        info = zipfile.ZipInfo(f"{self.prefix}/{name}")
        info.file_size = size = len(view)
        big = size > _ZIP64_FROM
        start = self.zip.start_dir + _LOCAL_HEADER + len(info.filename.encode()) + (_ZIP64_EXTRA if big else 0)
        padding = -(start + 4) % ALIGNMENT
        info.extra = struct.pack("<HH", _PADDING_ID, padding) + bytes(padding)
        with self.zip.open(info, "w", force_zip64=big) as record:
            for at in range(0, size, _CHUNK):
                record.write(view[at : at + _CHUNK])

    def close(self) -> None:
        """Write the directory that ends the file."""
        self.zip.close()


class ArchiveReader:
    """Reads the records of one file.

    Args:
        file: a file object that can seek.
        source: how errors name the file.

    Raises:
        RuntimeError: it is not a complete zip file, or not one that `save` writes.
    """

    def __init__(self, file: Any, source: str) -> None:
        self.source = source
        self.file = file
        try:
            self.zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, struct.error, NotImplementedError) as e:
            raise self._error(f"the zip file is damaged: {e}", "it may have been cut off while it was copied") from e
        self.names = {i.filename: i for i in self.zip.infolist()}
        pickles = [n for n in self.names if n.endswith("/data.pkl") and n.count("/") == 1]
        if not pickles:
            raise self._error("this zip file is no checkpoint: it has no data.pkl", "load reads what torch.save wrote")
        self.prefix = pickles[0].partition("/")[0]
        if self.has("constants.pkl"):
            raise self._error("this is a TorchScript archive, which holds code", "save a state_dict and load that")

    def _error(self, what: str, hint: str) -> RuntimeError:
        return RuntimeError(message("load", what, [self.source], hint=hint))

    def has(self, name: str) -> bool:
        """Whether there is a record of that name."""
        return f"{self.prefix}/{name}" in self.names

    def _info(self, name: str) -> zipfile.ZipInfo:
        info = self.names.get(f"{self.prefix}/{name}")
        if info is None:
            raise self._error(f"the file has no record {name}", "it may have been damaged; save it again")
        return info

    def _broken(self, name: str, e: object) -> RuntimeError:
        return self._error(f"the record {name} is damaged: {e}", "copy the file once more, or save it again")

    def read(self, name: str) -> bytes:
        """The bytes of a record."""
        info = self._info(name)
        if info.compress_type == zipfile.ZIP_STORED:
            return self.read_array(name, info.file_size).tobytes()
        try:
            return self.zip.read(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as e:
            raise self._broken(name, e) from e

    def offset(self, name: str) -> int:
        """Where the bytes of an uncompressed record start in the file."""
        info = self._info(name)
        if info.header_offset < 0:
            raise self._broken(name, "its place in the file is impossible")
        self.file.seek(info.header_offset)
        header = self.file.read(_LOCAL_HEADER)
        if len(header) != _LOCAL_HEADER or header[:4] != b"PK\x03\x04":
            raise self._broken(name, "its header is missing")
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        return info.header_offset + _LOCAL_HEADER + name_length + extra_length

    def read_array(self, name: str, nbytes: int, check: bool = True) -> np.ndarray:
        """The first bytes of a record as a new array.

        Args:
            name: the record.
            nbytes: how many bytes are wanted.
            check: compare the checksum (files written without any are taken as they are).

        Raises:
            RuntimeError: the record is shorter, or the checksum differs.
        """
        info = self._info(name)
        if info.file_size < nbytes:
            raise self._broken(name, f"{nbytes} bytes are expected and {info.file_size} are there")
        if info.compress_type != zipfile.ZIP_STORED:
            return np.frombuffer(bytearray(self.read(name)), np.uint8)[:nbytes]
        start = self.offset(name)
        self.file.seek(0, os.SEEK_END)
        if start + nbytes > self.file.tell():
            raise self._broken(name, "the file ends within it")
        self.file.seek(start)
        raw = np.empty(nbytes, np.uint8)
        view, at, crc = memoryview(raw.data), 0, 0
        while at < nbytes:
            part = view[at : at + _CHUNK]
            got = self.file.readinto(part) if hasattr(self.file, "readinto") else _read_into(self.file, part)
            if not got:
                raise self._broken(name, "the file ends within it")
            if check:
                crc = zlib.crc32(part[:got], crc)
            at += got
        if check and info.CRC and nbytes == info.file_size and crc != info.CRC:
            raise self._broken(name, "its checksum differs")
        return raw

    def mapped(self, name: str, nbytes: int, whole: np.ndarray) -> np.ndarray:
        """A record as part of a map of the whole file."""
        info = self._info(name)
        if info.compress_type != zipfile.ZIP_STORED or info.file_size < nbytes:
            raise self._broken(name, "it cannot be mapped")
        start = self.offset(name)
        return whole[start : start + nbytes]


def _read_into(file: Any, part: memoryview) -> int:
    data = file.read(len(part))
    part[: len(data)] = data
    return len(data)
