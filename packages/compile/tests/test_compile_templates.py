"""Templates: every operator sample that reaches one, compiled to machine code, gives what the eager kernel gives."""

from __future__ import annotations

import platform
import warnings
from typing import Any

import numpy as np
import pytest
from compile_lower_helper import calls_of, compare, same_layout, spec_of

from lamella import torch
from lamella.compile.decompose import decompose
from lamella.compile.graph.functionalize import functionalize
from lamella.compile.graph.node import Graph
from lamella.compile.loops.ir import Extern, Native
from lamella.compile.lower import lower
from lamella.compile.pipeline import cpp
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor, wrap
from lamella.dispatch.config import settings

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
                shapes = [getattr(a, "shape", a) for a in args]
                self.expected.append((f"{op.name} {call.name} output {k} {shapes}", t._a))

    def check(self) -> int:
        """Compile, run twice, compare. Returns how many native calls there were."""
        if not self.outputs:
            return 0
        self.graph.add("output", "output", None, (self.outputs,))
        steps = lower(decompose(functionalize(self.graph), strict=True), strict=True).steps
        refused = [s for s in steps if isinstance(s, Extern)]
        assert not refused, [(s.op.name, s.why) for s in refused]
        program = cpp(self.graph)
        for _ in range(2):
            for found, (what, want) in zip(program(self.arrays), self.expected, strict=True):
                finite = want[np.isfinite(want)] if want.dtype.kind == "f" else want[:0]
                scale = want.dtype.type(max(1, np.abs(finite).max(initial=0)))
                compare(np.asarray(found) / scale, want / scale, what)
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


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_recurrent_layers_equal_eager(dtype: str) -> None:
    calls = Calls()
    names = [f"aten::{kind}_loop{end}" for kind in ("rnn", "lstm", "gru") for end in ("", "_backward")]
    packed = torch.nn.utils.rnn.pack_sequence([random(n, 3).to(getattr(torch, dtype)) for n in (5, 3, 3, 1)])
    for kind in (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN, lambda *a, **k: torch.nn.RNN(*a, nonlinearity="relu", **k)):
        for size, bidirectional, x in ((2, True, packed), (33, False, random(4, 9, 3)), (19, False, packed)):
            layer = kind(3, size, bidirectional=bidirectional).to(getattr(torch, dtype))
            x = x if x is packed else x.to(getattr(torch, dtype))

            def run(layer: Any = layer, x: Any = x) -> Any:
                out, state = layer(x)
                state = state if isinstance(state, tuple) else (state,)
                return sum((t * t).sum() for t in (out.data if x is packed else out, *state))

            for op, args, kwargs in calls_of(run, backward=True):
                if op.name in names:
                    calls.add(op, args, kwargs)
    assert calls.check() >= 24


def products() -> Calls:
    calls = Calls()
    for m, n, k in ((33, 70, 129), (1, 65, 40), (65, 1, 40), (7, 5, 1000), (200, 96, 800), (20, 800, 200), (3, 2, 90)):
        calls.add(torch.ops.aten.mm.default, (random(m, k), random(k, n)), {})
        calls.add(torch.ops.aten.mm.default, (random(k, m).t(), random(n, k).t()), {})
        calls.add(torch.ops.aten.addmm.default, (random(n), random(m, k), random(n, k).t()), {})
    calls.add(torch.ops.aten.bmm.default, (random(6, 40, 33), random(6, 33, 50)), {})
    calls.add(torch.ops.aten.bmm.default, (random(6, 33, 40).transpose(1, 2), random(33, 6, 50).transpose(0, 1)), {})
    return calls


def test_products_of_truth_values_are_left_to_eager() -> None:
    graph, names = Graph(), ("a", "b")
    a, b = (wrap(np.ones(shape, bool), 1) for shape in ((2, 256), (256, 2)))
    given = [graph.add("input", name, spec=spec_of(t)) for name, t in zip(names, (a, b), strict=True)]
    made = graph.add("call", "mm", torch.ops.aten.mm.default, tuple(given), {}, spec_of(wrap(np.ones((2, 2), bool), 1)))
    graph.add("output", "output", None, ([made],))
    assert [type(step) for step in lower(functionalize(graph)).steps] == [Extern]


def test_larger_products_equal_eager() -> None:
    assert products().check() > 15


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="flags of one processor")
def test_larger_products_on_narrow_vectors() -> None:
    with settings.using(cxx_flags="-march=x86-64 -O1"):
        assert products().check() > 15


