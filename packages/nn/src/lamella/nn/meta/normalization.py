"""Shape rules and checks of normalisation."""

from __future__ import annotations

from typing import Any

from lamella.core.dtypes import float32
from lamella.dispatch.errors import message

from ..kernels.types import is_low, type_name


def check_layer(op: str, x: Any, shape: Any, weight: Any, bias: Any) -> None:
    """Refuse operands (arrays) of a norm over the last dimensions that do not fit together."""
    shape = tuple(shape)
    if not shape:
        raise RuntimeError(
            message(
                op,
                "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
                "element, but got normalized_shape = []",
            )
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and p.shape != shape:
            raise RuntimeError(
                message(
                    op,
                    f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                    f"{list(p.shape)} and normalized_shape = {list(shape)}",
                )
            )
    if x.ndim < len(shape) or x.shape[x.ndim - len(shape) :] != shape:
        raise RuntimeError(
            message(
                op,
                f"Given normalized_shape={list(shape)}, expected input with shape "
                f"[*, {', '.join(map(str, shape))}], but got input of size {list(x.shape)}",
            )
        )
    check_types(op, x, weight, bias)


def check_types(op: str, x: Any, *parameters: Any) -> None:
    """Real floating types only; parameters have the input's type, or float32 beside a 16-bit input."""
    if x.dtype.kind in "iubc":
        raise NotImplementedError(
            message(
                op,
                f"it is not implemented for '{type_name(x.dtype)}'",
                hint="convert the input to a floating type: x.float()",
            )
        )
    for p in parameters:
        if p is not None and p.dtype != x.dtype and not (is_low(x.dtype) and p.dtype.name == "float32"):
            raise RuntimeError(
                message(
                    op,
                    f"expected scalar type {type_name(x.dtype)} but found {type_name(p.dtype)}",
                    hint="input, weight, bias and running statistics need one type",
                )
            )


def check_group(x: Any, weight: Any, bias: Any, n: int, c: int, positions: int, group: int) -> None:
    """Refuse operands (arrays) of a group norm that do not fit together."""
    if group < 1 or c % group:
        raise RuntimeError(
            message(
                "group_norm",
                "Expected number of channels in input to be divisible by num_groups, but got "
                f"input of shape {list(x.shape)} and num_groups={group}",
            )
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and p.shape != (c,):
            raise RuntimeError(
                message(
                    "group_norm",
                    f"Expected {name} to be a vector of size equal to the number of channels "
                    f"in input, but got {name} of shape {list(p.shape)} and input of shape "
                    f"{list(x.shape)}",
                )
            )
    if x.size != n * c * positions:
        raise RuntimeError(
            message(
                "group_norm",
                "N * C * HxW must be the number of elements",
                {"input": list(x.shape), "N": n, "C": c, "HxW": positions},
            )
        )
    check_types("group_norm", x, weight, bias)


def _array(t: Any) -> Any:
    return None if t is None else t._a


def _stats_dtype(t: Any) -> Any:
    return float32 if is_low(t._a.dtype) else t.dtype


def _reduced(t: Any, shape: Any) -> tuple[int, ...]:
    return (*t._a.shape[: t._a.ndim - len(shape)], *[1] * len(shape))


def native_layer_norm(input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> Any:
    check_layer("layer_norm", input._a, normalized_shape, _array(weight), _array(bias))
    stats = (_reduced(input, normalized_shape), _stats_dtype(input))
    return (input._a.shape, input.dtype), stats, stats


def _like(needed: bool, t: Any, other: Any) -> Any:
    t = other if t is None else t
    return (t._a.shape, t.dtype) if needed else ((0,), t.dtype)


def native_layer_norm_backward(
    grad_out: Any, input: Any, normalized_shape: Any, mean: Any, rstd: Any, weight: Any, bias: Any, output_mask: Any
) -> Any:
    return tuple(_like(m, t, input) for m, t in zip(output_mask, (input, weight, bias), strict=True))


def _fused_rms_norm(input: Any, normalized_shape: Any, weight: Any, eps: Any) -> Any:
    check_layer("rms_norm", input._a, normalized_shape, _array(weight), None)
    return (input._a.shape, input.dtype), (_reduced(input, normalized_shape), _stats_dtype(input))


def _fused_rms_norm_backward(
    grad_out: Any, input: Any, normalized_shape: Any, rstd: Any, weight: Any, output_mask: Any
) -> Any:
    return tuple(_like(m, t, input) for m, t in zip(output_mask, (input, weight), strict=True))


def native_group_norm(input: Any, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float) -> Any:
    check_group(input._a, _array(weight), _array(bias), N, C, HxW, group)
    stats = ((N, group), _stats_dtype(input))
    return (input._a.shape, input.dtype), stats, stats


def native_group_norm_backward(
    grad_out: Any, input: Any, mean: Any, rstd: Any, weight: Any, N: int, C: int, HxW: int, group: int, output_mask: Any
) -> Any:
    kind = (input if weight is None else weight).dtype
    return (input._a.shape, input.dtype), ((C,), kind), ((C,), kind)
