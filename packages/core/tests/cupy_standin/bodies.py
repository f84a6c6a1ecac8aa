"""Bodies in NumPy for the kernels in CUDA C++ that eager calls use."""

from __future__ import annotations

from typing import Any

import numpy as np

from .own import kernels

_U32 = np.uint64(0xFFFFFFFF)


def philox(seed: int, offset: int, i: Any) -> list[np.ndarray]:
    """The four words of Philox 4x32-10 for counters (i, offset), as uint64."""
    i = np.asarray(i, np.uint64)
    a, b = i & _U32, i >> np.uint64(32)
    c, d = (np.full(i.shape, x, np.uint64) for x in (offset & 0xFFFFFFFF, offset >> 32))
    first, second = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        left, right = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b = (right >> np.uint64(32)) ^ b ^ np.uint64(first), right & _U32
        c, d = (left >> np.uint64(32)) ^ d ^ np.uint64(second), left & _U32
        first, second = (first + 0x9E3779B9) & 0xFFFFFFFF, (second + 0xBB67AE85) & 0xFFFFFFFF
    return [a, b, c, d]


def _low(p: Any) -> Any:
    return p[1] << np.uint64(32) | p[0]


def _high(p: Any) -> Any:
    return p[3] << np.uint64(32) | p[2]


def _normal(p: Any) -> Any:
    u = ((_low(p) >> np.uint64(11)) + np.uint64(1)).astype(np.float64) * 2.0**-53
    v = (_high(p) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)


_FORMS = {
    "lamella_bits": _low,
    "lamella_words32": lambda p: p[0],
    "lamella_uniform": lambda p: (p[0] >> np.uint64(8)).astype(np.float32) * np.float32(2.0**-24),
    "lamella_uniform_double": lambda p: (_low(p) >> np.uint64(11)).astype(np.float64) * 2.0**-53,
    "lamella_normal": _normal,
}


def _draw(form: Any) -> Any:
    def body(seed: Any, offset: Any, out: np.ndarray) -> None:
        out[...] = form(philox(int(seed), int(offset), np.arange(out.size))).reshape(out.shape)

    return body


def _flips(seed: Any, offset: Any, p: Any, factor: Any, out: np.ndarray) -> None:
    drawn = _FORMS["lamella_uniform_double"](philox(int(seed), int(offset), np.arange(out.size)))
    out[...] = np.where(drawn < p, factor, 0).reshape(out.shape)


kernels["lamella_flips"] = _flips
kernels.update({name: _draw(form) for name, form in _FORMS.items()})
