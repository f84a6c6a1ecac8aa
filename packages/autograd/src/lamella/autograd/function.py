"""User-defined differentiable operations: ``class Exp(Function)`` with ``forward`` and ``backward``."""

from __future__ import annotations

import inspect
from contextlib import nullcontext
from typing import Any

from lamella.core.tensor import Tensor, alias, describe
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.state import state

from . import saved
from .graph import CHECKED, MULTI, SAVES, AccumulateGrad, Node, counter, fit, node_of
from .inplace import check_inplace, rebase_history
from .saved import FREED, OWN, explain_freed, pack_one, unpack_value
from .variable import leaf_of


class FunctionCtx:
    """What ``forward`` notes for ``backward``. Any other attribute may be set on it too.

    Attributes:
        needs_input_grad: for each argument of ``apply``, whether its gradient is wanted.
        saved_tensors: what ``save_for_backward`` was given.
    """

    needs_input_grad: tuple[bool, ...] = ()
    materialize_grads = True

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (inputs, outputs, or None) for ``backward``; read them there as ``ctx.saved_tensors``.

        Tensors that are kept this way are checked for in-place changes and freed in time; attributes are not.
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for ``jvp``."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Tell that ``forward`` changed these inputs in place; it must also return them."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Tell that these outputs have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether ``backward`` gets zeros (the default) or None for outputs that nobody used."""
        self.materialize_grads = value

    def mark_shared_storage(self, *_pairs: Any) -> None:
        """Not needed: accepted for old programs."""

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors given to ``save_for_backward``, checked for in-place changes."""
        node = self.__dict__.get("_node")
        if node is None:
            return tuple(self.__dict__.get("to_save", ()))
        return node.unpack_all()

    saved_variables = saved_tensors

    def name(self) -> str:
        """The node's name."""
        node = self.__dict__.get("_node")
        return type(self).__name__ if node is None else node.name()


class FunctionNode(Node):
    """The graph's side of one call of a `Function`; unknown attributes are looked up on its ctx."""

    __slots__ = ("ctx", "function", "inputs", "outputs", "positions", "kept", "versions", "dirty_place")
    kind = SAVES | CHECKED
    custom = True
    ctx: FunctionCtx
    function: type[Function]
    kept: Any
    versions: list[int]
    positions: list[int]
    inputs: list[Like | None]
    outputs: list[Any]
    dirty_place: int

    def __getattr__(self, name: str) -> Any:
        if name in ("ctx", "kept") or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.ctx, name)

    def name(self) -> str:
        return f"{self.function.__name__}Backward"

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What the call saved."""
        return self.unpack_all()

    def keep(self, tensors: tuple[Any, ...], outputs: list[Any]) -> None:
        """Save tensors: own outputs without their edge, leaves as their twins."""
        places = {id(o): i for i, o in enumerate(outputs)}
        kept: list[Any] = []
        versions = []
        for i, t in enumerate(tensors):
            if t is not None and not isinstance(t, Tensor):
                raise TypeError(message("save_for_backward", f"can only save variables, but argument {i} is of type "
                                        f"{type(t).__name__}", hint="keep other values as attributes: ctx.x = x"))
            versions.append(0 if t is None or t._vc is None else t._vc.n)
            place = places.get(id(t))
            if t is None:
                kept.append(None)
            elif place is not None and t._ag is not None and node_of(t._ag) is self:
                kept.append((pack_one(alias(t)), place))
            else:
                kept.append((pack_one(t if t._twin is None else t._twin), None))
        self.kept = kept
        self.versions = versions

    def unpack_all(self) -> tuple[Any, ...]:
        """The saved tensors, checked."""
        if self.kept is FREED:
            raise RuntimeError(explain_freed(self))
        found: list[Any] = []
        recording = not state.thread.exclude & AUTOGRAD_MASK
        for entry, then in zip(self.kept, self.versions, strict=True):
            if entry is None:
                found.append(None)
                continue
            t, place = entry
            t = unpack_value(self, t, then, "a saved tensor" if place is None else OWN)
            if place is None:
                t = leaf_of(t)
            elif recording:
                t = alias(t)
                t._ag = (self, place)
                t._ks |= (t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
            found.append(t)
        return tuple(found)

    def release(self) -> None:
        self.kept = FREED

    def apply(self, *grads: Any) -> tuple[Any, ...]:
        if self.ctx.materialize_grads:
            grads = tuple(self.outputs[i](g) for i, g in enumerate(grads))
        backward = self.function.backward
        if self.function.vjp is not Function.vjp:
            if backward is not Function.backward:
                raise RuntimeError(message(self.name(), "Implementing both 'backward' and 'vjp' for a custom "
                                                        "Function is not allowed", hint="keep one of them"))
            backward = self.function.vjp
        found = backward(self.ctx, *grads)
        return self.checked(tuple(found) if isinstance(found, (tuple, list)) else (found,))

    def checked(self, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients of the tensor arguments, after everything that ``backward`` may have got wrong."""
        n = len(self.ctx.needs_input_grad)
        if len(found) > n and all(g is None for g in found[n:]):
            found = found[:n]
        if len(found) != n:
            raise RuntimeError(message(
                self.name(), f"function {self.name()} returned an incorrect number of gradients (expected {n}, got "
                f"{len(found)})", hint="backward returns one value per argument of forward, None for those without "
                                       "gradient"))
        result: list[Any] = [None] * len(self.positions)
        wanted = dict(zip(self.positions, range(n), strict=False))
        for i, g in enumerate(found):
            place = wanted.get(i)
            if g is None:
                continue
            if not isinstance(g, Tensor):
                raise TypeError(message(self.name(), f"expected Variable or None at position {i} (got "
                                                     f"{type(g).__name__})"))
            if place is None:
                raise RuntimeError(message(
                    self.name(), f"function {self.name()} returned a gradient different from None at position "
                                 f"{i + 1}, but the corresponding forward input was not a Variable", [describe(g)]))
            like = self.inputs[place]
            if like is not None:
                result[place] = g if like.fits(g) else fit(g, like, self)
        return tuple(result)


