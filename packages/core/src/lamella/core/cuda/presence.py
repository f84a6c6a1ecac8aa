"""Whether there is a GPU to compute on, found out without loading CuPy where there is none."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import sys

from lamella.dispatch.errors import message

_DRIVERS = ("nvcuda.dll",) if sys.platform == "win32" else ("libcuda.so.1", "libcuda.so")
_INSTALL = "pip install 'lamella-core[cuda]' (CuPy and the CUDA libraries it needs)"


@functools.cache
def _driver() -> bool:
    """Whether NVIDIA's driver library can be loaded."""
    for name in _DRIVERS:
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return True
    return False


def missing() -> str:
    """What is missing for tensors on a GPU, in one sentence; empty where nothing is.

    Example:
        >>> isinstance(missing(), str)
        True
    """
    if "cupy" not in sys.modules:
        if not _driver():
            return "there is no NVIDIA driver on this machine (its library libcuda cannot be loaded)"
        if importlib.util.find_spec("cupy") is None:
            return "CuPy is not installed"
    return _count()[1]


def _count() -> tuple[int, str]:
    """How many GPUs CuPy sees, and why there are none."""
    try:
        import cupy
    except ImportError as error:
        return 0, f"CuPy cannot be imported ({error})"
    try:
        n = int(cupy.cuda.runtime.getDeviceCount())
    except Exception as error:  # noqa: BLE001 - CuPy has an error class for each library that may be missing
        return 0, f"CUDA's run-time library reports: {error}"
    return n, "" if n else "the driver sees no GPU"


def available() -> bool:
    """Whether tensors can be made on a GPU.

    Example:
        >>> available() == (device_count() > 0)
        True
    """
    return not missing()


def device_count() -> int:
    """How many GPUs there are; 0 where driver, CuPy or CUDA's libraries are missing."""
    return 0 if missing() else _count()[0]


def require(index: int | None = None) -> None:
    """RuntimeError unless there is a GPU (of that index).

    Args:
        index: the device's number; any device where None.
    """
    why = missing()
    if why:
        hint = "install NVIDIA's driver, or use device='cpu'" if "driver" in why else _INSTALL
        raise RuntimeError(message("cuda", why, {"device": "cuda" if index is None else f"cuda:{index}"}, hint=hint))
    if index is not None and index >= _count()[0]:
        n = _count()[0]
        raise RuntimeError(message("cuda", f"invalid device ordinal: there {'is' if n == 1 else 'are'} {n} "
                                           f"GPU{'' if n == 1 else 's'}", {"device": f"cuda:{index}"}))
