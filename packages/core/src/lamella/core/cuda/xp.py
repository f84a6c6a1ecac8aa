"""The array module that CUDA kernels get as ``xp``: NumPy's names, from CuPy."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import cupy
import numpy as np

CUPY: Any = ModuleType("cupy")
CUPY.__dict__.update({name: value for name, value in vars(cupy).items() if name[:2] != "__"})
for _name in ("broadcast_shapes", "ndindex", "dtype", "iinfo", "finfo", "result_type", "can_cast"):
    setattr(CUPY, _name, getattr(np, _name))

#: What an import statement in a kernel gives on CUDA.
MODULES: dict[str, Any] = {}