class Like:
    """Shape, type and device of a tensor that is not kept."""

    __slots__ = ("shape", "dtype", "device", "a_shape", "ks", "__weakref__")

    def __init__(self, t: Tensor) -> None:
        self.shape, self.dtype, self.device = t.shape, t.dtype, t.device
        self.a_shape, self.ks = t._a.shape, t._ks & BACKEND_MASK

    def fits(self, g: Tensor) -> bool:
        """Whether ``g`` is such a tensor."""
        return g._a.shape == self.a_shape and g.dtype is self.dtype and g._ks & BACKEND_MASK == self.ks

    def __call__(self, g: Any) -> Any:
        """``g``, or zeros for None."""
        if g is not None:
            return g
        from lamella import core

        return core.zeros(self.shape, dtype=self.dtype, device=self.device)  # type: ignore[attr-defined]


def _no_zeros(g: Any) -> Any:
    return g


class FunctionMeta(type):
    """Gives `Function` classes their ``apply`` name in error messages; calling the class makes an instance as ever."""


class Function(FunctionCtx, metaclass=FunctionMeta):
    """Base of user-defined differentiable operations.

    Define static methods ``forward(ctx, *args)`` (or ``forward(*args)`` and ``setup_context(ctx, inputs, output)``) and
    ``backward(ctx, *grad_outputs)``, which returns one gradient per argument of ``forward``. Call it as
    ``Name.apply(*args)``.

    Example:
        >>> from lamella.core import tensor
        >>> class Double(Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * 2
        >>> x = tensor(1.0, requires_grad=True)
        >>> Double.apply(x).backward()
        >>> x.grad
        tensor(2.)
    """

    generate_vmap_rule = False
    #: It is the Autograd kernel of an operator, which a transform calls on its tensors as they are.
    _for_operator = False

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise RuntimeError(message(type(self).__name__, "legacy autograd function with non-static forward method is "
                                                        "not "
                                   "supported", hint="make forward and backward static methods and call .apply(...)"))

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result; called without recording."""
        raise NotImplementedError(message("Function", "you must implement the forward function for custom "
                                          "autograd.Function"))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Note what ``backward`` needs, where ``forward`` takes no ctx."""
        raise NotImplementedError(message("Function", "setup_context is not implemented"))

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Compute the gradient of each argument of ``forward`` from those of its results."""
        raise NotImplementedError(message("Function", "you must implement either the backward or vjp method for your "
                                                      "custom autograd.Function to use it with backward mode AD"))

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Compute the tangents of the results from those of the arguments."""
        raise NotImplementedError(message("Function", "you must implement the jvp function for custom "
                                                      "autograd.Function to use it with forward mode AD"))

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Compute a whole batch at once."""
        raise NotImplementedError(message("Function", "to use it with vmap, override the vmap staticmethod or set "
                                          "generate_vmap_rule=True"))

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` and record the call."""
        separate = cls.setup_context is not Function.setup_context
        if kwargs or separate:
            args = _bind(cls, args, kwargs, separate)
        wrapped = any(isinstance(a, Tensor) and a._ks & TRANSFORM_MASK for a in args)
        if wrapped and not cls._for_operator:
            from .transforms.functions import dispatched

            done, args = dispatched(cls, args)
            if done:
                return args
            wrapped = False
        ctx: Any = FunctionCtx()
        needs = tuple(isinstance(a, Tensor) and a._ag is not None for a in args)
        ctx.needs_input_grad = needs
        recording = True in needs and not state.thread.exclude & AUTOGRAD_MASK
        with nullcontext() if wrapped else state.masks(exclude=AUTOGRAD_MASK):
            if separate:
                out = cls.forward(*args)
                cls.setup_context(ctx, args, out)
            else:
                out = cls.forward(ctx, *args)
        many = out.__class__ is tuple or (isinstance(out, tuple))
        outputs = list(out) if many else [out]
        outputs = _record(cls, ctx, args, outputs, recording)
        return tuple(outputs) if many else outputs[0]


