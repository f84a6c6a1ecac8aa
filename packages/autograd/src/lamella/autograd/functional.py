"""Jacobians, Hessians and products with them, over the ordinary graph (``torch.autograd.functional``).

`lamella.autograd.func` has the same as transforms, which nest freely and take nested containers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor, describe
from lamella.dispatch.errors import message

from . import entry
from .grad_mode import enable_grad, is_grad_enabled, set_grad_enabled
from .transforms.batched import vmap
from .transforms.jacobians import unit_vectors

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def _tuple(value: Any, what: str, fn: str) -> tuple[bool, tuple[Any, ...]]:
    """Whether a value is a tuple, and the value as one; only tensors are allowed."""
    many = isinstance(value, tuple)
    values = value if many else (value,)
    for i, t in enumerate(values):
        if not isinstance(t, Tensor):
            where = f" but the value at index {i} has type {type(t).__name__}" if many else f", got {type(t).__name__}"
            raise TypeError(message(fn, f"The {what} must be either a Tensor or a tuple of Tensors{where}"))
    return many, values


def _prepared(inputs: tuple[Any, ...], create_graph: bool, need_graph: bool = True) -> tuple[Any, ...]:
    """Inputs to run a function on: connected to the caller's graph if that is wanted, else on their own."""
    found = []
    for t in inputs:
        if create_graph and t._ag is not None:
            found.append(t.view_as(t))
        else:
            found.append(t.detach().requires_grad_(need_graph))
    return tuple(found)


def _finished(values: Any, create_graph: bool) -> Any:
    """Results without history unless it is wanted."""
    if isinstance(values, Tensor):
        return values if create_graph else values.detach()  # type: ignore[attr-defined]
    return tuple(_finished(v, create_graph) for v in values)


def _checked_v(fn: str, v: Any, others: tuple[Any, ...], many: bool) -> tuple[Any, ...]:
    """A vector that fits the inputs or outputs."""
    _, found = _tuple(v, "vector v", fn)
    if len(found) != len(others):
        raise RuntimeError(message(fn, f"v is a tuple of invalid length: should be {len(others)} but got {len(found)}"
                                   if many else "The given v should contain a single Tensor"))
    for i, (a, b) in enumerate(zip(found, others, strict=True)):
        if a._a.shape != b._a.shape:
            raise RuntimeError(message(fn, f"v has invalid size at entry {i}", {"v": describe(a), "expected":
                                                                                describe(b)}))
    return found


def _implicit_v(fn: str, what: str, tensors: tuple[Any, ...]) -> tuple[Any, ...]:
    """The vector that need not be given: 1 for a single number."""
    if len(tensors) != 1 or tensors[0].numel() != 1:
        raise RuntimeError(message(fn, f"The vector v can only be None if the user-provided function {what}"))
    return (F.ones_like(tensors[0]),)


def _strict_outputs(fn: str, outputs: Sequence[Any], what: str = "Output {} of the user-provided function") -> None:
    for i, t in enumerate(outputs):
        if t._ag is None:
            raise RuntimeError(message(fn, f"{what.format(i)} does not require gradients. The outputs must be computed "
                                           "in a differentiable manner from the input when running in strict mode"))


def _grad(outputs: Sequence[Any], inputs: tuple[Any, ...], vectors: Sequence[Any], create_graph: bool) -> list[Any]:
    """`grad` that takes outputs without history and unused inputs: None."""
    pairs = [(o, v) for o, v in zip(outputs, vectors, strict=True) if o is not None and o._ag is not None]
    if not pairs:
        return [None] * len(inputs)
    return list(entry.grad([o for o, _ in pairs], inputs, [v for _, v in pairs], allow_unused=True, retain_graph=True,
                           create_graph=create_graph))


def _filled(fn: str, grads: list[Any], like: Sequence[Any], strict: bool, what: str, graph: bool = False
            ) -> tuple[Any, ...]:
    """Zeros for missing gradients; an error in strict mode."""
    for i, g in enumerate(grads):
        if strict and g is None:
            raise RuntimeError(message(fn, f"{what} is independent of entry {i}. This is not allowed in strict mode"))
        if strict and graph and g._ag is None:
            raise RuntimeError(message(fn, f"{what}: the derivative for entry {i} is independent of the inputs. This "
                                           "is not allowed in strict mode when create_graph=True"))
    return tuple(F.zeros_like(t) if g is None else g for g, t in zip(grads, like, strict=True))


def _one_if(values: tuple[Any, ...], many: bool) -> Any:
    return values if many else values[0]


