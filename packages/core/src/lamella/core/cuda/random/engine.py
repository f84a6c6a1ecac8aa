"""Words and numbers of a GPU's generator: Philox 4x32 with 10 rounds (Salmon et al., 2011), one kernel a draw.

Element i of a draw takes the counter (i, offset), each as two words, low first; the key is the seed. The same function
in the same form lies in the compiler's header for CUDA, so compiled programs draw the same numbers.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

PHILOX = """
#ifndef LAMELLA_WORDS
#define LAMELLA_WORDS
struct lamella_words { unsigned int w[4]; };
__device__ inline lamella_words lamella_philox(
    unsigned long long seed, unsigned long long offset, unsigned long long i) {
    unsigned int a = (unsigned int)i, b = (unsigned int)(i >> 32);
    unsigned int c = (unsigned int)offset, d = (unsigned int)(offset >> 32);
    unsigned int first = (unsigned int)seed, second = (unsigned int)(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        unsigned long long left = (unsigned long long)a * 0xD2511F53u, right = (unsigned long long)c * 0xCD9E8D57u;
        a = (unsigned int)(right >> 32) ^ b ^ first;
        b = (unsigned int)right;
        c = (unsigned int)(left >> 32) ^ d ^ second;
        d = (unsigned int)left;
        first += 0x9E3779B9u;
        second += 0xBB67AE85u;
    }
    lamella_words r = {{a, b, c, d}};
    return r;
}
__device__ inline unsigned long long lamella_low(lamella_words p) {
    return (unsigned long long)p.w[1] << 32 | p.w[0];
}
__device__ inline unsigned long long lamella_high(lamella_words p) {
    return (unsigned long long)p.w[3] << 32 | p.w[2];
}
#endif
"""
_INPUTS = "uint64 seed, uint64 offset"
#: What is computed of an element's words: name -> (type of the result, expression of `p`).
BODIES = {
    "lamella_bits": ("uint64", "lamella_low(p)"),
    "lamella_words32": ("uint64", "(unsigned long long)p.w[0]"),
    "lamella_uniform": ("float32", "float(p.w[0] >> 8) * 5.9604644775390625e-8f"),
    "lamella_uniform_double": ("float64", "double(lamella_low(p) >> 11) * 1.1102230246251565e-16"),
    "lamella_normal": (
        "float64",
        "sqrt(-2 * log(double((lamella_low(p) >> 11) + 1) * 1.1102230246251565e-16))"
        " * cos(6.283185307179586477 * (double(lamella_high(p) >> 11) * 1.1102230246251565e-16))",
    ),
}
_KERNELS: dict[str, Any] = {}


def kernel(name: str) -> Any:
    """The kernel that makes one of `BODIES`, for the output's elements in index order."""
    made = _KERNELS.get(name)
    if made is None:
        kind, expression = BODIES[name]
        made = _KERNELS[name] = cupy.ElementwiseKernel(
            _INPUTS,
            f"{kind} out",
            f"lamella_words p = lamella_philox(seed, offset, (unsigned long long)i); out = {expression}",
            name,
            preamble=PHILOX,
        )
    return made


def flips() -> Any:
    """The kernel of coin flips: a number with probability p, else 0, by the uniform numbers of float64."""
    made = _KERNELS.get("lamella_flips")
    if made is None:
        made = _KERNELS["lamella_flips"] = cupy.ElementwiseKernel(
            f"{_INPUTS}, float64 p, float64 factor",
            "T out",
            "lamella_words w = lamella_philox(seed, offset, (unsigned long long)i); "
            f"out = {BODIES['lamella_uniform_double'][1].replace('(p)', '(w)')} < p ? (T)factor : (T)0",
            "lamella_flips",
            preamble=PHILOX,
        )
    return made


class GpuEngine:
    """What distributions draw from on a GPU, with the methods of the CPU's `Engine`.

    Args:
        generator: the `GpuGenerator` whose offset the draws move.
    """

    def __init__(self, generator: Any) -> None:
        self.generator = generator

    @property
    def engine(self) -> GpuEngine:
        """Itself: distributions ask a generator for its engine."""
        return self

    def _draw(self, name: str, n: Any, out: Any = None) -> Any:
        seed, offset = self.generator.take()
        if out is None:
            out = cupy.empty(n, BODIES[name][0])
        if out.size:
            kernel(name)(np.uint64(seed), np.uint64(offset), out)
        return out

    def raw(self, size: Any = None, output: bool = True) -> Any:
        """32-bit words as uint64."""
        return self._draw("lamella_words32", size)

    def words64(self, n: Any) -> Any:
        """64-bit words."""
        return self._draw("lamella_bits", n)

    def floats(self, n: Any, out: Any = None) -> Any:
        """float32 in [0, 1) with 24 random bits."""
        return self._draw("lamella_uniform", n, out)

    def doubles(self, n: Any, out: Any = None) -> Any:
        """float64 in [0, 1) with 53 random bits."""
        return self._draw("lamella_uniform_double", n, out)

    def flips(self, shape: Any, dtype: Any, p: float, factor: float = 1.0) -> Any:
        """``factor`` with probability p, else 0; ``doubles`` at the same place would be below p exactly there."""
        seed, offset = self.generator.take()
        narrow = dtype.itemsize == 2 and dtype.kind not in "iu" or dtype.kind == "c"
        out = cupy.empty(shape, np.float32 if narrow else dtype)
        if out.size:
            flips()(np.uint64(seed), np.uint64(offset), np.float64(p), np.float64(factor), out)
        return out.astype(dtype) if narrow else out

    def normals(self, n: Any) -> Any:
        """float64 of the standard normal distribution."""
        return self._draw("lamella_normal", n)
