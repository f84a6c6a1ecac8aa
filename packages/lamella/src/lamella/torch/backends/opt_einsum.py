"""torch.backends.opt_einsum: opt_einsum's contraction orders is not used here."""

from __future__ import annotations

from .._missing import lookup

enabled = False
strategy = "auto"


def is_available() -> bool:
    """Whether opt_einsum's contraction orders can be used."""
    return False


__getattr__, __dir__ = lookup(__name__)
