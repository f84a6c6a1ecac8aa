"""Operators that are no computation on parts alone: numbers, norms, random numbers, steps of optimizers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.registry import OpOverload, keys_in
from lamella.dispatch.state import state

from .._dtensor import gradient_placements, wrap_local
from .._dtensor_spec import DTensorSpec, meta_of
from .._random import drawn, generator_for
from .._redistribute import part_of, redistribute_local_tensor
from ..placement_types import Replicate
from .rule import dims_of

Handler = Callable[[OpOverload, tuple[Any, ...], dict[str, Any]], Any]
#: The operator's name, or its namespace with `::` -> what runs it.
HANDLERS: dict[str, Handler] = {}


def _handles(names: str) -> Callable[[Handler], Handler]:
    def decorate(fn: Handler) -> Handler:
        for name in names.split():
            HANDLERS[name] = fn
        return fn

    return decorate


def _everywhere(x: Any) -> Tensor:
    """The whole of a DTensor, without history."""
    spec = x._spec
    return redistribute_local_tensor(x._local_tensor, spec, spec.replicated())


@_handles("detach alias")
def _detach(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return args[0]._alias()


@_handles("_local_scalar_dense")
def _number(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return _everywhere(args[0]).item()


@_handles("c10d::")
def _collective(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    raise RuntimeError(message(str(op.opname), "collectives take local tensors, not DTensors",
                               hint="x.to_local(), or x.redistribute(placements=...) instead of a collective"))


# ---------------------------------------------------------------------- norms


@_handles("linalg_vector_norm")
def _norm(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Powers of parts' norms are added, or their extremes taken, by one small reduction."""
    from .._dispatch import Call, whole

    c = Call(op, args, kwargs)
    x, order, ndim = args[0], float(c.values["ord"]), args[0].ndim
    dims = dims_of(c.values["dim"], ndim)
    cut = [i for i, p in enumerate(x._spec.placements) if p.is_shard()]
    uneven = any(not x._spec.evenly(p.dim) for p in x._spec.placements if p.is_shard())
    if (not cut or x._spec.is_partial() or order == 0
            or any(x._spec.placements[i].dim not in dims for i in cut) or (math.isinf(order) and uneven)):
        return whole(c)
    local = c.run(c.with_tensors([x._local_tensor]))
    if math.isinf(order):
        kind = dist.ReduceOp.MAX if order > 0 else dist.ReduceOp.MIN
    else:
        kind, local = dist.ReduceOp.SUM, local.pow(order)
    local = local.contiguous()
    for i in cut:
        if x._spec.mesh.size(i) > 1:
            dist.all_reduce(local, kind, group=x._spec.mesh.get_group(i))
    found = local if math.isinf(order) else local.pow(1 / order)
    spec = DTensorSpec(x._spec.mesh, (Replicate(),) * x._spec.mesh.ndim, meta_of(found.shape, found.dtype))
    return wrap_local(found, spec)


# ---------------------------------------------------------------------- random numbers


@_handles("uniform_ normal_ log_normal_ cauchy_ exponential_ geometric_ random_ bernoulli_ bernoulli _dropout_noise "
          "_rrelu_noise multinomial poisson binomial _standard_gamma _sample_dirichlet")
def _random(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """All ranks draw the same numbers for the whole and keep those of their parts."""
    from .._dispatch import Call, _check_written, call, whole

    c = Call(op, args, kwargs)
    generator = generator_for(c.mesh, c.values.get("generator"))
    x = args[0]
    if op.opname in ("_dropout_noise", "_rrelu_noise") and c.values.get("size") is None:
        spec = x._spec.with_placements(gradient_placements(x._spec.placements))
        hollow = core.empty(tuple(x.shape), dtype=x.dtype, device=x.device)
        return drawn(lambda g: call(op, {**c.values, "self": hollow, "generator": g}), spec, generator)
    if not c.written:
        return whole(c, generator=generator)
    _check_written(c)
    if x._spec.is_partial():
        raise RuntimeError(message(str(op.opname), "a DTensor that is not reduced yet cannot be filled at random",
                                   str(x._spec), hint="x.redistribute(placements=[Replicate()]) first"))
    if x._spec.is_replicated():
        return whole(c, generator=generator)
    others = [_everywhere(t) if hasattr(t, "_spec") else t for t in c.tensors[1:]]
    full = core.empty(tuple(x.shape), dtype=x.dtype, device=x.device)
    values = c.with_tensors([full, *others])
    call(op, {**values, "generator": generator})
    x._local_tensor.copy_(part_of(full, x._spec))
    return x


# ---------------------------------------------------------------------- optimizers


@_handles("lamella_optim::")
def _step(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Each rank steps its parts: an optimizer's step is elementwise. Gradients that lie otherwise are moved first."""
    params, grads, *kept = args

    def part(t: Any, p: Any) -> Any:
        if not hasattr(t, "_spec"):
            return t
        where = p._spec.placements if hasattr(p, "_spec") else (Replicate(),) * t._spec.mesh.ndim
        return redistribute_local_tensor(t._local_tensor, t._spec, t._spec.with_placements(where))

    lists = [[part(p, p) for p in params], [part(g, p) for g, p in zip(grads, params)]]
    lists += [[part(t, p) for t, p in zip(column, params)] for column in kept]
    options = {k: _everywhere(v) if hasattr(v, "_spec") else v for k, v in kwargs.items()}
    # As the optimizer chooses the kernel: by parameters and gradients alone, for counts of steps may be the CPU's.
    ks = keys_in(lists[:2])
    if ks & state.affected:
        ks = state.apply(ks)
    return op.table[ks](*lists, **options)
