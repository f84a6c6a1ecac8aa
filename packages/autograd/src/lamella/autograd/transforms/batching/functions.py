"""Custom `Function`s inside `vmap`: their own ``vmap`` method, or one made of ``forward`` and ``backward``."""

from __future__ import annotations

from typing import Any, NamedTuple

from lamella.core.tensor import Tensor
from lamella.dispatch.custom import vmap_rules
from lamella.dispatch.errors import message
from lamella.dispatch.registry import OpOverload

from ...function import Function, FunctionCtx
from ...pytree import tree_flatten, tree_unflatten
from ..functions import check_setup
from ..levels import running
from .level import BatchLevel, move


class VmapInfo(NamedTuple):
    """What a ``vmap`` method is told about the `vmap` that runs."""

    batch_size: int
    randomness: str


def run_function(level: BatchLevel, cls: Any, args: tuple[Any, ...]) -> Any:
    """A custom function's call on batched tensors."""
    own = cls.vmap is not Function.vmap
    if own and cls.generate_vmap_rule:
        raise RuntimeError(message(cls.__name__, "You tried to vmap over it, but it has both generate_vmap_rule=True "
                                                 "and an overridden vmap staticmethod",
                                   hint="set generate_vmap_rule=False or delete the vmap staticmethod"))
    if not own and not cls.generate_vmap_rule:
        raise RuntimeError(message(cls.__name__, "You tried to vmap over it, but it does not have vmap support",
                                   hint="override the vmap staticmethod, or set generate_vmap_rule=True"))
    check_setup(cls)
    values, dims = zip(*[level.split(a) if isinstance(a, Tensor) else (a, None) for a in args], strict=True)
    if not own:
        return _generated(level, cls, values, dims)
    return _placed(level, cls.__name__, cls.vmap(VmapInfo(level.size, level.randomness), dims, *values))


