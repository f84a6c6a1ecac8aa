"""What torch keeps in `torch.distributed.tensor.experimental`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lamella.dispatch.state import state

from ._local_map import local_map

__all__ = ["implicit_replication", "local_map"]


@contextmanager
def implicit_replication() -> Iterator[None]:
    """Within the block a plain tensor beside DTensors counts as one that every rank has the same of."""
    t = state.thread
    before = getattr(t, "implicit_replication", False)
    t.implicit_replication = True  # type: ignore[attr-defined]
    try:
        yield
    finally:
        t.implicit_replication = before  # type: ignore[attr-defined]
