"""From C++ text to a loaded library: the compiler, the cache on disk, loading."""

from __future__ import annotations

from typing import Any

__all__ = ["Library", "load"]


def __getattr__(name: str) -> Any:  # what starts lamella looks into the cache, and builds nothing
    if name in __all__:
        from . import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
