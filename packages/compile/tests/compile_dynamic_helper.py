"""Samples whose sizes vary: the same call with another number of rows, columns, channels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import lamella.autograd
from lamella.core.samples import resolve
from lamella.core.tensor import Tensor, wrap

#: What a varying size is in turn.
SIZES = (7, 9, 8, 11)
#: Calls with more elements are left out: they only take time.
LARGE = 3000
REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError)


def tensors_in(value: Any) -> list[Tensor]:
    """The tensors in nested arguments or results."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [t for each in value for t in tensors_in(each)] if isinstance(value, (list, tuple)) else []


def replaced(value: Any, tensors: Iterator[Tensor]) -> Any:
    """The same arguments with other tensors."""
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, (list, tuple)):
        return type(value)(replaced(each, tensors) for each in value)
    return {k: replaced(v, tensors) for k, v in value.items()} if isinstance(value, dict) else value


@dataclass(frozen=True)
class Case:
    """A call of a sample in which all sizes that are ``size`` vary together."""

    name: str
    number: int
    size: int
    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __repr__(self) -> str:
        return f"{self.name}-{self.number}-{self.size}"

    def tensors(self, to: int, seed: int = 0) -> list[Tensor]:
        """The tensors of the call at another size."""
        rng = np.random.default_rng(seed)
        return [resized(t, self.size, to, rng) for t in tensors_in([self.args, self.kwargs])]

    def dims(self) -> list[tuple[int, int]]:
        """(number of a tensor, dimension) of what varies."""
        return [(i, d) for i, t in enumerate(tensors_in([self.args, self.kwargs]))
                for d, n in enumerate(t._a.shape) if n == self.size]

    def is_row_major(self) -> bool:
        """Whether what varies are sizes of contiguous tensors."""
        given = self.tensors(SIZES[0])
        return all(given[i]._a.flags.c_contiguous for i, _ in self.dims())

    def run(self, tensors: list[Tensor]) -> list[Tensor]:
        """Results and gradients."""
        args, kwargs = replaced([self.args, self.kwargs], iter(tensors))
        found = tensors_in(self.f(*args, **kwargs))
        outs = [t for t in found if t.requires_grad and (t.dtype.is_floating_point or t.dtype.is_complex)]
        leaves = [t for t in tensors if t.requires_grad]
        results = [t.detach() for t in found]
        if outs and leaves:
            total = sum((t * t.detach().cos() if not t.dtype.is_complex else t.abs()).sum() for t in outs)
            results += [g for g in lamella.autograd.grad(total, leaves, allow_unused=True) if g is not None]
        return results


def resized(t: Tensor, size: int, to: int, rng: np.random.Generator) -> Tensor:
    """A tensor of the same kind of elements, repeated with small changes up to the new size."""
    a = t.detach().resolve_conj()._a
    dims = [d for d, n in enumerate(a.shape) if n == size]
    square = a.ndim > 1 and a.shape[-1] == a.shape[-2] == size and a.dtype.kind in "fc"
    symmetric = square and np.array_equal(a, a.swapaxes(-1, -2).conj())
    order = np.argsort([-s for s in a.strides], kind="stable") if a.size and not a.flags.c_contiguous else None
    for d in dims:
        a = np.take(a, np.arange(to) % size, d)
    if dims and a.dtype.kind in "fc" and not symmetric:
        a = a * (1 + 0.05 * rng.uniform(-1, 1, a.shape)).astype(a.real.dtype)
    if square:
        a = a + np.eye(to, dtype=a.dtype) * (1.0 + np.arange(to))
    if order is not None:
        a = np.ascontiguousarray(a.transpose(order)).transpose(np.argsort(order))
    made: Any = wrap(np.array(a, order="K", copy=True))
    return made.requires_grad_(t.requires_grad)


def cases(rows: Iterable[Any]) -> list[Case]:
    """The calls of rows of samples with each size that eager lets vary."""
    found = []
    seen: Counter[str] = Counter()
    for row in rows:
        for args, kwargs in row.make(row.grad):
            given = tensors_in([args, kwargs])
            for size in sorted({n for t in given for n in t._a.shape if n > 1}):
                case = Case(row.name, seen[row.name], size, resolve(row.name), args, kwargs)
                if sum(t.numel() for t in case.tensors(max(SIZES))) < LARGE and all(accepts(case, to) for to in SIZES):
                    found.append(case)
            seen[row.name] += 1
    return found


def accepts(case: Case, to: int) -> bool:
    """Whether eager runs the call at a size."""
    try:
        return all(np.isfinite(t._a).all() for t in case.run(case.tensors(to)) if t.dtype.is_floating_point)
    except REFUSALS:
        return False


class Calls:
    """Several cases as one function of all their tensors."""

    def __init__(self, cases: list[Case]) -> None:
        self.cases = cases
        self.ends = [0]
        for case in cases:
            self.ends.append(self.ends[-1] + len(tensors_in([case.args, case.kwargs])))

    def tensors(self, to: int, seed: int = 0) -> list[Tensor]:
        """All tensors at a size."""
        return [t for case in self.cases for t in case.tensors(to, seed)]

    def dims(self) -> set[tuple[str, int]]:
        """What varies, in the compiler's names."""
        return {(f"a{start + i}", d) for case, start in zip(self.cases, self.ends) for i, d in case.dims()}

    def function(self) -> Callable[..., list[list[Tensor]]]:
        """The function to compile."""
        parts = list(zip(self.cases, self.ends, self.ends[1:]))

        def run(*tensors: Tensor) -> list[list[Tensor]]:
            return [case.run(list(tensors[start:end])) for case, start, end in parts]

        return run
