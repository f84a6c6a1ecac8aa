"""What a launcher (mpiexec, srun, torchrun) told this process: its rank, how many there are, and where rank 0 is.

Nothing here starts MPI: launchers say it in the environment.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Mapping, MutableMapping
from typing import NamedTuple

#: torchrun's port for rank 0.
PORT = 29500
#: Settings of thread pools in the libraries that compute: each of them reads its own.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_INTERACTIVE = 0xFFFFFFF0  # Slurm numbers steps that are a batch script or a shell from here on


class Launched(NamedTuple):
    """A process's place among those that were started together.

    Attributes:
        rank: from 0.
        world_size: how many processes there are.
        local_rank: the number among those of the same host.
        launcher: "mpich" (its mpiexec, Intel's and Cray's too), "openmpi", "slurm", or "env" (RANK and WORLD_SIZE were
            set by torchrun or by hand).
        local_world_size: how many are on the same host.
        group_rank: the host's number.
    """

    rank: int
    world_size: int
    local_rank: int
    launcher: str
    local_world_size: int
    group_rank: int


def world_from_environment(env: Mapping[str, str] | None = None) -> Launched | None:
    """This process's place, as its launcher put it into the environment; None where it was started alone.

    Args:
        env: the environment (None: the process's).

    Raises:
        ValueError: RANK and WORLD_SIZE contradict each other.

    Example:
        >>> mpiexec = {"PMI_RANK": "1", "PMI_SIZE": "4", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "4"}
        >>> world_from_environment(mpiexec)[:4]
        (1, 4, 1, 'mpich')
        >>> world_from_environment({}) is None
        True
    """
    env = os.environ if env is None else env
    for find in (_openmpi, _pmi, _torchrun, _slurm):
        found = find(env)
        if found is not None:
            return found
    return None


def _number(env: Mapping[str, str], *names: str) -> int | None:
    """The first of these variables that holds a number."""
    for name in names:
        text = env.get(name, "")
        if text.isdecimal():
            return int(text)
    return None


def _placed(launcher: str, rank: int, size: int, local: int | None, local_size: int | None,
            host: int | None = None) -> Launched:
    """Fill in what a launcher does not say: one host, or as many ranks on each."""
    if local_size is None:
        local_size = size
    if local is None:
        local = rank % local_size
    if host is None:
        host = 0 if local_size >= size else rank // local_size
    return Launched(rank, size, local, launcher, local_size, host)


def _openmpi(env: Mapping[str, str]) -> Launched | None:
    rank, size = _number(env, "OMPI_COMM_WORLD_RANK"), _number(env, "OMPI_COMM_WORLD_SIZE")
    if rank is None or size is None:
        return None
    return _placed("openmpi", rank, size, _number(env, "OMPI_COMM_WORLD_LOCAL_RANK"),
                   _number(env, "OMPI_COMM_WORLD_LOCAL_SIZE"))


def _pmi(env: Mapping[str, str]) -> Launched | None:
    rank, size = _number(env, "PMI_RANK"), _number(env, "PMI_SIZE")
    if rank is None or size is None:
        return None
    slurm = _slurm(env)
    local = _number(env, "MPI_LOCALRANKID", "PALS_LOCAL_RANKID", "MV2_COMM_WORLD_LOCAL_RANK")
    local_size = _number(env, "MPI_LOCALNRANKS", "PALS_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE")
    if local is None and slurm is not None and slurm.world_size == size:  # srun speaks PMI too
        return slurm
    return _placed("mpich", rank, size, local, local_size, _number(env, "PALS_NODEID"))


def _torchrun(env: Mapping[str, str]) -> Launched | None:
    rank, size = _number(env, "RANK"), _number(env, "WORLD_SIZE")
    if rank is None or size is None:
        return None
    if rank >= size:
        raise ValueError(f"launch: RANK must be below WORLD_SIZE (RANK={rank}, WORLD_SIZE={size})\n"
                         "hint: both are in the environment; unset them where no launcher sets them")
    return _placed("env", rank, size, _number(env, "LOCAL_RANK"), _number(env, "LOCAL_WORLD_SIZE"),
                   _number(env, "GROUP_RANK"))


def _slurm(env: Mapping[str, str]) -> Launched | None:
    """A task of srun. A batch script has a SLURM_PROCID too, and is no task of a step."""
    step, rank = _number(env, "SLURM_STEP_ID"), _number(env, "SLURM_PROCID")
    size = _number(env, "SLURM_STEP_NUM_TASKS")
    if step is None or step >= _INTERACTIVE or rank is None or size is None:
        return None
    host = _number(env, "SLURM_NODEID")
    each = _tasks_per_node(env.get("SLURM_STEP_TASKS_PER_NODE", ""))
    local_size = each[host] if host is not None and host < len(each) else None
    return _placed("slurm", rank, size, _number(env, "SLURM_LOCALID"), local_size, host)


def _tasks_per_node(text: str) -> list[int]:
    """Slurm's list of numbers: `2(x3),1` is 2, 2, 2, 1."""
    found: list[int] = []
    for count, times in re.findall(r"(\d+)(?:\(x(\d+)\))?", text):
        found += [int(count)] * int(times or 1)
    return found


def first_host(text: str) -> str:
    """The first host of Slurm's list: `node[03-05,9],login` starts with `node03`.

    Example:
        >>> first_host("gpu-[007-009]-x,b")
        'gpu-007-x'
    """
    found = re.match(r"([^,\[]*)(?:\[(\w+)[^\]]*\])?([^,\[]*)", text.strip())
    return "".join(part or "" for part in found.groups()) if found else ""


def master(env: Mapping[str, str], here: Launched) -> tuple[str | None, int]:
    """Where rank 0 listens, as all ranks find out alike without asking each other; no host where nobody says it."""
    host: str | None = env.get("MASTER_ADDR")
    if not host and here.local_world_size >= here.world_size:
        host = "127.0.0.1"
    if not host:
        host = first_host(env.get("SLURM_STEP_NODELIST") or env.get("SLURM_JOB_NODELIST") or "") or None
    port = _number(env, "MASTER_PORT")
    if port is None:  # two jobs may share a host
        port = PORT + (_number(env, "SLURM_JOB_ID") or 0) % 1000
    return host, port


def set_variables(env: MutableMapping[str, str] | None = None) -> Launched | None:
    """Set the variables that torchrun sets, from those of whatever launched this process.

    RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, GROUP_RANK and their like follow the launcher; MASTER_ADDR and
    MASTER_PORT stay what they are where they are set, and MASTER_ADDR stays unset where ranks run on several hosts
    and nothing says on which (only programs that make stores of their own read it).

    Args:
        env: the environment (None: the process's).

    Returns:
        The process's place; None where it was started alone, and nothing is set.

    Example:
        >>> env = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}
        >>> _ = set_variables(env)
        >>> env["RANK"], env["WORLD_SIZE"], env["LOCAL_RANK"], env["MASTER_ADDR"]
        ('1', '2', '1', '127.0.0.1')
    """
    env = os.environ if env is None else env
    here = world_from_environment(env)
    if here is None:
        return None
    hosts = -(-here.world_size // max(here.local_world_size, 1))
    for name, value in (
        ("RANK", here.rank), ("WORLD_SIZE", here.world_size), ("LOCAL_RANK", here.local_rank),
        ("LOCAL_WORLD_SIZE", here.local_world_size), ("GROUP_RANK", here.group_rank), ("GROUP_WORLD_SIZE", hosts),
        ("ROLE_RANK", here.rank), ("ROLE_WORLD_SIZE", here.world_size),
    ):  # fmt: skip
        env[name] = str(value)
    env.setdefault("ROLE_NAME", "default")
    host, port = master(env, here)
    if host is not None:
        env["MASTER_ADDR"] = host
    env["MASTER_PORT"] = str(port)
    return here


def limit_threads(local_world_size: int, env: MutableMapping[str, str] | None = None) -> bool:
    """Give each of several ranks of a host one thread, where the environment does not say how many.

    Libraries read this when they are loaded.

    Args:
        local_world_size: how many ranks the host has.
        env: the environment (None: the process's).

    Returns:
        Whether it set anything.
    """
    env = os.environ if env is None else env
    if local_world_size < 2 or any(name in env for name in THREADS):
        return False
    env.update(dict.fromkeys(THREADS, "1"))
    return True


def end_job(status: int) -> None:
    """End this process and the others that were started with it, at once.

    Where MPI is started it does that; before, MPICH's launcher is told, and other launchers see the exit status.

    Args:
        status: the exit status, not 0.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    for fd in (1, 2):
        _read_out(fd)
    mpi = getattr(sys.modules.get("mpi4py"), "MPI", None)
    if mpi is not None and mpi.Is_initialized() and not mpi.Is_finalized() and mpi.COMM_WORLD.Get_size() > 1:
        mpi.COMM_WORLD.Abort(status)
    here = world_from_environment()
    if here is not None and here.launcher == "mpich" and here.world_size > 1:
        _abort_hydra(status)
    os._exit(status)


def _read_out(fd: int) -> None:
    """Wait a moment until a launcher has read what is in the pipe: it would drop it with the process."""
    try:
        import fcntl
        import termios

        if not stat.S_ISFIFO(os.fstat(fd).st_mode):
            return
        end = time.monotonic() + 2
        while fcntl.ioctl(fd, termios.FIONREAD, bytes(4)) != bytes(4) and time.monotonic() < end:
            time.sleep(0.002)
    except (ImportError, OSError):  # no such pipes here
        return


def _abort_hydra(status: int) -> None:
    """Tell MPICH's launcher to end the job, as MPI_Abort does; an exit status alone would not."""
    fd = _number(os.environ, "PMI_FD")
    if fd is None or "MPI_LOCALRANKID" not in os.environ:
        return
    try:
        os.write(fd, f"cmd=abort exitcode={status}\n".encode())
    except OSError:
        return
    time.sleep(10)  # the launcher ends this process first
