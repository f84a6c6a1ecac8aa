"""Sorting operators that are made of others."""

from __future__ import annotations

from .. import functions as F
from ..tensor import Tensor


def msort(self: Tensor) -> Tensor:
    return F.op_sort_stable(self, stable=None, dim=0)[0]
