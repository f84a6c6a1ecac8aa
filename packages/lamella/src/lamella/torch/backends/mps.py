"""torch.backends.mps: Apple's GPU backend is not used here."""

from __future__ import annotations

from .._missing import lookup


def is_available() -> bool:
    """Whether Apple's GPU backend can be used."""
    return False


def is_built() -> bool:
    """Whether this torch can use it at all."""
    return False


def is_macos_or_newer(major: int, minor: int) -> bool:
    """Whether the system is macOS of at least a version that has it."""
    return False


__getattr__, __dir__ = lookup(__name__)
