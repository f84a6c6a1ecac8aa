"""What a call means under a schema: arguments sorted, counted, checked against their types, and named when wrong."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

from . import adapter
from .errors import did_you_mean, message
from .schema import Argument, Schema, Symbol, Type


class _Refused(Exception):
    """A value is of no use for a type; carries what it would have to be."""


Converter = Callable[[Any, bool], Any]


def _is_number(value: Any) -> bool:
    if isinstance(value, (int, float, complex)):
        return True
    kind = type(value)
    # NumPy's scalars, told by module so that NumPy need not be imported
    return kind.__module__ == "numpy" and hasattr(kind, "item") and getattr(value, "ndim", 0) == 0


def _single(value: Any) -> bool:
    """Whether ``value`` is a tensor of one element and no dimensions, which stands for a number."""
    return adapter.current.is_tensor(value) and getattr(value, "ndim", None) == 0


def _index(value: Any, loose: bool) -> Any:
    if type(value) is int:
        return value
    if not isinstance(value, bool) and not (_is_tensor(value) and not _single(value)):
        try:
            return operator.index(value)
        except TypeError:
            if hasattr(value, "node"):  # a symbolic size
                return value
    raise _Refused


def _float(value: Any, loose: bool) -> Any:
    if isinstance(value, (float, int)) or (_is_number(value) and not isinstance(value, complex)) or _single(value):
        return value
    raise _Refused


def _scalar(value: Any, loose: bool) -> Any:
    if _is_number(value) or _single(value):
        return value
    raise _Refused


def _bool(value: Any, loose: bool) -> Any:
    if value is True or value is False:
        return value
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise _Refused


def _str(value: Any, loose: bool) -> Any:
    if isinstance(value, str):
        return value
    raise _Refused


def _tensor(value: Any, loose: bool) -> Any:
    if _is_tensor(value) or (loose and _is_number(value)):
        return value
    raise _Refused


def _is_tensor(value: Any) -> bool:
    return adapter.current.is_tensor(value)


def _opaque(base: str) -> Converter:
    def convert(value: Any, loose: bool) -> Any:
        check = adapter.current.checks.get(base)
        if value is None or (not check(value) if check is not None else _is_tensor(value)):
            raise _Refused
        return value

    return convert


_BASE: dict[str, Converter] = {
    "Tensor": _tensor,
    "Scalar": _scalar,
    "complex": _scalar,
    "int": _index,
    "SymInt": _index,
    "DeviceIndex": _index,
    "float": _float,
    "SymFloat": _float,
    "bool": _bool,
    "SymBool": _bool,
    "str": _str,
    "Any": lambda value, loose: value,
}


@cache
def converter(type_: Type) -> Converter:
    """Return the function that checks a value for a type and returns it in the form kernels get."""
    if type_.is_optional:
        inner = converter(type_.required)
        return lambda value, loose: None if value is None else inner(value, loose)
    if not type_.is_list:
        return _BASE.get(type_.base) or _opaque(type_.base)
    inner, size = converter(type_.elem), type_.size

    def convert(value: Any, loose: bool) -> Any:
        if isinstance(value, (list, tuple)):
            if inner is _index:
                for item in value:
                    if type(item) is not int:
                        return [inner(item, loose) for item in value]
                return value
            return [inner(item, loose) for item in value]
        if size is not None and not isinstance(value, str):
            return [inner(value, loose)] * size
        raise _Refused

    return convert


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)) and value:
        kinds = list(dict.fromkeys(_shown(item) for item in value))
        return f"{type(value).__name__} of {', '.join(kinds[:3])}"
    return type(value).__name__


def default_of(argument: Argument) -> Any:
    """A default's value; names such as ``contiguous_format`` are resolved by the package that owns them."""
    value = argument.default_value
    if isinstance(value, Symbol):
        return adapter.current.constant(argument.type.base, value)
    return list(value) if isinstance(value, list) else value


