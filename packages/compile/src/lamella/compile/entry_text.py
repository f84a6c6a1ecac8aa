"""The text of an entry: guards, the call of the program, and what is stored afterwards."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from lamella.core import dtypes
from lamella.core.dtypes import uint8
from lamella.core.meta import meta_array
from lamella.core.storage import owner_of
from lamella.core.tensor import CPU, VersionCounter, wrap
from lamella.dispatch.state import state

from . import layers
from .capture.arguments import Argument
from .capture.guards import Guard
from .capture.results import Leaf
from .graph.memory import may_overlap
from .loops.index import Var
from .runtime.inputs import Want, inputs

EMPTY = np.empty(0, np.float32)


class Miss:
    """What an entry returns instead of a result when a guard does not hold."""

    __slots__ = ("guard",)

    def __init__(self, guard: Guard | None) -> None:
        self.guard = guard


class _Holder:
    """What a leaf is to its gradient, for `_count_references`."""

    grad: Any = None


def _references() -> int:
    """The references to a gradient that only its leaf and an entry hold, as an entry counts them."""
    space: dict[str, Any] = {"getrefcount": sys.getrefcount, "leaf": _Holder()}
    space["g"] = _Holder.grad = None
    t = wrap(EMPTY)
    space["g"] = t
    space["leaf"].grad = t
    del t
    exec("def count():\n    return getrefcount(g)", space)
    return space["count"]()


REFERENCES = _references()


def counter_of(t: Any) -> VersionCounter:
    """The version counter of a tensor, made if there is none."""
    if t._vc is None:
        t._vc = VersionCounter()
    return t._vc  # type: ignore[no-any-return]


def _want(arg: Argument) -> Want:
    t: Any = arg.real
    shape, strides = arg.want
    return Want(t._ks, t._a.dtype, shape, strides, None if t._ag is None else bool(t.is_leaf))


class Writer:
    """Writes the text of an entry."""

    def __init__(self, entry: Any) -> None:
        self.entry, self.capture, self.names = entry, entry.capture, entry.capture.names
        self.by_number = {a.number: a for a in self.capture.arguments}
        self.lines: list[str] = []
        self._texts: set[str] = set()
        self.wrapped: dict[int, str] = {}
        self.bases: dict[int, str] = {}
        self.grads: dict[int, str] = {}  # id of a leaf -> the local name of its gradient before the call

    def text(self) -> str:
        """The whole function."""
        c = self.capture
        self._check("STATE.affected != 0 and moved()" if not state.affected else "moved()",
                    Guard("", "grad mode and dispatch modes", "", True))
        self._unpack()
        self._ambient()
        self._arguments()
        for guard in c.guards:
            if guard.argument is None:
                self._check(guard.fails, guard)
        inputs = self._inputs()
        if c.needs_grad:
            self.entry.space["wrap"] = wrap
            inputs = [self.by_number[n].expr if n in self.by_number else f"wrap({inputs[n]})" if n in c.carriers
                      else self.names(t) for n, t in enumerate(c.inputs)]
        for i, source in enumerate(c.sources):
            self.lines.append(f"s{i} = {source}")
        for text, value in c.pinned.items():
            self._check(f"differs({text}, {self.names(value)})" if isinstance(value, float) else
                        f"{text} is not {value}", Guard("", f"run-time number {text}", "", value))
        if c.seen is not None:
            self._check(f"({''.join(f'{name}, ' for name in c.ranges)}) not in {self.names(c.seen)}",
                        Guard("", "a size that code looks at", "", None, ("range", *c.ranges)))
        for name, (low, high) in c.ranges.items() if c.seen is None else ():
            self.entry.space.update({f"low_{name}": low, f"high_{name}": high})
            self._check(f"not low_{name} <= {name} <= high_{name}",
                        Guard("", f"the size {name}", "", (low, high), ("range", name)))
        checks = "".join(f"        {line}\n" for line in self.lines)
        self.lines = []
        self._before()
        self._call(inputs, c.scalars)
        self._after()
        body = "".join(f"    {line}\n" for line in self.lines)
        self.entry.space.update(self.names.space)
        return f"def run(args, kw):\n    try:\n{checks}    except MISSES:\n        return missed\n{body}"

    def _check(self, fails: str, guard: Guard) -> None:
        if fails in self._texts:
            return
        self._texts.add(fails)
        name = f"m{len(self.entry.guards)}"
        self.entry.guards.append(guard)
        self.entry.space[name] = Miss(guard)
        self.lines.append(f"if {fails}: return {name}")

    def _unpack(self) -> None:
        count = self.capture.given
        if count:
            self.lines.append(f"{', '.join(f'a{i}' for i in range(count))}, = args")
        else:
            self._check("args", Guard("", "number of arguments", "", 0))
        keywords = self.capture.keywords
        self._check(f"len(kw) != {len(keywords)}" if keywords else "kw", Guard("", "keyword arguments", "", keywords))

    def _ambient(self) -> None:
        self._check(f"DTYPES._default is not {self.names(dtypes._default)}",
                    Guard("", "default dtype", "DTYPES._default", dtypes._default))
        cls = layers.module_class()
        if cls is not None:
            self._check(f"{self.names(cls)}._slow_call is not False",
                        Guard("", "hooks of all modules", "", False)) if cls._slow_call is False else None

    def _arguments(self) -> None:
        """One check of all tensors among the arguments, and the single ones that tell what is wrong."""
        given = self.capture.arguments
        if not given:
            return
        wants = [_want(a) for a in given]
        self.entry.space["check"] = inputs(wants)
        self.lines += [f"ins = check(({''.join(f'{a.expr}, ' for a in given)}))", "if ins is None:"]
        start = len(self.lines)
        for guard in self.capture.guards:
            if guard.argument is not None:
                self._check(guard.fails, guard)
        self.lines[start:] = [f"    {line}" for line in self.lines[start:]]
        self.lines += ["    return missed", f"{''.join(f'i{a.number}, ' for a in given)}= ins"]

    def _inputs(self) -> list[str]:
        """Guards on the tensors that are no arguments; the text of each input."""
        c = self.capture
        texts: list[str] = []
        numbers: dict[int, int] = {}
        for number, (t, array) in enumerate(zip(c.inputs, c.arrays, strict=True)):
            if number in self.by_number:
                texts.append(f"i{number}")
                continue
            if number in c.carriers:
                self.entry.space.update(carrier=meta_array, uint8=uint8)
                texts.append(f"carrier(({c.carriers[number]},), uint8)")
                numbers[id(t)] = number
                continue
            numbers[id(t)] = number
            texts.append(self._array(t, array, number))
        self._hooks()
        held = {id(t) for t in c.inputs}
        self.adopted = {id(a.real) for a in c.arguments if a.real is a.fake}
        for t, a, grad, *_ in c.tensors:
            if id(t) not in numbers:
                self._array(t, a, -1)
            self._grad_guard(t, grad, held)
        for arg in self.by_number.values():
            if arg.real._ag is not None:
                self._grad_guard(arg.real, arg.grad, held, arg.expr)
        self._distinct()
        self._apart()
        return texts

    def _hooks(self) -> None:
        """Hooks on gradients are part of the backward pass that was recorded."""
        rows = [(self.names(t), layers.hooks_of(t)) for t, *_ in self.capture.tensors if t._ag is not None]
        rows += [(arg.expr, ()) for arg in self.by_number.values() if arg.real._ag is not None]
        if not rows:
            return
        self.entry.space.update(HOOKED=layers.leaf_hooks(), hooks_of=layers.hooks_of)
        changed = " or ".join(f"hooks_of({k}) != {self.names(found) if found else '()'}" for k, found in rows)
        fails = changed if any(found for _, found in rows) else f"HOOKED and ({changed})"
        self._check(fails, Guard("", "hooks on gradients", "", "those of the recording"))

    def _distinct(self) -> None:
        """Arguments that get gradients must be different tensors."""
        exprs = [leaf.expr for leaf, _ in self.capture.grads if isinstance(leaf, Argument)]
        for i, a in enumerate(exprs):
            for b in exprs[:i]:
                self._check(f"{a} is {b}", Guard("", "one tensor is given twice", "", False))

    def _array(self, t: Any, array: Any, number: int) -> str:
        name, k = f"A{len(self.entry.arrays)}", self.names(t)
        self.entry.arrays[name] = (t, number)
        self.entry.space[name] = array
        self._check(f"{k}._a is not {name} or {k}._ks != {t._ks}",
                    Guard("", f"memory or requires_grad of a {type(t).__name__} {list(array.shape)}", f"{k}._ks",
                          t._ks, ("array", t, name, number)))
        return name

    def _grad_guard(self, t: Any, grad: Any, held: set[int], expr: str = "") -> None:
        if t._ag is None:
            return
        k = expr or self.names(t)
        what = f"gradient of a {type(t).__name__} {list(t._a.shape)}"
        if id(grad) in self.adopted:
            return
        if grad is not None and id(grad) in held:
            self._check(f"{k}._grad is not {self.names(grad)}", Guard("", what, f"{k}._grad", grad))
        elif self.capture.looks_at_grads:
            if grad is None or expr:
                self._check(f"{k}._grad {'is not' if grad is None else 'is'} None", Guard("", what, f"{k}._grad", grad))
                return
            name = self.grads[id(t)] = f"q{len(self.grads)}"
            self._check(f"({name} := {k}._grad) is None", Guard("", what, f"{k}._grad", grad))

    def _apart(self) -> None:
        """Arguments must not lie in memory that the program writes to."""
        c = self.capture
        if not c.mutated or not self.by_number:
            return
        overlap: Any = np.may_share_memory if c.key == CPU else may_overlap
        memory = self.entry.roots = Roots([i for i in c.mutated if i not in self.by_number], overlap)
        memory.look(c.arrays)
        roots, owners = self.names(memory), self.names(memory.owners)
        self.entry.space["ndarray"] = np.ndarray
        grads = [n for n, a in self.by_number.items() if a.real is a.fake]
        if len(grads) > 1:
            self._check(f"len({{*map(id, ({', '.join(f'i{n}' for n in grads)},))}}) != {len(grads)}",
                        Guard("", "gradients share memory", "", False))
        for number in self.by_number:
            if number in grads:
                continue
            if number in c.mutated:
                others = [f"i{n}" for n in self.by_number if n != number]
                if others:
                    self.entry.space.update(touching=touching, overlap=overlap)
                    self._check(f"touching(i{number}, ({', '.join(others)},), overlap)",
                                Guard("", "arguments share memory", "", False))
            if not memory.numbers:
                continue
            owned = f"(b := i{number}.base) is None and id(i{number}) not in {owners}"
            near = f"b is not None and b.__class__ is ndarray and id(b) not in {owners}" if c.key == CPU else "False"
            self._check(f"not ({owned} or {near}) and {roots}.holds(i{number})",
                        Guard("", f"{self.by_number[number].what} shares memory with what is written", "", False))

    # ------------------------------------------------------------------ the call and what follows

    def _before(self) -> None:
        """Take the arrays out of gradients that nobody else holds, so that their memory can be used again."""
        for j, (leaf, number) in enumerate(self.capture.grads):
            if not self._is_kept(leaf, number):
                continue
            k, g = self.names(leaf), f"g{j}"
            self.entry.space[g] = wrap(EMPTY)
            now, count = self.grads.get(id(leaf), f"{k}._grad"), REFERENCES + (id(leaf) in self.grads)
            self.lines += [
                f"if {now} is {g} and getrefcount({g}) == {count} and {g}._vc is None: {g}._a = EMPTY",
                "else:",
                f"    {g} = new(); {g}._a = EMPTY; {g}._ks = {self.capture.key}; {g}._ag = {g}._vc = {g}._base = None",
            ]
        names = [f"g{j}" for j, row in enumerate(self.capture.grads) if self._is_kept(*row)]
        if names:
            self.lines.insert(0, f"global {', '.join(names)}")

    def _is_kept(self, leaf: Any, number: int | None) -> bool:
        """Whether a gradient's tensor is used again from call to call."""
        c = self.capture
        return not (number is None or isinstance(leaf, Argument) or c.needs_grad or number in c.graph.aliases)

    def _call(self, inputs: list[str], scalars: list[str]) -> None:
        call = f"outs = program([{', '.join(inputs)}], [{', '.join(scalars)}])"
        kept = [f"{self.names(leaf)}._grad = None" for leaf, n in self.capture.grads if self._is_kept(leaf, n)]
        if not kept:
            self.lines.append(call)
            return
        # What failed half-way has no gradients; the old ones may have been written over.
        self.lines += ["try:", f"    {call}", "except BaseException:", f"    {'; '.join(kept)}", "    raise"]

    def _after(self) -> None:
        c = self.capture
        for number, count, writer in () if c.needs_grad else c.bumps:
            self._bump(number, count, writer)
        for optimizer, count in c.steps:
            self.lines.append(f"{self.names(optimizer)}._step_calls += {count}")
        for j, (leaf, at) in enumerate(c.grads):
            target = leaf.expr if isinstance(leaf, Argument) else self.names(leaf)
            if at is None:
                self.lines.append(f"{target}._grad = None")
            elif c.needs_grad:
                self.lines.append(f"{target}._grad = outs[{at}]")
            elif isinstance(leaf, Argument) or at in c.graph.aliases:
                self._wrap("g", at)
                self.lines.append(f"{target}._grad = g")
            else:
                self.lines.append(f"g{j}._a = outs[{at}]; {target}._grad = g{j}")
        result = self._result(c.result)
        if c.stores:  # all values before any is stored: some are read from where others go
            values = [self._result(value) for _, value in c.stores]
            self.lines.append(f"result, stored = {result}, ({''.join(f'{v}, ' for v in values)})")
            self.lines.append(f"{''.join(f'{target}, ' for target, _ in c.stores)}= stored")
            result = "result"
        self.lines.append(f"return {result}")

    def _bump(self, number: int, count: int, writer: str) -> None:
        arg = self.by_number.get(number)
        if arg is not None:
            self.lines += [f"if {arg.expr}._vc is None: {arg.expr}._vc = VersionCounter()",
                           f"{arg.expr}._vc.n += {count}; {arg.expr}._vc.writer = {self.names(writer)}"]
            return
        name = self.entry.counters[number] = f"v{number}"
        self.entry.space[name] = counter_of(self.capture.inputs[number])
        self.lines.append(f"{name}.n += {count}")

    def _result(self, tree: Any) -> str:
        if isinstance(tree, list):
            return f"[{', '.join(map(self._result, tree))}]"
        if isinstance(tree, tuple):
            return f"({''.join(self._result(each) + ', ' for each in tree)})"
        if isinstance(tree, dict):
            return "{" + ", ".join(f"{k!r}: {self._result(v)}" for k, v in tree.items()) + "}"
        return self._leaf(tree)

    def _leaf(self, leaf: Leaf) -> str:
        kind, value = leaf.kind, leaf.value
        if kind == "argument":
            return value
        if kind == "object":
            return self.names(value)
        if kind == "size":
            return f"({value})"
        if kind == "plain":
            return repr(value) if value is None or type(value) in (bool, int) else self.names(value)
        if kind == "named":
            return f"{self.names(value[0])}._make([{', '.join(map(self._result, value[1]))}])"
        if kind == "made":
            return f"{self.names(value[0])}({', '.join(map(self._result, value[1]))})"
        number, t = value
        joint = self.capture.joint
        if kind == "output" and joint is not None and (number in joint.history or number in joint.carriers):
            return f"outs[{number}].detach()"  # the same memory is an output with a history too
        name = self.wrapped.get(id(t))
        if name is None:
            name = self.wrapped[id(t)] = f"t{len(self.wrapped)}"
            self._wrap(name, number)
        return name

    def _wrap(self, name: str, number: int) -> None:
        if self.capture.needs_grad:
            self.lines.append(f"{name} = outs[{number}]")
            return
        alias = self.capture.graph.aliases.get(number)
        if alias is None:
            self.lines.append(f"{name} = new(); {name}._a = outs[{number}]; {name}._ks = {self.capture.key}; "
                              f"{name}._ag = {name}._vc = {name}._base = None")
            return
        base = self._base(alias)
        sizes = ", ".join(f"{self.names(Var(n))}: {n}" for n in self.capture.graph.symbols)
        self.lines.append(f"{name} = view_of({base}, {self.names(alias)}, {{{sizes}}}); "
                          f"{name}._ks = {self.capture.key}")

    def _base(self, alias: Any) -> str:
        """The tensor that a view lies in."""
        if alias.kind == "input":
            arg = self.by_number.get(alias.of)
            return arg.expr if arg is not None else self.names(self.capture.inputs[alias.of])
        name = self.bases.get(alias.of)
        if name is None:
            name = self.bases[alias.of] = f"r{alias.of}"
            self._wrap(name, alias.of)
        return name


class Roots:
    """The memory that a program writes to.

    Args:
        numbers: of the inputs. overlap: whether two arrays may have memory in common; on the CPU NumPy's own
            function, which costs half as much as the one that tells GPUs apart.
    """

    def __init__(self, numbers: list[int], overlap: Any) -> None:
        self.numbers, self.overlap = numbers, overlap
        self.arrays: list[Any] = []
        self.owners: set[int] = set()

    def look(self, arrays: list[Any]) -> None:
        """Take the memory that the inputs have now."""
        self.arrays = [arrays[i] for i in self.numbers]
        self.owners.clear()
        self.owners.update(id(owner_of(a)) for a in self.arrays)

    def holds(self, a: Any) -> bool:
        """Whether an array lies in it."""
        return any(self.overlap(a, each) for each in self.arrays)


def touching(a: Any, others: tuple[Any, ...], overlap: Any) -> bool:
    """Whether an array may share memory with one of others."""
    return any(a is b or overlap(a, b) for b in others)
