"""The table of rules: name of an overload -> function over a builder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rule = Callable[..., Any]
RULES: dict[str, Rule] = {}


class Keep(Exception):
    """Raised by a rule that does not cover a call: the call stays as it is. The text says why."""


class Eager(Keep):
    """Raised by a rule for a call that may be an error of the operator: the eager kernel takes it, or says so."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule for overloads.

    A rule is called with the `Builder` and the call's arguments in the schema's order, keyword-only ones by keyword;
    it declares the schema's defaults. It returns a value (a `Node`), or for an operator with several results a tuple
    (None for a result that was not asked for).

    Args:
        names: such as "aten::gelu" or "aten::sum.dim_IntList".
    """

    def put(fn: Rule) -> Rule:
        for name in names:
            RULES[name] = fn
        return fn

    return put
