"""The mt19937 engine behind the CPU generator, driven through NumPy's C implementation.

The twister itself (Matsumoto and Nishimura, 1998) is `numpy.random.MT19937`; this module seeds it the way torch does
(`init_genrand` with the low 32 bits of the seed), hands out its words in the forms the transforms need, and
translates between NumPy's idea of its position and torch's `left`/`next` pair.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STATE_WORDS = 624
_CHUNK = 1 << 16
_LOW32 = 0xFFFFFFFF
_LOW53 = 0x1FFFFFFFFFFFFF
_HIGH21 = np.uint64(0x1FFFFF)
_SHIFT32 = np.uint64(32)
_EPS53 = 2.0**-53
_EPS24 = np.float32(2.0**-24)


class Engine:
    """A stream of 32-bit words equal to torch's mt19937 for the same seed.

    `numpy.random` is imported when the first word is drawn, not before: importing it costs a sixth of NumPy itself.

    Args:
        seed: any int; the low 32 bits enter the engine.

    Example:
        >>> Engine(0).raw(3).tolist()
        [2357136044, 2546248239, 3071714933]
    """

    def __init__(self, seed: int) -> None:
        self.seed32 = seed & _LOW32
        self._bits: Any = None
        self._legacy: Any = None

    def raw(self, size: int | None = None, output: bool = True) -> Any:
        """Draw words: one int, or `size` of them as a uint64 array (None when `output` is false)."""
        # The bit generator's own method takes this one's place, so later draws cost no Python frame.
        self._start()
        return self.raw(size, output)

    def _start(self) -> None:
        from numpy.random import MT19937, RandomState

        self._bits = MT19937(0)
        # RandomState.seed is NumPy's public door to init_genrand; the bit generator's own seeding mixes differently.
        self._legacy = RandomState(self._bits)
        self._legacy.seed(self.seed32)
        self.raw: Callable[..., Any] = self._bits.random_raw  # type: ignore[method-assign]

    def seed(self, seed: int) -> None:
        """Start the stream of `seed` over (its low 32 bits)."""
        self.seed32 = seed & _LOW32
        if self._bits is not None:
            self._legacy.seed(self.seed32)

    def word64(self) -> int:
        """Draw one 64-bit number: the first word drawn is the upper half."""
        high = self.raw()
        return (high << 32) | self.raw()

    def double(self) -> float:
        """Draw one float64 in [0, 1) with 53 random bits (two words)."""
        return (self.word64() & _LOW53) * _EPS53

    def words64(self, n: int) -> np.ndarray:
        """Draw `n` 64-bit numbers as a uint64 array."""
        pairs = self.raw(2 * n).reshape(n, 2)
        high = pairs[:, 0] << _SHIFT32
        high |= pairs[:, 1]
        return high

    def doubles(self, n: int, out: np.ndarray | None = None) -> np.ndarray:
        """Draw `n` float64 in [0, 1) with 53 random bits each (two words each), into `out` when given."""
        if n > _CHUNK:
            return self._in_chunks(self.doubles, n, np.empty(n) if out is None else out)
        pairs = self.raw(2 * n).reshape(n, 2)
        high = pairs[:, 0] & _HIGH21
        high <<= _SHIFT32
        high |= pairs[:, 1]
        # int64 converts to float64 with one vector instruction, uint64 does not; the values fit both.
        return np.multiply(high.view(np.int64), _EPS53, out=out)

    def floats(self, n: int, out: np.ndarray | None = None) -> np.ndarray:
        """Draw `n` float32 in [0, 1) with 24 random bits each (one word each), into `out` when given."""
        if n > _CHUNK:
            return self._in_chunks(self.floats, n, np.empty(n, np.float32) if out is None else out)
        low = self.raw(n).astype(np.int32)
        low &= 0xFFFFFF
        return np.multiply(low, _EPS24, out=out, dtype=np.float32, casting="unsafe")

    def _in_chunks(self, draw: Callable[..., np.ndarray], n: int, out: np.ndarray) -> np.ndarray:
        # The words of a chunk stay in the cache, and the allocator reuses their memory instead of mapping new pages.
        for start in range(0, n, _CHUNK):
            part = out[start : start + _CHUNK]
            draw(len(part), part)
        return out

    def copy(self) -> Engine:
        """An engine at the same place of the same stream."""
        twin = Engine(self.seed32)
        if self._bits is not None:
            twin._start()
            twin._bits.state = self._bits.state
        return twin

    def position(self) -> tuple[np.ndarray, int, int]:
        """The state as torch keeps it: (624 words, left, next)."""
        if self._bits is None:
            self._start()
        state = self._bits.state["state"]
        key, pos = state["key"], int(state["pos"])
        if pos == STATE_WORDS and int(key[0]) == self.seed32:
            # Seeding leaves the seed in the first word, the first twist replaces it: nothing has been drawn yet.
            return key, 1, 0
        return key, STATE_WORDS + 1 - pos, pos

    def set_position(self, seed: int, key: np.ndarray, left: int, nxt: int) -> None:
        """Continue the stream of `seed` from a state in torch's terms; `left` = 1 means that the next draw twists."""
        self.seed32 = seed & _LOW32
        if self._bits is None:
            self._start()
        pos = STATE_WORDS if left == 1 else nxt
        self._bits.state = {"bit_generator": "MT19937", "state": {"key": key.astype(np.uint32), "pos": pos}}

