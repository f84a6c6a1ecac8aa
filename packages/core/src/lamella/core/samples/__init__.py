"""Samples: for each operator, calls that tests run in every way there is.

One row of samples drives agreement with NumPy-computed meta shapes, gradients by finite differences, the in-place and
``out=`` forms, the Meta backend, outside backends (`lamella.core.testing`), and later the compiler. A family `x`
keeps its rows in ``samples/x.py`` of the package that declares it:

    SAMPLES = [
        S("lerp", lambda mk: [((mk(2, 3), mk(2, 3), 0.25), {}), ((mk(3), mk(2, 3), mk(2, 3)), {})]),
    ]

``mk(*shape)`` makes a float64 tensor of reproducible numbers in [-1, 1) that requires grad; ``mk(2, lo=0.1, hi=2)``
changes the range, ``mk.int(2, 3, lo=0, hi=5)`` and ``mk.bool(2)`` make others, ``mk.complex(2)`` complex128.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np

Call = tuple[tuple[Any, ...], dict[str, Any]]


class Maker:
    """Makes the tensors of samples; a fresh one gives the same numbers again."""

    def __init__(self, grad: builtins.bool = True, seed: builtins.int = 7) -> None:
        self.grad = grad
        self._rng = np.random.default_rng(seed)

    def __call__(self, *shape: builtins.int, lo: float = -1.0, hi: float = 1.0, grad: builtins.bool = True) -> Any:
        """A float64 tensor, uniform over [lo, hi)."""
        return self._wrap(np.asarray(self._rng.uniform(lo, hi, shape)), grad)

    def complex(self, *shape: builtins.int, grad: builtins.bool = True) -> Any:
        """A complex128 tensor."""
        return self._wrap(np.asarray(self._rng.uniform(-1, 1, shape) + 1j * self._rng.uniform(-1, 1, shape)), grad)

    def int(self, *shape: builtins.int, lo: builtins.int = 0, hi: builtins.int = 10) -> Any:
        """An int64 tensor, uniform over [lo, hi)."""
        return self._wrap(np.asarray(self._rng.integers(lo, hi, shape)), False)

    def bool(self, *shape: builtins.int) -> Any:
        """A bool tensor."""
        return self._wrap(np.asarray(self._rng.integers(0, 2, shape, dtype=np.int64) > 0), False)

    def distinct(self, *shape: builtins.int, grad: builtins.bool = True) -> Any:
        """A float64 tensor whose elements all differ by at least 0.1, in random order: for sorting and maxima."""
        n = builtins.int(np.prod(shape))
        return self._wrap((self._rng.permutation(n).reshape(shape) - n / 2) * 0.1 + 0.03, grad)

    def far(self, *shape: builtins.int) -> Any:
        """Matrices in float64 that are far from singular, with singular values that differ."""
        m, n = shape[-2:]
        return self._wrap(self._rng.uniform(-0.5, 0.5, shape) + np.eye(m, n) * (1.0 + np.arange(n)), True)

    def definite(self, *shape: builtins.int, grad: builtins.bool = False) -> Any:
        """Symmetric positive-definite matrices ``(*shape, shape[-1])`` in float64."""
        a = self._rng.uniform(-0.5, 0.5, (*shape, shape[-1]))
        return self._wrap(a @ a.swapaxes(-1, -2) + np.diag(1.0 + np.arange(shape[-1])), grad)

    def pivots(self, n: builtins.int) -> Any:
        """The row exchanges of an LU decomposition: none."""
        return self._wrap(np.arange(1, n + 1, dtype=np.int32), False)

    def _wrap(self, a: np.ndarray, grad: builtins.bool) -> Any:
        from ..tensor import wrap

        t: Any = wrap(np.ascontiguousarray(a) if a.ndim else a)
        return t.requires_grad_(True) if grad and self.grad else t


@dataclass(frozen=True)
class S:
    """The samples of one operator.

    Attributes:
        name: as torch spells it, below ``torch``: ``add``, ``Tensor.view``, ``nn.functional.relu``.
        calls: makes the calls from a `Maker`.
        grad: whether gradients are checked; gradgrad: second ones too.
        inplace: whether the in-place form (if there is one) is checked on the samples.
        random: only shape and dtype are comparable.
    """

    name: str
    calls: Callable[[Any], list[Call]] = field(repr=False)
    grad: bool = True
    gradgrad: bool = True
    inplace: bool = True
    random: bool = False

    def make(self, grad: bool = True) -> list[Call]:
        """The calls, with fresh tensors."""
        return self.calls(Maker(grad))


def families(package: str) -> Iterator[Any]:
    """The sample modules of a package (``lamella.core``)."""
    home = import_module(f"{package}.samples")
    for found in iter_modules(home.__path__):
        yield import_module(f"{package}.samples.{found.name}")


def all_samples(package: str = "lamella.core") -> list[S]:
    """Every row of a package."""
    return [s for module in families(package) for s in module.SAMPLES]


def resolve(name: str) -> Callable[..., Any]:
    """The function that a row's name stands for."""
    if name.startswith("Tensor."):
        method = name.partition(".")[2]
        return lambda x, *a, **k: getattr(x, method)(*a, **k)
    home, _, leaf = name.rpartition(".")  # a dotted name says in which layer it is: nn.functional.relu
    return getattr(import_module(f"lamella.{home or 'core'}"), leaf)
