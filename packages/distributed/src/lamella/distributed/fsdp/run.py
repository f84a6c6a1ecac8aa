"""Which units make up one model: found when its forward first runs."""

from __future__ import annotations

from typing import Any

from .build import unit_of
from .unit import Run, Unit

__all__ = ["begin_run", "units_in"]


def units_in(module: Any) -> list[Unit]:
    """The units in a module, itself first."""
    found = (unit_of(m) for m in module.modules())
    return list(dict.fromkeys(u for u in found if u is not None))


def begin_run(module: Any, unit: Unit) -> None:
    """Make a module whose forward comes first the root of all units in it."""
    if unit.run is not None:
        return
    run = Run(units_in(module))
    for u in run.units:
        u.reshard()
        u.run = run
