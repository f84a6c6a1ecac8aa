"""torch.amp: mixed precision."""

from __future__ import annotations

from .._missing import lookup
from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

__getattr__, __dir__ = lookup(__name__, ("lamella.torch.amp.autocast_mode",))
