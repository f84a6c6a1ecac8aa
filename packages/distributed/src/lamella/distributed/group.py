"""Process groups: which ranks there are, who belongs together, and what carries their tensors."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from lamella.dispatch.errors import message

from . import backend as backends
from .backend import Member, Transport
from .work import Work

default_pg_timeout = timedelta(minutes=30)


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
        log: what was called on the group: (operation, shape, dtype, root or None) each.
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
        self.log: Any = []
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
        return sum(t.sent for t in {id(t): t for t in (*self.transports.values(), self.control)}.values())

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
        for transport in {id(t): t for t in (*self.transports.values(), self.control) if t is not None}.values():
            transport.close()
        self.transports.clear()

    def __repr__(self) -> str:
        return f"<ProcessGroup {self.name!r}: ranks {list(self.ranks)}, {','.join(self.backend.values())}>"


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
        self.groups: dict[str, ProcessGroup] = {}
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
_process = World()


def world() -> World:
    """The calling rank's world: a rank thread's own, else the process's."""
    return here.world or _process


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


# -- making groups ---------------------------------------------------------------------------------------------------


def _seconds(timeout: Any, name: str) -> float:
    if timeout is None:
        timeout = default_pg_timeout
    if not isinstance(timeout, timedelta):
        raise TypeError(message(name, "timeout must be a datetime.timedelta", type(timeout).__name__))
    return timeout.total_seconds()


def _per_device(backend: str | None, in_thread: bool) -> dict[str, str]:
    """Device type -> backend, of "cpu:mpi,cuda:nccl", "mpi" or nothing."""
    if backend is None or backend == "":
        if in_thread:
            return {"cpu": "threads"}
        from lamella.core import cuda

        return {"cpu": "mpi", "cuda": "nccl"} if cuda.available() else {"cpu": "mpi"}
    if not isinstance(backend, str):
        raise ValueError(message("init_process_group", "backend must be a string", type(backend).__name__))
    text = backend.lower()
    if ":" not in text:
        return dict.fromkeys(backends.entry(text).devices, text)
    found = {}
    for part in text.split(","):
        device, _, name = part.partition(":")
        if device not in backends.entry(name).devices:
            raise ValueError(message("init_process_group", f"{name} carries no tensors on {device}", repr(backend)))
        found[device] = name
    return found


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
) -> None:
    """Bring the ranks together and make the group of all of them.

    The ranks are those that `mpiexec` or `srun` started (or the threads of `threads.spawn`); a process that was
    started alone is a group of one.

    Args:
        backend: "mpi" ("gloo" means the same), "nccl", "threads", a registered one, or one for each device:
            "cpu:mpi,cuda:nccl". By default "mpi", and "nccl" for GPUs.
        init_method: where ranks find each other, for backends that ask ("env://", "tcp://...", "file://...").
        timeout: how long a rank may wait for others (30 minutes).
        world_size, rank: checked against what the launcher says.
        store: where ranks leave messages for each other, for backends that ask; excludes `init_method`.
        group_name: ignored, as in torch.
        pg_options: ignored.
        device_id: the GPU that this rank uses.

    Raises:
        ValueError: called twice, an unknown backend, or a rank or size that the launcher contradicts.
        RuntimeError: a rank did not join in time; the text says which.

    Example:
        >>> init_process_group()
        >>> get_rank(), get_world_size()
        (0, 1)
        >>> destroy_process_group()
    """
    del group_name, pg_options
    name = "init_process_group"
    me = world()
    if me.default is not None:
        raise ValueError(message(name, "the default process group exists already",
                                 hint="destroy_process_group() ends it"))
    if store is not None and init_method is not None:
        raise ValueError(message(name, "give init_method or store, not both"))
    seconds = _seconds(timeout, name)
    kinds = _per_device(backend, me.board is not None)
    if me.board is not None:
        kinds = {d: "threads" if backends.real_name(k) == "mpi" else k for d, k in kinds.items()}
    from .start import join

    me.rank, me.size = join(me, list(kinds.values()), init_method, store, rank, world_size, seconds)
    made = _make(me, "default", "default_pg", tuple(range(me.size)), kinds, seconds, None)
    made.bound_device_id = device_id
    me.default = made


