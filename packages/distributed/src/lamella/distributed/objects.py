"""Collectives of Python objects: pickled, and sent over the group's CPU transport."""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .collectives import _group, _member
from .group import ProcessGroup


def _pack(obj: Any) -> np.ndarray:
    buffer = io.BytesIO()
    pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(obj)
    return np.frombuffer(buffer.getbuffer(), np.uint8)


def _unpack(a: Any) -> Any:
    return pickle.loads(a.tobytes())


def _sizes(group: ProcessGroup, n: int) -> list[int]:
    out = np.empty(group.size(), np.int64)
    group.control.allgather(out, np.array([n], np.int64)).wait()
    return out.tolist()


def _gathered(group: ProcessGroup, obj: Any, root: int | None) -> list[Any] | None:
    """All ranks' objects: on every rank, or on one."""
    mine = _pack(obj)
    sizes = _sizes(group, mine.size)
    size, rank, every = group.size(), group.rank(), root is None
    starts = np.cumsum([0, *sizes])
    row = np.empty(starts[-1] if every or rank == root else 0, np.uint8)
    if every:
        to, counts = np.tile(mine, size), [mine.size] * size
    else:
        to, counts = mine, [mine.size if r == root else 0 for r in range(size)]
    got = sizes if row.size else [0] * size
    group.control.alltoall(row, got, to, counts).wait()
    return [_unpack(row[starts[r] : starts[r + 1]]) for r in range(size)] if row.size else None


def all_gather_object(object_list: list[Any], obj: Any, group: Any = None) -> None:
    """Give all ranks' objects to all ranks.

    Args:
        object_list: gets them; as long as the group.
        obj: this rank's; must be picklable.
        group: a group; the default one where None.
    """
    found = _group(group, "all_gather_object")
    if found is None:
        return
    if len(object_list) != found.size():
        rule = "object_list must have a place for each rank"
        raise ValueError(message("all_gather_object", rule, f"{len(object_list)}, {found.size()} ranks"))
    object_list[:] = _gathered(found, obj, None) or []


def gather_object(obj: Any, object_gather_list: list[Any] | None = None, dst: int | None = None, group: Any = None,
                  group_dst: int | None = None) -> None:
    """Give all ranks' objects to one rank.

    Args:
        obj: this rank's; must be picklable.
        object_gather_list: gets them on `dst`; None elsewhere.
        dst, group_dst: which rank; 0 by default.
        group: a group; the default one where None.
    """
    found = _group(group, "gather_object")
    if found is None:
        return
    root = _member(found, "gather_object", "dst", dst, group_dst, found.ranks[0])
    here = found.rank() == root
    if here != (object_gather_list is not None):
        where = "must be given on" if here else "may be given on no rank but"
        raise ValueError(message("gather_object", f"object_gather_list {where} rank {found.ranks[root]}"))
    if object_gather_list is not None and len(object_gather_list) != found.size():
        rule = "object_gather_list must have a place for each rank"
        raise ValueError(message("gather_object", rule, f"{len(object_gather_list)}, {found.size()} ranks"))
    every = _gathered(found, obj, root)
    if object_gather_list is not None:
        object_gather_list[:] = every or []


def broadcast_object_list(object_list: list[Any], src: int | None = None, group: Any = None, device: Any = None,
                          group_src: int | None = None) -> None:
    """Copy rank `src`'s objects into all ranks' lists.

    Args:
        object_list: of one length on all ranks.
        src, group_src: which rank; 0 by default.
        group: a group; the default one where None.
        device: ignored: objects travel through the CPU's memory.
    """
    del device
    found = _group(group, "broadcast_object_list")
    if found is None:
        return
    if not isinstance(object_list, list) or not object_list:
        raise ValueError(message("broadcast_object_list", "object_list must be a list, and not empty"))
    root = _member(found, "broadcast_object_list", "src", src, group_src, found.ranks[0])
    sent = _broadcast(found, object_list if found.rank() == root else None, root)
    if len(sent) != len(object_list):
        rule = f"rank {found.ranks[root]} sends {len(sent)} objects, this rank has places for {len(object_list)}"
        raise ValueError(message("broadcast_object_list", rule))
    if found.rank() != root:
        object_list[:] = sent


