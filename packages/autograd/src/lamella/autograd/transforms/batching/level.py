"""The level of a running `vmap` and its tensors.

A batched tensor holds a value with one more dimension, the batch; operators see it without that dimension. An operator
on batched tensors goes to its rule, which calls operators on the values.
"""

from __future__ import annotations

from typing import Any

from lamella.core._gen import conversion as _conversion, shape as _shape
from lamella.core.functions import creation as _creation
from lamella.core.tensor import VersionCounter
from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.registry import OpOverload

from ..levels import Level, Wrapped, alive, base_of, invoke, map_tensors
from .opaque import no_control, no_data, opaque
from .rules import rule_of


class BatchedTensor(Wrapped):
    """A tensor of `vmap`: one example as the function sees it, all of them in its value."""

    __slots__ = ()
    _bdim: int

    def _alias(self) -> Any:
        return self._level.wrap(self._value, self._bdim)  # type: ignore[attr-defined]

    def __repr__(self, *, tensor_contents: str | None = None) -> str:  # type: ignore[override]
        return self._level.shown(self)

    def __format__(self, spec: str) -> str:
        return object.__format__(self, spec)

    def data_ptr(self) -> int:
        raise no_data("data_ptr")

    def numpy(self, *, force: bool = False) -> Any:
        raise no_data("numpy")

    def __bool__(self) -> bool:
        raise no_control()

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        raise RuntimeError(message(
            "requires_grad_", "You are attempting to call Tensor.requires_grad_() inside of a function being "
                              "transformed by vmap", hint="use torch.func.grad or vjp, or call it outside of vmap"))


class BatchLevel(Level):
    """A running `vmap`.

    Attributes:
        size: how many examples there are.
        randomness: "error", "same" or "different": what random operators do.
    """

    def __init__(self, size: int, randomness: str = "error") -> None:
        self.size = size
        self.randomness = randomness

    def wrap(self, value: Any, dim: int = 0, base: Any = None) -> BatchedTensor:
        """A batched tensor whose batch is dimension ``dim`` of ``value``."""
        t = object.__new__(BatchedTensor)
        vc = value._vc
        if vc is None:
            vc = value._vc = VersionCounter()
        t._value, t._level, t._bdim = value, self, dim
        t._a, t._vc, t._base, t._ag = opaque(value._a, dim), vc, base, None
        t._ks = value._ks & BACKEND_MASK | TRANSFORM_MASK
        return t

    def split(self, t: Any) -> tuple[Any, int | None]:
        """A tensor's value and batch dimension; the tensor itself and None where it is not batched here."""
        if isinstance(t, Wrapped):
            t = alive(t)  # a transform that has ended may have wrapped one of this level
            if t.__class__ is BatchedTensor and t._level is self:
                return t._value, t._bdim
        return t, None

    def has(self, t: Any) -> bool:
        """Whether ``t`` is batched at this level."""
        if isinstance(t, Wrapped):
            t = alive(t)
        return t.__class__ is BatchedTensor and t._level is self

    def front(self, t: Any) -> Any:
        """A batched tensor's value with the batch in front; any other tensor as it is."""
        value, dim = self.split(t)
        return value if not dim else to_front(value, dim)

    def full(self, t: Any) -> Any:
        """A tensor's value with the batch in front, repeated where it is not batched."""
        value, dim = self.split(t)
        if dim is None:
            return _shape.op_expand(value, (self.size, *value._a.shape))
        return value if dim == 0 else to_front(value, dim)

    def process(self, op: OpOverload, ks: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return rule_of(op)(self, op, args, kwargs)

    def run_function(self, cls: Any, args: tuple[Any, ...]) -> Any:
        from .functions import run_function

        return run_function(self, cls, args)

    def shown(self, t: Any) -> str:
        inner = repr(t._value).replace("\n", "\n    ")
        return f"BatchedTensor(lvl={self.depth}, bdim={t._bdim}, value=\n    {inner}\n)"

    def dead_value(self, t: Wrapped) -> Any:
        raise RuntimeError(message(
            "vmap", "a tensor has escaped from inside the function that was mapped and is used after it has returned",
            hint="return it from the function instead"))


def to_front(value: Any, dim: int) -> Any:
    """``value`` with dimension ``dim`` first."""
    n = value._a.ndim
    return _shape.op_permute(value, (dim, *range(dim), *range(dim + 1, n)))


def move(value: Any, source: int, target: int) -> Any:
    """``value`` with one dimension at another place."""
    if source == target:
        return value
    order = [i for i in range(value._a.ndim) if i != source]
    order.insert(target, source)
    return _shape.op_permute(value, tuple(order))


def wrapped(level: BatchLevel, out: Any, dim: int = 0, sources: tuple[Any, ...] = ()) -> Any:
    """An operator's results as batched tensors; ``sources`` are those that they may be views of."""
    if sources:
        return map_tensors(lambda v: level.wrap(v, dim, base_of(v, sources)), out)
    return map_tensors(lambda v: level.wrap(v, dim), out)


def batch_like(r: Any, t: Any) -> Any:
    """A new tensor, batched as the tensor is that it was made like: written to, it may hold a value per example."""
    t = alive(t)
    if not isinstance(t, Wrapped):
        return r
    level = t._level
    if not isinstance(level, BatchLevel):
        return batch_like(r, t._value)
    if level.has(r):
        return level.wrap(batch_like(r._value, t._value), r._bdim)
    if isinstance(r, Wrapped):
        inner = r._level
        if not isinstance(inner, BatchLevel):
            return r
        if inner.depth > level.depth:
            return inner.wrap(batch_like(r._value, t), r._bdim)
    return level.wrap(batch_like(_repeated(r, level.size), t._value))


def _repeated(r: Any, size: int) -> Any:
    """A tensor once per example, each with its strides if it is a plain one."""
    whole = _shape.op_expand(r, (size, *r._a.shape))
    if isinstance(r, Wrapped) or r._a.flags.c_contiguous or not r._a.size:
        return _conversion.op_clone(whole)
    strides = r.stride()
    extent = 1 + sum((n - 1) * s for n, s in zip(r._a.shape, strides, strict=True))
    out = _creation.empty_strided((size, *r._a.shape), (extent, *strides), dtype=r.dtype, device=r.device)
    return _conversion.op_copy_(out, whole)


_creation.batch_like = batch_like
__all__ = ["BatchLevel", "BatchedTensor", "base_of", "batch_like", "invoke", "move", "to_front", "wrapped"]
