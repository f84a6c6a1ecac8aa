"""Operators of this family that are made of others."""

from __future__ import annotations

from .. import functions as F
from ..tensor import Tensor


def argwhere(self: Tensor) -> Tensor:
    return F.op_nonzero(self)
