"""The names under which a file knows things: torch's, whatever module they live in here.

Files name classes and functions as torch does (`torch._utils._rebuild_tensor_v2`, `torch.FloatStorage`), so that both
libraries read them. One table serves both directions; layers above add their own classes with `register_global`, or a
whole package with `register_namespace`.
"""

from __future__ import annotations

import importlib
from typing import Any

from lamella.dispatch.errors import message

from ..devices import device
from ..dtypes import ALL, FLOAT8, dtype, uint8
from ..layouts import FORMATS
from ..tensor import Size, Tensor

_OBJECTS: dict[tuple[str, str], Any] = {}
_NAMES: dict[Any, tuple[str, str]] = {}
_NAMESPACES: dict[str, str] = {}

_STORAGE_NAMES = {
    "float64": "DoubleStorage", "float32": "FloatStorage", "float16": "HalfStorage", "bfloat16": "BFloat16Storage",
    "int64": "LongStorage", "int32": "IntStorage", "int16": "ShortStorage", "int8": "CharStorage",
    "uint8": "ByteStorage", "bool": "BoolStorage", "complex64": "ComplexFloatStorage",
    "complex128": "ComplexDoubleStorage",
}


_parameter: Any = None


def register_parameter(cls: type) -> None:
    """Name the class that `torch.nn.parameter.Parameter` stands for: called once, by the layer that has it.

    Args:
        cls: a subclass of Tensor that is constructed as `cls(data, requires_grad)`.
    """
    global _parameter
    _parameter = cls
    register_global("torch.nn.parameter", "Parameter", cls)


def parameter_class() -> Any:
    """The class of parameters; None where no layer has one."""
    return _parameter


def load_parameter_class() -> Any:
    """The class of parameters, looked for in the registered packages where no layer has named it yet."""
    if _parameter is None:
        _in_packages("torch.nn.parameter", "Parameter")  # its module registers it
    return _parameter


def is_parameter(t: Any) -> bool:
    """Whether `t` is a parameter, of that class or marked as one."""
    return _parameter is not None and isinstance(t, _parameter)


class StorageType:
    """A storage class as a file names it: an element type, or bytes without one.

    Attributes:
        name: torch's class name, such as "FloatStorage".
        dtype: the element type (uint8 when untyped).
    """

    __slots__ = ("name", "dtype")

    def __init__(self, name: str, element: dtype) -> None:
        self.name = name
        self.dtype = element

    @property
    def untyped(self) -> bool:
        """Whether the file leaves the element type to each tensor."""
        return self.name == "UntypedStorage"

    def __repr__(self) -> str:
        return f"StorageType({self.name})"

    def __reduce__(self) -> tuple[Any, ...]:
        return storage_type, (self.name,)


UNTYPED = StorageType("UntypedStorage", uint8)
_STORAGE_TYPES = {name: StorageType(name, d) for d in ALL for name in [_STORAGE_NAMES.get(d.name)] if name}
_STORAGE_TYPES["UntypedStorage"] = UNTYPED


def storage_type(name: str) -> StorageType:
    """The storage class of that name; KeyError where there is none."""
    return _STORAGE_TYPES[name]


def storage_type_of(element: dtype) -> StorageType | None:
    """The storage class that holds an element type; None for the types that torch only stores untyped."""
    name = _STORAGE_NAMES.get(element.name)
    return _STORAGE_TYPES[name] if name else None


def register_global(module: str, name: str, obj: Any, *, write: bool = True) -> None:
    """Tie an object to the name that files know it by.

    Args:
        module: torch's module, such as "torch.nn.parameter".
        name: the qualified name in it.
        obj: what that name loads as (a class, a function, a dtype).
        write: whether `save` also writes `obj` under that name.

    Example:
        >>> register_global("torch", "Size", Size)
        >>> find("torch", "Size") is Size
        True
    """
    _OBJECTS[module, name] = obj
    if write:
        _NAMES[obj] = (module, name)


def register_namespace(prefix: str, package: str) -> None:
    """Look for names below one of torch's modules in a package of ours.

    Args:
        prefix: torch's module, such as "torch.nn"; the longest registered prefix is tried first.
        package: the import path that stands for it, such as "lamella.nn".
    """
    _NAMESPACES[prefix] = package


def name_of(obj: Any) -> tuple[str, str] | None:
    """The module and name that `save` writes for an object, None for objects that keep their own."""
    try:
        return _NAMES.get(obj)
    except TypeError:  # not hashable, so not registered
        return None


def _is_torch(module: str) -> bool:
    return module == "torch" or module.startswith("torch.")


def _in_packages(module: str, name: str) -> Any:
    """Search the packages that stand for `module`: the same path first, then its parents, which re-export."""
    for prefix in sorted(_NAMESPACES, key=len, reverse=True):
        if module != prefix and not module.startswith(prefix + "."):
            continue
        package = _NAMESPACES[prefix]
        path = package + module[len(prefix) :]
        while True:
            try:
                found: Any = importlib.import_module(path)
                for part in name.split("."):
                    found = getattr(found, part)
                return found
            except (ImportError, AttributeError):
                if path == package:
                    break
                path = path.rpartition(".")[0]
    return None


def find(module: str, name: str) -> Any:
    """What a name in a file stands for; None when it is not one of torch's, or has no counterpart here."""
    known = _OBJECTS.get((module, name))
    if known is not None:
        return known
    if not _is_torch(module):
        return None
    if name.endswith("Storage") and name in _STORAGE_TYPES:
        return _STORAGE_TYPES[name]
    return _in_packages(module, name)


def no_counterpart(module: str, name: str) -> AttributeError:
    """The error for a name of torch's that nothing here stands for."""
    return AttributeError(
        message(
            "load",
            f"{module}.{name} has no counterpart in lamella",
            hint="save the state_dict rather than the object, and load it into a module built here",
        )
    )


for _d in (*ALL, *FLOAT8):
    register_global("torch", _d.name, _d)
for _m in FORMATS.values():
    register_global("torch", _m.name, _m)
register_global("torch", "Size", Size)
register_global("torch", "device", device)
register_global("torch", "Tensor", Tensor)
register_global("torch._tensor", "Tensor", Tensor, write=False)
register_global("torch.tensor", "Tensor", Tensor, write=False)
