"""Linear maps over arrays."""

from __future__ import annotations

from math import prod
from typing import Any

from lamella.core.kernels.sums import ones_of
from lamella.dispatch.errors import message

from .types import F32, is_low, type_name


def linear(xp: Any, input: Any, weight: Any, bias: Any) -> Any:
    d = input.dtype
    if d is not weight.dtype and d != weight.dtype or input.ndim == 0 or not 0 < weight.ndim <= 2 or is_low(d):
        return _unusual(xp, input, weight, bias)
    try:
        if input.ndim <= 2:
            r = input.dot(weight.T)
        else:
            shape = input.shape
            r = input.reshape(prod(shape[:-1]), shape[-1]).dot(weight.T).reshape(shape[:-1] + weight.shape[:-1])
    except ValueError:
        raise _mismatch(input, weight) from None
    if bias is None:
        return r
    if bias.dtype is not d and bias.dtype != d:
        raise _types(d, bias.dtype)
    try:
        return xp.add(r, bias, r) if r.ndim else r + bias
    except (ValueError, TypeError):
        raise _bias_error(r, bias) from None


def _unusual(xp: Any, input: Any, weight: Any, bias: Any) -> Any:
    """Types without fast products, and arguments that have none at all."""
    if input.ndim == 0 or weight.ndim not in (1, 2):
        raise RuntimeError(
            message(
                "linear",
                "the input needs a dimension and the weight one or two",
                {"input": list(input.shape), "weight": list(weight.shape)},
            )
        )
    d = input.dtype
    if d != weight.dtype:
        raise _types(d, weight.dtype)
    wide = None if bias is None else bias.astype(F32)
    return linear(xp, input.astype(F32), weight.astype(F32), wide).astype(d)


def _types(one: Any, other: Any) -> Exception:
    rule = f"mat1 and mat2 must have the same dtype, but got {type_name(one)} and {type_name(other)}"
    return RuntimeError(message("linear", rule, hint="convert one of them with .to()"))


def _mismatch(input: Any, weight: Any) -> Exception:
    k = input.shape[-1]
    rows = input.size // k if k else 0
    right = "x".join(map(str, weight.T.shape))
    return RuntimeError(
        message(
            "linear",
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{k} and {right})",
            {"input": list(input.shape), "weight": list(weight.shape)},
            hint="the last dimension of the input must be the weight's last dimension",
        )
    )


def _bias_error(r: Any, bias: Any) -> Exception:
    if bias.dtype != r.dtype:
        return RuntimeError(
            message("linear", f"expected the bias to be {type_name(r.dtype)}, but got {type_name(bias.dtype)}")
        )
    return RuntimeError(
        message("linear", f"the bias of shape {list(bias.shape)} does not fit a result of shape {list(r.shape)}")
    )


def linear_backward(xp: Any, self: Any, grad_output: Any, weight: Any, output_mask: Any) -> Any:
    g, x = grad_output, self
    if g.dtype.kind == "c":
        x, weight = x.conj(), weight.conj()
    if is_low(g.dtype):
        made = linear_backward(xp, x.astype(F32), g.astype(F32), weight.astype(F32), output_mask)
        return tuple([None if m is None else m.astype(g.dtype) for m in made])
    if weight.ndim == 1:
        g = g.reshape(g.shape + (1,))
        weight = weight.reshape(1, -1)
        flat = True
    else:
        flat = False
    if g.ndim > 2:
        g = g.reshape(prod(g.shape[:-1]), g.shape[-1])
    gi = gw = gb = None
    if output_mask[0]:
        gi = g.dot(weight)
        if gi.shape != x.shape:
            gi = gi.reshape(x.shape)
    if output_mask[1]:
        if g.ndim == 1:
            gw = g[:, None] * x
        else:
            gw = g.T.dot(x if x.ndim == 2 else x.reshape(prod(x.shape[:-1]), x.shape[-1]))
        if flat:
            gw = gw.reshape(-1)
    if output_mask[2]:
        gb = g.copy() if g.ndim == 1 else column_sums(xp, g)
        if flat:
            gb = gb.reshape(())
    return gi, gw, gb


def column_sums(xp: Any, a: Any) -> Any:
    """Sums over the rows of a matrix: a product with ones, which for many rows costs half a reduction."""
    n = a.shape[0]
    if n < 16 or n > 65536 or a.dtype.kind != "f":
        return xp.add.reduce(a, 0)
    return ones_of(xp, n, a.dtype).dot(a)
