"""Extension modules of CPython that are built on the machine where they run, once per interpreter."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Any

from ..errors import CompileError
from . import cache

_lock = threading.Lock()
_modules: dict[str, Any] = {}


def extension(name: str, source: Path, headers: tuple[Path, ...] = (), numpy: bool = False) -> Any:
    """The module of a C++ source.

    Args:
        name: the module's name, as in ``PyInit_<name>``.
        source: the file.
        headers: files that it includes; they lie in the same folder.
        numpy: whether it includes NumPy's headers.

    Raises:
        CompilerMissing, BuildError: there is no compiler, or it refuses the source.
        CompileError: ``Python.h`` is missing, or the module does not load.
    """
    with _lock:
        if name not in _modules:
            _modules[name] = _make(name, source, headers, numpy)
        return _modules[name]


def _make(name: str, source: Path, headers: tuple[Path, ...], numpy: bool) -> Any:
    from . import compilers
    from .library import opened

    arguments = ["-I", str(source.parent), *_python(), *(_numpy() if numpy else ())]
    if sys.platform == "darwin":
        arguments += ["-undefined", "dynamic_lookup"]
    text, compiler = source.read_text("utf-8"), compilers.find()
    marks = (sys.implementation.cache_tag or "", sys.version, *(each.read_text("utf-8") for each in headers))
    key = cache.digest(text, compiler.key, *arguments, *marks)
    return opened(key, text, compiler, tuple(arguments), lambda path, _: load_extension(name, path),
                  f"the extension module {name} does not load")


def load_extension(name: str, path: Path) -> Any:
    """Load an extension module from a file that is built.

    Raises:
        ImportError: the file is not there, or it is none of this Python.
    """
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, str(path), loader=loader)
    if spec is None:
        raise ImportError(f"no loader for {path}")
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _python() -> list[str]:
    folders = [folder for folder in (sysconfig.get_path("include"), sysconfig.get_path("platinclude")) if folder]
    if not any(os.path.exists(os.path.join(folder, "Python.h")) for folder in folders):
        raise CompileError("build", "the headers of this Python are missing", ", ".join(folders),
                           hint="install the package that holds Python.h (python3-dev)")
    return [part for folder in dict.fromkeys(folders) for part in ("-I", folder)]


def _numpy() -> list[str]:
    import numpy

    return ["-I", numpy.get_include()]

