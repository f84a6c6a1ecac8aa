"""Templates of GPU programs: products, convolutions, attention and recurrent loops give what eager gives."""

from __future__ import annotations

import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest
from compile_cuda_helper import check, close, run_graph
from compile_lower_helper import calls_of, same_layout, spec_of

from lamella import torch
from lamella.compile.graph.node import Graph
from lamella.compile.loops.device import DeviceProduct
from lamella.compile.loops.ir import Native
from lamella.compile.lower import load_rules
from lamella.compile.lower.registry import OWN, RULES, rule_of
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor, wrap
from lamella.dispatch import registry

F = torch.nn.functional
aten = torch.ops.aten


def random(*shape: int, dtype: str = "float32") -> Any:
    given = np.random.default_rng(sum(shape)).standard_normal(shape).astype("float32")
    return wrap(given, 1).to(getattr(torch, dtype))


def converted(arg: Any, dtype: Any) -> Any:
    if isinstance(arg, Tensor):
        return arg.detach().to(dtype).requires_grad_() if arg.dtype is torch.float64 else arg
    if isinstance(arg, (list, tuple)):
        return type(arg)([converted(a, dtype) for a in arg])
    return {k: converted(v, dtype) for k, v in arg.items()} if isinstance(arg, dict) else arg


def sampled(names: tuple[str, ...], dtype: Any) -> list[Any]:
    """All calls of operators that samples make, forward and backward."""
    found = []
    for package in ("lamella.core", "lamella.nn"):
        for sample in all_samples(package):
            for args, kwargs in sample.make(True):
                args, kwargs = converted(args, dtype), converted(kwargs, dtype)
                try:
                    made = calls_of(resolve(sample.name), *args, backward=True, **kwargs)
                except (RuntimeError, NotImplementedError, TypeError, ValueError):
                    continue
                found += [(op, given, named) for op, given, named in made
                          if op.name in names and all(0 not in t.shape for t in given if isinstance(t, Tensor))]
    return found


