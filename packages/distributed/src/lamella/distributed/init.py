"""Process groups begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from lamella.dispatch.errors import message

from . import backend as backends
from .backend import Member, Transport
from .group import GroupMember, ProcessGroup, World, _default, world
from .start import join

default_pg_timeout = timedelta(minutes=30)


def _seconds(timeout: Any, name: str) -> float:
    if timeout is None:
        timeout = default_pg_timeout
    if not isinstance(timeout, timedelta):
        raise TypeError(message(name, "timeout must be a datetime.timedelta", type(timeout).__name__))
    return timeout.total_seconds()


def _per_device(backend: str | None, in_thread: bool) -> dict[str, str]:
    """Device type -> backend, of "cpu:mpi,cuda:nccl", "mpi" or nothing. Rank threads have "threads" in MPI's place."""
    found = _asked(backend, in_thread)
    if in_thread:
        found = {d: "threads" if backends.real_name(k) == "mpi" else k for d, k in found.items()}
    return found


def _asked(backend: str | None, in_thread: bool) -> dict[str, str]:
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
            above = parent and next((t for t in parent._carriers() if t.kind == real), None)
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
