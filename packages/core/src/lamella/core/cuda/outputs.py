"""Where results go on a GPU."""

from __future__ import annotations

from typing import Any


def is_writable(a: Any) -> bool:
    """Whether each element of ``a`` has memory of its own (CuPy has no read-only arrays)."""
    return not any(s == 0 and n > 1 and a.size for s, n in zip(a.strides, a.shape, strict=True))
