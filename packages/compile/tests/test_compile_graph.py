"""Graphs that are run, printed and verified."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lamella.nn.functional.normalization  # noqa: F401  # its operators
from lamella import torch
from lamella.compile.graph import interpret
from lamella.compile.graph.node import Graph, Node, Spec
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
    s0, lr = lift(Var("s0")), lift(Var("lr"))
    g.symbols = {"s0": (0, 0), "lr": ("scalar", 0)}
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
