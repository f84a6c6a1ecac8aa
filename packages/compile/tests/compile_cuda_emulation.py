"""CUDA text built by g++ and run on NumPy arrays: blocks one after the other, threads as fibers (`cuda_host.h`)."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lamella.compile.build import library, nvrtc
from lamella.compile.build.cache import digest

HERE = Path(__file__).parent
FLAGS = ("-std=c++17", "-O1", "-fno-strict-aliasing", "-w")
DYNAMIC = re.compile(r"extern\s+__shared__\s+(?:__align__\s*\(\s*\d+\s*\)\s*|alignas\s*\(\s*\d+\s*\)\s*)?"
                     r"([\w ]+?)\s*(\w+)\s*\[\s*\]\s*;")


class EmulationError(RuntimeError):
    """A launch that would go wrong on a device."""


class Size3(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in "xyz"]


class Launch(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("grid", Size3), ("block", Size3), ("shared", ctypes.c_size_t),
                ("arguments", ctypes.POINTER(ctypes.c_void_p)), ("order", ctypes.c_int)]


def kernels(text: str) -> list[str]:
    """The names of a text's kernels."""
    return nvrtc.KERNEL.findall(text)


def host_text(text: str) -> str:
    """CUDA text as g++ takes it, with a launcher for each kernel."""
    inside = DYNAMIC.sub(r"\1* \2 = reinterpret_cast<\1*>(emulated::s.shared);", text)
    names = list(dict.fromkeys(kernels(text)))
    space = "using namespace lamella::program;\n" if "namespace program" in text else ""
    return "\n".join([inside, space, *(f"LAMELLA_LAUNCHER({name})" for name in names), ""])


@cache
def host_headers() -> str:
    """A hash of what the text is built with."""
    return digest(nvrtc.headers(), *(p.read_text("utf-8") for p in sorted(HERE.glob("cuda_host*.h"))))


class Module:
    """The kernels of a text, on the host."""

    def __init__(self, text: str, flags: tuple[str, ...] = FLAGS) -> None:
        self.text = text
        source = f'static const char* const built_with = "{host_headers()}";\n{host_text(text)}'
        self.handle = library.load(source, ("-include", str(HERE / "cuda_host.h"), *flags)).handle

    def launch(self, name: str, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any], shared: int = 0,
               order: int = 0) -> None:
        """Run a kernel.

        Args:
            name: its name.
            grid, block: three sizes each (those that are left out are 1).
            arguments: arrays (passed by their address), ctypes values, ints (``long``) and floats (``double``).
            shared: bytes of dynamic shared memory. order: 1 to begin with the last block and the last thread.
        """
        values = [value_of(each) for each in arguments]
        table = (ctypes.c_void_p * max(1, len(values)))(*(ctypes.addressof(v) for v in values))
        launch = Launch(name.encode(), size3(grid), size3(block), shared, table, order)
        launcher = ctypes.PyDLL.__getattr__(self.handle, f"{name}_launch")
        launcher.restype = ctypes.c_char_p
        error = launcher(ctypes.byref(launch))
        if error is not None:
            raise EmulationError(error.decode())


def size3(sizes: Sequence[int]) -> Size3:
    return Size3(*(int(n) for n in (*sizes, 1, 1, 1)[:3]))


def value_of(argument: Any) -> Any:
    """An argument in memory."""
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    if isinstance(argument, (float, np.floating)):
        return ctypes.c_double(argument)
    if isinstance(argument, (int, np.integer)):
        return ctypes.c_long(int(argument))
    return argument
