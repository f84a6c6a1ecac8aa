"""How tangents go through operators.

Four ways, tried in this order:

1. `LINEAR`: the operator is linear in some arguments together (views, sums, ``cat``): it is applied to the tangents.
2. `PRODUCTS`: it is linear in each of some arguments alone (``mul``, ``mm``): one term for each of them.
3. `DIAGONAL`: each element of the result depends on the element of the argument only: the backward formula of a
   diagonal real Jacobian is the forward formula.
4. Everything else: backward is linear in its gradients, so backward of backward, with respect to them, is the forward
   derivative. This needs no formula of its own and is right wherever second derivatives are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor, alias
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.registry import OpOverload
from lamella.dispatch.state import state

from .. import engine
from ..graph import counter, node_of
from ..missing import NotImplementedBackward
from .duals_special import RULES as SPECIAL
from .grads import GradLevel, GradTensor, Input, unwrap
from .levels import Wrapped, alive, functional, invoke, map_call, map_tensors, running

Rule = Callable[[Any, OpOverload, tuple[Any, ...], dict[str, Any]], tuple[Any, list[Any]]]

#: Operators that are linear in the arguments at these places together; what else they take are places, sizes, masks.
LINEAR: dict[str, tuple[int, ...]] = {f"aten::{name}": (0,) for name in (
    "view", "squeeze", "squeeze.dim", "squeeze.dims", "unsqueeze", "t", "transpose.int", "permute", "expand",
    "as_strided", "view_as_real", "view_as_complex", "alias", "select.int", "slice.Tensor", "diagonal", "unbind.int",
    "split.Tensor", "split_with_sizes", "unfold", "_unsafe_view", "clone", "_to_copy", "_fft_c2c", "_fft_r2c",
    "_fft_c2r", "index.Tensor", "index_select", "cat", "stack", "repeat", "flip", "roll", "tril", "triu", "take",
    "masked_select", "conj_physical", "neg", "positive", "sum", "sum.dim_IntList", "mean", "mean.dim", "cumsum",
    "gather", "diag_embed", "unfold_backward", "select_backward", "slice_backward", "diagonal_backward", "deg2rad",
    "rad2deg", "im2col", "col2im", "avg_pool1d", "avg_pool2d", "avg_pool3d", "_avg_pool_backward",
    "adaptive_avg_pool1d", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d", "_adaptive_avg_pool_backward",
    "reflection_pad1d", "reflection_pad2d", "reflection_pad3d", "replication_pad1d", "replication_pad2d",
    "replication_pad3d", "_pad_circular", "upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d",
    "_upsample_nearest_exact1d", "_upsample_nearest_exact2d", "_upsample_nearest_exact3d", "upsample_linear1d",
    "upsample_bilinear2d", "upsample_trilinear3d", "upsample_bicubic2d", "_upsample_bilinear2d_aa",
    "_upsample_bicubic2d_aa", "_upsample_lanczos2d_aa", "_upsample_backward", "embedding",
)}
LINEAR |= {f"aten::{name}": places for name, places in {
    "add.Tensor": (0, 1), "sub.Tensor": (0, 1), "rsub.Tensor": (0, 1), "complex": (0, 1), "where.self": (1, 2),
    "index_put": (0, 2), "index_add": (0, 3), "index_copy": (0, 3), "masked_scatter": (0, 2), "put": (0, 2),
    "scatter.src": (0, 3), "scatter_add": (0, 3), "slice_scatter": (0, 1), "select_scatter": (0, 1),
    "diagonal_scatter": (0, 1), "as_strided_scatter": (0, 1),
}.items()}

#: Operators that are linear in the argument at each of these places alone.
PRODUCTS: dict[str, tuple[int, ...]] = {f"aten::{name}": (0, 1) for name in (
    "mul.Tensor", "mm", "bmm", "mv", "dot", "vdot", "matmul",
)}

#: Elementwise functions of one argument.
DIAGONAL = frozenset(f"aten::{name}" for name in (
    "pow.Tensor_Scalar", "abs", "square", "sqrt", "rsqrt", "reciprocal", "exp", "exp2", "expm1", "log", "log2", "log10",
    "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "erf",
    "erfc", "erfinv", "lgamma", "digamma", "i0", "sinc", "sigmoid", "relu", "frac", "logit", "clamp", "polygamma",
    "special_i0e", "special_i1", "special_i1e", "special_ndtr", "special_ndtri", "special_log_ndtr", "special_entr",
    "special_erfcx", "gelu", "silu", "mish", "elu", "leaky_relu", "hardtanh", "hardsigmoid", "hardswish", "softplus",
    "log_sigmoid", "hardshrink", "softshrink", "threshold", "nan_to_num",
))


def rule_of(op: OpOverload) -> Rule:
    """How tangents go through an operator."""
    found = _rules.get(op)
    if found is None:
        name = str(op.name)
        if name in LINEAR:
            found = linear
        elif name in PRODUCTS:
            found = product
        elif name in DIAGONAL:
            found = diagonal
        else:
            found = SPECIAL.get(name, transposed)
        _rules[op] = found
    return found


_rules: dict[OpOverload, Rule] = {}


def tensors_in(out: Any) -> list[Any]:
    """The tensors of an operator's result, in order."""
    found: list[Any] = []

    def take(t: Any) -> Any:
        found.append(t)
        return t

    map_tensors(take, out)
    return found


