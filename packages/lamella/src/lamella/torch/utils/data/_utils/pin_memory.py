"""Batches in page-locked memory, from which copies to a GPU go on beside its work."""

from __future__ import annotations

import collections.abc
from typing import Any

from lamella import torch

from .collate import _rebuilt

__all__ = ["pin_memory"]


def pin_memory(data: Any, device: Any = None) -> Any:
    """The same nested containers with their tensors in page-locked memory; objects with a method of this name use it.

    Args:
        data: a batch.
        device: accepted; memory is locked for all GPUs.

    Example:
        >>> from lamella import torch
        >>> pin_memory({"a": [torch.ones(1), "text"]})
        {'a': [tensor([1.]), 'text']}
    """
    if isinstance(data, torch.Tensor):
        tensor: Any = data
        return tensor.pin_memory() if tensor.is_cpu else tensor
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, collections.abc.Mapping):
        return _rebuilt(data, {k: pin_memory(v) for k, v in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(pin_memory, data))
    if isinstance(data, tuple):
        return tuple(map(pin_memory, data))
    if isinstance(data, collections.abc.Sequence):
        return _rebuilt(data, [pin_memory(v) for v in data])
    return data.pin_memory() if hasattr(data, "pin_memory") else data
