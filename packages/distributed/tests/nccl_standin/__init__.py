"""A stand-in for GPUs with NCCL: the stand-in for CuPy, with four devices, lazy streams and `cupy.cuda.nccl`.

Each thread that is a rank has a current device of its own, as in CUDA.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import cupy_standin
from cupy_standin import memory, runtime

from . import library, queues

DEVICES = 4
_kept: dict[tuple[Any, str], Any] = {}
_ABSENT = object()
_meters: dict[int, Any] = {}


def _put(owner: Any, name: str, value: Any) -> None:
    _kept[owner, name] = getattr(owner, name, _ABSENT)
    setattr(owner, name, value)


def _count(meters: dict[int, Any]) -> None:
    """Let the allocator count memory in these meters: each set of pools has its own."""
    allocator = sys.modules.get("lamella.core.cuda.allocator")
    if allocator is not None:
        allocator._meters.clear()
        allocator._meters.update(meters)


def install() -> Any:
    """Make `import cupy` give the stand-in, and return it."""
    cupy_standin.install()
    _meters.clear()
    _meters.update(getattr(sys.modules.get("lamella.core.cuda.allocator"), "_meters", {}))
    _count({})
    cupy: Any = sys.modules["cupy"]
    nccl = ModuleType("cupy.cuda.nccl")
    for name in ("NcclCommunicator", "NcclError", "available", "get_unique_id", "get_version", "groupEnd",
                 "groupStart"):  # fmt: skip
        setattr(nccl, name, getattr(library, name))
    nccl.__dict__.update(library.NAMES)
    sys.modules["cupy.cuda.nccl"] = nccl
    _put(memory, "COUNT", DEVICES)
    _put(memory, "POOLS", [memory.MemoryPool(i) for i in range(DEVICES)])
    _put(memory, "Memory", queues.Memory)
    _put(cupy.cuda, "nccl", nccl)
    for name in ("Stream", "Event"):
        _put(cupy.cuda, name, getattr(queues, name))
        _put(runtime, name, getattr(queues, name))
    queues.Stream.null = queues.Stream(null=True)
    memory.LAUNCHES.append(queues.launch)
    return cupy


def remove() -> None:
    """Take it away."""
    memory.LAUNCHES.remove(queues.launch)
    for (owner, name), value in _kept.items():
        if value is _ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, value)
    _kept.clear()
    sys.modules.pop("cupy.cuda.nccl", None)
    _count(_meters)
    cupy_standin.remove()
    queues.reset()
    library.WORLDS.clear()
    library.CALLS.clear()
