"""Kernels of the collectives: from tensors to contiguous arrays, a transport's call, and back.

Memory that is contiguous goes to the transport as it is; of other tensors a copy does, which is copied back when the
communication is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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


def _end(group: ProcessGroup, work: Work, async_op: bool, result: Any = None) -> None:
    """Wait, or leave the work for whoever called the operator."""
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


def _into(t: Tensor, name: str) -> tuple[Any, Callable[[], None] | None]:
    """An array to write a tensor's elements into, and what brings them home (None: they are there)."""
    bump(t, name)
    a = t._a
    if a.flags.c_contiguous:
        return a if a.ndim == 1 else a.reshape(-1), None
    flat = a.copy(order="C").reshape(-1)

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
    if home is not None:
        work.then(home)
    if async_op:
        work._result = [tensor]
        found.started = work
    else:
        work.wait()


def allreduce_coalesced_(tensors: list[Tensor], op: str, group: str, async_op: bool = False) -> None:
    row = _joined(tensors)
    found, carrier = _begin("all_reduce_coalesced", group, tensors[0], (op, row.size))
    work = carrier.allreduce(row, op).then(_spread(row, tensors, "all_reduce_coalesced"))
    _end(found, work, async_op, tensors)


def reduce_(tensor: Tensor, op: str, root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("reduce", group, tensor, (op, root))
    if found.rank() == root:
        a, home = _into(tensor, "reduce")
    else:
        a, home = _flat(tensor).copy(), None
    work = carrier.reduce(a, op, root)
    _end(found, work if home is None else work.then(home), async_op, [tensor])


def broadcast_(tensor: Tensor, root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("broadcast", group, tensor, root)
    if found.rank() == root:
        a, home = _flat(tensor), None
    else:
        a, home = _into(tensor, "broadcast")
    work = carrier.broadcast(a, root)
    _end(found, work if home is None else work.then(home), async_op, [tensor])


def allgather_(outputs: list[Tensor], input: Tensor, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("all_gather", group, input, None)
    row = _row(input, input._a.size * found.size())
    work = carrier.allgather(row, _flat(input)).then(_spread(row, outputs, "all_gather"))
    _end(found, work, async_op, outputs)


def allgather_into_(output: Tensor, input: Tensor, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("all_gather_into_tensor", group, input, None)
    out, home = _into(output, "all_gather_into_tensor")
    given = _flat(input)
    if _shares(out, given):  # a rank's own part of the output as its input
        given = given.copy()
    work = carrier.allgather(out, given)
    _end(found, work if home is None else work.then(home), async_op, [output])


def gather_(outputs: list[Tensor], input: Tensor, root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("gather", group, input, root)
    row = _row(input, input._a.size * found.size()) if found.rank() == root else None
    work = carrier.gather(row, _flat(input), root)
    _end(found, work if row is None else work.then(_spread(row, outputs, "gather")), async_op, outputs)


def scatter_(output: Tensor, inputs: list[Tensor], root: int, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("scatter", group, output, root)
    out, home = _into(output, "scatter")
    work = carrier.scatter(out, _joined(inputs) if found.rank() == root else None, root)
    _end(found, work if home is None else work.then(home), async_op, [output])


def reduce_scatter_(output: Tensor, inputs: list[Tensor], op: str, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("reduce_scatter", group, output, op)
    out, home = _into(output, "reduce_scatter")
    work = carrier.reduce_scatter(out, _joined(inputs), op)
    _end(found, work if home is None else work.then(home), async_op, [output])


def reduce_scatter_from_(output: Tensor, input: Tensor, op: str, group: str, async_op: bool = False) -> None:
    found, carrier = _begin("reduce_scatter_tensor", group, output, op)
    out, home = _into(output, "reduce_scatter_tensor")
    given = _flat(input)
    if _shares(out, given):
        given = given.copy()
    work = carrier.reduce_scatter(out, given, op)
    _end(found, work if home is None else work.then(home), async_op, [output])


def alltoall_(outputs: list[Tensor], inputs: list[Tensor], group: str, async_op: bool = False) -> None:
    found, carrier = _begin("all_to_all", group, inputs[0], None, same=False)
    row = _row(outputs[0], sum(t._a.size for t in outputs))
    work = carrier.alltoall(row, [t._a.size for t in outputs], _joined(inputs), [t._a.size for t in inputs])
    _end(found, work.then(_spread(row, outputs, "all_to_all")), async_op, outputs)


def alltoall_single_(output: Tensor, input: Tensor, output_splits: list[int], input_splits: list[int], group: str,
                     async_op: bool = False) -> None:
    found, carrier = _begin("all_to_all_single", group, input, None, same=False)
    out, home = _into(output, "all_to_all_single")
    counts = [_counts(t, splits, found.size()) for t, splits in ((output, output_splits), (input, input_splits))]
    work = carrier.alltoall(out, counts[0], _flat(input), counts[1])
    _end(found, work if home is None else work.then(home), async_op, [output])


def send(tensor: Tensor, dst: int, tag: int, group: str, async_op: bool = False) -> None:
    found = world().groups[group]
    carrier = found.transport(tensor.device.type, "send")
    _end(found, carrier.send(_flat(tensor), dst, tag), async_op, [tensor])


def recv_(tensor: Tensor, src: int, tag: int, group: str, async_op: bool = False) -> None:
    found = world().groups[group]
    carrier = found.transport(tensor.device.type, "recv")
    a, home = _into(tensor, "recv")
    work = carrier.recv(a, None if src < 0 else src, tag)
    found.started = work
    _end(found, work if home is None else work.then(home), async_op, [tensor])


def _shares(a: Any, b: Any) -> bool:
    from lamella.core.storage import address

    first, second = address(a), address(b)
    return first < second + b.nbytes and second < first + a.nbytes


def _counts(t: Tensor, splits: Sequence[int], ranks: int) -> list[int]:
    """How many elements go with each part of the first dimension."""
    rows = t._a.shape[0] if t._a.ndim else 1
    each = t._a.size // rows if rows else 0
    return [s * each for s in (splits or [rows // ranks] * ranks)]
