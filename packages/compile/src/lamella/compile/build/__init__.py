"""From C++ text to a loaded library: the compiler, the cache on disk, loading."""

from __future__ import annotations

from .library import Library, load

__all__ = ["Library", "load"]
