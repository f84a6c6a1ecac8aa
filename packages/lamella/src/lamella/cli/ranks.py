"""`lamella run` with several ranks: starting them, and telling whose failure it was that ended the job."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

_WAIT = 5.0  # seconds in which a launcher ends the other ranks
_INTERRUPTED = 130  # Ctrl-C: all ranks get it
_here: Any = None
_told = False


def _launch() -> Any:
    """lamella.distributed.launch without the rest of lamella.distributed: NumPy must not be loaded before threads are
    counted."""
    name = "lamella.distributed.launch"
    if name not in sys.modules:
        package = importlib.util.find_spec("lamella.distributed")
        assert package is not None and package.submodule_search_locations
        path = os.path.join(package.submodule_search_locations[0], "launch.py")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


def enter() -> None:
    """Become a rank, if a launcher started this process: set torchrun's variables and limit threads."""
    global _here
    launch = _launch()
    place = launch.set_variables()
    if place is None or place.world_size < 2:
        return
    _here = place
    if launch.limit_threads(place.local_world_size) and place.rank == 0:
        say_threads()
    for stream in (sys.stdout, sys.stderr):  # whole lines and at once: others write too, and may end this rank
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, write_through=False)


def several() -> bool:
    """Whether this process is one of several ranks."""
    return _here is not None


def say_threads() -> None:
    """Tell that each rank computes with one thread."""
    print("lamella run: OMP_NUM_THREADS and OPENBLAS_NUM_THREADS are set to 1 for each rank, so that ranks do not "
          "overload the machine; set OMP_NUM_THREADS yourself to use more", file=sys.stderr, flush=True)


@contextlib.contextmanager
def failure() -> Iterator[None]:
    """What is printed to stderr in the block is a failure's report: among several ranks it comes out as one piece, each
    line labelled, and only the first rank that fails prints one."""
    if _here is None:
        yield
        return
    first = _first()  # before other ranks hear of the failure from the hook that prints it, and fail of it
    with contextlib.redirect_stderr(io.StringIO()) as text:
        yield
    _tell(text.getvalue(), first)


def _tell(text: str, first: bool) -> None:
    """Print a rank's report, unless another rank of this machine reports and its failure ends this one too."""
    global _told
    sys.stdout.flush()
    sys.stderr.flush()
    if not first:
        time.sleep(_WAIT)
    _told = True
    label = f"[rank {_here.rank}] "
    whole = "".join(f"{label}{line}\n" for line in text.splitlines()).encode()
    while whole:
        whole = whole[os.write(2, whole) :]


_claim: list[socket.socket] = []


def _first() -> bool:
    """Whether no other rank of this job on this machine reports: Open MPI has a folder for the job; else a name that
    the system gives to one process at a time."""
    folder = os.environ.get("PMIX_SERVER_TMPDIR")
    if folder:
        try:
            os.close(os.open(os.path.join(folder, "lamella-reported"), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            return True
        except FileExistsError:
            return False
        except OSError:
            pass
    if not sys.platform.startswith("linux"):
        return True
    claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        claim.bind(f"\0lamella-run-{os.getuid()}-{os.environ.get('LAMELLA_JOB') or os.getppid()}")
    except OSError:
        claim.close()
        return False
    _claim.append(claim)
    return True


def leave(status: int) -> int:
    """End the job if this rank failed.

    Args:
        status: the rank's exit status.

    Returns:
        The status, where there is nothing to end.
    """
    if _here is None or status == 0:
        return status
    if not _told and status != _INTERRUPTED:
        _tell(f"exits with status {status}", _first())
    _launch().end_job(status)
    return status


def start(nproc: str, program: Sequence[str], mpiexec: str | None = None) -> int:
    """Run `lamella run` under `mpiexec`; this process becomes it.

    Args:
        nproc: how many ranks: a number, "cpu" (one for each core), "gpu" or "auto".
        program: what follows `lamella run`.
        mpiexec: the program (None: the one beside Python, else the first in PATH).

    Returns:
        2 where that cannot be; else this does not return.
    """
    try:
        count = _count(nproc)
    except ValueError as e:
        print(f"lamella run: {e}\nhint: lamella run --nproc 4 SCRIPT", file=sys.stderr)
        return 2
    launch = _launch()
    above = launch.world_from_environment()
    if above is not None and above.world_size > 1:
        print(f"lamella run: --nproc starts ranks, and this is rank {above.rank} of {above.world_size} already\n"
              "hint: under mpiexec, srun or torchrun leave --nproc out", file=sys.stderr)
        return 2
    from lamella.distributed import mpiexec as programs

    try:
        found = programs.find(mpiexec)
    except FileNotFoundError as e:
        print(f"lamella run: {e}", file=sys.stderr)
        return 2
    if found is None:
        print(f"lamella run: --nproc needs an MPI, and there is no mpiexec beside {sys.executable} or in PATH\n"
              f"hint: {programs.INSTALL}", file=sys.stderr)
        return 2
    env = programs.environment(found)
    if launch.limit_threads(count, env):
        say_threads()
    line = programs.command(found, count, [sys.executable, "-m", "lamella.cli", "run", *program])
    sys.stdout.flush()
    os.execve(line[0], line, env)


def _count(text: str) -> int:
    if text in ("gpu", "auto"):
        from lamella.torch import cuda

        if cuda.is_available():
            return cuda.device_count()
        if text == "gpu":
            raise ValueError("--nproc gpu: there is no GPU that lamella can use")
    if text in ("cpu", "auto"):
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"--nproc must be a number of ranks, cpu, gpu or auto (got {text!r})")
    return int(text)
