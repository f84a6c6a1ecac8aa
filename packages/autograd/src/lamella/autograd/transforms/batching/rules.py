"""Which rule an operator has."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from lamella.dispatch.custom import vmap_rules
from lamella.dispatch.registry import OpOverload

#: Modules of this package that hold rules for core's operators.
_HERE = ("elementwise", "along", "shapes", "products", "places", "randoms", "others")
_by_name: dict[str, Any] = {}
_memo: dict[OpOverload, Any] = {}
_loaded: set[str] = set()


def rule(*names: str) -> Callable[[Any], Any]:
    """Register ``fn(level, op, args, kwargs)`` for operators by name (``gather``, ``sum.dim_IntList``; of the namespace
    ``aten`` unless they say another one).
    """

    def register(fn: Any) -> Any:
        for name in names:
            _by_name[name if "::" in name else f"aten::{name}"] = fn
        _memo.clear()
        return fn

    return register


def rule_of(op: OpOverload) -> Any:
    """The rule that runs an operator on batched tensors."""
    if op.namespace != "aten" and op.name in vmap_rules:
        from .functions import run_registered

        return run_registered
    found = _memo.get(op)
    if found is None:
        _load(op.family)
        if "Generator" in op.source:
            from .randoms import guard

            guard()
        found = _by_name.get(op.name) or _generic(op)
        _memo[op] = found
    return found


def _generic(op: OpOverload) -> Any:
    from .elementwise import elementwise, elementwise_in_place, is_elementwise
    from .fallback import fallback, in_place

    if is_elementwise(op):
        return elementwise_in_place if op.opname.endswith("_") else elementwise
    return in_place if op.schema.is_inplace else fallback


def falls_back(op: OpOverload) -> bool:
    """Whether an operator has no rule of its own (an in-place one: neither it nor the one it stands for)."""
    from ..levels import functional
    from .fallback import fallback, in_place

    found = rule_of(op)
    if found is in_place:
        plain = functional(op)
        return plain is None or falls_back(plain)
    return found is fallback


def _load(family: str) -> None:
    """Import the modules with rules of the package that an operator's family belongs to."""
    if "" not in _loaded:
        _loaded.add("")
        for name in _HERE:
            import_module(f".{name}", __package__)
    package = family.rpartition(".")[0]
    if package and package not in _loaded:
        _loaded.add(package)
        if find_spec(f"{package}.batching") is not None:
            import_module(f"{package}.batching")
