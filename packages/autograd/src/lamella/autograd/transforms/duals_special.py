"""Tangents of operators that no general rule in `duals_rules` fits."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor
from lamella.dispatch.keys import AUTOGRAD_MASK, TRANSFORM_MASK
from lamella.dispatch.registry import OpOverload

from ..formulas_reduction import logcumsumexp_weights
from .levels import invoke, map_call


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
    if not (x._ks | t._ks) & (AUTOGRAD_MASK | TRANSFORM_MASK) and x._a.dtype.kind != "c":
        up = op(F.log(F.clamp(t, min=0)) + x, dim)
        down = op(F.log(F.clamp(-t, min=0)) + x, dim)
        return y, [F.exp(up - y) - F.exp(down - y)]
    weights = logcumsumexp_weights(x, y, dim)
    return y, [(weights @ t.movedim(dim, -1).unsqueeze(-1)).squeeze(-1).movedim(-1, dim)]


def division(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The quotient rule."""
    y = level.call(op, args, kwargs)
    b = level.primal(args[1]) if isinstance(args[1], Tensor) else args[1]
    up = level.tangent(args[0]) if isinstance(args[0], Tensor) else None
    down = level.tangent(args[1]) if isinstance(args[1], Tensor) else None
    if down is not None:
        up = -(y * down) if up is None else up - y * down
    return y, [up / b]


def affine(bias: int, *factors: int) -> Any:
    """A rule for operators that are linear in the arguments at ``factors``, each alone, plus a bias."""

    def rule(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
        y = level.call(op, args, kwargs)
        primals, named = map_call(level.primal, args, kwargs)
        total = None
        for i in factors:
            t = level.tangent(args[i])
            if t is not None:
                here = tuple(t if j == i else None if j == bias else p for j, p in enumerate(primals))
                term = invoke(op, here, named)
                total = term if total is None else total + term
        t = level.tangent(args[bias]) if bias < len(args) and args[bias] is not None else None
        if t is not None:
            if str(op.name) == "aten::convolution":
                t = t.reshape((-1, *[1] * (y._a.ndim - 2)))
            total = t if total is None else total + t
        return y, [total]

    return rule


RULES = {"aten::logcumsumexp": logcumsumexp, "aten::div.Tensor": division, "aten::linear": affine(2, 0, 1),
         "aten::convolution": affine(2, 0, 1)}
