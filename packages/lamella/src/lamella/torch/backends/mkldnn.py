"""torch.backends.mkldnn: Intel's oneDNN is not used here."""

from __future__ import annotations

from .._missing import lookup

enabled = False


def is_available() -> bool:
    """Whether Intel's oneDNN can be used."""
    return False


__getattr__, __dir__ = lookup(__name__)
