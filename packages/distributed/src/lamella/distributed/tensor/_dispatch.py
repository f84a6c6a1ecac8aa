"""How an operator runs on distributed tensors: choose placements, move operands, compute parts, wrap results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lamella.autograd.engine import current_task
from lamella.core import empty
from lamella.core.tensor import META, Tensor, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.registry import OpOverload, keys_in
from lamella.dispatch.schema_bind import default_of
from lamella.dispatch.state import state

from ._dtensor import DTensor, wrap_local
from ._dtensor_spec import DTensorSpec, meta_of
from ._ops import HANDLERS, RULES
from ._ops.rule import COLLECTIVE, Operand, Question, R, Rule, cost
from ._redistribute import part_of, redistribute_local_tensor
from ._switches import is_on
from .placement_types import Partial, Placement, Replicate

#: (operator, ...) -> plan; plans depend on shapes, placements and numbers only
_plans: dict[Any, Any] = {}
_MOST_PLANS = 4096
_NO_PLAN_YET = object()


class Call:
    """One call of an operator.

    Attributes:
        op: the operator.
        values: its arguments by name, with defaults.
        places: where its tensors are: (name, place in a list or None).
        tensors: the tensors, in that order.
        mesh: the mesh of the distributed ones.
    """

    def __init__(self, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.op = op
        self.values: dict[str, Any] = {}
        self.places: list[tuple[str, int | None]] = []
        self.tensors: list[Any] = []
        self.written: list[int] = []
        given = len(args)
        for i, (name, default, several, written) in enumerate(_signature(op)):
            value = self.values[name] = args[i] if i < given else kwargs.get(name, default)
            if isinstance(value, Tensor):
                if written:
                    self.written.append(len(self.tensors))
                self.places.append((name, None))
                self.tensors.append(value)
            elif several and isinstance(value, (list, tuple)):
                for j, t in enumerate(value):
                    if isinstance(t, Tensor):
                        if written:
                            self.written.append(len(self.tensors))
                        self.places.append((name, j))
                        self.tensors.append(t)
        self.mesh = self._mesh()
        self.specs = [t._spec if isinstance(t, DTensor) else self._plain_spec(t) for t in self.tensors]

    def _mesh(self) -> Any:
        meshes = [t._spec.mesh for t in self.tensors if isinstance(t, DTensor)]
        other = next((m for m in meshes if m is not meshes[0] and m != meshes[0]), None)
        if other is not None:
            raise RuntimeError(message(str(self.op.opname), "operands are on different meshes",
                                       f"{meshes[0]}, {other}", hint="bring them to one with full_tensor() and "
                                                                     "distribute_tensor()"))
        for t in self.tensors:
            if not isinstance(t, DTensor) and not _may_be_plain(t, self.op):
                raise RuntimeError(message(
                    str(self.op.opname), "got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to "
                    "DTensor before calling distributed operators!", [list(t.shape)],
                    hint="distribute_tensor(t, mesh, placements), or x.to_local(); implicit_replication() takes "
                         "plain tensors as the same on every rank"))
        return meshes[0]

    def _plain_spec(self, t: Tensor) -> DTensorSpec:
        """How a plain tensor lies: it is the same on every rank."""
        return DTensorSpec(self.mesh, (R,) * self.mesh.ndim, meta_of(t._a.shape, t.dtype))

    def local(self, k: int) -> Tensor:
        """This rank's part of operand ``k``."""
        t = self.tensors[k]
        return t._local_tensor if isinstance(t, DTensor) else t

    def with_tensors(self, tensors: list[Any]) -> dict[str, Any]:
        """The arguments by name with other tensors."""
        values = {k: list(v) if isinstance(v, (list, tuple)) else v for k, v in self.values.items()}
        for (name, place), t in zip(self.places, tensors):
            if place is None:
                values[name] = t
            else:
                values[name][place] = t
        return values

    def run(self, values: dict[str, Any]) -> Any:
        """Call the operator with arguments by name."""
        return call(self.op, values)


_signatures: dict[OpOverload, tuple[tuple[str, Any, bool, bool], ...]] = {}


def _signature(op: OpOverload) -> tuple[tuple[str, Any, bool, bool], ...]:
    """(name, default, whether a list of tensors, whether written) of each argument."""
    found = _signatures.get(op)
    if found is None:
        found = _signatures[op] = tuple(
            (a.name, default_of(a) if a.has_default_value() else None, a.type.is_tensor_like and a.type.is_list,
             a.is_write) for a in op.schema.arguments)
    return found


def call(op: OpOverload, values: dict[str, Any]) -> Any:
    """Call an operator with all its arguments by name, without checking them again."""
    names = op.schema.arguments
    positional = len(op.schema.positional)
    args = [values[a.name] for a in names[:positional]]
    kwargs = {a.name: values[a.name] for a in names[positional:]}
    ks = keys_in(args) | keys_in(list(kwargs.values()))
    if ks & state.affected:
        ks = state.apply(ks)
    return op.table[ks](*args, **kwargs)


