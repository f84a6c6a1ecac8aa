"""Handles of registered hooks."""

from __future__ import annotations

from lamella.autograd.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
