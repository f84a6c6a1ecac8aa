"""Making modules without initialising them."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["skip_init"]


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """Makes a module whose parameters have memory but no defined values.

    Args:
        module_cls: a Module class whose constructor has `device`.
        *args, **kwargs: the arguments of the constructor.

    Returns:
        The module.

    Raises:
        RuntimeError: the class is no Module, or its constructor has no `device`.

    Example:
        >>> from lamella import nn
        >>> nn.utils.skip_init(nn.Linear, 3, 2)
        Linear(in_features=3, out_features=2, bias=True)
    """
    from lamella.nn.module import Module

    if not (isinstance(module_cls, type) and issubclass(module_cls, Module)):
        raise RuntimeError(f"skip_init: expected a Module class (got {module_cls})")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError(f"skip_init: the constructor of {module_cls.__name__} must have a `device` argument")
    device = kwargs.pop("device", "cpu")
    return module_cls(*args, device="meta", **kwargs).to_empty(device=device)
