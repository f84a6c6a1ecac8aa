"""`vmap`: a function of one example as a function of a batch.

`vmap` takes the inputs apart (which ones are batched, and where), runs the function once on batched tensors inside a
`BatchLevel`, and puts the batch dimension of the outputs where it is asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from lamella.core._gen import joining as _joining, shape as _shape, slicing as _slicing
from lamella.core.checks import wrap_dim
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from ..pytree import TreeSpec, tree_flatten, tree_unflatten
from .batching.level import BatchedTensor, BatchLevel, move
from .batching.randoms import guard
from .levels import running

__all__ = ["BatchLevel", "BatchedTensor", "spread", "vmap"]


def vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *,
         chunk_size: int | None = None) -> Callable[..., Any]:
    """A function that applies ``func`` to every example of a batch at once.

    ``func`` is written for one example; it is called once, with tensors that stand for one example each, and every
    operator inside computes the whole batch.

    Args:
        func: takes tensors (in nested lists, tuples and dicts, among other values) and returns tensors.
        in_dims: which dimension of each input is the batch: an int for all, or nested containers like the inputs with
            an int or None (not batched) for each. Keyword arguments are not batched.
        out_dims: where the batch goes in each output: an int for all, or containers like the outputs.
        randomness: what random operators inside do: "error" (raise), "different" (draw for each example) or "same".
        chunk_size: how many examples to compute at a time (None: all).

    Returns:
        A function of the same arguments with the batch dimensions added, which returns ``func``'s outputs with one.

    Raises:
        ValueError: if ``in_dims`` or ``out_dims`` do not fit the inputs or outputs, batches differ in size, or an
            output is not a tensor. RuntimeError: for control flow on batched tensors, and what else cannot be batched.

    Example:
        >>> from lamella.core import tensor
        >>> x = tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> vmap(lambda v: (v * v).sum())(x)
        tensor([ 5., 25.])
        >>> vmap(lambda v, s: v * s, in_dims=(1, None), out_dims=1)(x, tensor(10.0))
        tensor([[10., 20.],
                [30., 40.]])
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(message("vmap", "Only allowed values for randomness are 'error', 'different', or 'same'",
                                   {"got": randomness}))
    if chunk_size is not None and not chunk_size > 0:
        raise ValueError(message("vmap", f"chunk_size should be None or greater than 0 (got {chunk_size})"))

    @functools.wraps(func, updated=())
    def mapped(*args: Any, **kwargs: Any) -> Any:
        name = _name(func)
        size, dims, leaves, spec = _inputs(name, in_dims, args)
        if chunk_size is not None and size > chunk_size:
            return _in_chunks(func, name, size, dims, leaves, spec, out_dims, randomness, chunk_size, kwargs)
        return _run(func, name, size, dims, leaves, spec, out_dims, randomness, kwargs)

    return mapped


def _name(func: Any) -> str:
    if isinstance(func, functools.partial):
        return f"functools.partial({_name(func.func)}, ...)"
    return getattr(func, "__name__", None) or repr(func)


def _run(func: Any, name: str, size: int, dims: list[Any], leaves: list[Any], spec: TreeSpec, out_dims: Any,
         randomness: str, kwargs: dict[str, Any]) -> Any:
    """Run the function in a level of its own."""
    guard()
    with running(BatchLevel(size, randomness)) as level:
        inputs = [x if d is None else level.wrap(x, d) for x, d in zip(leaves, dims, strict=True)]
        out = func(*tree_unflatten(inputs, spec), **kwargs)
        return _outputs(level, name, out_dims, out)


def _in_chunks(func: Any, name: str, size: int, dims: list[Any], leaves: list[Any], spec: TreeSpec, out_dims: Any,
               randomness: str, chunk: int, kwargs: dict[str, Any]) -> Any:
    """Run the function on part of the batch after part, and join the results."""
    parts, out_spec = [], None
    for start in range(0, size, chunk):
        stop = min(start + chunk, size)
        here = [x if d is None else _slicing.op_slice_Tensor(x, d, start, stop)
                for x, d in zip(leaves, dims, strict=True)]
        out = _run(func, name, stop - start, dims, here, spec, out_dims, randomness, kwargs)
        flat, out_spec = tree_flatten(out)
        parts.append(flat)
    assert out_spec is not None
    places = spread(out_dims, out_spec)
    columns = zip(*parts, strict=True)
    joined = [column[0] if d is None else _joining.op_cat(list(column), d)
              for column, d in zip(columns, places or (), strict=True)]
    return tree_unflatten(joined, out_spec)


# -- inputs ----------------------------------------------------------------------------------------------------------


