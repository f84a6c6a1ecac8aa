"""Collectives through which gradients flow.

The gradient is that of the sum of all ranks' losses: what a rank's input contributed to another rank's output comes
back from there. So every rank that took part in forward has to take part in backward.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd.function import Function
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from ..reduce_op import ReduceOp

__all__ = ["_all_gather_base", "all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather",
           "reduce", "reduce_scatter", "scatter"]

_SUM = ReduceOp.SUM


class _Broadcast(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, tensor: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        out = tensor.detach().clone()
        dist.broadcast(out, src, group=group)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        g = _Reduce.apply(ctx.src, _SUM, ctx.group, grad)
        return None, None, g if dist.get_rank() == ctx.src else core.zeros_like(g)


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, group: Any, tensor: Tensor) -> tuple[Tensor, ...]:
        ctx.dst, ctx.group = dst, group
        outs = [core.zeros_like(tensor) for _ in range(dist.get_world_size(group))]
        dist.gather(tensor.contiguous(), outs if dist.get_rank() == dst else None, dst, group=group)
        return tuple(outs)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *grads)


class _Scatter(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, *tensors: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        out = core.zeros_like(tensors[0])
        dist.scatter(out, [t.contiguous() for t in tensors] if dist.get_rank() == src else None, src, group=group)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        return None, None, *_Gather.apply(ctx.src, ctx.group, grad)


class _Reduce(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, op: Any, group: Any, tensor: Tensor) -> Tensor:
        ctx.dst, ctx.op, ctx.group = dst, op, group
        _need_linear("reduce", op)
        out = tensor.detach().clone()
        dist.reduce(out, dst, op, group=group)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        g = _Broadcast.apply(ctx.dst, ctx.group, grad)
        return None, None, None, g / dist.get_world_size(ctx.group) if ctx.op is ReduceOp.AVG else g


class _AllReduce(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, tensor: Tensor) -> Tensor:
        ctx.op, ctx.group = op, group
        out = tensor.detach().contiguous().clone()
        dist.all_reduce(out, op, group=group)
        if op not in (_SUM, ReduceOp.AVG):
            ctx.save_for_backward(tensor, out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        if ctx.op in (_SUM, ReduceOp.AVG):
            return None, None, _AllReduce.apply(ctx.op, ctx.group, grad)
        x, out = ctx.saved_tensors
        g = _AllReduce.apply(_SUM, ctx.group, grad)
        if ctx.op in (ReduceOp.MIN, ReduceOp.MAX):
            hit = (x == out).to(grad.dtype)
            return None, None, g * hit / _AllReduce.apply(_SUM, ctx.group, hit)  # ranks that tie share the gradient
        if ctx.op is not ReduceOp.PRODUCT:
            raise RuntimeError(message("all_reduce", f"ReduceOp.{ctx.op.name} has no gradient"))
        others = list(_AllGather.apply(ctx.group, x))
        del others[dist.get_rank(ctx.group)]
        for other in others:
            g = g * other
        return None, None, g


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, *tensors: Tensor) -> Tensor:
        ctx.op, ctx.group = op, group
        _need_linear("reduce_scatter", op)
        out = core.empty_like(tensors[dist.get_rank(group)]).contiguous()
        dist.reduce_scatter(out, [t.contiguous() for t in tensors], op, group=group)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        grads = _AllGather.apply(ctx.group, grad)
        if ctx.op is ReduceOp.AVG:
            grads = tuple(g / len(grads) for g in grads)
        return None, None, *grads


class _AllGather(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, tensor: Tensor) -> tuple[Tensor, ...]:
        ctx.group = group
        tensor = tensor.contiguous()
        outs = [core.empty_like(tensor) for _ in range(dist.get_world_size(group))]
        dist.all_gather(outs, tensor, group=group)
        return tuple(outs)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        return None, _ReduceScatter.apply(_SUM, ctx.group, *grads)


class _AllGatherBase(Function):
    """One tensor with all ranks' in a row."""

    @staticmethod
    def forward(ctx: Any, group: Any, tensor: Tensor, out: Tensor | None = None) -> Tensor:
        ctx.group = group
        if out is None:
            shape = (dist.get_world_size(group) * (tensor.shape[0] if tensor.ndim else 1), *tensor.shape[1:])
            out = core.empty(shape, dtype=tensor.dtype, device=tensor.device)
        dist.all_gather_into_tensor(out, tensor.contiguous(), group=group)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        return None, _ReduceScatterBase.apply(_SUM, ctx.group, grad), None


