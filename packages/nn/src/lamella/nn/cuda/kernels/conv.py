"""Images are computed in large batches."""

from __future__ import annotations

__all__ = ["_batches"]

_ROOM = 1 << 26


def _batches(n: int, each: int) -> list[slice]:
    """Images in blocks whose columns, ``each`` elements an image, take some hundred megabytes."""
    step = max(_ROOM // max(each, 1), 1)
    return [slice(i, i + step) for i in range(0, n, step)] if n > step else [slice(0, n)]
