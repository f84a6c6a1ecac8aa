"""Settings of `save` and `load` that torch has as functions."""

from __future__ import annotations

import mmap as _mmap
import sys
import threading
from enum import Enum
from typing import Any

from lamella.dispatch.errors import message

MAP_PRIVATE = getattr(_mmap, "MAP_PRIVATE", None)  # Windows has neither
MAP_SHARED = getattr(_mmap, "MAP_SHARED", None)


class LoadEndianness(Enum):
    """The byte order of files that do not state it."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


class _Options:
    endianness: LoadEndianness | None = None
    crc32 = True
    mmap_flags: Any = MAP_PRIVATE


class _Local(threading.local):
    skip_data = False


options = _Options()
local = _Local()


def get_default_load_endianness() -> LoadEndianness | None:
    """The byte order assumed for files that do not state it; None means little."""
    return options.endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Choose the byte order assumed for files that do not state it.

    Args:
        endianness: a `LoadEndianness`, or None for little.

    Raises:
        TypeError: it is neither.
    """
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError(
            message("set_default_load_endianness", "a LoadEndianness or None is expected", [repr(endianness)])
        )
    options.endianness = endianness


def default_byteorder() -> str:
    """What the setting means on this machine: "little" or "big"."""
    if options.endianness is LoadEndianness.NATIVE:
        return sys.byteorder
    return "big" if options.endianness is LoadEndianness.BIG else "little"


def get_crc32_options() -> bool:
    """Whether checksums are compared when storages are read."""
    return options.crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Choose whether `load` compares the checksum of each storage it reads.

    Args:
        compute_crc32: False saves the time. Files always get checksums.
    """
    options.crc32 = bool(compute_crc32)


def get_default_mmap_options() -> Any:
    """How `load(mmap=True)` maps files: `mmap.MAP_PRIVATE` unless it was changed."""
    return options.mmap_flags


class set_default_mmap_options:  # noqa: N801 - torch's name
    """Choose how `load(mmap=True)` maps files, from now on or for the length of a `with` block.

    Args:
        flags: `mmap.MAP_PRIVATE` (writes stay in memory) or `mmap.MAP_SHARED` (writes go to the file).

    Raises:
        ValueError: other flags.
        RuntimeError: on Windows, which has neither.
    """

    def __init__(self, flags: int) -> None:
        if MAP_SHARED is None:
            raise RuntimeError(message("set_default_mmap_options", "this system has no choice of mapping"))
        if flags not in (MAP_PRIVATE, MAP_SHARED):
            raise ValueError(
                message("set_default_mmap_options", "mmap.MAP_PRIVATE or mmap.MAP_SHARED is expected", [flags])
            )
        self._before = options.mmap_flags
        options.mmap_flags = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        options.mmap_flags = self._before


class skip_data:  # noqa: N801 - torch's name
    """Within the block `save` leaves the storages' bytes zero and `load` does not read them.

    Args:
        materialize_fake_tensors: accepted for torch's signature; meta tensors never have data to write.
    """

    def __init__(self, materialize_fake_tensors: bool = False) -> None:
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self) -> None:
        self._before = local.skip_data
        local.skip_data = True

    def __exit__(self, *exc: object) -> None:
        local.skip_data = self._before
