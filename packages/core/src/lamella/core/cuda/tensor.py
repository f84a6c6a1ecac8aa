"""Tensors over arrays of CuPy."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.keys import DispatchKey, bit

from ..tensor import Tensor, wrap as _wrap

CUDA = bit(DispatchKey.CUDA)


def wrap(a: Any, ks: int = CUDA) -> Tensor:
    """A tensor over an array on a GPU."""
    return _wrap(a, ks)
