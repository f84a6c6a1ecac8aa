"""Kernels over another array module: the CPU's code, with other globals.

A function is code and the names it looks up. The *twin* of a kernel has the code of the CPU's and looks up CuPy's names
where that one looks up NumPy's; functions that it calls in other modules of kernels are twins too. So there is one text
for both devices, and the CPU's costs nothing more than before.

In the twin of a module

- ``np``, ``_xp`` and everything that was taken from NumPy are CuPy's (`lamella.core.cuda.xp`), and an ``import`` in a
  function gives twins and CuPy's modules;
- ``_KS``, the key set of new tensors, is CUDA's;
- dicts are copies without the arrays in them, since those were made for the CPU;
- a function with the same name in the module that lies at the same place below ``cuda`` takes the place of the CPU's:
  ``lamella.core.cuda.kernels.strides`` for ``lamella.core.kernels.strides``.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import importlib.util
import inspect
import threading
from collections.abc import Callable
from types import BuiltinFunctionType, CellType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

from lamella.dispatch import registry
from lamella.dispatch.errors import message

from ..tensor import CUDA
from ..xp import NUMPY
from .outputs import is_writable
from .presence import available, device_count

#: Modules beside those below ``kernels`` and the generated ones whose functions work on arrays.
HELPERS = {
    f"lamella.core.{name}"
    for name in (
        "copies", "layouts", "outputs", "parallel", "random", "random.discrete", "random.transforms", "runtime",
        "tensor",
    )
}  # fmt: skip
_lock = threading.RLock()
_modules: dict[str, ModuleType] = {}
_functions: dict[int, tuple[Any, Any]] = {}
_waiting: list[tuple[ModuleType, ModuleType]] = []


def has_twin(name: str) -> bool:
    """Whether functions of a module work on arrays, so that CUDA needs its own.

    Example:
        >>> has_twin("lamella.core.kernels.sorting"), has_twin("lamella.core.functions.sorting")
        (True, False)
    """
    parts = name.split(".")
    if "cuda" in parts:
        return False
    return "kernels" in parts or (parts[-1].endswith("_cpu") and "_gen" in parts) or name in HELPERS


def twin(name: str) -> ModuleType:
    """The twin of a module, by its name.

    Args:
        name: a module for which `has_twin` holds.

    Returns:
        A module with the same names.
    """
    with _lock:
        made = _shell(importlib.import_module(name))
        while _waiting:
            _fill(*_waiting.pop())
        return made


def _shell(original: ModuleType) -> ModuleType:
    """The twin of a module, perhaps still without its names."""
    name = original.__name__
    made = _modules.get(name)
    if made is None:
        made = _modules[name] = ModuleType(name, original.__doc__)
        for own in ("__package__", "__spec__", "__file__", "__path__"):
            if hasattr(original, own):
                setattr(made, own, getattr(original, own))
        made.__dict__["__builtins__"] = _BUILTINS
        _waiting.append((made, original))
    return made


def _fill(made: ModuleType, original: ModuleType) -> None:
    for name, value in list(vars(original).items()):
        if name[:2] != "__" or name == "__all__":
            made.__dict__[name] = _named(name, value)
    for name, value in _own(original.__name__).items():
        made.__dict__[name] = value


def _named(name: str, value: Any) -> Any:
    if name == "_KS":
        return CUDA
    if name == "_xp":
        return _cupy()
    if name in _LIMITS and type(value) is int:
        return _LIMITS[name]
    if name[:3] == "_u_" and (name[-1] == "_" or "__" in name):
        return _Inplace(counterpart(value))
    return counterpart(value)


#: How many elements are few, in kernels that take another way then: on a GPU a ufunc or a reduction is always quicker.
_LIMITS = {"SMALL": -1, "_FEW": 1 << 62}


class _Inplace:
    """An elementwise function that may not write what overlaps itself: its last argument, after the operands."""

    def __init__(self, fn: Any) -> None:
        self.fn, self.types, self.__name__ = fn, getattr(fn, "types", None), getattr(fn, "__name__", "")

    def __call__(self, *args: Any) -> Any:
        if len(args) > self.fn.nin and 0 in args[-1].strides and not is_writable(args[-1]):
            raise ValueError("output array is read-only")
        return self.fn(*args)


def _own(name: str) -> dict[str, Any]:
    """What is written for CUDA in the place of a module's functions."""
    found = _written.get(name)
    if found is None:
        head, tail = name.split(".")[:2], name.split(".")[2:]
        place = ".".join([*head, "cuda", *tail])
        found = {}
        if importlib.util.find_spec(".".join([*head, "cuda"])) and _findable(place):
            module = importlib.import_module(place)
            names = getattr(module, "__all__", None) or [
                n for n, v in vars(module).items() if isinstance(v, FunctionType) and v.__module__ == place
            ]
            found = {n: getattr(module, n) for n in names}
        _written[name] = found
    return found


