"""torch.utils.data._utils: the parts of a loader that programs reach into."""

from __future__ import annotations

from . import collate, pin_memory, worker

__all__ = ["collate", "pin_memory", "worker"]
