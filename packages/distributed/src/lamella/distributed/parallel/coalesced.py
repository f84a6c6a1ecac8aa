"""Many tensors from one rank to all, in few messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lamella.autograd import no_grad
from lamella.core import cat, from_numpy
from lamella.dispatch.errors import message

from ..collectives import broadcast
from ..objects import all_gather_object

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
    rows: dict[Any, list[Any]] = {}
    for t in tensors:
        a = t._a
        if a.__class__ is np.ndarray:
            if a.nbytes >= LARGE and a.flags.c_contiguous:
                broadcast(from_numpy(_bytes(a)), group=group, group_src=src)
            elif a.size:
                rows.setdefault("bytes", []).append(t)
        elif t.numel():
            rows.setdefault((t.dtype, t.device), []).append(t)
    for key, members in rows.items():
        for some in _messages(members, limit):
            (_send_bytes if key == "bytes" else _send)(group, some, src)


def _messages(tensors: Sequence[Any], limit: int) -> Iterable[list[Any]]:
    some: list[Any] = []
    size = 0
    for t in tensors:
        n = t.numel() * t.element_size()
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
            at = 0
            for t in tensors:
                t.data.copy_(row[at : at + t.numel()].view(t.shape))
                at += t.numel()


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
