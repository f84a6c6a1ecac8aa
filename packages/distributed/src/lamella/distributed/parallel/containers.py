"""Tensors in nested containers: finding them, and putting others in their places."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from lamella.core import Tensor


def tensors_in(obj: Any, path: str = "output", seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """(where it is, tensor) for all tensors in nested lists, tuples, sets, mappings and dataclasses.

    Args:
        obj: the containers.
        path: what the outermost one is called.
        seen: the ids of dataclasses that were looked into: they may refer to each other.
    """
    seen = set() if seen is None else seen
    if isinstance(obj, Tensor):
        yield path, obj
    elif isinstance(obj, (list, tuple, set)):
        names = getattr(obj, "_fields", None)
        for i, each in enumerate(obj):
            yield from tensors_in(each, f"{path}.{names[i]}" if names else f"{path}[{i}]", seen)
    elif isinstance(obj, Mapping):
        for key, each in obj.items():
            yield from tensors_in(each, f"{path}[{key!r}]", seen)
    elif is_dataclass(obj) and not isinstance(obj, type) and id(obj) not in seen:
        seen.add(id(obj))
        for name in dict.fromkeys((*(f.name for f in fields(obj)), *getattr(obj, "__dict__", ()))):
            yield from tensors_in(getattr(obj, name, None), f"{path}.{name}", seen)


def map_tensors(fn: Callable[[Any], Any], obj: Any) -> Any:
    """The same nested containers with `fn(tensor)` for each tensor."""
    if isinstance(obj, Tensor):
        return fn(obj)
    if isinstance(obj, (list, tuple)):
        items = [map_tensors(fn, each) for each in obj]
        if hasattr(obj, "_fields"):
            return type(obj)(*items)
        return items if type(obj) is list else type(obj)(items)
    if isinstance(obj, dict):
        new = copy.copy(obj)
        for key, each in obj.items():
            new[key] = map_tensors(fn, each)
        return new
    if is_dataclass(obj) and not isinstance(obj, type):
        made: Any = copy.copy(obj)
        for field in fields(obj):
            if hasattr(obj, field.name):
                object.__setattr__(made, field.name, map_tensors(fn, getattr(obj, field.name)))
        return made
    return obj
