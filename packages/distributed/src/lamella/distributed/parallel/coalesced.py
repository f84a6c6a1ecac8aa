"""Many tensors from one rank to all, in few messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from lamella.autograd import no_grad
from lamella.core import cat, from_numpy
from lamella.dispatch.errors import message

from ..collectives import broadcast
from ..objects import all_gather_object
from .buckets import cut

LIMIT = 250 * 1024 * 1024
#: A contiguous tensor of this many bytes travels by itself, without being copied.
LARGE = 1024 * 1024


def broadcast_coalesced(group: Any, tensors: Sequence[Any], limit: int = LIMIT, src: int = 0) -> None:
    """Copy a rank's tensors to all ranks. The tensors' version counters do not change.

    Args:
        group: the process group.
        tensors: the same shapes and types on all ranks.
        limit: bytes of a message.
        src: the rank in the group whose values count.
    """
    if group.size() == 1:
        return
    for some in messages(tensors, limit):
        t = some[0]
        if t.device.type != "cpu":
            _send(group, some, src)
        elif _alone(t):
            broadcast(from_numpy(_bytes(t._a)), group=group, group_src=src)
        else:
            _send_bytes(group, some, src)


def messages(tensors: Iterable[Any], limit: int = LIMIT) -> Iterator[list[Any]]:
    """The tensors of each message: large ones of the CPU by themselves, others with those that can share a row.

    On the CPU a row is of bytes, whatever the element types; elsewhere it is of one type and device.

    Args:
        tensors: in the same order on all ranks.
        limit: bytes of a message.
    """
    rows: dict[Any, list[Any]] = {}
    for t in tensors:
        on_cpu = t.device.type == "cpu"
        if on_cpu and _alone(t):
            yield [t]
        elif t.nbytes:
            rows.setdefault("bytes" if on_cpu else (t.dtype, t.device), []).append(t)
    for members in rows.values():
        yield from within(members, limit)


def _alone(t: Any) -> bool:
    return bool(t.nbytes >= LARGE and t.is_contiguous())


def within(tensors: Iterable[Any], limit: int) -> Iterator[list[Any]]:
    """Tensors one after another, cut into lists of up to `limit` bytes."""
    some: list[Any] = []
    size = 0
    for t in tensors:
        n = t.nbytes
        if some and size + n > limit:
            yield some
            some, size = [], 0
        some.append(t)
        size += n
    if some:
        yield some


def _bytes(a: Any) -> Any:
    return a.reshape(-1).view(np.uint8)


def _send_bytes(group: Any, tensors: Sequence[Any], src: int) -> None:
    """Arrays of any element types, as one row of bytes."""
    arrays = [t._a for t in tensors]
    row = np.empty(sum(a.nbytes for a in arrays), np.uint8)
    mine = group.rank() == src
    at = 0
    places = []
    for a in arrays:
        places.append(row[at : at + a.nbytes])
        at += a.nbytes
        if mine:
            places[-1][...] = _bytes(np.ascontiguousarray(a))
    broadcast(from_numpy(row), group=group, group_src=src)
    if not mine:
        for a, place in zip(arrays, places, strict=True):
            a[...] = np.frombuffer(place, a.dtype).reshape(a.shape)


def _send(group: Any, tensors: Sequence[Any], src: int) -> None:
    with no_grad():
        row = cat([t.detach().reshape(-1) for t in tensors])
        broadcast(row, group=group, group_src=src)
        if group.rank() != src:
            for t, part in zip(tensors, cut(row, [t.shape for t in tensors]), strict=True):
                t.data.copy_(part)


def verify_shapes(group: Any, named: Sequence[tuple[str, Any]]) -> None:
    """Raise on all ranks where their parameters differ in number, name, shape or type.

    Args:
        group: the process group.
        named: (name, parameter) in order.
    """
    if group.size() == 1:
        return
    mine = [(name, tuple(p.shape), p.dtype.name) for name, p in named]
    every: list[Any] = [None] * group.size()
    all_gather_object(every, mine, group=group)
    if all(each == every[0] for each in every):
        return
    name = "DistributedDataParallel"
    counts = [len(each) for each in every]
    if len(set(counts)) > 1:
        odd = next(r for r, n in enumerate(counts) if n != counts[0])
        rule = f"DDP expects same model across all ranks, but Rank 0 has {counts[0]} params, while rank {odd} has " \
               f"inconsistent {counts[odd]} params"
        extra = sorted({n for n, _, _ in every[0]} ^ {n for n, _, _ in every[odd]})
        raise RuntimeError(message(name, rule, details=[f"  only on one of them: {', '.join(extra[:8])}"]))
    lines = []
    for row in zip(*every, strict=True):
        if len(set(row)) > 1:
            shown = ", ".join(f"rank {r}: {n} {d}{list(s)}" for r, (n, s, d) in enumerate(row))
            lines.append(f"  {shown}")
    raise RuntimeError(message(name, "params appear not to match the sizes of the same params on all ranks",
                               details=lines, hint="build the same model on every rank"))


def sync_states(group: Any, module: Any, ignored: Iterable[str], src: int = 0, buffers: bool = True) -> None:
    """Give all ranks one rank's parameters and buffers.

    Args:
        group: the process group.
        module: whose.
        ignored: names that stay as they are.
        src: the rank in the group.
        buffers: buffers too.
    """
    ignored = set(ignored)
    found = [p for n, p in module.named_parameters() if n not in ignored]
    if buffers:
        found += [b for n, b in module.named_buffers() if n not in ignored]
    broadcast_coalesced(group, found, src=src)
