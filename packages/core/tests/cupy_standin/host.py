"""Kernels in CUDA C++ whose threads do not work together, built by g++ and run thread by thread on the host."""

from __future__ import annotations

import ctypes
import hashlib
import re
import shutil
import subprocess
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_BUILDING = threading.Lock()
PRELUDE = """
#include <cmath>
using std::sqrt; using std::fabs; using std::exp; using std::log; using std::cos; using std::sin;
#define __global__
#define __device__
#define __launch_bounds__(...)
struct Place { unsigned x, y, z; };
static thread_local Place blockIdx, threadIdx, blockDim, gridDim;
"""
LAUNCH = """
extern "C" void launch_(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, void** a) {
    gridDim = {gx, gy, gz};
    blockDim = {bx, by, bz};
    for (unsigned z = 0; z < gz; ++z) for (unsigned y = 0; y < gy; ++y) for (unsigned x = 0; x < gx; ++x)
    for (unsigned w = 0; w < bz; ++w) for (unsigned v = 0; v < by; ++v) for (unsigned u = 0; u < bx; ++u) {
        blockIdx = {x, y, z};
        threadIdx = {u, v, w};
        NAME(ARGUMENTS);
    }
}
"""


def available() -> bool:
    """Whether g++ is there."""
    return shutil.which("g++") is not None


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="cupy-standin-"))


@cache
def built(code: str, name: str) -> Any:
    """The launcher of a kernel."""
    parameters = re.search(rf"\b{name}\s*\(([^)]*)\)", code)
    if parameters is None:
        raise ValueError(f"no kernel {name} in the code")
    kinds = [re.sub(r"\b(__restrict__|\w+)\s*$", "", p.strip()).strip() for p in parameters[1].split(",")]
    arguments = ", ".join(f"*({kind}*)a[{i}]" for i, kind in enumerate(kinds))
    text = PRELUDE + code + LAUNCH.replace("NAME", name).replace("ARGUMENTS", arguments)
    stem = _folder() / hashlib.sha256(text.encode()).hexdigest()[:16]
    stem.with_suffix(".cpp").write_text(text)
    done = subprocess.run(
        ["g++", "-std=c++17", "-O0", "-shared", "-fPIC", "-o", f"{stem}.so", f"{stem}.cpp"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr)
    return ctypes.CDLL(f"{stem}.so").launch_


def run(code: str, name: str, grid: Any, block: Any, args: list[Any]) -> None:
    """Launch a kernel over NumPy arrays and scalars."""
    sizes = [*(*grid, 1, 1)[:3], *(*block, 1, 1)[:3]]
    held, places = [], []
    for a in args:
        value = np.array(a.ctypes.data, np.uint64) if isinstance(a, np.ndarray) else np.asarray(a)
        held.append(value)
        places.append(value.ctypes.data)
    with _BUILDING:
        launch = built(code, name)
    launch(*map(ctypes.c_uint, sizes), (ctypes.c_void_p * len(places))(*places))
