"""A pickle reader that builds data and calls only what `safe` allows.

It takes the opcodes of protocols 2 to 5 that data needs. There is no recursion and no import: a name that is not
allowed stops it, and `blocked_globals` then reads the pickle once more to name all of them.
"""

from __future__ import annotations

import _compat_pickle
import pickle
import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from lamella.dispatch.errors import message

from . import names, safe

UnpicklingError = pickle.UnpicklingError

# How a damaged pickle shows itself to a reader that trusts it.
_DAMAGE = (EOFError, IndexError, KeyError, ValueError, TypeError, AttributeError, OverflowError, MemoryError,
           struct.error)


class BlockedGlobal(UnpicklingError):
    """A name that is not allowed, found while reading."""

    def __init__(self, module: str, name: str) -> None:
        super().__init__(message("load", "this name is not allowed with weights_only=True", [f"{module}.{name}"]))
        self.module, self.name = module, name


class _Carried(Exception):
    """Takes an error that is not about the pickle past the net for damage."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _carrying(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return function(*args, **kwargs)
    except Exception as e:
        raise _Carried(e) from None


def damaged(what: str) -> UnpicklingError:
    """The error for bytes that are no pickle."""
    return UnpicklingError(
        message("load", f"the pickle in the file is damaged: {what}", hint="save it again, or copy the file once more")
    )


class SafeUnpickler:
    """Read one object from a stream.

    Args:
        file: where the pickle starts.
        persistent_load: gives the storage for a persistent id (the only kind of id that files hold).
        encoding: how `str` of Python 2 is decoded; "bytes" leaves it as bytes.

    Raises:
        pickle.UnpicklingError: the pickle is damaged or does something that data does not need.
    """

    def __init__(
        self, file: BinaryIO, *, persistent_load: Callable[[Any], Any] | None = None, encoding: str = "utf-8"
    ) -> None:
        self.file = file
        self.persistent_load = persistent_load
        self.encoding = encoding
        self.stack: list[Any] = []
        self.marks: list[list[Any]] = []
        self.memo: dict[int, Any] = {}

    def load(self) -> Any:
        """The object, with the stream left behind its last byte."""
        read, ops = self.file.read, _OPS
        op = b""
        try:
            while True:
                op = read(1)
                if op == b".":
                    return self.stack.pop()
                step = ops.get(op)
                if step is None:
                    raise damaged("it ends too early" if not op else f"opcode {op!r} is unknown or not for data")
                step(self)
        except UnpicklingError:
            raise
        except _Carried as e:
            raise e.error from None
        except _DAMAGE as e:
            raise damaged(f"{type(e).__name__}: {e}" if str(e) else type(e).__name__) from e

    # ------------------------------------------------------------ reading

    def take(self, n: int) -> bytes:
        """The next n bytes."""
        data = self.file.read(n)
        if len(data) != n:
            raise damaged("it ends too early")
        return data

    def line(self) -> str:
        """A line of text without its end."""
        data = self.file.readline()
        if not data.endswith(b"\n"):
            raise damaged("it ends too early")
        return data[:-1].decode("utf-8")

    def pop_mark(self) -> list[Any]:
        """What was put on the stack since the last mark."""
        items = self.stack
        self.stack = self.marks.pop()
        return items

    # ------------------------------------------------------------ what a file may do

    def global_(self, module: str, name: str) -> None:
        """Put what a name stands for on the stack."""
        if (module, name) in _compat_pickle.NAME_MAPPING:
            module, name = _compat_pickle.NAME_MAPPING[module, name]
        else:
            module = _compat_pickle.IMPORT_MAPPING.get(module, module)
        self.stack.append(self.find_class(module, name))

    def find_class(self, module: str, name: str) -> Any:
        """What a name stands for."""
        if module.partition(".")[0] in safe.BLOCKED_MODULES:
            raise UnpicklingError(
                message("load", "nothing may come from this module with weights_only=True", [f"{module}.{name}"])
            )
        found = safe.lookup(module, name)
        if found is None:
            raise BlockedGlobal(module, name)
        return found

    def call(self, function: Any, args: Any) -> Any:
        """Call an allowed function."""
        if not safe.is_callable_allowed(function):
            raise UnpicklingError(message("load", "a file may not call this", [repr(function)]))
        if safe.is_user_type(function):
            return _carrying(function, *args)
        return function(*args)

    def make(self, cls: Any, args: Any, kwargs: Any = None) -> Any:
        """A new instance of an allowed class."""
        if cls is names.parameter_class() and cls is not None:
            return cls(*args)
        if not isinstance(cls, type) or not safe.is_callable_allowed(cls):
            raise UnpicklingError(message("load", "a file may not make instances of this", [repr(cls)]))
        return _carrying(cls.__new__, cls, *args, **(kwargs or {}))

    def build(self, made: Any, state: Any) -> Any:
        """Give an instance its state."""
        cls = type(made)
        if isinstance(made, np.dtype):
            return safe.dtype_with_state(made, state)
        if cls is np.ndarray:
            return safe.array_from_state(state)
        if cls is OrderedDict or cls is Counter:
            made.__dict__.update(state)
        elif safe.is_user_type(cls) or cls is names.parameter_class():
            _carrying(_set_state, made, state)
        else:
            raise UnpicklingError(message("load", "a file may not set the state of this", [repr(cls)]))
        return made

    def set_items(self, target: Any, items: list[Any]) -> None:
        """Fill a dict."""
        if type(target) not in (dict, OrderedDict, Counter) and not (
            isinstance(target, dict) and safe.is_user_type(type(target))
        ):
            raise UnpicklingError(message("load", "only dicts take items", [repr(type(target))]))
        for i in range(0, len(items), 2):
            target[items[i]] = items[i + 1]

    def extend(self, target: Any, items: list[Any]) -> None:
        """Fill a list."""
        if type(target) is not list and not safe.is_user_type(type(target)):
            raise UnpicklingError(message("load", "only lists are appended to", [repr(type(target))]))
        target.extend(items)

    def persistent(self, pid: Any) -> Any:
        """The storage that a persistent id stands for."""
        if self.persistent_load is None or not isinstance(pid, tuple) or pid[:1] not in (("storage",), (b"storage",)):
            raise UnpicklingError(message("load", "only storages are kept outside the pickle", [repr(pid)[:80]]))
        return _carrying(self.persistent_load, pid)


def _set_state(made: Any, state: Any) -> None:
    if hasattr(made, "__setstate__"):
        made.__setstate__(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        made.__dict__.update(state)
    for name, value in (slots or {}).items():
        setattr(made, name, value)


class _Anything:
    """Stands for whatever a blocked name would have made."""


class _Survey(SafeUnpickler):
    """Goes through a pickle without making anything, to collect the names in it."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)
        self.found: dict[str, bool] = {}

    def find_class(self, module: str, name: str) -> Any:
        self.found[f"{module}.{name}"] = (
            module.partition(".")[0] not in safe.BLOCKED_MODULES and safe.lookup(module, name) is not None
        )
        return _Anything()

    def call(self, function: Any, args: Any) -> Any:
        return _Anything()

    def make(self, cls: Any, args: Any, kwargs: Any = None) -> Any:
        return _Anything()

    def build(self, made: Any, state: Any) -> Any:
        return made

    def set_items(self, target: Any, items: list[Any]) -> None:
        pass

    def extend(self, target: Any, items: list[Any]) -> None:
        pass

    def persistent(self, pid: Any) -> Any:
        return _Anything()