def _inputs(name: str, in_dims: Any, args: tuple[Any, ...]) -> tuple[int, list[Any], list[Any], TreeSpec]:
    """The batch size; for each leaf of the inputs its batch dimension or None; the leaves and their structure."""
    call = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(message(call, "expected `in_dims` to be int or a (potentially nested) tuple matching the "
                                       f"structure of inputs, got: {type(in_dims)}"))
    if not args:
        raise ValueError(message(f"vmap({name})(<inputs>)", "got no inputs: there is nothing to map over",
                                 hint="maybe you forgot to add inputs; keyword arguments are not mapped over"))
    leaves, spec = tree_flatten(args)
    given = spread(in_dims, spec)
    if given is None:
        raise ValueError(message(call, "in_dims is not compatible with the structure of `inputs`",
                                 {"in_dims": in_dims, "inputs": _shown(spec)}))
    dims = [_in_dim(call, x, d) for x, d in zip(leaves, given, strict=True)]
    sizes = [x._a.shape[d] for x, d in zip(leaves, dims, strict=True) if d is not None]
    if not sizes:
        raise ValueError(message(call, "at least one input must be mapped over",
                                 hint="give it a dimension in in_dims, or call the function itself"))
    if len(set(sizes)) > 1:
        raise ValueError(message("vmap", "Expected all tensors to have the same size in the mapped dimension, got "
                                         f"sizes {sizes} for the mapped dimension"))
    return sizes[0], dims, leaves, spec


def _in_dim(call: str, x: Any, d: Any) -> int | None:
    if d is None:
        return None
    if isinstance(d, bool):
        raise TypeError(message(call, "argument 'in_dim' must be int, not bool"))
    if not isinstance(d, int):
        raise ValueError(message(call, f"Got in_dim={d} for an input but in_dim must be either an integer dimension or "
                                       "None."))
    if not isinstance(x, Tensor):
        raise ValueError(message(call, f"Got in_dim={d} for an input but the input is of type {type(x)}. We cannot "
                                       "vmap over non-Tensor arguments",
                                 hint="use None as the respective in_dim"))
    n = x._a.ndim
    if not -n <= d < n:
        raise ValueError(message(call, f"Got in_dim={d} for some input, but that input is a Tensor of dimensionality "
                                       f"{n} so expected in_dim to satisfy -{n} <= in_dim < {n}."))
    return d % n


def spread(dims: Any, spec: TreeSpec) -> list[Any] | None:
    """One entry of ``dims`` per leaf of a structure; None where the structures do not fit."""
    if spec.is_leaf():
        return None if isinstance(dims, (tuple, list, dict)) else [dims]
    if not isinstance(dims, (tuple, list, dict)):
        return [dims] * spec.num_leaves
    flat, own = tree_flatten(dims, is_leaf=lambda x: x is not dims)
    if own.type is not spec.type or own.context != spec.context and spec.type is not dict \
            or len(flat) != len(spec.children_specs):
        return None
    if spec.type is dict:
        if set(own.context) != set(spec.context):
            return None
        flat = [dims[k] for k in spec.context]
    found: list[Any] = []
    for part, child in zip(flat, spec.children_specs, strict=True):
        below = spread(part, child)
        if below is None:
            return None
        found += below
    return found


def _shown(spec: TreeSpec) -> str:
    """A structure in short: its containers with ``*`` for leaves."""
    if spec.is_leaf():
        return "*"
    inner = ", ".join(map(_shown, spec.children_specs))
    return f"{spec.type.__name__}({inner})"


# -- outputs ---------------------------------------------------------------------------------------------------------


def _outputs(level: BatchLevel, name: str, out_dims: Any, out: Any) -> Any:
    """The function's outputs with their batch dimensions where they belong."""
    for d in tree_flatten(out_dims)[0]:
        if d is not None and not isinstance(d, int):
            raise ValueError(message(
                f"vmap({name}, ..., out_dims={out_dims})", "`out_dims` must be an int, None or a python collection of "
                "ints representing where in the outputs the vmapped dimension should appear"))
    leaves, spec = tree_flatten(out)
    places = spread(out_dims, spec)
    if places is None and isinstance(out_dims, (tuple, list)) and len(out_dims) == 1 and spec.is_leaf():
        places = list(out_dims)
    if places is None:
        raise ValueError(message(f"vmap({name}, ..., out_dims={out_dims})(<inputs>)",
                                 "out_dims is not compatible with the structure of `outputs`",
                                 {"out_dims": out_dims, "outputs": _shown(spec)}))
    return tree_unflatten([_output(level, name, x, d) for x, d in zip(leaves, places, strict=True)], spec)


def _output(level: BatchLevel, name: str, x: Any, d: int | None) -> Any:
    if d is None:
        if level.has(x):
            raise ValueError(message(f"vmap({name}, ...)", f"`{name}` can not return a BatchedTensor when out_dim is "
                                                           "None"))
        return x
    if not isinstance(x, Tensor):
        raise ValueError(message(f"vmap({name}, ...)", f"`{name}` must only return Tensors, got type {type(x)}.",
                                 hint="did you mean to set out_dims= to None for output?"))
    value, dim = level.split(x)
    place = wrap_dim("vmap", d, x._a.ndim + 1)
    if dim is None:
        value, dim = _shape.op_expand(value, (level.size, *value._a.shape)), 0
    return move(value, dim, place)

