"""What a file may name when only weights are wanted, and how a program allows more.

By default: tensors and what they are made of, the containers of a state_dict, numbers, strings and NumPy scalars,
dtypes and plain arrays. Nothing here runs code that a file chose.
"""

from __future__ import annotations

import pickle
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..devices import device
from ..dtypes import ALL, FLOAT8
from ..layouts import FORMATS
from ..tensor import Size, Tensor
from . import names, rebuild

BLOCKED_MODULES = frozenset({"sys", "os", "posix", "nt"})

_user: dict[str, Any] = {}
_entries: list[Any] = []


def _encode(text: str, encoding: str = "latin1") -> bytes:
    """`bytes` as old protocols write them: text in which each character is one byte."""
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1", "utf-8", "ascii"):
        raise pickle.UnpicklingError(message("load", "bytes are stored as latin1 text", [repr(encoding)]))
    return text.encode(encoding)


def _bytearray(data: Any = b"", encoding: str = "latin1") -> bytearray:
    return bytearray(data if isinstance(data, bytes) else _encode(data, encoding))


def _not_plain(what: Any) -> pickle.UnpicklingError:
    return pickle.UnpicklingError(message("load", "only plain NumPy dtypes are allowed", [repr(what)[:80]]))


def _dtype(spec: Any, align: Any = False, copy: Any = True) -> np.dtype:
    if not isinstance(spec, str) or not re.fullmatch(r"[|<>=]?([biufcSUmMV]\d{1,9}|[mMV?])", spec):
        raise _not_plain(spec)
    return np.dtype(spec, False, True)  # type: ignore[call-overload]


def dtype_with_state(made: np.dtype, state: Any) -> np.dtype:
    """A NumPy dtype with the byte order and time unit of a pickled state.

    NumPy's own `__setstate__` believes what it is told, so only these two facts are taken over.
    """
    if not isinstance(state, tuple) or len(state) not in (8, 9) or state[1] not in ("<", ">", "|", "="):
        raise _not_plain(state)
    if any(state[2:5]) or state[5] not in (-1, made.itemsize):
        raise _not_plain(state)
    if len(state) == 9:
        try:
            unit, count = state[8][1][:2]
            made = np.dtype(f"{made.kind}8[{count:d}{unit.decode()}]")
        except (TypeError, ValueError, IndexError, KeyError, AttributeError):
            raise _not_plain(state) from None
    return made.newbyteorder(state[1])


def _scalar(kind: Any, data: Any = None) -> Any:
    if isinstance(data, str):
        data = _encode(data)
    fits = isinstance(kind, np.dtype) and kind.kind != "O" and isinstance(data, bytes) and len(data) == kind.itemsize
    if not fits:
        raise pickle.UnpicklingError(message("load", "a NumPy scalar does not fit its dtype", [repr(kind)]))
    return np.frombuffer(data, kind)[0]


def _array(cls: Any, shape: Any = (0,), kind: Any = b"b") -> np.ndarray:
    return np.empty(0, np.uint8)


def array_from_state(state: Any) -> np.ndarray:
    """A NumPy array from the state that its pickle holds."""
    ok = isinstance(state, tuple) and len(state) == 5 and isinstance(state[2], np.dtype) and state[2].kind != "O"
    data = state[4] if ok else None
    if isinstance(data, str):
        data = _encode(data)
    if not ok or not isinstance(data, (bytes, bytearray)):
        raise pickle.UnpicklingError(message("load", "only NumPy arrays of numbers are allowed"))
    return np.frombuffer(bytearray(data), state[2]).reshape(state[1], order="F" if state[3] else "C")


def _buffer_array(data: Any, kind: Any, shape: Any, order: Any) -> np.ndarray:
    return array_from_state((1, shape, kind, order == "F", bytes(data)))


def _subclass(function: Any, cls: Any, args: Any, state: Any) -> Any:
    if not is_callable_allowed(function):
        raise pickle.UnpicklingError(message("load", "a file may not call this", [repr(function)]))
    return rebuild._rebuild_from_type_v2(function, cls, args, state)


