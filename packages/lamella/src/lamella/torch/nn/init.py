"""torch.nn.init: first values of parameters, from lamella.nn.init."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._missing import lookup

if TYPE_CHECKING:
    from lamella.nn.init import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.init",))
