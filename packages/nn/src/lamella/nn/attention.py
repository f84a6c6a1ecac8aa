"""Choosing how attention is computed. There is one way here, so a choice is checked, remembered and without effect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from typing import Any

from lamella.dispatch.errors import message

__all__ = ["SDPBackend", "sdpa_kernel"]


class SDPBackend(IntEnum):
    """Ways to compute scaled dot-product attention, by torch's names."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


_chosen: ContextVar[tuple[SDPBackend, ...]] = ContextVar(
    "attention_backends", default=tuple(b for b in SDPBackend if b >= 0)
)


@contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[None]:
    """Within the block, attention may be computed in these ways only.

    Args:
        backends: an `SDPBackend` or a list of them.
        set_priority: their order counts.

    Raises:
        TypeError: for anything else.

    Example:
        >>> with sdpa_kernel(SDPBackend.MATH):
        ...     _cur_sdpa_kernel_backends()
        [<SDPBackend.MATH: 0>]
    """
    chosen = [backends] if isinstance(backends, SDPBackend) else backends
    if not isinstance(chosen, (list, tuple)) or not all(isinstance(b, SDPBackend) for b in chosen):
        raise TypeError(message("sdpa_kernel", "Backend must be an instance of SDPBackend or a list of SDPBackend"))
    token = _chosen.set(tuple(dict.fromkeys(chosen)))
    try:
        yield
    finally:
        _chosen.reset(token)


def _cur_sdpa_kernel_backends(with_priority: bool = False) -> list[SDPBackend]:
    return list(_chosen.get())
