"""torch.random: the default generator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lamella import torch

from ._missing import lookup


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, _caller: str = "fork_rng", _devices_kw: str = "devices",
             device_type: str = "cuda") -> Iterator[None]:
    """A block after which the default generator goes on as if the block had not been.

    Args:
        devices, device_type: GPUs whose generators are kept too; there are none.
        enabled: False makes the block do nothing.

    Example:
        >>> from lamella import torch
        >>> _ = torch.manual_seed(0)
        >>> with fork_rng():
        ...     _ = torch.rand(3)
        >>> torch.initial_seed(), torch.equal(torch.rand(2), torch.rand(2, generator=torch.Generator().manual_seed(0)))
        (0, True)
    """
    if not enabled:
        yield
        return
    state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_rng_state(state)


__getattr__, __dir__ = lookup(__name__, ("lamella.core.random", "lamella.core"), listed=True)
