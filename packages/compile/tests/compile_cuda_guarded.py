"""The emulated device with memory that ends where it must: a page that nobody may touch follows each array."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from typing import Any

import numpy as np
from compile_cuda_device import EmulatedDevice

from lamella.core.tensor import Tensor

PAGE = mmap.PAGESIZE
WORD = 16  # bytes: what the widest access of a kernel takes
_libc = ctypes.CDLL(None, use_errno=True)


def guarded(size: int) -> np.ndarray:
    """``size`` bytes of NaN that end (but for the rest of a word) where a page begins that nobody may touch."""
    room = -(-max(size, 1) // PAGE) * PAGE
    memory = mmap.mmap(-1, room + PAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if _libc.mprotect(ctypes.c_void_p(start + room), ctypes.c_size_t(PAGE), 0):
        raise OSError(ctypes.get_errno(), "mprotect")
    first = room - -(-size // WORD) * WORD
    found = np.frombuffer(memory, np.uint8, size, first)
    found[...] = 0xFF
    return found


def guard(value: Any) -> Any:
    """Nested arguments whose row-major tensors lie in guarded memory."""
    if isinstance(value, Tensor):
        old = value._a
        if old.flags.c_contiguous and old.size:
            new = guarded(old.nbytes).view(old.dtype).reshape(old.shape)
            new[...] = old
            value._a = new
    elif isinstance(value, (list, tuple)):
        for each in value:
            guard(each)
    elif isinstance(value, dict):
        guard(list(value.values()))
    return value


class GuardedDevice(EmulatedDevice):
    """Runs launch plans on the host, in memory that is guarded.

    Args:
        order: 1: each launch begins with the last block, and each block with the last thread.
    """

    def __init__(self, order: int = 0) -> None:
        super().__init__()
        self.order = order

    def empty(self, size: int) -> Any:
        """See `Device.empty`; begins on a multiple of a word only."""
        return guarded(size)

    def launch(self, module: Any, kernel: str, grid: Any, block: Any, shared: int, arguments: Sequence[Any]) -> None:
        """See `Device.launch`."""
        if self._recording is not None:
            super().launch(module, kernel, grid, block, shared, arguments)
            return
        self.calls.append(kernel)
        module.launch(kernel, grid, block, list(arguments), shared, self.order)
