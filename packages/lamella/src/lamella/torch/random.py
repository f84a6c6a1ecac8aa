"""torch.random: the default generator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lamella.core.random import fork_rng as _fork_rng

from ._missing import lookup


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, _caller: str = "fork_rng", _devices_kw: str = "devices",
             device_type: str = "cuda") -> Iterator[None]:
    """A block after which the default generators go on as if the block had not been.

    Args:
        devices: GPUs whose generators are kept too (None: all that have been used).
        device_type: accepted; GPUs are ``"cuda"``.
        enabled: False makes the block do nothing.

    Example:
        >>> from lamella import torch
        >>> _ = torch.manual_seed(0)
        >>> with fork_rng():
        ...     _ = torch.rand(3)
        >>> torch.initial_seed(), torch.equal(torch.rand(2), torch.rand(2, generator=torch.Generator().manual_seed(0)))
        (0, True)
    """
    with _fork_rng(devices, enabled):
        yield


__getattr__, __dir__ = lookup(__name__, ("lamella.core.random", "lamella.core"), listed=True)
