"""Run rules over NumPy arrays, in place: large ones block by block, small ones packed together.

A block is as large as the second-level cache allows, so temporaries never reach memory. For small parameters the cost
is NumPy's calls, so they are gathered into one array, updated by one pass of the rule, and written back.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from operator import is_
from typing import Any, TypeAlias

import numpy as np

from .rule import Rule

Arrays: TypeAlias = Sequence[Sequence[np.ndarray]]

BLOCK = 1 << 16
# Elements up to which a parameter is packed with others.
SMALL = 1 << 11


class ArrayMath:
    """The functions of ``xp`` over arrays; NumPy hands CuPy's arrays on to CuPy. Scalars are Python numbers here."""

    sqrt = staticmethod(np.sqrt)
    abs = staticmethod(np.abs)
    sign = staticmethod(np.sign)
    where = staticmethod(np.where)

    @staticmethod
    def raise_to(a: Any, b: Any) -> None:
        """Set ``a`` to the larger of ``a`` and ``b``."""
        np.maximum(a, b, out=a)

    @staticmethod
    def clip(a: Any, low: float, high: float) -> None:
        """Keep ``a`` between ``low`` and ``high``."""
        np.clip(a, low, high, out=a)

    @staticmethod
    def assign(a: Any, b: Any) -> None:
        """Copy ``b`` into ``a``."""
        a[...] = b

    @staticmethod
    def select(condition: bool, a: Any, b: Any) -> Any:
        """Choose between two scalars."""
        return a if condition else b

    @staticmethod
    def biggest(a: Any, b: Any) -> Any:
        """Return the larger of two scalars."""
        return a if a > b else b


class Pack:
    """One array for many small ones, and the views of it that have their shapes.

    Attributes:
        whole: all elements, and one more where there is only one (NumPy is slow on arrays of one element).
        views: the parts.
    """

    __slots__ = ("flat", "whole", "views", "shapes", "guard", "_mates")

    def __init__(self, shapes: Sequence[tuple[int, ...]], dtype: np.dtype, fill: float = 1.0):
        sizes = [int(np.prod(shape)) for shape in shapes]
        total = sum(sizes)
        self.whole = np.full(max(total, 2), fill, dtype)
        self.flat = self.whole[:total]
        starts = np.cumsum([0, *sizes]).tolist()
        self.views = [self.whole[i : i + n].reshape(shape) for i, n, shape in zip(starts, sizes, shapes)]
        self.shapes = tuple(shapes)
        self.guard: Any = None
        self._mates: list[Pack] = []

    def mates(self, count: int) -> list[Pack]:
        """Return ``count`` more packs for arrays of the same shapes, to work in."""
        while len(self._mates) < count:
            self._mates.append(Pack(self.shapes, self.whole.dtype))
        return self._mates

    def gather(self, arrays: Sequence[np.ndarray]) -> None:
        """Copy arrays in."""
        if len(arrays) > 6:
            np.concatenate(arrays, None, self.flat)
        else:
            for array, view in zip(arrays, self.views):
                view[...] = array

    def scatter(self, arrays: Sequence[np.ndarray]) -> None:
        """Copy the values out into arrays."""
        for array, view in zip(arrays, self.views):
            array[...] = view

    def holds(self, arrays: Sequence[np.ndarray]) -> bool:
        """Whether arrays are this pack's views, all of them and in order."""
        return len(arrays) == len(self.views) and all(map(is_, arrays, self.views))


# Packs whose views are the memory of state tensors, by the id of their first view; see `packed`.
resident: dict[int, Pack] = {}


def packed(keep: Callable[[np.ndarray], Any], shapes: Sequence[tuple[int, ...]], dtype: np.dtype, fill: float) -> list:
    """Make tensors that share one array, which a step then updates without gathering them.

    Args:
        keep: makes a tensor over an array.
        shapes: the tensors' shapes.
        dtype: their element type.
        fill: their values.

    Returns:
        The tensors. The pack is forgotten when the first of them is.
    """
    pack = Pack(shapes, dtype, fill)
    tensors = [keep(view) for view in pack.views]
    key = id(pack.views[0])
    resident[key] = pack
    pack.guard = weakref.ref(tensors[0], lambda _: resident.pop(key, None))
    return tensors


