"""Other shapes of arrays, and arrays put together."""

from __future__ import annotations

import builtins
from typing import Any

import lamella.core as _core
from lamella.dispatch.errors import message

from ..tensor import Tensor, describe
from .data_types import promoted


def as_axes(axis: Any) -> tuple[int, ...]:
    """An int or a sequence of ints as a tuple."""
    return tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    """Arrays expanded to their common shape.

    Args:
        arrays: arrays whose sizes are equal or 1 from the last dimension backwards.

    Raises:
        ValueError: if they do not broadcast together.

    Example:
        >>> [a.shape for a in broadcast_arrays(ones((2, 1)), ones(3))]
        [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    shape = broadcast_shapes(*(x.shape for x in arrays))
    return tuple(_core.broadcast_to(x, shape) for x in arrays)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """The shape that arrays of these shapes broadcast to.

    Raises:
        ValueError: if they do not broadcast together.

    Example:
        >>> broadcast_shapes((2, 1), (3,))
        (2, 3)
    """
    try:
        return tuple(_core.broadcast_shapes(*shapes)) if shapes else ()
    except RuntimeError as e:
        raise ValueError(message("broadcast_shapes", "the shapes cannot be broadcast together", list(shapes))) from e


def broadcast_to(x: Any, /, shape: Any) -> Any:
    """An array expanded to a shape, without a copy: do not write into the result.

    Args:
        x: an array. shape: a tuple of ints.

    Raises:
        ValueError: if ``x`` does not broadcast to it.

    Example:
        >>> broadcast_to(asarray([1, 2]), (2, 2)).tolist()
        [[1, 2], [1, 2]]
    """
    size = tuple(shape)
    if broadcast_shapes(x.shape, size) != size:
        raise ValueError(message("broadcast_to", f"an array of shape {tuple(x.shape)} cannot be broadcast to {size}"))
    return _core.broadcast_to(x, size)


def concat(arrays: Any, /, *, axis: int | None = 0) -> Any:
    """Arrays one after another along an axis they have.

    Args:
        arrays: a tuple or list of arrays whose other sizes agree; their types are promoted.
        axis: where to join; None flattens the arrays first.

    Example:
        >>> concat([asarray([1, 2]), asarray([3])]).tolist()
        [1, 2, 3]
    """
    given = promoted(*arrays) if len(arrays) else []
    if axis is None:
        return _core.cat([_core.reshape(x, (-1,)) for x in given], 0)
    # torch lets empty vectors stand among arrays of any shape; the standard does not.
    bad = next((x for x in given if x.ndim != given[0].ndim), None)
    if bad is not None:
        rule = "the arrays must have as many dimensions as each other"
        raise ValueError(message("concat", rule, [describe(given[0]), describe(bad)]))
    return _core.cat(given, axis)


def expand_dims(x: Any, /, axis: Any) -> Any:
    """An array with new axes of size 1.

    Args:
        x: an array.
        axis: where the new axis (or the new axes, a tuple) will be in the result.

    Raises:
        IndexError: for an axis that the result does not have. ValueError: for one that is given twice.

    Example:
        >>> expand_dims(ones(3), axis=0).shape
        torch.Size([1, 3])
    """
    given = as_axes(axis)
    ndim = x.ndim + len(given)
    wrapped = sorted(a + ndim if a < 0 else a for a in given)
    if wrapped and not 0 <= wrapped[0] <= wrapped[-1] < ndim:
        raise IndexError(message("expand_dims", f"axis must be between {-ndim} and {ndim - 1}", [axis]))
    if len(set(wrapped)) < len(wrapped):
        raise ValueError(message("expand_dims", "an axis is given twice", [axis]))
    for a in wrapped:
        x = _core.unsqueeze(x, a)
    return x


def flip(x: Any, /, *, axis: Any = None) -> Any:
    """An array in reverse order along axes (all of them by default).

    Args:
        x: an array. axis: an int or a tuple of ints.

    Example:
        >>> flip(asarray([1, 2, 3])).tolist()
        [3, 2, 1]
    """
    return _core.flip(x, tuple(range(x.ndim)) if axis is None else as_axes(axis))


def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    """An array with axes moved; the others keep their order.

    Args:
        x: an array. source, destination: ints, or tuples of as many.

    Example:
        >>> moveaxis(ones((2, 3, 4)), 0, -1).shape
        torch.Size([3, 4, 2])
    """
    return _core.movedim(x, source, destination)


def permute_dims(x: Any, /, axes: Any) -> Any:
    """An array with its axes in another order.

    Args:
        x: an array. axes: which axis comes where, a tuple of all of them.

    Example:
        >>> permute_dims(ones((2, 3)), (1, 0)).shape
        torch.Size([3, 2])
    """
    return _core.permute(x, tuple(axes))


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Each element as many times as wanted.

    Args:
        x: an array.
        repeats: an int, or an array of ints: one for each place along the axis, or one for all.
        axis: the axis; by default the array is flattened.

    Example:
        >>> repeat(asarray([1, 2]), asarray([2, 1])).tolist()
        [1, 1, 2]
    """
    if axis is None:
        x, axis = _core.reshape(x, (-1,)), 0
    if isinstance(repeats, Tensor):
        repeats = _core.broadcast_to(repeats.to(_core.int64), (x.shape[axis],))
    return _core.repeat_interleave(x, repeats, axis)


