"""torch.distributed.tensor._dtensor_spec: how a tensor lies on a mesh."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor._dtensor_spec",))
