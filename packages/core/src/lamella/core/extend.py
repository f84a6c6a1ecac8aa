"""How layers above add methods to Tensor."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

from lamella.dispatch.errors import message

from .tensor import Tensor

_owners: dict[str, str] = {}
#: Methods that a layer above brings, and what to install for them.
_PROVIDED = {
    "lamella-autograd": (
        "backward",
        "requires_grad_",
        "register_hook",
        "retain_grad",
        "detach_",
        "register_post_accumulate_grad_hook",
    ),
    "lamella-nn": ("hardshrink", "prelu"),
}


def tensor_methods(owner: str, **methods: Any) -> None:
    """Add methods or properties to Tensor.

    Args:
        owner: the distribution that brings them; named in errors.
        **methods: functions, properties or other descriptors by name.

    Raises:
        RuntimeError: if one of the names is taken; nothing is added then.
    """
    for name in methods:
        if _owners.get(name, owner) != owner or name in Tensor.__dict__ and name not in _placeholders:
            raise RuntimeError(
                message(
                    "tensor_methods",
                    f"Tensor.{name} is provided by {_owners.get(name, 'lamella-core')} already (asked by {owner})",
                )
            )
    for name, fn in methods.items():
        setattr(Tensor, name, fn)
        _owners[name] = owner
        _placeholders.discard(name)


_placeholders: set[str] = set()


def _placeholder(name: str, owner: str) -> Any:
    def missing(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        with suppress(ImportError):
            import_module(owner.replace("-", ".") + "._install")  # layers are loaded when they are first used
        if name not in _placeholders:
            return getattr(Tensor, name)(self, *args, **kwargs)
        raise RuntimeError(message(f"Tensor.{name}", f"it is provided by {owner}", hint=f"pip install {owner}"))

    return missing


def install_placeholders() -> None:
    """Give Tensor a helpful error for each method of a layer that is not loaded."""
    for owner, names in _PROVIDED.items():
        for name in names:
            if name not in Tensor.__dict__:
                setattr(Tensor, name, _placeholder(name, owner))
                _placeholders.add(name)
