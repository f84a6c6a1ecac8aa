"""What is said when a call fails: which argument is of a wrong type, and no words of Python's or NumPy's innards.

Generated entries check numbers, flags and sizes on the way in, a comparison each, and come here when one is unusual.
Everything else is asked only after something was raised.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Iterable
from functools import wraps
from operator import index
from types import FunctionType
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .tensor import Tensor, describe

_FORM = re.compile(r"[\w.:]+(\(\))?: ")
_CALL = re.compile(r"[\w.]+\(\) (got|missing|takes)")
_OWN = ("lamella.", "numpy", "scipy", "ml_dtypes")
_NUMBERS = (int, float, complex, bool, np.number, np.bool_)
#: How schema types and annotations read in messages.
_WORDS = {
    "SymInt": "int",
    "Scalar": "Number",
    "SymInt[]": "tuple of ints",
    "int[]": "tuple of ints",
    "Tensor[]": "tuple of Tensors",
    "ScalarType": "torch.dtype",
    "Device": "torch.device",
}


def two_devices(op: str, one: Tensor, other: Tensor, hint: str) -> RuntimeError:
    """The error for tensors of a call that are on different devices."""
    rule = "Expected all tensors to be on the same device, but found at least two devices, "
    rule += f"{one.device} and {other.device}"
    return RuntimeError(message(op, rule, [describe(one), describe(other)], hint=hint))


def kind_of(x: Any) -> str:
    """A value's type as messages show it."""
    cls = type(x)
    return f"{cls.__module__}.{cls.__name__}" if cls.__module__ == "numpy" else cls.__name__


def refuse(op: str, name: str, want: str, x: Any) -> TypeError:
    """The error for an argument of a wrong type."""
    name = "input" if name == "self" else name
    return TypeError(message(op, f"argument '{name}' must be {want}, not {kind_of(x)}"))


# ---------------------------------------------------------------- on the way in: what the quick test did not know


def as_int(op: str, name: str, x: Any) -> int:
    """An int from whatever may stand for one: NumPy's integers, integer tensors of one element; no bool."""
    if not isinstance(x, (bool, np.bool_)):
        if isinstance(x, Tensor):
            if x._a.ndim == 0 and x._a.dtype.kind in "iu" and x._ag is None:
                return int(x.item())  # type: ignore[attr-defined]
        else:
            try:
                return index(x)
            except TypeError:
                pass
    raise refuse(op, name, "int", x)


def as_bool(op: str, name: str, x: Any) -> bool:
    """A bool, perhaps NumPy's."""
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    raise refuse(op, name, "bool", x)


def as_number(op: str, name: str, x: Any) -> Any:
    """A Python number: NumPy's scalars and tensors without dimensions give theirs."""
    if isinstance(x, (int, float, complex)) and not isinstance(x, np.generic):
        return x
    if isinstance(x, (np.number, np.bool_)) or (isinstance(x, Tensor) and x._a.ndim == 0 and x._ag is None):
        return x.item()  # type: ignore[union-attr]
    raise refuse(op, name, "Number", x)


def as_float(op: str, name: str, x: Any) -> float:
    """A real number."""
    x = as_number(op, name, x) if isinstance(x, (Tensor, np.generic)) else x
    if isinstance(x, (int, float)):
        return x
    raise refuse(op, name, "float", x)


def as_ints(op: str, name: str, xs: Any, single: bool) -> tuple[int, ...]:
    """Sizes or dimensions: a tuple or a list of ints, or one int where the schema gives the list a length."""
    if isinstance(xs, (tuple, list)):
        if all(x.__class__ is int for x in xs):
            return tuple(xs)
        for i, x in enumerate(xs):
            if not _is_int(x):
                rule = f"argument '{name}' must be tuple of ints, but element {i} is {kind_of(x)}"
                raise TypeError(message(op, rule))
        return tuple(as_int(op, name, x) for x in xs)
    if single and (_is_int(xs) or (isinstance(xs, Tensor) and xs._a.ndim == 0 and xs._a.dtype.kind == "b")):
        return (int(xs),)
    raise refuse(op, name, "tuple of ints", xs)


