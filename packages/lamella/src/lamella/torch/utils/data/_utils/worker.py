"""What code that runs for a worker of a loader sees: who it is, and random numbers of its own.

torch gives each worker a process. Here a worker is a state of the random generators (and a copy of the dataset) that
the loader switches to while it fetches that worker's batches: the batches come in the same order with the same random
numbers, in one process.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from lamella import torch

__all__ = ["Worker", "WorkerInfo", "get_worker_info"]


@dataclass(frozen=True)
class WorkerInfo:
    """One worker: its number, how many there are, its seed, its copy of the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_current: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """The worker whose batch is being fetched, or None in the main program.

    An ``IterableDataset`` uses it to give each worker its own part of the stream.
    """
    return _current


def numpy_seed(base_seed: int, worker_id: int) -> Any:
    """The seed of NumPy's generator in a worker, as torch derives it."""
    entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    return np.random.SeedSequence(entropy).generate_state(4)


def _states() -> tuple[Any, ...]:
    return torch.get_rng_state(), random.getstate(), np.random.get_state()


def _restore(states: tuple[Any, ...]) -> None:
    torch.set_rng_state(states[0])
    random.setstate(states[1])
    np.random.set_state(states[2])


class Worker:
    """One worker of a loader: `active()` is the time in which its code runs."""

    def __init__(self, number: int, count: int, base_seed: int, dataset: Any,
                 init: Callable[[int], Any] | None) -> None:
        self.info = WorkerInfo(number, count, base_seed + number, copy.copy(dataset))
        self.exhausted = False
        self._states: tuple[Any, ...] | None = None
        with self.active():
            seed = base_seed + number
            random.seed(seed)
            torch.manual_seed(seed)
            np.random.seed(numpy_seed(base_seed, number))
            if init is not None:
                init(number)

    @contextmanager
    def active(self) -> Iterator[Any]:
        """Switch the random generators and `get_worker_info` to this worker; the dataset copy is what it yields."""
        global _current
        outer, outside = _current, _states()
        _current = self.info
        if self._states is not None:
            _restore(self._states)
        try:
            yield self.info.dataset
        finally:
            self._states = _states()
            _restore(outside)
            _current = outer
