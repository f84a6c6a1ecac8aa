"""torch.distributed: several ranks that work together, from lamella.distributed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from .._missing import lookup
from . import rendezvous as _rendezvous  # now, because the function below takes the name of the module

if TYPE_CHECKING:
    from lamella.distributed import *  # noqa: F403

__all__ = ["breakpoint", "get_default_backend_for_device", "is_available", "is_initialized",
           "is_torchelastic_launched", "is_ucc_available", "is_xccl_available", "rendezvous"]


def is_available() -> bool:  # type: ignore[no-redef]
    """Whether ranks can work together: always."""
    return True


def is_initialized() -> bool:  # type: ignore[no-redef]
    """Whether there is a process group."""
    group = sys.modules.get("lamella.distributed.group")  # programs that are not distributed ask too, and load nothing
    return group is not None and bool(group.is_initialized())


def is_torchelastic_launched() -> bool:
    """Whether torchrun started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


def is_ucc_available() -> bool:
    """Whether the UCC backend can be used."""
    return False


def is_xccl_available() -> bool:
    """Whether the backend for Intel's GPUs can be used."""
    return False


def get_default_backend_for_device(device: Any) -> str:
    """The backend that carries tensors on a device where none is asked for.

    Args:
        device: a device, or what one is made of.

    Example:
        >>> get_default_backend_for_device("cpu"), get_default_backend_for_device("cuda:1")
        ('mpi', 'nccl')
    """
    from lamella.core.devices import device as made

    return "nccl" if made(device).type == "cuda" else "mpi"


def breakpoint(rank: int = 0, skip: int = 0, timeout_s: float | None = 3600) -> None:
    """Stop one rank in the debugger; the others wait until it goes on.

    Standard input must be the rank's: `mpiexec` gives it to rank 0.

    Args:
        rank: which one.
        skip: pass that many times without stopping, for each place in the program.
        timeout_s: accepted; the others wait as long as the group's time-out says.
    """
    import pdb

    from lamella import distributed
    from lamella.distributed.group import world

    del timeout_s
    frame = sys._getframe(1)
    place = frame.f_code, frame.f_lineno
    passed = world().__dict__.setdefault("breakpoints", {})
    passed[place] = passed.get(place, 0) + 1
    if passed[place] <= skip:
        return
    if distributed.get_rank() == rank:
        print(f"breakpoint: rank {rank} stops, the others wait", file=sys.stderr, flush=True)
        pdb.Pdb(nosigint=True).set_trace(frame)
    distributed.barrier()


def rendezvous(url: str, rank: int = -1, world_size: int = -1, **kwargs: Any) -> Any:
    """Meet the other ranks at a URL; see `torch.distributed.rendezvous.rendezvous`."""
    return _rendezvous.rendezvous(url, rank, world_size, **kwargs)


__getattr__, __dir__ = lookup(
    __name__,
    ("lamella.distributed", "lamella.distributed.store", "lamella.distributed.rendezvous",
     "lamella.distributed.monitor.debug"),
    submodules=(
        "_composable", "_functional_collectives", "_tensor", "algorithms", "checkpoint", "constants", "device_mesh",
        "distributed_c10d", "elastic", "fsdp", "launch", "nn", "optim", "pipelining", "run", "tensor",
    ),
    listed=True,
    elsewhere={"reduce_op": "lamella.torch.distributed._old"},
)
