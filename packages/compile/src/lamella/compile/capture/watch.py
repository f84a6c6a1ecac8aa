"""Watchers over Python code while it is recorded; they are gone when the block ends, whatever happened in it."""

from __future__ import annotations

import gc
import sys
import threading
import types
from typing import Any

import numpy as np

from lamella.core import creation
from lamella.core.random.generator import Generator
from lamella.core.storage import owner_of
from lamella.core.tensor import Tensor

from .. import layers
from .breaks import Break, Unknown, is_library_file, is_our_file, is_ours, user_frame, user_line
from .fakes import CLOSED, fake
from .limits import compare_index
from .reads import Reads, _space, held, impure, put
from .symint import BLIND, blindness, tracker

_HEAP = 1 << 9
_ABSENT = object()
_SEEDED = "random numbers are seeded, which a program does not repeat"
_TABLES = ("_parameters", "_modules", "_buffers")
_lock = threading.RLock()


class Watch:
    """Turns reads into guards and keeps what is needed to undo writes.

    Attributes:
        writes: (id of object, name) -> (object, name, what each table held before).
    """

    def __init__(self, reads: Reads, recorder: Any, sized: bool = False) -> None:
        self.sized = sized  # sizes vary: what is compared with them is noted
        self.reads, self.recorder, self.pins = reads, recorder, recorder.pins
        self.writes: dict[tuple[int, str], tuple[Any, str, list[Any]]] = {}
        self._thread = threading.get_ident()
        self._patched: list[tuple[Any, str, Any]] = []
        self._spied: set[type] = set()
        self._codes: dict[tuple[int, int], Any] = {}  # code and its globals, which codes that are equal may not share
        self._quiet: set[str] = set()
        self._files: dict[str, bool] = {}  # whether it is a library's
        self._profile: Any = None
        self._drawn: Any = None

    def __enter__(self) -> Watch:
        _lock.acquire()
        try:
            self.reads.spy_on = self.spy_on
            for cls in (layers.module_class(), layers.optimizer_class()):
                if cls is not None:
                    self._spy(cls)
            for name, what in CLOSED.items():
                self._patch(Tensor, name, self._closed(name, what, getattr(Tensor, name)))
            for name in ("manual_seed", "seed", "set_state", "set_state_array"):
                self._patch(Generator, name, self._closed(name, _SEEDED, getattr(Generator, name)))
            if "grad" in Tensor.__dict__:
                self._patch(Tensor, "grad", self._grad_property(Tensor.__dict__["grad"]))
            if self.sized:
                for name in ("__getitem__", "__setitem__"):
                    self._patch(Tensor, name, _indexed(getattr(Tensor, name)))
            self._patch(creation, "_finish", self._finished(creation._finish))
            self._patch(creation, "as_array", self._read(creation.as_array))
            self._drawn = np.random.get_state(legacy=False)
            self._profile = sys.getprofile()
            self.recorder.profile = self._events()
            sys.setprofile(self.recorder.profile)
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        self.recorder.profile = None
        sys.setprofile(self._profile if callable(self._profile) else None)
        if hasattr(self._profile, "enable"):  # a profiler written in C
            self._profile.enable()
        self.reads.spy_on = None
        for cls, name, old in reversed(self._patched):
            if old is _ABSENT:
                delattr(cls, name)
            else:
                setattr(cls, name, old)
        self._patched.clear()
        _lock.release()

    def _patch(self, cls: Any, name: str, new: Any) -> None:
        self._patched.append((cls, name, cls.__dict__.get(name, _ABSENT)))
        setattr(cls, name, new)

    def _closed(self, name: str, what: str, real: Any) -> Any:
        thread = self._thread

        def closed(t: Any, *args: Any, **kwargs: Any) -> Any:
            if threading.get_ident() == thread and not (name == "data_ptr" and is_ours(sys._getframe(1).f_code)):
                raise Unknown(name, what)
            return real(t, *args, **kwargs)

        return closed

    def _grad_property(self, real: property) -> property:
        """``.grad``, which tells when it is read."""
        thread, reads, get = self._thread, self.reads, real.fget

        def grad(t: Any) -> Any:
            if threading.get_ident() == thread:
                reads.looks_at_grads = True
            return get(t)  # type: ignore[misc]

        return property(grad, real.fset, real.fdel, real.__doc__)

    def _finished(self, real: Any) -> Any:
        """Tensors made from Python values are constants; each call gets a fresh copy."""
        thread, recorder, seen = self._thread, self.recorder, self.reads._seen

        def finish(op: str, a: Any, dtype: Any, device: Any, requires_grad: bool) -> Any:
            shared = op == "as_tensor" and id(owner_of(a)) in seen
            if threading.get_ident() != thread or shared:
                return real(op, a, dtype, device, requires_grad)
            if id(a) in recorder.values:  # a copy of a tensor
                t = fake(a, recorder.values[id(a)][1].key)
                t = t if dtype is None else t.to(dtype)
                return t.requires_grad_() if requires_grad else t
            t = real(op, a, dtype, device, False).clone()
            return t.requires_grad_() if requires_grad else t

        return finish

    def _read(self, real: Any) -> Any:
        """Run-time numbers that go into an array are fixed."""
        thread, pins = self._thread, self.pins

        def as_array(op: str, data: Any, dtype: Any = None) -> Any:
            if threading.get_ident() == thread and pins.values and isinstance(data, (float, list, tuple)):
                pins.pin_all()
            return real(op, data, dtype)

        return as_array

    # ------------------------------------------------------------------ attributes

    def spy_on(self, cls: type) -> bool:
        """Watch the attributes of a class that the function has come upon; False where that is not possible."""
        if cls in self._spied or issubclass(cls, (Tensor, type)):
            return True
        module = cls.__module__
        if module.partition(".")[0] in _QUIET and module != "types" or module.startswith("lamella.compile"):
            return True
        if not cls.__flags__ & _HEAP:
            return False
        if any(c in self._spied for c in cls.__mro__[1:]):
            self._spied.add(cls)
            return True
        try:
            self._spy(cls)
        except (TypeError, AttributeError):
            return False
        return True

    def _spy(self, cls: type) -> None:
        reads, thread, note = self.reads, self._thread, self._written
        kind: Any = cls
        get, put_, drop = kind.__getattribute__, kind.__setattr__, kind.__delattr__
        seen = reads._seen

        def __getattribute__(obj: Any, name: str) -> Any:  # noqa: N807
            if (id(obj), name) not in seen and threading.get_ident() == thread:
                reads.attribute(obj, name)
            return get(obj, name)

        def __setattr__(obj: Any, name: str, value: Any) -> None:  # noqa: N807
            if threading.get_ident() == thread:
                note(obj, name)
            put_(obj, name, value)

        def __delattr__(obj: Any, name: str) -> None:  # noqa: N807
            if threading.get_ident() == thread:
                note(obj, name)
            drop(obj, name)

        own: tuple[Any, ...] = (__getattribute__, __setattr__, __delattr__)
        for fn in own:
            self._patch(cls, fn.__name__, fn)
        self._spied.add(cls)

    def _written(self, obj: Any, name: str) -> None:
        key = (id(obj), name)
        if key in self.writes:
            return
        space: Any = _space(obj)
        if space is None:
            space = Slots(obj)
        tables = [space, *(space[t] for t in _TABLES if t in space)]
        self.reads.names(obj)
        self.reads._seen.add(key)  # what is read from now on is the function's own
        self.writes[key] = (obj, name, [(table, table.get(name, _ABSENT)) for table in tables])

    def refuse_draws(self) -> None:
        """Random numbers that NumPy has drawn for Python code would be the same in every call."""
        now, then = np.random.get_state(legacy=False), self._drawn
        if now["state"]["pos"] != then["state"]["pos"] or not np.array_equal(now["state"]["key"], then["state"]["key"]):
            np.random.set_state(then)
            raise Break("numpy.random draws random numbers in Python", "", "use torch.rand and its siblings")

    def undo_writes(self) -> list[tuple[Any, str, Any, Any]]:
        """Put attributes back; returns those that were changed: (object, name, before, after)."""
        changed = []
        for obj, name, tables in self.writes.values():
            for table, before in tables:
                after = table.get(name, _ABSENT)
                if after is before:
                    continue
                default = getattr(type(obj), name, _ABSENT) if before is _ABSENT else _ABSENT
                if after is not default:
                    changed.append((obj, name, before, after))
                if before is _ABSENT:
                    del table[name]
                else:
                    table[name] = before
        return changed

    # ------------------------------------------------------------------ calls

    def _events(self) -> Any:
        """The function that Python tells of calls; it is called for each of them, so it looks things up only once."""
        quiet, files, codes = self._quiet, self._files, self._codes
        called, pins = self.reads.called, self.pins

        def event(frame: types.FrameType, kind: str, arg: Any) -> None:
            code = frame.f_code
            file = code.co_filename
            if file in quiet:
                return
            library = files.get(file)
            if library is None:
                library = files[file] = is_library_file(file)
                if is_our_file(file) or file.startswith("<frozen"):
                    quiet.add(file)
                    return
            if kind == "c_call":
                reason = impure(arg, library)
                if reason is not None and not is_collecting(frame):
                    hint = "move the line out of the compiled function"
                    raise Break(reason, user_line(user_frame(frame)), hint)
                if pins.values and getattr(arg, "__module__", None) == "math":
                    pins.pin_all()
                if getattr(arg, "__name__", "") in BLIND and (current := tracker()) is not None:
                    current.may_miss(1)
            elif kind == "call" and not library:
                key = id(code), id(frame.f_globals)
                if key not in codes and not is_collecting(frame):
                    codes[key] = code, frame.f_globals
                    called(code, frame.f_globals)
                    if (current := tracker()) is not None:
                        current.may_miss(blindness(code))

        return event


