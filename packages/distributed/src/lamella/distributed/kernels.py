"""Kernels of the collectives: from tensors to contiguous arrays, a transport's call, and back.

Memory that is contiguous goes to the transport as it is; of other tensors a copy does, which is copied back when the
communication is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lamella.core.overlap import may_share
from lamella.core.tensor import CPU, Tensor, bump, recorder as writes

from .group import ProcessGroup, here, process, world
from .work import Work


def nothing(*args: Any, **kwargs: Any) -> None:
    """The rule for tensors without data: collectives change no shape."""


def _begin(name: str, group: str, t: Tensor, root: Any, same: bool = True) -> tuple[ProcessGroup, Any]:
    """The group and what carries a tensor's kind of memory; the call is put down in the group's log.

    `same` says that the shapes of all ranks must agree.
    """
    found = world().groups[group]
    found.log.append((name, t._a.shape if same else None, t._a.dtype, root))
    return found, found.cpu if t._ks & CPU else found.transport(t.device.type, name)


def _end(group: ProcessGroup, work: Work, async_op: bool, result: Any, home: Callable[[], None] | None = None) -> None:
    """Wait, or leave the work for whoever called the operator; `home` brings back what it wrote elsewhere."""
    if home is not None:
        work.then(home)
    if async_op:
        work._result = result
        group.started = work
    else:
        work.wait()


def _flat(t: Tensor) -> Any:
    """A tensor's elements in a row: its memory where that is contiguous, else a copy."""
    a = t._a
    if a.flags.c_contiguous:
        return a if a.ndim == 1 else a.reshape(-1)
    return a.copy(order="C").reshape(-1)


def _apart(t: Tensor, out: Any) -> Any:
    """A tensor's elements in a row that is not written to with `out`, which a rank's own part may lie in."""
    row = _flat(t)
    return row.copy() if may_share(row, out) else row


def _into(t: Tensor, name: str) -> tuple[Any, Callable[[], None] | None]:
    """An array to write a tensor's elements into, and what brings them home (None: they are there)."""
    bump(t, name)
    a, flat = t._a, _flat(t)
    if a.flags.c_contiguous:
        return flat, None

    def home() -> None:
        a[...] = flat.reshape(a.shape)

    return flat, home


def _row(t: Tensor, n: int) -> Any:
    """An array for `n` elements like a tensor's."""
    return t.detach().new_empty(n)._a


def _joined(tensors: Sequence[Tensor]) -> Any:
    """The elements of several tensors in one row."""
    row = _row(tensors[0], sum(t._a.size for t in tensors))
    at = 0
    for t in tensors:
        n = t._a.size
        row[at : at + n] = _flat(t)
        at += n
    return row


def _spread(row: Any, tensors: Sequence[Tensor], name: str) -> Callable[[], None]:
    """What copies a row into several tensors."""
    for t in tensors:
        bump(t, name)

    def home() -> None:
        at = 0
        for t in tensors:
            a = t._a
            a[...] = row[at : at + a.size].reshape(a.shape)
            at += a.size

    return home


def allreduce_(tensor: Tensor, op: str, group: str, async_op: bool = False) -> None:
    found = (here.world or process).groups[group]
    a = tensor._a
    found.log.append(("all_reduce", a.shape, a.dtype, op))
    carrier = found.cpu if tensor._ks & CPU else found.transport(tensor.device.type, "all_reduce")
    home = None
    if a.ndim == 1 and a.flags.c_contiguous:  # what buckets are
        vc = tensor._vc
        if vc is None or writes.stack is not None:
            bump(tensor, "all_reduce")
        else:
            vc.n += 1
            vc.writer = "all_reduce"
        if not async_op:
            carrier.allreduce_now(a, op)
            return
    else:
        a, home = _into(tensor, "all_reduce")
    work = carrier.allreduce(a, op)
    _end(found, work, async_op, [tensor], home)


def allreduce_coalesced_(tensors: list[Tensor], op: str, group: str, async_op: bool = False) -> None:
    row = _joined(tensors)
    found, carrier = _begin("all_reduce_coalesced", group, tensors[0], (op, row.size))
    _end(found, carrier.allreduce(row, op), async_op, tensors, _spread(row, tensors, "all_reduce_coalesced"))