def _defaults() -> dict[str, Any]:
    allowed: dict[str, Any] = {
        "collections.OrderedDict": OrderedDict,
        "collections.Counter": Counter,
        "_codecs.encode": _encode,
        "builtins.bytearray": _bytearray,
        "builtins.set": set,
        "builtins.frozenset": frozenset,
        "builtins.complex": complex,
        "builtins.slice": slice,
        "builtins.range": range,
        "numpy.dtype": _dtype,
        "numpy.ndarray": np.ndarray,
        "torch.serialization._get_layout": rebuild._get_layout,
        "torch._tensor._rebuild_from_type_v2": _subclass,
        "torch.Size": Size,
        "torch.device": device,
        "torch.Tensor": Tensor,
    }
    for package in ("numpy._core", "numpy.core"):
        allowed[f"{package}.multiarray.scalar"] = _scalar
        allowed[f"{package}.multiarray._reconstruct"] = _array
        allowed[f"{package}.numeric._frombuffer"] = _buffer_array
    for d in (*ALL, *FLOAT8, *FORMATS.values()):
        allowed[str(d)] = d
    for function in rebuild.SAFE:
        allowed[f"torch._utils.{function.__name__}"] = function
    return allowed


_allowed = _defaults()
ARRAYS = _array
_callable_ids = {id(f) for f in _allowed.values()}


def lookup(module: str, name: str) -> Any:
    """What a name stands for if it may be loaded; None if it may not."""
    path = f"{module}.{name}"
    found = _allowed.get(path)
    if found is None:
        found = _user.get(path)
    if found is not None:
        return found
    if module.split(".")[0] != "torch":
        return None
    if path == "torch.nn.parameter.Parameter":
        return names.load_parameter_class() or Tensor
    if name.endswith("Storage"):
        found = names.find(module, name)
        return found if isinstance(found, names.StorageType) else None
    if _user:
        found = names.find(module, name)
        if any(found is entry for entry in _user.values()):
            return found
    return None


def is_user_type(cls: Any) -> bool:
    """Whether the program allowed this class or function."""
    return any(cls is entry for entry in _user.values())


def is_callable_allowed(function: Any) -> bool:
    """Whether a file may call it."""
    return (
        id(function) in _callable_ids
        or function is names.parameter_class()
        or is_user_type(function)
    )


# ---------------------------------------------------------------- the program's own


def _path_of(entry: Any) -> tuple[str, Any]:
    if isinstance(entry, tuple):
        if len(entry) != 2:
            raise ValueError(message("add_safe_globals", "a pair (object, full path) is expected", [repr(entry)]))
        if not isinstance(entry[1], str):
            raise TypeError(message("add_safe_globals", "the full path is a str", [type(entry[1]).__name__]))
        return entry[1], entry[0]
    module, name = getattr(entry, "__module__", None), getattr(entry, "__qualname__", None)
    if module is None or name is None:
        raise TypeError(
            message("add_safe_globals", "functions and classes are expected", [repr(entry)],
                    hint="for another object pass (object, 'module.name')")
        )
    return f"{module}.{name}", entry


def _update() -> None:
    _user.clear()
    _user.update(_path_of(e) for e in _entries)


def add_safe_globals(safe_globals: Iterable[Callable[..., Any] | tuple[Any, str]]) -> None:
    """Allow functions and classes in files that are loaded with `weights_only=True`.

    Args:
        safe_globals: functions and classes, or pairs of one and the full path by which files name it. What is allowed
            may be called with arguments from the file, so allow only what is harmless with any.

    Raises:
        TypeError, ValueError: an entry is neither; nothing is added then.

    Example:
        >>> from fractions import Fraction
        >>> add_safe_globals([Fraction])
        >>> get_safe_globals()
        [<class 'fractions.Fraction'>]
        >>> clear_safe_globals()
    """
    new = list(safe_globals)
    for entry in new:
        _path_of(entry)
    _entries.extend(e for e in new if e not in _entries)
    _update()


def get_safe_globals() -> list[Any]:
    """What the program allowed so far, as it was given."""
    return list(_entries)


def clear_safe_globals() -> None:
    """Allow nothing beyond the defaults any more."""
    _entries.clear()
    _update()


class safe_globals:  # noqa: N801 - torch's name
    """Allow functions and classes for the length of a `with` block.

    Args:
        safe_globals: as for `add_safe_globals`.

    Example:
        >>> from fractions import Fraction
        >>> with safe_globals([Fraction]):
        ...     len(get_safe_globals())
        1
        >>> get_safe_globals()
        []
    """

    def __init__(self, safe_globals: Iterable[Any]) -> None:
        self.safe_globals = list(safe_globals)
        self._before: list[Any] = []

    def __enter__(self) -> None:
        self._before = list(_entries)
        add_safe_globals(self.safe_globals)

    def __exit__(self, *exc: object) -> None:
        _entries[:] = self._before
        _update()
