"""Cross entropy on parts: examples on several ranks, and within `loss_parallel` classes, too."""

from __future__ import annotations

from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.core.tensor import Tensor
from lamella.dispatch.registry import OpOverload

from .._dtensor import wrap_local
from .._dtensor_spec import DTensorSpec, meta_of
from .._redistribute import part_of, redistribute_local_tensor
from .._switches import is_on
from ..placement_types import Partial, Placement, Replicate, Shard
from .handlers import HANDLERS

_NONE, _MEAN = 0, 1


class _Parts:
    """How the operands of one call lie: classes are dimension 1 of the logits, and last in the probabilities."""

    def __init__(self, spec: DTensorSpec, ndim: int, classes: int) -> None:
        self.mesh, self.ndim, self.classes = spec.mesh, ndim, classes
        self.placements = spec.placements
        self.cut = [i for i, p in enumerate(spec.placements) if p.is_shard(classes)]
        self.batch = [i for i, p in enumerate(spec.placements) if p.is_shard() and i not in self.cut]

    def possible(self) -> bool:
        """Whether parts can be computed with."""
        if any(isinstance(p, Partial) for p in self.placements) or self.ndim < 2 or not (self.cut or self.batch):
            return False
        return not self.cut or (len(self.cut) == 1 and is_on("loss_parallel"))

    def of_targets(self) -> tuple[Placement, ...]:
        """How the class numbers lie: without the dimension of the classes."""
        return tuple(Shard(p.dim - (p.dim > self.classes)) if isinstance(p, Shard) and i in self.batch else Replicate()
                     for i, p in enumerate(self.placements))

    def summed(self, x: Tensor, dims: list[int], op: Any = None) -> Tensor:
        """A tensor reduced over dimensions of the mesh."""
        for i in dims:
            if self.mesh.size(i) > 1:
                x = x.contiguous()
                dist.all_reduce(x, op or dist.ReduceOp.SUM, group=self.mesh.get_group(i))
        return x

    def local_target(self, target: Any) -> Tensor:
        """This rank's class numbers."""
        where = self.of_targets()
        if hasattr(target, "_spec"):
            return redistribute_local_tensor(target._local_tensor, target._spec, target._spec.with_placements(where))
        return part_of(target, DTensorSpec(self.mesh, where, meta_of(target.shape, target.dtype)))

    def offset(self, size: int) -> int:
        """The number of the first class here."""
        if not self.cut:
            return 0
        i = self.cut[0]
        return Shard.local_shard_size_and_offset(size, self.mesh.size(i), self.mesh.get_coordinate()[i])[1]


def _weights(parts: _Parts, target: Tensor, weight: Any, ignore: int) -> tuple[Tensor, Tensor]:
    """How much each example counts, and its class number (0 where it does not)."""
    counts: Any = target != ignore
    safe = core.where(counts, target, core.zeros_like(target))
    if weight is None:
        return counts, safe
    table = weight._local_tensor if hasattr(weight, "_spec") else weight
    return core.where(counts, table[safe], core.zeros_like(table[safe])), safe


def _total(parts: _Parts, w: Tensor, dtype: Any) -> Tensor:
    return parts.summed(w.to(dtype).sum(), parts.batch)


def _picked(x: Tensor, safe: Tensor, first: int) -> tuple[Tensor, Tensor]:
    """Of each example the value of its class where that is here, else 0; classes are last. Also the places."""
    at = safe - first
    here = (at >= 0) & (at < x.shape[-1])
    place = core.where(here, at, core.zeros_like(at)).unsqueeze(-1)
    if not x.shape[-1]:
        return core.zeros(tuple(at.shape), dtype=x.dtype, device=x.device), here
    found = core.gather(x, -1, place).squeeze(-1)
    return found.masked_fill(~here, 0), here


def _forward(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from .._dispatch import Call, whole

    names = ("self", "target", "weight", "reduction", "ignore_index", "label_smoothing")
    x, target, weight, reduction, ignore, smoothing = ({**dict(zip(names, args)), **kwargs}[n] for n in names)
    parts = _Parts(x._spec, x.ndim, 1) if hasattr(x, "_spec") else None
    if parts is None or not parts.possible() or target.is_floating_point() or smoothing:
        return whole(Call(op, args, kwargs))
    local = x._local_tensor.movedim(1, -1)
    w, safe = _weights(parts, parts.local_target(target), weight, ignore)
    w = w.to(local.dtype)
    first = parts.offset(x.shape[1])
    lowest = core.full((*local.shape[:-1],), float("-inf"), dtype=local.dtype, device=local.device)
    top = parts.summed(local.amax(-1) if local.shape[-1] else lowest, parts.cut, dist.ReduceOp.MAX).unsqueeze(-1)
    e = (local - top).exp()
    total = parts.summed(e.sum(-1), parts.cut)
    picked = parts.summed(_picked(local - top, safe, first)[0], parts.cut)
    losses = (total.log() - picked) * w
    probs = e / total.unsqueeze(-1)
    meta = meta_of((x.shape[0], *x.shape[2:], x.shape[1]), x.dtype)
    where = tuple(Shard(x.ndim - 1) if i in parts.cut else t for i, t in enumerate(parts.of_targets()))
    saved = wrap_local(probs, DTensorSpec(parts.mesh, where, meta))
    if reduction == _NONE:
        spec = DTensorSpec(parts.mesh, parts.of_targets(), meta_of(tuple(target.shape), x.dtype))
        return wrap_local(losses, spec), saved
    loss = losses.sum()
    if reduction == _MEAN:
        loss = loss / _total(parts, w, x.dtype)
    out = tuple(Partial("sum") if i in parts.batch else Replicate() for i in range(parts.mesh.ndim))
    return wrap_local(loss, DTensorSpec(parts.mesh, out, meta_of((), x.dtype))), saved


def _backward(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from .._dispatch import Call, whole

    names = ("grad_output", "probs", "target", "weight", "reduction", "ignore_index", "label_smoothing", "shape")
    values = {**dict(zip(names, args)), **kwargs}
    grad, probs, target, weight, reduction, ignore, smoothing, shape = (values[n] for n in names)
    last = len(shape) - 1
    parts = None
    if hasattr(probs, "_spec"):
        # The logits' placements, from those of the probabilities: classes are last there and second here.
        turned = [Shard(1 if p.dim == last else p.dim + (p.dim >= 1)) if isinstance(p, Shard) else p
                  for p in probs._spec.placements]
        spec = DTensorSpec(probs._spec.mesh, turned, meta_of(tuple(shape), probs.dtype))
        parts = _Parts(spec, len(shape), 1)
    if parts is None or not parts.possible() or target.is_floating_point() or smoothing:
        return whole(Call(op, args, kwargs))
    w, safe = _weights(parts, parts.local_target(target), weight, ignore)
    p = probs._local_tensor
    w = w.to(p.dtype)
    if hasattr(grad, "_spec"):
        where = parts.of_targets() if reduction == _NONE else (Replicate(),) * parts.mesh.ndim
        grad = redistribute_local_tensor(grad._local_tensor, grad._spec, grad._spec.with_placements(where))
    scale = w * grad
    if reduction == _MEAN:
        scale = scale / _total(parts, w, p.dtype)
    at = (safe - parts.offset(shape[1])).unsqueeze(-1)
    hot = (core.arange(p.shape[-1], device=p.device) == at).to(p.dtype)
    local = ((p - hot) * scale.unsqueeze(-1)).movedim(-1, 1).contiguous()
    return wrap_local(local, spec)


HANDLERS["_cross_entropy"] = _forward
HANDLERS["_cross_entropy_backward"] = _backward
