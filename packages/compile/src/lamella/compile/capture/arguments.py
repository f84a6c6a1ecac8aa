"""Arguments of a recorded call: fakes in their place, and the guards on what they are."""

from __future__ import annotations

from typing import Any

from lamella.core.dtypes import uint8
from lamella.core.meta import meta_array
from lamella.core.tensor import Tensor, VersionCounter
from lamella.dispatch.keys import BACKEND_MASK

from .. import layers
from .breaks import Break
from .fakes import FakeTensor, fake, stand_in
from .guards import Emit, Guard, check_value, is_plain
from .reads import Reads
from .recorder import Recorder, recordable
from .sizes import WHOLE
from .symint import observed


class Argument:
    """A tensor among the arguments.

    Attributes:
        expr: text that gives it. what: how messages call it. real, fake: the tensors. edge: the fake's first edge.
        number: which input of the graph it is.
    """

    __slots__ = ("expr", "what", "real", "fake", "edge", "number", "grad", "version", "want")

    def __init__(self, expr: str, what: str, real: Tensor, stand: Any, number: int) -> None:
        self.expr, self.what, self.real, self.fake, self.number = expr, what, real, stand, number
        self.edge, self.grad = stand._ag, stand._grad
        self.version = 0 if stand._vc is None else stand._vc.n
        self.want: tuple[Any, Any] = (real._a.shape, real._a.strides)


