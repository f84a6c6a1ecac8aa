"""Transforms as layers: tensors that belong to a running transform, and the key that takes calls on them apart.

A transform (`grad`, `jvp`, `vmap`) runs a function on *wrapped* tensors. A wrapped tensor belongs to one `Level` and
holds a value: a plain tensor or one of a level further out. It carries the key ``Transform``, which is above Autograd,
so every operator call on it comes to `layer`. There the innermost level among the arguments acts: it takes its own
wrappers off, sees everything else as constant, and calls operators on the values. Those calls are dispatched as usual
and meet the next level further out, and at last autograd and the backend. So transforms nest in any order.

Wrappers outlive their level when a function lets them escape (by a closure, or `vjp`'s saved tensors). The wrappers of
a level that has ended stand for their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.keys import DispatchKey
from lamella.dispatch.modes import _is_composite
from lamella.dispatch.registry import OpOverload, factory_keys, find, keys_in, set_fallback
from lamella.dispatch.state import state


class Level:
    """One running transform.

    Attributes:
        depth: 1 for the outermost one of this thread.
        alive: False once the transform has returned.
        adopted: tensors of further out that became wrappers of this level when they were written to (see `adoption`).
    """

    depth = 0
    alive = True
    adopted: list[Any] | None = None

    def process(self, op: OpOverload, ks: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call in which this level's wrappers are the innermost ones."""
        raise NotImplementedError

    def dead_value(self, t: Wrapped) -> Any:
        """What a wrapper stands for once this level has ended."""
        return t._value

    def ask_for_gradients(self, t: Any, on: bool) -> Any:
        """`requires_grad_` on a tensor of this level."""
        if not self.alive:
            return alive(t).requires_grad_(on)
        raise RuntimeError(message(
            "requires_grad_", "You are attempting to call Tensor.requires_grad_() (or perhaps using "
                              "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
                              "transform", hint="use torch.func.grad, vjp or jacrev inside, or call it outside"))

    def shown(self, t: Any) -> str:
        """How a tensor of this level prints."""
        return f"{type(t).__name__}(lvl={self.depth}, value={t._value!r})"

    def taken_in(self, t: Any) -> None:
        """A tensor of further out has become a wrapper of this level (see `adoption`)."""

    def let_go(self, t: Any) -> None:
        """Such a wrapper is about to become what it was."""

    def run_function(self, cls: Any, args: tuple[Any, ...]) -> Any:
        """Call a custom `Function` where this level's wrappers are the innermost ones among its arguments."""
        raise RuntimeError(message(cls.__name__, f"cannot be called within {type(self).__name__}"))


class Wrapped(Tensor):
    """A tensor of a transform.

    ``_a`` has the logical shape and element type: the value's own array where shapes agree, else one without readable
    contents. There are no slots of its own, so that a plain tensor can become a wrapper and turn back.
    """

    __slots__ = ()
    _plain = True
    _value: Any
    _level: Level

    def _become(self, view: Any) -> None:
        """Take over the shape of a view of this tensor (``t_``, ``squeeze_``, ...)."""
        view = alive(view)
        if isinstance(view, Wrapped) and view._level is self._level:
            self.__dict__.update(view.__dict__)
        else:
            self._value = view
        self._a = view._a

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Refused: a transform decides what is differentiated by."""
        return self._level.ask_for_gradients(self, requires_grad)

    def __repr__(self, *, tensor_contents: str | None = None) -> str:  # type: ignore[override]
        return self._level.shown(self) if self._level.alive else repr(alive(self))

    def __str__(self) -> str:  # type: ignore[override]
        return repr(self)

    def __format__(self, spec: str) -> str:
        return object.__format__(self, spec) if self._a.ndim or self._level.alive else format(alive(self), spec)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.clone()  # type: ignore[attr-defined]


def stack() -> list[Level]:
    """The running transforms of this thread, outermost first."""
    here = state.thread.__dict__
    found = here.get("levels")
    if found is None:
        found = here["levels"] = []
    return found


@contextmanager
def running(level: Level) -> Iterator[Any]:
    """Run a block inside a new level."""
    begun(level)
    try:
        yield level
    finally:
        ended(level)


def begun(level: Level) -> None:
    """Begin a level inside those that run."""
    levels = stack()
    level.depth = levels[-1].depth + 1 if levels else 1  # one that began earlier may end before the last
    levels.append(level)


def ended(level: Level) -> None:
    """End a level: its wrappers stand for their values from now on."""
    level.alive = False
    stack().remove(level)
    if level.adopted:
        from .adoption import give_back

        give_back(level)


def innermost(values: Any) -> Level | None:
    """The deepest running level among the wrapped tensors in arguments (looking into lists and tuples)."""
    found: Level | None = None
    for v in values:
        if isinstance(v, Wrapped):
            level: Level | None = v._level
            while level is not None and not level.alive:  # it stands for its value, which may be wrapped too
                v = v._level.dead_value(v)
                level = v._level if isinstance(v, Wrapped) else None
        elif v.__class__ in (list, tuple):
            level = innermost(v)
        else:
            continue
        if level is not None and (found is None or level.depth > found.depth):
            found = level
    return found


def alive(t: Any) -> Any:
    """A tensor without the wrappers of ended levels around it."""
    while isinstance(t, Wrapped) and not t._level.alive:
        t = t._level.dead_value(t)
    return t


def unwrapped(level: Level, t: Any) -> Any:
    """A tensor (or any other value) without a level's wrapper."""
    t = alive(t)
    return t._value if isinstance(t, Wrapped) and t._level is level else t