def run_registered(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The rule of an operator with a function from ``torch.library.register_vmap``."""

    def split(x: Any) -> tuple[Any, Any]:
        if x.__class__ in (list, tuple):
            parts = [split(v) for v in x]
            return type(x)([v for v, _ in parts]), type(x)([d for _, d in parts])
        return level.split(x) if isinstance(x, Tensor) else (x, None)

    values, dims = split(tuple(args))
    named = {k: split(v)[0] for k, v in kwargs.items()}
    return _placed(level, op.opname, vmap_rules[op.name](VmapInfo(level.size, level.randomness), dims, *values,
                                                         **named))


def _placed(level: BatchLevel, name: str, found: Any) -> Any:
    """What a ``vmap`` method returned: outputs with their batch dimensions."""
    if not isinstance(found, tuple) or len(found) != 2:
        raise RuntimeError(message(name, "Expected the vmap staticmethod to have two returns, an output and out_dims "
                                         "with pytree structure compatible with the output",
                                   {"got": type(found).__name__}))
    out, out_dims = found
    from ..batched import spread

    leaves, spec = tree_flatten(out)
    places = spread(out_dims, spec)
    if places is None:
        raise RuntimeError(message(name, "The autograd.Function's vmap staticmethod returned an incompatible (output, "
                                         f"out_dims) tuple: out_dims={out_dims} does not fit the structure of the "
                                         "output"))
    wrapped = [x if d is None or not isinstance(x, Tensor) else level.wrap(x, d % x._a.ndim)
               for x, d in zip(leaves, places, strict=True)]
    return tree_unflatten(wrapped, spec)


def _generated(level: BatchLevel, cls: Any, values: tuple[Any, ...], dims: tuple[Any, ...]) -> Any:
    """The call as one of a function on whole batches, made of the original's methods under a `vmap` each."""
    batch = _Batch(level.size, level.randomness)
    made = type(f"Vmapped{cls.__name__}", (Function,), {
        "generate_vmap_rule": True,
        "forward": staticmethod(lambda *xs: batch.forward(cls, dims, xs)),
        "setup_context": staticmethod(lambda ctx, inputs, output: batch.setup(cls, dims, ctx, inputs, output)),
        "backward": staticmethod(lambda ctx, *grads: batch.backward(cls, dims, ctx, grads)),
        "jvp": staticmethod(lambda ctx, *tangents: batch.jvp(cls, dims, ctx, tangents)),
    })
    out = made.apply(*values)
    outputs = out if isinstance(out, tuple) else (out,)
    results = [x if d is None else level.wrap(x, d) for x, d in zip(outputs, batch.out_dims, strict=True)]
    return tuple(results) if isinstance(out, tuple) else results[0]


class _Batch:
    """One generated call: where the batch is in what it passes on.

    Attributes:
        out_dims: the batch dimension (or None) of each output.
        saved_dims: those of the tensors that were saved, by what they were saved for.
    """

    def __init__(self, size: int, randomness: str) -> None:
        self.size, self.randomness = size, randomness
        self.out_dims: list[Any] = []
        self.saved_dims: dict[str, list[Any]] = {}

    def level(self) -> Any:
        return running(BatchLevel(self.size, self.randomness))

    def forward(self, cls: Any, dims: Any, xs: Any) -> Any:
        with self.level() as level:
            out = cls.forward(*_batched(level, xs, dims))
            many = isinstance(out, tuple)
            parts = [level.split(o) if isinstance(o, Tensor) else (o, None) for o in (out if many else (out,))]
        self.out_dims = [d for _, d in parts]
        return tuple(v for v, _ in parts) if many else parts[0][0]

    def setup(self, cls: Any, dims: Any, ctx: Any, inputs: Any, output: Any) -> None:
        inner: Any = FunctionCtx()
        inner.needs_input_grad = ctx.needs_input_grad
        with self.level() as level:
            xs = _batched(level, inputs, dims)
            outs = _batched(level, output if isinstance(output, tuple) else (output,), self.out_dims)
            cls.setup_context(inner, tuple(xs), tuple(outs) if isinstance(output, tuple) else outs[0])
            known = [*zip(xs, inputs, strict=True),
                     *zip(outs, output if isinstance(output, tuple) else (output,), strict=True)]
            for name in ("to_save", "saved_for_forward"):
                if name in inner.__dict__:
                    parts = [_own(level, t, known) for t in inner.__dict__.pop(name)]
                    self.saved_dims[name] = [d for _, d in parts]
                    (ctx.save_for_backward if name == "to_save" else ctx.save_for_forward)(*[v for v, _ in parts])
            fixed = [_own(level, t, known)[0] for t in inner.__dict__.pop("non_differentiable", ())]
            if fixed:
                ctx.mark_non_differentiable(*fixed)
        ctx.set_materialize_grads(inner.materialize_grads)
        ctx.inner = inner

    def _context(self, level: BatchLevel, ctx: Any, name: str) -> Any:
        """The original's ctx with its saved tensors batched."""
        saved = ctx.saved_tensors
        inner = FunctionCtx()
        inner.__dict__.update(ctx.inner.__dict__)
        inner.to_save = tuple(_batched(level, saved, self.saved_dims.get(name, [])))
        return inner

    def backward(self, cls: Any, dims: Any, ctx: Any, grads: Any) -> Any:
        with self.level() as level:
            inner = self._context(level, ctx, "to_save")
            found = cls.backward(inner, *_batched(level, grads, self.out_dims))
            found = found if isinstance(found, (tuple, list)) else (found,)
            return tuple([self._gradient(level, g, d) for g, d in zip(found, dims, strict=False)])

    def _gradient(self, level: BatchLevel, g: Any, dim: Any) -> Any:
        """The gradient of an input: of each example, or the sum over them where it is not batched."""
        if g is None:
            return None
        value, at = level.split(g)
        if dim is None:
            return value * self.size if at is None else value.sum(at)
        if at is None:
            value, at = value.expand(self.size, *value.shape), 0
        return move(value, at, dim)

    def jvp(self, cls: Any, dims: Any, ctx: Any, tangents: Any) -> Any:
        with self.level() as level:
            kept = "saved_for_forward" if "saved_for_forward" in self.saved_dims else "to_save"
            inner = self._context(level, ctx, kept)
            found = cls.jvp(inner, *_batched(level, tangents, dims))
            many = isinstance(found, tuple)
            results = []
            for t, d in zip(found if many else (found,), self.out_dims, strict=True):
                results.append(None if t is None else move(level.full(t), 0, d) if d is not None else level.split(t)[0])
            return tuple(results) if many else results[0]


def _batched(level: BatchLevel, values: Any, dims: Any) -> list[Any]:
    return [level.wrap(x, d) if isinstance(x, Tensor) and d is not None else x
            for x, d in zip(values, dims, strict=True)]


def _own(level: BatchLevel, t: Any, known: Any) -> tuple[Any, Any]:
    """What a tensor of the original's ctx is outside: the same input or output, or a value."""
    if not isinstance(t, Tensor):
        return t, None
    value, dim = level.split(t)
    for inside, outside in known:
        if inside is t:
            return outside, dim
    return value, dim