def _may_be_plain(t: Tensor, op: OpOverload) -> bool:
    if t._a.ndim == 0 or is_on("implicit_replication"):
        return True
    # `x[[2, 0]]` makes a tensor of the list; formulas of gradients make masks and ones, the same on every rank.
    return (op.opname in _BY_INDEX and t._a.dtype.kind in "biu") or current_task() is not None


_BY_INDEX = frozenset({"index", "index_put", "index_put_"})


def dispatch(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operator on distributed tensors."""
    handler: Callable[..., Any] | None = HANDLERS.get(op.opname) or HANDLERS.get(op.namespace + "::")
    if handler is not None:
        return handler(op, args, kwargs)
    c = Call(op, args, kwargs)
    if c.mesh.get_coordinate() is None:
        return _outside(c)
    _check_written(c)
    base = op.opname[:-1] if c.written and op.opname.endswith("_") else op.opname
    rule = RULES.get(base)
    plan = None if rule is None else _plan(c, rule, base)
    if plan is None:
        return whole(c)
    moved, outs, copied = plan
    ins = [s if s.placements == to else s.with_placements(to) for s, to in zip(c.specs, moved)]
    locals_ = [c.local(k) if to is now else redistribute_local_tensor(c.local(k), now, to)
               for k, (now, to) in enumerate(zip(c.specs, ins))]
    values = c.with_tensors(locals_)
    specs = [None if o is None else DTensorSpec(c.mesh, o[0], o[1]) for o in outs]
    if rule.adjust is not None:  # type: ignore[union-attr]
        rule.adjust(values, ins, specs)  # type: ignore[union-attr]
    run = rule.run  # type: ignore[union-attr]
    found = c.run(values) if run is None else run(op, values, ins, specs)
    if c.written:
        return _written(c, found, locals_)
    return _wrapped(found, iter(specs), copied)


def _outside(c: Call) -> Any:
    """A rank that does not belong to the mesh computes nothing; its results have the shape of the whole and no part."""
    if c.written:
        return c.tensors[c.written[0]]
    found = [None if m is None else wrap_local(
        empty((0,), dtype=m.dtype, device=c.local(0).device), DTensorSpec(c.mesh, (R,) * c.mesh.ndim, m))
        for m in _results(c)]
    returns = c.op.schema.returns
    return found[0] if len(returns) == 1 and len(found) == 1 else tuple(found)


class CopiedView(RuntimeError):
    """A view that had to be communicated was to be written to."""


def _check_written(c: Call) -> None:
    for k in c.written:
        t = c.tensors[k]
        if not isinstance(t, DTensor):
            raise RuntimeError(message(str(c.op.opname), "a plain tensor cannot take a distributed result in place",
                                       hint="convert it with distribute_tensor(), or x.full_tensor() the result"))
        if t.__dict__.get("_copied"):
            raise CopiedView(message(str(c.op.opname), "this view had to be communicated, so it is a copy and cannot "
                                     "be written through", str(t._spec),
                                     hint="write to x.to_local(), or redistribute x before viewing it"))


def _wrapped(found: Any, specs: Any, copied: bool = False) -> Any:
    if isinstance(found, Tensor):
        spec = next(specs)
        made = wrap_local(found, spec)
        if copied:
            made.__dict__["_copied"] = True
        return made
    if isinstance(found, (list, tuple)):
        parts = [_wrapped(f, specs, copied) for f in found]
        return type(found)._make(parts) if hasattr(found, "_make") else type(found)(parts)
    if found is None:
        next(specs, None)
    return found


def _written(c: Call, found: Any, locals_: list[Tensor]) -> Any:
    """The operands that were written to, where the operator returned their parts."""
    if isinstance(found, Tensor):
        return next((c.tensors[k] for k in c.written if locals_[k] is found), c.tensors[c.written[0]])
    if isinstance(found, (list, tuple)):
        return type(found)(_written(c, f, locals_) for f in found)
    return found


# ---------------------------------------------------------------------- everything whole


def whole(c: Call, **changes: Any) -> Any:
    """Run an operator on whole tensors, the same on every rank."""
    if c.op.opname in _OF_MEMORY:
        raise NotImplementedError(message(str(c.op.opname), "there is no such operator on DTensors: it asks how the "
                                          "whole lies in memory", hint="call .full_tensor() or .to_local() first"))
    locals_ = []
    for k in range(len(c.tensors)):
        spec = c.specs[k]
        locals_.append(redistribute_local_tensor(c.local(k), spec, spec.replicated()))
    values = c.with_tensors(locals_)
    values.update(changes)
    found = c.run(values)
    for k in c.written:
        own = c.tensors[k]
        if own._local_tensor is not locals_[k]:
            own._local_tensor.copy_(part_of(locals_[k], own._spec))
    if c.written:
        return _written(c, found, locals_)
    copied = c.op.is_view and not all(spec.is_replicated() for spec in c.specs)
    return _wrapped(found, _as_found(found, c.mesh), copied)


_OF_MEMORY = frozenset({"as_strided", "as_strided_scatter", "set_", "resize_"})


def _as_found(found: Any, mesh: Any) -> Any:
    if isinstance(found, Tensor):
        yield DTensorSpec(mesh, (R,) * mesh.ndim, meta_of(found._a.shape, found.dtype, found.stride()))
    elif isinstance(found, (list, tuple)):
        for f in found:
            yield from _as_found(f, mesh)
    elif found is None:
        yield None


# ---------------------------------------------------------------------- choosing placements


def _plan(c: Call, rule: Rule, name: str) -> Any:
    """(placements of the operands, (placements, shape) of the results, whether a view becomes a copy); None where parts
    cannot be computed with."""
    key = _key(c)
    made = _plans.get(key, _NO_PLAN_YET)
    if made is not _NO_PLAN_YET:
        return made
    made = _planned(c, rule, name)
    if key is not None:
        if len(_plans) >= _MOST_PLANS:
            _plans.clear()
        _plans[key] = made
    return made


def _key(c: Call) -> Any:
    places = set(c.places)
    parts: list[Any] = [c.op, c.mesh.shape]
    for spec in c.specs:
        parts += (*spec.tensor_meta, spec.placements)
    for name, value in c.values.items():
        if (name, None) not in places:
            plain = isinstance(value, (list, tuple))
            parts.append(tuple(None if isinstance(v, Tensor) else v for v in value) if plain else value)
    try:
        key = tuple((p.__class__, p) if isinstance(p, (bool, int, float)) else p for p in parts)
        hash(key)
    except TypeError:
        return None
    return key


def _planned(c: Call, rule: Rule, name: str) -> Any:
    metas = _results(c)
    shapes = [tuple(spec.tensor_meta.shape) for spec in c.specs]
    numbered = c.with_tensors([Operand(k) for k in range(len(shapes))])
    cuts: dict[tuple[int, int], int] = {}
    moved: list[list[Placement]] = [[] for _ in shapes]
    outs: list[list[Placement]] = [[] for _ in metas]
    sizes = [math.prod(s) for s in shapes]
    for i in range(c.mesh.ndim):
        n = c.mesh.size(i)
        now = [spec.placements[i] for spec in c.specs]
        out_shapes = [None if m is None else tuple(m.shape) for m in metas]
        question = Question(name, numbered, shapes, out_shapes, n, cuts, now)
        chosen = _cheapest(question, rule, c.written, sizes)
        if chosen is None:
            return None
        results, operands = chosen
        for k, p in enumerate(operands):
            moved[k].append(p)
            if p.is_shard():
                cuts[k, p.dim] = cuts.get((k, p.dim), 1) * n  # type: ignore[attr-defined]
        for j, o in enumerate(outs):
            o.append(results[j] if isinstance(results, (list, tuple)) else results)
    found = [None if m is None else (tuple(o), m) for o, m in zip(outs, metas)]
    copied = c.op.is_view and any(tuple(m) != spec.placements for m, spec in zip(moved, c.specs))
    return [tuple(m) for m in moved], found, copied


def _cheapest(q: Question, rule: Rule, written: list[int], sizes: list[int]) -> Any:
    best, least = None, math.inf
    whole_ = (R, (R,) * len(q.shapes))
    for results, operands in (whole_, *rule.candidates(q)):
        if any(operands[k] != q.now[k] for k in written):
            continue
        useful = any(p == o and not isinstance(o, Replicate) for p, o in zip(q.now, operands))
        if not useful and operands is not whole_[1]:
            continue  # nobody asked for parts
        price = sum(cost(p, o, size, q.n) for p, o, size in zip(q.now, operands, sizes))
        if price >= COLLECTIVE and _leaves_summands(results) and not any(isinstance(p, Partial) for p in q.now):
            price += max((math.prod(s) for s in q.out_shapes if s is not None), default=0)  # another one will follow
        if price < least:
            best, least = (results, operands), price
    return best


def _leaves_summands(results: Any) -> bool:
    return any(isinstance(r, Partial) for r in (results if isinstance(results, (list, tuple)) else (results,)))


def _results(c: Call) -> list[Any]:
    """Shape and type of each result of the whole; those of the operand for in-place forms."""
    if c.written:
        return [c.specs[k].tensor_meta for k in c.written]
    metas = [wrap(t._a if isinstance(t, DTensor) else _hollow(t), META) for t in c.tensors]
    return list(_metas(c.run(c.with_tensors(metas))))


def _hollow(t: Tensor) -> Any:
    from lamella.core.meta import meta_array

    return meta_array(tuple(t._a.shape), t.dtype, t.stride())


def _metas(found: Any) -> Any:
    if isinstance(found, Tensor):
        yield meta_of(found._a.shape, found.dtype, found.stride())
    elif isinstance(found, (list, tuple)):
        for f in found:
            yield from _metas(f)
    else:
        yield None
