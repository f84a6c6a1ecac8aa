"""`grad`, `vjp`, `jvp` and their kin: functions that differentiate functions (``torch.func``)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor, describe
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state

from ..entry import _gradient
from ..pytree import tree_flatten, tree_map, tree_unflatten
from .arguments import (
    Argnums,
    check_differentiable,
    check_outputs,
    checked_argnums,
    picked,
    put_back,
    split_aux,
)
from .duals import DualLevel
from .duals_rules import fitted
from .grads import GradLevel, edge_at, pull_back, unwrap
from .levels import Level, Wrapped, running


class recording:
    """Recording on while a function under a transform runs, whatever the mode outside."""

    def __enter__(self) -> None:
        self.before = state.swap_exclude(state.thread.exclude & ~AUTOGRAD_MASK)

    def __exit__(self, *_: object) -> None:
        state.swap_exclude(self.before)


def seen_outside(level: Level, tree: Any) -> Any:
    """What a function under a transform returned, without the transform's wrappers."""
    return tree_map(lambda t: unwrap(level, t) if isinstance(t, Tensor) else t, tree)


def zeros_for(inputs: list[Any], grads: list[Any]) -> list[Any]:
    """Zeros where a gradient is missing."""
    return [F.zeros_like(x) if g is None else g for x, g in zip(inputs, grads, strict=True)]


