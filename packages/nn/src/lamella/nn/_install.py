"""Joins this package's operators to the layers below: their gradients, and the methods they give to Tensor."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lamella.core.extend import tensor_methods
from lamella.core.tensor import Tensor
from lamella.dispatch import registry
from lamella.dispatch.keys import DispatchKey

from ._gen.families import DERIVATIVES, FAMILIES

registry.provide(
    DispatchKey.Autograd,
    {f"lamella.nn.{name.removesuffix('_autograd')}": f"lamella.nn._gen.{name}" for name in DERIVATIVES},
)

for _family in FAMILIES:
    tensor_methods("lamella-nn", **import_module(f"lamella.nn._gen.{_family}").METHODS)


def _method(name: str) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return getattr(import_module("lamella.nn.functional"), name)(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"See `nn.functional.{name}`."
    return method


# A function written by hand that torch has as a method too.
tensor_methods("lamella-nn", **{name: _method(name) for name in ("prelu",)})
