"""Indexing operators that are made of others."""

from __future__ import annotations

from lamella.dispatch.errors import message

from .. import functions as F
from ..tensor import CPU, Tensor


def take_along_dim(self: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    if dim is None:
        return F.op_gather(F.op_reshape(self, (-1,)), 0, F.op_reshape(indices, (-1,)))
    a, b = self._a, indices._a
    if a.ndim != b.ndim:
        raise RuntimeError(
            message(
                "take_along_dim",
                "torch.take_along_dim(): input and indices should have the same number of "
                f"dimensions, but got {a.ndim} dimensions for input, and {b.ndim} "
                "dimensions for indices",
            )
        )
    if b.dtype.kind != "i" or b.dtype.itemsize != 8:
        raise RuntimeError(
            message(
                "take_along_dim",
                f"torch.take_along_dim(): dtype of indices should be Long but got {indices.dtype.name}",
            )
        )
    from ..checks import wrap_dim

    dim = wrap_dim("take_along_dim", dim, a.ndim)
    if indices._ks != CPU or b.size and b.min() < 0:
        n = a.shape[dim] if a.ndim else 1
        indices = F.op_where_self(F.lt(indices, 0), F.add(indices, n), indices)
    if not a.ndim:
        return F.op_gather(self, dim, indices)
    import numpy as np

    rest = list(a.shape), list(b.shape)
    rest[0][dim] = rest[1][dim] = 1
    try:
        common = list(np.broadcast_shapes(*map(tuple, rest)))
    except ValueError:
        raise RuntimeError(
            message(
                "take_along_dim",
                "the shapes cannot be broadcast together",
                {"input": list(a.shape), "indices": list(b.shape)},
            )
        ) from None
    mine, theirs = list(common), list(common)
    mine[dim], theirs[dim] = a.shape[dim], b.shape[dim]
    return F.op_gather(F.op_expand(self, mine), dim, F.op_expand(indices, theirs))
