"""`Generator` and the default one: torch's interface over the mt19937 engine."""

from __future__ import annotations

import operator
import os
from collections.abc import Generator as Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..devices import device as _device
from .engine import STATE_WORDS, Engine

DEFAULT_SEED = 67280421310721

# The byte layout of torch's CPU generator state. `normal_y` is the half of a Box-Muller pair that waits for the next
# draw; x and rho belong to an older form of it and stay zero. The last fields are padded to eight bytes.
STATE_DTYPE = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "key", "normal_x", "normal_y", "normal_rho", "normal_is_valid",
                  "float_normal", "float_normal_is_valid"],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", STATE_WORDS), "<f8", "<f8", "<f8", "<i4", "<f4", "u1"],
        "offsets": [0, 8, 12, 16, 24, 5016, 5024, 5032, 5040, 5048, 5052],
        "itemsize": 5056,
    }
)  # fmt: skip
_OLD_SIZE = 5048  # states saved before the float field existed


class Generator:
    """A source of random numbers, equal to torch's CPU generator for the same seed and the same calls.

    Args:
        device: the CPU, or a GPU: then the result is a `GpuGenerator`, which makes other numbers.

    Raises:
        RuntimeError: for a device that has no generator.

    Attributes:
        engine: the mt19937 stream that the transforms draw from.
        next_normal: the second half of the last Box-Muller pair, or None.

    Example:
        >>> g = Generator().manual_seed(1)
        >>> g.initial_seed()
        1
        >>> g.engine.double() == Generator().manual_seed(1).engine.double()
        True
    """

    def __new__(cls, device: Any = "cpu") -> Generator:
        where = _device(device)
        if where.type == "cuda" and cls is Generator:
            from .gpu import GpuGenerator

            cls = GpuGenerator
        elif where.type not in ("cpu", "cuda"):
            raise RuntimeError(message("Generator", "only the CPU and GPUs have a generator", {"device": where}))
        return object.__new__(cls)

    def __init__(self, device: Any = "cpu") -> None:
        self._seed = DEFAULT_SEED
        self.engine = Engine(DEFAULT_SEED)
        self.next_normal: float | None = None
        self._float_normal: float | None = None

    @property
    def device(self) -> _device:
        """Where the numbers are made: the CPU."""
        return _device("cpu")

    def manual_seed(self, seed: int) -> Generator:
        """Start over from a seed.

        Args:
            seed: an int in [-2**63, 2**64); a negative one means itself plus 2**64. The low 32 bits enter the engine.

        Returns:
            this generator.

        Raises:
            RuntimeError: when the seed is not an int.
            ValueError: when it is out of range.
        """
        if isinstance(seed, (bool, float, str)) or not hasattr(seed, "__index__"):
            raise RuntimeError(message("manual_seed", f"the seed must be an int (got {type(seed).__name__})"))
        self._restart(_as_uint64(operator.index(seed)))
        return self

    def seed(self) -> int:
        """Start over from 64 bits of the operating system's randomness, and return them."""
        self._restart(_random_seed())
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the stream began with, as an unsigned 64-bit number."""
        return self._seed

    def _restart(self, seed: int) -> None:
        self._seed = seed
        self.engine.seed(seed)
        self.next_normal = self._float_normal = None

    def clone_state(self) -> Generator:
        """A generator that goes on from the same place independently."""
        twin = type(self).__new__(type(self))
        twin._seed, twin.engine = self._seed, self.engine.copy()
        twin.next_normal, twin._float_normal = self.next_normal, self._float_normal
        return twin

    def state_array(self) -> np.ndarray:
        """The state as torch lays it out: 5056 bytes, uint8."""
        record = np.zeros((), STATE_DTYPE)
        record["seed"], record["seeded"] = self._seed, 1
        record["key"], record["left"], record["next"] = self.engine.position()
        if self.next_normal is not None:
            record["normal_y"], record["normal_is_valid"] = self.next_normal, 1
        if self._float_normal is not None:
            record["float_normal"], record["float_normal_is_valid"] = self._float_normal, 1
        return np.frombuffer(record.tobytes(), np.uint8).copy()

    def set_state_array(self, state: np.ndarray) -> None:
        """Continue from a state that `state_array`, or torch, gave.

        Args:
            state: uint8[5056], or uint8[5048] from an old torch.

        Raises:
            TypeError: when it is not an array of uint8.
            RuntimeError: when the size or the content is not that of a state.
        """
        if not isinstance(state, np.ndarray) or state.dtype != np.uint8:
            got = state.dtype if isinstance(state, np.ndarray) else type(state).__name__
            raise TypeError(message("set_state", f"the state must be a uint8 tensor (got {got})"))
        if state.size not in (STATE_DTYPE.itemsize, _OLD_SIZE):
            rule = f"the state must have {STATE_DTYPE.itemsize} bytes (got {state.size})"
            raise RuntimeError(message("set_state", rule))
        record = np.frombuffer(state.tobytes().ljust(STATE_DTYPE.itemsize, b"\0"), STATE_DTYPE)[0]
        left, nxt = int(record["left"]), int(record["next"])
        if not (record["seeded"] == 1 and 0 < left <= STATE_WORDS and nxt <= STATE_WORDS):
            raise RuntimeError(message("set_state", "not an mt19937 state", {"left": left, "next": nxt}))
        self._seed = int(record["seed"])
        self.engine.set_position(self._seed, record["key"], left, nxt)
        self.next_normal = float(record["normal_y"]) if record["normal_is_valid"] else None
        self._float_normal = float(record["float_normal"]) if record["float_normal_is_valid"] else None

    def get_state(self) -> Any:
        """The state as a tensor: uint8[5056], byte for byte what torch's generator gives in the same state."""
        from ..tensor import CPU, wrap

        return wrap(self.state_array(), CPU)

    def set_state(self, new_state: Any) -> None:
        """Continue from a state that `get_state`, here or in torch, gave.

        Args:
            new_state: uint8[5056], a tensor or a NumPy array.

        Raises:
            TypeError: when it is not a tensor of uint8.
            RuntimeError: when the size or the content is not that of a state.
        """
        self.set_state_array(getattr(new_state, "_a", new_state))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.state_array())

    def __repr__(self) -> str:
        return f"<torch.Generator device={self.device} seed={self._seed}>"


