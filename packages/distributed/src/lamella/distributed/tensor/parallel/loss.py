"""`loss_parallel`: cross entropy of logits whose classes lie on several ranks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._switches import switched_on

__all__ = ["loss_parallel"]


@contextmanager
def loss_parallel() -> Iterator[None]:
    """Within the block `cross_entropy` of logits that are cut along the classes is computed on the parts.

    Only numbers as large as one class per example are communicated, instead of the logits. Targets are class numbers,
    the same on every rank (or DTensors); label smoothing is not supported. Backward belongs into the block too.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella import core
        >>> from lamella.distributed.layers import functional as F
        >>> from lamella.distributed.tensor import Shard, distribute_tensor, init_device_mesh
        >>> mesh = init_device_mesh("cpu", (1,))
        >>> logits = distribute_tensor(core.zeros(2, 4), mesh, [Shard(1)])
        >>> with loss_parallel():
        ...     print(round(F.cross_entropy(logits, core.tensor([0, 3])).item(), 4))
        1.3863
        >>> dist.destroy_process_group()
    """
    with switched_on("loss_parallel"):
        yield
