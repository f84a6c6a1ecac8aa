"""Checks of a program's tensors in one call: from the extension, or in Python where that cannot be built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lamella.core.tensor import CUDA, Tensor

from .launcher import extension_module

ANY, EXACT, ROWS = range(3)


class Want:
    """What a program needs of one tensor.

    Attributes:
        keys: its key set. dtype: NumPy's. shape: sizes, None for any from 2 on.
        strides: in bytes; None for any, "rows" for row-major without gaps.
        leaf: None (not asked), True (a leaf that requires grad), False (not a leaf).
    """

    __slots__ = ("keys", "dtype", "shape", "strides", "leaf")

    def __init__(self, keys: int, dtype: Any, shape: Sequence[int | None], strides: Any = None,
                 leaf: bool | None = None) -> None:
        self.keys, self.dtype, self.shape, self.strides, self.leaf = keys, dtype, tuple(shape), strides, leaf

    @classmethod
    def of(cls, t: Tensor, leaf: bool | None = None) -> Want:
        """Exactly a tensor's layout."""
        return cls(t._ks, t._a.dtype, t._a.shape, t._a.strides, leaf)

    def row(self) -> tuple[Any, ...]:
        """The form that the extension takes."""
        layout = ANY if self.strides is None else ROWS if self.strides == "rows" else EXACT
        strides = (self.dtype.itemsize,) if layout == ROWS else () if layout == ANY else tuple(self.strides)
        return self.keys, self.dtype, self.shape, layout, strides, 0 if self.leaf is None else 1 if self.leaf else 2

    def fits(self, t: Any, leaf_type: Any) -> bool:
        """Whether a tensor is as wanted."""
        if type(t) is not Tensor or t._ks != self.keys:
            return False
        a = t._a
        if a.dtype is not self.dtype or len(a.shape) != len(self.shape):
            return False
        if any(n < 2 if want is None else want != n for want, n in zip(self.shape, a.shape, strict=True)):
            return False
        if self.strides == "rows":
            step, steps = a.itemsize, []
            for n in reversed(a.shape):
                steps.append(step)
                step *= n
            if tuple(steps[::-1]) != a.strides:
                return False
        elif self.strides is not None and a.strides != tuple(self.strides):
            return False
        return self.leaf is None or (type(t._ag) is leaf_type) == self.leaf


def inputs(wants: Sequence[Want]) -> Callable[[Any], list[Any] | None]:
    """A function of a tuple (or list) of tensors: their arrays, or None where one is not as wanted.

    Example:
        >>> from lamella.core import ones
        >>> check = inputs([Want.of(ones(2, 3))])
        >>> check((ones(2, 3),))[0].shape, check((ones(3, 2),)), check((ones(2, 3).double(),))
        ((2, 3), None, None)
    """
    module, leaf = extension_module(), _leaf_type()
    if module is not None and not any(want.keys & CUDA for want in wants):
        return module.Inputs(Tensor, np.ndarray, leaf, [want.row() for want in wants])
    known = list(wants)

    def check(tensors: Any) -> list[Any] | None:
        if len(tensors) != len(known) or not all(w.fits(t, leaf) for w, t in zip(known, tensors, strict=True)):
            return None
        return [t._a for t in tensors]

    return check


def _leaf_type() -> Any:
    """The class of the node that takes a leaf's gradient; a class of nothing where there is no autograd."""
    import sys

    module = sys.modules.get("lamella.autograd.graph")
    return getattr(module, "AccumulateGrad", Want) if module is not None else Want