class _ReduceScatterBase(Function):
    """Each rank's part of the reduction of one tensor."""

    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, tensor: Tensor) -> Tensor:
        ctx.op, ctx.group = op, group
        _need_linear("reduce_scatter_tensor", op)
        n = dist.get_world_size(group)
        if not tensor.ndim or tensor.shape[0] % n:
            raise ValueError(message("reduce_scatter_tensor", "input dimension 0 must be divisible by the group's size",
                                     f"{list(tensor.shape)}, {n} ranks"))
        out = core.empty((tensor.shape[0] // n, *tensor.shape[1:]), dtype=tensor.dtype, device=tensor.device)
        dist.reduce_scatter_tensor(out, tensor.contiguous(), op, group=group)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        g = _AllGatherBase.apply(ctx.group, grad)
        return None, None, g / dist.get_world_size(ctx.group) if ctx.op is ReduceOp.AVG else g


class _AllToAll(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, outs: list[Tensor], *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.group = group
        ctx.like = [(tuple(t.shape), t.dtype, t.device) for t in tensors]
        dist.all_to_all(outs, [t.contiguous() for t in tensors], group=group)
        return tuple(outs)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        outs = [core.empty(s, dtype=d, device=v) for s, d, v in ctx.like]
        return None, None, *_AllToAll.apply(ctx.group, outs, *grads)


class _AllToAllSingle(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, out: Tensor, out_splits: Any, in_splits: Any, tensor: Tensor) -> Tensor:
        ctx.group, ctx.splits, ctx.like = group, (in_splits, out_splits), (tuple(tensor.shape), tensor.dtype)
        dist.all_to_all_single(out, tensor.contiguous(), out_splits, in_splits, group=group)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
        out = core.empty(ctx.like[0], dtype=ctx.like[1], device=grad.device)
        return None, None, None, None, _AllToAllSingle.apply(ctx.group, out, *ctx.splits, grad)


def _need_linear(name: str, op: Any) -> None:
    if op not in (_SUM, ReduceOp.AVG):
        shown = getattr(op, "name", op)
        raise RuntimeError(message(name, f"ReduceOp.{shown} has no gradient here", hint="use SUM or AVG, or "
                                   "all_reduce, which has one for MIN, MAX and PRODUCT too"))


def broadcast(tensor: Tensor, src: int, group: Any = None) -> Tensor:
    """One rank's tensor on every rank. To that rank all ranks' gradients come back, summed.

    Args:
        tensor: of the same shape on every rank.
        src: whose.
        group: the ranks; all where None.

    Example:
        >>> import lamella.distributed as dist
        >>> dist.init_process_group(rank=0, world_size=1)
        >>> x = core.ones(2, requires_grad=True)
        >>> broadcast(x, 0).sum().backward()
        >>> x.grad
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    return _Broadcast.apply(src, group, tensor)


def gather(tensor: Tensor, dst: int = 0, group: Any = None) -> tuple[Tensor, ...]:
    """All ranks' tensors on one rank, zeros on the others.

    Args:
        tensor: of the same shape on every rank.
        dst: on which rank.
        group: the ranks; all where None.
    """
    return _Gather.apply(dst, group, tensor)


def scatter(tensors: Sequence[Tensor], src: int = 0, group: Any = None) -> Tensor:
    """Each rank's one of the tensors that one rank has.

    Args:
        tensors: one for each rank; of other ranks than ``src`` only the shapes count.
        src: whose.
        group: the ranks; all where None.
    """
    return _Scatter.apply(src, group, *tensors)


def reduce(tensor: Tensor, dst: int, op: Any = _SUM, group: Any = None) -> Tensor:
    """The sum or mean of all ranks' tensors on one rank; what the others get is not said.

    Args:
        tensor: of the same shape on every rank.
        dst: on which rank.
        op: SUM or AVG.
        group: the ranks; all where None.
    """
    return _Reduce.apply(dst, op, group, tensor)


def reduce_scatter(output: Tensor, input_list: Sequence[Tensor], op: Any = _SUM, group: Any = None) -> Tensor:
    """The sum or mean over the ranks of each one's part.

    Args:
        output: says of what shape a rank's part is; not written to.
        input_list: a tensor for each rank.
        op: SUM or AVG.
        group: the ranks; all where None.
    """
    return _ReduceScatter.apply(op, group, *input_list)


def all_gather(tensor: Tensor, group: Any = None) -> tuple[Tensor, ...]:
    """All ranks' tensors on every rank.

    Args:
        tensor: of the same shape on every rank.
        group: the ranks; all where None.
    """
    return _AllGather.apply(group, tensor)


def _all_gather_base(output_tensor: Tensor, input_tensor: Tensor, group: Any = None) -> Tensor:
    """All ranks' tensors in a row, written to ``output_tensor``, which is returned."""
    return _AllGatherBase.apply(group, input_tensor, output_tensor)


def all_to_all(output_tensor_list: Sequence[Tensor], input_tensor_list: Sequence[Tensor],
               group: Any = None) -> tuple[Tensor, ...]:
    """Tensor i goes to rank i; tensor i of the result comes from rank i.

    Args:
        output_tensor_list: written to and returned.
        input_tensor_list: one for each rank.
        group: the ranks; all where None.
    """
    return _AllToAll.apply(group, list(output_tensor_list), *input_tensor_list)


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Any = None,  # noqa: A002 - torch's name
                      input_split_sizes: Any = None, group: Any = None) -> Tensor:
    """Part i of one tensor goes to rank i; part i of the result comes from rank i.

    Args:
        output: written to and returned.
        input: cut along dimension 0.
        output_split_sizes, input_split_sizes: sizes of the parts; equal ones where None.
        group: the ranks; all where None.
    """
    return _AllToAllSingle.apply(group, output, output_split_sizes, input_split_sizes, input)


def all_reduce(tensor: Tensor, op: Any = _SUM, group: Any = None) -> Tensor:
    """The reduction of all ranks' tensors, on every rank.

    Args:
        tensor: of the same shape on every rank.
        op: a ReduceOp. Of MIN and MAX the gradient goes to whose value it was.
        group: the ranks; all where None.
    """
    return _AllReduce.apply(op, group, tensor)
