"""torch.cuda.nvtx: names for stretches of a program in NVIDIA's profilers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._missing import lookup
from ._state import gpu

__all__ = ["mark", "range", "range_pop", "range_push"]


def range_push(msg: str) -> None:
    """Begin a stretch with a name."""
    gpu("nvtx.range_push").cuda.nvtx.RangePush(msg)


def range_pop() -> None:
    """End the stretch that began last."""
    gpu("nvtx.range_pop").cuda.nvtx.RangePop()


def mark(msg: str) -> None:
    """Mark a moment with a name."""
    gpu("nvtx.mark").cuda.nvtx.Mark(msg)


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:  # noqa: A001 - torch's name
    """A block as a stretch with a name (formatted with the arguments)."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()


__getattr__, __dir__ = lookup(__name__)
