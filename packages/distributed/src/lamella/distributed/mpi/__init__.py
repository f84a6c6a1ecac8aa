"""The backend "mpi": ranks are processes that an MPI launcher started. "gloo" means the same."""

from __future__ import annotations

from typing import Any

from ..backend import Member, Transport, register_backend


def _make(member: Member) -> Transport:
    from .transport import MPITransport

    return MPITransport(member)


def load() -> Any:
    """mpi4py's module, without starting MPI; RuntimeError where there is no MPI."""
    from .runtime import load

    return load()


def _start(seconds: float) -> Any:
    from .runtime import start

    return start(seconds)


register_backend("mpi", _make, devices=("cpu",), start=_start)