def _make(me: World, name: str, description: str, ranks: tuple[int, ...], kinds: dict[str, str], seconds: float,
          parent: ProcessGroup | None) -> ProcessGroup:
    """A group that this rank belongs to."""
    made = ProcessGroup(name, description, ranks, me, kinds, seconds)
    carriers: dict[str, Transport] = {}

    def carrier(kind: str) -> Transport:
        real = "single" if me.size == 1 and backends.real_name(kind) == "mpi" else backends.real_name(kind)
        if real not in carriers:
            above = parent and next((t for t in (*parent.transports.values(), parent.control) if t.kind == real), None)
            member = Member(name, ranks, made.rank(), seconds, me, above)
            carriers[real] = backends.entry(real).make(member)
            carriers[real].kind = real
        return carriers[real]

    if me.monitor is not None:
        made.log = me.monitor.log(name, ranks)
    me.groups[name] = made
    try:
        if "cpu" not in kinds and "nccl" in kinds.values() and me.store is not None:  # ranks that MPI did not start
            from .nccl.host import HostArrays

            made.control = HostArrays(carrier("nccl"))
        else:
            made.control = carrier(kinds.get("cpu") or ("threads" if me.board is not None else "mpi"))
        for device, kind in kinds.items():
            made.transports[device] = carrier(kind)
        made.cpu = made.transports.get("cpu", made.cpu)
    except BaseException:
        del me.groups[name]
        raise
    return made


def new_group(
    ranks: Sequence[int] | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
    device_id: Any = None,
    sort_ranks: bool = True,
) -> Any:
    """Make a group of some of the ranks. All ranks call this, in the same order, also those that do not belong to it.

    Args:
        ranks: global ranks; all by default.
        timeout: of the group's collectives; the default group's where None.
        backend: as in `init_process_group`; the default group's where None.
        pg_options: ignored.
        use_local_synchronization: only the members call this.
        group_desc: what the group is for.
        device_id: the GPU that this rank uses.
        sort_ranks: number the members in order of their global ranks, else as given.

    Returns:
        The group, or `GroupMember.NON_GROUP_MEMBER` on ranks outside of it.

    Raises:
        ValueError: a rank twice or one that does not exist.
    """
    del pg_options
    whole = _default("new_group")
    me = whole.world
    members = tuple(range(me.size)) if ranks is None else tuple(int(r) for r in ranks)
    if sort_ranks:
        members = tuple(sorted(members))
    if len(set(members)) != len(members) or any(not 0 <= r < me.size for r in members) or not members:
        rule = f"ranks must be different ranks of the {me.size} that there are"
        raise ValueError(message("new_group", rule, list(members)))
    key = members if use_local_synchronization else "group"
    number = me.number(key)
    name = f"group {number}" if key == "group" else f"group of {','.join(map(str, members))} {number}"
    if me.rank not in members:
        if use_local_synchronization:
            raise ValueError(message("new_group", "with use_local_synchronization only members may call this",
                                     f"rank {me.rank} is not in {list(members)}"))
        return GroupMember.NON_GROUP_MEMBER
    kinds = whole.backend if backend is None else _per_device(backend, me.board is not None)
    if me.board is not None:
        kinds = {d: "threads" if backends.real_name(k) == "mpi" else k for d, k in kinds.items()}
    seconds = whole.timeout if timeout is None else _seconds(timeout, "new_group")
    made = _make(me, name, group_desc or "undefined", members, kinds, seconds, whole)
    made.bound_device_id = device_id if device_id is not None else whole.bound_device_id
    return made


def destroy_process_group(group: Any = None) -> None:
    """End a group, or all of them.

    Args:
        group: the group; the default one, and with it all, where None.
    """
    if group is GroupMember.NON_GROUP_MEMBER:
        return
    me = world()
    whole = _default("destroy_process_group")
    if group is None or group is whole:
        for one in reversed(list(me.groups.values())):
            one.close()
        me.groups.clear()
        me.names.clear()
        me.default = None
        me.store = None
        return
    if me.groups.pop(group.name, None) is None:
        raise ValueError(message("destroy_process_group", "the group was destroyed before", repr(group.name)))
    group.close()


# -- asking about groups ---------------------------------------------------------------------------------------------


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