_OUTPUTS = "outputs of the user-provided function"


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
        ) -> tuple[Any, Any]:
    """The value of a function, and a vector times its Jacobian.

    Args:
        func: takes the inputs, returns a tensor or a tuple of them.
        inputs: a tensor or a tuple of them.
        v: shaped as the output; need not be given for a single number.
        create_graph: make the results differentiable.
        strict: raise where the output does not depend on an input, instead of giving zeros.

    Returns:
        ``(output, product)``; the product is shaped as the inputs are.

    Errors:
        TypeError: no tensors. RuntimeError: ``v`` does not fit; ``strict`` is violated.

    Example:
        >>> from lamella.core import tensor
        >>> vjp(lambda x: x * x, tensor([1.0, 2.0]), tensor([1.0, 10.0]))
        (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        many, given = _tuple(inputs, "inputs given to vjp", "vjp")
        ins = _prepared(given, create_graph)
        outs_many, outs = _tuple(func(*ins), _OUTPUTS, "vjp")
        if strict:
            _strict_outputs("vjp", outs)
        vs = _implicit_v("vjp", "returns a single Tensor with a single element", outs) if v is None else \
            _prepared(_checked_v("vjp", v, outs, outs_many), create_graph, False)
    with set_grad_enabled(True if create_graph else is_grad_enabled()):
        grads = _grad(outs, ins, vs, create_graph)
        result = _filled("vjp", grads, ins, strict, "The output of the user-provided function", create_graph)
    return _one_if(_finished(outs, create_graph), outs_many), _one_if(_finished(result, create_graph), many)


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
        ) -> tuple[Any, Any]:
    """The value of a function, and its Jacobian times a vector, by backward of backward.

    Args:
        func: takes the inputs, returns a tensor or a tuple of them.
        inputs: a tensor or a tuple of them.
        v: shaped as the inputs; need not be given for a single number.
        create_graph: make the results differentiable.
        strict: raise where the output does not depend on an input, instead of giving zeros.

    Returns:
        ``(output, product)``; the product is shaped as the output is.

    Errors:
        TypeError: no tensors. RuntimeError: ``v`` does not fit; ``strict`` is violated.

    Example:
        >>> from lamella.core import tensor
        >>> jvp(lambda x: x * x, tensor([1.0, 2.0]), tensor([1.0, 10.0]))
        (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        many, given = _tuple(inputs, "inputs given to jvp", "jvp")
        ins = _prepared(given, create_graph)
        vs = _implicit_v("jvp", "has a single input with a single element", ins) if v is None else \
            _prepared(_checked_v("jvp", v, ins, many), create_graph, False)
        outs_many, outs = _tuple(func(*ins), _OUTPUTS, "jvp")
        if strict:
            _strict_outputs("jvp", outs)
        seeds = tuple(F.zeros_like(t).requires_grad_(True) for t in outs)  # type: ignore[attr-defined]
        first = _grad(outs, ins, seeds, True)
        if strict:
            _filled("jvp", first, ins, True, "The output of the user-provided function")
    with set_grad_enabled(True if create_graph else is_grad_enabled()):
        grads = _grad(first, seeds, vs, create_graph)
        result = _filled("jvp", grads, outs, False, "")
        if strict and create_graph:
            _strict_outputs("jvp", result, "The jacobian of entry {}")
    return _one_if(_finished(outs, create_graph), outs_many), _one_if(_finished(result, create_graph), outs_many)


def jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False,
             vectorize: bool = False, strategy: str = "reverse-mode") -> Any:
    """The Jacobian of a function.

    Args:
        func: takes the inputs, returns a tensor or a tuple of them.
        inputs: a tensor or a tuple of them.
        create_graph: make the result differentiable.
        strict: raise where an output does not depend on an input, instead of giving zeros.
        vectorize: compute all rows (or columns) at once with `vmap`.
        strategy: ``"reverse-mode"``, or ``"forward-mode"`` (with ``vectorize``).

    Returns:
        For one output and one input a tensor of the output's shape followed by the input's; for tuples of outputs or
        inputs (nested) tuples, outputs outside.

    Errors:
        TypeError: no tensors. RuntimeError: ``strict`` is violated, or given with ``vectorize`` or forward mode.
        NotImplementedError: forward mode without ``vectorize``. ValueError: an unknown strategy.

    Example:
        >>> from lamella.core import tensor
        >>> jacobian(lambda x: x * x, tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise ValueError(message("jacobian", f"strategy must be 'forward-mode' or 'reverse-mode', got {strategy!r}",
                                 hint="forward-mode for more outputs than inputs"))
    if strategy == "forward-mode":
        return _forward(func, inputs, create_graph, strict, vectorize)
    with enable_grad():
        many, given = _tuple(inputs, "inputs given to jacobian", "jacobian")
        ins = _prepared(given, create_graph)
        outs_many, outs = _tuple(func(*ins), _OUTPUTS, "jacobian")
        if strict:
            _strict_outputs("jacobian", outs)
        if strict and vectorize:
            raise RuntimeError(message("jacobian", "`strict=True` and `vectorize=True` are not supported together"))
        rows = []
        for i, out in enumerate(outs):
            columns = _all_rows(out, ins, create_graph) if vectorize else _row_by_row(out, ins, create_graph, strict, i)
            rows.append(tuple(c.reshape((*out._a.shape, *x._a.shape)) for c, x in zip(columns, ins, strict=True)))
    return _arranged(_finished(tuple(rows), create_graph), outs_many, many)


def _arranged(rows: Any, outs_many: bool, many: bool) -> Any:
    rows = tuple(_one_if(r, many) for r in rows)
    return _one_if(rows, outs_many)


def _row_by_row(out: Any, ins: tuple[Any, ...], create_graph: bool, strict: bool, nr: int) -> list[Any]:
    found: list[list[Any]] = [[] for _ in ins]
    flat = out.reshape(-1)
    for k in range(out.numel()):
        grads = [None] * len(ins) if out._ag is None else entry.grad(
            flat[k], ins, F.ones_like(flat[k]), retain_graph=True, create_graph=create_graph, allow_unused=True)
        whole = _filled("jacobian", list(grads), ins, strict, f"Output {nr} of the user-provided function",
                        create_graph)
        for column, g in zip(found, whole, strict=True):
            column.append(g)
    return [F.stack(c) if c else x.new_zeros((0, *x.shape)) for c, x in zip(found, ins, strict=True)]


def _all_rows(out: Any, ins: tuple[Any, ...], create_graph: bool) -> list[Any]:
    (basis,) = unit_vectors([out], 0, out.numel())
    if out._ag is None or not out.numel():
        return [x.new_zeros((out.numel(), *x.shape)) for x in ins]

    def pull(v: Any) -> Any:
        grads = entry.grad(out, ins, v, retain_graph=True, create_graph=create_graph, allow_unused=True)
        return tuple(F.zeros_like(x) if g is None else g for g, x in zip(grads, ins, strict=True))

    return list(vmap(pull)(basis))


def _forward(func: Callable[..., Any], inputs: Any, create_graph: bool, strict: bool, vectorize: bool) -> Any:
    from .transforms.jacobians import jacfwd

    if strict:
        raise RuntimeError(message("jacobian", "`strict=True` and `strategy=\"forward-mode\"` are not supported "
                                               "together"))
    many, given = _tuple(inputs, "inputs given to jacobian", "jacobian")
    if not vectorize:
        raise NotImplementedError(message(
            "jacobian", "Computing Jacobian using forward-AD or forward-over-reverse Hessian is only implemented for "
                        "`vectorize=True`"))
    outs_many = True

    def checked(*xs: Any) -> Any:
        nonlocal outs_many
        outs_many, outs = _tuple(func(*xs), _OUTPUTS, "jacobian")
        return outs

    rows = jacfwd(checked, tuple(range(len(given))))(*given)
    return _arranged(_finished(rows, create_graph), outs_many, many)


def hessian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False,
            vectorize: bool = False, outer_jacobian_strategy: str = "reverse-mode") -> Any:
    """The matrix of second derivatives of a function with one number as its output.

    Args:
        func: takes the inputs, returns a tensor with a single element.
        inputs: a tensor or a tuple of them.
        create_graph: make the result differentiable.
        strict: raise where the output or a gradient does not depend on an input, instead of giving zeros.
        vectorize: compute all rows at once with `vmap`.
        outer_jacobian_strategy: ``"reverse-mode"``, or ``"forward-mode"`` (with ``vectorize``).

    Returns:
        For one input a tensor of its shape twice; for several a tuple of tuples.

    Errors:
        As for `jacobian`; RuntimeError: the output is not a single number.

    Example:
        >>> from lamella.core import tensor
        >>> hessian(lambda x: (x ** 3).sum(), tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    many, given = _tuple(inputs, "inputs given to hessian", "hessian")

    def scalar(*xs: Any) -> Any:
        return _single("hessian", func(*xs))

    def first(*xs: Any) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            from .transforms.jacobians import jacrev

            return jacrev(lambda *ys: scalar(*ys).reshape(()), tuple(range(len(xs))))(*xs)
        return jacobian(lambda *ys: scalar(*ys).reshape(()), xs, create_graph=True, strict=strict)

    rows = jacobian(first, given, create_graph, strict, vectorize, outer_jacobian_strategy)
    return rows if many else rows[0][0]


def _single(fn: str, out: Any) -> Any:
    if not isinstance(out, Tensor):
        many = isinstance(out, tuple)
        if not many:
            _tuple(out, _OUTPUTS, fn)
        raise RuntimeError(message(fn, "The function given to it should return a single Tensor"))
    if out.numel() != 1:
        raise RuntimeError(message(fn, "The Tensor returned by the function should contain a single element",
                                   [describe(out)]))
    return out


def _gradient(fn: str, func: Callable[..., Any], ins: tuple[Any, ...], strict: bool) -> tuple[Any, tuple[Any, ...]]:
    """The value of a scalar function and its differentiable gradient."""
    out = _single(fn, func(*ins))
    if strict:
        _strict_outputs(fn, (out,))
    grads = _grad((out,), ins, (F.ones_like(out),), True)
    return out, _filled(fn, grads, ins, strict, "The output of the user-provided function", strict)


def _slopes(fn: str, func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool, strict: bool) -> Any:
    """What `vhp` and `hvp` begin with: whether inputs were a tuple, they and the vectors, the value, the gradient."""
    many, given = _tuple(inputs, f"inputs given to {fn}", fn)
    ins = _prepared(given, create_graph)
    vs = _implicit_v(fn, "has a single input with a single element", ins) if v is None else \
        _prepared(_checked_v(fn, v, ins, many), create_graph, False)
    return many, ins, vs, *_gradient(fn, func, ins, strict)


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
        ) -> tuple[Any, Any]:
    """The value of a function, and a vector times its Hessian.

    Args:
        func: takes the inputs, returns a tensor with a single element.
        inputs: a tensor or a tuple of them.
        v: shaped as the inputs; need not be given for a single number.
        create_graph: make the results differentiable.
        strict: raise where the output or a gradient does not depend on an input, instead of giving zeros.

    Returns:
        ``(output, product)``; the product is shaped as the inputs are.

    Errors:
        TypeError: no tensors. RuntimeError: the output is not a single number; ``v`` does not fit; ``strict``.

    Example:
        >>> from lamella.core import tensor
        >>> vhp(lambda x: (x ** 3).sum(), tensor([1.0, 2.0]), tensor([1.0, 1.0]))
        (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        many, ins, vs, out, slopes = _slopes("vhp", func, inputs, v, create_graph, strict)
    with set_grad_enabled(True if create_graph else is_grad_enabled()):
        grads = _grad(slopes, ins, vs, create_graph)
        result = _filled("vhp", grads, ins, strict, "The gradient of the user-provided function", create_graph)
    return _finished(out, create_graph), _one_if(_finished(result, create_graph), many)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
        ) -> tuple[Any, Any]:
    """The value of a function, and its Hessian times a vector; `vhp` is cheaper and the same for smooth functions.

    Args:
        func: takes the inputs, returns a tensor with a single element.
        inputs: a tensor or a tuple of them.
        v: shaped as the inputs; need not be given for a single number.
        create_graph: make the results differentiable.
        strict: raise where the output or a gradient does not depend on an input, instead of giving zeros.

    Returns:
        ``(output, product)``; the product is shaped as the inputs are.

    Errors:
        TypeError: no tensors. RuntimeError: the output is not a single number; ``v`` does not fit; ``strict``.

    Example:
        >>> from lamella.core import tensor
        >>> hvp(lambda x: (x ** 3).sum(), tensor([1.0, 2.0]), tensor([1.0, 1.0]))
        (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        many, ins, vs, out, slopes = _slopes("hvp", func, inputs, v, create_graph, strict)
        seeds = tuple(F.zeros_like(t).requires_grad_(True) for t in ins)  # type: ignore[attr-defined]
        twice = _grad(slopes, ins, seeds, True)
        if strict:
            _filled("hvp", twice, ins, True, "The gradient of the user-provided function")
    with set_grad_enabled(True if create_graph else is_grad_enabled()):
        grads = _grad(twice, seeds, vs, create_graph)
        result = _filled("hvp", grads, ins, False, "")
    return _finished(out, create_graph), _one_if(_finished(result, create_graph), many)