def _is_int(x: Any) -> bool:
    try:
        as_int("", "", x)
    except TypeError:
        return False
    return True


# ---------------------------------------------------------------- after something was raised


def explain_call(table: Any, values: tuple[Any, ...]) -> None:
    """Called while an exception of an operator's call is handled: raise a better one if there is one, or return.

    Args:
        table: the operator's table.
        values: the arguments in the order of the schema.
    """
    from lamella.dispatch.schema_bind import _Refused, converter

    op = table.op
    if _said(op.opname, TypeError):
        return
    for argument, x in zip(op.schema.arguments, values, strict=False):
        if x is None and argument.default_text == "None":
            continue
        try:
            converter(argument.type)(x, not argument.type.is_list)
        except _Refused:
            kind = str(argument.type).rstrip("?")
            raise wrong_type(op.opname, argument.name, kind, x) from None
    reword(op.opname, values)


def wrong_type(op: str, name: str, kind: str, x: Any) -> TypeError:
    """The error for a value that does not fit a schema's type."""
    kind = re.sub(r"\[\d+\]", "[]", kind)
    if kind.startswith("Tensor") and kind.endswith("[]") and isinstance(x, (tuple, list)):
        i, bad = next((i, y) for i, y in enumerate(x) if not isinstance(y, Tensor))
        rule = f"argument '{name}' must be a sequence of Tensors, but element {i} is {kind_of(bad)}"
        return TypeError(message(op, rule))
    if kind in ("int[]", "SymInt[]"):
        as_ints(op, name, x, False)
    return refuse(op, name, _WORDS.get(kind, re.sub(r"\(.*\)", "", kind)), x)


def reword(op: str, values: Iterable[Any]) -> None:
    """Say the exception that is being handled in the form of all messages, if Python or NumPy raised it in here."""
    cls, error, at = sys.exc_info()
    text = str(error)
    if error is None or not isinstance(error, Exception) or _FORM.match(text) or _CALL.match(text):
        return
    while at is not None:
        name = at.tb_frame.f_globals.get("__name__", "")
        if not name.startswith(_OWN):
            return
        at = at.tb_next
    shown = [describe(x) if isinstance(x, Tensor) else kind_of(x) for x in values if x is not None]
    if isinstance(error, IndexError):
        raise IndexError(message(op, text, shown)) from error
    if isinstance(error, MemoryError):
        raise RuntimeError(message(op, "there is not enough memory", shown)) from error
    if isinstance(error, OverflowError):
        if any(isinstance(x, int) and not -(1 << 63) <= x < 1 << 63 for x in values):
            raise ValueError(message(op, "Overflow when unpacking long long", shown)) from error
        raise RuntimeError(message(op, "value cannot be converted without overflow", shown)) from error
    if cls is ValueError and "read-only" in text:
        rule = "more than one element of the written-to tensor refers to a single memory location"
        raise RuntimeError(message(op, rule, shown, hint="call .clone() on it first")) from error
    if isinstance(error, (ArithmeticError, RuntimeError)) or (
        cls is ValueError and re.search("broadcast|shape|dimension|axis|size", text)
    ):
        raise RuntimeError(message(op, text, shown)) from error
    if isinstance(error, np.linalg.LinAlgError):
        from .kernels.linalg import LinAlgError

        raise LinAlgError(message(op, "the algorithm failed to converge", [text])) from error
    if isinstance(error, TypeError) and "not supported for the input types" in text:
        raise NotImplementedError(message(op, "it is not implemented for this element type", shown)) from error
    if isinstance(error, TypeError) and "complex" in text and any(isinstance(x, complex) for x in values):
        raise RuntimeError(message(op, "value cannot be converted to type double without overflow", shown)) from error
    if isinstance(error, (TypeError, ValueError, AttributeError, LookupError, AssertionError)):
        raise TypeError(message(op, "the arguments do not fit together", shown)) from error