def fitted(value: Tensor, t: Any, taken: Any) -> Any:
    """A tangent with the shape and type of its value, in memory that no tangent in ``taken`` shares."""
    if t._a.dtype is not value._a.dtype:
        if t._a.dtype.kind == "c" and value._a.dtype.kind != "c":
            t = F.real(t)
        t = t.to(value.dtype)
    if t._a.shape != value._a.shape:
        t = t.expand(value._a.shape)
    for other in taken:
        if t is other or (t._vc is not None and t._vc is other._vc):
            return t.clone()
    return t


def linear(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The operator applied to the tangents, with zeros where there is none."""
    places = LINEAR[str(op.name)]
    moved = list(args)
    for i in places:
        if i < len(args):
            moved[i] = _tangents(level, args[i])
    outs = level.call(op, args, kwargs)
    inner, named = map_call(level.primal, tuple(moved), kwargs)
    return outs, tensors_in(invoke(op, inner, named))


def _tangents(level: Any, value: Any) -> Any:
    if isinstance(value, Tensor):
        t = level.tangent(value)
        return F.zeros_like(level.primal(value)) if t is None else t
    if isinstance(value, (list, tuple)):
        return [_tangents(level, v) for v in value]
    return value if value is None else 0


def product(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The product rule: one term for each factor with a tangent."""
    outs = level.call(op, args, kwargs)
    primals, named = map_call(level.primal, args, kwargs)
    total = None
    for i in PRODUCTS[str(op.name)]:
        t = level.tangent(args[i]) if isinstance(args[i], Tensor) else None
        if t is not None:
            term = invoke(op, (*primals[:i], t, *primals[i + 1 :]), named)
            total = term if total is None else total + term
    return outs, [total]


def diagonal(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The backward formula, where that is the forward formula too."""
    x = level.primal(args[0])
    t = level.tangent(args[0])
    others = [a for a in args[1:] if isinstance(a, Tensor) and (alive(a)._ag is not None or level.mine(alive(a)))]
    if others or t is None or x._a.dtype.kind == "c" or x._ks & (AUTOGRAD_MASK | TRANSFORM_MASK):
        return transposed(level, op, args, kwargs)
    inner, named = map_call(level.primal, args[1:], kwargs)
    with _Recording():
        y = invoke(op, (_tracked(x), *inner), named)
    if y._ag is None or y._a.dtype is not x._a.dtype:
        return _plain(y), [None] if y._ag is None else transposed(level, op, args, kwargs)[1]
    node = node_of(y._ag)
    if node.__class__ is NotImplementedBackward:
        raise refuse(op)
    with state.masks(exclude=AUTOGRAD_MASK if not t._ks & AUTOGRAD_MASK else 0):
        found = node.apply(t)
    if found.__class__ is tuple:
        found = next(g for g, e in zip(found, node.edges, strict=True) if e is not None)
    return _plain(y), [found]


class _Recording:
    """Recording on for a block."""

    def __enter__(self) -> None:
        self.before = state.swap_exclude(state.thread.exclude & ~AUTOGRAD_MASK)

    def __exit__(self, *_: object) -> None:
        state.swap_exclude(self.before)


def _tracked(value: Any) -> Any:
    """A plain tensor with a history of its own."""
    t = alias(value)
    node = t._ag = Input()
    node.edges = ()
    node.seq = next(counter)
    t._ks |= (t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
    return t


def _plain(t: Any) -> Any:
    return t if t._ag is None else alias(t)


def _recorded(level: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether some primal or tangent takes part in a graph or transform further out."""
    given = tensors_in([*args, *kwargs.values()])
    seen = [level.primal(t) for t in given] + [t for t in map(level.tangent, given) if t is not None]
    return any(t._ks & (AUTOGRAD_MASK | TRANSFORM_MASK) for t in seen)


def transposed(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Backward of backward with respect to the gradients: the transpose of the transpose."""
    if _recorded(level, args, kwargs):
        inner = GradLevel()
        with running(inner), _Recording():
            outs, found = _twice(level, op, args, kwargs, inner.track, inner.wrap, True)
            return map_tensors(lambda t: unwrap(inner, t), outs), [
                None if t is None else unwrap(inner, t) for t in found]
    with _Recording():
        outs, found = _twice(level, op, args, kwargs, _tracked, lambda t: t, False)
    return map_tensors(_plain, outs), found


def _twice(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], track: Callable[[Any], Any],
           constant: Callable[[Any], Any], create: bool) -> tuple[Any, list[Any]]:
    inputs: list[Any] = []
    tangents: list[Any] = []

    def take(t: Any) -> Any:
        moving = level.tangent(t)
        value = level.primal(t)
        if moving is None:
            return value
        inputs.append(track(value))
        tangents.append(moving)
        return inputs[-1]

    inner, named = map_call(take, args, kwargs)
    outs = invoke(op, inner, named)
    results = tensors_in(outs)
    live = [i for i, y in enumerate(results) if y._ag is not None]
    found: list[Any] = [None] * len(results)
    for i in live:
        if node_of(results[i]._ag).__class__ is NotImplementedBackward:
            raise refuse(op)
    if not live:
        return outs, found
    seeds = [track(F.ones_like(_value(results[i]))) for i in live]
    first = engine.run([results[i]._ag for i in live], seeds, True, True, [x._ag for x in inputs], into_leaves=False)
    if any(g is not None and g._ag is None and _some(g) for g in first):
        raise refuse(op)  # a gradient that does not know what it was computed from
    pairs = [(g, t) for g, t in zip(first, tangents, strict=True) if g is not None and g._ag is not None]
    if not pairs:
        return outs, found
    back = engine.run([g._ag for g, _ in pairs], [constant(fitted(g, t, ())) for g, t in pairs], False, create,
                      [v._ag for v in seeds], into_leaves=False)
    for i, t in zip(live, back, strict=True):
        found[i] = t
    return outs, found


def _some(t: Any) -> bool:
    """Whether any element is not 0."""
    while isinstance(t, Wrapped):
        t = t._value
    return not t.is_meta and bool(F.any(t != 0))


def _value(t: Any) -> Any:
    return t._value if isinstance(t, GradTensor) else alias(t)


def refuse(op: OpOverload) -> NotImplementedError:
    """The error for an operator without a derivative."""
    return NotImplementedError(message(
        str(op.name), "Trying to use forward AD with an operator that does not support it: its derivative is not "
        "implemented", hint="detach() its inputs if no tangent is needed"))


# -- in place ---------------------------------------------------------------------------------------------------------

_functional: dict[OpOverload, OpOverload | None] = {}
_SETTING = {"aten::copy_": 1, "aten::fill_.Tensor": 1}
_CONSTANT = frozenset({"aten::fill_.Scalar", "aten::zero_"})


def in_place_tangent(level: Any, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The tangent of what an in-place operator leaves behind; None for zero. Called before it writes."""
    name = str(op.name)
    if name in _SETTING:
        return level.tangent(args[_SETTING[name]])
    out_of_place = _out_of_place(op)
    if name in _CONSTANT or out_of_place is None or not op.differentiable:
        return None
    rule = rule_of(out_of_place)
    if rule is not linear:
        args = (_kept(level, args, kwargs), *args[1:])
    _, tangents = rule(level, out_of_place, args, kwargs)
    t = tangents[0]
    own = level.tangent(args[0])
    if t is not None and own is not None and t._vc is not None and t._vc is own._vc and t is not own:
        t = t.clone()
    return t


def _kept(level: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What is about to be written to, as graphs further out may save it."""
    target = args[0]
    if not _recorded(level, args, kwargs):
        return target
    value, t = level.primal(target), level.tangent(target)
    return level.wrap(value.clone(), None if t is None else t.clone())


def _out_of_place(op: OpOverload) -> OpOverload | None:
    """The functional form of an in-place operator; None where there is none, as for random numbers."""
    try:
        return _functional[op]
    except KeyError:
        found = functional(op)
        if found is not None and not (found.differentiable and len(found.schema.returns) == 1):
            found = None
        _functional[op] = found
        return found
