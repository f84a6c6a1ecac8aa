"""Who has come to the start, before ranks can talk to each other: a file for each rank of a host.

MPI_Init returns when all ranks have called it, and does not say who has not. Ranks of one host that one launcher
started share a folder, named by that launcher's process.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path


def _stat(pid: int) -> tuple[str, list[str]]:
    """A process's name and what the system says of it: state, parent, and so on."""
    name, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rsplit(")", 1)
    return name, rest.split()


def _born(pid: int) -> str:
    """When a process was started, since numbers of processes are used again."""
    try:
        return _stat(pid)[1][19]
    except (OSError, ValueError, IndexError):
        return "0"


def _lives(pid: int) -> bool:
    try:
        return _stat(pid)[1][0] not in "ZX"
    except OSError:
        return not Path("/proc/self").exists()


def launcher() -> tuple[int, str]:
    """The process that started the ranks of this host and its name: the nearest ancestor that is a part of a launcher.
    (1, "") where there is none."""
    pid = os.getppid()
    while pid > 1:
        try:
            name, facts = _stat(pid)
        except OSError:
            break
        if name.startswith(("hydra", "mpiexec", "mpirun", "orted", "prted", "prterun", "slurmstepd")):
            return pid, name
        pid = int(facts[1])
    return 1, ""


class RollCall:
    """The ranks of one host and one launcher.

    Args:
        rank: this rank.
        ranks: those that should come.
        pid: the launcher's process.
        parent: it is the parent of every rank's process, and of nothing else.

    Example:
        >>> call = RollCall(0, [0, 1], os.getpid())
        >>> call.enter()
        >>> call.missing()
        [1]
        >>> call.close()
    """

    def __init__(self, rank: int, ranks: Sequence[int], pid: int, parent: bool = False) -> None:
        self.rank, self.ranks = rank, list(ranks)
        self._children = Path(f"/proc/{pid}/task/{pid}/children") if parent else None
        self._folder = Path(tempfile.gettempdir()) / f"lamella-{os.getuid()}-{pid}-{_born(pid)}"

    def enter(self) -> None:
        """This rank has come. Folders of launchers that are gone are removed: their ranks were ended from outside."""
        for old in self._folder.parent.glob(f"lamella-{os.getuid()}-*-*"):
            with contextlib.suppress(ValueError):
                if not _lives(int(old.name.split("-")[2])):
                    shutil.rmtree(old, ignore_errors=True)
        self._write(os.getpid())

    def give_up(self) -> None:
        """This rank waits no longer. The last one that does forgets the start."""
        self._write(0)
        if not any(pid and _lives(pid) for pid in self._came().values()):
            self.close()

    def _write(self, pid: int) -> None:
        with contextlib.suppress(OSError):  # where nothing can be written, nobody is named
            self._folder.mkdir(mode=0o700, exist_ok=True)
            fresh = self._folder / f".{self.rank}"
            fresh.write_text(str(pid))
            fresh.replace(self._folder / str(self.rank))

    def _came(self) -> dict[int, int]:
        found = {}
        for rank in self.ranks:
            with contextlib.suppress(OSError, ValueError):
                found[rank] = int((self._folder / str(rank)).read_text())
        return found

    def missing(self) -> list[int]:
        """Ranks that have not come."""
        came = self._came()
        return [] if self.rank not in came else [rank for rank in self.ranks if rank not in came]

    def dead(self) -> list[int]:
        """Ranks that came and have ended."""
        return [rank for rank, pid in self._came().items() if pid and not _lives(pid)]

    def ended(self) -> int:
        """How many processes of ranks have ended without having given up waiting, whether or not they had come; 0
        where that cannot be known."""
        if self._children is None:
            return 0
        try:
            pids = [int(pid) for pid in self._children.read_text().split()]
        except (OSError, ValueError):
            return 0
        gave_up = sum(not pid for pid in self._came().values())
        return max(0, len(self.ranks) - sum(map(_lives, pids)) - gave_up)

    def close(self) -> None:
        """Forget the start: everybody has come, or nobody waits any more."""
        shutil.rmtree(self._folder, ignore_errors=True)