def _bind(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any], separate: bool) -> tuple[Any, ...]:
    signature = inspect.signature(cls.forward)
    bound = signature.bind(*args, **kwargs) if separate else signature.bind(None, *args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(message(f"{cls.__name__}.apply", "takes no keyword arguments", list(bound.kwargs)))
    return bound.args if separate else bound.args[1:]


def _record(cls: Any, ctx: Any, args: tuple[Any, ...], outputs: list[Any], recording: bool) -> list[Any]:
    """Turn what ``forward`` returned into the results of the call: with history where there is one."""
    dirty = {id(t) for t in ctx.__dict__.get("dirty_tensors", ())}
    inputs = [a for a in args if isinstance(a, Tensor)]
    _check_dirty(cls, dirty, inputs, outputs)
    if not recording:
        taken = {id(t) for t in inputs}
        return [_as_is(o, dirty) if id(o) in taken else o for o in outputs]
    node = FunctionNode()
    node.ctx, node.function = ctx, cls
    node.edges = tuple(t._ag for t in inputs)
    node.positions = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
    node.inputs = [None if t._ag is None else Like(t) for t in inputs]
    node.num_outputs = len(outputs)
    if len(outputs) != 1:
        node.kind = FunctionNode.kind | MULTI
    node.dirty_place = next((k for k, t in enumerate(inputs) if id(t) in dirty), 0)
    ctx._node = _Weak(node)
    fixed = {id(t) for t in ctx.__dict__.get("non_differentiable", ())}
    taken = {id(t) for t in inputs}
    results = [_output(node, i, o, dirty, fixed, taken) for i, o in enumerate(outputs)]
    node.seq = next(counter)
    node.outputs = [Like(o) if isinstance(o, Tensor) else _no_zeros for o in results]
    to_save = [results[next((i for i, o in enumerate(outputs) if o is t), -1)] if any(o is t for o in outputs)
             and id(t) not in taken else t for t in ctx.__dict__.pop("to_save", ())]
    node.keep(tuple(to_save), results)
    if saved.recorder is not None:
        saved.recorder(node, results)
    return results


class _Weak:
    """The node as its ctx sees it: the node owns the ctx, not the other way round."""

    __slots__ = ("ref",)

    def __init__(self, node: FunctionNode) -> None:
        import weakref

        self.ref = weakref.ref(node)

    def __getattr__(self, name: str) -> Any:
        node = self.ref()
        if node is None:
            raise RuntimeError(message("ctx", "the call that this ctx belongs to is gone"))
        return getattr(node, name)


def _check_dirty(cls: Any, dirty: set[int], inputs: list[Any], outputs: list[Any]) -> None:
    """What is marked dirty must be an input that is returned and may be written to."""
    returned = {id(o) for o in outputs}
    for t in inputs:
        if id(t) not in dirty:
            continue
        if id(t) not in returned:
            raise RuntimeError(message(cls.__name__, "some elements marked as dirty during the forward method were not "
                                       "returned as output", [describe(t)],
                                       hint="the inputs that are modified inplace must all be outputs of the Function"))
        if not state.thread.exclude & AUTOGRAD_MASK:
            check_inplace(cls.__name__, t)
            if t._base is not None and t._ag is not None and len(outputs) > 1:
                raise RuntimeError(message(cls.__name__, "modifies an input that is a view in place and so cannot "
                                                         "return more than one "
                                                         "tensor", [describe(t)], hint="clone() the view first"))


def _as_is(o: Any, dirty: set[int]) -> Any:
    return o if id(o) in dirty else alias(o)


def _output(node: FunctionNode, i: int, o: Any, dirty: set[int], fixed: set[int], taken: set[int]) -> Any:
    if not isinstance(o, Tensor):
        return o
    no_grad = id(o) in fixed or not (o.is_floating_point() or o.is_complex())
    bits = (o._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
    if id(o) in dirty and id(o) in taken and not no_grad:
        if o._base is None:
            o._twin = None  # type: ignore[attr-defined]
            o._ag = (node, i)
            o._ks |= bits
        else:
            node.seq = next(counter)
            rebase_history(o, node, bits, node.dirty_place)
        return o
    if id(o) in taken:
        base = o if o._base is None else o._base
        o = alias(o)
        if not no_grad:
            o._base = base
    elif o._ag is not None and isinstance(o._ag, AccumulateGrad):
        o = alias(o)
    if no_grad:
        o._ag = None
        o._ks &= ~AUTOGRAD_MASK
    else:
        o._ag = (node, i)
        o._ks |= bits
    return o


class InplaceFunction(Function):
    """A `Function` with an ``inplace`` flag."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


__all__ = ["Function", "FunctionCtx", "InplaceFunction"]
