"""torch.backends.cudnn: switches that programs set; there is no cuDNN here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._missing import lookup

enabled = True
benchmark = False
benchmark_limit = 10
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """Whether cuDNN can be used."""
    return False


def version() -> int | None:
    """The version of cuDNN."""
    return None


@contextmanager
def flags(enabled: bool = False, benchmark: bool = False, benchmark_limit: int = 10, deterministic: bool = False,
          allow_tf32: bool = True) -> Iterator[None]:
    """Set the switches for a block."""
    here = globals()
    new = {"enabled": enabled, "benchmark": benchmark, "benchmark_limit": benchmark_limit,
           "deterministic": deterministic, "allow_tf32": allow_tf32}
    old = {name: here[name] for name in new}
    here.update(new)
    try:
        yield
    finally:
        here.update(old)


__getattr__, __dir__ = lookup(__name__)