_written: dict[str, dict[str, Any]] = {}


def _findable(place: str) -> bool:
    try:
        return importlib.util.find_spec(place) is not None
    except ModuleNotFoundError:
        return False


def _cupy() -> Any:
    from .xp import CUPY

    return CUPY


def counterpart(value: Any) -> Any:
    """What stands on CUDA for a value that a CPU kernel uses: a function's twin, CuPy's name for NumPy's, or itself."""
    if isinstance(value, FunctionType):
        return _function(value)
    if isinstance(value, ModuleType):
        return _module(value)
    if value is np.ndarray:
        return _cupy().ndarray
    if isinstance(value, np.ndarray):
        return _cupy().asarray(value)
    if isinstance(value, (np.ufunc, BuiltinFunctionType)) or type(value).__name__ == "_ArrayFunctionDispatcher":
        name = getattr(value, "__name__", "")
        return getattr(_cupy(), name) if getattr(np, name, None) is value else value
    if type(value) is functools.partial:
        named = {k: counterpart(v) for k, v in value.keywords.items()}
        return functools.partial(counterpart(value.func), *map(counterpart, value.args), **named)
    if hasattr(value, "cache_parameters"):
        if isinstance(value.__wrapped__, FunctionType):
            return table(value)
        return functools.lru_cache(**value.cache_parameters())(counterpart(value.__wrapped__))
    if isinstance(value, type):
        return _class(value)
    if type(value) is dict:
        kept = {k: counterpart(v) for k, v in value.items() if not _holds_array(v)}
        return kept if kept or device_count() < 2 else PerDevice()
    if type(value) in (list, tuple):
        return type(value)(counterpart(v) for v in value)
    return value


