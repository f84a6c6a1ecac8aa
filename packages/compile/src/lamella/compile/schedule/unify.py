"""Finding how one loop's variables lie in another's, from a place that both touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..loops.index import Expr, Var
from .access import Access, Coefs, guess


@dataclass(frozen=True, slots=True)
class Refine:
    """A variable has to be taken apart first: ``var = outer * factor + inner``."""

    var: Var
    factor: Any


def divide(a: Any, b: Any) -> Any:
    """``a / b`` where that is exact, else None."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b if b and a % b == 0 else None
    if b == 1:
        return a
    quotient, rest = divmod_(a, b)
    return quotient if rest == 0 else None


def divmod_(a: Any, b: Any) -> tuple[Any, Any]:
    """Quotient and remainder of sizes."""
    if isinstance(a, int) and isinstance(b, Expr):
        return (0, a) if a else (0, 0)
    return a // b, a % b


def at_least(a: Any, b: Any) -> bool:
    """``a >= b``, with a guess for symbols."""
    return guess(a) >= guess(b)


def unify(target: Access, source: Access, known: dict[Var, Coefs]) -> dict[Var, Coefs] | Refine | None:
    """Solve ``source(own variables) == target(other variables)`` for the own ones.

    Args:
        target: a place over the other variables.
        source: the same place over own variables.
        known: own variables that are already solved.

    Returns:
        For each own variable of ``source`` that was not known a linear form of others, one to one; or a variable of
        the others' that has to be taken apart first; or None where there is no such solution.
    """
    if not (target.exact and source.exact) or target.rest != source.rest:
        return None
    left: Coefs = dict(target.coefs)
    for own, c in source.coefs.items():
        for v, d in known.get(own, {}).items():
            if left.pop(v, None) != c * d:
                return None
    unsolved = [v for v in source.coefs if v not in known]
    unsolved.sort(key=lambda v: -guess(source.coefs[v]))
    found: dict[Var, Coefs] = {v: {} for v in unsolved}
    for other, c in left.items():
        fit = _fit(other, c, unsolved, source.coefs)
        if fit is None or isinstance(fit, Refine):
            return fit
        found[fit[0]][other] = fit[1]
    if all(_one_to_one(v, form) for v, form in found.items()):
        return found
    return None


def _fit(other: Var, c: Any, unsolved: list[Var], coefs: Coefs) -> tuple[Var, Any] | Refine | None:
    """Which own variable takes a step of ``c`` (unsolved: largest step first), and how many of its steps that is."""
    for v in unsolved:
        step = coefs[v]
        ratio = divide(c, step)
        if ratio is None:
            continue
        reach = v.size * step
        if at_least(c, reach):
            return None
        if at_least(reach, c * other.size):
            return v, ratio
        factor = divide(reach, c)
        if factor is None or divide(other.size, factor) is None:
            return None
        return Refine(other, factor)
    # its step is finer than a boundary between own variables, so it crosses one
    return None


def _one_to_one(var: Var, form: Coefs) -> bool:
    """Whether a linear form takes each value of ``range(var.size)`` once."""
    reach: Any = 1
    left = dict(form)
    while left:
        for v, c in left.items():
            if c == reach:
                reach = c * v.size
                del left[v]
                break
        else:
            return False
    return bool(reach == var.size)
