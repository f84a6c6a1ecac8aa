"""What Python reads while a function is recorded: the source of the guards.

Three watchers are on meanwhile: attribute reads of modules, optimizers and objects of the user's classes; function
calls, whose globals are noted; and calls of builtins that a program could not repeat (`print`, clocks, Python's own
random numbers). Values are noted before the code that reads them goes on, so that writes can be told and undone.
"""

from __future__ import annotations

import dis
import functools
import sys
import types
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from lamella.core.tensor import Tensor
from lamella.dispatch.adapter import tensors_in

from .. import layers
from .breaks import OURS, SITE, STDLIB, Break, Unready, is_library, is_ours, user_line
from .guards import Guard, Names, check_value, is_plain

_DUNDERS = frozenset(("__init__", "__class__", "__dict__", "__name__", "__doc__", "__module__"))
_CLOCKS = frozenset(("time", "perf_counter", "monotonic", "process_time", "time_ns", "perf_counter_ns", "sleep"))
_OUTPUT = frozenset(("print", "input", "open", "exec", "eval", "breakpoint"))
LIMIT = 20_000
#: Optimizers that were waited for once; they may be ones that the function never steps.
unready: weakref.WeakSet[Any] = weakref.WeakSet()


@functools.lru_cache(4096)
def _globals_of(code: types.CodeType) -> tuple[str, ...]:
    """The names that a code object reads or writes as globals; ``co_names`` has attributes and imports too."""
    found = (i.argval for i in dis.get_instructions(code) if i.opname.endswith(("_GLOBAL", "_NAME"))
             and not i.opname.startswith("IMPORT"))
    return tuple(dict.fromkeys(found))