class Slots:
    """The attributes of an object that has slots instead of a dictionary, to be asked like one."""

    def __init__(self, obj: Any) -> None:
        self.obj = obj

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute's value, or ``default`` where it has none."""
        try:
            return object.__getattribute__(self.obj, name)
        except AttributeError:
            return default

    def __contains__(self, name: str) -> bool:
        return False

    def __setitem__(self, name: str, value: Any) -> None:
        object.__setattr__(self.obj, name, value)

    def __delitem__(self, name: str) -> None:
        object.__delattr__(self.obj, name)


_QUIET = frozenset(("builtins", "numpy", "collections", "threading", "functools", "enum", "types", "abc", "typing"))


def is_collecting(frame: types.FrameType | None) -> bool:
    """Whether a frame runs because the garbage collector called somebody back, whenever that happens to be."""
    codes = {getattr(each, "__code__", None) for each in gc.callbacks}
    while frame is not None:
        if frame.f_code in codes:
            return True
        frame = frame.f_back
    return False


def _indexed(real: Any) -> Any:
    def indexed(t: Any, index: Any, *value: Any) -> Any:
        compare_index(t, index)
        return real(t, index, *value)

    return indexed


def undo(reads: Reads) -> None:
    """Put back the numbers that stood in for others, the contents of containers, and tensors' own state."""
    for holder, key, value in reads.replaced:
        put(holder, key, value)
    for cache, size in reads.caches:
        if cache.cache_info().currsize != size:
            cache.cache_clear()  # it may hold fakes
    for holder, key, value in reads.variables:
        if held(holder, key) is not value:
            put(holder, key, value)
    for container, copy in reads.containers.values():
        if isinstance(container, dict):
            if len(container) != len(copy) or any(container.get(k, _ABSENT) is not v for k, v in copy.items()):
                container.clear()
                container.update(copy)
        elif len(container) != len(copy) or any(a is not b for a, b in zip(container, copy, strict=True)):
            container[:] = copy
    for t, a, grad, n, writer in reads.tensors.values():
        if t._a is not a:
            t._a = a
        if t._grad is not grad:
            t._grad = grad
        if t._vc is not None:
            t._vc.n, t._vc.writer = n or 0, writer
