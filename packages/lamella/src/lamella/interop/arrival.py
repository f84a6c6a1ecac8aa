"""Act when another library is imported, and cost nothing where it never is."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def when_imported(library: str, module: str) -> None:
    """Import a module as soon as a library is there.

    Args:
        library: a top-level package, for example ``einops``. It is not imported by this.
        module: imported now if the library is loaded, else as the last step of the library's own import. A failure of
            it is a warning, because the program asked for the library only.

    Example:
        >>> when_imported("no_such_library", "lamella.interop.einops")
    """
    if library in sys.modules:
        _arrived(library, module)
    elif not any(isinstance(f, _Watch) and (f.library, f.module) == (library, module) for f in sys.meta_path):
        sys.meta_path.insert(0, _Watch(library, module))  # type: ignore[arg-type]


def _arrived(library: str, module: str) -> None:
    try:
        import_module(module)
    except Exception as e:  # whatever another version of the library brings
        warnings.warn(f"{module}: {library} was not told of lamella's tensors ({type(e).__name__}: {e})", stacklevel=2)


class _Watch:
    """Sees one library's import pass by; the finders behind it find the library. It goes when that is done."""

    def __init__(self, library: str, module: str) -> None:
        self.library = library
        self.module = module

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        if fullname != self.library:
            return None
        for finder in [f for f in sys.meta_path if f is not self]:
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader, self)
                return spec
        return None


class _Loader(Loader):
    """The library's own loader, and then the module that waits for it."""

    def __init__(self, inner: Any, watch: _Watch) -> None:
        self.inner = inner
        self.watch = watch

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None:
            spec.loader = module.__loader__ = self.inner
        self.inner.exec_module(module)
        if self.watch in sys.meta_path:
            sys.meta_path.remove(self.watch)  # type: ignore[arg-type]
        _arrived(self.watch.library, self.watch.module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)  # importlib.resources and inspect look at a spec's loader
