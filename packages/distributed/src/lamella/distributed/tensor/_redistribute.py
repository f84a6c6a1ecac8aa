"""From one placement to another: each step is one collective along one dimension of the mesh, or none at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd.grad_mode import no_grad
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from ._dtensor_spec import DTensorSpec
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = ["redistribute_local_tensor"]

_part = Shard.local_shard_size_and_offset


def redistribute_local_tensor(local_tensor: Tensor, current_spec: DTensorSpec, target_spec: DTensorSpec, *,
                              async_op: bool = False) -> Tensor:
    """This rank's part under other placements. All ranks of the mesh call it together.

    Args:
        local_tensor: this rank's part now.
        current_spec: how the tensor lies now.
        target_spec: how it shall lie.
        async_op: accepted; the result is there when the function returns.

    Returns:
        The part; the same tensor where nothing is to be done.
    """
    if current_spec.mesh != target_spec.mesh:
        raise ValueError(message("redistribute", "a tensor stays on its mesh",
                                 f"{current_spec.mesh}, {target_spec.mesh}"))
    if current_spec.placements == target_spec.placements:
        return local_tensor
    with no_grad():
        return _Steps(local_tensor, current_spec).to(target_spec.placements)


def part_of(whole: Tensor, spec: DTensorSpec) -> Tensor:
    """A rank's part of a tensor that every rank has."""
    return redistribute_local_tensor(whole, spec.replicated(), spec)


class _Steps:
    """A part on its way from one placement to another."""

    def __init__(self, local: Tensor, spec: DTensorSpec) -> None:
        self.local = local
        self.mesh, self.shape = spec.mesh, tuple(spec.tensor_meta.shape)
        self.now = list(spec.placements)
        self.at: Any = spec.mesh.get_coordinate()

    def to(self, target: Sequence[Placement]) -> Tensor:
        """Take all the steps."""
        if self.at is None:
            sizes = [0] * max(len(self.shape), 1)
            return core.empty(sizes, dtype=self.local.dtype, device=self.local.device)
        nested = self._nested(target)
        for i in reversed(range(len(target))):  # what was cut last is joined first
            if i in nested and not isinstance(self.now[i], Replicate):
                self._step(i, Replicate())
        changes = [i for i in range(len(target)) if self.now[i] != target[i] and i not in nested]
        for i in sorted(changes, key=lambda i: _order(self.now[i], target[i])):
            self._step(i, target[i])
        for i in sorted(nested):
            if self.now[i] != target[i]:
                self._step(i, target[i])
        return self.local

    def _nested(self, target: Sequence[Placement]) -> set[int]:
        """The mesh's dimensions that cut one dimension of the tensor together and do not all stay as they are."""
        cuts: dict[int, set[int]] = {}
        for placements in (self.now, target):
            for i, p in enumerate(placements):
                if isinstance(p, Shard):
                    cuts.setdefault(p.dim, set()).add(i)
        found: set[int] = set()
        for several in cuts.values():
            changed = {i for i in several if self.now[i] != target[i]}
            if len(several) > 1 and changed:
                found |= {i for i in several if i >= min(changed)}
        return found

    def _size(self, dim: int, i: int) -> int:
        """The size of a dimension before the mesh's dimension ``i`` cuts it."""
        n = self.shape[dim]
        for j, p in enumerate(self.now[:i]):
            if p.is_shard(dim):
                n = _part(n, self.mesh.size(j), self.at[j])[0]
        return n

    def _step(self, i: int, to: Placement) -> None:
        now, n = self.now[i], self.mesh.size(i)
        group, me = self.mesh.get_group(i), self.at[i]
        if n == 1:
            pass
        elif isinstance(to, Replicate):
            self.local = (_gather(self.local, now.dim, self._size(now.dim, i), n, group) if isinstance(now, Shard)
                          else _reduce(self.local, now, group) if isinstance(now, Partial) else self.local)
        elif isinstance(to, Shard):
            whole = self._size(to.dim, i)
            if isinstance(now, Partial):
                self.local = dealt(self.local, to.dim, n, me,
                                   lambda out, rows: dist.reduce_scatter_tensor(out, rows, now.op, group=group))
            elif isinstance(now, Shard):
                size = self._size(now.dim, i)
                self.local = _exchange(self.local, now.dim, size, to.dim, whole, n, me, group)
            else:
                size, start = _part(whole, n, me)
                self.local = core.narrow(self.local, to.dim, start, size).contiguous()
        elif isinstance(to, Partial):
            if not isinstance(now, Replicate):
                self._step(i, Replicate())
            self.local = summand(self.local, to, me)
        self.now[i] = to


