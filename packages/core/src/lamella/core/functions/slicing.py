"""Splitting as users call it."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import slicing as _gen
from ..tensor import Tensor


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of a tensor along a dimension, as views.

    Args:
        tensor: the tensor.
        split_size_or_sections: the size of each part (the last may be smaller), or a list of sizes that add up.
        dim: the dimension.

    Returns:
        A tuple of tensors.

    Raises:
        RuntimeError: if the sizes do not add up.

    Example:
        >>> [x.tolist() for x in split(arange(5), 2)]
        [[0, 1], [2, 3], [4]]
        >>> [len(x) for x in split(arange(5), [1, 4])]
        [1, 4]
    """
    if isinstance(split_size_or_sections, (list, tuple)):
        return _gen.op_split_with_sizes(tensor, split_size_or_sections, dim)
    try:
        size = split_size_or_sections.__index__()
    except AttributeError:
        raise TypeError(
            message(
                "split",
                f"argument 'split_size' must be int or a list of ints, not {type(split_size_or_sections).__name__}",
            )
        ) from None
    return _gen.op_split_Tensor(tensor, size, dim)


def split_method(self: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts along a dimension; see `split`."""
    return split(self, split_size, dim)


def tensor_split(
    input: Tensor,
    indices_or_sections: Any = None,
    dim: int = 0,
    *,
    indices: Any = None,
    sections: Any = None,
    tensor_indices_or_sections: Any = None,
) -> tuple[Tensor, ...]:
    """Parts of a tensor along a dimension: so many nearly equal ones, or cut at given places.

    Args:
        input: a tensor with at least one dimension.
        indices_or_sections: a number of parts, or a sequence (or CPU tensor) of places to cut at.
        dim: the dimension.

    Example:
        >>> [x.tolist() for x in tensor_split(arange(5), (1, 4))]
        [[0], [1, 2, 3], [4]]
    """
    for other in (indices, sections, tensor_indices_or_sections):
        if other is not None:
            indices_or_sections = other
    if isinstance(indices_or_sections, Tensor):
        a = indices_or_sections._a
        if a.dtype.kind != "i" or a.itemsize != 8 or a.ndim > 1:
            raise RuntimeError(
                message(
                    "tensor_split",
                    "tensor_split expected tensor_indices_or_sections to be a zero-"
                    "dimensional or one-dimensional int64 tensor",
                )
            )
        indices_or_sections = indices_or_sections.tolist()  # type: ignore[attr-defined]
    if isinstance(indices_or_sections, (list, tuple)):
        return _gen.op_tensor_split_indices(input, indices_or_sections, dim)
    if not hasattr(indices_or_sections, "__index__"):
        raise TypeError(
            message(
                "tensor_split",
                "argument 'indices_or_sections' must be int or a sequence of ints, not "
                f"{type(indices_or_sections).__name__}",
            )
        )
    return _gen.op_tensor_split_sections(input, indices_or_sections, dim)


def tensor_split_method(self: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
    """Parts along a dimension; see `tensor_split`."""
    return tensor_split(self, *args, **kwargs)


def _along(name: str, at_least: int, where: Any) -> Any:
    def splitter(
        input: Tensor, indices_or_sections: Any = None, *, indices: Any = None, sections: Any = None
    ) -> tuple[Tensor, ...]:
        for other in (indices, sections):
            if other is not None:
                indices_or_sections = other
        n = input._a.ndim
        if n < at_least:
            raise RuntimeError(
                message(
                    name,
                    f"torch.{name} requires a tensor with at least {at_least} dimension"
                    f"{'s' * (at_least > 1)}, but got a tensor with {n} dimensions!",
                )
            )
        dim = where(n)
        k = indices_or_sections
        if isinstance(k, int) and (k <= 0 or input._a.shape[dim] % k):
            raise RuntimeError(
                message(
                    name,
                    f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension "
                    f"{input._a.shape[dim]} is not divisible by the split_size {k}!",
                )
            )
        return tensor_split(input, indices_or_sections, dim)

    splitter.__name__ = splitter.__qualname__ = name
    splitter.__doc__ = (
        f"`tensor_split` along dimension {where(3)} (of tensors with at least {at_least} dimensions); a number "
        "of sections must divide the dimension's size."
    )
    return splitter


hsplit = _along("hsplit", 1, lambda n: 0 if n == 1 else 1)
vsplit = _along("vsplit", 2, lambda n: 0)
dsplit = _along("dsplit", 3, lambda n: 2)


def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """``length`` elements along a dimension, from ``start`` on; a view.

    Args:
        input: a tensor with at least one dimension.
        dim: the dimension.
        start: the first place, a number or a zero-dimensional integer tensor; negative ones count from the end.
        length: how many.

    Raises:
        IndexError: if ``start`` is out of range.
        RuntimeError: if ``start + length`` goes past the end.

    Example:
        >>> narrow(arange(5), 0, 1, 3).tolist()
        [1, 2, 3]
    """
    if isinstance(start, Tensor):
        if start._a.ndim or start._a.dtype.kind not in "iu":
            raise RuntimeError(message("narrow", "start must be an 0-dim integral Tensor."))
        start = start.item()  # type: ignore[attr-defined]
    return _gen.op_narrow(input, dim, start, length)


def narrow_method(self: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """Elements along a dimension from ``start`` on; see `narrow`."""
    return narrow(self, dim, start, length)


METHODS = {
    "split": split_method,
    "tensor_split": tensor_split_method,
    "narrow": narrow_method,
    "hsplit": lambda self, *a, **k: hsplit(self, *a, **k),
    "vsplit": lambda self, *a, **k: vsplit(self, *a, **k),
    "dsplit": lambda self, *a, **k: dsplit(self, *a, **k),
}
FUNCTIONS = {
    "narrow": narrow,
    "split": split,
    "tensor_split": tensor_split,
    "hsplit": hsplit,
    "vsplit": vsplit,
    "dsplit": dsplit,
}
