"""What torch keeps in `torch.distributed.tensor.experimental`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._switches import switched_on
from ._local_map import local_map

__all__ = ["implicit_replication", "local_map"]


@contextmanager
def implicit_replication() -> Iterator[None]:
    """Within the block a plain tensor beside DTensors counts as one that every rank has the same of."""
    with switched_on("implicit_replication"):
        yield
