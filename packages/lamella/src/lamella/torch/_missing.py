"""What happens when a program asks a module of the façade for a name that is not there."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

VERSION = "0.1.0"
_PREFIX = "lamella."


class MissingName(AttributeError):
    """An AttributeError whose text is made when it is read, because `hasattr` never reads it."""

    def __init__(self, module: str, name: str, present: Callable[[], Iterable[str]]) -> None:
        super().__init__(module, name)
        self.module = module
        self.missing = name
        self._present = present

    def __str__(self) -> str:
        return describe(self.module, self.missing, self._present())

    def __reduce__(self) -> tuple[Any, ...]:
        return AttributeError, (str(self),)


@functools.cache
def torch_names() -> dict[str, frozenset[str]]:
    """The public names of torch's modules, by module, as torch 2.13 has them."""
    from importlib import resources

    text = resources.files(__package__).joinpath("names.txt").read_text("utf-8")
    lines = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {module: frozenset(names) for module, *names in lines}


def describe(module: str, name: str, present: Iterable[str]) -> str:
    """The text for a missing name: whether torch has it, and what comes nearest here.

    Args:
        module: the module as a program spells it (``torch.nn``).
        name: what was asked of it.
        present: the names that the module has here.

    Example:
        >>> describe("torch", "vmapp", ["vmap", "sum"])
        "module 'torch' has no attribute 'vmapp'\\nhint: did you mean 'vmap'?"
    """
    from lamella.dispatch.errors import nearest

    known = torch_names()
    offered = name in known.get(module, ()) or f"{module}.{name}" in known
    if offered:
        first = f"{module}.{name}: lamella does not offer this yet (lamella {VERSION})"
    else:
        first = f"module {module!r} has no attribute {name!r}"
    close = nearest(name, [n for n in present if not n.startswith("_") and n != name])
    if close is None:
        return first
    return first + (f"\nhint: the nearest name here is {close!r}" if offered else f"\nhint: did you mean {close!r}?")


def lookup(module: str, sources: tuple[str, ...] = (), submodules: Iterable[str] = (), listed: bool = False,
           elsewhere: Mapping[str, str] | None = None) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` for a module of the façade.

    Args:
        module: the module's ``__name__`` (``lamella.torch.nn``).
        sources: modules of the layers below that hold its names, asked in turn when a name is first used. A source
            ``"lamella.core:fft_"`` holds ``x`` under the name ``fft_x``.
        submodules: its submodules, imported when first used.
        listed: take from the sources only what torch's module of this name has, and private names.
        elsewhere: names -> the modules that hold them, each loaded when one of its names is first used.

    Returns:
        The two functions, to be bound to those names in the module.
    """
    spelled = module.removeprefix(_PREFIX)
    children = frozenset(submodules)
    single = {} if elsewhere is None else elsewhere

    def __getattr__(name: str) -> Any:
        if name in children:
            return import_module(f"{module}.{name}")
        if name in single:
            found = getattr(import_module(single[name]), name)
            setattr(import_module(module), name, found)
            return found
        if name == "__all__":  # `from module import *`
            return [n for n in __dir__() if n not in children and hasattr(import_module(module), n)]
        private = name.startswith("_")
        if not (private and name.endswith("__") or listed and not private and name not in torch_names()[spelled]):
            for source in sources:
                found = from_source(source, name)
                if found is not None:
                    setattr(import_module(module), name, found)
                    return found
        raise MissingName(spelled, name, __dir__)

    def __dir__() -> list[str]:
        names = public(here := import_module(module), vars(here)) | children | single.keys()
        for source in sources:
            home, _, prefix = source.partition(":")
            there = {n.removeprefix(prefix) for n in public(_module(home)) if n.startswith(prefix)}
            names |= there & torch_names()[spelled] if listed else there
        return sorted(names)

    return __getattr__, __dir__


_HELPERS = frozenset({"ModuleType", "TYPE_CHECKING", "annotations", "lookup"})
_FOREIGN = ("typing", "collections.abc", "contextlib", "types", "__future__", "importlib")


def public(module: Any, names: Iterable[str] | None = None) -> set[str]:
    """A module's own public names: no submodules, and none of what it imports to do its work."""
    found = getattr(module, "__dict__", {})
    return {name for name in (dir(module) if names is None else names) if not (
        name.startswith("_") or name in _HELPERS or isinstance(found.get(name), ModuleType)
        or getattr(found.get(name), "__module__", "") in _FOREIGN)}


def from_source(source: str, name: str) -> Any:
    """A name of a layer's module that is not itself one of the layer's submodules, or None."""
    home, _, prefix = source.partition(":")
    found = getattr(_module(home), prefix + name, None)
    if isinstance(found, ModuleType) and found.__name__.startswith(_PREFIX):
        return None
    return found


def _module(source: str) -> Any:
    try:
        return import_module(source)
    except ModuleNotFoundError as e:
        if e.name is None or not source.startswith(e.name):
            raise
        return None