def guarded(name: str, fn: Callable[..., Any], told_by: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """``fn``, with errors that say which argument does not have the type it is annotated with.

    Args:
        name: the public name.
        fn: a function written by hand.
        told_by: the function that has the annotations, if it is not ``fn``.
    """

    @wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except Exception as e:
            renamed = _numpy_names(told_by or fn, kwargs) if kwargs and isinstance(e, TypeError) else None
            if renamed is None:
                explain_annotated(name, told_by or fn, args, kwargs)
                raise
        return fn(*args, **renamed)

    return call


#: NumPy's names of parameters, which torch takes for its own.
_NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}


def _numpy_names(fn: Callable[..., Any], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """Keywords with torch's names in place of NumPy's; None if there is nothing to replace."""
    import inspect

    known = inspect.signature(fn).parameters
    renamed = {k if k in known else _NUMPY_NAMES.get(k, k): x for k, x in kwargs.items()}
    return renamed if renamed.keys() != kwargs.keys() and len(renamed) == len(kwargs) else None


def guard(module: Any, table: dict[str, Any], hot: Container[str], functions: dict[str, Any]) -> None:
    """Guard a module's functions that are written by hand, in ``table`` and in the module.

    Args:
        module: the module.
        table: its functions by public name.
        hot: the names to leave alone, whose callers could notice another call in between.
        functions: where a method that passes everything on finds what it passes it to.
    """
    made: dict[Any, Any] = {}
    for name, fn in table.items():
        if isinstance(fn, FunctionType) and name not in hot and not name.startswith("__"):
            told_by = functions.get(name) if fn.__code__.co_flags & 4 else None
            made[fn] = table[name] = made.get(fn) or guarded(name, fn, getattr(told_by, "__wrapped__", told_by))
            own = str(fn.__name__)
            if getattr(module, own, None) is fn:
                setattr(module, own, made[fn])


def explain_annotated(name: str, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """As `explain_call`, for a function that says in its annotations what it takes."""
    import inspect

    if _said(name, Exception):
        return
    try:
        signature = inspect.signature(fn)
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return
    for key, x in given.items():
        want = signature.parameters[key].annotation
        if isinstance(want, str) and signature.parameters[key].kind not in (2, 4) and not fits(want, x):
            raise refuse(
                name, key, " or ".join(_in_words(part) for part in want.split(" | ") if part != "None"), x
            ) from None
    reword(name, [*args, *kwargs.values()])


def _said(op: str, kind: type[Exception]) -> bool:
    """Whether the exception that is being handled says already what is wrong with the call of ``op``."""
    error = sys.exc_info()[1]
    return isinstance(error, kind) and str(error).startswith(f"{op}: ")


def _in_words(annotation: str) -> str:
    base, _, inner = annotation.partition("[")
    kind = inner.rstrip("]").split(",")[0]
    return (
        f"tuple of {kind}s"
        if base in ("tuple", "list", "Sequence") and kind
        else {"SupportsIndex": "int"}.get(base, base)
    )


def fits(want: str, x: Any) -> bool:
    """Whether a value has the type of an annotation; True for annotations that say nothing."""
    return any(_TESTS.get(part.partition("[")[0], _anything)(x) for part in want.split(" | "))


def _anything(x: Any) -> bool:
    return True


def _try(fn: Callable[..., Any], *more: Any) -> Callable[[Any], bool]:
    def test(x: Any) -> bool:
        try:
            fn("", "", x, *more)
        except Exception:
            return False
        return True

    return test


_TESTS: dict[str, Callable[[Any], bool]] = {
    "Tensor": lambda x: isinstance(x, Tensor),
    "int": _is_int,
    "SupportsIndex": _is_int,
    "bool": _try(as_bool),
    "float": _try(as_float),
    "str": lambda x: isinstance(x, str),
    "None": lambda x: x is None,
    "tuple": lambda x: isinstance(x, tuple),
    "list": lambda x: isinstance(x, list),
    "Sequence": lambda x: isinstance(x, (tuple, list)),
}
