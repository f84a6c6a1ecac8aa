"""Guards that change a thread's masks for a block, by the names torch's Python programs know them by."""

from __future__ import annotations

from contextlib import AbstractContextManager

from .keys import AUTOGRAD_MASK, DispatchKey, keyset
from .state import state


def exclude(*keys: DispatchKey | str) -> AbstractContextManager[None]:
    """Within the block calls of this thread skip ``keys``.

    Example:
        >>> with exclude("CPU"):
        ...     state.apply(keyset("CPU", "Meta")) == keyset("Meta")
        True
    """
    return state.masks(exclude=keyset(*keys))


def include(*keys: DispatchKey | str) -> AbstractContextManager[None]:
    """Within the block calls of this thread pass ``keys`` besides those of their tensors.

    Example:
        >>> with include("Tracer"):
        ...     state.apply(keyset("CPU")) == keyset("CPU", "Tracer")
        True
    """
    return state.masks(include=keyset(*keys))


def below_autograd() -> AbstractContextManager[None]:
    """Within the block nothing is recorded for backward: what a kernel under an Autograd key calls its operator in."""
    return state.masks(exclude=AUTOGRAD_MASK)


_AutoDispatchBelowAutograd = below_autograd
