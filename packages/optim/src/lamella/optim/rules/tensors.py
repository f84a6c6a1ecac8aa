"""Run rules over tensors by plain operators: any backend, visible to modes, differentiable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella import core
from lamella.core.tensor import Tensor

from .rule import Rule


class TensorMath:
    """The functions of ``xp`` over tensors. Scalars that depend on the step count are 0-d tensors."""

    @staticmethod
    def sqrt(a: Any) -> Any:
        """Return the square root."""
        return a.sqrt()

    @staticmethod
    def abs(a: Any) -> Any:
        """Return the absolute value."""
        return a.abs()

    @staticmethod
    def sign(a: Any) -> Any:
        """Return -1, 0 or 1."""
        return a.sign()

    @staticmethod
    def where(condition: Any, a: Any, b: Any) -> Any:
        """Choose element by element."""
        return core.where(condition, a, b)  # type: ignore[attr-defined]

    @staticmethod
    def raise_to(a: Any, b: Any) -> None:
        """Set ``a`` to the larger of ``a`` and ``b``."""
        a.copy_(core.maximum(a, b))  # type: ignore[attr-defined]

    @staticmethod
    def clip(a: Any, low: float, high: float) -> None:
        """Keep ``a`` between ``low`` and ``high``."""
        a.clamp_(low, high)

    @staticmethod
    def assign(a: Any, b: Any) -> None:
        """Copy ``b`` into ``a``."""
        a.copy_(b)

    @staticmethod
    def select(condition: Any, a: Any, b: Any) -> Any:
        """Choose between two scalars."""
        if not isinstance(condition, Tensor):
            return a if condition else b
        kept = [x if isinstance(x, Tensor) else core.full_like(condition, x, dtype=core.float64) for x in (a, b)]
        return core.where(condition, *kept)  # type: ignore[attr-defined]

    @staticmethod
    def biggest(a: Any, b: Any) -> Any:
        """Return the larger of two scalars."""
        return b.clamp(min=a) if isinstance(b, Tensor) else max(a, b)


def update_tensors(rule: Rule, lists: Sequence[Sequence[Tensor]], options: dict[str, Any]) -> None:
    """Apply a rule to lists of tensors in the order of its schema."""
    first_count = 2 + len(rule.states)
    for i, p in enumerate(lists[0]):
        counts = [column[i] for column in lists[first_count:]]
        # Powers of 0.999 lose half of their digits in float32.
        wide = tuple([c.to(core.float64) for c in counts])
        k, later = rule.scalars(TensorMath, wide, options)
        arrays = [column[i] if column else None for column in lists[:first_count]]
        if p.is_complex():
            arrays = [None if a is None else core.view_as_real(a) for a in arrays]
        rule.update(TensorMath, arrays[0], arrays[1], arrays[2:], k, options)
        for count, value in zip(counts, later):
            count.copy_(value)
