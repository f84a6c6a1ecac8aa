"""Shape rules of matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels import matmul as k
from ..promotion import result_dtype
from ..tensor import Tensor


def mm(self: Tensor, mat2: Tensor) -> Any:
    k.check_mm("mm", self._a, mat2._a)
    return (self._a.shape[0], mat2._a.shape[1]), self.dtype


def bmm(self: Tensor, mat2: Tensor) -> Any:
    k.check_bmm("bmm", self._a, mat2._a)
    return (*self._a.shape[:2], mat2._a.shape[2]), self.dtype


def mv(self: Tensor, vec: Tensor) -> Any:
    matmul(self, vec)
    return self._a.shape[:1], self.dtype


def dot(self: Tensor, tensor: Tensor) -> Any:
    k._check_dot("dot", self._a, tensor._a)
    return (), self.dtype


def vdot(self: Tensor, other: Tensor) -> Any:
    return dot(self, other)


def matmul(self: Tensor, other: Tensor) -> Any:
    a, b = self._a.shape, other._a.shape
    k._same_type("matmul", self._a, other._a)
    if not a or not b or a[-1] != b[-2 if len(b) > 1 else 0]:
        raise k.matmul_error(self._a, other._a)
    try:
        lead = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise k.matmul_error(self._a, other._a) from None
    return (*lead, *a[-2:-1], *(b[-1:] if len(b) > 1 else ())), self.dtype


def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return mm(mat1, mat2)


def addmv(self: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return mv(mat, vec)


def addr(self: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return (vec1._a.shape[0], vec2._a.shape[0]), result_dtype(self, vec1, vec2)


def baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return bmm(batch1, batch2)


def addbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return (batch1._a.shape[1], batch2._a.shape[2]), self.dtype
