"""torch.distributed.checkpoint.state_dict."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.checkpoint.state_dict", "lamella.distributed.checkpoint"))
