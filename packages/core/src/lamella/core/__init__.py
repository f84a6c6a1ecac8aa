"""Tensors: types, memory, operators, random numbers, printing, and files.

Names are torch's: ``from lamella import core; core.zeros(2, 3).sum()``. What is rarely needed loads when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import binding as _binding, dtypes as _dtypes, functions as functions
from .constructors import *  # noqa: F403
from .creation import *  # noqa: F403
from .devices import (
    device as device,
    get_default_device as get_default_device,
    rename_privateuse1_backend as rename_privateuse1_backend,
    set_default_device as set_default_device,
)
from .dtypes import (
    dtype as dtype,
    finfo as finfo,
    get_default_dtype as get_default_dtype,
    iinfo as iinfo,
    set_default_dtype as set_default_dtype,
)
from .extend import install_placeholders as _install, tensor_methods as tensor_methods
from .promotion import can_cast as can_cast, promote_types as promote_types, result_type as result_type
from .tensor import Size as Size, Tensor as Tensor

if TYPE_CHECKING:
    from ._gen.signatures import *  # noqa: F403

globals().update({d.name: d for d in (*_dtypes.ALL, *_dtypes.FLOAT8)}, **_dtypes.ALIASES)
globals().update(functions.FUNCTIONS)
_install()
_binding.install()

_LAZY = {
    "save": "serialization", "load": "serialization",
    "set_printoptions": "printing",
    "Generator": "random", "manual_seed": "random", "seed": "random", "initial_seed": "random",
    "default_generator": "random", "get_rng_state": "random", "set_rng_state": "random", "fork_rng": "random",
}


def __getattr__(name: str) -> Any:
    home = _LAZY.get(name)
    if home is None:
        raise AttributeError(f"module 'lamella.core' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value