def table(fn: Any) -> Any:
    """A function of numbers that the CPU's kernels keep the results of: NumPy computes it, each GPU gets a copy.

    Args:
        fn: a function in an `lru_cache`.

    Returns:
        A function of the same arguments that gives arrays of the current GPU.
    """
    import cupy

    def moved(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return cupy.asarray(value)
        return type(value)(map(moved, value)) if type(value) in (list, tuple) else value

    @functools.lru_cache(**fn.cache_parameters())
    def on_gpu(index: int, *args: Any, **kwargs: Any) -> Any:
        return moved(fn(*[NUMPY if a is _cupy() else a for a in args], **kwargs))

    @functools.wraps(fn.__wrapped__)
    def kept(*args: Any, **kwargs: Any) -> Any:
        return on_gpu(cupy.cuda.runtime.getDevice(), *args, **kwargs)

    return kept


class PerDevice(dict):
    """What a kernel keeps between calls, for each GPU apart."""

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__((_current(), key))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((_current(), key), value)

    def __contains__(self, key: Any) -> bool:
        return super().__contains__((_current(), key))

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((_current(), key), default)


def _current() -> int:
    import cupy

    return cupy.cuda.runtime.getDevice()


def _holds_array(value: Any) -> bool:
    if type(value) in (list, tuple):
        return any(map(_holds_array, value))
    return isinstance(value, np.ndarray)


def _class(cls: type) -> type:
    """The twin of a class that is defined beside kernels."""
    if "kernels" not in cls.__module__.split(".") or not has_twin(cls.__module__) or issubclass(cls, BaseException):
        return cls
    known = _functions.get(id(cls))
    if known is None:
        body = {
            k: counterpart(v) for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__", "__slots__")
            and type(v) is not MemberDescriptorType
        }
        known = _functions[id(cls)] = cls, type(cls)(cls.__name__, cls.__bases__, body)  # type: ignore[misc]
    return known[1]


def _module(value: ModuleType) -> Any:
    if value is np:
        return _cupy()
    if value is NUMPY:
        return value  # kernels ask `xp is NUMPY`
    if has_twin(value.__name__):
        return _shell(value)
    from .xp import MODULES

    return MODULES.get(value.__name__, value)


def _function(fn: FunctionType) -> Any:
    home = fn.__globals__.get("__name__", "")
    if not has_twin(home):
        return fn
    known = _functions.get(id(fn))
    if known is not None:
        return known[1]
    own = _own(home).get(fn.__name__)
    if own is not None and fn.__qualname__ == fn.__name__:
        _functions[id(fn)] = fn, own
        return own
    space = _shell(importlib.import_module(home))
    cells = None if fn.__closure__ is None else tuple(CellType() for _ in fn.__closure__)
    made = FunctionType(fn.__code__, space.__dict__, fn.__name__, fn.__defaults__, cells)
    _functions[id(fn)] = fn, made
    made.__kwdefaults__ = fn.__kwdefaults__
    made.__qualname__, made.__doc__, made.__module__ = fn.__qualname__, fn.__doc__, fn.__module__
    made.__dict__.update(fn.__dict__)
    for cell, old in zip(cells or (), fn.__closure__ or (), strict=True):
        cell.cell_contents = counterpart(old.cell_contents)
    return made


def _import(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:  # noqa: A002
    """The import statement of twins: what it gives are counterparts."""
    found = builtins.__import__(name, globals, locals, fromlist, level)
    if not fromlist:
        return counterpart(found)
    given = ModuleType(found.__name__)
    own = twin(found.__name__) if has_twin(found.__name__) else None
    for each in fromlist:
        value = getattr(own, each, None)
        given.__dict__[each] = counterpart(getattr(found, each)) if value is None else value
    with _lock:
        while _waiting:
            _fill(*_waiting.pop())
    return given


_BUILTINS = {**vars(builtins), "__import__": _import}


# ---------------------------------------------------------------- as kernels of the dispatcher


def kernels_of(name: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module of CUDA kernels: the twins of a generated module's functions.

    Args:
        name: the generated module of CPU kernels.
    """

    def kernel(symbol: str) -> Any:
        original = None if symbol[:2] == "__" else getattr(importlib.import_module(name), symbol, None)
        if not isinstance(original, FunctionType) or not available():
            raise AttributeError(symbol)
        try:
            made = twin(name)
        except AttributeError as error:  # which would read as "there is no such kernel"
            raise RuntimeError(message("cuda", f"the kernels of {name} cannot be made", [str(error)])) from error
        return on_device(getattr(made, symbol), _operator(symbol))

    return kernel


def _operator(symbol: str) -> str:
    """The name of the operator that a generated function is for."""
    return next((str(op.opname) for op in registry.all_ops() if op.symbol == symbol), symbol)


def on_device(fn: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A kernel that runs on the device of its tensors, or on that of its ``device`` argument.

    Args:
        fn: the kernel.
        name: its operator, for errors.
    """
    from .devices import guarded

    takes_device = "device" in inspect.signature(fn).parameters
    return guarded(fn, name, takes_device) if takes_device or device_count() > 1 else fn
