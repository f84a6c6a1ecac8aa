"""Layers that merge and split dimensions."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn.module import Module

__all__ = ["Flatten", "Unflatten"]


class Flatten(Module):
    """Merges a range of neighbouring dimensions into one.

    Args:
        start_dim: the first of them.
        end_dim: the last of them.

    Example:
        >>> from lamella import core, nn
        >>> nn.Flatten()(core.zeros(2, 3, 4)).shape
        torch.Size([2, 12])
    """

    __constants__ = ["start_dim", "end_dim"]

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        """Flattens `input`."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The range."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Splits one dimension into several.

    Args:
        dim: which dimension.
        unflattened_size: the sizes it becomes; one of them may be -1.

    Raises:
        TypeError: `unflattened_size` is not a tuple or list of ints.

    Example:
        >>> from lamella import core, nn
        >>> nn.Unflatten(1, (3, 4))(core.zeros(2, 12)).shape
        torch.Size([2, 3, 4])
    """

    __constants__ = ["dim", "unflattened_size"]

    def __init__(self, dim: int | str, unflattened_size: Any) -> None:
        super().__init__()
        wanted = tuple if isinstance(dim, str) else int
        if isinstance(dim, str):
            if not isinstance(unflattened_size, tuple):
                raise TypeError(f"Unflatten: a named size must be a tuple (got {type(unflattened_size).__name__})")
        elif not isinstance(dim, int):
            raise TypeError(f"Unflatten: dim must be an int (got {type(dim).__name__})")
        elif not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(f"Unflatten: the size must be a tuple of ints (got {type(unflattened_size).__name__})")
        for i, size in enumerate(unflattened_size):
            if not isinstance(size, wanted):
                raise TypeError(
                    f"Unflatten: the size must be a tuple of {wanted.__name__}s (got {type(size).__name__} at {i})"
                )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """Splits the dimension of `input`."""
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """The dimension and its new sizes."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
