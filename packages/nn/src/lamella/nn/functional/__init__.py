"""Functions of networks, by torch.nn.functional's names.

Each family is a file; this module has all their public functions.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from pkgutil import iter_modules as _iter_modules

from lamella.core import functions as _core
from lamella.core.faults import guard as _guard
from lamella.nn import _install as _install

__all__: list[str] = []
#: Functions that are called so often that another call around them would be felt.
_HOT = frozenset(
    "dropout embedding gelu l1_loss layer_norm leaky_relu linear log_softmax mse_loss relu relu_ sigmoid silu softmax "
    "tanh".split()
)
for _found in _iter_modules(__path__):
    _module = _import_module(f"{__name__}.{_found.name}")
    _guard(_module, {_n: getattr(_module, _n) for _n in _module.__all__}, _HOT, {})
    globals().update({_n: getattr(_module, _n) for _n in _module.__all__})
    globals().update(getattr(_module, "PRIVATE", {}))
    __all__ += _module.__all__
# Functions of networks that torch has among its tensor functions too.
for _name in ("channel_shuffle", "native_channel_shuffle", "pixel_shuffle", "pixel_unshuffle"):
    if _name not in globals() and _name in _core.FUNCTIONS:
        globals()[_name] = _core.FUNCTIONS[_name]
        __all__.append(_name)
