"""Process groups: which ranks there are, who belongs together, and what carries their tensors."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from lamella.dispatch.errors import message

from . import backend as backends
from .backend import Transport
from .work import Work


class _NoTransport:
    """In the place of a group's transport for the CPU, where it has none: says so when it is used."""

    def __init__(self, group: ProcessGroup) -> None:
        self._group = group

    def __getattr__(self, name: str) -> Any:
        return self._group.transport("cpu", name)


class ProcessGroup:
    """Ranks that communicate with each other.

    Attributes:
        name: unique among this rank's groups, the same on all members.
        ranks: the members' global ranks.
        transports: device type -> what carries tensors of such devices.
        cpu: what carries tensors of the CPU.
        control: what carries Python objects.
        timeout: seconds that a collective may take.
        log: what was called on the group: (operation, shape, dtype, root or None) each; the last one alone where no
            monitor takes it.
        started: the work that an operator has just begun for `async_op=True`.
    """

    def __init__(self, name: str, description: str, ranks: tuple[int, ...], world: World, backend: dict[str, str],
                 timeout: float) -> None:
        self.name = name
        self.description = description
        self.ranks = ranks
        self.world = world
        self.backend = backend
        self.timeout = timeout
        self.transports: dict[str, Transport] = {}
        self.cpu: Any = _NoTransport(self)
        self.control: Any = None
        self.log: Any = deque(maxlen=1)
        self.started: Work | None = None
        self.bound_device_id: Any = None
        self._rank = ranks.index(world.rank)
        self._size = len(ranks)

    def rank(self) -> int:
        """This process's rank in the group."""
        return self._rank

    def size(self) -> int:
        """How many ranks there are."""
        return self._size

    @property
    def group_name(self) -> str:
        """The name, which is the same on all members."""
        return self.name

    @property
    def group_desc(self) -> str:
        """What the group is for, as its maker said."""
        return self.description

    @property
    def bytes_sent(self) -> int:
        """Bytes that this rank has handed to others through the group."""
        return round(sum(t.sent for t in self._carriers()))

    def _carriers(self) -> list[Transport]:
        """All transports, each once."""
        return list({id(t): t for t in (*self.transports.values(), self.control) if t is not None}.values())

    def transport(self, device_type: str, name: str) -> Transport:
        """What carries tensors of a device."""
        found = self.transports.get(device_type)
        if found is None:
            has = ", ".join(f"{d}: {k}" for d, k in self.backend.items())
            rule = f"the group has no backend for tensors on {device_type}"
            hint = f"init_process_group('cpu:mpi,{device_type}:...') names one for each device" if has else None
            raise RuntimeError(message(name, rule, f"it has {has}", hint=hint))
        return found

    def close(self) -> None:
        """Give back what the group holds; its use raises from now on."""
        for transport in self._carriers():
            transport.close()
        self.transports.clear()

    def __repr__(self) -> str:
        return f"<ProcessGroup {self.name!r}: ranks {list(self.ranks)}, {','.join(self.backend.values())}>"


class _Groups(dict[str, ProcessGroup]):
    """Groups by name, which operators ask for."""

    def __missing__(self, name: str) -> ProcessGroup:
        rule = "there is no process group of this name"
        raise ValueError(message("c10d", rule, repr(name), hint="it was destroyed since the call was written down"))


class World:
    """All that one rank knows of the others.

    Attributes:
        rank, size: this rank and how many there are.
        default: the group of all ranks.
        groups: by name.
        monitor: knows which ranks died or disagree; None where nobody can.
        board: what rank threads share; None in a process of its own.
        step: how often gradients have been synchronised, for error messages.
    """

    def __init__(self, rank: int = 0, size: int = 1, board: Any = None) -> None:
        self.rank = rank
        self.size = size
        self.board = board
        self.default: ProcessGroup | None = None
        self.groups = _Groups()
        self.names: dict[Any, int] = {}
        self.monitor: Any = None
        self.store: Any = None
        self._step = 0

    @property
    def step(self) -> int:
        return self._step

    @step.setter
    def step(self, value: int) -> None:
        self._step = value
        if self.monitor is not None:
            self.monitor.step = value

    def number(self, key: Any) -> int:
        """How many groups were named with a key before."""
        n = self.names.get(key, 0)
        self.names[key] = n + 1
        return n


