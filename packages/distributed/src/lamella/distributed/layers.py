"""The one door to lamella.nn and lamella.optim: what is distributed here and made of modules or optimizers imports them
from this file. Process groups and collectives need neither."""

from __future__ import annotations

try:
    from lamella import nn
    from lamella.nn import Module, Parameter, functional
    from lamella.nn.modules.batchnorm import _BatchNorm
except ImportError as e:  # pragma: no cover - a layer is missing
    raise ImportError(
        f"lamella.distributed: modules are provided by lamella-nn ({e})\nhint: pip install lamella-nn"
    ) from e
try:
    from lamella import optim
    from lamella.optim import Optimizer
except ImportError as e:  # pragma: no cover - a layer is missing
    raise ImportError(
        f"lamella.distributed: optimizers are provided by lamella-optim ({e})\nhint: pip install lamella-optim"
    ) from e

__all__ = ["Module", "Optimizer", "Parameter", "_BatchNorm", "functional", "nn", "optim"]
