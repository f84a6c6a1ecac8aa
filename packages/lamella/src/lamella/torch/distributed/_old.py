"""Names that torch.distributed keeps for old programs."""

from __future__ import annotations

import warnings
from typing import Any


class _ReduceOp:
    """`ReduceOp` by its name before torch 1.0."""

    def __getattr__(self, name: str) -> Any:
        from lamella.distributed import ReduceOp

        found = getattr(ReduceOp, name)
        warnings.warn("torch.distributed.reduce_op is deprecated, please use torch.distributed.ReduceOp instead",
                      FutureWarning, stacklevel=2)
        return found


reduce_op = _ReduceOp()
