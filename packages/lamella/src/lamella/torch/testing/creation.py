"""make_tensor: tensors of random numbers for tests."""

from __future__ import annotations

from typing import Any

from lamella import torch

__all__ = ["make_tensor"]


def _range(dtype: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """The limits, by default those of torch for a type, kept within what the type can hold."""
    first: Any
    last: Any
    if dtype is torch.bool:
        first, last, usual = 0, 2, (0, 2)
    elif dtype.is_floating_point or dtype.is_complex:
        info = torch.finfo(dtype.to_real())
        first, last, usual = info.min, info.max, (-9, 9)
    else:
        limits = torch.iinfo(dtype)
        first, last, usual = limits.min, limits.max + 1, (-9 if dtype.is_signed else 0, 10)
    low, high = (usual[0] if low is None else low), (usual[1] if high is None else high)
    if low != low or high != high:
        raise ValueError(f"make_tensor: low and high must not be NaN, but got low={low} and high={high}")
    if low > high or low == high and not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f"make_tensor: low must be weaker than high, but got {low} >= {high}")
    return max(first, min(low, last)), max(first, min(high, last))


def make_tensor(
    *shape: Any,
    dtype: Any,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Any:
    """A tensor of numbers drawn evenly from ``[low, high)``.

    Args:
        *shape: sizes, or one sequence of them.
        dtype: the element type.
        device: where the tensor is.
        low, high: the limits; by default -9 and 9 (10 for integers), 0 and 10 for unsigned ones.
        requires_grad: gradients are recorded for it.
        noncontiguous: its elements are not next to each other.
        exclude_zero: the smallest normal number (1 for integers) stands in the place of zeros.
        memory_format: the order of its elements in memory.

    Raises:
        ValueError: for limits that leave nothing to draw, or formats that exclude each other.

    Example:
        >>> t = make_tensor(2, 3, dtype=torch.float32, device="cpu", low=0, high=1)
        >>> t.shape, bool((t >= 0).all())
        (torch.Size([2, 3]), True)
    """
    if noncontiguous and memory_format is not None:
        raise ValueError("make_tensor: noncontiguous and memory_format exclude each other")
    size = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    low, high = _range(dtype, low, high)
    if dtype.is_complex:
        real = dtype.to_real()
        parts = torch.empty(*size, 2, dtype=real, device=device).uniform_(low, high)
        t = torch.view_as_complex(parts)
    elif dtype.is_floating_point:
        wide = torch.empty(size, dtype=torch.float32 if dtype.itemsize < 4 else dtype, device=device)
        t = wide.uniform_(low, high).to(dtype)
    else:
        t = torch.randint(low, high, size, dtype=torch.int64, device=device).to(dtype)
    if noncontiguous and t.numel() > 1:
        t = torch.repeat_interleave(t, 2, dim=-1)[..., ::2]
    elif memory_format is not None:
        t = t.clone(memory_format=memory_format)
    if exclude_zero:
        tiny = torch.finfo(dtype.to_real()).tiny if dtype.is_floating_point or dtype.is_complex else 1
        t[t == 0] = complex(tiny, tiny) if dtype.is_complex else tiny
    return t.requires_grad_(requires_grad) if requires_grad else t
