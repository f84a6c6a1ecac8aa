"""What a call would give, asked of the Meta kernels: shapes with numbers for symbols, and element types."""

from __future__ import annotations

from typing import Any

from lamella.core.meta import meta_array
from lamella.core.tensor import META, Tensor, wrap
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state

from ..loops.index import Expr, Var, substitute
from .calls import ROW_MAJOR
from .node import Graph, Node, Spec


def hints(graph: Graph) -> dict[Var, Any]:
    """A number for each symbol: the one that capture saw."""
    return {Var(name): value for name, (_, value) in graph.symbols.items()}


def infer(op: Any, args: Any, kwargs: dict[str, Any], numbers: dict[Var, Any] | None = None) -> Any:
    """The specs of a call's results.

    Args:
        op: the operator.
        args, kwargs: nested, with nodes for tensors.
        numbers: see `hints`.

    Returns:
        A `Spec`, None, or a nest of them as the operator returns.
    """
    numbers = numbers or {}
    if op.name in ROW_MAJOR and isinstance(args[0], Node):
        spec = args[0].spec
        first = Node("first", "call", spec=Spec.dense(spec.shape, spec.dtype, spec.device))
        args = (first, *args[1:])
    with state.masks(exclude=AUTOGRAD_MASK):
        result = op(*[_stand_in(a, numbers) for a in args], **{k: _stand_in(a, numbers) for k, a in kwargs.items()})
    return _specs(result, args)


def _stand_in(value: Any, numbers: dict[Var, Any]) -> Any:
    if isinstance(value, Node):
        return 1.5 if value.kind == "scalar" else meta_of(value.spec, numbers)
    if isinstance(value, Expr):
        return value.substitute(numbers)
    if isinstance(value, (list, tuple)):
        return type(value)([_stand_in(each, numbers) for each in value])
    if getattr(value, "type", None) == "cpu" and type(value).__name__ == "device":
        return type(value)("meta")
    return value


def meta_of(spec: Spec, numbers: dict[Var, Any] | None = None) -> Tensor:
    """A meta tensor as a spec says, with numbers for symbols."""
    shape, stride = (tuple([substitute(n, numbers or {}) for n in sizes]) for sizes in (spec.shape, spec.stride))
    return wrap(meta_array(shape, spec.dtype, stride), META)


def _specs(result: Any, args: Any) -> Any:
    if isinstance(result, Tensor):
        device = next((n.spec.device for n in args if isinstance(n, Node) and n.kind != "scalar"), result.device)
        return Spec(tuple(result.shape), tuple(result.stride()), result.dtype, device)
    if isinstance(result, (list, tuple)):
        return tuple(_specs(each, args) for each in result)
    return None