def reduce_(tensor: Tensor, op: str, root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("reduce", group, tensor, (op, root))
    if found.rank() == root:
        a, home = _into(tensor, "reduce")
    else:
        a, home = _flat(tensor).copy(), None
    work = carrier.reduce(a, op, root)
    _end(found, work, async_op, [tensor], home)


def broadcast_(tensor: Tensor, root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("broadcast", group, tensor, root)
    if found.rank() == root:
        a, home = _flat(tensor), None
    else:
        a, home = _into(tensor, "broadcast")
    work = carrier.broadcast(a, root)
    _end(found, work, async_op, [tensor], home)


def allgather_(outputs: list[Tensor], input: Tensor, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("all_gather", group, input, None)
    row = _row(input, input._a.size * found.size())
    _end(found, carrier.allgather(row, _flat(input)), async_op, outputs, _spread(row, outputs, "all_gather"))


def allgather_into_(output: Tensor, input: Tensor, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("all_gather_into_tensor", group, input, None)
    out, home = _into(output, "all_gather_into_tensor")
    work = carrier.allgather(out, _apart(input, out))
    _end(found, work, async_op, [output], home)


def gather_(outputs: list[Tensor], input: Tensor, root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("gather", group, input, root)
    row = _row(input, input._a.size * found.size()) if found.rank() == root else None
    work = carrier.gather(row, _flat(input), root)
    _end(found, work, async_op, outputs, None if row is None else _spread(row, outputs, "gather"))


def scatter_(output: Tensor, inputs: list[Tensor], root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("scatter", group, output, root)
    out, home = _into(output, "scatter")
    work = carrier.scatter(out, _joined(inputs) if found.rank() == root else None, root)
    _end(found, work, async_op, [output], home)


def reduce_scatter_(output: Tensor, inputs: list[Tensor], op: str, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("reduce_scatter", group, output, op)
    out, home = _into(output, "reduce_scatter")
    work = carrier.reduce_scatter(out, _joined(inputs), op)
    _end(found, work, async_op, [output], home)


def reduce_scatter_from_(output: Tensor, input: Tensor, op: str, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("reduce_scatter_tensor", group, output, op)
    out, home = _into(output, "reduce_scatter_tensor")
    work = carrier.reduce_scatter(out, _apart(input, out), op)
    _end(found, work, async_op, [output], home)


def alltoall_(outputs: list[Tensor], inputs: list[Tensor], group: str, async_op: bool = False) -> None:
    found, carrier = _begin("all_to_all", group, inputs[0], None, same=False)
    row = _row(outputs[0], sum(t._a.size for t in outputs))
    work = carrier.alltoall(row, [t._a.size for t in outputs], _joined(inputs), [t._a.size for t in inputs])
    _end(found, work, async_op, outputs, _spread(row, outputs, "all_to_all"))


def alltoall_single_(output: Tensor, input: Tensor, output_splits: list[int], input_splits: list[int], group: str,
                     async_op: bool = False) -> None:
    found, carrier = _begin("all_to_all_single", group, input, None, same=False)
    out, home = _into(output, "all_to_all_single")
    counts = [_counts(t, splits, found.size()) for t, splits in ((output, output_splits), (input, input_splits))]
    work = carrier.alltoall(out, counts[0], _flat(input), counts[1])
    _end(found, work, async_op, [output], home)


def send(tensor: Tensor, dst: int, tag: int, group: str, async_op: bool = False) -> None:
    found = world().groups[group]
    carrier = found.transport(tensor.device.type, "send")
    _end(found, carrier.send(_flat(tensor), dst, tag), async_op, [tensor])


def recv_(tensor: Tensor, src: int, tag: int, group: str, async_op: bool = False) -> None:
    found = world().groups[group]
    carrier = found.transport(tensor.device.type, "recv")
    a, home = _into(tensor, "recv")
    work = carrier.recv(a, None if src < 0 else src, tag)
    _end(found, work, async_op, [tensor], home)


def _counts(t: Tensor, splits: Sequence[int], ranks: int) -> list[int]:
    """How many elements go with each part of the first dimension."""
    rows = t._a.shape[0] if t._a.ndim else 1
    each = t._a.size // rows if rows else 0
    return [s * each for s in (splits or [rows // ranks] * ranks)]
