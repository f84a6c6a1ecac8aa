"""Conversions that are made of copies, and bodies that work on the tensor itself rather than on its elements."""

from __future__ import annotations

from typing import Any

from .. import functions as F
from ..kernels.conversion import complex_type
from ..layouts import is_contiguous
from ..tensor import Tensor


def contiguous(self: Tensor, *, memory_format: Any = None) -> Tensor:
    from ..layouts import contiguous_format

    if is_contiguous("contiguous", self._a, memory_format):
        return self
    return F.op_clone(self, memory_format=memory_format or contiguous_format)


def polar(abs: Tensor, angle: Tensor) -> Tensor:
    complex_type("polar", abs._a, angle._a)
    return F.op_complex(F.mul(abs, F.cos(angle)), F.mul(abs, F.sin(angle)))
