"""Who died, who disagrees, who is late: a control plane beside whatever moves tensors.

Rank 0's process holds a `Hub`; every rank has a `Monitor`, whose thread sleeps until something happens. A collective
costs the append of a tuple to a deque. Four times a second a rank tells 8-byte hashes of what it has called, and the
hub compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .debug import (
    DebugLevel as DebugLevel,
    get_debug_level as get_debug_level,
    set_debug_level as set_debug_level,
    set_debug_level_from_env as set_debug_level_from_env,
)

if TYPE_CHECKING:
    from .client import Monitor as Monitor
    from .hub import Hub as Hub
    from .journal import Journal as Journal

__all__ = [
    "DebugLevel",
    "Hub",
    "Journal",
    "Monitor",
    "get_debug_level",
    "set_debug_level",
    "set_debug_level_from_env",
]

_HOMES = {"Hub": "hub", "Journal": "journal", "Monitor": "client"}  # loaded where there are several processes


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value
