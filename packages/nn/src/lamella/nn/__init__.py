"""Neural network modules: layers, containers, initialisers and utilities, by torch.nn's names.

Nothing loads before it is used: `nn.Linear` loads the file of `Linear`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import lamella.autograd  # noqa: F401  (gives tensors their gradients)

if TYPE_CHECKING:
    from lamella.nn import (
        functional as functional,
        init as init,
        modules as modules,
        parameter as parameter,
        utils as utils,
    )
    from lamella.nn.modules import *  # noqa: F403
    from lamella.nn.parameter import (
        Buffer as Buffer,
        Parameter as Parameter,
        UninitializedBuffer as UninitializedBuffer,
        UninitializedParameter as UninitializedParameter,
    )

_PARAMETER = ("Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter")
_MODULES = ("functional", "init", "modules", "parameter", "utils")


def _layers() -> list[str]:
    from lamella.nn.modules import __all__ as names

    return names


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__all__":
        return sorted({*_PARAMETER, *_MODULES, *_layers()})
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _MODULES:
        value: Any = import_module(f"{__name__}.{name}")
    elif name in _PARAMETER:
        value = getattr(import_module(f"{__name__}.parameter"), name)
    elif name in _layers():
        value = getattr(import_module(f"{__name__}.modules"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARAMETER, *_MODULES, *_layers()})
