"""Indexing operators as users call them: values as numbers or tensors, results as tuples, and ``x[...]`` itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.state import state

from .. import dtypes as dt, indexing as _brackets
from .._gen import indexing as _gen, masking as _mask, scattering as _scatter, shape as _shape
from ..faults import as_number
from ..kernels.conversion import scalar_for
from ..overlap import refuse_overlap
from ..promotion import result_dtype
from ..runtime import is_number, write_out
from ..tensor import CPU, Tensor, wrap


def where(condition: Tensor, input: Any = None, other: Any = None, *, self: Any = None, out: Any = None) -> Any:
    """Elements of ``input`` where ``condition`` is true, of ``other`` where it is not.

    Args:
        condition: a bool tensor.
        input, other: tensors or numbers; their types are promoted, all shapes broadcast. Without both of them the
            result is ``nonzero(condition, as_tuple=True)``.
        out: a tensor to write the result into.

    Raises:
        RuntimeError: if the shapes do not fit together or ``condition`` is not bool.

    Example:
        >>> where(tensor([True, False]), tensor([1, 2]), 0).tolist()
        [1, 0]
    """
    if self is not None:
        input = self
    plain = out is None and condition.__class__ is input.__class__ is other.__class__ is Tensor
    if plain and input._a.dtype is other._a.dtype:
        return _mask.op_where_self(condition, input, other)
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    if not isinstance(condition, Tensor):
        raise TypeError(message("where", f"argument 'condition' must be Tensor, not {type(condition).__name__}"))
    for name, x in (("input", input), ("other", other)):
        if not isinstance(x, Tensor) and not is_number(x):
            raise TypeError(message("where", f"argument '{name}' must be Tensor or a number, not {type(x).__name__}"))
    d = result_dtype(input, other)
    r = _mask.op_where_self(condition, _operand(condition, input, d), _operand(condition, other, d))
    return r if out is None else write_out("where", out, r, True, inputs=(condition, input, other))


def _operand(condition: Tensor, x: Any, d: Any) -> Tensor:
    if isinstance(x, Tensor):
        return x if x._a.dtype is d.np else x.to(d)  # type: ignore[attr-defined]
    x = scalar_for("where", d.np, x.item() if isinstance(x, np.generic) else x)
    if condition._ks & state.affected:  # somebody listens to operators: the number is made by one
        from .creation import full

        return full((), x, dtype=d, device=condition.device)
    t = wrap(np.asarray(x, d.np))
    return t if condition._ks & CPU else t.to(condition.device)  # type: ignore[attr-defined]


def where_method(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    """This tensor's elements where ``condition`` is true, ``other``'s elsewhere; see `where`."""
    return where(condition, self, other)


def nonzero(input: Tensor, *, as_tuple: bool = False, out: Any = None) -> Any:
    """The places of the elements that are not zero.

    Args:
        input: a tensor.
        as_tuple: give one vector per dimension instead of one row per element.
        out: a tensor to write the result into.

    Example:
        >>> nonzero(tensor([0, 3, 0, 5])).tolist()
        [[1], [3]]
    """
    if as_tuple:
        if input._a.ndim == 0:
            input = _shape.op_unsqueeze(input, 0)
        r = _mask.op_nonzero(input)
        return tuple(r.unbind(1))  # type: ignore[attr-defined]
    r = _mask.op_nonzero(input)
    if out is None:
        return r
    refuse_overlap("nonzero", out, input, shape=r._a.shape)
    return write_out("nonzero", out, r)


def nonzero_method(self: Tensor, *, as_tuple: bool = False) -> Any:
    """The places of the elements that are not zero; see `nonzero`."""
    return nonzero(self, as_tuple=as_tuple)


def _masked_fill(call: Any) -> Any:
    def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
        """``input`` with one value where ``mask`` is true.

        Args:
            input: a tensor.
            mask: a bool tensor of a shape that fits ``input``'s.
            value: a number or a zero-dimensional tensor.

        Example:
            >>> masked_fill(zeros(2), tensor([True, False]), 3.0).tolist()
            [3.0, 0.0]
        """
        if isinstance(value, Tensor):
            return getattr(_mask, f"op_{call}_Tensor")(input, mask, value)
        if not is_number(value):
            raise TypeError(
                message("masked_fill", f"argument 'value' must be Tensor or a number, not {type(value).__name__}")
            )
        return getattr(_mask, f"op_{call}_Scalar")(input, mask, value)

    return masked_fill


masked_fill = _masked_fill("masked_fill")
_masked_fill_inplace = _masked_fill("masked_fill_")


def _as_method(fn: Any, name: str) -> Any:
    """A function over ``input`` as a method."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return fn(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"See `{name.rstrip('_')}`" + (", in place." if name.endswith("_") else ".")
    return method


