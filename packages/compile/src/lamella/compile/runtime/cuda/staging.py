"""Small things that a call brings from the host, in one copy: step counts on the CPU, seeds and offsets of draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lamella.core.random.gpu import default_gpu_generator

from ..facts import Facts
from ..memory import numpy_dtype
from .device import Device
from .draws import NAME as DRAWS

SMALL = 1 << 12  # bytes of a tensor that goes along
ALIGNED = 16


class Staging:
    """A piece of memory on the host and one on the device.

    Attributes:
        draws: (host's array of seed and offset, how many draws).
        inputs: (host's array, number of an input).
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.draws: list[tuple[Any, int]] = []
        self.inputs: list[tuple[Any, int]] = []
        self._wanted: list[tuple[str, tuple[int, ...], int]] = []
        self._size = 0
        self._host: Any = None
        self._memory: Any = None

    def add(self, dtype: str, shape: tuple[int, ...]) -> int:
        """Ask for a row-major tensor; returns its number."""
        self._wanted.append((dtype, shape, self._size))
        size = numpy_dtype(dtype).itemsize
        for n in shape:
            size *= n
        self._size += -(-max(size, 1) // ALIGNED) * ALIGNED
        return len(self._wanted) - 1

    def made(self) -> list[tuple[Any, Any]]:
        """Make the memory: (host's array, device's array) of each tensor that was asked for."""
        from ...loops.index import contiguous
        from ..memory import within

        self._host, self._memory = np.zeros(self._size, np.uint8), self.device.empty(self._size)
        found = []
        for dtype, shape, at in self._wanted:
            stride = contiguous(shape)
            found.append((within(self._host, at, dtype, shape, stride),
                          self.device.lying_in(self._memory[at:], dtype, shape, stride)))
        return found

    def send(self, inputs: Sequence[Any]) -> None:
        """Copy what a call with these inputs brings."""
        for array, number in self.inputs:
            array[...] = inputs[number]
        for array, count in self.draws:
            seed, offset = default_gpu_generator(self.device.index).take(count)
            array.view(np.uint64)[:] = seed, offset
        self.device.send(self._memory, self._host)


def leading_draws(facts: Facts) -> list[Any]:
    """The draws that come before all other calls of eager operators: made first, they keep their order."""
    found = []
    for kind, step in facts.script:
        if kind == "call":
            if step.op != DRAWS:
                break
            found.append(step)
    return found