class _Here(threading.local):
    world: World | None = None


here = _Here()
process = World()


def world() -> World:
    """The calling rank's world: a rank thread's own, else the process's."""
    return here.world or process


class _WORLD(type):
    @property
    def WORLD(cls) -> ProcessGroup | None:
        """The group of all ranks, None before `init_process_group`."""
        return world().default


class GroupMember(metaclass=_WORLD):
    """Special groups."""

    NON_GROUP_MEMBER = -100


class group(metaclass=_WORLD):
    """Special groups."""


def _default(name: str) -> ProcessGroup:
    found = world().default
    if found is None:
        raise ValueError(message(name, "there is no process group", hint="call init_process_group() first"))
    return found


def resolve(group: Any, name: str) -> ProcessGroup:
    """The group that an argument means: None is the default one. ValueError for one that was destroyed."""
    me = world()
    if group is None:
        return me.default or _default(name)
    if group.__class__ is str:
        found = me.groups.get(group)
        if found is None:
            raise ValueError(message(name, "there is no such group", repr(group)))
        return found
    if not isinstance(group, ProcessGroup):
        raise TypeError(message(name, "group must be a ProcessGroup", type(group).__name__))
    if me.groups.get(group.name) is not group:
        _default(name)
        raise ValueError(message(name, "the group was destroyed", repr(group.name)))
    return group


def is_initialized() -> bool:
    """Whether there is a default process group."""
    return world().default is not None


def _outside(group: Any) -> bool:
    return group is GroupMember.NON_GROUP_MEMBER or (group.__class__ is int and group == GroupMember.NON_GROUP_MEMBER)


def get_rank(group: Any = None) -> int:
    """This process's rank in a group; -1 where it does not belong to it."""
    return -1 if _outside(group) else resolve(group, "get_rank")._rank


def get_world_size(group: Any = None) -> int:
    """How many ranks a group has; -1 where this process does not belong to it."""
    return -1 if _outside(group) else resolve(group, "get_world_size")._size


def get_backend(group: Any = None) -> backends.Backend:
    """The name of a group's backend, as it was asked for."""
    if _outside(group):
        raise ValueError(message("get_backend", "this process does not belong to the group"))
    return backends.Backend(next(iter(resolve(group, "get_backend").backend.values())))


def get_backend_config(group: Any = None) -> str:
    """The backends of a group by device: "cpu:mpi,cuda:nccl"."""
    return ",".join(f"{d}:{k}" for d, k in resolve(group, "get_backend_config").backend.items())


def get_process_group_ranks(group: Any) -> list[int]:
    """The global ranks of a group's members."""
    return list(resolve(group, "get_process_group_ranks").ranks)


def get_global_rank(group: Any, group_rank: int) -> int:
    """The global rank of a member."""
    ranks = resolve(group, "get_global_rank").ranks
    if not 0 <= group_rank < len(ranks):
        raise ValueError(message("get_global_rank", f"the group has no rank {group_rank}", list(ranks)))
    return ranks[group_rank]


def get_group_rank(group: Any, global_rank: int) -> int:
    """The rank in a group of a global rank."""
    ranks = resolve(group, "get_group_rank").ranks
    if global_rank not in ranks:
        raise ValueError(message("get_group_rank", f"rank {global_rank} is not in the group", list(ranks)))
    return ranks.index(global_rank)


def get_pg_count() -> int:
    """How many groups this process belongs to."""
    return len(world().groups)


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """This process's number among those of its host (LOCAL_RANK)."""
    import os

    from .launch import world_from_environment

    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    found = world_from_environment()
    if found is not None:
        return found.local_rank
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError(message("get_node_local_rank", "LOCAL_RANK is not set", hint="pass fallback_rank"))
