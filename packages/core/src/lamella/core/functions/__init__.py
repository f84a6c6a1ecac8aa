"""All public operator functions: the generated ones, and hand-written binders for names with several call forms.

A family `x` is `_gen/x.py` (from `ops/x.yaml`) and, where names need binding by hand, `functions/x.py`; both have the
dicts FUNCTIONS and METHODS, and the hand-written ones win.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import FunctionType
from typing import Any

from .._gen.families import FAMILIES
from ..faults import guard
from ..tensor import Tensor

#: Every public function by name, and every method that operators give to Tensor.
FUNCTIONS: dict[str, Any] = {}
METHODS: dict[str, Any] = {}
#: Functions written by hand that are called so often that another call around them would be felt.
HOT = frozenset(
    "cat clamp clone contiguous copy_ div expand fill_ float item masked_fill max mean min permute pow reshape softmax "
    "log_softmax split squeeze stack sum to view where is_contiguous numpy".split()
)


def _collect(module: Any) -> None:
    FUNCTIONS.update(module.FUNCTIONS)
    METHODS.update(module.METHODS)


for _family in FAMILIES:
    _collect(import_module(f"lamella.core._gen.{_family}"))
# Formulas and composites reach overloads as op_<symbol>.
for _family in FAMILIES:
    _module = import_module(f"lamella.core._gen.{_family}")
    globals().update({k: v for k, v in vars(_module).items() if k.startswith("op_")})
for _found in iter_modules(__path__):
    _module = import_module(f"{__name__}.{_found.name}")
    guard(_module, _module.FUNCTIONS, HOT, {})
    guard(_module, _module.METHODS, HOT, _module.FUNCTIONS)
    _collect(_module)
# Last, because importing a submodule puts its name here too (functions/matmul.py must not hide matmul).
globals().update(FUNCTIONS)
for _name, _method in METHODS.items():
    if isinstance(_method, FunctionType) and _method.__name__[:3] in ("op_", "_" + _name[:2]) and _name[:2] != "__":
        # Python's own errors ("exp() got an unexpected keyword argument") show these.
        _method.__name__ = _method.__qualname__ = _name
    setattr(Tensor, _name, _method)
