"""A schema from a Python function's annotations."""

from __future__ import annotations

import collections.abc
import inspect
import numbers
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from . import adapter
from .errors import message

_SCALARS: dict[Any, str] = {
    int: "SymInt",
    float: "float",
    bool: "bool",
    str: "str",
    complex: "Scalar",
    numbers.Number: "Scalar",
}
_LISTABLE = ("Tensor", "SymInt", "float", "bool", "Scalar")
_UNIONS = (typing.Union, types.UnionType)


def infer_schema(
    prototype_function: Callable[..., Any],
    /,
    *,
    mutates_args: str | Iterable[str],
    op_name: str | None = None,
    tags: Any = (),
) -> str:
    """Write the schema that a function's annotations say.

    Args:
        prototype_function: every parameter and the return annotated: tensors, ``int``, ``float``, ``bool``, ``str``,
            numbers, dtypes, devices, their optionals and lists.
        mutates_args: names of the parameters that the function writes into, or ``"unknown"`` for all tensors.
        op_name: put before the signature.
        tags: accepted as torch does.

    Returns:
        The schema, ``"(Tensor x, SymInt n=1) -> Tensor"``.

    Raises:
        ValueError: an annotation is missing or stands for nothing in a schema; ``mutates_args`` names no parameter.

    Example:
        >>> def repeat(word: str, times: int = 2) -> int: ...
        >>> infer_schema(repeat, mutates_args=())
        '(str word, SymInt times=2) -> SymInt'
    """
    name = getattr(prototype_function, "__name__", "function")
    try:
        signature = inspect.signature(prototype_function, eval_str=True)
    except NameError as error:
        rule = "an annotation names something that does not exist"
        raise ValueError(message(f"infer_schema({name})", rule, str(error))) from None
    mutated = _mutated(mutates_args, signature, name)
    every = mutated is None
    parts: list[str] = []
    star = False
    for number, parameter in enumerate(signature.parameters.values()):
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            _fail(name, "positional-only parameters, *args and **kwargs have no schema", signature)
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            star = True
            parts.append("*")
        parts.append(_parameter(name, signature, parameter, number, every, mutated or ()))
    returns = _returns(name, signature)
    return f"{op_name or ''}({', '.join(parts)}) -> {returns}"


def _fail(name: str, rule: str, signature: inspect.Signature, hint: str | None = None) -> typing.NoReturn:
    details = [f"  signature: {signature}"]
    raise ValueError(message(f"infer_schema({name})", rule, details=details, hint=hint))


def _mutated(mutates: str | Iterable[str], signature: inspect.Signature, name: str) -> tuple[str, ...] | None:
    if isinstance(mutates, str):
        if mutates == "unknown":
            return None
        rule = f"mutates_args is a sequence of names, or the string 'unknown', not {mutates!r}"
        _fail(name, rule, signature, f"mutates_args=({mutates!r},)")
    names = tuple(mutates)
    absent = [each for each in names if each not in signature.parameters]
    if absent:
        from .errors import did_you_mean

        hint = did_you_mean(str(absent[0]), signature.parameters)
        _fail(name, f"mutates_args names {absent[0]!r}, which is no parameter", signature, hint)
    return names


def _parameter(
    name: str,
    signature: inspect.Signature,
    parameter: inspect.Parameter,
    number: int,
    every: bool,
    mutated: tuple[str, ...],
) -> str:
    if parameter.annotation is inspect.Parameter.empty:
        _fail(name, f"parameter {parameter.name!r} has no type annotation", signature)
    spelled = schema_type(parameter.annotation)
    if spelled is None:
        shown = _show(parameter.annotation)
        hint = "use Tensor, int, float, bool, str, numbers, a dtype or a device, alone, optional or in a list"
        if parameter.annotation in (list, tuple):
            hint = f"say what is in it: {shown}[int]"
        _fail(name, f"parameter {parameter.name!r} has type {shown}, which no schema has", signature, hint)
    if parameter.name in mutated or (every and spelled.startswith("Tensor")):
        if not spelled.startswith("Tensor"):
            rule = f"mutates_args names {parameter.name!r}, but only tensors and lists of tensors can be written into"
            _fail(name, rule, signature)
        spelled = f"Tensor(a{number}!)" + spelled.removeprefix("Tensor")
    text = f"{spelled} {parameter.name}"
    if parameter.default is inspect.Parameter.empty:
        return text
    return f"{text}={_default(name, signature, parameter)}"


def _default(name: str, signature: inspect.Signature, parameter: inspect.Parameter) -> str:
    value = parameter.default
    if value is None or isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (list, tuple)) and all(isinstance(each, (int, float)) for each in value):
        return repr(list(value))
    if type(value) in adapter.current.annotations():
        return repr(value).rpartition(".")[2]
    rule = f"parameter {parameter.name!r} has a default that no schema can hold ({value!r})"
    _fail(name, rule, signature, "use a number, a string, True, False or None")


def _show(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def schema_type(annotation: Any) -> str | None:
    """The schema's spelling of an annotation, or None.

    Example:
        >>> schema_type(int | None), schema_type(list[float]), schema_type(dict)
        ('SymInt?', 'float[]', None)
    """
    known = {**_SCALARS, **adapter.current.annotations()}
    try:
        if annotation in known:
            return known[annotation]
    except TypeError:
        return None
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return schema_type(args[0])
    if origin in _UNIONS:
        rest = tuple(each for each in args if each is not type(None))
        if len(rest) < len(args):
            inner = schema_type(rest[0]) if len(rest) == 1 else _number(rest)
            return f"{inner}?" if inner and not inner.endswith("?") else None
        return _number(rest)
    if origin in (list, collections.abc.Sequence):
        inner = schema_type(args[0])
        if inner is not None and (inner in _LISTABLE or inner == "Tensor?"):
            return f"{inner}[]"
    return None


def _number(members: tuple[Any, ...]) -> str | None:
    """``int | float | bool`` is a Scalar."""
    return "Scalar" if set(members) <= {int, float, bool, complex} and len(members) > 1 else None


def _returns(name: str, signature: inspect.Signature) -> str:
    annotation = signature.return_annotation
    if annotation is inspect.Signature.empty:
        _fail(name, "the return has no type annotation", signature, "write `-> None` for an operator without a result")
    if annotation is None or annotation is type(None):
        return "()"
    each = [annotation]
    if typing.get_origin(annotation) is tuple:
        each = list(typing.get_args(annotation))
        if not each or Ellipsis in each:
            _fail(name, "a tuple of unknown length has no schema", signature, "use list[Tensor]")
    spelled = [schema_type(one) for one in each]
    for one, text in zip(each, spelled):
        if text is None or text.endswith("?"):
            _fail(name, f"the return has type {_show(one)}, which no schema has", signature)
    texts = [text for text in spelled if text is not None]
    return texts[0] if len(texts) == 1 and each[0] is annotation else f"({', '.join(texts)})"
