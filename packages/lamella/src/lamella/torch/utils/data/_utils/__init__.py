"""torch.utils.data._utils: the parts of a loader that programs reach into."""

from __future__ import annotations

from . import collate, worker

__all__ = ["collate", "worker"]
