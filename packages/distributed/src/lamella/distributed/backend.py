"""Backends: what carries arrays between ranks, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from lamella.dispatch.errors import did_you_mean, message

from .work import Work


@dataclass(frozen=True)
class Member:
    """A rank's place in a group, as a backend is told it.

    Attributes:
        name: the group's name, the same on all ranks and unique.
        ranks: the members' global ranks, in the order of their ranks in the group.
        rank: this process's rank in the group.
        timeout: seconds that a collective may take.
        world: the `World` of this rank.
        parent: the backend of the same kind that the group is cut out of; None for the first group.
    """

    name: str
    ranks: tuple[int, ...]
    rank: int
    timeout: float
    world: Any
    parent: Any = None


class Transport:
    """Carries contiguous arrays between the ranks of one group. Backends derive from this.

    Every method starts a communication and returns its `Work` at once; its arrays belong to the communication until it
    is over. Ranks are ranks in the group. Arrays are one-dimensional and contiguous.

    Attributes:
        sent: bytes that this rank has handed to others (its share of a collective's may be a fraction).
    """

    #: The kind of memory that arrays are in, by device type.
    devices: tuple[str, ...] = ("cpu",)
    kind = ""

    def __init__(self, member: Member) -> None:
        self.member = member
        self.rank = member.rank
        self.size = len(member.ranks)
        self.sent: float = 0

    def allreduce(self, a: Any, op: str) -> Work:
        """Reduce into `a` on every rank."""
        raise NotImplementedError

    def allreduce_now(self, a: Any, op: str) -> None:
        """Reduce into `a` on every rank, and wait."""
        self.allreduce(a, op).wait()

    def reduce(self, a: Any, op: str, root: int) -> Work:
        """Reduce into `a` on one rank; what the others' `a` holds afterwards is not said."""
        raise NotImplementedError

    def broadcast(self, a: Any, root: int) -> Work:
        """Copy one rank's `a` to all."""
        raise NotImplementedError

    def allgather(self, out: Any, a: Any) -> Work:
        """All ranks' `a`, one after the other, in `out` of every rank."""
        raise NotImplementedError

    def gather(self, out: Any, a: Any, root: int) -> Work:
        """All ranks' `a`, one after the other, in `out` of one rank (None on the others)."""
        raise NotImplementedError

    def scatter(self, out: Any, a: Any, root: int) -> Work:
        """Equal parts of one rank's `a` (None on the others) in each rank's `out`."""
        raise NotImplementedError

    def reduce_scatter(self, out: Any, a: Any, op: str) -> Work:
        """The reduction of all ranks' `a`, of which each rank gets its part."""
        raise NotImplementedError

    def alltoall(self, out: Any, out_counts: Sequence[int], a: Any, in_counts: Sequence[int]) -> Work:
        """Part i of `a` goes to rank i; part i of `out` comes from rank i. Counts are in elements."""
        raise NotImplementedError

    def send(self, a: Any, dst: int, tag: int) -> Work:
        """Send to one rank."""
        raise NotImplementedError

    def recv(self, a: Any, src: int | None, tag: int) -> Work:
        """Receive from one rank, or from any; the work's `source` is then the rank."""
        raise NotImplementedError

    def barrier(self) -> Work:
        """Over when all ranks have come."""
        raise NotImplementedError

    def coalescing(self) -> AbstractContextManager[Any]:
        """A block whose messages start together at its end, where they would wait for each other otherwise."""
        return nullcontext()

    def close(self) -> None:
        """Give back what the transport holds. Called on every rank."""


class Backend(str):
    """The name of a backend; an attribute for each registered one.

    Example:
        >>> Backend("MPI") == Backend.MPI == "mpi"
        True
    """

    UNDEFINED = "undefined"
    MPI = "mpi"
    GLOO = "gloo"
    NCCL = "nccl"
    THREADS = "threads"
    backend_list = ["undefined", "mpi", "gloo", "nccl", "threads"]
    default_device_backend_map = {"cpu": "mpi", "cuda": "nccl"}

    def __new__(cls, name: str) -> Backend:
        if not isinstance(name, str):
            raise ValueError(message("Backend", "a backend is a name", type(name).__name__))
        return str.__new__(cls, name.lower())

    @classmethod
    def register_backend(cls, name: str, func: Callable[..., Any], extended_api: bool = False,
                         devices: str | Sequence[str] | None = None) -> None:
        """See `register_backend`."""
        del extended_api
        register_backend(name, func, devices=devices or ("cpu",))
        setattr(cls, name.upper(), name.lower())
        cls.backend_list.append(name.lower())


@dataclass(frozen=True)
class _Entry:
    make: Callable[[Member], Transport]
    devices: tuple[str, ...]
    start: Callable[[float], tuple[Any, tuple[int, int]]] | None


_entries: dict[str, _Entry] = {}
_aliases = {"gloo": "mpi"}


def register_backend(name: str, make: Callable[[Member], Transport], *, devices: str | Sequence[str] = ("cpu",),
                     start: Callable[[float], tuple[Any, tuple[int, int]]] | None = None) -> None:
    """Make a backend known by name, for `init_process_group(name)`.

    Args:
        name: lower case.
        make: called once a group and rank with a `Member`, returns a `Transport`. All members call it together.
        devices: types of the devices whose tensors it carries.
        start: brings the processes together, given a number of seconds; returns a monitor (or None) and (rank, number
            of ranks). A backend without it serves beside another one, or with a store, a rank and a world size.

    Raises:
        ValueError: the name is taken.
    """
    if name in _entries or name in _aliases:
        raise ValueError(message("register_backend", "there is a backend of this name", repr(name)))
    devices = (devices,) if isinstance(devices, str) else tuple(devices)
    _entries[name] = _Entry(make, devices, start)


def entry(name: str) -> _Entry:
    """The backend of a name."""
    found = _entries.get(_aliases.get(name, name))
    if found is None:
        names = sorted({*_entries, *_aliases})
        rule = f"there is no backend {name!r}"
        raise ValueError(message("init_process_group", rule, hint=did_you_mean(name, names) or ", ".join(names)))
    return found


def registered(name: str) -> bool:
    """Whether there is a backend of this name."""
    return _aliases.get(name, name) in _entries


def real_name(name: str) -> str:
    """The name behind an alias: "gloo" is "mpi"."""
    return _aliases.get(name, name)
