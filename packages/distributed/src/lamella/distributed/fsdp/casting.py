"""Inputs, outputs and buffers in the types of mixed precision."""

from __future__ import annotations

from typing import Any

from lamella import core
from lamella.autograd.pytree import tree_map_only
from lamella.core.tensor import Tensor

from .build import own_modules

__all__ = ["cast_buffers", "cast_floats", "keep_full_precision"]


def cast_floats(value: Any, dtype: Any) -> Any:
    """Nested containers with all floating-point tensors cast."""
    return tree_map_only(Tensor, lambda t: t.to(dtype) if t.is_floating_point() else t, value)


def cast_buffers(module: Any, ignored: set[Any], dtype: Any) -> dict[tuple[int, str], Any]:
    """Cast a unit's buffers; returns the types that they had, by module and name."""
    before = {}
    for _, m in own_modules(module, ignored):
        for name, buf in m._buffers.items():
            if buf is not None and buf.is_floating_point() and buf.dtype != dtype:
                before[(id(m), name)] = buf.dtype
                m._buffers[name] = buf.to(dtype)
    return before


def keep_full_precision(module: Any) -> None:
    """Let a module compute in float32 whatever its inputs are, and give its outputs the inputs' type."""
    kinds: list[Any] = []

    def before(_: Any, args: Any) -> Any:
        found = [t.dtype for t in args if isinstance(t, Tensor) and t.is_floating_point()]
        kinds.append(found[0] if found else None)
        return cast_floats(args, core.float32)

    def after(_: Any, args: Any, output: Any) -> Any:
        dtype = kinds.pop() if kinds else None
        return output if dtype is None else cast_floats(output, dtype)

    module.register_forward_pre_hook(before)
    module.register_forward_hook(after)
