"""Templates of GPU programs: products, attention, convolutions, recurrent loops, random draws."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Import the modules of this package, which registers their rules."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