def grad_and_value(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the gradient of ``func`` and its value.

    Args:
        func: takes tensors (or nested containers of them), returns a tensor with one element and no dimensions.
        argnums: which argument, or which arguments (a tuple), to differentiate by.
        has_aux: ``func`` returns ``(output, aux)``; ``aux`` is handed on.

    Returns:
        A function of the same arguments that returns ``(gradient, value)``, or ``(gradient, (value, aux))``. The
        gradient is shaped as the argument is, and a tuple where ``argnums`` is one.

    Errors:
        RuntimeError: the output is no scalar tensor; ``argnums`` does not fit. ValueError: no tensor to differentiate
            by.

    Example:
        >>> from lamella.core import tensor
        >>> grad_and_value(lambda x: (x * x).sum())(tensor([1.0, 2.0]))
        (tensor([2., 4.]), tensor(5.))
    """
    api = "grad_and_value(f)(*args)"

    @functools.wraps(func)
    def differentiated(*args: Any, **kwargs: Any) -> Any:
        where = checked_argnums("grad", argnums, len(args))
        level = GradLevel()
        with running(level), recording():
            flat, spec = tree_flatten(picked(args, where))
            inputs = [level.track(check_differentiable("grad", t)) for t in flat]
            out = func(*put_back(args, where, tree_unflatten(inputs, spec)), **kwargs)
            out, aux = split_aux(api, out, has_aux)
            if not isinstance(out, Tensor):
                raise RuntimeError(message(api, f"Expected f(*args) to return a Tensor, got {type(out).__name__}"))
            if out._a.ndim:
                raise RuntimeError(message(
                    api, f"Expected f(*args) to return a scalar Tensor, got tensor with {out._a.ndim} dims",
                    [describe(out)], hint="use vjp or jacrev for other outputs, or reduce it: .sum()"))
            if out.is_complex():
                raise RuntimeError(message(api, "grad can be implicitly created only for real scalar outputs but got "
                                                f"{out.dtype}", hint="take .real or .abs() first, or use vjp"))
            edge = edge_at(level, out)
            found = [None] * len(inputs) if edge is None else pull_back(
                level, [edge], [F.ones_like(unwrap(level, out))], inputs, keep=False)
            grads = zeros_for([t._value for t in inputs], found)
            value, aux = unwrap(level, out), seen_outside(level, aux)
        result = tree_unflatten(grads, spec)
        return (result, (value, aux)) if has_aux else (result, value)

    return differentiated


def grad(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the gradient of ``func``, which returns a scalar.

    Args:
        func: takes tensors (or nested containers of them), returns a tensor with one element and no dimensions.
        argnums: which argument, or which arguments (a tuple), to differentiate by.
        has_aux: ``func`` returns ``(output, aux)``; the result is ``(gradient, aux)`` then.

    Returns:
        A function of the same arguments. It can be transformed again: ``grad(grad(f))`` is the second derivative.

    Errors:
        RuntimeError: the output is no scalar tensor; ``argnums`` does not fit. ValueError: no tensor to differentiate
            by.

    Example:
        >>> from lamella.core import tensor
        >>> grad(grad(lambda x: x ** 3))(tensor(2.0))
        tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def differentiated(*args: Any, **kwargs: Any) -> Any:
        result, value = both(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return differentiated


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of a function, and a function that multiplies its transposed Jacobian with vectors.

    Args:
        func: takes the primals, returns tensors or nested containers of them.
        *primals: tensors, or nested containers of them.
        has_aux: ``func`` returns ``(output, aux)``.

    Returns:
        ``(output, vjp_fn)``, or ``(output, vjp_fn, aux)``. ``vjp_fn(cotangents)`` takes what is shaped as the output is
        and returns a tuple with one gradient per primal. It may be called many times.

    Errors:
        RuntimeError: outputs that are no tensors of floating point; cotangents that do not fit.

    Example:
        >>> from lamella.core import tensor
        >>> y, vjp_fn = vjp(lambda x: x * x, tensor([1.0, 2.0]))
        >>> vjp_fn(tensor([1.0, 10.0]))
        (tensor([ 2., 40.]),)
    """
    return vjp_of(func, primals, None, has_aux)


def vjp_of(func: Callable[..., Any], primals: tuple[Any, ...], argnums: Argnums | None, has_aux: bool
           ) -> tuple[Any, ...]:
    """`vjp`, by some arguments only."""
    api = "vjp(f, *primals)"
    level = GradLevel()
    with running(level), recording():
        flat, spec = tree_flatten(primals if argnums is None else picked(primals, argnums))
        inputs = [level.track(check_differentiable("vjp", t)) for t in flat]
        given = tree_unflatten(inputs, spec)
        out = func(*(given if argnums is None else put_back(primals, argnums, given)))
        out, aux = split_aux(api, out, has_aux)
        leaves, out_spec = tree_flatten(out)
        check_outputs(api, out, leaves)
        for t in leaves:
            if not (t.is_floating_point() or t.is_complex()):
                raise RuntimeError(message("vjp(f, ...)", "All outputs of f must be floating-point or complex Tensors, "
                                                          f"got Tensor with dtype {t.dtype}"))
        edges = [edge_at(level, t) for t in leaves]
        values = [unwrap(level, t) for t in leaves]
        aux = seen_outside(level, aux)
    inputs_seen = [t._value for t in inputs]

    def vjp_fn(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        """Multiply the transposed Jacobian with ``cotangents``, which are shaped as the output is."""
        given, given_spec = tree_flatten(cotangents)
        if given_spec != out_spec:
            raise RuntimeError(message(
                "vjp_fn", "Expected pytree structure of cotangents to be the same as pytree structure of outputs to "
                          "the function", {"cotangents": given_spec, "outputs": out_spec}))
        checked = [_gradient("vjp_fn", i, t, _given("vjp_fn", g))
                   for i, (t, g) in enumerate(zip(values, given, strict=True))]
        found = pull_back(level, edges, checked, inputs, retain_graph, create_graph)
        return tree_unflatten(zeros_for(inputs_seen, found), spec)

    result = tree_unflatten(values, out_spec)
    return (result, vjp_fn, aux) if has_aux else (result, vjp_fn)


def _given(api: str, g: Any) -> Any:
    if not isinstance(g, Tensor):
        raise TypeError(message(api, f"Expected cotangents to contain only Tensors, got {type(g).__name__}"))
    return g


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
        ) -> tuple[Any, ...]:
    """The value of a function, and the product of its Jacobian with a vector.

    Args:
        func: takes the primals, returns tensors or nested containers of them.
        primals: a tuple of arguments: tensors or nested containers of them.
        tangents: shaped as the primals are.
        strict: refuse outputs that do not depend on the primals, instead of giving zeros.
        has_aux: ``func`` returns ``(output, aux)``.

    Returns:
        ``(output, tangents of the output)``, or ``(output, tangents, aux)``.

    Errors:
        RuntimeError: primals and tangents do not fit; outputs that are no tensors.

    Example:
        >>> from lamella.core import tensor
        >>> jvp(lambda x: x * x, (tensor([1.0, 2.0]),), (tensor([1.0, 10.0]),))
        (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    return jvp_of(func, primals, tangents, None, strict, has_aux)


_JVP = "jvp(f, primals, tangents)"


def jvp_of(func: Callable[..., Any], primals: Any, tangents: Any, argnums: Argnums | None, strict: bool, has_aux: bool
           ) -> tuple[Any, ...]:
    """`jvp`, by some arguments only."""
    if not isinstance(primals, tuple):
        raise RuntimeError(message(_JVP, f"Expected primals to be a tuple, got {type(primals).__name__}",
                                   hint="f(*primals) is what is called"))
    chosen = primals if argnums is None else picked(primals, argnums)
    flat, spec = tree_flatten(chosen)
    moving, moving_spec = tree_flatten(tangents)
    if spec != moving_spec:
        raise RuntimeError(message(_JVP, "Expected primals and tangents to have the same python structure",
                                   {"primals": spec, "tangents": moving_spec}))
    check_tangents(flat, moving)
    level = DualLevel()
    with running(level):
        given = tree_unflatten([level.wrap(x, fitted(x, t, ())) for x, t in zip(flat, moving, strict=True)], spec)
        out = func(*(given if argnums is None else put_back(primals, argnums, given)))
        out, aux = split_aux(_JVP, out, has_aux)
        leaves, out_spec = tree_flatten(out)
        check_outputs(_JVP, out, leaves)
        values = [unwrap(level, t) for t in leaves]
        moved = [level.tangent(t) for t in leaves]
        aux = seen_outside(level, aux)
    if strict and any(t is None for t in moved):
        raise RuntimeError(message("jvp(f, primals, tangents, strict=True)", "The output of f is independent of the "
                                   "inputs. This is not allowed with strict=True"))
    result = tree_unflatten(values, out_spec), tree_unflatten(zeros_for(values, moved), out_spec)
    return (*result, aux) if has_aux else result


def check_tangents(primals: list[Any], tangents: list[Any]) -> None:
    """Tensors of floating point with tangents of the same shape and type."""
    for name, values in (("primals", primals), ("tangents", tangents)):
        if not values:
            raise RuntimeError(message(_JVP, f"Expected {name} to contain at least one Tensor"))
        for t in values:
            if not isinstance(t, Tensor):
                raise RuntimeError(message(_JVP, f"Expected {name} to only contain Tensors, got {type(t).__name__}"))
    for x, t in zip(primals, tangents, strict=True):
        check_tangent(_JVP, x, t)


def check_tangent(api: str, x: Any, t: Any) -> None:
    """A tangent must be what its primal is.

    Errors:
        ValueError: not of floating point. RuntimeError: another shape, type or device.
    """
    for name, value in (("primal", x), ("tangent", t)):
        if not (value.is_floating_point() or value.is_complex()):
            raise ValueError(message(api, f"Expected {name} to be floating point or complex", [describe(value)]))
    if x._a.shape != t._a.shape or x.is_complex() != t.is_complex() or x.device != t.device:
        what = "size" if x._a.shape != t._a.shape else "device" if x.device != t.device else "dtype"
        raise RuntimeError(message(api, f"Expected the tangent to have the same {what} as its primal",
                                   {"primal": describe(x), "tangent": describe(t)}))


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function, and its derivative there as a linear function.

    The function runs once; ``jvp_fn`` only goes over what it recorded. For one product `jvp` is cheaper.

    Args:
        func: takes the primals, returns tensors or nested containers of them.
        *primals: tensors, or nested containers of them.

    Returns:
        ``(output, jvp_fn)``: ``jvp_fn(*tangents)`` gives the tangents of the output.

    Errors:
        RuntimeError: outputs that are no tensors; tangents that do not fit.

    Example:
        >>> from lamella.core import tensor
        >>> y, jvp_fn = linearize(lambda x: x ** 3, tensor(2.0))
        >>> y, jvp_fn(tensor(1.0)), jvp_fn(tensor(10.0))
        (tensor(8.), tensor(12.), tensor(120.))
    """
    out, back = vjp(func, *primals)
    flat, spec = tree_flatten(primals)
    _, forth = vjp(back, tree_map(F.ones_like, out))  # linear: the place does not matter

    def jvp_fn(*tangents: Any) -> Any:
        """Multiply the Jacobian with ``tangents``, one for each primal."""
        moving, moving_spec = tree_flatten(tangents)
        if moving_spec != spec:
            raise RuntimeError(message("linearize", "Expected the tangents to have the same structure as the primals",
                                       {"primals": spec, "tangents": moving_spec}))
        check_tangents(flat, moving)
        return forth(tangents)[0]

    return out, jvp_fn


def debug_unwrap(tensor: Any, *, recurse: bool = True) -> Any:
    """What a tensor inside a transformed function wraps, to look at it; computing with it gives wrong derivatives.

    Args:
        tensor: any tensor.
        recurse: take the wrappers of all transforms off, not only the innermost.

    Example:
        >>> from lamella.core import tensor
        >>> seen = []
        >>> _ = grad(lambda x: seen.append(debug_unwrap(x)) or x * 2)(tensor(3.0))
        >>> seen
        [tensor(3.)]
    """
    while isinstance(tensor, Wrapped):
        tensor = tensor._value
        if not recurse:
            break
    return tensor


__all__ = ["debug_unwrap", "grad", "grad_and_value", "jvp", "linearize", "vjp"]