FAMILIES = {
    "products": ("aten::mm", "aten::bmm", "aten::mv", "aten::dot", "aten::addmm", "aten::baddbmm", "aten::addmv",
                 "aten::linear", "aten::linear_backward"),
    "convolution": ("aten::convolution", "aten::convolution_backward"),
    "attention": ("aten::_attention", "aten::_attention_backward"),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
@pytest.mark.parametrize("family", FAMILIES)
def test_samples_equal_eager(family: str, dtype: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        calls = sampled(FAMILIES[family], getattr(torch, dtype))
    assert len(calls) > 5
    for op, args, kwargs in calls:
        check(op, args, kwargs)


def test_rules_are_for_operators_that_exist() -> None:
    load_rules("cuda")
    assert [name for name in OWN["cuda"] if registry.find(name) is None] == []
    assert rule_of("aten::mm") is not rule_of("aten::mm", "cuda")
    assert rule_of("aten::cat") is rule_of("aten::cat", "cuda") is not None
    rules = [rule_of(name, "cuda") for name in (*RULES, *OWN["cpp"])]
    of = {rule.__module__.rpartition(".")[0] for rule in rules if rule is not None}
    assert "lamella.compile.templates" not in of


def test_products_of_halves_are_read_as_halves() -> None:
    steps = check(aten.linear.default, (random(3, 7, 16, dtype="bfloat16"), random(5, 16, dtype="bfloat16"),
                                        random(5, dtype="bfloat16")), {})
    [native] = [s for s in steps if isinstance(s, Native)]
    [made] = native.calls
    assert (made.dtype, made.out) == ("bfloat16", "float32")


def test_batches_and_turned_matrices_are_not_copied() -> None:
    for a, b in ((random(6, 33, 40).transpose(1, 2), random(6, 50, 33).transpose(1, 2)),
                 (random(6, 40, 33), random(6, 33, 50)), (random(1, 4, 3).expand(5, 4, 3), random(5, 3, 2))):
        steps = check(aten.bmm.default, (a, b), {})
        assert len(steps) == 1 and isinstance(steps[0].calls[0], DeviceProduct)


CONVOLUTIONS = [
    ((5, 7, 12, 12), (9, 7, 3, 3), {"padding": 2}),
    ((3, 6, 10, 11), (4, 6, 3, 3), {"stride": 2, "padding": 1}),
    ((2, 8, 9, 9), (8, 1, 3, 3), {"padding": 1, "groups": 8}),
    ((2, 3, 20, 20), (8, 3, 7, 7), {"stride": 4, "padding": 3}),
    ((2, 3, 20, 20), (4, 3, 9, 9), {"stride": 2, "padding": 3}),
    ((4, 12, 30), (16, 6, 5), {"groups": 2, "dilation": 3, "padding": 4}),
    ((1, 40, 1, 1), (70, 40, 1, 1), {}),
    ((6, 5, 4, 3), (16, 5, 3, 2), {"padding": (1, 0), "stride": (2, 1)}),
    ((3, 40, 5, 5), (6, 20, 3, 3), {"padding": 2, "dilation": 2, "groups": 2}),
    ((2, 4, 6, 7, 8), (5, 4, 3, 1, 2), {"stride": (2, 1, 3), "padding": (1, 0, 1)}),
    ((1, 3, 6, 4, 3), (4, 3, 1, 1, 1), {"padding": (1, 0, 0)}),
]


@pytest.mark.parametrize("which", range(len(CONVOLUTIONS)))
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_larger_convolutions_equal_eager(which: int, dtype: str) -> None:
    shape, window, how = CONVOLUTIONS[which]
    convolve = (F.conv1d, F.conv2d, F.conv3d)[len(shape) - 3]
    given = [random(*s, dtype=dtype).requires_grad_() for s in (shape, window, window[:1])]
    calls = [c for c in calls_of(convolve, *given, **how, backward=True) if c[0].name.startswith("aten::convolution")]
    assert len(calls) == 2
    for op, args, kwargs in calls:
        check(op, args, kwargs)


def heads(*shape: int, dtype: str = "float32", turned: bool = False) -> Any:
    if not turned:
        return random(*shape, dtype=dtype)
    return random(shape[0], shape[2], shape[1], shape[3], dtype=dtype).transpose(1, 2)


def trained(given: list[Any], causal: bool, scale: float, inputs: Any = (True, True, True, False)) -> list[str]:
    """Forward and backward in one program: results as eager's; the names of its native steps."""
    graph, mask, drop = Graph(), given[3], given[4]
    nodes = [None if t is None else graph.add("input", "x", spec=spec_of(t)) for t in given]
    out, weights = aten._attention.default(*given[:5], causal, scale)
    grad = wrap(np.random.default_rng(1).standard_normal(out.shape).astype("float32"), 1).to(out.dtype)
    nodes.append(graph.add("input", "g", spec=spec_of(grad)))
    call = graph.add("call", "attention", aten._attention.default, (*nodes[:5], causal, scale), {},
                     spec_of((out, weights)))
    first, second = (graph.add("item", "item", None, (call, n), {}, spec_of(t)) for n, t in enumerate((out, weights)))
    results = aten._attention_backward.default(grad, *given[:3], mask, drop, weights, scale, inputs)
    back = graph.add("call", "backward", aten._attention_backward.default,
                     (nodes[5], *nodes[:5], second, scale, inputs), {}, spec_of(results))
    outputs, expected = [first], [out._a]
    for n, t in enumerate(results):
        if t is not None:
            outputs.append(graph.add("item", "item", None, (back, n), {}, spec_of(t)))
            expected.append(t._a)
    graph.add("output", "output", None, (outputs,))
    arrays = [same_layout(t._a) for t in (*given, grad) if t is not None]
    found, steps = run_graph(graph, arrays)
    for n, (a, b) in enumerate(zip(found, expected, strict=True)):
        close(a, b, f"{'out query key value mask'.split()[n]} of {[t.shape for t in given[:3]]}", 2)
    return [step.function for step in steps if isinstance(step, Native)]


RECOMPUTED = ["attention", "attention_backward_query", "attention_backward_key"]
SHAPES = [((2, 3, 40, 16), (2, 3, 40, 16), 16), ((1, 2, 70, 32), (1, 2, 33, 32), 24), ((2, 1, 5, 7), (2, 1, 9, 7), 3),
          ((1, 1, 1, 64), (1, 1, 130, 64), 64), ((1, 2, 35, 80), (1, 2, 35, 80), 128),
          ((3, 1, 33, 1), (3, 1, 31, 1), 1)]
FEW = [(SHAPES[1], "float32"), (SHAPES[2], "float16"), (SHAPES[4], "bfloat16"), (SHAPES[4], "float64")]
REST = [(shape, dtype) for shape in SHAPES for dtype in ("float32", "float64", "float16", "bfloat16")
        if (shape, dtype) not in FEW]


@pytest.mark.parametrize(("shape", "dtype"), [*FEW, *(pytest.param(*each, marks=pytest.mark.slow) for each in REST)])
def test_attention_computes_its_weights_again(shape: Any, dtype: str) -> None:
    (*lead, rows, depth), (*_, keys, _), width = shape
    for turned in (False, True):
        q, k, v = (heads(*lead, n, d, dtype=dtype, turned=turned)
                   for n, d in ((rows, depth), (keys, depth), (keys, width)))
        for causal in (False, True):
            assert trained([q, k, v, None, None], causal, depth**-0.5) == RECOMPUTED


MASKS = list(product(("allowed", "columns", "added", "rows", ""), (False, True), (False, True)))
SOME = [("allowed", True, False), ("rows", False, True), ("", True, True)]


@pytest.mark.parametrize(("dtype", "cases"), [
    ("float32", SOME[:2]), ("float16", SOME[1:]), pytest.param("float32", MASKS, marks=pytest.mark.slow),
    pytest.param("float16", MASKS, marks=pytest.mark.slow), pytest.param("bfloat16", MASKS, marks=pytest.mark.slow)])
def test_attention_with_masks_and_dropout(dtype: str, cases: Any) -> None:
    q, k, v = (heads(2, 3, n, 24, dtype=dtype) for n in (37, 50, 50))
    allowed = random(2, 1, 37, 50) > 0
    allowed._a[0, 0, 3], allowed._a[1, 0, 36] = False, True
    added, drop = random(37, 50, dtype=dtype), (random(2, 3, 37, 50) > -0.5).to(q.dtype) * 1.25
    masks = {"allowed": allowed, "columns": allowed[0, 0, :1], "added": added, "rows": added[:, :1], "": None}
    for mask, dropped, causal in cases:
        assert trained([q, k, v, masks[mask], drop if dropped else None], causal, 0.3) == RECOMPUTED


def test_gradients_of_masks_and_of_large_heads_go_by_products() -> None:
    q, k, v = (heads(2, 3, n, 24) for n in (37, 50, 50))
    assert "attention_weights" in trained([q, k, v, random(37, 50), None], False, 0.3, (True, True, True, True))
    q, k, v = (heads(2, 1, n, 160) for n in (37, 50, 50))
    assert set(trained([q, k, v, None, random(37, 50)], True, 0.1)) == {"product"}
    assert trained([q[..., :8], k[..., :8], v, None, None], False, 0.1, (True, False, False, False))[0] == "product"


def test_attention_of_infinities_is_not_a_number() -> None:
    q, k, v = (heads(1, 1, n, 8) for n in (20, 40, 40))
    k._a[0, 0, 35, 0] = np.inf
    with np.errstate(invalid="ignore"):
        check(aten._attention.default, (q, k, v, None, None, False, 0.3), {})


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_products_of_whole_numbers_wrap(dtype: str) -> None:
    rng = np.random.default_rng(0)
    a, b = (wrap(rng.integers(0, 120, shape).astype(dtype), 1) for shape in ((3, 17, 40), (3, 33, 40)))
    check(aten.bmm.default, (a, b.transpose(1, 2)), {})
    check(aten.mm.default, (a[0], b[1].t()), {})


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN", "relu"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_recurrent_layers_equal_eager(kind: str, dtype: str) -> None:
    names = [f"aten::{each}_loop{end}" for each in ("rnn", "lstm", "gru") for end in ("", "_backward")]
    of = getattr(torch, dtype)
    packed = torch.nn.utils.rnn.pack_sequence([random(n, 3).to(of) for n in (5, 3, 3, 1)])
    count = 0
    for size, bidirectional, given in ((2, True, packed), (33, True, random(4, 9, 3).to(of))):
        how: Any = {"nonlinearity": "relu"} if kind == "relu" else {}
        layer = getattr(torch.nn, "RNN" if kind == "relu" else kind)(3, size, bidirectional=bidirectional, **how).to(of)

        def run(layer: Any = layer, given: Any = given) -> Any:
            out, state = layer(given)
            state = state if isinstance(state, tuple) else (state,)
            return sum((t * t).sum() for t in (out.data if given is packed else out, *state))

        for op, args, kwargs in calls_of(run, backward=True):
            if op.name in names:
                check(op, args, kwargs)
                count += 1
    assert count == 8
