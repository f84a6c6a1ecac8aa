"""Joining and repeating as users call it."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import joining as _gen, shape as _shape
from ..overlap import refuse_overlap
from ..runtime import not_tensor, write_out
from ..tensor import Tensor


def cat(tensors: Any, dim: Any = 0, *, out: Any = None, axis: Any = None) -> Tensor:
    """Tensors one after the other along a dimension.

    Args:
        tensors: a sequence of tensors whose shapes agree outside ``dim``; their types are promoted.
        dim: the dimension (``axis`` is accepted for it).
        out: a tensor to write the result into.

    Raises:
        RuntimeError: if shapes do not fit. ValueError: for an empty sequence.

    Example:
        >>> cat([tensor([1]), tensor([2, 3])]).tolist()
        [1, 2, 3]
    """
    if isinstance(tensors, Tensor):
        raise TypeError(message("cat", "argument 'tensors' must be tuple of Tensors, not Tensor"))
    if tensors.__class__ is not list and tensors.__class__ is not tuple:
        tensors = _sequence("cat", tensors)
    if not tensors:
        raise ValueError(message("cat", "expected a non-empty list of Tensors"))
    try:
        r = _gen.op_cat(tensors, dim if axis is None else axis)
    except AttributeError:
        raise not_tensor("cat", {"tensors": tensors}) from None
    if out is None:
        return r
    refuse_overlap("cat", out, tensors, shape=r._a.shape)
    return write_out("cat", out, r)


def concat(tensors: Any, dim: Any = 0, *, out: Any = None, axis: Any = None) -> Tensor:
    """Tensors one after the other along a dimension; another name of `cat`.

    Example:
        >>> concat([tensor([1]), tensor([2, 3])]).tolist()
        [1, 2, 3]
    """
    return cat(tensors, dim, out=out, axis=axis)


def _sequence(op: str, tensors: Any) -> Any:
    try:
        return list(tensors)
    except TypeError:
        raise TypeError(
            message(op, f"argument 'tensors' must be tuple of Tensors, not {type(tensors).__name__}")
        ) from None


def _tensors(op: str, tensors: Any) -> Any:
    """A sequence of tensors that is not empty."""
    if isinstance(tensors, Tensor):
        raise TypeError(message(op, "argument 'tensors' must be tuple of Tensors, not Tensor"))
    if tensors.__class__ is not list and tensors.__class__ is not tuple:
        tensors = _sequence(op, tensors)
    if not tensors:
        raise RuntimeError(message(op, f"{op} expects a non-empty TensorList"))
    for t in tensors:
        if not isinstance(t, Tensor):
            raise not_tensor(op, {"tensors": tensors})
    return tensors


def stack(tensors: Any, dim: int = 0, *, out: Any = None, axis: Any = None) -> Tensor:
    """Tensors of one shape along a new dimension.

    Args:
        tensors: a sequence of tensors of the same shape.
        dim: where the new dimension goes (``axis`` is accepted for it).
        out: a tensor to write the result into.

    Raises:
        RuntimeError: if the sequence is empty or the shapes differ.

    Example:
        >>> stack([tensor(1), tensor(2)]).tolist()
        [1, 2]
    """
    tensors = _tensors("stack", tensors)
    r = _gen.op_stack(tensors, dim if axis is None else axis)
    if out is None:
        return r
    refuse_overlap("stack", out, tensors, shape=r._a.shape)
    return write_out("stack", out, r)


def _stacker(name: str, call: Any, first: str, example: str) -> Any:
    def function(tensors: Any, *, out: Any = None) -> Tensor:
        r = call(_tensors(name, tensors))
        return r if out is None else write_out(name, out, r)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{first}\n\n    Args:\n        tensors: a sequence of tensors.\n        out: a tensor to write the result "
        f"into.\n\n    Example:\n        >>> {name}((tensor([1]), tensor([2]))).tolist()\n        {example}\n"
    )
    return function


hstack = _stacker(
    "hstack", _gen.op_hstack, "Tensors side by side: along the second dimension, or the first one of vectors.", "[1, 2]"
)
vstack = _stacker("vstack", _gen.op_vstack, "Tensors on top of each other; vectors count as rows.", "[[1], [2]]")
dstack = _stacker("dstack", _gen.op_dstack, "Tensors one behind the other, along the third dimension.", "[[[1, 2]]]")
column_stack = _stacker(
    "column_stack", _gen.op_column_stack, "Tensors side by side; vectors count as columns.", "[[1, 2]]"
)


def at_least(t: Tensor, ndim: int) -> Tensor:
    """``t`` with at least ``ndim`` dimensions, the way atleast_1d, atleast_2d and atleast_3d add them."""
    n = t._a.ndim
    if n >= ndim:
        return t
    if n == 0:
        return _shape.op_reshape(t, (1,) * ndim)
    t = _shape.op_unsqueeze(t, 0) if n == 1 and ndim > 1 else t
    return _shape.op_unsqueeze(t, -1) if ndim == 3 else t


def _atleast(ndim: int) -> Any:
    name = f"atleast_{ndim}d"

    def function(*tensors: Any) -> Any:
        if len(tensors) == 1:
            only = tensors[0]
            if isinstance(only, Tensor):
                return at_least(only, ndim)
            tensors = tuple(only)
        for t in tensors:
            if not isinstance(t, Tensor):
                raise TypeError(message(name, f"argument 'tensors' must be Tensors, not {type(t).__name__}"))
        return tuple(at_least(t, ndim) for t in tensors)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Each tensor with at least {ndim} dimension{'s' * (ndim > 1)}; views.\n\n    Args:\n        *tensors: "
        f"tensors, or one sequence of them.\n\n    Example:\n        >>> {name}(tensor(1)).dim()\n        {ndim}\n"
    )
    return function


atleast_1d, atleast_2d, atleast_3d = _atleast(1), _atleast(2), _atleast(3)


def repeat_interleave(input: Tensor, repeats: Any = None, dim: Any = None, *, output_size: Any = None) -> Tensor:
    """Each element (or slice along ``dim``) repeated in place.

    Args:
        input: a tensor; with no other argument, a vector of repeats whose places are repeated.
        repeats: how often, a number or a tensor with one number per slice.
        dim: the dimension; None means the flattened tensor.
        output_size: the size of the result along ``dim``, if known.

    Raises:
        RuntimeError: for negative repeats, or a number of them that does not fit.

    Example:
        >>> repeat_interleave(tensor([1, 2]), 2).tolist()
        [1, 1, 2, 2]
    """
    if repeats is None:
        return _gen.op_repeat_interleave_Tensor(input, output_size=output_size)
    if isinstance(repeats, Tensor):
        return _gen.op_repeat_interleave_self_Tensor(input, repeats, dim, output_size=output_size)
    if isinstance(repeats, (list, tuple)):
        from ..creation import tensor

        return _gen.op_repeat_interleave_self_Tensor(input, tensor(repeats), dim, output_size=output_size)
    if not hasattr(repeats, "__index__"):
        raise TypeError(
            message("repeat_interleave", f"argument 'repeats' must be int or Tensor, not {type(repeats).__name__}")
        )
    return _gen.op_repeat_interleave_self_int(input, repeats.__index__(), dim, output_size=output_size)


def repeat_interleave_method(self: Tensor, repeats: Any, dim: Any = None, *, output_size: Any = None) -> Tensor:
    """Each element repeated in place; see `repeat_interleave`."""
    return repeat_interleave(self, repeats, dim, output_size=output_size)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Vectors expanded to a common grid.

    Args:
        *tensors: vectors, or one sequence of them.
        indexing: ``"ij"`` (the first vector runs along the first dimension; the default) or ``"xy"`` (the second).

    Returns:
        A tuple of views, one per vector.

    Example:
        >>> [g.tolist() for g in meshgrid(tensor([1, 2]), tensor([3, 4]), indexing="ij")]
        [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    _tensors("meshgrid", tensors)
    return _gen.op_meshgrid_indexing(tensors, indexing="ij" if indexing is None else indexing)


def block_diag(*tensors: Any) -> Tensor:
    """Matrices along the diagonal of a larger one; the rest is zero.

    Example:
        >>> block_diag(tensor([[1]]), tensor([[2, 3]])).tolist()
        [[1, 0, 0], [0, 2, 3]]
    """
    for t in tensors:
        if not isinstance(t, Tensor):
            raise TypeError(message("block_diag", f"argument 'tensors' must be Tensors, not {type(t).__name__}"))
    if not tensors:
        from . import FUNCTIONS as F

        return F["empty"]((1, 0))
    return _gen.op_block_diag(tensors)


def cartesian_prod(*tensors: Any) -> Tensor:
    """All combinations of one element of each vector, one per row.

    Example:
        >>> cartesian_prod(tensor([1, 2]), tensor([3])).tolist()
        [[1, 3], [2, 3]]
    """
    return _gen.op_cartesian_prod(tensors)


def combinations(self: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of ``r`` elements; see `combinations`."""
    return _gen.op_combinations(self, r, with_replacement)


METHODS = {"repeat_interleave": repeat_interleave_method, "combinations": combinations}
FUNCTIONS = {
    f.__name__: f
    for f in (
        cat,
        concat,
        stack,
        hstack,
        vstack,
        dstack,
        column_stack,
        atleast_1d,
        atleast_2d,
        atleast_3d,
        repeat_interleave,
        meshgrid,
        block_diag,
        cartesian_prod,
    )
}
FUNCTIONS["concatenate"] = concat
FUNCTIONS["row_stack"] = vstack
