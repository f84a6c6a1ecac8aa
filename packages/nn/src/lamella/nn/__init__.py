"""Neural network modules: layers, containers, initialisers and utilities, by torch.nn's names."""

from __future__ import annotations

from lamella.nn import functional as functional
from lamella.nn import init as init
from lamella.nn import modules as modules
from lamella.nn import parameter as parameter
from lamella.nn import utils as utils
from lamella.nn.modules import *  # noqa: F403
from lamella.nn.modules import __all__ as _layers
from lamella.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    "Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "functional", "init", "modules",
    "parameter", "utils", *_layers,
]  # fmt: skip
