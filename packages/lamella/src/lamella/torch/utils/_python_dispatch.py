"""torch.utils._python_dispatch: modes that see every operator call."""

from __future__ import annotations

from lamella.dispatch.modes import (
    TorchDispatchMode as TorchDispatchMode,
    _disable_current_modes as _disable_current_modes,
    current_modes as _get_current_dispatch_mode_stack,
)

__all__ = ["TorchDispatchMode", "_disable_current_modes", "_get_current_dispatch_mode_stack"]