def _order(now: Placement, to: Placement) -> int:
    """Steps that make the part smaller come first."""
    if isinstance(to, Shard):
        return 0 if isinstance(now, Replicate) else 1 if isinstance(now, Partial) else 2
    return 3 if isinstance(now, Partial) else 4


def _reduce(local: Tensor, now: Partial, group: Any) -> Tensor:
    out = local.contiguous().clone()
    dist.all_reduce(out, now.op, group=group)
    return out


def _gather(local: Tensor, dim: int, size: int, n: int, group: Any) -> Tensor:
    """All ranks' parts of a dimension of this size, joined."""
    step = _part(size, n, 0)[0]
    rows = _padded(local, dim, step).transpose(0, dim).contiguous()
    out = core.empty((n * step, *rows.shape[1:]), dtype=local.dtype, device=local.device)
    dist.all_gather_into_tensor(out, rows, group=group)
    if n * step != size:  # only the last parts are short, so what is too much is at the end
        parts = [core.narrow(out, 0, r * step, _part(size, n, r)[0]) for r in range(n)]
        out = core.cat(parts, 0)
    return out.transpose(0, dim).contiguous() if dim else out


def _padded(t: Tensor, dim: int, size: int) -> Tensor:
    missing = size - t.shape[dim]
    if not missing:
        return t
    shape = list(t.shape)
    shape[dim] = missing
    return core.cat([t, core.zeros(shape, dtype=t.dtype, device=t.device)], dim)


def summand(local: Tensor, to: Partial, me: int) -> Tensor:
    """What a rank adds to a value that every rank has: the reduction has to give it back, to the bit."""
    if to.reduce_op in ("sum", "product") and me:
        return core.zeros_like(local) if to.reduce_op == "sum" else core.ones_like(local)
    return local


def dealt(local: Tensor, dim: int, n: int, me: int, deal: Callable[[Tensor, Tensor], Any]) -> Tensor:
    """This rank's part of a dimension, where ``deal(out, rows)`` gives each rank one of n blocks of rows."""
    size = local.shape[dim]
    step = _part(size, n, 0)[0]
    rows = _padded(local, dim, n * step).transpose(0, dim).contiguous()
    out = core.empty((step, *rows.shape[1:]), dtype=local.dtype, device=local.device)
    deal(out, rows)
    return core.narrow(out, 0, 0, _part(size, n, me)[0]).transpose(0, dim).contiguous()


def _exchange(local: Tensor, old: int, old_size: int, new: int, new_size: int, n: int, me: int, group: Any) -> Tensor:
    """From a part of one dimension to the same part of another: every rank sends every other a block."""
    cuts = [_part(new_size, n, r) for r in range(n)]
    blocks = [core.narrow(local, new, start, size).reshape(-1) for size, start in cuts]
    shape = list(local.shape)
    shape[new] = cuts[me][0]
    shapes = []
    for r in range(n):
        shape[old] = _part(old_size, n, r)[0]
        shapes.append(tuple(shape))
    counts = [core.Size(s).numel() for s in shapes]
    out = core.empty((sum(counts),), dtype=local.dtype, device=local.device)
    dist.all_to_all_single(out, core.cat(blocks), counts, [b.numel() for b in blocks], group=group)
    parts = [part.reshape(s) for part, s in zip(core.split(out, counts), shapes)]
    return core.cat(parts, old)
