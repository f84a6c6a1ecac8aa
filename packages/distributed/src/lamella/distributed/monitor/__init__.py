"""Who died, who disagrees, who is late: a control plane beside whatever moves tensors.

Rank 0's process holds a `Hub`; every rank has a `Monitor`, whose thread sleeps until something happens. A collective
costs the append of a tuple to a deque. Four times a second a rank tells 8-byte hashes of what it has called, and the
hub compares them.
"""

from __future__ import annotations

from .client import Monitor as Monitor
from .debug import (
    DebugLevel as DebugLevel,
    get_debug_level as get_debug_level,
    set_debug_level as set_debug_level,
    set_debug_level_from_env as set_debug_level_from_env,
)
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