class Reads:
    """Notes values and the guards on them.

    Attributes:
        guards: the guards, in the order in which values were read.
        tensors: id -> real tensor that was met, with its array, gradient, version and writer before.
        containers: id -> (list or dict, copy) of what was looked into.
        floats: (container, key) -> expression of numbers that became run-time values.
    """

    def __init__(self, names: Names, pins: Any, wanted: set[tuple[int, Any]]) -> None:
        self.names, self.pins, self.wanted = names, pins, wanted
        self.guards: list[Guard] = []
        self.tensors: dict[int, tuple[Any, ...]] = {}
        self.containers: dict[int, tuple[Any, Any]] = {}
        self.sources: list[str] = []
        self.replaced: list[tuple[Any, Any, Any]] = []
        self.stand_ins: dict[tuple[int, Any], Any] = {}
        self.looks_at_grads = False
        self.takes_apart = False  # code may have used numbers without asking them: NumPy, complex numbers
        self.gradient_of: dict[int, Tensor] = {}  # id of a gradient -> its leaf
        self.variables: list[tuple[Any, Any, Any]] = []
        self.caches: list[tuple[Any, int]] = []
        self.holders: list[tuple[Any, str]] = []  # modules and classes
        self.used: set[str] = set()  # names in code that ran
        self._seen: set[Any] = set()
        self.spy_on: Any = None
        self.arguments: Any = None  # makes arguments of tensors that are another one in each call

    # ------------------------------------------------------------------ values

    def note_tensor(self, t: Tensor) -> None:
        """Keep what may change of a real tensor."""
        if id(t) not in self.tensors:
            vc = t._vc
            self.tensors[id(t)] = (t, t._a, t._grad, None if vc is None else vc.n, "" if vc is None else vc.writer)
            if t._grad is not None and id(t._grad) not in self.tensors:
                self.note_tensor(t._grad)
                self.gradient_of[id(t._grad)] = t
            for hook in layers.hooks_of(t):
                self.visit(hook, None, "hook on a gradient")

    def _guard(self, fails: str, what: str, read: str = "", want: Any = None, place: Any = None) -> None:
        """A guard on what the function might change itself."""
        guard = Guard(fails, what, read, want, place)
        guard.state = True
        self.guards.append(guard)

    def given(self, value: Any, expr: str, what: str) -> None:
        """Note an argument that is no tensor, and what is reached from it."""
        self.guards.append(Guard(f"{expr} is not {self.names(value)}", what, expr, value))
        self.visit(value, None, what)

    def visit(self, value: Any, expr: str | None, what: str, place: Any = None) -> None:
        """Note a value that ``expr`` gives (None: what holds it is known to hold it) and what is reached from it."""
        if len(self.guards) > LIMIT:
            raise Break("the function reads more Python objects than can be guarded", user_line())
        if is_plain(value):
            if place is not None and self._runtime(value, expr, what, place):
                return
            if expr is not None:
                self._guard(check_value(self.names, expr, value), what, expr, value, place)
            return
        if place is not None and (id(place[0]), place[1]) in self.wanted and tensors_in(value):
            start = len(self.guards)
            self._replace(place[0], place[1], value, self.arguments.replace(value, expr, what))
            for guard in self.guards[start:]:
                guard.state = not guard.number
            return
        if expr is not None:
            key = (expr, id(value))
            if key in self._seen:
                return
            self._seen.add(key)
            self._guard(f"{expr} is not {self.names(value)}", what, expr, value, place)
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        self.names(value)  # holds it, so that its id stays its own
        self._inside(value, what)

    def _inside(self, value: Any, what: str) -> None:
        if isinstance(value, Tensor):
            self.note_tensor(value)
        elif isinstance(value, types.FunctionType):
            self.function(value, what)
        elif isinstance(value, types.MethodType):
            self.visit(value.__func__, None, what)
            self.visit(value.__self__, None, what)
        elif isinstance(value, np.ndarray):
            self._array(value, what)
        elif isinstance(value, dict):
            self._dict(value, what)
        elif isinstance(value, list):
            self._list(value, what)
        elif isinstance(value, tuple):
            for i, each in enumerate(value):
                self.visit(each, None, f"{what}[{i}]")
        elif isinstance(value, (set, frozenset)):
            k, copy = self.names(value), self.names(set(value))
            self._guard(f"{k} != {copy}", what, k, set(value))
        elif isinstance(value, Iterator):
            raise Break(f"{what} is an iterator, and recording would use it up", user_line())
        elif isinstance(value, (type, types.ModuleType)):
            self.holders.append((value, what))
            self.takes_apart |= getattr(value, "__name__", "").partition(".")[0] == "numpy"
        elif isinstance(value, types.BuiltinFunctionType):
            return
        elif isinstance(value, np.ufunc):
            self.takes_apart = True
        elif isinstance(value, (np.random.Generator, np.random.RandomState, np.random.BitGenerator)):
            raise Break(f"{what} draws random numbers in Python", user_line(), "use torch.rand and its siblings")
        elif isinstance(value, functools._lru_cache_wrapper):
            self.caches.append((value, value.cache_info().currsize))
            self.visit(value.__wrapped__, None, what)
        elif self.spy_on is not None:
            if layers.is_optimizer(value) and layers.lacks_state(value) and value not in unready:
                unready.add(value)
                raise Unready("the optimizer makes its state in its first step", lasting=False)
            if not self.spy_on(type(value)) and isinstance(_space(value), dict):
                self.visit(_space(value), None, what)
            if type(value) is functools.partial:
                for each in (value.func, value.args, value.keywords):
                    self.visit(each, None, what)

    def _array(self, value: np.ndarray, what: str) -> None:
        if value.size > 4096 or value.dtype.hasobject:
            raise Break(f"{what} is a NumPy array of {value.size} elements, too many to guard", user_line(),
                        "make it a tensor outside of the compiled function")
        k = self.names(value)
        content = value.tobytes()
        self._guard(f"{k}.tobytes() != {self.names(content)}", what, "", "its elements")

    def function(self, fn: Any, what: str) -> None:
        """The closure of a function; its globals are noted when it is called."""
        code = fn.__code__
        if is_library(code):
            return
        for name, cell in zip(code.co_freevars, fn.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            self.variables.append((cell, "cell_contents", value))
            self.visit(value, f"{self.names(cell)}.cell_contents", name, (cell, "cell_contents"))
        for each in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values()):
            self.visit(each, None, what)

    def called(self, code: Any, space: dict[str, Any]) -> None:
        """The globals that a function names."""
        if is_library(code):
            return
        k = self.names(space)
        self.used.update(code.co_names)
        self.takes_apart |= any(type(each) is complex for each in code.co_consts)
        for name in _globals_of(code):
            if name in space and (id(space), name) not in self._seen:
                self._seen.add((id(space), name))
                self.variables.append((space, name, space[name]))
                self.visit(space[name], f"{k}[{name!r}]", name, (space, name))

    def namespaces(self) -> None:
        """Note what the code that ran may have read of modules and classes of the user's: all that it has names for."""
        for holder, what in self.holders:  # grows on the way
            file = getattr(sys.modules.get(holder.__module__) if isinstance(holder, type) else holder, "__file__", None)
            if not file or file.startswith((*OURS, *STDLIB, *SITE)):
                continue
            space, k = vars(holder), self.names(holder)
            for name in sorted(self.used.intersection(space)):
                if not isinstance(space[name], (property, classmethod, staticmethod)) and name not in _DUNDERS:
                    self.visit(space[name], f"{k}.{name}", f"{what}.{name}")

    # ------------------------------------------------------------------ containers

    def _dict(self, value: dict[Any, Any], what: str) -> None:
        self.containers[id(value)] = (value, dict(value))
        k = self.names(value)
        if all(is_plain(key) for key in value):
            self._guard(f"len({k}) != {len(value)}", f"len({what})", f"len({k})", len(value))
            for key, each in list(value.items()):
                self.visit(each, f"{k}[{key!r}]", f"{what}[{key!r}]", (value, key))
            return
        self._unpacked(f"{k}.values()", list(value.values()), what)

    def _list(self, value: list[Any], what: str) -> None:
        self.containers[id(value)] = (value, list(value))
        if len(value) > LIMIT:
            raise Break(f"{what} is a list of {len(value)} values, too many to guard", user_line())
        k = self.names(value)
        if len(value) > 8 and all(is_plain(each) for each in value):
            self._guard(f"{k} != {self.names(list(value))}", what, k, list(value))
            return
        if len(value) > 3 and not any(is_plain(each) for each in value):
            self._unpacked(k, value, what)
            return
        self._guard(f"len({k}) != {len(value)}", f"len({what})", f"len({k})", len(value))
        for i, each in enumerate(value):
            self.visit(each, f"{k}[{i}]", f"{what}[{i}]")

    def _unpacked(self, expr: str, values: list[Any], what: str) -> None:
        """A guard on all elements of a container at once."""
        if not values:
            self._guard(f"len({expr}) != 0", f"len({what})", f"len({expr})", 0)
            return
        ids = self.names([id(each) for each in values])
        self._guard(f"[*map(id, {expr})] != {ids}", what, f"[*{expr}]", None)
        for i, each in enumerate(values):
            self.visit(each, None, f"{what}[{i}]")

    # ------------------------------------------------------------------ numbers that vary

    def _runtime(self, value: Any, expr: str | None, what: str, place: Any) -> bool:
        holder, key = place
        if type(value) is float:
            if key == "lr" and "params" in holder or (id(holder), key) in self.wanted:
                self._replace(holder, key, value, self.source(value, expr or "", what))
                return True
        elif type(value) is tuple and value and (id(holder), key) in self.wanted and all(
                type(v) is float for v in value):
            text = f"{expr}.__class__ is not tuple or len({expr}) != {len(value)}"
            self._number(text, what, expr or "", value)
            self._replace(holder, key, value, tuple(self._fresh(v, f"{expr}[{i}]") for i, v in enumerate(value)))
            return True
        return False

    def _replace(self, holder: Any, key: Any, value: Any, new: Any) -> None:
        self.replaced.append((holder, key, value))
        self.stand_ins[id(holder), key] = new
        put(holder, key, new)

    def source(self, value: float, expr: str, what: str) -> Any:
        """A number that is read anew in each call."""
        self._number(f"{expr}.__class__ is not float", what, expr, value)
        return self._fresh(value, expr)

    def _number(self, fails: str, what: str, expr: str, value: Any) -> None:
        guard = Guard(fails, what, expr, value)
        guard.number = True
        self.guards.append(guard)

    def _fresh(self, value: float, expr: str) -> Any:
        self.sources.append(expr)
        return self.pins.new(value)

    # ------------------------------------------------------------------ attributes

    def attribute(self, obj: Any, name: str) -> None:
        """An attribute is about to be read."""
        key = (id(obj), name)
        if key in self._seen:
            return
        self._seen.add(key)
        if name.startswith("__") and name != "__dict__":
            return
        space = _space(obj)
        where = f"{type(obj).__name__}.{name}"
        if name == "__dict__":
            if not is_ours(sys._getframe(2).f_code) or sys._getframe(2).f_code.co_name == "_call_impl":
                self.visit(space, None, f"vars({type(obj).__name__})")
            return
        if space is None:
            self._by_getattr(obj, name, where)
        elif name in space:
            self.names(obj)
            if name not in _COUNTS or not layers.is_optimizer(obj):
                self.visit(space[name], f"{self.names(space)}[{name!r}]", where, (space, name))
        else:
            self._outside_dict(obj, name, space, where)

    def _outside_dict(self, obj: Any, name: str, space: dict[str, Any], where: str) -> None:
        for field in ("_parameters", "_modules", "_buffers"):
            table = space.get(field)
            if table is not None and name in table:
                self.containers.setdefault(id(table), (table, dict(table)))
                self.visit(table[name], f"{self.names(table)}[{name!r}]", where, (table, name))
                return
        own = _on_class(type(obj), name)
        if own is _ABSENT or not isinstance(own, (property, types.MemberDescriptorType)):
            if not (name.startswith("_") and name != "_slow_call" and type(obj).__module__.startswith("lamella.")):
                self._guard(f"{name!r} in {self.names(space)}", f"{where} on the object", "", "absent")
            if not type(obj).__module__.startswith("lamella."):
                expr = f"{self.names(type(obj))}.{name}"
                if is_plain(own):
                    self._guard(check_value(self.names, expr, own), where, expr, own)
                elif isinstance(own, types.FunctionType):
                    self._guard(f"{expr} is not {self.names(own)}", where, expr, own)
        elif isinstance(own, types.MemberDescriptorType):
            self._by_getattr(obj, name, where)

    def _by_getattr(self, obj: Any, name: str, where: str) -> None:
        own = _on_class(type(obj), name)
        if not isinstance(own, types.MemberDescriptorType):
            return
        try:
            value = own.__get__(obj)
        except AttributeError:
            return
        self.visit(value, f"{self.names(obj)}.{name}", where)


