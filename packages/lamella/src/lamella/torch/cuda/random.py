"""torch.cuda.random: the generators of GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lamella.core import cuda as _cuda
from lamella.core.random.gpu import _random_seed, default_gpu_generator, seed_all as _seed_all

from .._missing import lookup
from ._state import index

__all__ = ["get_rng_state", "get_rng_state_all", "initial_seed", "manual_seed", "manual_seed_all", "seed", "seed_all",
           "set_rng_state", "set_rng_state_all"]


def manual_seed(seed: int) -> None:
    """Seed the current GPU's generator; without a GPU, nothing happens."""
    if _cuda.available():
        default_gpu_generator(index("manual_seed")).manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Seed the generators of all GPUs; without one, nothing happens."""
    if _cuda.available():
        _seed_all(int(seed) % 2**64)


def seed() -> None:
    """Seed the current GPU's generator from the system; without a GPU, nothing happens."""
    if _cuda.available():
        default_gpu_generator(index("seed")).seed()


def seed_all() -> None:
    """Seed the generators of all GPUs from the system, with one seed; without a GPU, nothing happens."""
    if _cuda.available():
        _seed_all(_random_seed())


def initial_seed() -> int:
    """The seed that the current GPU's generator began with."""
    return default_gpu_generator(index("initial_seed")).initial_seed()


def get_rng_state(device: Any = "cuda") -> Any:
    """The state of a GPU's generator: uint8[16] on the CPU, seed and offset."""
    return default_gpu_generator(index("get_rng_state", device)).get_state()


def set_rng_state(new_state: Any, device: Any = "cuda") -> None:
    """Set the state of a GPU's generator to what `get_rng_state` gave."""
    default_gpu_generator(index("set_rng_state", device)).set_state(new_state)


def get_rng_state_all() -> list[Any]:
    """The states of the generators of all GPUs."""
    return [get_rng_state(i) for i in range(_cuda.device_count())]


def set_rng_state_all(new_states: Iterable[Any]) -> None:
    """Set the states of the generators of all GPUs."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


__getattr__, __dir__ = lookup(__name__)
