"""How losses combine their elements."""

from __future__ import annotations

import warnings
from typing import Any

from lamella.autograd.grad_mode import is_grad_enabled
from lamella.core import functions as _core
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

CODES = {"none": 0, "mean": 1, "sum": 2}


def code(op: str, reduction: Any, size_average: Any = None, reduce: Any = None) -> int:
    """0, 1 or 2 for "none", "mean" or "sum" (or the number itself); the former arguments win where they are given.

    Raises:
        ValueError: for another word.
    """
    if size_average is not None or reduce is not None:
        reduction = legacy(op, size_average, reduce)
    number = reduction if reduction.__class__ is int and reduction in (0, 1, 2) else None
    found = CODES.get(reduction) if isinstance(reduction, str) else number
    if found is None:
        raise ValueError(message(op, f"{reduction} is not a valid value for reduction", hint="valid: none, mean, sum"))
    return found


def legacy(op: str, size_average: Any, reduce: Any) -> str:
    """The reduction that ``size_average`` and ``reduce`` stand for, with torch's warning."""
    average = size_average is None or size_average
    chosen = "none" if reduce is not None and not reduce else "mean" if average else "sum"
    warnings.warn(
        message(op, "size_average and reduce args will be deprecated", hint=f"use reduction={chosen!r} instead"),
        UserWarning,
        stacklevel=4,
    )
    return chosen


def reduced(losses: Any, how: int) -> Any:
    """The losses, their mean or their sum."""
    return losses if how == 0 else _core.mean(losses) if how == 1 else _core.sum(losses)  # type: ignore[attr-defined]


def constants(op: str, **arguments: Any) -> None:
    """Refuse arguments that require grad but get none."""
    for name, x in arguments.items():
        if x is not None and x._ag is not None and is_grad_enabled():
            raise RuntimeError(
                message(
                    op,
                    f"the function is not differentiable with respect to argument '{name}'",
                    hint=f"call {name}.detach() first",
                )
            )


def pair(op: str, input: Any, target: Any, warn: bool = True) -> tuple[Any, Any]:
    """Input and target of one shape and type: broadcast (with torch's warning) and promoted."""
    if not isinstance(input, Tensor) or not isinstance(target, Tensor):
        name, x = ("target", target) if isinstance(input, Tensor) else ("input", input)
        raise TypeError(message(op, f"argument '{name}' must be Tensor, not {type(x).__name__}"))
    if input._a.shape != target._a.shape:
        if warn:
            warnings.warn(
                message(
                    op,
                    f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). "
                    "This will likely lead to incorrect results due to broadcasting.",
                    hint="make them the same size",
                ),
                UserWarning,
                stacklevel=3,
            )
        input, target = _core.broadcast_tensors(input, target)  # type: ignore[attr-defined]
    return one_type(input, target)


def one_type(input: Any, target: Any) -> tuple[Any, Any]:
    """Both in the type that they promote to."""
    if input._a.dtype is not target._a.dtype:
        from lamella.core.promotion import result_type

        common = result_type(input, target)
        input = input if input.dtype is common else input.to(common)
        target = target if target.dtype is common else target.to(common)
    return input, target
