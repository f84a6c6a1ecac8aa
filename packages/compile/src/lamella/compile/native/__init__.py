"""Native kernels for small tensors: what an eager call costs is then its call, not NumPy's.

NumPy takes about a microsecond for a reduction or a broadcast, whatever the size; on a few numbers that is longer than
torch's whole call. `enable` builds a small extension module (C++, some seconds) and puts its kernels before the NumPy
kernels of the most used operators, through the same door that every backend uses. A kernel takes tensors of float32 or
float64 (and bool, int64, float16, bfloat16 where that makes sense) without gaps and up to 4096 elements (of any
size where types of 16 bits are converted or computed with); all else goes to the kernel that was there before.

The build stays in the compiler's cache, and from then on `lamella.torch` uses it whenever it is imported; the setting
``LAMELLA_NATIVE`` says ``off`` (never), ``on`` (build it if need be) or ``auto`` (that).
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from pathlib import Path
from typing import Any

import numpy as np

from lamella.core import dtypes
from lamella.core.runtime import return_type
from lamella.core.tensor import Tensor
from lamella.dispatch import registry
from lamella.dispatch.config import declare, settings
from lamella.dispatch.keys import DispatchKey

__all__ = ["disable", "enable", "enabled", "start"]

declare("native", str, "auto", "native kernels for small tensors: on builds them where they are not built yet",
        choices=("auto", "on", "off"))

_NAME = "lamella_native"
_SOURCES = Path(__file__).with_name("src")
_CPU, _COMPOSITE = DispatchKey.CPU, DispatchKey.CompositeExplicitAutograd
#: operator -> (its kernel here, what was registered before)
_kernels: dict[str, tuple[Any, Any]] = {}
_module: Any = None
_on = False


def enabled() -> bool:
    """Whether the native kernels are in use.

    Example:
        >>> from lamella.compile import native
        >>> native.enabled() in (True, False)
        True
    """
    return _on


def enable() -> list[str]:
    """Build (once per machine) and use the native kernels.

    Returns:
        The names of the operators that have one.

    Raises:
        lamella.compile.errors.CompileError: there is no C++ compiler, ``Python.h`` is missing, or the build fails.
    """
    if _module is None:
        from ..build.extension import extension

        built = extension(_NAME, _SOURCES / "module.cpp", tuple(_headers()), numpy=True)
        _configure(built)
        _remember(built.__file__)
    return _use()


def start() -> None:
    """Do what the setting ``native`` says; `lamella.torch` calls it when it is imported."""
    if settings.native == "on":
        enable()
    elif settings.native == "auto" and not _on:
        path = _remembered()
        if path is not None:
            from ..build.extension import load_extension

            with contextlib.suppress(ImportError):  # thrown away since, or of another Python: as if it were not there
                _configure(load_extension(_NAME, path))
                _use()


def _configure(module: Any) -> None:
    global _module
    known = (dtypes.float32, dtypes.float64, dtypes.float16, dtypes.int64, dtypes.int32)
    module.configure(Tensor, {d: d.np.num for d in known}, dtypes.bfloat16)
    _module = module


def _use() -> list[str]:
    global _on
    if not _on:
        _on = True
        for name in _module.operators():
            registry.when_defined(name, _put)
    return sorted(_module.operators())


def disable() -> None:
    """Put the NumPy kernels back."""
    global _on
    _on = False
    for name, (kernel, old) in _kernels.items():
        op = registry.find(name)
        if op is not None and op.kernels.get(_CPU) is kernel:
            op.unregister(_CPU)
            if old is not None and op.kernel(_CPU) is None:
                op.register(_CPU, old.fn, kind=old.kind, owner=old.owner)
    _kernels.clear()


def _put(op: registry.OpOverload) -> None:
    """Register the kernel of an operator that is declared now."""
    if not _on or op.name in _kernels:
        return
    old = op.kernels.get(_CPU)
    if old is not None and not isinstance(old.owner, str):
        return  # somebody's own kernel, not the generated one

    def behind() -> Any:
        found = old or op.provided(_CPU) or op.kernel(_COMPOSITE)
        return found.fn if found is not None else _nothing(op)

    def facts() -> tuple[tuple[str, ...], type | None]:
        return tuple(sys.intern(a.name) for a in op.schema.arguments), _tuple_class(op)

    kernel = _module.kernel(op.name, facts, behind)
    _kernels[op.name] = op.register(_CPU, kernel, where=kernel.where, override=True), old


def _nothing(op: registry.OpOverload) -> Any:
    raise RuntimeError(f"{op.name}: there is no kernel behind the native one")


def _tuple_class(op: registry.OpOverload) -> type | None:
    """The class of an operator's results, where they have names."""
    fields = [r.name for r in op.schema.returns]
    if len(fields) < 2 or not all(fields):
        return None
    make: Any = return_type(op.opname, tuple(fields))
    return make.__self__


# -- where the build lies, so that starting need not ask the compiler -------------------------------------------------


def _headers() -> list[Path]:
    return [*sorted(_SOURCES.glob("*.h")), _SOURCES.parents[1] / "include" / "lamella" / "types.h"]


def _note() -> Path:
    from ..build import cache

    python = f"{sys.implementation.cache_tag}-numpy{np.__version__}"
    return cache.wanted_directory() / f"native-{python}.txt"


def _digest() -> str:
    state = hashlib.sha256()
    for path in (_SOURCES / "module.cpp", *_headers()):
        state.update(path.read_bytes())
    return state.hexdigest()


def _remember(path: str) -> None:
    from ..build import cache

    with contextlib.suppress(OSError):
        cache.write_text(_note(), f"{_digest()}\n{path}\n")


def _remembered() -> Path | None:
    """The build, if there is a whole one of just these sources."""
    from ..build import cache

    try:
        digest, path = _note().read_text("utf-8").splitlines()
        return Path(path) if digest == _digest() and cache.good(Path(path)) else None
    except (OSError, ValueError, RuntimeError):
        return None