_NUMBERS = frozenset({int, float, bool, type(None), str, complex})


def base_of(value: Tensor, wrappers: Iterable[Any]) -> Any:
    """The one of some wrapped tensors, or the base of one, that ``value`` is a view of; None where it is no view."""
    base = value._base
    if base is None:
        return None
    for w in wrappers:
        if w._value is base or w._value._base is base:
            return w if w._base is None else w._base
    return None


def map_tensors(fn: Callable[[Tensor], Any], values: Any) -> Any:
    """``values`` (one argument, or a list or tuple of them) with ``fn`` applied to each tensor."""
    kind = values.__class__
    if kind in _NUMBERS:
        return values
    if isinstance(values, Tensor):
        return fn(values)
    if kind is tuple:
        return tuple([map_tensors(fn, v) for v in values])
    if kind is list:
        return [map_tensors(fn, v) for v in values]
    if isinstance(values, tuple) and values and any(isinstance(v, Tensor) for v in values):  # named results
        return type(values)(*[map_tensors(fn, v) for v in values]) if hasattr(values, "_fields") else type(values)(
            [map_tensors(fn, v) for v in values])
    return values


def map_call(fn: Callable[[Tensor], Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """Both kinds of arguments with ``fn`` applied to each tensor."""
    mapped = tuple([map_tensors(fn, a) for a in args])
    return mapped, {k: map_tensors(fn, v) for k, v in kwargs.items()} if kwargs else {}


def invoke(op: OpOverload, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call an operator whose arguments are in the schema's order already."""
    ks = keys_in(args)
    if kwargs:
        ks |= keys_in(tuple(kwargs.values()))
    ks = ks or factory_keys(kwargs.get("device"))
    if ks & state.affected:
        ks = state.apply(ks)
    return op.table[ks](*args, **kwargs)


def functional(op: OpOverload) -> OpOverload | None:
    """The operator that an in-place one stands for: ``add.Tensor`` for ``add_.Tensor``."""
    name = f"{op.namespace}::{op.opname[:-1]}"
    return find(f"{name}.{op.overload}" if op.overload else name)


def layer(op: OpOverload, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of the key ``Transform``: composite operators run their body, the others go to the innermost level."""
    if _is_composite(op, ks):
        return lower

    def transform(*args: Any, **kwargs: Any) -> Any:
        level = innermost(args)
        if kwargs:
            other = innermost(kwargs.values())
            if level is None or other is not None and other.depth > level.depth:
                level = other
        if level is None:
            return invoke(op, *map_call(alive, args, kwargs))
        return level.process(op, ks, args, kwargs)

    return transform


set_fallback(DispatchKey.Transform, layer, kind="bind", where=__name__)


_written: dict[OpOverload, int | None] = {}


def written_place(op: OpOverload) -> int | None:
    """Which positional argument an in-place operator writes to (and returns); None for the others."""
    try:
        return _written[op]
    except KeyError:
        place = None
        if op.opname.endswith("_") and op.schema.is_inplace:
            place = 0
        _written[op] = place
        return place
