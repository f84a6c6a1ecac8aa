"""Joins this package's operators to the layers below: their gradients, and the methods they give to Tensor."""

from __future__ import annotations

from importlib import import_module

from lamella.core.extend import tensor_methods
from lamella.dispatch import registry
from lamella.dispatch.keys import DispatchKey

from ._gen.families import DERIVATIVES, FAMILIES

registry.provide(
    DispatchKey.Autograd,
    {f"lamella.nn.{name.removesuffix('_autograd')}": f"lamella.nn._gen.{name}" for name in DERIVATIVES},
)

for _family in FAMILIES:
    tensor_methods("lamella-nn", **import_module(f"lamella.nn._gen.{_family}").METHODS)
