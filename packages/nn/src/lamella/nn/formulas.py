"""Helpers that the derivative formulas of this package name."""

from __future__ import annotations

from typing import Any

from lamella.autograd.grad_mode import is_grad_enabled
from lamella.core.checks import followed
from lamella.core.tensor import Tensor
from lamella.dispatch.keys import AUTOGRAD_MASK, TRANSFORM_MASK


def recorded(*tensors: Any) -> bool:
    """Whether a backward pass is itself differentiated by one of these tensors.

    Then it takes formulas over plain operators instead of a fused kernel.
    """
    on = is_grad_enabled()
    for t in tensors:
        if isinstance(t, Tensor) and (on and t._ks & AUTOGRAD_MASK or t._ks & TRANSFORM_MASK and followed(t, on)):
            return True
    return False


def total(*terms: Any) -> Any:
    """The sum of the terms that are there, or None."""
    found: Any = None
    for t in terms:
        if t is not None:
            found = t if found is None else found + t
    return found
