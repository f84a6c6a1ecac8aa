"""`backward` and `grad`: checking what the user passes, then the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy import empty

from lamella.core.tensor import Tensor, describe, wrap
from lamella.dispatch.errors import message

from . import engine
from .graph import AccumulateGrad, Edge, GradientEdge, edge_to, fit, node_of

TensorOrEdge = Any


def _tuple(op: str, name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, (Tensor, GradientEdge)):
        return (value,)
    try:
        return tuple(value)
    except TypeError:
        raise TypeError(message(op, f"argument '{name}' must be a Tensor or a sequence of Tensors, "
                                f"not {type(value).__name__}")) from None


def _root(op: str, i: int, t: Any) -> Edge:
    if isinstance(t, GradientEdge):
        return edge_to(t.node, t.output_nr)
    if not isinstance(t, Tensor):
        raise TypeError(message(op, f"element {i} of tensors must be a Tensor, not {type(t).__name__}"))
    if t._ag is None:
        raise RuntimeError(message(
            op, f"element {i} of tensors does not require grad and does not have a grad_fn", [describe(t)],
            hint="it was made without any input that requires grad, or under no_grad, or was detached"))
    return t._ag


def _gradient(op: str, i: int, out: Any, g: Any, batched: bool = False) -> Any:
    """The gradient to start with at one output."""
    if g is None:
        if isinstance(out, GradientEdge):
            raise RuntimeError(message(op, "a gradient is needed for an output that is a GradientEdge"))
        if out.numel() != 1:
            raise RuntimeError(message(op, "grad can be implicitly created only for scalar outputs", [describe(out)],
                                       hint="reduce it first (out.sum()), or pass gradient="))
        if not out.is_floating_point():
            raise RuntimeError(message(
                op, f"grad can be implicitly created only for real scalar outputs but got {out.dtype}",
                hint="pass gradient=, or take out.real or out.abs() first"))
        return out.detach().new_ones(out.shape) if not _plain(out) else _ones(out)
    if not isinstance(g, Tensor):
        raise TypeError(message(op, f"gradients can be either Tensors or None, but got {type(g).__name__}"))
    if isinstance(out, GradientEdge):
        return g
    shape = tuple(g._a.shape[1:]) if batched else g._a.shape
    if shape != out._a.shape:
        raise RuntimeError(message(op, f"Mismatch in shape: grad_output[{i}] has a shape of {g.shape} and output[{i}] "
                                   f"has a shape of {out.shape}"))
    if out.is_complex() != g.is_complex():
        raise RuntimeError(message(
            op, "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in "
                f"dtype: grad_output[{i}] has a dtype of {g.dtype} and output[{i}] has a dtype of {out.dtype}"))
    if g._a.dtype != out._a.dtype and not batched:
        g = fit(g, out, node_of(out._ag))
    return g


def _plain(t: Tensor) -> bool:
    return t.__class__ is Tensor and bool(t._ks & 1)


def _ones(out: Tensor) -> Tensor:
    a = empty(out._a.shape, out._a.dtype)  # a third of the time of np.ones
    a.fill(1)
    return wrap(a)


def _starts(op: str, tensors: Sequence[Any], grads: Any) -> tuple[list[Edge], list[Any]]:
    given: Sequence[Any] = (None,) * len(tensors) if grads is None else _tuple(op, "grad_tensors", grads)
    if len(given) != len(tensors):
        raise RuntimeError(message(op, f"got {len(tensors)} tensors and {len(given)} gradients"))
    edges = [_root(op, i, t) for i, t in enumerate(tensors)]
    return edges, [_gradient(op, i, t, g) for i, (t, g) in enumerate(zip(tensors, given, strict=True))]


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
             grad_variables: Any = None, inputs: Any = None) -> None:
    """Compute the gradients of ``tensors`` and add them to the ``grad`` of the leaves.

    Args:
        tensors: tensors (or gradient edges) to differentiate.
        grad_tensors: for each of them the gradient at it; None for scalars, which count as 1.
        retain_graph: keep the graph for another backward. Default: ``create_graph``.
        create_graph: record the computation of the gradients, for higher derivatives.
        grad_variables: former name of ``grad_tensors``.
        inputs: tensors; only their ``grad`` is computed and added to. Others are left alone.

    Errors:
        RuntimeError: an output that does not require grad, a missing gradient for an output that is no scalar, a
            gradient of the wrong shape, a graph whose saved tensors were freed or overwritten.

    Example:
        >>> from lamella.core import tensor
        >>> x = tensor([1.0, 2.0], requires_grad=True)
        >>> backward((x * x).sum())
        >>> x.grad
        tensor([2., 4.])
    """
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError(message("backward", "`grad_tensors` and `grad_variables` (deprecated) arguments both "
                                                   "passed",
                                       hint="use `grad_tensors`"))
        grad_tensors = grad_variables
    tensors = _tuple("backward", "tensors", tensors)
    edges, grads = _starts("backward", tensors, grad_tensors)
    keep = create_graph if retain_graph is None else bool(retain_graph)
    if inputs is None:
        engine.run(edges, grads, keep, create_graph)
        return
    inputs = _tuple("backward", "inputs", inputs)
    if not inputs:
        raise RuntimeError(message("backward", "`inputs` argument to `backward()` cannot be empty"))
    targets = _targets("backward", inputs)
    for t, edge in zip(inputs, targets, strict=True):
        if isinstance(t, Tensor) and not isinstance(edge, AccumulateGrad):
            t.retain_grad()  # type: ignore[attr-defined]
    engine.run(edges, grads, keep, create_graph, targets)


def backward_one(t: Tensor, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
                 inputs: Any = None) -> None:
    """`Tensor.backward`: the gradients of this tensor, added to the ``grad`` of the leaves it depends on.

    Args:
        gradient: the gradient at this tensor; not needed for a scalar.
        retain_graph: keep the graph for another backward. Default: ``create_graph``.
        create_graph: record the computation of the gradients.
        inputs: tensors; only their ``grad`` is computed.

    Example:
        >>> from lamella.core import tensor
        >>> x = tensor(3.0, requires_grad=True)
        >>> (x * x).backward()
        >>> x.grad
        tensor(6.)
    """
    edge = t._ag
    if inputs is not None or edge is None:
        backward((t,), None if gradient is None else (gradient,), retain_graph, create_graph, inputs=inputs)
        return
    if not (gradient.__class__ is Tensor and gradient._a.shape == t._a.shape and gradient._a.dtype is t._a.dtype):
        gradient = _gradient("backward", 0, t, gradient)
    engine.run((edge,), (gradient,), create_graph if retain_graph is None else bool(retain_graph), create_graph)


def _targets(op: str, inputs: Sequence[Any]) -> list[Edge]:
    found = []
    for i, t in enumerate(inputs):
        if isinstance(t, GradientEdge):
            found.append(edge_to(t.node, t.output_nr))
        elif not isinstance(t, Tensor):
            raise TypeError(message(op, f"element {i} of inputs must be a Tensor, not {type(t).__name__}"))
        elif t._ag is None:
            raise RuntimeError(message(op, "One of the differentiated Tensors does not require grad",
                                       {f"inputs[{i}]": describe(t)}))
        else:
            found.append(t._ag)
    return found


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None,
         create_graph: bool = False,
         allow_unused: bool | None = None, is_grads_batched: bool = False,
         materialize_grads: bool = False) -> tuple[Any, ...]:
    """The gradients of ``outputs`` with respect to ``inputs``, returned; no tensor's ``grad`` changes.

    Args:
        outputs: tensors to differentiate.
        inputs: tensors to differentiate by.
        grad_outputs: for each output the gradient at it; None for scalars, which count as 1.
        retain_graph: keep the graph for another backward. Default: ``create_graph``.
        create_graph: record the computation of the gradients, for higher derivatives.
        allow_unused: give None for inputs that the outputs do not depend on, instead of an error.
        is_grads_batched: ``grad_outputs`` have one more dimension in front; so do the results, one row per row.
        materialize_grads: give zeros instead of None for unused inputs.

    Returns:
        A tuple, one gradient per input.

    Errors:
        RuntimeError: as for `backward`; an input that is not used, without ``allow_unused``.
        ValueError: ``materialize_grads`` with ``allow_unused=False``.

    Example:
        >>> from lamella.core import tensor
        >>> x = tensor(2.0, requires_grad=True)
        >>> grad(x * x * x, x)
        (tensor(12.),)
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(message("grad", "Expected allow_unused to be True or not passed when materialize_grads=True, "
                                 "but got: allow_unused=False"))
    outs, ins = _tuple("grad", "outputs", outputs), _tuple("grad", "inputs", inputs)
    if not ins:
        raise ValueError(message("grad", "requires non-empty inputs"))
    keep = create_graph if retain_graph is None else bool(retain_graph)
    unused_ok = bool(allow_unused) or materialize_grads
    if is_grads_batched:
        found = _batched(outs, ins, grad_outputs, keep, create_graph)
    else:
        edges, grads = _starts("grad", outs, grad_outputs)
        found = engine.run(edges, grads, keep, create_graph, _targets("grad", ins), into_leaves=False)
    for i, (t, g) in enumerate(zip(ins, found, strict=True)):
        if g is None and not unused_ok:
            raise RuntimeError(message(
                "grad", "One of the differentiated Tensors appears to not have been used in the graph",
                {f"inputs[{i}]": describe(t)}, hint="set allow_unused=True if this is the desired behavior"))
        if g is None and materialize_grads:
            found[i] = t.detach().new_zeros(t.shape)
    return tuple(found)


def _batched(outs: Sequence[Any], ins: Sequence[Any], grad_outputs: Any, keep: bool, create: bool) -> list[Any]:
    """`grad` for all rows of the gradients at once: the backward pass under `vmap`."""
    from .transforms.batched import vmap

    given = _tuple("grad", "grad_outputs", grad_outputs)
    edges = [_root("grad", i, t) for i, t in enumerate(outs)]
    for i, (t, g) in enumerate(zip(outs, given, strict=True)):
        _gradient("grad", i, t, g, batched=True)
    targets = _targets("grad", ins)
    used: list[bool] = []

    def one(grads: list[Any]) -> tuple[Any, ...]:
        found = engine.run(edges, grads, keep, create, targets, into_leaves=False)
        used[:] = [g is not None for g in found]
        return tuple([g for g in found if g is not None])

    rows = iter(vmap(one)(list(given)))
    return [next(rows) if there else None for there in used]


__all__ = ["backward", "backward_one", "grad"]
