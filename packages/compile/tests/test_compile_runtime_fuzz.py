"""Random functions that write to views of their arguments: results and sharing of memory are eager's."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lamella import torch
from lamella.compile import pipeline
from lamella.compile.build import compilers
from lamella.compile.errors import CompilerMissing
from lamella.compile.graph.record import record


def same(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function as one that returns its argument, which it writes to."""

    def run(a: Any) -> Any:
        fn(a)
        return a

    return run


STEPS: list[Callable[[Any], Any]] = [
    lambda a: a.t(), lambda a: a.reshape(-1, 1), lambda a: a[a.shape[0] // 2], lambda a: a[:, 0], lambda a: a[1:],
    lambda a: a.unsqueeze(0)[0], same(lambda a: a.add_(1.5)), same(lambda a: a.mul_(0.5)), same(lambda a: a.zero_()),
    same(lambda a: a.lerp_(a * 2, 0.25)), same(lambda a: a[0].copy_(torch.ones_like(a[0]) * 3)),
    same(lambda a: a[:, 0].fill_(2.0)), torch.relu, lambda a: a.sum(0), lambda a: torch.softmax(a, -1),
    lambda a: a @ a.t(), lambda a: torch.tanh(a) + 1, lambda a: torch.cat([a, a * 2]), lambda a: a[[0, 0]],
    lambda a: torch.cumsum(a, 0).clamp(-5, 5),
]


def function(seed: int) -> Callable[..., list[Any]]:
    rng = random.Random(seed)
    steps = [(rng.randrange(len(STEPS)), rng.randrange(100)) for _ in range(rng.randint(2, 8))]
    outputs = [rng.randrange(100) for _ in range(rng.randint(1, 4))]

    def run(*tensors: Any) -> list[Any]:
        values = list(tensors)
        for step, of in steps:
            a = values[of % len(values)]
            a = a if a.ndim == 2 and a.shape[0] > 1 else a.reshape(-1, 1)
            values.append(STEPS[step](a))
        return [values[n % len(values)] for n in outputs]

    return run


def equal(eager: list[Any], compiled: list[Any]) -> None:
    for a, b in zip(eager, compiled, strict=True):
        np.testing.assert_allclose(getattr(b, "_a", b), a._a, rtol=1e-4, atol=1e-5)
        assert getattr(b, "_a", b).shape == a._a.shape


@pytest.mark.parametrize("start", range(0, 40, 8))
def test_random_functions(start: int) -> None:
    try:
        compilers.find()
    except CompilerMissing as missing:
        pytest.skip(str(missing))
    for seed in range(start, start + 8):
        fn, rng = function(seed), torch.Generator().manual_seed(seed)
        inputs = [torch.randn(3, 4, generator=rng), torch.randn(4, 3, generator=rng).t(),
                  torch.randn(5, generator=rng)]
        program = pipeline.cpp(record(fn, [x.clone() for x in inputs]))
        mine, theirs = [x.clone() for x in inputs], [x.clone() for x in inputs]
        for _ in range(2):
            expected, got = fn(*mine), program([x._a for x in theirs])
            equal([*expected, *mine], [*got, *theirs])
            for a, b in zip(expected, got, strict=True):
                if a.numel() and a._a.flags.writeable:
                    a._a.flat[0] += 1
                    b.flat[0] += 1
            equal([*expected, *mine], [*got, *theirs])