CONVOLUTIONS = [
    ((5, 17, 12, 12), (19, 17, 3, 3), {"padding": 2}),
    ((3, 16, 30, 31), (24, 16, 3, 3), {"stride": 2, "padding": 1}),
    ((2, 32, 9, 9), (32, 1, 3, 3), {"padding": 1, "groups": 32}),
    ((2, 3, 40, 40), (8, 3, 7, 7), {"stride": 4, "padding": 3}),
    ((4, 12, 100), (16, 6, 5), {"groups": 2, "dilation": 3, "padding": 4}),
    ((1, 40, 1, 1), (70, 40, 1, 1), {}),
    ((6, 5, 4, 3), (96, 5, 3, 2), {"padding": (1, 0), "stride": (2, 1)}),
    ((3, 8, 5, 5), (128, 4, 3, 3), {"padding": 2, "dilation": 2, "groups": 2}),
    ((2, 4, 6, 7, 8), (5, 4, 3, 1, 2), {"stride": (2, 1, 3), "padding": (1, 0, 1)}),
    ((1, 3, 6, 20, 33), (4, 3, 1, 1, 1), {"padding": (1, 0, 0)}),
]


def test_larger_convolutions_equal_eager() -> None:
    calls = Calls()
    for shape, window, how in CONVOLUTIONS:
        convolve = (F.conv1d, F.conv2d, F.conv3d)[len(shape) - 3]
        x, w, b = random(*shape).requires_grad_(), random(*window).requires_grad_(), random(window[0]).requires_grad_()
        for op, args, kwargs in calls_of(convolve, x, w, b, **how, backward=True):
            if op.name.startswith("aten::convolution"):
                calls.add(op, args, kwargs)
    assert calls.check() >= 3 * len(CONVOLUTIONS) - 1


def test_transposed_convolutions_with_more_output_equal_eager() -> None:
    calls = Calls()
    x, w = random(1, 3, 6, 20, 33).requires_grad_(), random(3, 4, 2, 1, 1).requires_grad_()
    how = {"dilation": (2, 1, 1), "output_padding": (1, 0, 0)}
    for op, args, kwargs in calls_of(F.conv_transpose3d, x, w, **how, backward=True):
        if op.name.startswith("aten::convolution"):
            calls.add(op, args, kwargs)
    assert calls.check() >= 3


def test_infinity_stays_where_windows_meet_it() -> None:
    calls = Calls()
    x, w, b = random(2, 3, 6, 5), random(4, 3, 3, 2), random(4)
    x._a[0, 1, 2, 4], x._a[1, 2, 0, 0] = np.inf, np.nan
    g = random(2, 4, 4, 4)
    how = ((1, 1), (0, 0), (1, 1), False, (0, 0), 1)
    with np.errstate(invalid="ignore"):
        calls.add(torch.ops.aten.convolution.default, (x, w, b, *how), {})
        calls.add(torch.ops.aten.convolution_backward.default, (g, x, w, [4], *how, (True, True, True)), {})
        calls.check()


def test_larger_attention_equals_eager() -> None:
    calls = Calls()
    rows = random(3, 70, 3, 4, 32)
    q, k, v = (rows[:, :, i].transpose(1, 2).detach().requires_grad_() for i in range(3))
    for mask in (None, random(70, 70) > 0):
        for op, args, kwargs in calls_of(F.scaled_dot_product_attention, q, k, v, mask, is_causal=mask is None,
                                         backward=True):
            if "_attention" in op.name:
                calls.add(op, args, kwargs)
    assert calls.check() == 4


def test_attention_without_a_backward_pass_keeps_no_weights() -> None:
    q, k, v = random(2, 3, 40, 16), random(2, 3, 50, 16), random(2, 3, 50, 24)
    graph, node = Graph(), torch.ops.aten._attention.default
    inputs = [graph.add("input", "x", spec=spec_of(t)) for t in (q, k, v)]
    out, weights = node(q, k, v, None, None, False, 0.25)
    call = graph.add("call", "attention", node, (*inputs, None, None, False, 0.25), {}, spec_of((out, weights)))
    graph.add("output", "output", None, ([graph.add("item", "item", None, (call, 0), {}, spec_of(out))],))
    [step] = lower(functionalize(graph), strict=True).steps
    assert len(step.outs) == 1
    compare(np.asarray(cpp(graph)([t._a for t in (q, k, v)])[0]), out._a, "attention")


def test_layers_with_a_symbolic_batch_equal_eager() -> None:
    torch.manual_seed(0)
    nn = torch.nn
    first, middle, last = nn.Conv2d(1, 4, 3, padding=1), nn.LSTM(32, 16, batch_first=True), nn.Linear(16, 48)
    parameters = [p for layer in (first, middle, last) for p in layer.parameters()]

    def step(x: Any) -> Any:
        batch = x.shape[0]
        rows = middle(first(x).relu().view(batch, 8, 32))[0]
        q, k, v = (t.view(batch, 8, 2, 8).transpose(1, 2) for t in last(rows).split(16, 2))
        loss = F.scaled_dot_product_attention(q, k, v, is_causal=True).pow(2).sum()
        return loss, *torch.autograd.grad(loss, parameters)

    compiled = torch.compile(step, fullgraph=True)
    for batch in (3, 7, 5, 40):
        x = torch.randn(batch, 1, 8, 8)
        for found, want in zip(compiled(x), step(x), strict=True):
            torch.testing.assert_close(found, want, rtol=1e-4, atol=1e-5)