def reshape(x: Any, /, shape: Any, *, copy: builtins.bool | None = None) -> Any:
    """An array with the same elements in another shape.

    Args:
        x: an array. shape: a tuple of ints; one may be -1 and is found from the others.
        copy: True always copies, False never does, None copies where it must.

    Raises:
        ValueError: with ``copy=False``, if a copy is needed.

    Example:
        >>> reshape(asarray([1, 2, 3, 4]), (2, -1)).tolist()
        [[1, 2], [3, 4]]
    """
    size = as_axes(shape)
    if copy is False:
        made = _core.reshape(x, size)
        if made._base is not (x if x._base is None else x._base) and made is not x:
            raise ValueError(message("reshape", "a copy is needed, but copy=False", {"shape": tuple(shape)}))
        return made
    made = _core.reshape(x.clone() if copy else x, size)
    return made


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    """An array whose elements moved along axes; those that fall off one end come in at the other.

    Args:
        x: an array.
        shift: how far, an int or a tuple of as many ints as there are axes.
        axis: an int or a tuple of ints; by default the array is rolled as if flat.

    Example:
        >>> roll(asarray([1, 2, 3]), 1).tolist()
        [3, 1, 2]
    """
    if axis is None:
        return _core.roll(x, as_axes(shift) if not isinstance(shift, int) else shift)
    dims = as_axes(axis)
    shifts = as_axes(shift)
    shifts = shifts * len(dims) if len(shifts) == 1 else shifts
    return _core.roll(x, shifts, dims) if dims else x.clone()


def squeeze(x: Any, /, axis: Any) -> Any:
    """An array without axes of size 1.

    Args:
        x: an array. axis: an int or a tuple of ints.

    Raises:
        ValueError: if an axis has another size.

    Example:
        >>> squeeze(ones((1, 3)), axis=0).shape
        torch.Size([3])
    """
    dims = as_axes(axis)
    for d in dims:
        if x.size(d) != 1:
            raise ValueError(message("squeeze", "an axis of size 1 is needed", {"axis": d, "size": x.size(d)}))
    return _core.squeeze(x, dims) if dims else x


def stack(arrays: Any, /, *, axis: int = 0) -> Any:
    """Arrays of one shape side by side along a new axis.

    Args:
        arrays: a tuple or list of arrays; their types are promoted.
        axis: where the new axis will be.

    Example:
        >>> stack([asarray([1, 2]), asarray([3, 4])], axis=1).tolist()
        [[1, 3], [2, 4]]
    """
    return _core.stack(promoted(*arrays) if len(arrays) else [], axis)


def tile(x: Any, repetitions: Any, /) -> Any:
    """Copies of an array side by side.

    Args:
        x: an array. repetitions: how often along each axis, from the last backwards.

    Example:
        >>> tile(asarray([1, 2]), (2,)).tolist()
        [1, 2, 1, 2]
    """
    return _core.tile(x, tuple(repetitions))


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The parts of an array along an axis, which they lack.

    Args:
        x: an array. axis: which axis.

    Example:
        >>> [part.tolist() for part in unstack(asarray([[1, 2], [3, 4]]), axis=1)]
        [[1, 3], [2, 4]]
    """
    return tuple(_core.unbind(x, axis))
