"""`Module` where torch has it."""

from __future__ import annotations

from lamella.nn.module import Module
from lamella.nn.module_hooks import (
    _global_backward_hooks,
    _global_backward_pre_hooks,
    _global_forward_hooks,
    _global_forward_hooks_always_called,
    _global_forward_hooks_with_kwargs,
    _global_forward_pre_hooks,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from lamella.nn.module_state import IncompatibleKeys as _IncompatibleKeys

__all__ = [
    "Module", "_IncompatibleKeys", "_global_backward_hooks", "_global_backward_pre_hooks", "_global_forward_hooks",
    "_global_forward_hooks_always_called", "_global_forward_hooks_with_kwargs", "_global_forward_pre_hooks",
    "register_module_backward_hook", "register_module_buffer_registration_hook", "register_module_forward_hook",
    "register_module_forward_pre_hook", "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook", "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]  # fmt: skip