def globals_in(file: BinaryIO) -> dict[str, bool]:
    """The names in a pickle, in the order in which they come, and whether each is allowed.

    Args:
        file: where the pickle starts.

    Raises:
        pickle.UnpicklingError: the pickle is damaged.
    """
    survey = _Survey(file)
    survey.load()
    return survey.found


# ---------------------------------------------------------------- opcodes


def _push(value: Callable[[], Any]) -> Callable[[SafeUnpickler], None]:
    return lambda u: u.stack.append(value())


def _number(form: str) -> Callable[[SafeUnpickler], None]:
    codec = struct.Struct(form)
    return lambda u: u.stack.append(codec.unpack(u.take(codec.size))[0])


def _sized(form: str, convert: Callable[[SafeUnpickler, bytes], Any]) -> Callable[[SafeUnpickler], None]:
    codec = struct.Struct(form)
    return lambda u: u.stack.append(convert(u, u.take(codec.unpack(u.take(codec.size))[0])))


def _text(u: SafeUnpickler, data: bytes) -> str:
    return str(data, "utf-8", "surrogatepass")


def _old_text(u: SafeUnpickler, data: bytes) -> Any:
    return data if u.encoding == "bytes" else data.decode(u.encoding)


def _bytes(u: SafeUnpickler, data: bytes) -> bytes:
    return data


def _long(u: SafeUnpickler, data: bytes) -> int:
    return pickle.decode_long(data)


def _get(form: str) -> Callable[[SafeUnpickler], None]:
    codec = struct.Struct(form)

    def get(u: SafeUnpickler) -> None:
        key = codec.unpack(u.take(codec.size))[0]
        if key not in u.memo:
            raise damaged("it refers to something that is not in it")
        u.stack.append(u.memo[key])

    return get


def _put(form: str) -> Callable[[SafeUnpickler], None]:
    codec = struct.Struct(form)

    def put(u: SafeUnpickler) -> None:
        u.memo[codec.unpack(u.take(codec.size))[0]] = u.stack[-1]

    return put


