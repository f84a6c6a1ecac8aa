"""Which rank updates which parameter, and how the others get it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.autograd import no_grad
from lamella.core import Tensor, cat, empty
from lamella.dispatch.errors import message

from ..collectives import broadcast
from ..parallel.buckets import cut
from ..parallel.coalesced import within
from ..work import Work

#: A contiguous tensor of this many bytes travels by itself, without being copied.
LARGE = 1 << 18
#: Smaller ones travel in messages of up to this many bytes.
PACKED = 1 << 22


def partition(param_groups: Sequence[dict[str, Any]], size: int) -> list[list[dict[str, Any]]]:
    """Each rank's part of the parameter groups, of about the same number of elements.

    Group by group, the largest first, each parameter goes to the rank that has the least so far; so groups that are
    added later change nothing about those before.

    Example:
        >>> from lamella.core import zeros
        >>> parts = partition([{"params": [zeros(3), zeros(5), zeros(2)], "lr": 0.1}], 2)
        >>> [[p.numel() for p in groups[0]["params"]] for groups in parts]
        [[5], [3, 2]]
    """
    load = [0] * size
    parts: list[list[dict[str, Any]]] = [[] for _ in range(size)]
    for group in param_groups:
        mine: list[list[Tensor]] = [[] for _ in range(size)]
        for p in sorted(group["params"], key=lambda p: -p.numel()):
            rank = load.index(min(load))
            mine[rank].append(p)
            load[rank] += p.numel()
        for rank in range(size):
            parts[rank].append({**group, "params": mine[rank]})
    return parts


def given(params: Any) -> list[Any]:
    """The parameters or groups that an optimizer was given, as a list that can be read twice."""
    op = "ZeroRedundancyOptimizer"
    if isinstance(params, Tensor):
        raise TypeError(message(op, "`params` argument should be an iterable of Tensors, but got Tensor",
                                hint="put it into a list: [parameter]"))
    try:
        found = list(params)
    except TypeError:
        raise TypeError(message(op, "`params` argument should be an iterable of Tensors or dicts, but got "
                                f"{type(params).__name__}")) from None
    if not found:
        raise ValueError(message(op, "got an empty parameter list"))
    if all(isinstance(p, dict) for p in found):
        for i, group in enumerate(found):
            if "params" not in group:
                raise ValueError(message(op, "Each parameter group passed-in via `params` must have a 'params' key "
                                         "mapping to the parameters in the group", f"group {i} has none"))
        return [{**g, "params": g["params"] if isinstance(g["params"], (Tensor, set)) else list(g["params"])}
                for g in found]
    if not all(isinstance(p, Tensor) for p in found):
        kinds = sorted({type(p).__name__ for p in found})
        raise TypeError(message(op, "`params` argument should be an iterable of Tensors or dicts", kinds))
    return found


def kind(p: Tensor) -> tuple[Any, Any]:
    """What tensors must have in common to lie in one memory."""
    return p.device, p.dtype


def make_buckets(parts: Sequence[Sequence[dict[str, Any]]]) -> list[list[Tensor | None]]:
    """Move parameters that are trained into one tensor for each rank, device and type, of which they become views.

    Returns:
        For each device and type, the ranks' tensors; None for a rank without such parameters.
    """
    kinds = dict.fromkeys(kind(p) for groups in parts for g in groups for p in g["params"])
    buckets: list[list[Tensor | None]] = []
    with no_grad():
        for each in kinds:
            row: list[Tensor | None] = []
            for groups in parts:
                members = [p for g in groups for p in g["params"] if kind(p) == each]
                for p in members:
                    if not p.requires_grad:
                        p.data = p.data.clone()  # it may have been a view of a tensor that goes away
                row.append(_bucket([p for p in members if p.requires_grad]))
            buckets.append(row)
    return buckets


def _bucket(params: Sequence[Tensor]) -> Tensor | None:
    if not params:
        return None
    row = empty(sum(p.numel() for p in params), dtype=params[0].dtype, device=params[0].device)
    for p, part in zip(params, cut(row, [p.shape for p in params]), strict=True):
        part.copy_(p.data)
        p.data = part
    return row


def send_from(group: Any, root: int, tensors: Sequence[Tensor]) -> list[Work]:
    """Begin to copy a rank's tensors to all ranks: large ones as they are, the others packed.

    Args:
        group: the process group.
        root: the rank in the group.
        tensors: in the same order on all ranks.
    """
    works: list[Work] = []
    small: dict[Any, list[Tensor]] = {}
    with no_grad():
        for t in tensors:
            t = t.detach()
            if t.nbytes >= LARGE and t.is_contiguous():
                works.append(_begin(group, root, t))
            else:
                small.setdefault(kind(t), []).append(t)
        works += [_send_packed(group, root, some) for alike in small.values() for some in within(alike, PACKED)]
    return works


def _begin(group: Any, root: int, t: Tensor) -> Work:
    work = broadcast(t, group=group, group_src=root, async_op=True)
    assert work is not None
    return work


def _send_packed(group: Any, root: int, tensors: list[Tensor]) -> Work:
    if len(tensors) == 1:
        return _begin(group, root, tensors[0])
    if group.rank() == root:
        return _begin(group, root, cat([t.reshape(-1) for t in tensors]))
    row = empty(sum(t.numel() for t in tensors), dtype=tensors[0].dtype, device=tensors[0].device)

    def unpack() -> None:
        with no_grad():
            for t, part in zip(tensors, cut(row, [t.shape for t in tensors]), strict=True):
                t.copy_(part)

    return _begin(group, root, row).then(unpack)
