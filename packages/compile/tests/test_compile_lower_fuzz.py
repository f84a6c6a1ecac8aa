"""Random functions of tensors, lowered and run by the NumPy reference, equal eager."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest
from compile_lower_helper import compare, trace

from lamella import core
from lamella.compile.loops.ir import Extern
from lamella.compile.loops.numpy_run import run
from lamella.compile.lower import lower


class Draws:
    """Numbers that are the same in every run; unlike Python's they are no source of randomness that capture knows."""

    def __init__(self, seed: int) -> None:
        self.state = seed * 7919 + 12345

    def randrange(self, n: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % n

    def choice(self, values: Any) -> Any:
        return values[self.randrange(len(values))]


def _pointwise(r: Draws, live: list[Any]) -> Any:
    x = r.choice(live)
    kind = r.randrange(9)
    if kind == 0:
        return x * r.choice([2.0, -0.5, 3]) + 1
    if kind == 1:
        return core.tanh(x)
    if kind == 2:
        return core.exp(-x.abs())
    if kind == 3:
        return core.where(x > 0.1, x, -x)
    if kind == 4:
        return x.clamp(-1, 1.5)
    if kind == 5:
        return core.sigmoid(x) * x
    others = [y for y in live if y.shape == x.shape or y.shape[1:] == x.shape[1:] and 1 in (x.shape[0], y.shape[0])]
    y = r.choice(others)
    return x + y if kind == 6 else x * y if kind == 7 else core.maximum(x, y)


def _moved(r: Draws, live: list[Any]) -> Any:
    x = r.choice(live)
    rows, columns = x.shape
    kind = r.randrange(9)
    if kind == 0:
        return x.t()
    if kind == 1:
        return x.reshape(columns, rows)
    if kind == 2 and rows > 1:
        return x[1:]
    if kind == 3 and columns > 2:
        return x[:, ::2]
    if kind == 4:
        return core.cat([x, x * 2], r.randrange(2))
    if kind == 5:
        return x.flip(r.randrange(2))
    if kind == 6 and rows % 2 == 0:
        return x.reshape(rows // 2, 2, columns).transpose(0, 1).reshape(rows, columns)
    if kind == 7:
        return core.roll(x, 1, r.randrange(2))
    return core.constant_pad_nd(x, [1, 0])


def _reduced(r: Draws, live: list[Any]) -> Any:
    x = r.choice(live)
    d, kind = r.randrange(2), r.randrange(6)
    if kind == 0:
        return x - x.amax(d, True)
    if kind == 1:
        return x.sum(d, True).expand(x.shape) * 0.5
    if kind == 2:
        return x.mean(d, True)
    if kind == 3:
        return x.cumsum(d)
    if kind == 4:
        return core.gather(x, 1, x.argmax(1, True))
    return (x - x.mean(d, True)).square().mean(d, True)


def _written(r: Draws, live: list[Any]) -> Any:
    x = r.choice(live) * 1.0
    kind = r.randrange(5)
    if kind == 0:
        x[0].mul_(2)
    elif kind == 1:
        x.t()[-1:].add_(1)
    elif kind == 2:
        x[:, ::2].fill_(0.5)
    elif kind == 3:
        x.index_add_(0, core.tensor([0, 0]), x[:1].expand(2, x.shape[1]) * 1)
    else:
        x.diagonal().copy_(x.diagonal() + 2)
    return x


def program(seed: int, steps: int = 12) -> Any:
    """A random function of two matrices."""

    def function(a: Any, b: Any) -> Any:
        r = Draws(seed)
        live = [a, b, a * b]
        for _ in range(steps):
            made = r.choice([_pointwise, _pointwise, _moved, _reduced, _written])(r, live)
            if made.numel() <= 200:
                live.append(made)
        return tuple(live[-3:])

    return function


@pytest.mark.parametrize("start", range(0, 160, 20))
def test_random_function_lowered_equals_eager(start: int) -> None:
    g = np.random.default_rng(start)
    for seed in range(start, start + 20):
        a, b = (core.tensor(g.normal(size=(4, 6)).astype(np.float64)) for _ in range(2))
        function = program(seed)
        want = [t._a.copy() for t in function(a, b)]
        graph = trace(function, a, b)
        lowered = lower(graph, strict=True)
        assert not [s for s in lowered.steps if isinstance(s, Extern)]
        for k, found in enumerate(run(lowered, [a._a, b._a])[:3]):
            if found is not None:
                compare(found, want[k], f"program {seed}, output {k}")


def compiled_equals_eager(seeds: range) -> None:
    """Many functions as one program: loops of several of them meet in one kernel."""
    from lamella import torch

    g = np.random.default_rng(seeds.start)
    a, b = (core.tensor(g.normal(size=(4, 6))) for _ in range(2))
    functions = [program(seed, 14) for seed in seeds]

    def together(a: Any, b: Any) -> Any:
        return tuple(t for function in functions for t in function(a, b))

    want = [t._a.copy() for t in together(a, b)]
    for k, found in enumerate(torch.compile(together, fullgraph=True)(a, b)):
        compare(found._a, want[k], f"program {seeds[k // 3]}, output {k % 3}")


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("start", [216, 2150])
def test_random_functions_compiled_equal_eager(start: int) -> None:
    compiled_equals_eager(range(start, start + 16))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("start", range(5000, 5240, 20))
def test_many_random_functions_compiled_equal_eager(start: int) -> None:
    compiled_equals_eager(range(start, start + 20))


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_many_parts_joined_and_pooled_in_pairs() -> None:
    from lamella import torch

    def function(x: Any) -> Any:
        parts = [x * k for k in range(11)]
        pooled = torch.nn.functional.max_pool2d(x.view(1, 4, 6), 2, return_indices=True)
        return torch.stack(parts, 1), torch.cat(parts, 0), torch.cat([p > 0 for p in parts], 1), *pooled

    g = np.random.default_rng(0)
    x = core.tensor(np.round(g.normal(size=(4, 6))))
    x._a[0, 1] = np.nan
    for found, want in zip(torch.compile(function, fullgraph=True)(x), function(x), strict=True):
        compare(found._a, want._a, "joined and pooled")
