"""Samples of this package's operators; see lamella.core.samples."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: The families of activations, losses, look-ups and attention, whose tests share one list.
FUNCTIONAL = ("linear", "activation", "loss", "embedding", "attention")


def functional_samples() -> list[Any]:
    """The rows of those families, in order."""
    return [s for f in FUNCTIONAL for s in import_module(f"{__name__}.{f}").SAMPLES]
