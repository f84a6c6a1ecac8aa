"""einops on lamella's tensors: its operations, and its layers as modules.

einops looks among the subclasses of its `AbstractBackend` for one that takes a tensor. This module defines that
subclass; `lamella.torch` imports it when einops is imported, whichever of the two comes first. A program that uses the
layers below without `lamella.torch` imports it itself.

    >>> from einops import rearrange
    >>> from lamella import torch
    >>> rearrange(torch.zeros(2, 3, 4), "b h w -> b (w h)").shape
    torch.Size([2, 12])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from einops._backends import AbstractBackend

from lamella import core
from lamella.core import Tensor
from lamella.dispatch.errors import message

if TYPE_CHECKING:
    from .einops_layers import EinMix, Rearrange, Reduce

__all__ = ["EinMix", "LamellaBackend", "Rearrange", "Reduce"]

_REDUCE: dict[str, Callable[[Tensor, Sequence[int]], Tensor]] = {
    "min": lambda x, dims: x.amin(dim=dims),
    "max": lambda x, dims: x.amax(dim=dims),
    "sum": lambda x, dims: x.sum(dim=dims),
    "mean": lambda x, dims: x.mean(dim=dims),
    "any": lambda x, dims: x.any(dim=dims),
    "all": lambda x, dims: x.all(dim=dims),
}


class LamellaBackend(AbstractBackend):
    """What einops asks of an array library, answered for `lamella.core.Tensor` and its subclasses."""

    framework_name = "lamella"

    def is_appropriate_type(self, tensor: Any) -> bool:
        return isinstance(tensor, Tensor)

    def from_numpy(self, x: Any) -> Tensor:
        """A tensor over an array; a floating one requires grad, as einops' tests expect of a library with gradients."""
        t: Any = core.from_numpy(x)
        return t.requires_grad_(True) if t.is_floating_point() else t

    def to_numpy(self, x: Tensor) -> Any:
        return x.detach().cpu().numpy()

    def arange(self, start: int, stop: int) -> Tensor:
        return core.arange(start, stop, dtype=core.int64)

    def reshape(self, x: Tensor, shape: Sequence[int]) -> Tensor:
        return x.reshape(tuple(shape))

    def transpose(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        return x.permute(tuple(axes))

    def reduce(self, x: Tensor, operation: str, axes: Sequence[int]) -> Tensor:
        axes = tuple(axes)
        if operation == "prod":  # over one dimension at a time, as in torch
            for dim in sorted(axes, reverse=True):
                x = x.prod(dim=dim)
            return x
        if operation not in _REDUCE:
            raise ValueError(message("reduce", f"unknown reduction {operation!r}",
                                     hint="one of " + ", ".join([*_REDUCE, "prod"])))
        return _REDUCE[operation](x, axes)

    def stack_on_zeroth_dimension(self, tensors: Sequence[Tensor]) -> Tensor:
        return core.stack(tensors)

    def add_axis(self, x: Tensor, new_position: int) -> Tensor:
        return x.unsqueeze(new_position)

    def add_axes(self, x: Tensor, n_axes: int, pos2len: Mapping[int, int]) -> Tensor:
        sizes = [-1] * n_axes
        for position, length in pos2len.items():
            x = x.unsqueeze(position)
            sizes[position] = length
        return x.expand(sizes)

    def tile(self, x: Tensor, repeats: Sequence[int]) -> Tensor:
        return x.repeat(tuple(repeats))

    def concat(self, tensors: Sequence[Tensor], axis: int) -> Tensor:
        return core.cat(list(tensors), dim=axis)

    def is_float_type(self, x: Tensor) -> bool:
        return x.is_floating_point()

    def layers(self) -> Any:
        """The module with `Rearrange`, `Reduce` and `EinMix`."""
        return import_module("lamella.interop.einops_layers")

    def einsum(self, pattern: str, *x: Tensor) -> Tensor:
        return core.einsum(pattern, *x)


def __getattr__(name: str) -> Any:
    if name in ("EinMix", "Rearrange", "Reduce"):
        return getattr(import_module("lamella.interop.einops_layers"), name)
    raise AttributeError(f"module 'lamella.interop.einops' has no attribute {name!r}")