_ABSENT = object()
_COUNTS = frozenset(("_step_calls", "_stepping", "_opt_called"))


def _space(obj: Any) -> Any:
    try:
        return object.__getattribute__(obj, "__dict__")
    except AttributeError:
        return None


def _on_class(cls: type, name: str) -> Any:
    for each in cls.__mro__:
        if name in each.__dict__:
            return each.__dict__[name]
    return _ABSENT


def held(holder: Any, key: Any) -> Any:
    """What a dictionary or a cell holds."""
    try:
        return holder.cell_contents if isinstance(holder, types.CellType) else holder[key]
    except (KeyError, ValueError):
        return _ABSENT


def put(holder: Any, key: Any, value: Any) -> None:
    """Store into a dictionary or a cell."""
    if isinstance(holder, types.CellType):
        holder.cell_contents = value
    else:
        holder[key] = value


def impure(fn: Any, in_library: bool) -> str | None:
    """Why a builtin cannot be part of a program, or None; code of libraries may look at clocks and open files."""
    name, module = getattr(fn, "__name__", ""), getattr(fn, "__module__", None)
    owner = type(getattr(fn, "__self__", None))
    if owner.__module__ in ("random", "_random", "numpy.random.mtrand", "numpy.random._generator"):
        return f"{owner.__name__}.{name}() draws a random number in Python"
    if owner.__module__ == "_io" and name == "write":
        return "something is written to a file"
    if name in ("now", "utcnow", "today") and getattr(getattr(fn, "__self__", None), "__module__", "") == "datetime":
        return f"the date is read by {name}()"
    if in_library:
        return None
    if module in ("builtins", "io", "_io") and name in _OUTPUT:
        return f"{name}() is called"
    if module == "time" and name in _CLOCKS:
        return f"time.{name}() is called"
    return None
