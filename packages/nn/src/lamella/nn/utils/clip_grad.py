"""Limiting gradients."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable
from typing import Any

from lamella import core
from lamella.autograd import no_grad
from lamella.core import Tensor

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm"]


def _as_list(op: str, parameters: Any) -> list[Tensor]:
    if isinstance(parameters, Tensor):
        return [parameters]
    found = list(parameters)
    if not found and isinstance(parameters, types.GeneratorType):
        warnings.warn(
            f"{op}: `parameters` is an empty generator (perhaps used up before), no gradient clipping will occur.",
            stacklevel=3,
        )
    return found


def _norms(tensors: list[Tensor], norm_type: float) -> list[Tensor]:
    return [core.linalg_vector_norm(t, norm_type) for t in tensors]


@no_grad()
def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all elements of several tensors, as if they were one vector.

    Args:
        tensors: a tensor or several.
        norm_type: the p of the norm; may be `inf`.
        error_if_nonfinite: refuse a norm that is not finite.
        foreach: accepted; it changes nothing.

    Returns:
        A tensor without dimensions.

    Raises:
        RuntimeError: the norm is not finite and `error_if_nonfinite` is set.
    """
    items = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not items:
        return core.zeros(())
    where = items[0].device
    norms = [n if n.device == where else n.to(where) for n in _norms(items, norm_type)]
    total = core.linalg_vector_norm(core.stack(norms), norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"clip_grad_norm_: The total norm of order {norm_type} for gradients from `parameters` is non-finite, so "
            f"it cannot be clipped ({total.item()})\nhint: error_if_nonfinite=False scales by it anyway"
        )
    return total


@no_grad()
def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scales the gradients of `parameters`, in place, by max_norm / total_norm where that is below 1.

    Args:
        parameters: a parameter or several.
        max_norm: the largest norm allowed.
        total_norm: the norm that the gradients have.
        foreach: accepted; it changes nothing.
    """
    items: list[Any] = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    grads = [p.grad for p in items if p.grad is not None]
    if not grads:
        return
    factor = core.clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
    for g in grads:
        g.mul_(factor if g.device == factor.device else factor.to(g.device))


@no_grad()
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scales the gradients of `parameters`, in place, so that the norm of all of them is at most `max_norm`.

    Args:
        parameters: a parameter or several.
        max_norm: the largest norm allowed.
        norm_type: the p of the norm; may be `inf`.
        error_if_nonfinite: refuse a norm that is not finite.
        foreach: accepted; it changes nothing.

    Returns:
        The norm before clipping, a tensor without dimensions.

    Raises:
        RuntimeError: the norm is not finite and `error_if_nonfinite` is set.

    Example:
        >>> from lamella import core, nn
        >>> p = nn.Parameter(core.zeros(2))
        >>> p.grad = core.tensor([3.0, 4.0])
        >>> nn.utils.clip_grad_norm_(p, 1.0), p.grad
        (tensor(5.), tensor([0.6000, 0.8000]))
    """
    items = _as_list("clip_grad_norm_", parameters)
    grads = [p.grad for p in items if p.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(items, max_norm, total, foreach)
    return total


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The older name of `clip_grad_norm_`."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Limits every element of the gradients of `parameters`, in place, to [-clip_value, clip_value].

    Args:
        parameters: a parameter or several.
        clip_value: the bound.
        foreach: accepted; it changes nothing.
    """
    bound = float(clip_value)
    for p in _as_list("clip_grad_value_", parameters):
        if p.grad is not None:
            p.grad.clamp_(min=-bound, max=bound)
