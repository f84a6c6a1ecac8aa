"""torch.testing: comparisons for tests."""

from __future__ import annotations

from .._missing import lookup
from .comparison import assert_close

__all__ = ["assert_close"]

__getattr__, __dir__ = lookup(__name__)