def _tuple(n: int) -> Callable[[SafeUnpickler], None]:
    def make(u: SafeUnpickler) -> None:
        if len(u.stack) < n:
            raise damaged("the stack is empty")
        u.stack[-n:] = [tuple(u.stack[-n:])]

    return make


def _mark(u: SafeUnpickler) -> None:
    u.marks.append(u.stack)
    u.stack = []


def _collect(convert: Callable[[list[Any]], Any]) -> Callable[[SafeUnpickler], None]:
    def collect(u: SafeUnpickler) -> None:
        items = u.pop_mark()
        u.stack.append(convert(items))

    return collect


def _append(u: SafeUnpickler) -> None:
    item = u.stack.pop()
    u.extend(u.stack[-1], [item])


def _appends(u: SafeUnpickler) -> None:
    items = u.pop_mark()
    u.extend(u.stack[-1], items)


def _add_items(u: SafeUnpickler) -> None:
    items = u.pop_mark()
    if type(u.stack[-1]) is not set:
        raise damaged("items are added to something that is no set")
    u.stack[-1].update(items)


def _set_item(u: SafeUnpickler) -> None:
    value, key = u.stack.pop(), u.stack.pop()
    u.set_items(u.stack[-1], [key, value])


def _set_items(u: SafeUnpickler) -> None:
    items = u.pop_mark()
    u.set_items(u.stack[-1], items)


def _dict(items: list[Any]) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2], strict=True))


def _global(u: SafeUnpickler) -> None:
    module = u.line()
    u.global_(module, u.line())


def _stack_global(u: SafeUnpickler) -> None:
    name, module = u.stack.pop(), u.stack.pop()
    if type(name) is not str or type(module) is not str:
        raise damaged("a name is not text")
    u.global_(module, name)


def _reduce(u: SafeUnpickler) -> None:
    args = u.stack.pop()
    u.stack[-1] = u.call(u.stack[-1], args)


def _new(u: SafeUnpickler) -> None:
    args = u.stack.pop()
    u.stack[-1] = u.make(u.stack[-1], args)


def _new_with_keywords(u: SafeUnpickler) -> None:
    kwargs, args = u.stack.pop(), u.stack.pop()
    u.stack[-1] = u.make(u.stack[-1], args, kwargs)


def _build(u: SafeUnpickler) -> None:
    state = u.stack.pop()
    before = u.stack[-1]
    after = u.stack[-1] = u.build(before, state)
    if after is not before:  # a NumPy object that could only be made now: later references mean it too
        for key in reversed(u.memo):
            if u.memo[key] is before:
                u.memo[key] = after
                break


def _persistent(u: SafeUnpickler) -> None:
    u.stack.append(u.persistent(u.stack.pop()))


def _memoize(u: SafeUnpickler) -> None:
    u.memo[len(u.memo)] = u.stack[-1]


_OPS: dict[bytes, Callable[[SafeUnpickler], Any]] = {
    b"\x80": lambda u: u.take(1),  # PROTO
    b"\x95": lambda u: u.take(8),  # FRAME
    b"(": _mark, b"0": lambda u: u.stack.pop(), b"1": SafeUnpickler.pop_mark,
    b"2": lambda u: u.stack.append(u.stack[-1]),
    b"N": _push(lambda: None), b"\x88": _push(lambda: True), b"\x89": _push(lambda: False),
    b"]": _push(list), b"}": _push(dict), b")": _push(tuple), b"\x8f": _push(set),
    b"J": _number("<i"), b"K": _number("<B"), b"M": _number("<H"), b"G": _number(">d"),
    b"\x8a": _sized("<B", _long), b"\x8b": _sized("<I", _long),
    b"X": _sized("<I", _text), b"\x8c": _sized("<B", _text), b"\x8d": _sized("<Q", _text),
    b"U": _sized("<B", _old_text), b"T": _sized("<I", _old_text),
    b"C": _sized("<B", _bytes), b"B": _sized("<I", _bytes), b"\x8e": _sized("<Q", _bytes),
    b"\x96": _sized("<Q", lambda u, d: bytearray(d)),
    b"t": _collect(tuple), b"l": _collect(list), b"d": _collect(_dict), b"\x91": _collect(frozenset),
    b"\x85": _tuple(1), b"\x86": _tuple(2), b"\x87": _tuple(3),
    b"a": _append, b"e": _appends, b"s": _set_item, b"u": _set_items, b"\x90": _add_items,
    b"h": _get("<B"), b"j": _get("<I"), b"q": _put("<B"), b"r": _put("<I"), b"\x94": _memoize,
    b"c": _global, b"\x93": _stack_global, b"R": _reduce, b"\x81": _new, b"\x92": _new_with_keywords, b"b": _build,
    b"Q": _persistent,
}
