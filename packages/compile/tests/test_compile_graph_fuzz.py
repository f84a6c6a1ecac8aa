"""Random programs of pointwise calls, reductions, views and writes: functional graphs against eager."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lamella import torch
from lamella.compile.errors import CompileError
from lamella.compile.graph import interpret
from lamella.compile.graph.passes import prepare
from lamella.compile.graph.printer import load, source
from lamella.compile.graph.record import record
from lamella.core.storage import owner_of

Step = tuple[str, int, int, int]



MAKE: dict[str, Callable[[Any, Any, int], Any]] = {
    "abs": lambda a, b, k: a.abs(), "neg": lambda a, b, k: a.neg(), "relu": lambda a, b, k: a.relu(),
    "clone": lambda a, b, k: a.clone(), "double": lambda a, b, k: a.to(torch.float64),
    "long": lambda a, b, k: (a * 4).to(torch.int64), "mask": lambda a, b, k: a > 0.3,
    "add": lambda a, b, k: a + b, "mul": lambda a, b, k: a * b, "times": lambda a, b, k: a * (k / 2),
    "where": lambda a, b, k: torch.where(a > b, a, b), "sum": lambda a, b, k: a.sum(k % a.ndim, keepdim=k > 3),
    "amax": lambda a, b, k: a.amax(k % a.ndim), "total": lambda a, b, k: a.sum(), "full": lambda a, b, k:
    torch.full((2, k % 3 + 1), float(k)), "cat": lambda a, b, k: torch.cat([a, b], k % a.ndim),
}
VIEW: dict[str, Callable[[Any, Any, int], Any]] = {
    "select": lambda a, b, k: a.select(k % a.ndim, k % a.shape[k % a.ndim] - (k > 3)),
    "slice": lambda a, b, k: a[k % 3:], "step": lambda a, b, k: a[..., ::2], "last": lambda a, b, k: a[-2:],
    "t": lambda a, b, k: a.transpose(0, -1), "unsqueeze": lambda a, b, k: a.unsqueeze(k % (a.ndim + 1)),
    "squeeze": lambda a, b, k: a.squeeze(), "flat": lambda a, b, k: a.view(-1), "same": lambda a, b, k: a.detach(),
    "expand": lambda a, b, k: a.expand(2, *a.shape), "diagonal": lambda a, b, k: a.diagonal(k % 3 - 1),
    "split": lambda a, b, k: a.split(2, k % a.ndim)[-1], "unbind": lambda a, b, k: a.unbind(0)[k % a.shape[0]],
    "permute": lambda a, b, k: a.permute(*reversed(range(a.ndim))),
    "unfold": lambda a, b, k: a.unfold(-1, 2, 1 + k % 2),
    "strided": lambda a, b, k: a.as_strided((2, 2), (2, 1), a.storage_offset() + k % 2),
}
WRITE: dict[str, Callable[[Any, Any, int], Any]] = {
    "add_": lambda a, b, k: a.add_(b), "mul_": lambda a, b, k: a.mul_(k / 2), "copy_": lambda a, b, k: a.copy_(b),
    "fill_": lambda a, b, k: a.fill_(k), "fill_tensor": lambda a, b, k: a.fill_(b.sum()),
    "zero_": lambda a, b, k: a.zero_(), "clamp_": lambda a, b, k: a.clamp_(-0.5, 1),
    "masked": lambda a, b, k: a.masked_fill_(b > 0, k), "item": lambda a, b, k: a.__setitem__(0, b),
    "index": lambda a, b, k: a.__setitem__((slice(None), -1), k), "sub_": lambda a, b, k: a.sub_(a.amax()),
    "index_add": lambda a, b, k: a.index_add_(0, torch.tensor([0, 0]), b[:2]), "eq_": lambda a, b, k: a.eq_(b),
}


class Program:
    """A function of tensors that runs steps; those that eager refuses are left out, the same ones every time."""

    def __init__(self, steps: list[Step], outputs: list[int]) -> None:
        self.steps, self.outputs = steps, outputs
        self.log: list[str] = []

    def __call__(self, *inputs: Any) -> list[Any]:
        values = list(inputs)
        self.log = []
        for name, i, j, k in self.steps:
            a, b = values[i % len(values)], values[j % len(values)]
            table = MAKE if name in MAKE else VIEW if name in VIEW else WRITE
            try:
                made = table[name](a, b, k)
            except (RuntimeError, IndexError, TypeError, ValueError, ZeroDivisionError, UserWarning):
                continue
            self.log.append(f"{name}({i % len(values)}, {j % len(values)}, {k})")
            if table is not WRITE:
                values.append(made)
        return [values[n % len(values)] for n in self.outputs]

    def __repr__(self) -> str:
        return f"Program({self.steps}, {self.outputs})"


steps = st.tuples(st.sampled_from([*MAKE, *VIEW, *VIEW, *WRITE, *WRITE]), st.integers(0, 30), st.integers(0, 30),
                  st.integers(0, 5))
programs = st.builds(Program, st.lists(steps, min_size=3, max_size=14), st.lists(st.integers(0, 40), min_size=1,
                                                                                  max_size=4))


def inputs() -> list[Any]:
    generator = np.random.default_rng(0)  # eighths: sums are exact, however NumPy adds them up
    made = [torch.tensor(generator.integers(-12, 12, size=s).astype(np.float32) / 8) for s in ((3, 4), (4,), (2, 3))]
    return [*made, torch.tensor([[1, 2, 3]])]


def equal(a: Any, b: Any) -> bool:
    return a.dtype is b.dtype and a.shape == b.shape and np.allclose(a._a, b._a, 1e-5, 1e-6, equal_nan=True)


def shared(tensors: list[Any]) -> list[bool]:
    return [a.numel() > 0 and owner_of(a._a) is owner_of(b._a) for i, a in enumerate(tensors) for b in tensors[:i]]


def check(program: Program, printed: bool) -> None:
    raw = record(program, inputs())
    try:
        graph = prepare(raw, check=True)
    except CompileError as error:
        assert "may overlap" in str(error) or "aten::expand" in str(error)
        return
    mine, theirs = inputs(), inputs()
    want = program(*theirs)
    got = interpret.execute(graph, mine)
    if printed:
        text = source(graph)
        again = load(text, graph)(*inputs())
        assert all(a is None or equal(a, b) for a, b in zip(again[:len(got)], got, strict=True)), text
    for a, b in zip([*mine, *got], [*theirs, *want], strict=True):
        assert equal(a, b), source(graph)
    assert shared([*mine, *got]) == shared([*theirs, *want]), source(graph)
    for a, b in zip(got, want, strict=True):  # later writes show in the same places
        if a._a.flags.writeable and b._a.flags.writeable:
            a.fill_(1)
            b.fill_(1)
    for a, b in zip([*mine, *got], [*theirs, *want], strict=True):
        assert equal(a, b), source(graph)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs)
def test_random_programs(program: Program) -> None:
    check(program, printed=True)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs)
def test_many_random_programs(program: Program) -> None:
    check(program, printed=False)
