"""Tensors over arrays of CuPy."""

from __future__ import annotations

from typing import Any

from ..tensor import CUDA, Tensor, wrap as _wrap


def wrap(a: Any, ks: int = CUDA) -> Tensor:
    """A tensor over an array on a GPU."""
    return _wrap(a, ks)
