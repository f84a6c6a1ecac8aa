"""Calling a module with other parameters."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from lamella.core import Tensor

__all__ = ["functional_call"]


def _tensors(module: Any) -> dict[str, Tensor]:
    found = dict(module.named_parameters(remove_duplicate=False))
    found.update(module.named_buffers(remove_duplicate=False))
    return found


def _with_tied(module: Any, given: dict[str, Tensor]) -> dict[str, Tensor]:
    """`given`, with every value also under the other names of the tensor it replaces."""
    groups: dict[int, list[str]] = {}
    for name, t in _tensors(module).items():
        groups.setdefault(id(t), []).append(name)
    full = dict(given)
    for names in groups.values():
        values = [given[name] for name in names if name in given]
        if not values:
            continue
        if any(v is not values[0] for v in values):
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(names)}, which are tied. "
                "Consider using tie_weights=False"
            )
        full.update(dict.fromkeys(names, values[0]))
    return full


def _owner(module: Any, path: str) -> tuple[Any, str]:
    prefix, _, name = path.rpartition(".")
    return module.get_submodule(prefix), name


_ABSENT: Any = object()


def _swap(module: Any, path: str, value: Any) -> Any:
    """Puts a tensor where a parameter, buffer or attribute is, and returns what was there."""
    owner, name = _owner(module, path)
    for table in (owner._parameters, owner._buffers):
        if name in table:
            old = table[name]
            table[name] = value
            return old
    if not hasattr(owner, name):
        old = _ABSENT
    else:
        old = getattr(owner, name)
        if not isinstance(old, Tensor):
            raise TypeError(f"functional_call: {path} is not an instance of torch.Tensor (got {type(old).__name__})")
    if value is _ABSENT:
        delattr(owner, name)
    else:
        setattr(owner, name, value)
    return old


def _check_names(module: Any, given: dict[str, Tensor]) -> None:
    have = _tensors(module)
    unexpected = [k for k in given if k not in have]
    missing = [k for k in have if k not in given]
    lines = []
    if unexpected:
        lines.append(f"Unexpected key(s): {', '.join(map(repr, unexpected))}.")
    if missing:
        lines.append(f"Missing key(s): {', '.join(map(repr, missing))}.")
    if lines:
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:\n\t" + "\n\t".join(lines))


@contextlib.contextmanager
def _reparametrize_module(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    tie_weights: bool = False,
    strict: bool = False,
    stack_weights: bool = False,
) -> Iterator[None]:
    """Gives a module other tensors for the length of a `with` block."""
    given = _with_tied(module, parameters_and_buffers) if tie_weights else dict(parameters_and_buffers)
    if strict:
        _check_names(module, given)
    old: dict[str, Any] = {}
    try:
        for path, value in given.items():
            old[path] = _swap(module, path, value)
        yield
    finally:
        after = {path: _swap(module, path, old[path]) for path in (reversed(old) if stack_weights else list(old))}
        for path in parameters_and_buffers:
            if path in after:
                parameters_and_buffers[path] = after[path]


def _functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights=tie_weights, strict=strict):
        return module(*args, **(kwargs or {}))


def functional_call(
    module: Any,
    parameters_and_buffers: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Calls a module with other parameters and buffers, and leaves its own as they were.

    Args:
        module: the module.
        parameters_and_buffers: tensors by dotted name, or a sequence of such dicts.
        args: the argument, or a tuple of them.
        kwargs: keyword arguments.
        tie_weights: a value for one name of a shared tensor counts for its other names.
        strict: the names must be exactly those of the module.

    Returns:
        What the module returns.

    Raises:
        ValueError: different values for names that are tied, or a name in several of the dicts.
        RuntimeError: names that do not fit, if strict.

    Example:
        >>> from lamella import core, nn
        >>> fc = nn.Linear(2, 1, bias=False)
        >>> functional_call(fc, {"weight": core.ones(1, 2)}, core.ones(3, 2)).flatten()
        tensor([2., 2., 2.])
    """
    if isinstance(parameters_and_buffers, (list, tuple)):
        merged: dict[str, Tensor] = {}
        for part in parameters_and_buffers:
            twice = sorted(set(part) & set(merged))
            if twice:
                raise ValueError(f"functional_call: {twice[0]!r} appears in several dictionaries")
            merged.update(part)
        parameters_and_buffers = merged
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
