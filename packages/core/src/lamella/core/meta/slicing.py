"""Shape rules of copies in which a part is replaced, and of the gradients of parts."""

from __future__ import annotations

from typing import Any

from ..kernels.slicing import planes
from ..tensor import Tensor
from . import same

slice_scatter = select_scatter = diagonal_scatter = same


def diag_embed(self: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    n = self._a.ndim + 1
    i, j = planes("diag_embed", self._a, dim1, dim2, n)
    size = self._a.shape[-1] + abs(offset)
    rest = list(self._a.shape[:-1])
    return [size if k in (i, j) else rest.pop(0) for k in range(n)], self.dtype


def select_backward(grad_output: Tensor, input_sizes: Any, *_: Any) -> Any:
    return tuple(input_sizes), grad_output.dtype


def unfold_backward(grad_in: Tensor, input_sizes: Any, *_: Any) -> Any:
    return tuple(input_sizes), grad_in.dtype


slice_backward = diagonal_backward = select_backward