def _index_fill(input: Tensor, dim: int, index: Tensor, value: Any, inplace: bool) -> Tensor:
    if isinstance(value, Tensor):
        call = _gen.op_index_fill__int_Tensor if inplace else _gen.op_index_fill_int_Tensor
        return call(input, dim, index, value)
    if not is_number(value):
        raise TypeError(
            message("index_fill", f"argument 'value' must be Tensor or a number, not {type(value).__name__}")
        )
    call = _gen.op_index_fill__int_Scalar if inplace else _gen.op_index_fill_int_Scalar
    return call(input, dim, index, value)


def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """``input`` with one value in its slices along ``dim`` at the places in ``index``.

    Args:
        input: a tensor.
        dim: the dimension.
        index: int64 places along ``dim``.
        value: a number or a zero-dimensional tensor.

    Example:
        >>> index_fill(zeros(3), 0, tensor([0, 2]), 1).tolist()
        [1.0, 0.0, 1.0]
    """
    return _index_fill(input, dim, index, value, False)


def index_fill_(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """See `index_fill`, in place."""
    return _index_fill(input, dim, index, value, True)


def _scatter_call(form: str, input: Tensor, dim: int, index: Tensor, src: Any, value: Any, reduce: Any) -> Tensor:
    if src is None:
        src = value
    if src is None:
        raise TypeError(message("scatter", "argument 'src' (a Tensor or a number) is missing"))
    by_value = src is value or not isinstance(src, Tensor)
    if by_value:
        src = as_number("scatter", "value", src)
    if reduce is None:
        return getattr(_scatter, f"op_{form}_{'value' if by_value else 'src'}")(input, dim, index, src)
    return getattr(_scatter, f"op_{form}_{'value_reduce' if by_value else 'reduce'}")(
        input, dim, index, src, reduce=reduce
    )


def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Any = None,
    *,
    value: Any = None,
    reduce: str | None = None,
    out: Any = None,
) -> Tensor:
    """``input`` with elements written at places along a dimension: ``out[i][index[i][j]] = src[i][j]`` for ``dim=1``.

    Args:
        input: a tensor.
        dim: the dimension.
        index: places along ``dim``, of as many dimensions as ``input``.
        src: a tensor at least as large as ``index``, or a number (``value`` is accepted for it).
        reduce: ``"add"`` or ``"multiply"`` to combine instead of replacing.
        out: a tensor to write the result into.

    Raises:
        RuntimeError: if a place is out of range or the shapes do not fit.

    Example:
        >>> scatter(zeros(1, 3), 1, tensor([[2, 0]]), tensor([[5.0, 6.0]])).tolist()
        [[6.0, 0.0, 5.0]]
    """
    r = _scatter_call("scatter", input, dim, index, src, value, reduce)
    return r if out is None else write_out("scatter", out, r, True, inputs=(input, index, src))


def scatter_method(
    self: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None
) -> Tensor:
    """See `scatter`."""
    return _scatter_call("scatter", self, dim, index, src, value, reduce)


def scatter_(
    self: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None
) -> Tensor:
    """See `scatter`, in place."""
    return _scatter_call("scatter_", self, dim, index, src, value, reduce)


def _indices(indices: Any) -> list[Any]:
    if not isinstance(indices, (tuple, list)):
        raise TypeError(
            message("index_put", f"argument 'indices' must be tuple of Tensors, not {type(indices).__name__}")
        )
    return list(indices)


def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """``input`` with ``input[indices] = values``, or with ``values`` added there.

    Args:
        input: a tensor.
        indices: a tuple of index tensors.
        values: what to write, of ``input``'s type and a shape that fits.
        accumulate: add instead of replacing; repeated places add up.

    Example:
        >>> index_put(zeros(3), (tensor([0, 0]),), ones(2), accumulate=True).tolist()
        [2.0, 0.0, 0.0]
    """
    return _gen.op_index_put(input, _indices(indices), values, accumulate)


