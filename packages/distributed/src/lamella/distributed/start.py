"""How a process learns its rank and who the others are."""

from __future__ import annotations

import os
from typing import Any

from lamella.core.allocation import keep_freed_memory
from lamella.dispatch.errors import message

from . import backend as backends
from .launch import world_from_environment
from .rendezvous import parse, rendezvous


def join(me: Any, kinds: list[str], init_method: str | None, store: Any, rank: int, size: int,
         seconds: float) -> tuple[int, int]:
    """(rank, number of ranks) of this process, once all have come.

    Args:
        me: this rank's `World`; gets a store where one is needed.
        kinds: the backends that will be used.
        init_method, store, rank, size, seconds: as given to `init_process_group`.
    """
    if init_method is not None:
        _, rank, size = parse(init_method, rank, size)
        init_method = init_method.partition("?")[0]
    if me.board is not None:
        found = me.rank, me.size
    else:
        found = _of_process(me, kinds, init_method, store, rank, size, seconds)
    for what, asked, got in (("world_size", size, found[1]), ("rank", rank, found[0])):
        if asked not in (-1, got):
            rule = f"{what} is {asked}, but the launcher says {got}"
            hint = f"mpiexec -n {asked} or lamella run --nproc {asked} starts {asked} ranks" if what != "rank" else None
            raise ValueError(message("init_process_group", rule, hint=hint))
    if me.board is None and found[1] > 1:
        keep_freed_memory()
    return found


def _of_process(me: Any, kinds: list[str], init_method: str | None, store: Any, rank: int, size: int,
                seconds: float) -> tuple[int, int]:
    launched = world_from_environment()
    by_mpi = launched is not None and launched.launcher != "env"
    entries = [backends.entry(kind) for kind in kinds]
    starts = [e.start for e in entries if e.start is not None]
    if launched is not None and by_mpi and (len(starts) == len(entries) or "nccl" in kinds):
        if launched.world_size == 1:
            return 0, 1
        start = backends.entry("mpi").start
        assert start is not None
        me.monitor, found = start(seconds)
        if found[1] != launched.world_size:
            raise RuntimeError(_strangers(launched, found[1]))
        return found
    if rank == -1 and launched is not None:
        rank = launched.rank
    if size == -1:
        size = launched.world_size if launched is not None else 1 if rank in (-1, 0) else -1
    if size == 1:
        return 0, 1
    if starts:
        rule = f"{size} ranks are asked for, but no MPI launcher started this process"
        hint = f"mpiexec -n {size} python script.py, or lamella run --nproc {size} script.py"
        raise RuntimeError(message("init_process_group", rule, hint=hint))
    if rank == -1 or size == -1:
        raise ValueError(message("init_process_group", "rank and world_size must be given",
                                 hint="as arguments, in init_method, or as RANK and WORLD_SIZE"))
    if store is None:
        method = init_method or "env://"
        store, rank, size = next(iter(rendezvous(method, rank, size)))
    store.set(f"joined/{rank}", os.uname().nodename)
    me.store = store
    return rank, size


def _strangers(launched: Any, size: int) -> str:
    """The launcher and the MPI library do not know each other: each process would train alone."""
    rule = f"{launched.launcher} started {launched.world_size} ranks, but the MPI library sees {size}"
    hint = "mpiexec and the library that mpi4py uses must belong together; `lamella info` shows both"
    if launched.launcher == "slurm":
        hint = "srun must speak the library's protocol: srun --mpi=pmi2 (MPICH) or --mpi=pmix (Open MPI)"
    return message("init_process_group", rule, hint=hint)