class Arguments:
    """Replaces tensors among arguments by fakes, and writes the guards."""

    def __init__(self, recorder: Recorder, reads: Reads, wanted: set[Any],
                 sizes: dict[tuple[str, int], tuple[str, int]] | None = None) -> None:
        self.recorder, self.reads, self.wanted, self.sizes = recorder, reads, wanted, sizes or {}
        self.symbols: dict[str, tuple[tuple[int, int], int]] = {}
        self.carriers: dict[int, str] = {}  # number of an input -> the whole number that it stands for
        self.found: list[Argument] = []
        self._by_id: dict[int, Argument] = {}

    def replace(self, value: Any, expr: str, what: str) -> Any:
        """The value with fakes for tensors; guards are added on the way."""
        emit = self.reads.guards.append
        if isinstance(value, Tensor):
            return self._tensor(value, expr, what)
        if is_plain(value):
            if type(value) is float and expr in self.wanted:
                return self.reads.source(value, expr, what)
            if type(value) is int and (expr, WHOLE) in self.sizes:
                return self._whole(value, expr, what)
            emit(Guard(check_value(self.reads.names, expr, value), what, expr, value, ("argument", expr)))
            return value
        kind = type(value)
        if kind in (list, tuple) or isinstance(value, tuple) and hasattr(value, "_make"):
            k = self.reads.names(kind)
            emit(Guard(f"{expr}.__class__ is not {k} or len({expr}) != {len(value)}", f"len({what})", f"len({expr})",
                       len(value)))
            parts = [self.replace(v, f"{expr}[{i}]", f"{what}[{i}]") for i, v in enumerate(value)]
            return parts if kind is list else kind(parts) if kind is tuple else value._make(parts)
        if kind is dict and all(is_plain(key) for key in value):
            emit(Guard(f"{expr}.__class__ is not dict or len({expr}) != {len(value)}", f"len({what})", f"len({expr})",
                       len(value)))
            return {key: self.replace(v, f"{expr}[{key!r}]", f"{what}[{key!r}]") for key, v in value.items()}
        self.reads.given(value, expr, what)
        return value

    def _tensor(self, t: Tensor, expr: str, what: str) -> Any:
        same = self._by_id.get(id(t))
        if same is not None:
            self.reads.guards.append(Guard(f"{expr} is not {same.expr}", f"{what} is {same.what}", "", True))
            return same.fake
        if type(t) is not Tensor:
            if not recordable(t) or isinstance(t, FakeTensor):
                raise Break(f"{what} is a {type(t).__name__}, which is not compiled", lasting=False)
            self.reads.given(t, expr, what)
            return t
        if not recordable(t):
            raise Break(f"{what} is a tensor on {t.device}, which is not compiled", lasting=False)
        self.recorder.stands_on(t)
        made = self._fake(t, expr)
        value = self.recorder.add_input(made, _identifier(what), t._a, made._a)
        found = Argument(expr, what, t, made, value.number)
        self.found.append(found)
        self._by_id[id(t)] = found
        self._guards(found)
        return made

    def _whole(self, value: int, expr: str, what: str) -> Any:
        """A whole number that varies is to the graph the size of an input that has no elements to read."""
        emit = self.reads.guards.append
        name, here = self.sizes[expr, WHOLE]
        array = meta_array((here,), uint8)
        number = self.recorder.add_input(fake(array, 1), "whole", array, array).number
        self.carriers[number] = name
        emit(Guard(f"{expr}.__class__ is not int", what, expr, value))
        if name in self.symbols:
            emit(Guard(f"{expr} != {name}", what, expr, value, ("argument", expr)))
        else:
            self.symbols[name] = ((number, 0), value)
            emit(Guard(f"({name} := {expr}) < 2", what, expr, value))
        return observed((here,))[0]

    def adopt(self, t: Tensor, expr: str, what: str) -> Any:
        """Make a real tensor that the function has met an argument: another one of its kind will do as well."""
        value = self.recorder.add_input(t, "grad", t._a)
        found = Argument(expr, what, t, t, value.number)
        self.found.append(found)
        self._guards(found)
        return value

    def _fake(self, t: Tensor, expr: str) -> Any:
        shape = tuple(self.sizes[expr, i][1] if (expr, i) in self.sizes else n for i, n in enumerate(t._a.shape))
        a = stand_in(t._a, shape)
        made = fake(a, t._ks & BACKEND_MASK)
        if t._vc is not None:
            made._vc = VersionCounter()
        if layers.hooks_of(t):
            raise Break("an argument has a hook on its gradient", lasting=False)
        if t._ag is not None:
            made.requires_grad_(True)
            if t.is_leaf and t._grad is not None:  # type: ignore[attr-defined]
                made._grad = t._grad
                self.reads.note_tensor(t._grad)
                self.reads.gradient_of[id(t._grad)] = t
        return made

    def _guards(self, arg: Argument) -> None:
        t, e, names = arg.real, arg.expr, self.reads.names

        def emit(guard: Guard) -> None:
            guard.argument = arg
            self.reads.guards.append(guard)

        a = t._a
        local = f"i{arg.number}"
        emit(Guard(f"{e}.__class__ is not {names(Tensor)}", f"type({arg.what})", f"type({e})", type(t)))
        emit(Guard(f"{e}._a.dtype is not {names(a.dtype)}", f"{arg.what}.dtype", f"{e}.dtype", t.dtype))
        emit(Guard(f"{e}._ks != {t._ks}", f"{arg.what}.requires_grad and device", f"{e}._ks", t._ks))
        if any((e, i) in self.sizes for i in range(a.ndim)):
            self._sized(arg, a, emit)
        else:
            emit(Guard(f"({local} := {e}._a).shape != {names(a.shape)}", f"{arg.what}.shape", f"tuple({e}.shape)",
                       tuple(a.shape), ("size", e)))
            emit(Guard(f"{local}.strides != {names(a.strides)}", f"{arg.what}.stride()", f"{e}.stride()",
                       t.stride()))
        if t._ag is not None:
            leaf = bool(t.is_leaf)  # type: ignore[attr-defined]
            emit(Guard(f"{e}.is_leaf is not {leaf}", f"{arg.what}.is_leaf", f"{e}.is_leaf", leaf))


    def _sized(self, arg: Argument, a: Any, emit: Emit) -> None:
        """Guards on a shape some sizes of which vary."""
        e, number = arg.expr, arg.number
        read, want, place = f"tuple({e}.shape)", tuple(a.shape), ("size", e)
        what = f"{arg.what}.shape"
        emit(Guard(f"len(h{number} := (i{number} := {e}._a).shape) != {a.ndim}", what, read, want))
        for i, n in enumerate(a.shape):
            symbol = self.sizes.get((e, i))
            if symbol is None:
                emit(Guard(f"h{number}[{i}] != {n}", what, read, want, place))
                continue
            name = symbol[0]
            if name in self.symbols:
                self.reads.guards.append(Guard(f"i{number}.shape[{i}] != {name}", what, read, want, place))
            else:
                self.symbols[name] = ((number, i), n)
                emit(Guard(f"h{number}[{i}] < 2", what, read, want))
                self.reads.guards.append(Guard(f"({name} := i{number}.shape[{i}]) < 2", what, read, want))
        emit(Guard(f"not i{number}.flags.c_contiguous", f"{arg.what}.stride()", f"{e}.stride()", "row-major"))
        arg.want = tuple(None if (e, i) in self.sizes else n for i, n in enumerate(a.shape)), "rows"


def _identifier(what: str) -> str:
    text = "".join(c if c.isalnum() else "_" for c in what).strip("_")
    return text if text.isidentifier() else "arg"


def parameter_names(fn: Any, count: int) -> list[str]:
    """How messages call the positional arguments of a call."""
    code = getattr(getattr(fn, "__func__", fn), "__code__", None)
    names: list[str] = []
    if code is not None:
        names = list(code.co_varnames[: code.co_argcount])
        if hasattr(fn, "__func__"):
            names = names[1:]
    return [names[i] if i < len(names) else f"args_{i}" for i in range(count)]


__all__ = ["Argument", "Arguments", "parameter_names"]
