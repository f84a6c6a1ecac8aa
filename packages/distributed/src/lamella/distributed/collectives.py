"""The collectives, by torch.distributed's names: arguments are checked here, then an operator of `c10d` runs."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.state import state

from ._gen import c10d as ops
from .group import ProcessGroup, _outside, get_rank, here, process, resolve, world
from .reduce_op import ReduceOp, _checked, check
from .work import Work, finished

_allreduce = ops._allreduce_.table
_SUM = ReduceOp.SUM  # every element type has sums


def _group(group: Any, name: str) -> ProcessGroup | None:
    """The group that is meant; None, with a warning, for a rank outside of it."""
    if _outside(group):
        warnings.warn(f"{name}: rank {world().rank} does not belong to the group, and does nothing", stacklevel=3)
        return None
    return resolve(group, name)


def _call(op: Any, group: ProcessGroup, async_op: bool, *args: Any) -> Work | None:
    """Run an operator; the work that it began, where that is asked for."""
    op(*args, group.name, async_op)
    if not async_op:
        return None
    return _begun(group, args[0] if isinstance(args[0], list) else [args[0]])


def _begun(group: ProcessGroup, result: Any = None) -> Work:
    """The work that an operator has just begun; one that is over where there was nothing to begin."""
    work, group.started = group.started, None
    return work or finished(result)


def _tensor(t: Any, name: str, argument: str = "tensor") -> Tensor:
    if not isinstance(t, Tensor):
        raise TypeError(message(name, f"{argument} must be a Tensor", type(t).__name__))
    return t


def _tensors(ts: Any, name: str, argument: str) -> list[Tensor]:
    if not isinstance(ts, (list, tuple)) or not all(isinstance(t, Tensor) for t in ts):
        raise TypeError(message(name, f"{argument} must be a list of Tensors", type(ts).__name__))
    return list(ts)


def _alike(name: str, ts: Sequence[Tensor], first: Tensor, *, shapes: bool = True) -> None:
    """All tensors must have one element type and device, and one number of elements where `shapes` is set."""
    for t in ts:
        if t.dtype is not first.dtype:
            raise ValueError(message(name, "all tensors must have one dtype", f"{t.dtype}, {first.dtype}"))
        if t.device != first.device:
            raise ValueError(message(name, "all tensors must be on one device", f"{t.device}, {first.device}"))
        if shapes and t._a.size != first._a.size:
            shown = f"{list(t.shape)}, {list(first.shape)}"
            raise ValueError(message(name, "all tensors must have the same number of elements", shown))


def _member(group: ProcessGroup, name: str, what: str, rank: int | None, group_rank: int | None,
            default: int | None = None) -> int:
    """The rank in the group that a pair of arguments (`src` and `group_src`) means."""
    if group_rank is not None:
        if rank is not None:
            raise ValueError(message(name, f"give {what} or group_{what}, not both"))
        if not 0 <= int(group_rank) < group.size():
            raise ValueError(message(name, f"the group has no rank {group_rank}", f"its size is {group.size()}"))
        return int(group_rank)
    if rank is None:
        if default is None:
            raise ValueError(message(name, f"{what} or group_{what} must be given"))
        rank = default
    if rank not in group.ranks:
        whole = group is group.world.default
        rule = f"there is no rank {rank}" if whole else f"rank {rank} is not in the group"
        raise ValueError(message(name, rule, f"the ranks are {_few(group.ranks)}"))
    return group.ranks.index(rank)


def _few(ranks: Sequence[int]) -> str:
    return str(list(ranks)) if len(ranks) <= 16 else f"{ranks[0]} ... {ranks[-1]}, {len(ranks)} of them"


def all_reduce(tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    """Reduce a tensor over all ranks, in place.

    Args:
        tensor: any layout; real, complex, integer or truth values.
        op: a `ReduceOp`.
        group: a group; the default one where None.
        async_op: return a `Work` instead of waiting.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        TypeError: no tensor, no ReduceOp.
        ValueError: the operation is not defined for the element type; no such group.
        RuntimeError: a rank died, called something else, or did not come in time.
    """
    found = (here.world or process).default if group is None else None
    if found is None:
        found = _group(group, "all_reduce")
        if found is None:
            return None
    try:
        ks = tensor._ks
        kind = "SUM" if op is _SUM else _checked[op, tensor._a.dtype]
    except (AttributeError, KeyError, TypeError):
        kind = check("all_reduce", op, _tensor(tensor, "all_reduce").dtype)
        ks = tensor._ks
    if ks & state.affected:
        ks = state.apply(ks)
    _allreduce[ks](tensor, kind, found.name, async_op)
    return _begun(found, [tensor]) if async_op else None


def all_reduce_coalesced(tensors: Sequence[Tensor], op: Any = ReduceOp.SUM, group: Any = None,
                         async_op: bool = False) -> Work | None:
    """Reduce several tensors of one dtype over all ranks, in one communication. Arguments as of `all_reduce`."""
    name = "all_reduce_coalesced"
    found = _group(group, name)
    if found is None:
        return None
    tensors = _tensors([tensors] if isinstance(tensors, Tensor) else tensors, name, "tensors")
    if not tensors:
        return finished() if async_op else None
    _alike(name, tensors, tensors[0], shapes=False)
    return _call(ops.allreduce_coalesced_, found, async_op, tensors, check(name, op, tensors[0].dtype))


def reduce(tensor: Tensor, dst: int | None = None, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False,
           group_dst: int | None = None) -> Work | None:
    """Reduce a tensor over all ranks into that of rank `dst`; other ranks' tensors stay as they are.

    Args:
        tensor: what to reduce.
        dst, group_dst: the global rank, or the rank in the group, that gets the result.
        op, group, async_op: as of `all_reduce`.
    """
    found = _group(group, "reduce")
    if found is None:
        return None
    kind = check("reduce", op, _tensor(tensor, "reduce").dtype)
    root = _member(found, "reduce", "dst", dst, group_dst)
    return _call(ops.reduce_, found, async_op, tensor, kind, root)


def broadcast(tensor: Tensor, src: int | None = None, group: Any = None, async_op: bool = False,
              group_src: int | None = None) -> Work | None:
    """Copy rank `src`'s tensor into all ranks'.

    Args:
        tensor: what to send on `src`, what to write into elsewhere.
        src, group_src: the global rank, or the rank in the group, that sends.
        group, async_op: as of `all_reduce`.
    """
    found = _group(group, "broadcast")
    if found is None:
        return None
    root = _member(found, "broadcast", "src", src, group_src)
    return _call(ops.broadcast_, found, async_op, _tensor(tensor, "broadcast"), root)


def all_gather(tensor_list: Sequence[Tensor], tensor: Tensor, group: Any = None, async_op: bool = False) -> Work | None:
    """Copy all ranks' tensors to all ranks.

    Args:
        tensor_list: one tensor for each rank, of the input's size, to write into.
        tensor: this rank's.
        group, async_op: as of `all_reduce`.
    """
    name = "all_gather"
    found = _group(group, name)
    if found is None:
        return None
    outputs = _tensors(tensor_list, name, "tensor_list")
    _count(name, "tensor_list", outputs, found)
    _alike(name, outputs, _tensor(tensor, name))
    return _call(ops.allgather_, found, async_op, outputs, tensor)


def _count(name: str, what: str, ts: Sequence[Tensor], group: ProcessGroup) -> None:
    if len(ts) != group.size():
        raise ValueError(message(name, f"{what} must have a tensor for each rank", f"{len(ts)}, {group.size()} ranks"))


def all_gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor, group: Any = None,
                           async_op: bool = False) -> Work | None:
    """Copy all ranks' tensors into one tensor on every rank.

    Args:
        output_tensor: holds all inputs, joined along the first dimension or stacked in a new one.
        input_tensor: this rank's.
        group, async_op: as of `all_reduce`.
    """
    name = "all_gather_into_tensor"
    found = _group(group, name)
    if found is None:
        return None
    _alike(name, [_tensor(output_tensor, name, "output_tensor")], _tensor(input_tensor, name, "input_tensor"),
           shapes=False)
    _times(name, output_tensor, input_tensor, found, "output_tensor", "input_tensor")
    return _call(ops.allgather_into_, found, async_op, output_tensor, input_tensor)


def _times(name: str, large: Tensor, small: Tensor, group: ProcessGroup, large_name: str, small_name: str) -> None:
    if large._a.size != small._a.size * group.size():
        rule = f"{large_name} must have as many elements as {group.size()} times {small_name}"
        raise ValueError(message(name, rule, f"{list(large.shape)}, {list(small.shape)}"))


def gather(tensor: Tensor, gather_list: Sequence[Tensor] | None = None, dst: int | None = None, group: Any = None,
           async_op: bool = False, group_dst: int | None = None) -> Work | None:
    """Copy all ranks' tensors to one rank.

    Args:
        tensor: this rank's.
        gather_list: one tensor for each rank on `dst`; None elsewhere.
        dst, group_dst: who gets them; rank 0 by default.
        group, async_op: as of `all_reduce`.
    """
    found = _group(group, "gather")
    if found is None:
        return None
    root = _member(found, "gather", "dst", dst, group_dst, found.ranks[0])
    outputs = _at_root("gather", "gather_list", gather_list, found, root)
    _alike("gather", outputs, _tensor(tensor, "gather"))
    return _call(ops.gather_, found, async_op, outputs, tensor, root)


def _at_root(name: str, what: str, ts: Any, group: ProcessGroup, root: int) -> list[Tensor]:
    """A list that only the root gives."""
    if group.rank() == root:
        if not ts:
            raise ValueError(message(name, f"{what} must be given on rank {group.ranks[root]}"))
        found = _tensors(ts, name, what)
        _count(name, what, found, group)
        return found
    if ts:
        raise ValueError(message(name, f"{what} may be given on rank {group.ranks[root]} alone"))
    return []


def scatter(tensor: Tensor, scatter_list: Sequence[Tensor] | None = None, src: int | None = None, group: Any = None,
            async_op: bool = False, group_src: int | None = None) -> Work | None:
    """Copy one of rank `src`'s tensors to each rank.

    Args:
        tensor: what to write into.
        scatter_list: one tensor for each rank on `src`; None elsewhere.
        src, group_src: who sends; rank 0 by default.
        group, async_op: as of `all_reduce`.
    """
    found = _group(group, "scatter")
    if found is None:
        return None
    root = _member(found, "scatter", "src", src, group_src, found.ranks[0])
    inputs = _at_root("scatter", "scatter_list", scatter_list, found, root)
    _alike("scatter", inputs, _tensor(tensor, "scatter"))
    return _call(ops.scatter_, found, async_op, tensor, inputs, root)


def reduce_scatter(output: Tensor, input_list: Sequence[Tensor], op: Any = ReduceOp.SUM, group: Any = None,
                   async_op: bool = False) -> Work | None:
    """Reduce tensor i of all ranks' lists into rank i's output.

    Args:
        output: what to write into.
        input_list: one tensor for each rank.
        op, group, async_op: as of `all_reduce`.
    """
    name = "reduce_scatter"
    found = _group(group, name)
    if found is None:
        return None
    inputs = _tensors(input_list, name, "input_list")
    _count(name, "input_list", inputs, found)
    _alike(name, inputs, _tensor(output, name, "output"))
    return _call(ops.reduce_scatter_, found, async_op, output, inputs, check(name, op, output.dtype))


def reduce_scatter_tensor(output: Tensor, input: Tensor, op: Any = ReduceOp.SUM, group: Any = None,
                          async_op: bool = False) -> Work | None:
    """Reduce all ranks' inputs, and leave part i of the result on rank i.

    Args:
        output: what to write into.
        input: as many parts as there are ranks, joined along the first dimension or stacked in a new one.
        op, group, async_op: as of `all_reduce`.
    """
    name = "reduce_scatter_tensor"
    found = _group(group, name)
    if found is None:
        return None
    _alike(name, [_tensor(input, name, "input")], _tensor(output, name, "output"), shapes=False)
    _times(name, input, output, found, "input", "output")
    return _call(ops.reduce_scatter_from_, found, async_op, output, input, check(name, op, output.dtype))


def all_to_all(output_tensor_list: Sequence[Tensor], input_tensor_list: Sequence[Tensor], group: Any = None,
               async_op: bool = False) -> Work | None:
    """Send tensor i of a list to rank i, and receive one from each rank.

    Args:
        output_tensor_list: what to write into; sizes may differ.
        input_tensor_list: what to send.
        group, async_op: as of `all_reduce`.
    """
    name = "all_to_all"
    found = _group(group, name)
    if found is None:
        return None
    outputs = _tensors(output_tensor_list, name, "output_tensor_list")
    inputs = _tensors(input_tensor_list, name, "input_tensor_list")
    _count(name, "output_tensor_list", outputs, found)
    _count(name, "input_tensor_list", inputs, found)
    _alike(name, [*outputs, *inputs], outputs[0], shapes=False)
    return _call(ops.alltoall_, found, async_op, outputs, inputs)


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
                      input_split_sizes: Sequence[int] | None = None, group: Any = None,
                      async_op: bool = False) -> Work | None:
    """Send parts of a tensor's first dimension to the ranks, and receive parts from them.

    Args:
        output: what to write into.
        input: what to send.
        output_split_sizes, input_split_sizes: rows for each rank; equal parts where None.
        group, async_op: as of `all_reduce`.
    """
    name = "all_to_all_single"
    found = _group(group, name)
    if found is None:
        return None
    _alike(name, [_tensor(input, name, "input")], _tensor(output, name, "output"), shapes=False)
    splits = []
    for what, t, sizes in (("output", output, output_split_sizes), ("input", input, input_split_sizes)):
        rows = t.shape[0] if t.ndim else 1
        sizes = [int(s) for s in sizes or ()]
        if sizes and (len(sizes) != found.size() or sum(sizes) != rows or min(sizes) < 0):
            rule = f"{what}_split_sizes must have a size for each of {found.size()} ranks, {rows} in all"
            raise ValueError(message(name, rule, sizes))
        if not sizes and rows % found.size():
            rule = f"the first dimension of {what} must divide into {found.size()} parts"
            raise ValueError(message(name, rule, list(t.shape), hint=f"give {what}_split_sizes"))
        splits.append(sizes)
    return _call(ops.alltoall_single_, found, async_op, output, input, *splits)


# -- meeting ---------------------------------------------------------------------------------------------------------


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None,
            timeout: timedelta | None = None) -> Work | None:
    """Wait until all ranks have come here.

    Args:
        group, async_op: as of `all_reduce`.
        device_ids: ignored.
        timeout: how long; the group's where None.
    """
    del device_ids
    found = _group(group, "barrier")
    if found is None:
        return None
    found.log.append(("barrier", None, "", None))
    carrier = next(iter(found.transports.values()), found.control)
    work = carrier.barrier()
    if async_op:
        return work
    work.wait(timeout)
    return None


def monitored_barrier(group: Any = None, timeout: timedelta | None = None, wait_all_ranks: bool = False) -> None:
    """A barrier that says which ranks did not come.

    Args:
        group: a group; the default one where None.
        timeout: how long; the group's where None.
        wait_all_ranks: name all ranks that did not come (they always are named here).

    Raises:
        RuntimeError: with the ranks that did not come.
    """
    del wait_all_ranks
    found = _group(group, "monitored_barrier")
    if found is None:
        return
    found.log.append(("monitored_barrier", None, "", None))
    work = found.control.barrier()
    work.describe = "monitored_barrier"
    work.wait(timeout)


def _get_default_group() -> ProcessGroup:
    return resolve(None, "_get_default_group")


def _get_process_group_name(group: Any) -> str:
    return resolve(group, "_get_process_group_name").name


def _rank_not_in_group(group: Any) -> bool:
    return get_rank(group) == -1 if group is not None else False


_resolve_process_group = resolve
_all_gather_base = all_gather_into_tensor
_reduce_scatter_base = reduce_scatter_tensor
all_gather_single = all_gather_into_tensor
reduce_scatter_single = reduce_scatter_tensor
