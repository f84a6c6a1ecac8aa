"""The norm of gradients that are divided among ranks."""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd import no_grad
from lamella.core.tensor import Tensor

from .run import begin_run, units_in

__all__ = ["clip_grad_norm"]


def _norm(grads: list[Any], order: float, device: Any) -> Tensor:
    """The norm of all elements of gradients, in float32 at least."""
    norms = [core.linalg_vector_norm(g, order, dtype=core.promote_types(g.dtype, core.float32)) for g in grads]
    if not norms:
        return core.zeros((), dtype=core.float32, device=device)
    return core.linalg_vector_norm(core.stack([n.to(device) for n in norms]), order)


def clip_grad_norm(model: Any, max_norm: float, norm_type: float) -> Tensor:
    """See `FullyShardedDataParallel.clip_grad_norm_`."""
    unit = model._unit
    begin_run(model, unit)
    if not unit.is_root():
        raise RuntimeError("`clip_grad_norm_()` should only be called on the root FSDP instance")
    max_norm, order = float(max_norm), float(norm_type)
    divided = {id(p) for u in units_in(model) for h in u.handles if h.world > 1 for p in h.params()}
    params = [p for p in model.parameters() if p._grad is not None]
    parts = [p._grad for p in params if id(p) in divided]
    copies = [p._grad for p in params if id(p) not in divided]
    grads = parts + copies
    with no_grad():
        total, own = _norm(parts, order, model.compute_device), _norm(copies, order, model.compute_device)
        if model.process_group.size() > 1 and divided:
            if order != math.inf:
                total = total**order
            op = dist.ReduceOp.MAX if order == math.inf else dist.ReduceOp.SUM
            wide = total.to(core.float64)  # all ranks come to the same factor whatever types they have
            dist.all_reduce(wide, op=op, group=model.process_group)
            total = wide.to(total.dtype)
            if order != math.inf:
                total = total ** (1.0 / order)
        if copies:
            total = core.maximum(total, own) if order == math.inf else (total**order + own**order) ** (1.0 / order)
        factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for g in grads:
            g.mul_(factor.to(device=g.device, dtype=g.dtype))
        if not grads:
            warnings.warn(f"FSDP.clip_grad_norm_: rank {model.rank} has no gradients; the norm is in {total.dtype}",
                          stacklevel=3)
            return total
        return total.to(functools.reduce(core.promote_types, [g.dtype for g in grads]))
