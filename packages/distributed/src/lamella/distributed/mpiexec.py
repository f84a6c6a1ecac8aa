"""The command `mpiexec` that starts ranks on this machine: which one, what it calls itself, and how it is called."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

INSTALL = "pip install 'lamella[mpi]' (an MPI from PyPI), or your system's MPICH or Open MPI"
#: Runs its arguments. USR1 is what MPICH tells ranks of another one's death with, and ends who does not expect it.
#: Where a signal ended the rank, the others get some seconds to say so; then the shell's own end by a signal ends them.
_SHELL = 'trap "" USR1; "$@"; s=$?; case $s in 13[1-9]|14[0-24-9]|15?) sleep 5; kill -9 $$;; esac; exit $s'
_ANSWER = 20.0  # seconds that a program may take to say its version


class Mpiexec(NamedTuple):
    """An `mpiexec`.

    Attributes:
        path: the program.
        kind: "mpich", "openmpi", "intel", or "" for another one.
        version: as it says it.
    """

    path: str
    kind: str
    version: str


def find(path: str | None = None) -> Mpiexec | None:
    """The `mpiexec` beside this Python, else the first in PATH; None where there is none.

    Args:
        path: take this one.

    Raises:
        FileNotFoundError: `path` is no program.
    """
    beside = os.path.dirname(sys.executable)
    places = [path] if path else [os.path.join(beside, "mpiexec"), "mpiexec", "mpiexec.hydra", "mpirun"]
    for place in places:
        found = shutil.which(place)
        if found is not None:
            return Mpiexec(found, *_asked(found))
    if path:
        raise FileNotFoundError(f"mpiexec: there is no program {path!r}")
    return None


def _asked(path: str) -> tuple[str, str]:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=_ANSWER,
                              stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as e:
        return "", f"does not say its version ({type(e).__name__})"
    text = done.stdout + done.stderr
    lines = text.strip().splitlines() or [""]
    if "Intel(R) MPI" in text:
        return "intel", lines[0].strip()
    if "HYDRA" in text:
        number = next((x.split(":", 1)[1].strip() for x in lines if x.strip().startswith("Version:")), "")
        return "mpich", f"MPICH {number}".strip()
    if "Open MPI" in text or "OpenRTE" in text or "PRRTE" in text:
        return "openmpi", "Open MPI " + lines[0].split(" ")[-1]
    return "", lines[0].strip()


def command(mpiexec: Mpiexec, nproc: int, program: Sequence[str]) -> list[str]:
    """The command line that runs a program `nproc` times on this machine.

    One rank that fails ends them all. MPICH's `mpiexec` would kill the others at once, before they can say which rank
    died and what they were doing; so it is told not to, and sees a shell in each rank's place. Ranks are not tied to
    cores, and there may be more of them than cores; inside of a batch job, too, all run here.

    Example:
        >>> command(Mpiexec("/usr/bin/mpiexec", "openmpi", "5.0"), 2, ["date"])[3:]
        ['--oversubscribe', '--bind-to', 'none', '-n', '2', 'date']
    """
    if mpiexec.kind == "mpich":
        program = ["sh", "-c", _SHELL, "sh", *program]
    options = {
        "mpich": ["-disable-auto-cleanup", "-launcher", "fork", "-rmk", "user"],
        "intel": ["-launcher", "fork"],
        "openmpi": ["--host", f"localhost:{nproc}", "--oversubscribe", "--bind-to", "none"],
    }.get(mpiexec.kind, [])
    return [mpiexec.path, *options, "-n", str(nproc), *program]


def environment(mpiexec: Mpiexec, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for `command`: this one, the job's number (LAMELLA_JOB, which is this process's), a free
    MASTER_PORT, and Open MPI's leave to run as root in a container.

    Args:
        mpiexec: the program.
        env: what to start from (None: the process's environment).
    """
    made = dict(os.environ if env is None else env)
    made["LAMELLA_JOB"] = str(os.getpid())
    made.setdefault("MASTER_ADDR", "127.0.0.1")
    if "MASTER_PORT" not in made:
        made["MASTER_PORT"] = str(_free_port())
    if mpiexec.kind == "openmpi" and hasattr(os, "geteuid") and os.geteuid() == 0:
        made |= dict.fromkeys(("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                               "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"), "1")
    return made


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as s:
        port: int = s.getsockname()[1]
        return port


_QUESTION = """
import mpi4py, json
mpi4py.rc.initialize = mpi4py.rc.finalize = False
from mpi4py import MPI
try:
    with open("/proc/self/maps") as f:
        files = {line.split()[-1] for line in f if "/libmpi" in line}
except OSError:
    files = set()
print(json.dumps([MPI.Get_library_version().strip().splitlines()[0].strip("\\0 "), sorted(files)]))
"""


def library(seconds: float = _ANSWER) -> tuple[str, str]:
    """(version, where from) of the MPI library that mpi4py uses, found out by another process without starting MPI.

    Raises:
        RuntimeError: mpi4py is not there, or finds no library; the text is its complaint.
    """
    import json

    try:
        done = subprocess.run([sys.executable, "-c", _QUESTION], capture_output=True, text=True, timeout=seconds,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"mpi4py: no answer in {seconds:g} s") from None
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    version, files = json.loads(done.stdout.strip().splitlines()[-1])
    return " ".join(version.split()), files[0] if files else "unknown place"
