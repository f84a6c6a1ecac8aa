"""Several groups at once: equal parts of a group, and groups given by lists."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from lamella.dispatch.errors import message

from .group import GroupMember, get_rank, resolve
from .init import new_group


def new_subgroups(group_size: int | None = None, group: Any = None, timeout: timedelta | None = None,
                  backend: str | None = None, pg_options: Any = None, group_desc: str | None = None) -> Any:
    """Cut a group into parts of equal size, of neighbouring ranks.

    Args:
        group_size: ranks of each part; the number of ranks of a host (LOCAL_WORLD_SIZE) where None.
        group: what to cut; the default group where None.
        timeout, backend, pg_options, group_desc: as of `new_group`.

    Returns:
        This rank's part, and all parts.
    """
    import os

    whole = resolve(group, "new_subgroups")
    size = group_size or int(os.environ.get("LOCAL_WORLD_SIZE", whole.size()))
    if not 0 < size <= whole.size() or whole.size() % size:
        rule = "the size of the group must be a multiple of group_size"
        raise ValueError(message("new_subgroups", rule, f"{whole.size()}, {size}"))
    parts = [whole.ranks[i : i + size] for i in range(0, whole.size(), size)]
    return new_subgroups_by_enumeration(parts, timeout, backend, pg_options, group_desc)


def new_subgroups_by_enumeration(ranks_per_subgroup_list: Sequence[Sequence[int]], timeout: timedelta | None = None,
                                 backend: str | None = None, pg_options: Any = None,
                                 group_desc: str | None = None) -> Any:
    """Make groups that share no rank.

    Args:
        ranks_per_subgroup_list: the global ranks of each.
        timeout, backend, pg_options, group_desc: as of `new_group`.

    Returns:
        This rank's group (None where it is in no group), and all groups.
    """
    name = "new_subgroups_by_enumeration"
    if not ranks_per_subgroup_list:
        raise ValueError(message(name, "ranks_per_subgroup_list must not be empty"))
    every = [r for ranks in ranks_per_subgroup_list for r in ranks]
    if len(set(every)) != len(every):
        raise ValueError(message(name, "a rank may be in one group only", sorted(r for r in set(every) if
                                                                                 every.count(r) > 1)))
    made = [new_group(ranks, timeout, backend, pg_options, group_desc=group_desc) for ranks in ranks_per_subgroup_list]
    mine = next((g for g in made if g is not GroupMember.NON_GROUP_MEMBER), None)
    return mine, made


def split_group(parent_pg: Any = None, split_ranks: Sequence[Sequence[int]] | None = None,
                timeout: timedelta | None = None, pg_options: Any = None, group_desc: str | None = None,
                backend: Any = None) -> Any:
    """Cut a group into several; its members call this.

    Args:
        parent_pg: what to cut; the default group where None.
        split_ranks: ranks in that group, for each part.
        timeout, pg_options, group_desc, backend: as of `new_group`.

    Returns:
        This rank's part; None where it is in none.
    """
    whole = resolve(parent_pg, "split_group")
    if not split_ranks:
        raise ValueError(message("split_group", "split_ranks must not be empty"))
    mine = next((ranks for ranks in split_ranks if get_rank(whole) in ranks), None)
    if mine is None:
        return None
    return new_group([whole.ranks[r] for r in mine], timeout, backend, pg_options, use_local_synchronization=True,
                     group_desc=group_desc)


def supports_complex(reduceOp: Any) -> bool:
    """Whether complex numbers can be reduced so."""
    return reduceOp.name in ("SUM", "AVG", "PRODUCT")


__all__ = ["new_subgroups", "new_subgroups_by_enumeration", "split_group", "supports_complex"]
