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
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rule = Callable[..., Any]
RULES: dict[str, Rule] = {}


class Unsupported(Exception):
    """A rule does not cover a call; its text says why."""


def lowering(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule for overloads such as "aten::add.Tensor"; a later rule replaces an earlier one."""

    def put(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        return rule

    return put
