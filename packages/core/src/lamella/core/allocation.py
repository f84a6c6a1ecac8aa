"""What happens to the memory of arrays that are gone.

glibc's malloc gives the system back what is freed in large blocks, and the system makes pages for each block anew and
fills them with zeros. A training step frees and gets the same megabytes again and again, and may spend a third of its
time so. `keep_freed_memory` lets the process keep some of it for the next arrays.
"""

from __future__ import annotations

import ctypes
import os
import sys

from lamella.dispatch.config import declare, settings

#: Arrays of this many bytes at most are taken from memory that is kept: glibc allows no more.
LARGEST = 32 << 20
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # numbers of options in malloc.h
_VARIABLES = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")

declare(
    "keep_memory",
    int,
    256,
    "How many MB of freed memory a rank of several keeps for its next arrays; 0: what malloc does of itself.",
    minimum=0,
)


def keep_freed_memory(megabytes: int | None = None) -> bool:
    """Let the process keep freed memory for its next arrays.

    It holds for the process from now on. Nothing is changed where malloc was set up by environment variables of its
    own, or is not glibc's.

    Args:
        megabytes: how much; the setting ``keep_memory`` where None. 0 changes nothing.

    Returns:
        Whether anything was changed.

    Example:
        >>> keep_freed_memory(0)
        False
    """
    amount = settings.keep_memory if megabytes is None else megabytes
    if not amount or not sys.platform.startswith("linux") or any(name in os.environ for name in _VARIABLES):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    limit = min(amount << 20, (1 << 31) - 1)
    return bool(mallopt(_MMAP_THRESHOLD, min(LARGEST, limit)) and mallopt(_TRIM_THRESHOLD, limit))
