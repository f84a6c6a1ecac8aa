"""Tangents of operators that no general rule in `duals_rules` fits."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.registry import OpOverload

from ..formulas_reduction import logcumsumexp_weights
from .levels import TRANSFORM


def logcumsumexp(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Weighted sums of the tangent, with weights exp(x_j - y_i).

    Alone, positive and negative parts of the tangent are summed as logarithms. That has no derivative where the
    tangent is 0, so where derivatives may be asked for, all weights are computed.
    """
    x, t = level.primal(args[0]), level.tangent(args[0])
    dim = args[1] if len(args) > 1 else kwargs["dim"]
    y = op(x, dim)
    if x._a.ndim == 0:
        return y, [t]
    if not (x._ks | t._ks) & (AUTOGRAD_MASK | TRANSFORM) and x._a.dtype.kind != "c":
        up = op(F.log(F.clamp(t, min=0)) + x, dim)
        down = op(F.log(F.clamp(-t, min=0)) + x, dim)
        return y, [F.exp(up - y) - F.exp(down - y)]
    weights = logcumsumexp_weights(x, y, dim)
    return y, [(weights @ t.movedim(dim, -1).unsqueeze(-1)).squeeze(-1).movedim(-1, dim)]


RULES = {"aten::logcumsumexp": logcumsumexp}
