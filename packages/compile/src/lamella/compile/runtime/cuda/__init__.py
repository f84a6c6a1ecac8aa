"""Running launch plans: the device, and programs on it."""

from __future__ import annotations

from .device import Device, current, using
from .draws import NAME as DRAWS

__all__ = ["DRAWS", "Device", "current", "using"]
