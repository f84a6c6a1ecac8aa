"""Among which ranks parameters are divided, and among which copies are averaged."""

from __future__ import annotations

import os
from typing import Any

import lamella.distributed as dist
from lamella.dispatch.errors import message

from .api import HYBRID, ShardingStrategy

__all__ = ["Ranks", "ranks_for"]


class Ranks:
    """The groups of a unit.

    Attributes:
        shard: the ranks among which parameters are divided; None: they are not.
        copies: the ranks that hold the same shard; None: this one alone.
        whole: all of them, or those of `shard`.
    """

    def __init__(self, shard: Any, copies: Any, whole: Any) -> None:
        self.shard, self.copies, self.whole = shard, copies, whole

    def to_broadcast(self) -> list[Any]:
        """Groups in which the first rank's values reach everybody, one after another."""
        return [g for g in (self.copies, self.shard) if g is not None]


def _default(name: str) -> Any:
    if not dist.is_initialized():
        raise ValueError(message(name, "Default process group has not been initialized, please make sure to call "
                                 "init_process_group."))
    return dist.group.WORLD


def _by_nodes() -> tuple[Any, Any]:
    """The group of this node's ranks and the group of the ranks with this rank's place on all nodes."""
    world = dist.get_world_size()
    here = int(os.environ.get("LOCAL_WORLD_SIZE", world))
    if world % here:
        here = world
    nodes = world // here
    inside, _ = dist.new_subgroups_by_enumeration([list(range(n * here, (n + 1) * here)) for n in range(nodes)])
    across, _ = dist.new_subgroups_by_enumeration([list(range(i, world, here)) for i in range(here)])
    return inside, across


def ranks_for(name: str, strategy: ShardingStrategy, process_group: Any, mesh: Any, has_policy: bool) -> Ranks:
    """The groups that a strategy means.

    Args:
        name: of the function that is called, for messages.
        strategy: how to divide.
        process_group: the ranks; a pair (divide among, copies) for hybrid strategies.
        mesh: instead of groups: of one dimension, or two (copies, divide among) for hybrid strategies.
        has_policy: whether there is a policy that wraps modules.
    """
    if process_group is not None and mesh is not None:
        raise ValueError(message(name, "Cannot pass both process_group and device_mesh at the same time."))
    if strategy in HYBRID:
        if mesh is not None:
            if mesh.ndim != 2:
                raise ValueError(message(name, "Expected device_mesh to have ndim=2", f"but got {mesh.ndim}"))
            shard, copies = mesh.get_group(1), mesh.get_group(0)
        elif process_group is None:
            if not has_policy:
                raise ValueError(message(
                    name, f"Manual wrapping with {strategy} requires explicit specification of process group or "
                          "device_mesh.", hint="pass (group to divide among, group of copies)"))
            _default(name)
            shard, copies = _by_nodes()
        elif isinstance(process_group, tuple) and len(process_group) == 2:
            shard, copies = process_group
        else:
            raise ValueError(message(name, "Expected process_group to be passed in as either None or Tuple[dist."
                                     "ProcessGroup, dist.ProcessGroup]", f"but got {type(process_group).__name__}"))
        return Ranks(shard, copies, shard)
    if mesh is not None:
        if mesh.ndim != 1:
            raise ValueError(message(name, "Expected device_mesh to have ndim=1", f"but got {mesh.ndim}"))
        whole = mesh.get_group(0)
    else:
        whole = process_group if process_group is not None else _default(name)
    if strategy is ShardingStrategy.NO_SHARD or whole.size() == 1:
        return Ranks(None, None if whole.size() == 1 else whole, whole)
    return Ranks(whole, None, whole)
