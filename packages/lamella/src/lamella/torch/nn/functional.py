"""torch.nn.functional: functions of networks, from lamella.nn.functional."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._missing import lookup

if TYPE_CHECKING:
    from lamella.nn.functional import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.functional",))