def _broadcast(group: ProcessGroup, obj: Any, root: int) -> Any:
    """One rank's object on all ranks."""
    here = group.rank() == root
    row = _pack(obj) if here else np.empty(0, np.uint8)
    length = np.array([row.size], np.int64)
    group.control.broadcast(length, root).wait()
    if not here:
        row = np.empty(length[0], np.uint8)
    group.control.broadcast(row, root).wait()
    return obj if here else _unpack(row)


def scatter_object_list(scatter_object_output_list: list[Any], scatter_object_input_list: Sequence[Any] | None = None,
                        src: int | None = None, group: Any = None, group_src: int | None = None) -> None:
    """Give each rank one of rank `src`'s objects.

    Args:
        scatter_object_output_list: its first place gets this rank's object.
        scatter_object_input_list: an object for each rank on `src`; None elsewhere.
        src, group_src: which rank; 0 by default.
        group: a group; the default one where None.
    """
    name = "scatter_object_list"
    found = _group(group, name)
    if found is None:
        return
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise ValueError(message(name, "scatter_object_output_list must be a list with a place"))
    root = _member(found, name, "src", src, group_src, found.ranks[0])
    size = found.size()
    parts: list[np.ndarray] = []
    if found.rank() == root:
        if scatter_object_input_list is None or len(scatter_object_input_list) != size:
            raise ValueError(message(name, "scatter_object_input_list must have an object for each rank"))
        parts = [_pack(o) for o in scatter_object_input_list]
    lengths = np.array([p.size for p in parts], np.int64) if parts else np.empty(size, np.int64)
    found.control.broadcast(lengths, root).wait()
    mine = int(lengths[found.rank()])
    row = np.empty(mine, np.uint8)
    given = np.concatenate(parts) if parts else np.empty(0, np.uint8)
    got = [mine if r == root else 0 for r in range(size)]
    found.control.alltoall(row, got, given, [p.size for p in parts] or [0] * size).wait()
    scatter_object_output_list[0] = _unpack(row)


def send_object_list(object_list: Sequence[Any], dst: int | None = None, group: Any = None, device: Any = None,
                     group_dst: int | None = None, use_batch: bool = False) -> None:
    """Send objects to a rank, which calls `recv_object_list`.

    Args:
        object_list: what to send.
        dst, group_dst: to whom.
        group: a group; the default one where None.
        device, use_batch: ignored.
    """
    del device, use_batch
    found = _group(group, "send_object_list")
    if found is None:
        return
    to = _member(found, "send_object_list", "dst", dst, group_dst)
    if to == found.rank():
        raise ValueError(message("send_object_list", "a rank cannot send to itself", f"rank {found.ranks[to]}"))
    data = _pack(list(object_list))
    found.control.send(np.array([data.size], np.int64), to, _TAG).wait()
    found.control.send(data, to, _TAG).wait()


_TAG = 31_998  # messages of objects do not mix with those of tensors


def recv_object_list(object_list: list[Any], src: int | None = None, group: Any = None, device: Any = None,
                     group_src: int | None = None, use_batch: bool = False) -> int:
    """Receive objects that a rank sent with `send_object_list`.

    Args:
        object_list: gets them.
        src, group_src: from whom; any rank where None.
        group: a group; the default one where None.
        device, use_batch: ignored.

    Returns:
        The global rank that sent; -1 outside the group.
    """
    del device, use_batch
    found = _group(group, "recv_object_list")
    if found is None:
        return -1
    any_rank = src is None and group_src is None
    peer = None if any_rank else _member(found, "recv_object_list", "src", src, group_src)
    length = np.empty(1, np.int64)
    work = found.control.recv(length, peer, _TAG)
    work.wait()
    sender = work.source_rank()
    row = np.empty(length[0], np.uint8)
    found.control.recv(row, found.ranks.index(sender), _TAG).wait()
    sent = _unpack(row)
    if len(sent) != len(object_list):
        rule = f"rank {sender} sends {len(sent)} objects, this rank has places for {len(object_list)}"
        raise ValueError(message("recv_object_list", rule))
    object_list[:] = sent
    return sender
