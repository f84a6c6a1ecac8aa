"""A communication hook that does not communicate: what training costs without it."""

from __future__ import annotations

from typing import Any

from ...parallel.buckets import GradBucket
from ...work import Future

__all__ = ["noop_hook"]


def noop_hook(_: Any, bucket: GradBucket) -> Future:
    """Leave each rank its own gradients.

    Args:
        _: the hook's state, not used.
        bucket: the gradients.

    Example:
        >>> def alone(model):
        ...     model.register_comm_hook(None, noop_hook)
    """
    future = Future()
    future.set_result(bucket.buffer())
    return future
