"""The BLAS that is in the process already, as pointers for compiled code.

NumPy's wheels bring an OpenBLAS: using the same one means one pool of threads, and no import. Where NumPy was built
otherwise, scipy.linalg.cython_blas has the routines.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

ROUTINES = ("sgemm", "dgemm", "sgemv", "dgemv")


@cache
def table() -> Any:
    """The table that ``lamella_init`` of ``lamella/blas.h`` copies: routines, width of integers, threads."""
    found = _of_numpy() or _of_scipy()
    return (ctypes.c_void_p * len(found))(*found)


def source() -> str:
    """Which BLAS it is."""
    return "numpy" if _of_numpy() else "scipy"


@cache
def _of_numpy() -> list[int | None]:
    import numpy

    home = Path(numpy.__file__).resolve().parent
    for path in [*home.parent.glob("numpy.libs/*openblas64_*"), *home.glob(".dylibs/*openblas64_*")]:
        try:
            library = ctypes.CDLL(str(path), mode=getattr(os, "RTLD_NOLOAD", 0) | os.RTLD_LOCAL)
        except OSError:
            continue
        found = [_symbol(library, f"scipy_{name}_64_") for name in ROUTINES]
        if all(found):
            threads = [_symbol(library, f"scipy_openblas_{what}_num_threads64_") for what in ("set", "get")]
            return [*found, 1, *threads]
    return []


def _symbol(library: ctypes.CDLL, name: str) -> int | None:
    try:
        return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    except AttributeError:
        return None


@cache
def _of_scipy() -> list[int | None]:
    from scipy.linalg import cython_blas

    return [_capsule(cython_blas.__pyx_capi__[name]) for name in ROUTINES] + [None, None, None]


def _capsule(capsule: Any) -> int:
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, name(capsule))
