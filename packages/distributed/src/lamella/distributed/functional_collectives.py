"""Collectives that return new tensors instead of writing to their arguments; gradients flow through them.

The module is `torch.distributed._functional_collectives`. Where a group is asked for it may be a process group, the
name of one, a `DeviceMesh` of one dimension, a pair of a mesh and one of its dimensions, a list of global ranks that
some group has, or None for all ranks. Results are there when a function returns; `wait_tensor` has nothing left to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import did_you_mean, message

from .device_mesh import DeviceMesh
from .group import resolve, world
from .nn import functional as _flow
from .reduce_op import ReduceOp

__all__ = ["all_gather_into_tensor_coalesced", "all_gather_single", "all_gather_tensor", "all_gather_tensor_autograd",
           "all_reduce", "all_reduce_coalesced", "all_to_all_single", "all_to_all_single_autograd", "broadcast",
           "permute_tensor", "reduce_scatter_single", "reduce_scatter_tensor", "reduce_scatter_tensor_autograd",
           "reduce_scatter_tensor_coalesced", "wait_tensor"]

_OPS = {op.name.lower(): op for op in ReduceOp}


def _resolve_group(group: Any, tag: str = "") -> Any:
    """The process group that is meant; None means all ranks."""
    del tag
    if group is None:
        return dist.group.WORLD
    if isinstance(group, str):
        return resolve(group, "functional collective")
    if isinstance(group, DeviceMesh):
        if group.ndim != 1:
            raise ValueError(message("functional collective", "a DeviceMesh without a dimension must be 1-dimensional",
                                     repr(group), hint="pass (mesh, dim) or mesh[name]"))
        return group.get_group()
    if isinstance(group, tuple) and len(group) == 2 and isinstance(group[0], DeviceMesh):
        return group[0].get_group(group[1])
    if isinstance(group, (list, tuple)):
        return _by_ranks(list(group))
    return group


def _by_ranks(ranks: list[Any]) -> Any:
    if ranks and isinstance(ranks[0], (list, tuple)):
        mine = [r for r in ranks if dist.get_rank() in r]
        ranks = list(mine[0]) if mine else list(ranks[0])
    for group in world().groups.values():
        if list(group.ranks) == ranks:
            return group
    raise ValueError(message("functional collective", "no process group has these ranks", ranks,
                             hint="make one on all ranks with new_group, or pass a DeviceMesh"))


def _reduction(name: str, op: Any) -> Any:
    found = op if isinstance(op, ReduceOp) else _OPS.get(str(op).lower())
    if found is None:
        raise ValueError(message(name, f"there is no reduction {op!r}", hint=did_you_mean(str(op), _OPS)
                                 or ", ".join(_OPS)))
    return found


def wait_tensor(tensor: Tensor) -> Tensor:
    """The tensor, when the collective that makes it is over: it always is."""
    return tensor


def broadcast(self: Tensor, src: int, group: Any, tag: str = "") -> Tensor:
    """One rank's tensor.

    Args:
        self: of the same shape on every rank.
        src: whose, as a global rank.
        group: the ranks.
        tag: accepted.
    """
    return _flow._Broadcast.apply(src, _resolve_group(group, tag), self)


def all_reduce(self: Tensor, reduceOp: str, group: Any, tag: str = "") -> Tensor:  # noqa: N803 - torch's name
    """The reduction of all ranks' tensors.

    Args:
        self: of the same shape on every rank.
        reduceOp: "sum", "avg", "product", "min", "max", "band", "bor" or "bxor".
        group: the ranks.
        tag: accepted.

    Example:
        >>> import lamella.distributed as dist
        >>> dist.init_process_group(rank=0, world_size=1)
        >>> all_reduce(core.ones(2), "sum", dist.group.WORLD)
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    return _flow._AllReduce.apply(_reduction("all_reduce", reduceOp), _resolve_group(group, tag), self)


def all_gather_single(self: Tensor, gather_dim: int, group: Any, tag: str = "") -> Tensor:
    """All ranks' tensors, joined along a dimension.

    Args:
        self: of the same shape on every rank.
        gather_dim: along which dimension.
        group: the ranks.
        tag: accepted.
    """
    pg = _resolve_group(group, tag)
    out = _flow._AllGatherBase.apply(pg, self.contiguous())
    if gather_dim % max(self.ndim, 1) == 0:
        return out
    return core.cat(core.chunk(out, dist.get_world_size(pg), 0), gather_dim)


