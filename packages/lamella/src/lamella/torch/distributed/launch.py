"""torch.distributed.launch: the old name of torch.distributed.run."""

from __future__ import annotations

import sys

from .._missing import lookup
from .run import main

__all__ = ["main"]

__getattr__, __dir__ = lookup(__name__)

if __name__ == "__main__":
    sys.exit(main())
