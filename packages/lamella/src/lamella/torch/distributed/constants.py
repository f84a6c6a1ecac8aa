"""torch.distributed.constants."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, elsewhere={"default_pg_timeout": "lamella.distributed.init"})
