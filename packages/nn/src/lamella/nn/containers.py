"""Modules that hold modules: `Sequential`, `ModuleList`, `ModuleDict`."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from lamella.nn.module import Module

__all__ = ["Container", "ModuleDict", "ModuleList", "Sequential"]


def position(what: str, index: Any, n: int) -> int:
    """A list index, with the negative ones counted from the end."""
    i = operator.index(index)
    if not -n <= i < n:
        raise IndexError(f"{what}: index {i} is out of range (length {n})")
    return i % n


class _ModuleSequence(Module):
    """What `Sequential` and `ModuleList` share: modules named "0", "1", ..."""

    _modules: dict[str, Module]  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [key for key in super().__dir__() if not key.isdigit()]

    def _key(self, index: Any) -> str:
        at = position(type(self).__name__, index, len(self._modules))
        return next(key for i, key in enumerate(self._modules) if i == at)

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: int | slice) -> None:
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        for key in keys:
            delattr(self, key)
        self._renumber(list(self._modules.values()))

    def _renumber(self, modules: list[Module]) -> None:
        self._modules = {str(i): module for i, module in enumerate(modules)}

    def pop(self, key: int | slice) -> Module:
        """Removes the module at an index (or a slice of them) and returns it."""
        found = self[key]  # type: ignore[index]
        del self[key]
        return found

    def _insert(self, index: int, module: Module) -> None:
        if not isinstance(module, Module):
            raise TypeError(f"{type(self).__name__}.insert: expected a Module (got {type(module).__name__})")
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)


class Sequential(_ModuleSequence):
    """Runs modules one after another, each on the output of the one before it.

    Args:
        *args: the modules in order, or one `OrderedDict` that names them.

    Example:
        >>> from lamella import nn
        >>> nn.Sequential(nn.Linear(2, 3), nn.ReLU())
        Sequential(
          (0): Linear(in_features=2, out_features=3, bias=True)
          (1): ReLU()
        )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for key, module in args[0].items():
                self.add_module(key, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input: Any) -> Any:
        """Feeds `input` through all modules."""
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._key(index)]

    def append(self, module: Module) -> Sequential:
        """Adds a module at the end; returns itself."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        """Adds several modules at the end; returns itself."""
        for layer in sequential:
            self.append(layer)
        return self

    def insert(self, index: int, module: Module) -> Sequential:
        """Puts a module before position `index`; returns itself.

        Raises:
            IndexError: the position does not exist.
        """
        n = len(self._modules)
        if not -n <= index <= n:
            raise IndexError(f"Sequential.insert: index {index} is out of range (length {n})")
        self._insert(index, module)
        return self

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"Sequential: only another Sequential can be added (got {type(other).__name__})")
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"Sequential: only another Sequential can be added (got {type(other).__name__})")
        return self.extend(list(other))

    def __mul__(self, other: int) -> Sequential:
        return Sequential(*self._repeated(other))

    def __rmul__(self, other: int) -> Sequential:
        return self * other

    def __imul__(self, other: int) -> Sequential:
        return self.extend(self._repeated(other)[len(self) :])

    def _repeated(self, times: Any) -> list[Module]:
        if not isinstance(times, int):
            raise TypeError(f"Sequential: only an int can multiply it (got {type(times).__name__})")
        if times <= 0:
            raise ValueError(f"Sequential: the factor must be positive (got {times})")
        return list(self) * times


class ModuleList(_ModuleSequence):
    """A list of modules that are registered.

    Args:
        modules: the modules.

    Example:
        >>> from lamella import nn
        >>> layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
        >>> len(layers[1:])
        2
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[self._key(index)]

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        combined = ModuleList()
        for i, module in enumerate(chain(self, other)):
            combined.add_module(str(i), module)
        return combined

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def append(self, module: Module) -> ModuleList:
        """Adds a module at the end; returns itself."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Adds several modules at the end; returns itself.

        Raises:
            TypeError: `modules` cannot be iterated.
        """
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend: expected an iterable of modules (got {type(modules).__name__})")
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Puts a module before position `index`."""
        self._insert(index, module)

    def __repr__(self) -> str:
        if not self._modules:
            return f"{self._get_name()}()"
        rows: list[tuple[int, int, str]] = []  # (first, last, text): equal neighbours share a row
        for i, text in enumerate(repr(module) for module in self):
            if rows and rows[-1][2] == text:
                rows[-1] = (rows[-1][0], i, text)
            else:
                rows.append((i, i, text))
        lines = []
        for first, last, text in rows:
            body = text if first == last else f"{last - first + 1} x {text}"
            name = f"({first})" if first == last else f"({first}-{last})"
            lines.append(f"  {name}: " + body.replace("\n", "\n  "))
        return f"{self._get_name()}(\n" + "\n".join(lines) + "\n)"

    forward = Module.forward


class ModuleDict(Module):
    """A dict of modules that are registered, in the order of insertion.

    Args:
        modules: a mapping, or an iterable of `(name, module)`.

    Example:
        >>> from lamella import nn
        >>> acts = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})
        >>> list(acts.keys())
        ['relu', 'tanh']
    """

    _modules: dict[str, Module]  # type: ignore[assignment]

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        try:
            return self._modules[key]
        except KeyError:
            raise KeyError(f"ModuleDict: no module {key!r} (it has {', '.join(map(repr, self._modules))})") from None

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Removes all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Removes a module and returns it."""
        found = self[key]
        del self._modules[key]
        return found

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """The pairs of name and module."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Adds or replaces modules.

        Args:
            modules: a mapping, or an iterable of `(name, module)`.

        Raises:
            TypeError: it is neither.
            ValueError: an element is not a pair.
        """
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleDict.update: expected a mapping or pairs (got {type(modules).__name__})")
        if isinstance(modules, (Mapping, ModuleDict)):
            for key, module in modules.items():
                self[key] = module
            return
        for i, pair in enumerate(modules):
            if not isinstance(pair, Iterable):
                raise TypeError(f"ModuleDict.update: element {i} is not a pair (got {type(pair).__name__})")
            items = list(pair)
            if len(items) != 2:
                raise ValueError(f"ModuleDict.update: element {i} has length {len(items)}; 2 is required")
            self[items[0]] = items[1]


class Container(Module):
    """The oldest container: its keyword arguments become its children."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)