class _Plan:
    """A schema's arguments in the form that a call needs."""

    __slots__ = ("convert", "count", "names", "positional", "keyword", "required", "loose")

    def __init__(self, schema: Schema) -> None:
        self.positional = schema.positional
        self.keyword = schema.keyword_only
        self.names = tuple(a.name for a in self.positional)
        self.count = len(self.names)
        self.convert = {a.name: converter(a.type) for a in schema.arguments}
        self.required = tuple(a.name for a in self.keyword if not a.has_default_value())
        self.loose = schema.namespace == "aten"


def bind(
    schema: Schema, args: tuple[Any, ...], kwargs: dict[str, Any], *, fill: bool, strict: bool
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Do the work of `Schema.bind`."""
    plan = schema._plan
    if plan is None:
        plan = _Plan(schema)
        object.__setattr__(schema, "_plan", plan)
    if len(args) > plan.count:
        _too_many(schema, plan, args)
    loose = plan.loose and not strict
    left = dict(kwargs)
    out: list[Any] = []
    gap: list[Any] = []  # defaults that only matter if a later argument is given
    for position, argument in enumerate(plan.positional):
        name = argument.name
        if position < len(args):
            if name in left:
                _fail(schema, f"argument {name!r} is given by position and by keyword", f"position {position + 1}")
            value = args[position]
        elif name in left:
            value = left.pop(name)
        elif argument.has_default_value():
            gap.append(default_of(argument))
            continue
        else:
            _missing(schema, argument, position, left)
        try:
            value = plan.convert[name](value, loose)
        except _Refused:
            _wrong_type(schema, argument, position, value)
        out += gap
        gap.clear()
        out.append(value)
    if fill:
        out += gap
    return tuple(out), _bind_keywords(schema, plan, left, fill, loose)


def _bind_keywords(schema: Schema, plan: _Plan, left: dict[str, Any], fill: bool, loose: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for argument in plan.keyword:
        name = argument.name
        if name in left:
            value = left.pop(name)
            try:
                found[name] = plan.convert[name](value, loose)
            except _Refused:
                _wrong_type(schema, argument, None, value)
        elif not argument.has_default_value():
            _missing(schema, argument, None, left)
        elif fill:
            found[name] = default_of(argument)
    if left:
        name = next(iter(left))
        known = [a.name for a in schema.arguments]
        _fail(schema, f"unexpected keyword argument {name!r}", hint=did_you_mean(name, known))
    return found


def _fail(schema: Schema, rule: str, values: str = "", hint: str | None = None) -> None:
    raise TypeError(message(schema.full_name, rule, values, details=[f"schema: {schema}"], hint=hint))


def _missing(schema: Schema, argument: Argument, position: int | None, left: dict[str, Any]) -> None:
    known = [a.name for a in schema.arguments]
    stray = next((name for name in left if name not in known), None)
    hint = None
    if stray is not None:
        close = did_you_mean(stray, known)
        hint = f"keyword {stray!r} is unknown; " + close
    where = "keyword-only" if position is None else f"position {position + 1}"
    _fail(schema, f"missing argument {argument.name!r}", f"{argument.type}, {where}", hint)


def _too_many(schema: Schema, plan: _Plan, args: tuple[Any, ...]) -> None:
    rule = f"takes {plan.count} positional argument{'s' * (plan.count != 1)}, not {len(args)}"
    hint = None
    if plan.keyword:
        hint = "keyword-only: " + ", ".join(a.name for a in plan.keyword)
    _fail(schema, rule, hint=hint)


def _wrong_type(schema: Schema, argument: Argument, position: int | None, value: Any) -> None:
    type_ = argument.type
    size = type_.size
    hint = None
    if type_.base == "Tensor" and _is_number(value):
        hint = "wrap the number in a tensor"
    if type_.is_list and not isinstance(value, (list, tuple)) and size is None:
        hint = f"pass a list or a tuple of {type_.elem}"
    where = "keyword" if position is None else f"position {position + 1}"
    _fail(schema, f"argument {argument.name!r} must be {type_}, not {_shown(value)}", where, hint)
