"""Random functions with several call forms."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen import random as _gen
from ..faults import as_float
from ..runtime import write_out
from ..tensor import Tensor


def normal(
    mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None, out: Any = None, **options: Any
) -> Tensor:
    """Normally distributed numbers.

    Args:
        mean, std: numbers, or tensors that give a mean or a deviation for each element.
        size: the shape, when both are numbers.
        generator: where the numbers come from.
        out: where the result goes.

    Raises:
        RuntimeError: for a negative deviation.
    """
    from .creation import empty, zeros

    if size is None and (isinstance(mean, Tensor) or isinstance(std, Tensor)):
        like = mean if isinstance(mean, Tensor) else std
        if isinstance(std, Tensor):
            if std.is_complex():
                raise RuntimeError(message("normal", "expects standard deviation to be non-complex"))
            if std.numel() and bool((std < 0).any()):  # type: ignore[attr-defined]
                raise RuntimeError(message("normal", "expects all elements of std >= 0.0"))
            shape = (mean + std)._a.shape if isinstance(mean, Tensor) else std._a.shape
        else:
            shape = like._a.shape
        t: Any = empty(shape, dtype=like.dtype, device=like.device)
        if isinstance(std, Tensor):
            r = _gen.op_normal_(t, 0, 1, generator=generator).mul_(std).add_(mean)
        else:
            r = _gen.op_normal_(t, 0, std, generator=generator).add_(mean)
        if r.requires_grad:
            # Torch gives mean and std the gradient 0: samples do not depend on them.
            from .indexing import where

            r = where(zeros((), dtype=dt.bool_), r, r.detach())
    else:
        requires_grad = options.pop("requires_grad", False)
        mean, std = as_float("normal", "mean", mean), as_float("normal", "std", std)
        if size is None and out is None:
            raise TypeError(message("normal", "size is needed when mean and std are numbers"))
        r = _gen.op_normal_(
            empty(size if size is not None else out._a.shape, **options), mean, std, generator=generator
        )
        if requires_grad:
            r.requires_grad_(True)
    return r if out is None else write_out("normal", out, r)


def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:  # noqa: A002
    """0 or 1 with the probability that each element of ``input`` gives (or ``p`` for all)."""
    if p is None:
        r = _gen.op_bernoulli(input, generator=generator)
    else:
        from .creation import empty_like

        r = bernoulli_(empty_like(input), p, generator=generator)
    return r if out is None else write_out("bernoulli", out, r)


def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill with 0 or 1, 1 with probability ``p`` (a number or a tensor)."""
    f = _gen.op_bernoulli__Tensor if isinstance(p, Tensor) else _gen.op_bernoulli__float
    return f(self, p, generator=generator)


def random_(self: Tensor, *bounds: Any, generator: Any = None, **named: Any) -> Tensor:
    """Fill with whole numbers: ``random_()``, ``random_(to)`` or ``random_(from, to)``."""
    low, high = named.get("from"), named.get("to")
    if len(bounds) == 1:
        low, high = (0, bounds[0]) if high is None else (bounds[0], high)
    elif len(bounds) == 2:
        low, high = bounds
    if high is not None and low is None:
        low = 0
    return _gen.op_random__from(self, low, high, generator=generator)


FUNCTIONS = {"normal": normal, "bernoulli": bernoulli}
METHODS = {"bernoulli": bernoulli, "bernoulli_": bernoulli_, "random_": random_}