def reduce_scatter_single(self: Tensor, reduceOp: str, scatter_dim: int, group: Any,  # noqa: N803 - torch's name
                          tag: str = "") -> Tensor:
    """This rank's part of the reduction of all ranks' tensors.

    Args:
        self: of the same shape on every rank.
        reduceOp: "sum" or "avg".
        scatter_dim: the dimension that is cut; its size must be divisible by the number of ranks.
        group: the ranks.
        tag: accepted.
    """
    pg = _resolve_group(group, tag)
    n = dist.get_world_size(pg)
    if self.shape[scatter_dim] % n:
        raise AssertionError(message("reduce_scatter_tensor", f"input dimension {scatter_dim} "
                                     f"({self.shape[scatter_dim]}) must be a multiple of group_size {n}"))
    if scatter_dim % self.ndim:
        self = core.cat(core.chunk(self, n, scatter_dim), 0)
    return _flow._ReduceScatterBase.apply(_reduction("reduce_scatter_tensor", reduceOp), pg, self.contiguous())


def all_to_all_single(self: Tensor, output_split_sizes: Sequence[int] | None, input_split_sizes: Sequence[int] | None,
                      group: Any, tag: str = "") -> Tensor:
    """Part i of the tensor goes to rank i; part i of the result comes from rank i.

    Args:
        self: cut along dimension 0.
        output_split_sizes, input_split_sizes: sizes of the parts; equal ones where both are None.
        group: the ranks.
        tag: accepted.
    """
    pg = _resolve_group(group, tag)
    if (output_split_sizes is None) != (input_split_sizes is None):
        raise AssertionError(message("all_to_all_single", "output_split_sizes and input_split_sizes must either be "
                                     "specified together or both set to None"))
    rows = self.shape[0] if output_split_sizes is None else sum(output_split_sizes)
    out = core.empty((rows, *self.shape[1:]), dtype=self.dtype, device=self.device)
    outs, ins = (None if s is None else list(s) for s in (output_split_sizes, input_split_sizes))
    return _flow._AllToAllSingle.apply(pg, out, outs, ins, self.contiguous())


def permute_tensor(self: Tensor, src_dst: Sequence[int], group: Any, tag: str = "") -> Tensor:
    """The tensor of the rank that sends to this one.

    Args:
        self: of the same shape on every rank.
        src_dst: rank m of the group sends to rank ``src_dst[m]``.
        group: the ranks.
        tag: accepted.
    """
    pg = _resolve_group(group, tag)
    me, n = dist.get_rank(pg), dist.get_world_size(pg)
    if sorted(src_dst) != list(range(n)):
        raise ValueError(message("permute_tensor", "src_dst must name each rank once", f"{list(src_dst)}, {n} ranks"))
    outs = [self.numel() if src_dst[src] == me else 0 for src in range(n)]
    ins = [self.numel() if dst == src_dst[me] else 0 for dst in range(n)]
    return all_to_all_single(self.reshape(-1), outs, ins, pg).reshape(self.shape)


def all_reduce_coalesced(self: Sequence[Tensor], reduceOp: str, group: Any,  # noqa: N803 - torch's name
                         tag: str = "") -> list[Tensor]:
    """`all_reduce` of each of a list of tensors."""
    pg = _resolve_group(group, tag)
    return [all_reduce(t, reduceOp, pg) for t in self]


def all_gather_into_tensor_coalesced(self: Sequence[Tensor], group: Any, tag: str = "") -> list[Tensor]:
    """`all_gather_tensor` along dimension 0 of each of a list of tensors."""
    pg = _resolve_group(group, tag)
    return [all_gather_single(t, 0, pg) for t in self]


def reduce_scatter_tensor_coalesced(inputs: Sequence[Tensor], reduceOp: str,  # noqa: N803 - torch's name
                                    scatter_dim: Sequence[int], group: Any, tag: str = "") -> list[Tensor]:
    """`reduce_scatter_tensor` of each of a list of tensors, along a dimension each."""
    pg = _resolve_group(group, tag)
    if len(scatter_dim) != len(inputs):
        raise AssertionError(message("reduce_scatter_tensor_coalesced", f"Length of scatter_dim ({len(scatter_dim)}) "
                                     f"must equal length of inputs ({len(inputs)})"))
    return [reduce_scatter_single(t, reduceOp, dim, pg) for t, dim in zip(inputs, scatter_dim)]


all_gather_tensor = all_gather_tensor_autograd = all_gather_single_autograd = all_gather_single
reduce_scatter_tensor = reduce_scatter_tensor_autograd = reduce_scatter_single_autograd = reduce_scatter_single
all_to_all_single_autograd = all_to_all_single
all_gather_single_coalesced = all_gather_into_tensor_coalesced
reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced
