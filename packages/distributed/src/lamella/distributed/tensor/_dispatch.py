"""How an operator runs on distributed tensors: choose placements, move operands, compute parts, wrap results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lamella.autograd.engine import current_task
from lamella.core.tensor import META, Tensor, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.registry import OpOverload
from lamella.dispatch.state import state

from ._dtensor import DTensor, wrap_local
from ._dtensor_spec import DTensorSpec, meta_of
from ._ops import HANDLERS, RULES
from ._ops.rule import Operand, Question, R, Rule, cost
from ._random import part_of
from ._redistribute import redistribute_local_tensor
from .placement_types import Placement, Replicate

#: (operator, ...) -> plan; plans depend on shapes, placements and numbers only
_plans: dict[Any, Any] = {}
_MOST_PLANS = 4096


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
        self.tensors: list[Tensor] = []
        for i, a in enumerate(op.schema.arguments):
            value = args[i] if i < len(args) else kwargs.get(a.name, a.default_value)
            self.values[a.name] = value
            if isinstance(value, Tensor):
                self._add(a.name, None, value)
            elif a.type.is_tensor_like and isinstance(value, (list, tuple)):
                for j, t in enumerate(value):
                    if isinstance(t, Tensor):
                        self._add(a.name, j, t)
        self.written = [k for k, (name, _) in enumerate(self.places)
                        if any(a.name == name and a.is_write for a in op.schema.arguments)]
        self.mesh = self._mesh()

    def _add(self, name: str, place: int | None, t: Tensor) -> None:
        self.places.append((name, place))
        self.tensors.append(t)

    def _mesh(self) -> Any:
        meshes = [t._spec.mesh for t in self.tensors if isinstance(t, DTensor)]
        other = next((m for m in meshes if m != meshes[0]), None)
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

    def spec(self, k: int) -> DTensorSpec:
        """How operand ``k`` lies; plain tensors are the same on every rank."""
        t = self.tensors[k]
        if isinstance(t, DTensor):
            return t._spec
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


def call(op: OpOverload, values: dict[str, Any]) -> Any:
    """Call an operator with arguments by name."""
    args = [values[a.name] for a in op.schema.arguments if not a.kwarg_only]
    return op(*args, **{a.name: values[a.name] for a in op.schema.arguments if a.kwarg_only})


def _may_be_plain(t: Tensor, op: OpOverload) -> bool:
    if t._a.ndim == 0 or getattr(state.thread, "implicit_replication", False):
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
    _check_written(c)
    base = op.opname[:-1] if c.written and op.opname.endswith("_") else op.opname
    rule = RULES.get(base)
    plan = None if rule is None else _plan(c, rule, base)
    if plan is None:
        return whole(c)
    moved, outs = plan
    locals_ = [redistribute_local_tensor(c.local(k), c.spec(k), c.spec(k).with_placements(moved[k]))
               for k in range(len(c.tensors))]
    values = c.with_tensors(locals_)
    ins = [c.spec(k).with_placements(moved[k]) for k in range(len(c.tensors))]
    specs = [None if o is None else DTensorSpec(c.mesh, o[0], o[1]) for o in outs]
    if rule.adjust is not None:  # type: ignore[union-attr]
        rule.adjust(values, ins, specs)  # type: ignore[union-attr]
    run = rule.run  # type: ignore[union-attr]
    found = c.run(values) if run is None else run(op, values, ins, specs)
    if c.written:
        return _written(c, found, locals_)
    copied = op.is_view and any(moved[k] != c.spec(k).placements for k in range(len(c.tensors)))
    return _wrapped(found, iter(specs), copied)


def _check_written(c: Call) -> None:
    for k in c.written:
        t = c.tensors[k]
        if not isinstance(t, DTensor):
            raise RuntimeError(message(str(c.op.opname), "a plain tensor cannot take a distributed result in place",
                                       hint="convert it with distribute_tensor(), or x.full_tensor() the result"))
        if t.__dict__.get("_copied"):
            raise RuntimeError(message(str(c.op.opname), "this view had to be communicated, so it is a copy and cannot "
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
        spec = c.spec(k)
        locals_.append(redistribute_local_tensor(c.local(k), spec, spec.with_placements((R,) * c.mesh.ndim)))
    values = c.with_tensors(locals_)
    values.update(changes)
    found = c.run(values)
    for k in c.written:
        own = c.tensors[k]
        if own._local_tensor is not locals_[k]:
            own._local_tensor.copy_(part_of(locals_[k], own._spec))
    if c.written:
        return _written(c, found, locals_)
    copied = c.op.is_view and any(not isinstance(p, Replicate) for k in range(len(c.tensors))
                                  for p in c.spec(k).placements)
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
    """(placements of the operands, (placements, shape) of the results); None where parts cannot be computed with."""
    key = _key(c)
    if key in _plans:
        return _plans[key]
    made = _planned(c, rule, name)
    if key is not None:
        if len(_plans) >= _MOST_PLANS:
            _plans.clear()
        _plans[key] = made
    return made


def _key(c: Call) -> Any:
    places = set(c.places)
    parts: list[Any] = [c.op, c.mesh.shape]
    for k in range(len(c.tensors)):
        spec = c.spec(k)
        parts += [tuple(spec.tensor_meta.shape), spec.tensor_meta.stride, spec.tensor_meta.dtype, spec.placements]
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
    shapes = [tuple(c.spec(k).tensor_meta.shape) for k in range(len(c.tensors))]
    numbered = c.with_tensors([Operand(k) for k in range(len(shapes))])
    cuts: dict[tuple[int, int], int] = {}
    moved: list[list[Placement]] = [[] for _ in shapes]
    outs: list[list[Placement]] = [[] for _ in metas]
    sizes = [math.prod(s) for s in shapes]
    for i in range(c.mesh.ndim):
        n = c.mesh.size(i)
        now = [c.spec(k).placements[i] for k in range(len(shapes))]
        found = [None if m is None else tuple(m.shape) for m in metas]
        question = Question(name, numbered, shapes, found, n, cuts, now)
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
    return ([tuple(m) for m in moved],
            [None if m is None else (tuple(o), m) for o, m in zip(outs, metas)])


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
        if price < least:
            best, least = (results, operands), price
    return best


def _results(c: Call) -> list[Any]:
    """Shape and type of each result of the whole; those of the operand for in-place forms."""
    if c.written:
        return [c.spec(k).tensor_meta for k in c.written]
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
