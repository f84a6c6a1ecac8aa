"""`jacrev`, `jacfwd` and `hessian`: whole matrices of derivatives, all rows or columns at once by `vmap`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from lamella.core import functions as F
from lamella.dispatch.errors import message

from ..pytree import tree_flatten, tree_leaves, tree_unflatten
from .api import jvp_of, vjp_of
from .arguments import Argnums, check_real, checked_argnums, picked
from .batched import vmap


def unit_vectors(tensors: list[Any], start: int, stop: int) -> list[Any]:
    """Rows ``start`` to ``stop`` of the unit matrix over all elements of some tensors, cut into their shapes."""
    found, place = [], 0
    for t in tensors:
        n = t.numel()
        low, high = max(start, place), min(stop, place + n)
        rows = F.zeros((stop - start, n), dtype=t.dtype, device=t.device)
        if high > low:
            part = F.eye(high - low, dtype=t.dtype, device=t.device)
            rows[low - start : high - start, low - place : high - place] = part
        found.append(rows.reshape((stop - start, *t.shape)))
        place += n
    return found


def _chunks(total: int, size: int | None) -> Iterator[tuple[int, int]]:
    if size is None or size >= total:
        yield 0, total
        return
    for start in range(0, total, size):
        yield start, min(start + size, total)


def jacrev(func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None,
           _preallocate_and_copy: bool = False) -> Callable[..., Any]:
    """A function that gives the Jacobian of ``func``, row by row in reverse mode.

    For functions with fewer outputs than inputs; `jacfwd` suits the others.

    Args:
        func: takes tensors (or nested containers of them) and returns them.
        argnums: which argument, or which arguments (a tuple), to differentiate by.
        has_aux: ``func`` returns ``(output, aux)``; the result is ``(jacobian, aux)`` then.
        chunk_size: how many rows to compute at a time (None: all; 1: one by one, without `vmap`).

    Returns:
        A function of the same arguments. It returns containers like the output's; in the place of each tensor is what
        is shaped as the argument, and holds tensors of the output's shape followed by the input's.

    Errors:
        RuntimeError: complex inputs or outputs; outputs that are no tensors; ``argnums`` does not fit. ValueError: a
            ``chunk_size`` below 1.

    Example:
        >>> from lamella.core import tensor
        >>> jacrev(lambda x: x * x)(tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(message("jacrev", f"`chunk_size` should be greater than 0 (got {chunk_size})"))

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        check_real("jacrev", args, True)
        where = checked_argnums("jacrev", argnums, len(args))
        out, vjp_fn, *aux = vjp_of(func, args, where, has_aux)
        outputs, out_spec = tree_flatten(out)
        check_real("jacrev", outputs, False)
        inputs, spec = tree_flatten(picked(args, where))
        parts = [_rows(vjp_fn, outputs, out_spec, start, stop, chunk_size)
                 for start, stop in _chunks(sum(t.numel() for t in outputs), chunk_size)]
        stacked = [column[0] if len(column) == 1 else F.cat(list(column), 0) for column in zip(*parts, strict=True)]
        sizes = [t.numel() for t in outputs]
        by_input = [[part.reshape((*o.shape, *x.shape)) for part, o in zip(s.split(sizes, 0), outputs, strict=True)]
                    for s, x in zip(stacked, inputs, strict=True)]
        result = tree_unflatten([tree_unflatten(list(row), spec) for row in zip(*by_input, strict=True)], out_spec)
        return (result, aux[0]) if has_aux else result

    return jacobian


def _rows(vjp_fn: Any, outputs: list[Any], out_spec: Any, start: int, stop: int, chunk_size: int | None) -> list[Any]:
    """Some rows of the Jacobian: for each input leaf one tensor with the rows in front."""
    basis = unit_vectors(outputs, start, stop)
    if chunk_size == 1:
        found = vjp_fn(tree_unflatten([b[0] for b in basis], out_spec))
        return [g.unsqueeze(0) for g in tree_leaves(found)]
    return tree_leaves(vmap(vjp_fn)(tree_unflatten(basis, out_spec)))


def jacfwd(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
           ) -> Callable[..., Any]:
    """A function that gives the Jacobian of ``func``, column by column in forward mode.

    For functions with fewer inputs than outputs; `jacrev` suits the others.

    Args:
        func: takes tensors (or nested containers of them) and returns them.
        argnums: which argument, or which arguments (a tuple), to differentiate by.
        has_aux: ``func`` returns ``(output, aux)``; the result is ``(jacobian, aux)`` then.
        randomness: what random operators inside do, as for `vmap`.

    Returns:
        A function of the same arguments, with results as `jacrev`'s.

    Errors:
        RuntimeError: complex inputs or outputs; outputs that are no tensors; ``argnums`` does not fit.

    Example:
        >>> from lamella.core import tensor
        >>> jacfwd(lambda x: x * x)(tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        check_real("jacfwd", args, True)
        where = None if argnums is None else checked_argnums("jacfwd", argnums, len(args))
        inputs, spec = tree_flatten(args if where is None else picked(args, where))
        sizes = [x.numel() for x in inputs]
        basis = unit_vectors(inputs, 0, sum(sizes))

        def push(*tangents: Any) -> Any:
            given = tree_unflatten(tangents, spec)
            _, moved, *aux = jvp_of(func, args, given, where, False, has_aux)
            check_real("jacfwd", moved, False)
            return (moved, aux[0]) if has_aux else moved

        found = vmap(push, randomness=randomness)(*basis)
        aux = None
        if has_aux:
            found, aux = found
            kept, aux_spec = tree_flatten(aux)
            aux = tree_unflatten([t[0] for t in kept], aux_spec)
        columns, out_spec = tree_flatten(found)
        by_output = [[part.movedim(0, -1).reshape((*c.shape[1:], *x.shape))
                      for part, x in zip(c.split(sizes, 0), inputs, strict=True)] for c in columns]
        result = tree_unflatten([tree_unflatten(row, spec) for row in by_output], out_spec)
        return (result, aux) if has_aux else result

    return jacobian


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """A function that gives the matrix of second derivatives of ``func``: ``jacfwd(jacrev(func))``.

    Args:
        func: takes tensors (or nested containers of them) and returns them.
        argnums: which argument, or which arguments (a tuple), to differentiate by.

    Returns:
        A function of the same arguments; for a scalar function of one tensor it returns a tensor of the tensor's shape
        twice.

    Errors:
        RuntimeError: as for `jacrev`.

    Example:
        >>> from lamella.core import tensor
        >>> hessian(lambda x: (x ** 3).sum())(tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


__all__ = ["hessian", "jacfwd", "jacrev"]
