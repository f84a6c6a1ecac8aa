"""Rules that lower operators: name of an overload -> function.

    @lowering("aten::mm")
    def mm(lo, node, a, b):
        left, right = lo.realize(a), lo.realize(b)
        out = lo.new_buffer(node.spec.dtype.name, node.spec.shape)
        lo.add_step(Native([out], [left, right], "gemm", [out, left, right, ...], "gemm.h"))
        return out

A rule gets the `Lowering` at work, the graph's node (``node.spec``: shapes and types of the result), and the node's
arguments in the schema's order with `Value` in place of nodes (also inside lists) and defaults left out where the call
left them out; keyword-only arguments by keyword. It returns a `Value` or a `Buffer`, a tuple of those (and None) for an
operator with several results. To refuse a call it raises ``Unsupported(reason)``, before it added any step: the
eager kernel is then called.

Rules of ``lower/rules`` hold for every target; those of ``compile/templates`` and ``compile/templates/cuda`` call
functions of one target's headers: ``@lowering("aten::mm", target="cuda")``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rule = Callable[..., Any]
RULES: dict[str, Rule] = {}


class Unsupported(Exception):
    """A rule does not cover a call; its text says why."""


#: Rules of one target alone; they come before those that hold for all.
OWN: dict[str, dict[str, Rule]] = {"cpp": {}, "cuda": {}}


def lowering(*names: str, target: str = "") -> Callable[[Rule], Rule]:
    """Register a rule for overloads such as "aten::add.Tensor"; a later rule replaces an earlier one.

    Args:
        names: of the overloads. target: whose rule it is alone ("cpp", "cuda").
    """

    def put(rule: Rule) -> Rule:
        for name in names:
            (OWN[target] if target else RULES)[name] = rule
        return rule

    return put


def rule_of(name: str, target: str = "cpp") -> Rule | None:
    """The rule that lowers an overload for a target, or None."""
    return OWN[target].get(name) or RULES.get(name)


def reads_memory(name: str, target: str) -> bool:
    """Whether what an overload's rule makes can only read memory: a call of a function, not a loop."""
    return name in OWN[target]
