"""Templates: every operator sample that reaches one, compiled to machine code, gives what the eager kernel gives."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from lamella import torch
from lamella.compile.graph.functionalize import functionalize
from lamella.compile.graph.node import Graph
from lamella.compile.loops.ir import Extern, Native
from lamella.compile.lower import lower
from lamella.compile.lower.testing import calls_of, compare, same_layout, spec_of
from lamella.compile.pipeline import cpp
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor, wrap

F = torch.nn.functional


class Calls:
    """A graph of many calls that have nothing to do with each other: one build for all of them."""

    def __init__(self) -> None:
        self.graph, self.arrays = Graph(), []
        self.outputs: list[Any] = []
        self.expected: list[tuple[str, np.ndarray]] = []

    def add(self, op: Any, args: Any, kwargs: Any) -> None:
        """Add a call with inputs of its own, and what eager gives."""
        known: dict[int, Any] = {}

        def node(arg: Any) -> Any:
            if isinstance(arg, Tensor):
                if id(arg) not in known:
                    known[id(arg)] = self.graph.add("input", "x", spec=spec_of(arg))
                    self.graph.nodes.insert(len(self.arrays), self.graph.nodes.pop())
                    self.arrays.append(same_layout(arg._a))
                return known[id(arg)]
            if isinstance(arg, (list, tuple)):
                return type(arg)([node(a) for a in arg])
            return arg

        given, named = node(tuple(args)), {k: node(v) for k, v in kwargs.items()}
        result = op(*args, **kwargs)
        several = isinstance(result, (tuple, list))
        call = self.graph.add("call", op.opname, op, given, named, spec_of(result))
        for k, t in enumerate(result if several else (result,)):
            if isinstance(t, Tensor):
                made = self.graph.add("item", "item", None, (call, k), {}, spec_of(t)) if several else call
                self.outputs.append(made)
                self.expected.append((f"{op.name} {call.name} output {k} {[getattr(a, 'shape', a) for a in args]}", t._a))

    def check(self) -> int:
        """Compile, run twice, compare. Returns how many native calls there were."""
        if not self.outputs:
            return 0
        self.graph.add("output", "output", None, (self.outputs,))
        steps = lower(functionalize(self.graph), strict=True).steps
        refused = [s for s in steps if isinstance(s, Extern)]
        assert not refused, [(s.op.name, s.why) for s in refused]
        program = cpp(self.graph)
        for _ in range(2):
            for found, (what, want) in zip(program(self.arrays), self.expected, strict=True):
                compare(np.asarray(found), want, what)
        return sum(isinstance(s, Native) for s in steps)


def sampled(names: tuple[str, ...], dtype: Any) -> Calls:
    """All calls of operators that samples make, forward and backward."""
    calls = Calls()
    for package in ("lamella.core", "lamella.nn"):
        for sample in all_samples(package):
            for args, kwargs in sample.make(True):
                args, kwargs = _converted(args, dtype), _converted(kwargs, dtype)
                try:
                    made = calls_of(resolve(sample.name), *args, backward=True, **kwargs)
                except (RuntimeError, NotImplementedError, TypeError):
                    continue
                for op, given, named in made:
                    if op.name in names and all(0 not in t.shape for t in given if isinstance(t, Tensor)):
                        calls.add(op, given, named)
    return calls


def _converted(arg: Any, dtype: Any) -> Any:
    if isinstance(arg, Tensor):
        return arg.detach().to(dtype).requires_grad_() if arg.dtype is torch.float64 else arg
    if isinstance(arg, (list, tuple)):
        return type(arg)([_converted(a, dtype) for a in arg])
    if isinstance(arg, dict):
        return {k: _converted(v, dtype) for k, v in arg.items()}
    return arg


FAMILIES = {
    "products": ("aten::mm", "aten::bmm", "aten::mv", "aten::dot", "aten::addmm", "aten::baddbmm", "aten::addmv"),
    "convolution": ("aten::convolution", "aten::convolution_backward"),
    "attention": ("aten::_attention", "aten::_attention_backward"),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("family", FAMILIES)
def test_samples_equal_eager(family: str, dtype: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        calls = sampled(FAMILIES[family], getattr(torch, dtype))
    assert calls.check() > 2


def random(*shape: int, dtype: str = "float32") -> Any:
    return wrap(np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype), 1)
