"""MPI from its start to its end, with time limits on both: neither may hang because of a rank that is not there."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import signal
import socket
import sys
import threading
import time
from typing import Any

from lamella.dispatch.errors import message

from ..errors import DistBackendError, DistNetworkError
from ..launch import world_from_environment
from ..monitor.rollcall import RollCall, launcher
from ..monitor.texts import never_joined

_lock = threading.Lock()
_started: tuple[Any, tuple[int, int]] | None = None
#: Requests that never ended, with their arrays: MPI may write into them for as long as the process lives.
abandoned: list[Any] = []
_owner = False


def load() -> Any:
    """mpi4py's module, without starting MPI."""
    loaded = sys.modules.get("mpi4py.MPI")
    if loaded is not None:
        return loaded
    try:
        import mpi4py

        mpi4py.rc.initialize = False
        mpi4py.rc.finalize = False
        from mpi4py import MPI
    except (ImportError, RuntimeError) as e:
        hint = "pip install 'lamella-distributed[mpi]' brings an MPI library"
        raise RuntimeError(message("init_process_group", f"MPI cannot be loaded ({str(e).splitlines()[0]})",
                                   hint=hint)) from e
    return MPI


def start(seconds: float) -> tuple[Any, tuple[int, int]]:
    """Start MPI and the monitor, once a process.

    Args:
        seconds: how long to wait for the other ranks.

    Returns:
        The monitor and (rank, number of ranks).
    """
    global _started
    with _lock:
        if _started is None:
            deadline = time.monotonic() + seconds
            MPI = load()
            if not MPI.Is_initialized():
                _initialize(MPI, deadline, seconds)
            whole = MPI.COMM_WORLD
            rank, size = whole.Get_rank(), whole.Get_size()
            monitor = _watch(MPI, whole, rank, size, deadline, seconds) if size > 1 else None
            _started = monitor, (rank, size)
            if monitor is not None:
                atexit.register(_end, MPI, monitor, seconds)
        return _started


def _initialize(MPI: Any, deadline: float, seconds: float) -> None:
    """MPI_Init_thread, which returns only when all processes of the job have called it; so a thread calls it."""
    global _owner
    library = ctypes.CDLL(MPI.__file__)  # not mpi4py's own function: it keeps the interpreter's lock
    provided = ctypes.c_int()
    status: list[int] = []

    def call() -> None:
        status.append(library.MPI_Init_thread(None, None, int(MPI.THREAD_MULTIPLE), ctypes.byref(provided)))

    thread = threading.Thread(target=call, name="MPI_Init", daemon=True)
    with contextlib.suppress(ValueError):  # only the main thread may; the launcher's word that a rank has died
        if signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL:
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    roll = _roll_call()
    thread.start()
    ended = 0
    while thread.is_alive() and time.monotonic() < deadline and ended < 2:
        thread.join(min(0.25, max(0.0, deadline - time.monotonic())))
        ended = ended + 1 if roll and (roll.dead() or roll.ended()) else 0
    if thread.is_alive():
        raise DistNetworkError(_who_did_not_come(roll, seconds))
    if roll is not None:
        roll.close()
    if status[0] != 0:
        raise DistBackendError(message("init_process_group", "MPI_Init failed", f"status {status[0]}"))
    _owner = True
    for comm in (MPI.COMM_WORLD, MPI.COMM_SELF):
        comm.Set_errhandler(MPI.ERRORS_RETURN)


def _roll_call() -> RollCall | None:
    """Tells who has come, where all ranks are on this host."""
    here = world_from_environment()
    if here is None or here.local_world_size != here.world_size or here.world_size == 1:
        return None
    pid, name = launcher()
    if pid == 1:
        return None
    roll = RollCall(here.rank, range(here.world_size), pid, parent=name.startswith("hydra_pmi_proxy"))
    roll.enter()
    return roll


def _who_did_not_come(roll: RollCall | None, seconds: float) -> str:
    if roll is not None:
        missing, dead, ended = roll.missing(), roll.dead(), roll.ended()
        roll.give_up()
        if missing or dead:
            return "init_process_group: " + never_joined(missing, dead, len(roll.ranks), None if ended else seconds)
    rule = f"MPI did not start within {seconds:g} s"
    hint = "every process of the job must call init_process_group; one has not, or has ended"
    return message("init_process_group", rule, hint=hint)


def _watch(MPI: Any, whole: Any, rank: int, size: int, deadline: float, seconds: float) -> Any:
    """The monitor of this rank; its address travels from rank 0 by a broadcast that can be given up."""
    from ..monitor import Hub, Monitor

    address = bytearray(256)
    if rank == 0:
        here = world_from_environment()
        hosts_differ = here is not None and here.local_world_size != size
        told = Hub.start(size, socket.gethostname() if hosts_differ else "127.0.0.1").encode()
        address[: len(told)] = told
    request = whole.Ibcast([address, MPI.BYTE], root=0)
    while not request.Test():
        if time.monotonic() > deadline:
            abandoned.append((request, address))
            rule = f"rank 0 did not join within {seconds:g} s"
            raise DistBackendError(message("init_process_group", rule, f"rank {rank} of {size}"))
        time.sleep(0.0005)
    text = bytes(address).rstrip(b"\0").decode()
    return Monitor.connect(text, rank, size, max(0.1, deadline - time.monotonic()))


def _end(MPI: Any, monitor: Any, seconds: float) -> None:
    """Finalize where all ranks come to their end in order within a time; else do not: MPI would wait for ever."""
    raised = bool(abandoned) or getattr(sys, "last_value", None) is not None  # this rank has had an error of its own
    clean = not raised and monitor.failure is None
    if monitor.leave(clean, timeout=seconds):
        if _owner and not MPI.Is_finalized():
            MPI.Finalize()
        return
    if not raised:  # what is wrong is found only now, and nobody is left to raise it
        print(f"lamella.distributed: {monitor.failure}", file=sys.stderr)
    if not (raised and _owner):  # mpi4py would finalize; the interpreter would end as if all was well
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)
