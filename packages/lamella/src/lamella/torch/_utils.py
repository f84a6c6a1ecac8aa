"""torch._utils: what programs use of torch's internal helpers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._missing import lookup

__all__: list[str] = []


def _flatten_dense_tensors(tensors: Iterable[Any]) -> Any:
    """All elements of tensors of one type, one tensor after the other, in a vector.

    Example:
        >>> from lamella import torch
        >>> _flatten_dense_tensors([torch.ones(1, 2), torch.zeros(1)])
        tensor([1., 1., 0.])
    """
    from lamella import torch

    return torch.cat([t.reshape(-1) for t in tensors])


def _unflatten_dense_tensors(flat: Any, tensors: Iterable[Any]) -> tuple[Any, ...]:
    """Views of a vector with the shapes of tensors, one after the other.

    Example:
        >>> from lamella import torch
        >>> [t.tolist() for t in _unflatten_dense_tensors(torch.arange(3), [torch.ones(1, 2), torch.zeros(1)])]
        [[[0, 1]], [2]]
    """
    found, start = [], 0
    for t in tensors:
        found.append(flat.narrow(0, start, t.numel()).view_as(t))
        start += t.numel()
    return tuple(found)


def _take_tensors(tensors: Iterable[Any], size_limit: int) -> Iterable[list[Any]]:
    """Groups of tensors of one type, each of no more than so many bytes unless a tensor is larger."""
    groups: dict[Any, tuple[list[Any], int]] = {}
    for t in tensors:
        size = t.numel() * t.element_size()
        group, total = groups.get(t.dtype, ([], 0))
        if group and total + size > size_limit:
            yield group
            group, total = [], 0
        groups[t.dtype] = ([*group, t], total + size)
    for group, _ in groups.values():
        yield group


__getattr__, __dir__ = lookup(__name__)
