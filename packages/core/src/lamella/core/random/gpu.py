"""Generators of GPUs: a seed and an offset, from which a counter-based function makes the numbers on the device.

Draw number `offset` of a generator gives element `i` of its result the words ``philox(seed, offset, i)``, so the
numbers depend neither on how many threads drew them nor on which kernel did: those of eager calls and of compiled
programs are the same. They differ from torch's on a GPU, which depend on how its kernels are launched.

Nothing here loads CuPy: generators can be made, seeded and stored on a machine without a GPU.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..devices import device as _device
from .generator import DEFAULT_SEED, Generator, _random_seed

STATE_DTYPE = np.dtype([("seed", "<u8"), ("offset", "<u8")])


class GpuGenerator(Generator):
    """A source of random numbers on one GPU; ``Generator(device="cuda")`` makes one.

    Args:
        device: the GPU (one without an index: the current one at the time of a draw).

    Example:
        >>> g = GpuGenerator("cuda:1").manual_seed(3)
        >>> g.initial_seed(), g.get_offset(), g.device.index
        (3, 0, 1)
    """

    def __init__(self, device: Any = "cuda") -> None:
        self._where = _device(device)
        self._seed = DEFAULT_SEED
        self._offset = 0
        self._lock = threading.Lock()
        self._source: Any = None

    @property
    def device(self) -> _device:
        """Where the numbers are made."""
        return self._where

    @property
    def engine(self) -> Any:  # type: ignore[override]
        """The CPU's kernels ask for this: an error, because their tensors are not on this generator's device."""
        rule = f"Expected a 'cpu' device type for generator but found '{self._where.type}'"
        raise RuntimeError(message("generator", rule, hint="give the operator a generator of its tensor's device"))

    next_normal = engine  # type: ignore[assignment]

    @property
    def source(self) -> Any:
        """What kernels on the GPU draw from."""
        if self._source is None:
            from ..cuda.random.engine import GpuEngine

            self._source = GpuEngine(self)
        return self._source

    def take(self, draws: int = 1) -> tuple[int, int]:
        """Seed and offset of the next draw; the offset moves on by so many draws."""
        with self._lock:
            at = self._offset
            self._offset = (at + draws) % 2**64
        return self._seed, at

    def get_offset(self) -> int:
        """How many draws were made since the seed was set."""
        return self._offset

    def set_offset(self, offset: int) -> None:
        """Go on from another draw of the same seed."""
        if not 0 <= offset < 2**64:
            raise RuntimeError(message("set_offset", "the offset must lie in [0, 2**64)", {"offset": offset}))
        self._offset = int(offset)

    def _restart(self, seed: int) -> None:
        self._seed, self._offset = seed, 0

    def clone_state(self) -> GpuGenerator:
        """A generator that goes on from the same place independently."""
        twin = type(self)(self._where)
        twin._seed, twin._offset = self._seed, self._offset
        return twin

    def state_array(self) -> np.ndarray:
        """The state as torch lays out a GPU's: seed and offset, 16 bytes, uint8."""
        record = np.array([(self._seed, self._offset)], STATE_DTYPE)
        return np.frombuffer(record.tobytes(), np.uint8).copy()

    def set_state_array(self, state: np.ndarray) -> None:
        """Continue from a state that `state_array` gave.

        Args:
            state: uint8[16].

        Raises:
            TypeError: when it is not an array of uint8.
            RuntimeError: when the size is not that of a state.
        """
        if not isinstance(state, np.ndarray) or state.dtype != np.uint8:
            got = state.dtype if isinstance(state, np.ndarray) else type(state).__name__
            raise TypeError(message("set_state", f"the state must be a uint8 tensor on the CPU (got {got})"))
        if state.size != STATE_DTYPE.itemsize:
            raise RuntimeError(message("set_state", f"RNG state is wrong size: 16 bytes (got {state.size})"))
        record = np.frombuffer(state.tobytes(), STATE_DTYPE)[0]
        self._seed, self._offset = int(record["seed"]), int(record["offset"])

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (str(self._where), self.state_array())


def _restore(where: str, state: np.ndarray) -> GpuGenerator:
    generator = GpuGenerator(where)
    generator.set_state_array(state)
    return generator


_defaults: dict[int, GpuGenerator] = {}
_everywhere: list[int] = []
_making = threading.Lock()


def default_gpu_generator(index: int) -> GpuGenerator:
    """The generator that draws on a GPU take when they are given none.

    Args:
        index: the GPU's number.

    Example:
        >>> seed_all(5)
        >>> default_gpu_generator(0).initial_seed()
        5
    """
    with _making:
        found = _defaults.get(index)
        if found is None:
            found = _defaults[index] = GpuGenerator(f"cuda:{index}")
            found._restart(_everywhere[0] if _everywhere else _random_seed())
    return found


def seed_all(seed: int) -> None:
    """Start the default generators of all GPUs over, also of those that are not there yet.

    Args:
        seed: an int in [0, 2**64).
    """
    with _making:
        _everywhere[:] = [seed]
        for generator in _defaults.values():
            generator._restart(seed)


def states() -> dict[int, np.ndarray]:
    """The states of the default generators that have been used."""
    return {index: generator.state_array() for index, generator in _defaults.items()}


def set_states(kept: dict[int, np.ndarray]) -> None:
    """Put default generators back to states that `states` gave."""
    for index, state in kept.items():
        default_gpu_generator(index).set_state_array(state)
