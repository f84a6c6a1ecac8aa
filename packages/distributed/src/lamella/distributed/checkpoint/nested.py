"""State dicts as flat dicts: names are the paths to their values, joined by dots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lamella.dispatch.errors import message

from .chunks import is_tensor

__all__ = ["Key", "flatten_state_dict", "get_element", "set_element", "unflatten_state_dict"]

Path = tuple[Any, ...]


@dataclass(frozen=True)
class Key:
    """A key of a dict that is no string, in a path, where a plain int is a place in a list."""

    value: Any

    def __str__(self) -> str:
        return str(self.value)


def _is_leaf(value: Any) -> bool:
    """Dicts with something in them are looked into, and lists in which there is a dict or a tensor somewhere."""
    if isinstance(value, Mapping):
        return not value
    if not isinstance(value, list):
        return True
    return not any(is_tensor(v) or isinstance(v, Mapping) or (isinstance(v, list) and not _is_leaf(v)) for v in value)


def flatten_state_dict(state_dict: Mapping[Any, Any]) -> tuple[dict[str, Any], dict[str, Path]]:
    """A nested state dict as a flat one.

    Args:
        state_dict: dicts and lists of tensors and other values. A list without tensors or dicts is one value, and so
            is an empty dict.

    Returns:
        Name -> value, and name -> path: strings for keys of dicts, ints for places in lists, `Key` for other keys.

    Raises:
        ValueError: two paths have one name ("a.b" and "a" > "b").

    Example:
        >>> flat, paths = flatten_state_dict({"a": {"b": 1}, "groups": [{"lr": 0.1}]})
        >>> flat, paths["groups.0.lr"]
        ({'a.b': 1, 'groups.0.lr': 0.1}, ('groups', 0, 'lr'))
    """
    flat: dict[str, Any] = {}
    paths: dict[str, Path] = {}

    def visit(path: Path, value: Any) -> None:
        if path and _is_leaf(value):
            name = ".".join(map(str, path))
            if name in flat:
                raise ValueError(message("flatten_state_dict", "two values have one name: duplicated flatten key "
                                         f"{name}", f"paths {paths[name]} and {path}"))
            flat[name], paths[name] = value, path
        elif isinstance(value, Mapping):
            for k, v in value.items():
                visit((*path, k if type(k) is str else Key(k)), v)
        else:
            for i, v in enumerate(value):
                visit((*path, i), v)

    visit((), state_dict)
    return flat, paths


def unflatten_state_dict(state_dict: Mapping[str, Any], mapping: Mapping[str, Path]) -> dict[Any, Any]:
    """The nested state dict that `flatten_state_dict` was given.

    Example:
        >>> unflatten_state_dict(*flatten_state_dict({"a": {0: [{"x": 1}, {}]}}))
        {'a': {0: [{'x': 1}, {}]}}
    """
    nested: dict[Any, Any] = {}
    for name, value in state_dict.items():
        set_element(nested, mapping[name], value)
    return nested


def _step(key: Any) -> Any:
    return key.value if type(key) is Key else key


def set_element(root: Any, path: Path, value: Any) -> None:
    """Put a value where a path leads, making dicts and lists on the way where there are none."""
    at = root
    for key, following in zip(path, path[1:], strict=False):
        fresh: Any = [] if type(following) is int else {}
        if isinstance(at, list):
            at.extend([None] * (key + 1 - len(at)))
            if at[key] is None:
                at[key] = fresh
            at = at[key]
        else:
            at = at.setdefault(_step(key), fresh)
    if isinstance(at, list):
        at.extend([None] * (path[-1] + 1 - len(at)))
        at[path[-1]] = value
    else:
        at[_step(path[-1])] = value


def get_element(root: Any, path: Path, default_value: Any = None) -> Any:
    """What lies where a path leads, or the default value."""
    at = root
    for key in path:
        if type(key) is int:
            if not isinstance(at, list) or not 0 <= key < len(at):
                return default_value
        elif not isinstance(at, Mapping) or _step(key) not in at:
            return default_value
        at = at[_step(key)]
    return at
