"""Does a Python function fit a schema? Checked when it is registered, not when it is first called.

Operators call kernels with schema-order positionals and keyword-only arguments by name, and may leave defaults out. A
function that takes the same arguments in another order is called by name; one that lacks the schema's defaults gets
them filled in.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from .errors import RegistrationError, did_you_mean, message
from .schema import Schema, Symbol
from .schema_bind import default_of

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class _Shape:
    """A function's parameters, sorted by kind."""

    def __init__(self, parameters: Iterable[inspect.Parameter]) -> None:
        every = list(parameters)
        self.positional = [p for p in every if p.kind in _POSITIONAL]
        self.keyword = [p for p in every if p.kind is inspect.Parameter.KEYWORD_ONLY]
        self.star = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in every)
        self.double_star = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in every)
        self.by_name = {p.name: p for p in every if p.kind in (*_POSITIONAL[1:], inspect.Parameter.KEYWORD_ONLY)}


def conform(fn: Callable[..., Any], schema: Schema, *, role: str = "kernel", leading: int = 0) -> Callable[..., Any]:
    """Return ``fn``, or a wrapper that calls it so that it fits ``schema``.

    Args:
        fn: the function to be registered.
        schema: the operator's schema.
        role: what the function is, for messages.
        leading: how many parameters come before the operator's own (a key set, a context).

    Raises:
        RegistrationError: no call of the operator could reach the function as it is written.

    Example:
        >>> from lamella.dispatch.schema import parse
        >>> swapped = conform(lambda b, a: a - b, parse("f(int a, int b) -> int"))
        >>> swapped(5, 3)
        2
    """
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return fn  # a C function does not say what it takes
    shape = _Shape(parameters)
    if len(shape.positional) < leading and not shape.star:
        rule = f"the {role} must take {leading} argument{'s' * (leading > 1)} before the operator's own"
        raise RegistrationError(message(schema.full_name, rule, details=_details(fn, schema)))
    shape.positional = shape.positional[leading:]
    fault = _missing(shape, schema) or _extra(shape, schema)
    if fault is not None:
        rule, hint = fault
        raise RegistrationError(
            message(schema.full_name, f"the {role} {rule}", details=_details(fn, schema), hint=hint)
        )
    if _needs_names(fn, shape, schema, role):
        fn = _by_name(fn, [a.name for a in schema.positional], leading)
    return _fill(fn, shape, schema, leading)


def _details(fn: Callable[..., Any], schema: Schema) -> list[str]:
    code = getattr(fn, "__code__", None)
    place = f" at {code.co_filename}:{code.co_firstlineno}" if code else ""
    name = getattr(fn, "__name__", "function")
    return [f"function: {name}{inspect.signature(fn)}{place}", f"schema: {schema}"]


def _missing(shape: _Shape, schema: Schema) -> tuple[str, str | None] | None:
    """An argument of the operator that the function has no place for."""
    positional = schema.positional
    if len(shape.positional) < len(positional) and not shape.star:
        lost = [
            a.name for a in positional[len(shape.positional) :] if a.name not in shape.by_name and not shape.double_star
        ]
        taken = {p.name for p in shape.positional}
        unnamed = [a.name for a in positional if a.name not in taken and a.name not in shape.by_name]
        if lost:
            name = (unnamed or lost)[0]
            return f"does not take argument {name!r}", "it must take every argument of the schema"
    for argument in schema.keyword_only:
        if argument.name not in shape.by_name and not shape.double_star:
            known = list(shape.by_name)
            hint = did_you_mean(argument.name, known) if known else None
            return f"does not take keyword-only argument {argument.name!r}", hint
    return None


def _extra(shape: _Shape, schema: Schema) -> tuple[str, str | None] | None:
    """A required parameter that no argument of the operator fills."""
    names = {a.name for a in schema.arguments}
    count = len(schema.positional)
    if any(a.name not in {p.name for p in shape.positional} for a in schema.positional):
        beyond = [p for p in shape.positional[count:] if p.name not in names]
    else:
        beyond = [p for p in shape.positional if p.name not in names]
    beyond += [p for p in shape.keyword if p.name not in names]
    for parameter in beyond:
        if parameter.default is inspect.Parameter.empty:
            hint = did_you_mean(parameter.name, sorted(names))
            return f"wants an argument {parameter.name!r} that the schema does not have", hint
    return None


def _needs_names(fn: Callable[..., Any], shape: _Shape, schema: Schema, role: str) -> bool:
    """Whether positions and names disagree, so that the call must go by name."""
    wanted = [a.name for a in schema.positional]
    own = [p.name for p in shape.positional][: len(wanted)]
    moved = [name for place, name in enumerate(own) if name != wanted[place] and name in wanted]
    moved += [p.name for p in shape.keyword if p.name in wanted]
    if not moved and (len(own) == len(wanted) or shape.star):
        return False  # the same names, or names of its own: position decides
    if shape.double_star or all(name in shape.by_name for name in wanted):
        return True
    rule = f"the {role} has {(moved or wanted)[0]!r} in another place than the schema, and not all names agree"
    raise RegistrationError(
        message(schema.full_name, rule, details=_details(fn, schema), hint="use the schema's names, in any order")
    )


def _by_name(fn: Callable[..., Any], names: list[str], leading: int) -> Callable[..., Any]:
    def by_name(*args: Any, **kwargs: Any) -> Any:
        return fn(*args[:leading], **dict(zip(names, args[leading:])), **kwargs)

    return _like(by_name, fn)


def _fill(fn: Callable[..., Any], shape: _Shape, schema: Schema, leading: int) -> Callable[..., Any]:
    """Give the function the schema's defaults where it has none or others."""
    own = {p.name: p.default for p in [*shape.positional, *shape.keyword]}
    for parameter, argument in zip(shape.positional, schema.positional):
        own.setdefault(argument.name, parameter.default)  # the function calls it something else
    if not any(_differs(own.get(a.name, _EMPTY), a.default_value) for a in schema.arguments if a.has_default_value()):
        return fn
    values = [default_of(a) if a.has_default_value() else None for a in schema.positional]
    count = len(values) + leading
    padded = [None] * leading + values
    keywords = [(a.name, default_of(a)) for a in schema.keyword_only if a.has_default_value()]

    def filled(*args: Any, **kwargs: Any) -> Any:
        if len(args) < count:
            args = (*args, *padded[len(args) :])
        for name, value in keywords:
            if name not in kwargs:
                kwargs[name] = value
        return fn(*args, **kwargs)

    return _like(filled, fn)


_EMPTY = inspect.Parameter.empty


def _differs(own: Any, wanted: Any) -> bool:
    if own is _EMPTY:
        return True
    if isinstance(wanted, Symbol):
        return False
    if isinstance(wanted, list):
        if isinstance(own, (int, float)):  # `stride=1` for `int[2] stride=1`
            own = [own] * len(wanted)
        return not isinstance(own, (list, tuple)) or list(own) != wanted
    return type(own) is not type(wanted) or own != wanted


def _like(wrapper: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    wrapper.__wrapped__ = fn  # type: ignore[attr-defined]
    wrapper.__name__ = getattr(fn, "__name__", "kernel")
    wrapper.__doc__ = fn.__doc__
    return wrapper