def index_put_(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """See `index_put`, in place."""
    return _gen.op_index_put_(self, _indices(indices), values, accumulate)


def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False, out: Any = None) -> Tensor:
    """Elements picked along a dimension: ``out[i][j] = input[i][index[i][j]]`` for ``dim=1``.

    Args:
        input: a tensor.
        dim: the dimension.
        index: places along ``dim``, of as many dimensions as ``input`` and no larger in the others.
        sparse_grad: accepted; gradients are dense.
        out: a tensor of ``input``'s type to write the result into.

    Raises:
        RuntimeError: if a place is out of range or the shapes do not fit.

    Example:
        >>> gather(tensor([[1, 2], [3, 4]]), 1, tensor([[1], [0]])).tolist()
        [[2], [3]]
    """
    r = _scatter.op_gather(input, dim, index, sparse_grad=sparse_grad)
    return r if out is None else _same_type_out("gather", out, r, input, index)


def _same_type_out(op: str, out: Any, r: Tensor, *inputs: Tensor) -> Tensor:
    if isinstance(out, Tensor) and out._a.dtype != r._a.dtype:
        raise RuntimeError(
            message(op, f"Expected out tensor to have dtype {r.dtype.name}, but got {out.dtype.name} instead")
        )
    refuse_overlap(op, out, *inputs, shape=r._a.shape)
    return write_out(op, out, r)


def take(input: Tensor, index: Tensor, *, out: Any = None) -> Tensor:
    """Elements of the flattened tensor, in the shape of ``index``.

    Args:
        input: a tensor.
        index: int64 places in the flattened tensor; negative ones count from the end.
        out: a tensor to write the result into.

    Example:
        >>> take(tensor([[1, 2], [3, 4]]), tensor([0, -1])).tolist()
        [1, 4]
    """
    r = _mask.op_take(input, index)
    return r if out is None else _same_type_out("take", out, r, input, index)


def masked_select(input: Tensor, mask: Tensor, *, out: Any = None) -> Tensor:
    """The elements where ``mask`` is true, as a vector.

    Args:
        input: a tensor.
        mask: a bool tensor of a shape that fits ``input``'s.
        out: a tensor to write the result into.

    Example:
        >>> masked_select(tensor([1, 2, 3]), tensor([True, False, True])).tolist()
        [1, 3]
    """
    r = _mask.op_masked_select(input, mask)
    return r if out is None else _same_type_out("masked_select", out, r, input, mask)


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """Places in the flattened tensor as places in each dimension.

    Args:
        indices: integer places.
        shape: the shape of the tensor that was flattened.

    Returns:
        A tuple of tensors, one per dimension.

    Raises:
        TypeError: if ``indices`` is not an integer tensor. ValueError: for negative sizes.

    Example:
        >>> [i.item() for i in unravel_index(tensor(5), (2, 3))]
        [1, 2]
    """
    if not isinstance(indices, Tensor) or indices._a.dtype.kind not in "iu":
        raise TypeError(message("unravel_index", "expected 'indices' to be an integer tensor"))
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(n < 0 for n in shape):
        raise ValueError(message("unravel_index", f"'shape' cannot have negative values, but got {shape}"))
    from . import FUNCTIONS as F

    step, found = 1, []
    places: Any = indices.to(dt.int64)  # type: ignore[attr-defined]
    for n in reversed(shape):
        found.append(F["remainder"](F["floor_divide"](places, step), n))
        step *= n
    return tuple(reversed(found))


METHODS: dict[str, Any] = {
    **_brackets.METHODS,
    "where": where_method,
    "nonzero": nonzero_method,
    "masked_fill": _as_method(masked_fill, "masked_fill"),
    "masked_fill_": _as_method(_masked_fill_inplace, "masked_fill_"),
    "index_fill": _as_method(index_fill, "index_fill"),
    "index_fill_": _as_method(index_fill_, "index_fill_"),
    "scatter": scatter_method,
    "scatter_": scatter_,
    "index_put": _as_method(index_put, "index_put"),
    "index_put_": index_put_,
}
FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        where,
        nonzero,
        masked_fill,
        masked_select,
        index_fill,
        scatter,
        gather,
        take,
        index_put,
        index_put_,
        unravel_index,
    )
}
