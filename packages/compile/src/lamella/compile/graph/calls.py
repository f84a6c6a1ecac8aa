"""Calls in a functional graph of operators that write into their arguments.

Most in-place operators have a functional twin and do not occur in a functional graph. The others (optimizer steps,
running statistics, random numbers written into a tensor) stay as they are, and mean something else: the call leaves
its arguments alone and returns first those results that are not the written arguments themselves, then the new value
of each written tensor, in the order of the schema, lists flattened. ``node.spec`` is the tuple of all of these (also
where there is only one), and items select them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from .node import Node

Place = int | str
#: Operators that, in a functional graph, see their first operand's elements in row-major order, whatever its strides.
ROW_MAJOR = frozenset(("aten::view", "aten::view.dtype", "aten::view_as_complex", "aten::as_strided",
                       "aten::as_strided_scatter"))


@cache
def _written_places(op: Any) -> tuple[tuple[int, str], ...]:
    return tuple((i, a.name) for i, a in enumerate(op.schema.arguments) if a.is_write)


def written(op: Any, args: Any, kwargs: dict[str, Any]) -> Iterator[tuple[Place, Any]]:
    """The arguments that a call writes: (position or name, value); values are tensors or lists of them."""
    for at, name in _written_places(op):
        if at < len(args):
            if args[at] is not None:
                yield at, args[at]
        elif kwargs.get(name) is not None:
            yield name, kwargs[name]


def written_values(op: Any, args: Any, kwargs: dict[str, Any]) -> list[Any]:
    """The tensors (or nodes) that a call writes, lists flattened, in the order of the schema."""
    found: list[Any] = []
    for _, value in written(op, args, kwargs):
        if isinstance(value, (list, tuple)):
            found += value
        else:
            found.append(value)
    return found


@cache
def own_results(op: Any) -> tuple[int, ...]:
    """The numbers of the results that are not arguments which the operator writes."""
    aliased = op.schema.aliases()
    inside = set(op.schema.mutated_args)
    return tuple(i for i in range(len(op.schema.returns)) if not inside.intersection(aliased.get(i, ())))


def is_functional_call(node: Node) -> bool:
    """Whether a node is a writing operator's call that returns new values instead of writing."""
    if node.kind != "call" or not isinstance(node.spec, tuple) or not node.spec:
        return False
    schema = node.op.schema
    if not schema.is_mutable:
        return False
    return len(node.spec) == len(own_results(node.op)) + len(written_values(node.op, node.args, node.kwargs))


def writes(node: Node) -> bool:
    """Whether running a node as it stands changes its arguments."""
    return node.kind == "call" and node.op.schema.is_mutable and not is_functional_call(node)
