"""Shape rules and checks of batch normalisation."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .normalization import _array, _like, _stats_dtype, check_types


def check_running(op: str, name: str, p: Any, channels: int, written: bool = False) -> None:
    """Refuse running statistics that don't fit, or can't be ``written``: before either of them is."""
    if p.size != channels:
        raise RuntimeError(message(op, f"{name} should contain {channels} elements not {p.size}"))
    if p.ndim != 1:
        raise RuntimeError(message(op, f"{name} should have 1 dimension, but it has {p.ndim}", [list(p.shape)]))
    if p.dtype.kind in "biu":
        raise RuntimeError(message(op, f"{name} should be of a floating type, but it is of {p.dtype.name}"))
    if written and any(s == 0 and n > 1 for s, n in zip(p.strides, p.shape, strict=True)):
        raise RuntimeError(message(op, f"{name} refers to a single memory location more than once"))


def check(x: Any, weight: Any, bias: Any, mean: Any, var: Any) -> None:
    """Refuse operands (arrays) that do not fit together."""
    if x.ndim < 2:
        raise RuntimeError(
            message("batch_norm", f"expected at least a 2D input (N, C, *), but got {x.ndim}D", [list(x.shape)])
        )
    for name, p in (("running_mean", mean), ("running_var", var), ("weight", weight), ("bias", bias)):
        if p is not None and p.size != x.shape[1]:
            raise RuntimeError(message("batch_norm", f"{name} should contain {x.shape[1]} elements not {p.size}"))
    for name, p in (("running_mean", mean), ("running_var", var)):
        if p is not None:
            check_running("batch_norm", name, p, x.shape[1])
    check_types("batch_norm", x, weight, bias, mean, var)


def _batch_norm_training(input: Any, weight: Any, bias: Any, eps: float) -> Any:
    check(input._a, _array(weight), _array(bias), None, None)
    stats = (input._a.shape[1:2], _stats_dtype(input))
    return (input._a.shape, input.dtype), stats, stats, stats


def _batch_norm_inference(input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, eps: float) -> Any:
    check(input._a, _array(weight), _array(bias), running_mean._a, running_var._a)
    return input._a.shape, input.dtype


def native_batch_norm_backward(
    grad_out: Any,
    input: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Any,
    save_invstd: Any,
    train: bool,
    eps: float,
    output_mask: Any,
) -> Any:
    kind = (input if weight is None else weight).dtype
    c = input._a.shape[1:2]
    return _like(True, input, input), (c, kind), (c, kind)
