"""torch.testing: comparisons and tensors for tests."""

from __future__ import annotations

from .._missing import lookup
from .comparison import assert_close
from .creation import make_tensor

__all__ = ["assert_close", "make_tensor"]

__getattr__, __dir__ = lookup(__name__)
