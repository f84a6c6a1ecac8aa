"""Neural network modules: layers, containers, initialisers and utilities, by torch.nn's names."""

from __future__ import annotations

from lamella.nn import init
from lamella.nn.containers import ModuleDict, ModuleList, Sequential
from lamella.nn.containers_parameter import ParameterDict, ParameterList
from lamella.nn.module import Module
from lamella.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter
