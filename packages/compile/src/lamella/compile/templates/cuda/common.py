"""What the kernels of templates say about themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...loops.index import product
from ...loops.ir import Buffer, itemsize
from ...schedule.access import guess
from ...schedule.report import amount


def about(read: Sequence[Buffer], written: Sequence[Buffer], operations: Any) -> tuple[str, ...]:
    """The lines of a kernel's comment.

    Args:
        read, written: what it reads and writes as a whole. operations: about how many it does.
    """
    return (moved(_bytes(read), _bytes(written), operations),)


def moved(read: Any, written: Any, operations: Any) -> str:
    """Bytes read and written, and operations, in words."""
    return f"{amount(guess(read))} read, {amount(guess(written))} written, {guess(operations):,} operations"


def _bytes(buffers: Sequence[Buffer]) -> Any:
    return sum(guess(product(list(b.shape))) * itemsize(b.dtype) for b in dict.fromkeys(buffers))