def _restore(kind: type[Generator], state: np.ndarray) -> Generator:
    generator = kind()
    generator.set_state_array(state)
    return generator


def _random_seed() -> int:
    return int.from_bytes(os.urandom(8), "little")


def _as_uint64(seed: int) -> int:
    if not -(2**63) <= seed < 2**64:
        raise ValueError(message("manual_seed", "the seed must lie in [-2**63, 2**64)", {"seed": seed}))
    return seed % 2**64


default_generator = Generator()
default_generator._restart(_random_seed())


def manual_seed(seed: Any) -> Generator:
    """Start the default generators over from a seed: the CPU's, and those of all GPUs.

    Args:
        seed: an int in [-2**63, 2**64), or what `int()` turns into one.

    Returns:
        the default generator.

    Raises:
        ValueError: when the seed is out of range.

    Example:
        >>> manual_seed(0).initial_seed()
        0
    """
    from .gpu import seed_all

    default_generator.manual_seed(int(seed))
    seed_all(default_generator.initial_seed())
    return default_generator


def seed() -> int:
    """Start the default generators over from the operating system's randomness, and return the seed."""
    from .gpu import seed_all

    found = default_generator.seed()
    seed_all(found)
    return found


def initial_seed() -> int:
    """The seed that the default generator's stream began with."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """The default generator's state as a uint8 tensor."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Set the default generator's state; see `Generator.set_state`."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(
    devices: Any = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str | None = None,
) -> Iterator[None]:
    """Draw inside the block without moving the default generator outside it.

    Args:
        devices: GPUs whose default generators are kept too (None: all that have been used).
        enabled: False turns the block into an ordinary one.
        device_type: accepted for torch's sake.

    Example:
        >>> g = manual_seed(0)
        >>> with fork_rng():
        ...     _ = default_generator.engine.double()
        >>> default_generator.engine.double() == Generator().manual_seed(0).engine.double()
        True
    """
    if not enabled:
        yield
        return
    from .gpu import default_gpu_generator, set_states, states

    state = default_generator.state_array()
    indices = None if devices is None else [_device(d).index or 0 for d in devices]
    kept = states() if indices is None else {i: default_gpu_generator(i).state_array() for i in indices}
    try:
        yield
    finally:
        default_generator.set_state_array(state)
        set_states(kept)
