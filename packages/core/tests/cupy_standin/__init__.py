"""A stand-in for CuPy in tests: CuPy's names over NumPy, with CuPy's refusals; no GPU is needed.

`install()` puts it where `import cupy` finds it, with two devices; `remove()` takes it away. What CuPy has is in
cupy_names.json, which make_table.py writes from an installed CuPy: names, parameters and element types that are not
there are refused here as CuPy would refuse them on a GPU.

Kernels in CUDA C++ cannot run here. `kernels[name] = fn` gives a RawModule's or ElementwiseKernel's function a body in
Python: it is called with the kernel's arguments (NumPy arrays, which it writes into).
"""

from __future__ import annotations

import sys
from typing import Any

from . import blas, bodies, memory, own, runtime  # noqa: F401 - they fill functions.OWN and kernels
from .arrays import TABLE, ndarray
from .functions import build
from .own import kernels

__all__ = ["TABLE", "install", "installed", "kernels", "ndarray", "remove"]

_modules: dict[str, Any] = {}
_before: dict[str, Any] = {}


def modules() -> dict[str, Any]:
    """All modules of the stand-in by name, made once."""
    if not _modules:
        for name in TABLE["modules"]:
            _modules[name] = build(name)
        _modules.update(blas.modules())
        for name in ("cupy.lib", "cupyx.scipy"):
            _modules.setdefault(name, type(_modules["cupy"])(name))
        for name, module in _modules.items():
            module.__path__ = []
            parent, _, child = name.rpartition(".")
            if parent:
                setattr(_modules[parent], child, module)
        _modules["cupy"].__version__ = TABLE["version"]
        _modules["cupy"].__standin__ = True
    return _modules


def installed() -> bool:
    """Whether `import cupy` gives the stand-in."""
    return getattr(sys.modules.get("cupy"), "__standin__", False)


def install() -> None:
    """Make `import cupy`, `import cupyx` and what lies below them give the stand-in."""
    if not installed():
        _before.update({name: sys.modules[name] for name in modules() if name in sys.modules})
        sys.modules.update(modules())


def remove() -> None:
    """Take the stand-in away."""
    for name in modules():
        sys.modules.pop(name, None)
    sys.modules.update(_before)
    _before.clear()
