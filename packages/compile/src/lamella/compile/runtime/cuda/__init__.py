"""Running launch plans: the device, and programs on it."""

from __future__ import annotations

from .device import Device, current, using

__all__ = ["Device", "current", "using"]
