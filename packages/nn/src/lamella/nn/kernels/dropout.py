"""What dropout draws."""

from __future__ import annotations

from typing import Any


def _dropout_noise(xp: Any, self: Any, size: Any, p: float, scaled: bool, generator: Any) -> Any:
    if size is not None or self.flags.c_contiguous or 0 in self.strides:
        return _draw(self.shape if size is None else tuple(size), self.dtype, p, scaled, generator)
    # Numbers go to the elements in the order of the input's memory.
    size = self.shape
    order = sorted(range(self.ndim), key=lambda i: -abs(self.strides[i]))
    drawn = _draw(tuple([size[i] for i in order]), self.dtype, p, scaled, generator)
    back = [0] * self.ndim
    for place, axis in enumerate(order):
        back[axis] = place
    return drawn.transpose(back)


def _draw(shape: tuple[int, ...], dtype: Any, p: float, scaled: bool, generator: Any) -> Any:
    from lamella.core.random import bernoulli, dropout_mask

    return dropout_mask(shape, dtype, p, generator) if scaled else bernoulli(shape, dtype, 1 - p, generator)
