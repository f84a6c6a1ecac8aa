"""For all tests: NumPy's kernels, whether or not native ones were built on this machine; a stand-in for CuPy.

`LAMELLA_CUDA_STANDIN=1` puts the stand-in where CuPy is imported from for the whole run; the fixture `cupy_on_numpy`
does so for one test.
"""

import os
import sys

import pytest

os.environ.setdefault("LAMELLA_NATIVE", "off")

if os.environ.get("LAMELLA_CUDA_STANDIN") == "1":
    import cupy_standin

    cupy_standin.install()


@pytest.fixture
def cupy_on_numpy():
    """`import cupy` gives the stand-in: two devices, NumPy's arithmetic, CuPy's refusals. Its value is that module."""
    import cupy_standin

    kept = cupy_standin.installed()
    cupy_standin.install()
    yield sys.modules["cupy"]
    if not kept:
        cupy_standin.remove()
