"""torch.backends.openmp: OpenMP is not used here."""

from __future__ import annotations

from .._missing import lookup


def is_available() -> bool:
    """Whether OpenMP can be used."""
    return False


__getattr__, __dir__ = lookup(__name__)