class _Workspace(threading.local):
    """What a thread keeps from step to step: 0-d arrays for constants, and packs.

    NumPy takes a constant three times as fast from a 0-d array as from a Python number.
    """

    def __init__(self) -> None:
        self.held: dict[tuple[Any, int], tuple[np.ndarray, ...]] = {}
        self.packs: dict[Any, list[Pack]] = {}

    def constants(self, dtype: np.dtype, values: Sequence[Any]) -> tuple[np.ndarray, ...]:
        """Return the values as 0-d arrays, which the next call overwrites."""
        key = dtype, len(values)
        arrays = self.held.get(key)
        if arrays is None:
            arrays = self.held[key] = tuple(np.zeros((), dtype) for _ in values)
        for array, value in zip(arrays, values):
            array[()] = value
        return arrays

    def packs_for(self, shapes: tuple[tuple[int, ...], ...], dtype: np.dtype, count: int) -> list[Pack]:
        """Return ``count`` packs for arrays of these shapes."""
        key = shapes, dtype
        packs = self.packs.get(key)
        if packs is None or len(packs) < count:
            if len(self.packs) >= 32:
                self.packs.clear()
            packs = self.packs[key] = [Pack(shapes, dtype) for _ in range(count)]
        return packs


workspace = _Workspace()


def real_dtype(dtype: np.dtype) -> np.dtype:
    """Return the type of the parts of a complex number; other types as they are."""
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def update_arrays(rule: Rule, lists: Arrays, values: tuple[Any, ...], o: dict[str, Any]) -> None:
    """Apply a rule to parameters of one element type that share a step.

    Args:
        rule: what to do.
        lists: the parameters' arrays, the gradients', and those of each state; a state that the options leave out
            has an empty list.
        values: the constants of this step.
        o: the options.
    """
    params = lists[0]
    dtype = params[0].dtype
    k = workspace.constants(real_dtype(dtype), values)
    if dtype.kind == "c" or rule.light(o):
        small = []
    else:
        small = [i for i, p in enumerate(params) if p.size <= SMALL]
    if len(small) == len(params):
        update_packed(rule, lists, k, o)
        return
    if len(small) > 1:
        update_packed(rule, [[a[i] for i in small] if a else a for a in lists], k, o)
    else:
        small = []
    for i in range(len(params)):
        if i not in small:
            update_array(rule, [a[i] if a else None for a in lists], k, o)


def update_device_arrays(rule: Rule, lists: Arrays, values: tuple[Any, ...], o: dict[str, Any]) -> None:
    """As `update_arrays`, for arrays of another module than NumPy's: neither blocks nor packs pay there."""
    for i, p in enumerate(lists[0]):
        arrays = [a[i] if a else None for a in lists]
        for part in ("real", "imag") if p.dtype.kind == "c" else ("",):
            cut = [getattr(a, part) if a is not None and part else a for a in arrays]
            rule.update(ArrayMath, cut[0], cut[1], cut[2:], values, o)


def update_packed(rule: Rule, lists: Arrays, k: tuple[Any, ...], o: dict[str, Any]) -> None:
    """Apply a rule to small parameters at once."""
    params = lists[0]
    if len(params) == 1 and params[0].size > 1 and params[0].ndim:
        update_array(rule, [a[0] if a else None for a in lists], k, o)
        return
    arrays: list[Any] = []
    away = []
    home = None
    for members in lists:
        pack = resident.get(id(members[0])) if members else None
        if pack is not None and pack.holds(members):
            home = pack
            arrays.append(pack.whole)
        else:
            if members:
                away.append(len(arrays))
            arrays.append(None)
    if home is not None:
        packs = home.mates(len(away))
    else:
        packs = workspace.packs_for(tuple([p.shape for p in params]), params[0].dtype, len(away))
    for i, pack in zip(away, packs):
        pack.gather(lists[i])
        arrays[i] = pack.whole
    rule.update(ArrayMath, arrays[0], arrays[1], arrays[2:], k, o)
    for i, pack in zip(away, packs):
        if i != 1:
            pack.scatter(lists[i])


def update_array(rule: Rule, arrays: list[Any], k: tuple[Any, ...], o: dict[str, Any]) -> None:
    """Apply a rule to one parameter: itself, its gradient, and its states (None for those left out)."""
    p = arrays[0]
    if p.size <= BLOCK and p.ndim and p.dtype.kind != "c":
        rule.update(ArrayMath, p, arrays[1], arrays[2:], k, o)
        return
    for piece in pieces(arrays):
        rule.update(ArrayMath, piece[0], piece[1], piece[2:], k, o)


def pieces(arrays: list[Any]) -> Iterator[list[Any]]:
    """Cut arrays of one shape into real blocks of at least one dimension, which are views."""
    p = arrays[0]
    if p.dtype.kind == "c":
        # A complex parameter is a pair of real ones.
        for part in ("real", "imag"):
            yield from pieces([None if a is None else getattr(a, part) for a in arrays])
    elif not p.ndim:
        yield [None if a is None else a.reshape(1) for a in arrays]
    elif p.size <= BLOCK:
        yield arrays
    else:
        if all(a is None or a.flags.c_contiguous for a in arrays):
            arrays = [None if a is None else a.reshape(-1) for a in arrays]
        shape = arrays[0].shape
        rows = max(1, BLOCK * shape[0] // p.size)
        for start in range(0, shape[0], rows):
            yield [None if a is None else a[start : start + rows] for a in arrays]
