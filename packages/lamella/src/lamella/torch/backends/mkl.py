"""torch.backends.mkl: Intel's MKL is not used here."""

from __future__ import annotations

from .._missing import lookup


def is_available() -> bool:
    """Whether Intel's MKL can be used."""
    return False


__getattr__, __dir__ = lookup(__name__)
