"""Tests of the backend nccl: each rank is a thread with a GPU of its own.

The GPUs are a stand-in (`nccl_standin`). With LAMELLA_NCCL_GPUS=1 they are real ones, and tests that need more than
there are, or look into the stand-in, are skipped.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

REAL = os.environ.get("LAMELLA_NCCL_GPUS") == "1"
standin_only = pytest.mark.skipif(REAL, reason="looks into the stand-in for NCCL")


@pytest.fixture
def cp():
    """The module cupy."""
    if REAL:
        from lamella.distributed.nccl import missing

        if missing():
            pytest.skip(missing())
        import cupy

        yield cupy
        return
    import nccl_standin

    yield nccl_standin.install()
    nccl_standin.remove()


def gpus(*sizes: int):
    """Run a test on these numbers of ranks; it gets the module cupy where it has a parameter `cp`."""

    def decorate(fn: Callable[..., None]) -> Callable[..., None]:
        @pytest.mark.parametrize("size", sizes)
        def test(size: int, cp: Any) -> None:
            run(size, fn, *([cp] if "cp" in inspect.signature(fn).parameters else []))

        test.__name__, test.__doc__, test.__module__ = fn.__name__, fn.__doc__, fn.__module__
        return test

    return decorate


def need(size: int) -> None:
    """Skip a test where there are not so many GPUs."""
    import cupy

    there = cupy.cuda.runtime.getDeviceCount()
    if there < size:
        pytest.skip(f"needs {size} GPUs, and there are {there}")


def run(size: int, fn: Callable[..., Any], *args: Any, backend: str = "nccl", init: bool = True, **kwargs: Any) -> Any:
    """Call a function on ranks, each with its GPU as the current device; returns their results."""
    import cupy

    from lamella import distributed as dist
    from lamella.distributed.threads import spawn

    need(size)

    def rank() -> Any:
        from lamella.distributed.group import world

        with cupy.cuda.Device(world().rank):
            if init:
                dist.init_process_group(backend, **{"timeout": timedelta(seconds=60), **kwargs})
            result = fn(*args)
            if init and dist.is_initialized():
                dist.destroy_process_group()
            return result

    return spawn(rank, size, init=False)


def carrier() -> Any:
    """The transport of the default group's tensors on GPUs."""
    from lamella.distributed.group import world

    return world().default.transports["cuda"]


def me() -> tuple[int, int]:
    """The rank, and how many there are."""
    from lamella import distributed as dist

    return dist.get_rank(), dist.get_world_size()


def late(fn: Callable[[], Any]) -> None:
    """Put something into the current stream that is done only after a while."""
    if REAL:
        import cupy

        slow = cupy.ones((4096, 4096), cupy.float32)
        for _ in range(8):
            slow = slow @ slow
        fn()
        return
    from nccl_standin.queues import later

    later(fn)


def until(done: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether something becomes so."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
