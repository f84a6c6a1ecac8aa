"""torch.distributed: nothing here is distributed yet, and programs that ask are told so."""

from __future__ import annotations

import os

from .._missing import lookup

__all__ = ["is_available", "is_gloo_available", "is_initialized", "is_mpi_available", "is_nccl_available",
           "is_torchelastic_launched"]


def is_available() -> bool:
    """Whether processes can work together."""
    return False


def is_initialized() -> bool:
    """Whether there is a process group."""
    return False


def is_mpi_available() -> bool:
    """Whether the MPI backend can be used."""
    return False


def is_nccl_available() -> bool:
    """Whether the NCCL backend can be used."""
    return False


def is_gloo_available() -> bool:
    """Whether the Gloo backend can be used."""
    return False


def is_torchelastic_launched() -> bool:
    """Whether torch's launcher started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


__getattr__, __dir__ = lookup(__name__)
