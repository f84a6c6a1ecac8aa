"""Kernels named by place (``"package.module:function"``) and imported when a call first needs them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from . import registry
from .conform import conform
from .errors import LamellaError, did_you_mean, message
from .keys import DispatchKey


def load(place: str, what: str = "kernel") -> Any:
    """Import ``"package.module:name"``.

    Raises:
        LamellaError: the module cannot be imported, or has no such name.

    Example:
        >>> load("math:sqrt")(9.0)
        3.0
    """
    module_name, _, name = place.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        rule = f"the {what}'s module cannot be imported"
        raise LamellaError(message(place, rule, str(error))) from error
    try:
        return getattr(module, name)
    except AttributeError:
        known = [each for each in vars(module) if not each.startswith("_")]
        rule = f"the {what}'s module has no {name!r}"
        raise LamellaError(message(place, rule, hint=did_you_mean(name, known))) from None


class LazyKernel:
    """A ``bind`` factory: imports the function at the first call and checks that it fits the schema."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __call__(self, op: registry.OpOverload, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
        return conform(load(self.place), op.schema)

    def __repr__(self) -> str:
        return f"LazyKernel({self.place!r})"


def declare(
    namespace: str,
    source: str,
    *,
    kernels: dict[str, str],
    fake: str | None = None,
    backward: str | None = None,
    setup_context: str | None = None,
    differentiable: bool = True,
    tags: tuple[str, ...] = (),
    where: str | None = None,
) -> registry.OpOverload:
    """Declare an operator with kernels that are imported later: what generated modules call.

    Args:
        namespace: the operator's namespace.
        source: its schema.
        kernels: dispatch key -> ``"module:function"``.
        fake: the rule for tensors without data.
        backward, setup_context: the gradient, as `register_autograd` takes it.
        differentiable: False where a gradient makes no sense.
        tags: names kept with the operator.
        where: the file and line it comes from.

    Example:
        >>> op = declare("doc_lazy", "root(float x) -> float", kernels={"CPU": "math:sqrt"})
        >>> op(16.0)
        4.0
    """
    op = registry.define(namespace, source, differentiable=differentiable, tags=tags, where=where)
    for key, place in kernels.items():
        op.register(key, LazyKernel(place), kind="bind", where=f"{place} ({where})" if where else place)
    if fake is not None:
        op.register(DispatchKey.Meta, LazyKernel(fake), kind="bind", where=f"{fake} ({where})" if where else fake)
    if backward is not None:
        from .custom import AutogradFormula, _FormulaKernel

        formula = AutogradFormula(_Later(backward), _Later(setup_context) if setup_context else None, where or backward)
        op.register(DispatchKey.Autograd, _FormulaKernel(formula), kind="bind", where=formula.where)
    return op


class _Later:
    """A function that is imported when it is called."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return load(self.place, "gradient")(*args, **kwargs)
