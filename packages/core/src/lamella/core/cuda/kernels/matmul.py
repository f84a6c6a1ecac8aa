"""Matrix products on a GPU: cuBLAS, through CuPy where it knows the type."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..products import narrow_product
from ..xp import CUPY


def product(xp: Any, a: Any, b: Any) -> Any:
    """``a @ b`` for any element type."""
    d = a.dtype
    if d.itemsize == 2 and d.kind not in "iu":
        return narrow_product(a, b)
    if d.kind == "b":
        raise NotImplementedError(message("matmul", "it is not implemented for bool tensors"))
    return CUPY.matmul(a, b)
