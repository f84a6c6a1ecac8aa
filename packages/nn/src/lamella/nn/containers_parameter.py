"""Modules that hold parameters: `ParameterList` and `ParameterDict`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lamella.core import Tensor
from lamella.nn._names import typename
from lamella.nn.containers import position
from lamella.nn.module import Module
from lamella.nn.parameter import Parameter

__all__ = ["ParameterDict", "ParameterList"]


def _as_parameter(value: Any) -> Any:
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _line(key: Any, value: Any, kind: Any) -> str:
    if not isinstance(value, Tensor):
        return f"  ({key}): Object of type: {type(value).__name__}"
    size = "x".join(map(str, value.size()))
    place = f" ({value.device})" if value.device.type not in ("cpu", "meta") else ""
    name = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"  ({key}): {name} containing: [{kind(value)} of size {size}{place}]"


class ParameterList(Module):
    """A list of parameters that are registered. Tensors become parameters; other objects are kept as they are.

    Args:
        values: the elements.

    Example:
        >>> from lamella import core, nn
        >>> params = nn.ParameterList([core.zeros(2), core.ones(3)])
        >>> [tuple(p.shape) for p in params.parameters()]
        [(2,), (3,)]
    """

    _size: int

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(self[i] for i in range(*index.indices(len(self))))
        return getattr(self, str(position("ParameterList", index, self._size)))

    def __setitem__(self, index: int, param: Any) -> None:
        setattr(self, str(position("ParameterList", index, self._size)), _as_parameter(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(self._size)])

    def __iadd__(self, parameters: Iterable[Any]) -> ParameterList:
        return self.extend(parameters)

    def __dir__(self) -> list[str]:
        return [key for key in super().__dir__() if not key.isdigit()]

    def append(self, value: Any) -> ParameterList:
        """Adds an element at the end; returns itself."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Adds several elements at the end; returns itself.

        Raises:
            TypeError: `values` is a tensor or cannot be iterated.
        """
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(f"ParameterList.extend: expected an iterable (got {type(values).__name__})")
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """One line for each element."""
        return "\n".join(_line(i, value, lambda v: v.dtype) for i, value in enumerate(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dict of parameters that are registered. Tensors become parameters; other objects are kept as they are.

    Args:
        parameters: a mapping, or an iterable of `(name, value)`. A plain dict is taken in the order of its sorted keys.

    Example:
        >>> from lamella import core, nn
        >>> params = nn.ParameterDict({"scale": core.ones(2)})
        >>> "scale" in params
        True
    """

    _keys: dict[str, None]

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _key_to_attr(self, key: str) -> str:
        if not isinstance(key, str):
            raise TypeError(f"ParameterDict: keys must be strings (got {type(key).__name__})")
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._key_to_attr(key))

    def __setitem__(self, key: str, value: Any) -> None:
        attr = self._key_to_attr(key)
        self._keys[key] = None
        setattr(self, attr, _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        if key not in self._keys:
            raise KeyError(f"ParameterDict: no entry {key!r}")
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def copy(self) -> ParameterDict:
        """A new ParameterDict with the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value of `key`, which is set to `default` first if it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Removes all entries."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Removes an entry and returns its value."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Removes the entry that was added last and returns it."""
        if not self._keys:
            raise KeyError("ParameterDict.popitem: it is empty")
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of `key`, or `default`."""
        return self[key] if key in self._keys else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A new ParameterDict with the same value for all keys."""
        return ParameterDict((key, default) for key in keys)

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def items(self) -> Iterator[tuple[str, Any]]:
        """The pairs of name and value."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterator[Any]:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Adds or replaces entries.

        Args:
            parameters: a mapping, or an iterable of `(name, value)`. A plain dict is taken in the order of its keys.

        Raises:
            TypeError: it is neither.
            ValueError: an element is not a pair.
        """
        if not isinstance(parameters, Iterable):
            raise TypeError(f"ParameterDict.update: expected a mapping or pairs (got {type(parameters).__name__})")
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            pairs: Any = list(parameters.items())
        elif isinstance(parameters, Mapping):
            pairs = sorted(parameters.items(), key=lambda pair: pair[0])
        else:
            pairs = parameters
        for i, pair in enumerate(pairs):
            if not isinstance(pair, Iterable):
                raise TypeError(f"ParameterDict.update: element {i} is not a pair (got {type(pair).__name__})")
            if len(pair) != 2:  # type: ignore[arg-type]
                raise ValueError(f"ParameterDict.update: element {i} has length {len(pair)}; 2 is required")  # type: ignore[arg-type]
            self[pair[0]] = pair[1]  # type: ignore[index]

    def extra_repr(self) -> str:
        """One line for each entry."""
        return "\n".join(_line(key, value, typename) for key, value in self.items())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other: Any) -> ParameterDict:
        merged = self.copy()
        merged.update(other)
        return merged

    def __ror__(self, other: Any) -> ParameterDict:
        merged = other.copy()
        merged.update(self)
        return merged

    def __ior__(self, other: Any) -> ParameterDict:
        self.update(other)
        return self
