"""Graphs that are run, printed and verified."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from xml.dom import minidom

import numpy as np
import pytest

import lamella.nn.functional.normalization  # noqa: F401  # its operators
from lamella import torch
from lamella.compile.graph import interpret
from lamella.compile.graph.node import Alias, Graph, Node, Spec
from lamella.compile.graph.passes import prepare
from lamella.compile.graph.picture import svg
from lamella.compile.graph.printer import load, source
from lamella.compile.graph.record import record
from lamella.compile.graph.verify import VerifyError, verify
from lamella.compile.loops.index import Var, lift
from lamella.dispatch.registry import find


def spec_of(t: Any) -> Spec:
    return Spec(tuple(t.shape), tuple(t.stride()), t.dtype, t.device, t.storage_offset())


def graph_of(*tensors: Any) -> tuple[Graph, list[Node]]:
    g = Graph()
    return g, [g.add("input", "x", spec=spec_of(t)) for t in tensors]


def op(name: str) -> Any:
    found = find("aten::" + name)
    assert found is not None
    return found


def test_run_calls_items_and_constants() -> None:
    x = torch.arange(6.0).view(2, 3)
    g, [a] = graph_of(x)
    b = g.add("call", "add", op("add.Tensor"), (a, 1.5), {"alpha": 2}, spec_of(x))
    m = g.add("call", "max", op("max.dim"), (b, 1), {}, (spec_of(x[:, 0]), spec_of(x[:, 0].long())))
    i = g.add("item", "item", None, (m, 1), {}, spec_of(x[:, 0].long()))
    k = g.add("constant", "k", np.array([3, 4]), spec=spec_of(torch.tensor([3, 4])))
    s = g.add("call", "add", op("add.Tensor"), (i, k), {}, spec_of(x[:, 0].long()))
    g.add("output", "output", None, ([b, s, None],))
    out = interpret.run(g, [x])
    assert torch.equal(out[0], x + 3) and out[1].tolist() == [5, 6] and out[2] is None
    with pytest.raises(RuntimeError, match="takes 1 inputs, but got 2"):
        interpret.run(g, [x, x])


def test_run_symbols_and_scalars() -> None:
    x = torch.ones(4, 3)
    g, [a] = graph_of(x)
    s0, lr = lift(Var("s0")), g.add("scalar", "lr", 0)
    g.symbols = {"s0": ((0, 0), 4)}
    v = g.add("call", "view", op("view"), (a, [s0 * 3]), {}, spec_of(x.view(-1)))
    m = g.add("call", "mul", op("mul.Tensor"), (v, lr), {}, spec_of(x.view(-1)))
    g.add("output", "output", None, ([m],))
    [out] = interpret.run(g, [torch.ones(5, 3)], [0.1])
    assert out.shape == (15,) and out[0].item() == pytest.approx(0.1)


def test_run_notes_the_node() -> None:
    x = torch.ones(4, 3)
    g, [a] = graph_of(x)
    bad = g.add("call", "mm", op("mm"), (a, a), {}, spec_of(x), where="model.py:7")
    g.add("output", "output", None, ([bad],))
    with pytest.raises(RuntimeError) as error:
        interpret.run(g, [x])
    assert error.value.__notes__ == ["in graph node mm, made at model.py:7"]


def test_raw_graph_writes_into_its_inputs() -> None:
    x = torch.ones(3, requires_grad=True)
    g, [a] = graph_of(x)
    b = g.add("call", "mul_", op("mul_.Tensor"), (a, 2.0), {}, spec_of(x))
    g.add("output", "output", None, ([b],))
    interpret.run(g, [x])
    assert x.tolist() == [2, 2, 2]


def test_functional_call_of_a_writing_operator() -> None:
    mean, var = torch.zeros(3), torch.ones(3)
    g, [a, b, m, v] = graph_of(mean, var, mean, var)
    call = g.add("call", "stats", op("_update_running_stats"), (a, b, m, v, 0.5), {}, (spec_of(mean), spec_of(var)))
    first, second = (g.add("item", "new", None, (call, i), {}, spec_of(mean)) for i in range(2))
    g.add("output", "output", None, ([first, second],))
    g.functional = True
    out = interpret.run(g, [mean, var, torch.full((3,), 4.0), torch.full((3,), 3.0)])
    assert out[0].tolist() == [2, 2, 2] and out[1].tolist() == [2, 2, 2]
    assert mean.tolist() == [0, 0, 0] and var.tolist() == [1, 1, 1]


def both(fn: Any, *inputs: Any) -> tuple[Graph, Graph]:
    raw = record(fn, [x.clone() for x in inputs], where=True)
    return raw, prepare(raw, check=True)


def step(x: Any, w: Any, m: Any) -> Any:
    y = torch.nn.functional.batch_norm(x @ w.t(), m, m.clone(), training=True)
    w.sub_(y.t() @ x, alpha=0.1)
    noise = torch.empty(2).uniform_(0, 1)
    s = w.view(-1).as_strided((2, 2), (3, 1))
    w[0] = float("inf")
    top, where = y.max(1)
    return y.float().softmax(-1), s * float("-inf"), noise, where, torch.full((2,), True), top.to(torch.float64)


def test_source_runs_to_the_same_numbers() -> None:
    inputs = [torch.rand(4, 3), torch.rand(3, 3), torch.rand(3)]
    for graph in both(step, *inputs):
        text = source(graph)
        assert "test_compile_graph.py" in text and source(graph) == text
        torch.manual_seed(1)
        want = interpret.run(graph, [x.clone() for x in inputs])
        torch.manual_seed(1)
        got = load(text, graph)(*[x.clone() for x in inputs])
        for a, b in zip(got, want, strict=True):
            assert (a is None) == (graph.functional and b is None)
            assert a is None or torch.equal(a, b)


def test_source_shows_symbols_and_notes() -> None:
    x = torch.ones(4, 3)
    g, [a] = graph_of(x)
    g.symbols = {"s0": ((0, 0), 4)}
    s0 = lift(Var("s0"))
    a.spec, flat = (Spec(shape, stride, x.dtype, x.device) for shape, stride in (((s0, 3), (3, 1)), ((s0 * 3,), (1,))))
    k = g.add("scalar", "lr", 0, spec=spec_of(torch.tensor(0.0)))
    v = g.add("call", "view", op("view"), (a, [-1]), {}, flat)
    m = g.add("call", "mul", op("mul_.Tensor"), (v, k), {}, flat)
    g.add("output", "output", None, ([m, v],))
    graph = prepare(g, check=True)
    text = source(graph)
    assert "s0 = x.shape[0]  # 4 at first" in text and "view(mul, [4, 3])" not in text
    assert "# output 2 is the new content of x" in text
    assert "# output 0 shares the memory of x: f32[3*s0], strides [1], offset 0" in text
    [_, _, new] = load(text, graph)(torch.ones(5, 3), 0.5)
    assert new.shape == (5, 3) and new.sum() == 7.5


def calls(graph: Graph) -> list[str]:
    return [n.op.name.split("::")[1] for n in graph.nodes if n.kind == "call"]


def test_passes_leave_what_is_needed() -> None:
    def fn(x: Any) -> Any:
        a = x.detach().view(2, 3).t().t().to(torch.float32).clone() * 1
        b = x.exp() + x.exp()
        x.sin()
        torch.rand(3)
        return a.exp() * b, torch.tensor([1.0, 2.0]) * 3

    raw, graph = both(fn, torch.rand(2, 3))
    assert calls(graph) == ["exp", "add.Tensor", "rand", "mul.Tensor", "clone"]
    assert [n.kind for n in graph.nodes].count("constant") == 1


def test_equal_calls_stay_apart_as_outputs_and_random_calls_always() -> None:
    raw, graph = both(lambda x: (x.exp(), x.exp(), x.clone(), torch.rand(2) + torch.rand(2)), torch.rand(2))
    assert calls(graph) == ["exp", "exp", "clone", "rand", "rand", "add.Tensor"]


BREAKS: list[tuple[str, Any]] = [
    ("it reads add before that is there", lambda g: g.nodes.reverse() or g.nodes.sort(key=lambda n: n.kind != "input")
     or g.nodes.sort(key=lambda n: n.kind == "output")),
    ("the last node must be the output", lambda g: g.nodes.pop()),
    ("two nodes have one name", lambda g: setattr(g.nodes[2], "name", "x")),
    ("a name must be an identifier", lambda g: setattr(g.nodes[2], "name", "1x")),
    ("there is no parameter 'beta' left", lambda g: g.nodes[2].kwargs.update(beta=1)),
    ("the argument 'other' is missing", lambda g: setattr(g.nodes[2], "args", g.nodes[2].args[:1])),
    ("it writes, in a graph without writes", lambda g: setattr(g.nodes[2], "op", op("add_.Tensor"))),
    ("its spec is not what the operator gives", lambda g: setattr(g.nodes[2], "spec", g.nodes[0].spec)),
    ("an output that shares memory is computed too",
     lambda g: g.aliases.update({0: Alias("input", 0, g.nodes[0].spec)})),
    ("a mutation names an input or output that is not there", lambda g: g.mutations.update({0: 9})),
    ("the new content of x is of another kind", lambda g: g.mutations.update({0: 0})),
    ("there is no kind of node 'loop'", lambda g: setattr(g.nodes[2], "kind", "loop")),
]


@pytest.mark.parametrize(("rule", "harm"), BREAKS, ids=[b[0] for b in BREAKS])
def test_verify_finds(rule: str, harm: Any) -> None:
    graph = both(lambda x: x.add(torch.ones(3, 3)).exp(), torch.rand(3))[1]
    verify(graph, specs=True)
    harm(graph)
    with pytest.raises(VerifyError, match=rule):
        verify(graph, specs=True)


def test_names_are_never_given_twice() -> None:
    g = Graph()
    stems = ["a", "a_1", "a", "a", "a_1", "class", "a_2", "a"]
    names = [g.name(s) for s in stems]
    assert len(set(names)) == len(stems) and names[:3] == ["a", "a_1", "a_2"] and "class" not in names


def test_a_picture_shows_kernels_and_edges() -> None:
    graph = both(step, torch.rand(4, 3), torch.rand(3, 3), torch.rand(3))[1]
    plain = svg(graph)
    names = [n.name for n in graph.nodes if n.kind == "call"]
    text = svg(graph, {name: f"kernel_{i // 4}" for i, name in enumerate(names)})
    minidom.parseString(text)
    assert all(name in text for name in names) and "kernel_1 (4)" in text and "kernel_1" not in plain
    assert text.count("<path") >= len(names)


def test_a_crowded_picture_has_one_box_for_each_kernel() -> None:
    def deep(x: Any) -> Any:
        for _ in range(100):
            x = x.sin() * 2
        return x

    graph = both(deep, torch.rand(2))[1]
    names = [n.name for n in graph.nodes if n.kind == "call"]
    text = svg(graph, {name: f"kernel_{i // 20}" for i, name in enumerate(names)})
    minidom.parseString(text)
    assert len(names) == 200 and text.count("<g><title>") == 12 and "20 calls" in text


def test_calls_of_users_operators_are_not_shared() -> None:
    library = torch.library.Library("graphtests", "DEF")
    library.define("draw(Tensor x) -> Tensor")
    library.define("into(Tensor x, Tensor(a!) out) -> Tensor")
    count = []

    def draw(x: Any) -> Any:
        count.append(1)
        return x + len(count)

    def into(x: Any, out: Any) -> Any:
        out.copy_(x * 2)
        return x * 3

    library.impl("draw", draw, "CPU")
    library.impl("into", into, "CPU")
    ops: Any = torch.ops.graphtests

    def fn(x: Any, out: Any) -> Any:
        return ops.draw(x) + ops.draw(x), ops.into(x, out[0])

    x, out = torch.ones(2), torch.zeros(2, 2)
    graph = prepare(record(fn, [x, out.clone()]))
    assert calls(graph).count("draw") == 2
    count.clear()
    [a, b] = interpret.execute(graph, [x, out])
    assert a.tolist() == [5, 5] and b.tolist() == [3, 3] and out.tolist() == [[2, 2], [0, 0]]


def test_source_runs_in_a_new_process() -> None:
    graph = prepare(record(lambda x: torch.nn.functional.gelu(x) * 2, [torch.ones(3)]))
    script = source(graph) + "\nprint([round(v, 4) for v in graph(torch.ones(3))[0].tolist()])\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == "[1.6827, 1.6827, 1.6827]".split(), done.stderr
