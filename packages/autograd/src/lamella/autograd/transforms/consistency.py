"""Whether `vmap` of a call agrees with a loop over the examples: what tests of operators and rules run.

A call's tensors are given a batch dimension, all together and each alone, in front and at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor

from .. import entry
from ..pytree import tree_flatten, tree_leaves, tree_unflatten
from .api import grad
from .batched import vmap

SIZE = 3


class Case:
    """One call with some of its tensors batched.

    Attributes:
        func: takes the batched tensors' examples and returns a list of tensors.
        dim: where the batch is: 0 or -1.
        batches: the batched tensors.
    """

    def __init__(self, func: Callable[..., Any], args: Any, kwargs: Any, places: list[int], dim: int) -> None:
        self.dim, self.places = dim, places
        self._call = func, args, kwargs
        self._func = func
        self._leaves, self._spec = tree_flatten((args, kwargs))
        self.batches = [_batch(self._leaves[i], dim) for i in places]

    def func(self, *xs: Any) -> list[Any]:
        leaves = [x.clone() if isinstance(x, Tensor) else x for x in self._leaves]  # type: ignore[attr-defined]
        for i, x in zip(self.places, xs, strict=True):
            leaves[i] = x
        args, kwargs = tree_unflatten(leaves, self._spec)
        return tree_leaves(self._func(*args, **kwargs))

    def floating(self) -> Case:
        """The same case with only its floating tensors batched."""
        places = [i for i in self.places if self._leaves[i].dtype.category == 2]
        return self if places == self.places else Case(*self._call, places, self.dim)

    def squares(self, *xs: Any) -> Any:
        """The sum of squares of all results: a number to differentiate."""
        total: Any = 0
        for r in self.func(*[x.clone() for x in xs]):
            if isinstance(r, Tensor) and r.dtype.category >= 2:
                total = total + ((r * r.conj()).real if r.is_complex() else r * r).sum()  # type: ignore[attr-defined]
        return total

    def example(self, b: int) -> list[Any]:
        """Copies of one example's tensors."""
        return [x.select(self.dim, b).clone() for x in self.batches]

    def looped(self, func: Any = None) -> list[Any] | None:
        """The results (or those of another function) by a loop; None where they cannot be stacked or one fails."""
        try:
            columns = list(zip(*[(func or self.func)(*self.example(b)) for b in range(SIZE)], strict=True))
            if not all(isinstance(r, Tensor) and r._a.shape == c[0]._a.shape for c in columns for r in c):
                return None
            return [F.stack(c) for c in columns]
        except Exception:  # noqa: BLE001 - the call does not take such values
            return None

    def looped_gradients(self) -> list[Any] | None:
        """The gradients of `squares` by a loop; None where there are none."""
        try:
            rows = []
            for b in range(SIZE):
                xs = [x.requires_grad_() for x in self.example(b)]
                found = entry.grad(self.squares(*xs), xs, allow_unused=True)
                rows.append([F.zeros_like(x) if g is None else g  # type: ignore[attr-defined]
                             for x, g in zip(xs, found, strict=True)])
            return [F.stack(c) for c in zip(*rows, strict=True)]
        except Exception:  # noqa: BLE001 - the call does not take such values
            return None

    def mapped(self, *batches: Any) -> list[Any]:
        """The results by `vmap`, on the case's batches or other ones."""
        batches = batches or tuple([x.clone() for x in self.batches])
        return vmap(self.func, in_dims=(self.dim,) * len(self.places))(*batches)

    def mapped_gradients(self) -> list[Any]:
        """The gradients by `vmap` of `grad`."""
        g = grad(self.squares, argnums=tuple(range(len(self.places))))
        return list(vmap(g, in_dims=(self.dim,) * len(self.places))(*[x.clone() for x in self.batches]))

    def gradients_of_mapped(self) -> list[Any]:
        """The gradients by autograd through `vmap`."""
        xs = [x.clone().requires_grad_() for x in self.batches]
        total = vmap(self.squares, in_dims=(self.dim,) * len(xs))(*xs).sum()
        found = entry.grad(total, xs, allow_unused=True)
        return [(F.zeros_like(x) if g is None else g).movedim(self.dim, 0)  # type: ignore[attr-defined]
                for x, g in zip(xs, found, strict=True)]


def _batch(t: Any, dim: int) -> Any:
    """A tensor with a batch of variants of itself."""
    a = t.detach()
    if a.dtype.category >= 2:
        parts = [a, a * 0.9, a * 0.8]
    elif a.dtype.category == 0:
        parts = [a, a.logical_not(), a]
    else:
        parts = [a, a.flip(tuple(range(a.ndim))) if a.ndim else a, a]
    s: Any = F.stack(parts, 0)  # type: ignore[attr-defined]
    return s if dim == 0 else s.movedim(0, -1).contiguous()


def cases(func: Callable[..., Any], args: Any, kwargs: Any, floating: bool = False) -> Iterator[Case]:
    """The ways to batch a call's tensors: all of them and each alone, the batch in front and at the end.

    Args:
        floating: only its floating tensors.
    """
    leaves = tree_leaves((args, kwargs))
    places = [i for i, x in enumerate(leaves) if isinstance(x, Tensor) and (not floating or x.dtype.category == 2)]
    if not places:
        return
    for some in [places, *([[i] for i in places] if len(places) > 1 else [])]:
        for dim in (0, -1):
            yield Case(func, args, kwargs, some, dim)


def difference(found: Any, wanted: Any) -> str:
    """How two lists of tensors differ; empty where they agree."""
    if len(found) != len(wanted):
        return f"{len(found)} results, not {len(wanted)}"
    for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
        if a._a.shape != b._a.shape or a.dtype is not b.dtype:
            return f"result {i}: {list(a.shape)} {a.dtype.name}, not {list(b.shape)} {b.dtype.name}"
        if a.dtype.category < 2:
            same = bool((a == b).all())
        else:
            same = F.allclose(a, b, rtol=1e-6, atol=1e-8, equal_nan=True)  # type: ignore[attr-defined]
        if not same:
            return f"result {i}: other values"
    return ""
