"""What a rank has switched on for a block: each thread for itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lamella.dispatch.state import state


def is_on(name: str) -> bool:
    """Whether something is switched on here."""
    return getattr(state.thread, name, False)


@contextmanager
def switched_on(name: str) -> Iterator[None]:
    """Within the block it is on; after it as before."""
    before = is_on(name)
    setattr(state.thread, name, True)
    try:
        yield
    finally:
        setattr(state.thread, name, before)
