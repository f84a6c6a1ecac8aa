"""Padding with the input's own elements: each dimension is looked up at places that are known beforehand.

The gradient adds up what came from the same place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..builder import Builder
from ..specs import dense
from ..table import Keep, rule


def _places(mode: str, n: int, before: int, after: int) -> Any:
    """For each place of the result the place in the input."""
    i = np.arange(-before, n + after)
    if mode == "replicate":
        return np.clip(i, 0, n - 1)
    if mode == "circular":
        return i % n
    i = np.abs(i)
    return n - 1 - np.abs(n - 1 - i)


def _each(pad: Any, shape: Any, mode: str) -> list[tuple[int, Any]]:
    """(dimension, places) for the dimensions that change."""
    found = []
    for i in range(len(pad) // 2):
        dim, before, after = len(shape) - 1 - i, pad[2 * i], pad[2 * i + 1]
        if not before and not after:
            continue
        n = shape[dim]
        if not all(isinstance(k, int) for k in (n, before, after)):
            raise Keep("a symbolic size")
        if mode == "circular" and (before < 0 or after < 0 or before > n or after > n):
            raise Keep("negative padding")
        found.append((dim, _places(mode, n, before, after)))
    return found


def _index(b: Builder, places: Any) -> Any:
    return b.constant(("places", places.tobytes()), np.ascontiguousarray(places, np.int64))


def _padded(b: Builder, x: Any, pad: Any, mode: str) -> Any:
    made = x
    for dim, places in _each(pad, x.spec.shape, mode):
        made = b.index_select(made, dim, _index(b, places))
    return b.copy(x) if made is x else made


def _gathered(b: Builder, grad: Any, like: Any, pad: Any, mode: str) -> Any:
    made = b.wide(grad)
    for dim, places in reversed(_each(pad, like.spec.shape, mode)):
        shape = (*made.spec.shape[:dim], like.spec.shape[dim], *made.spec.shape[dim + 1 :])
        zeros = b.full(shape, 0, made.spec.dtype)
        made = b.call("aten::index_add", zeros, dim, _index(b, places), made,
                      spec=dense(shape, made.spec.dtype, made.spec.device))
    return b.copy(grad) if made is grad else b.to(made, grad.spec.dtype)


def _rules(mode: str, forward: tuple[str, ...], backward: tuple[str, ...]) -> None:
    @rule(*forward)
    def pad(b: Builder, self: Any, padding: Any) -> Any:
        return _padded(b, self, padding, mode)

    @rule(*backward)
    def unpad(b: Builder, grad_output: Any, self: Any, padding: Any) -> Any:
        return _gathered(b, grad_output, self, padding, mode)


for _mode, _name in (("reflect", "reflection_pad"), ("replicate", "replication_pad")):
    _rules(_mode, tuple(f"aten::{_name}{n}d" for n in (1, 2, 3)),
           tuple(f"aten::{_name}{n}d_backward" for n in (1, 2, 3)))
_rules("circular", ("aten::_pad_circular",), ("aten::_pad_circular_backward",))
