"""Containers where torch has them."""

from __future__ import annotations

from lamella.nn.containers import Container, ModuleDict, ModuleList, Sequential
from lamella.nn.containers_parameter import ParameterDict, ParameterList

__all__ = ["Container", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]
