"""Capture: the graph of a call, and that recording leaves no trace."""

from __future__ import annotations

import pytest

from lamella import torch
from lamella.compile.capture import Break, Changed, Unknown, trace
from lamella.torch import nn

F = nn.functional


def ops(capture):
    return [n.op.name for n in capture.graph.nodes if n.kind == "call"]


def test_a_function_becomes_a_graph_of_its_calls():
    x = torch.randn(3, 4)
    found = trace(lambda x: (x * 2 + 1).sum(0), (x,))
    assert ops(found) == ["aten::mul.Tensor", "aten::add.Tensor", "aten::sum.dim_IntList"]
    graph = found.graph
    assert [n.kind for n in graph.nodes] == ["input", "call", "call", "call", "output"]
    assert graph.outputs[0].spec.shape == (4,) and graph.inputs[0].spec.stride == (4, 1)


def test_nodes_know_the_line_of_the_user():
    def fn(x):
        y = x.exp()
        return y.log()

    found = trace(fn, (torch.ones(2),))
    first = fn.__code__.co_firstlineno
    lines = [n.where.rpartition(":")[2] for n in found.graph.nodes if n.kind == "call"]
    assert lines == [str(first + 1), str(first + 2)] and all(
        __file__ in n.where for n in found.graph.nodes if n.kind == "call")


def test_parameters_are_inputs_and_stay_as_they_are():
    torch.manual_seed(0)
    layer = nn.Linear(3, 2)
    opt = torch.optim.Adam(layer.parameters(), lr=0.1)
    x = torch.randn(4, 3)

    def step(x):
        opt.zero_grad()
        loss = layer(x).square().mean()
        loss.backward()
        opt.step()
        return loss

    step(x)
    before = {k: v.clone() for k, v in layer.state_dict().items()}
    grads = [p.grad for p in layer.parameters()]
    versions = [p._version for p in layer.parameters()]
    calls = opt._step_calls
    found = trace(step, (x,))
    assert "lamella_optim::adam_" in ops(found) and len(found.scalars) == 1
    assert all(torch.equal(v, before[k]) for k, v in layer.state_dict().items())
    assert all(p.grad is g for p, g in zip(layer.parameters(), grads, strict=True))
    assert versions == [p._version for p in layer.parameters()] and opt._step_calls == calls
    assert opt.param_groups[0]["lr"] == 0.1 and type(opt.param_groups[0]["lr"]) is float
    assert len(found.mutated) == 8 and len(found.grads) == 2


@pytest.mark.parametrize("read", [
    lambda x: x.sum().item(), lambda x: bool(x.sum() > 0), lambda x: x.tolist(), lambda x: x.numpy(),
    lambda x: x.data_ptr(), lambda x: repr(x), lambda x: float(x.sum()), lambda x: int(x.sum()),
    lambda x: f"{x.sum():.2f}", lambda x: x.nonzero(), lambda x: x[x > 0], lambda x: torch.unique(x),
    lambda x: torch.equal(x, x), lambda x: torch.allclose(x, x), lambda x: x.detach().sum().item(),
])
def test_asking_for_elements_stops_the_recording(read):
    def fn(x):
        y = x + 1
        return read(y), y

    with pytest.raises(Break) as caught:
        trace(fn, (torch.ones(3),))
    assert __file__ in caught.value.where


def test_real_tensors_may_not_be_read_either():
    scale = torch.tensor(2.0)
    for read in (lambda: scale.item(), lambda: scale.tolist(), lambda: scale.numpy()):
        with pytest.raises(Unknown):
            trace(lambda x, read=read: x * read(), (torch.ones(3),))
    assert scale.item() == 2.0 and scale.tolist() == 2.0


def test_python_state_that_changes_is_put_back():
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.count = 0
            self.seen = []
            self.table = {}

        def forward(self, x, kind):
            if kind == "count":
                self.count += 1
            elif kind == "list":
                self.seen.append(x)
            elif kind == "dict":
                self.table["x"] = x
            return x + 1

    m = Counter()
    for kind in ("count", "list", "dict"):
        with pytest.raises(Changed):
            trace(m, (torch.ones(2), kind))
    assert m.count == 0 and m.seen == [] and m.table == {}


calls = 0


def test_globals_and_closures_that_change_are_put_back():
    n = 0

    def with_global(x):
        global calls
        calls += 1
        return x + 1

    def with_cell(x):
        nonlocal n
        n += 1
        return x + 1

    for fn in (with_global, with_cell):
        with pytest.raises(Changed):
            trace(fn, (torch.ones(2),))
    assert calls == 0 and n == 0


def test_errors_of_the_function_leave_everything_as_it_was():
    p = torch.ones(2, requires_grad=True)
    p.grad = g = torch.ones(2)

    def fn(x):
        p.grad = None
        with torch.no_grad():
            p.add_(1)
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        trace(fn, (torch.ones(2),))
    assert p.grad is g and p._version == 0 and torch.is_grad_enabled()
    assert not torch.compiler.is_compiling()


def test_printing_clocks_and_random_numbers_of_python_stop_the_recording(capsys):
    import random
    import time

    for fn in (lambda x: print("x") or x, lambda x: x * random.random(), lambda x: x * random.uniform(1, 2),
               lambda x: x * time.time()):
        with pytest.raises(Break):
            trace(fn, (torch.ones(2),))
    assert capsys.readouterr().out == ""


def test_learning_rates_are_scalars_and_their_arithmetic_is_kept():
    w = torch.ones(3, requires_grad=True)

    class Plain(torch.optim.Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, {"lr": lr, "decay": 0.5})

        @torch.no_grad()
        def step(self):
            for group in self.param_groups:
                for p in group["params"]:
                    p.add_(p.grad, alpha=-group["lr"])
                    p.mul_(1 - group["lr"] * group["decay"])

    opt = Plain([w], 0.1)

    def step(x):
        opt.zero_grad()
        (w * x).sum().backward()
        opt.step()

    with pytest.raises(Break, match="first step"):
        trace(step, (torch.ones(3),))
    found = trace(step, (torch.ones(3),))
    assert found.scalars == ["(-s0)", "(1 - (s0 * 0.5))"]


def test_out_arguments_are_recorded_as_writes():
    buffer = torch.zeros(3)
    found = trace(lambda x: torch.add(x, 1, out=buffer), (torch.ones(3),))
    assert ops(found) == ["aten::add.Tensor", "aten::copy_"] and buffer.tolist() == [0, 0, 0]
    assert found.mutated == [1]


def test_outputs_say_where_they_lie():
    def fn(x):
        y = x * 2
        return x[0], y.t(), y, x

    found = trace(fn, (torch.randn(2, 3),))
    kinds = {k: (a.kind, a.of) for k, a in found.graph.aliases.items()}
    assert kinds[0] == ("input", 0) and ("output", 1) in kinds.values()
    assert found.result[3].kind == "argument"


def test_a_break_names_the_operator_and_what_to_do():
    def fn(x):
        return x.sum().item()

    with pytest.raises(Unknown) as caught:
        trace(fn, (torch.ones(2),))
    text = str(caught.value)
    assert "_local_scalar_dense" in text and "hint:" in text and __file__ in text


def test_guards_tell_what_was_read():
    layer = nn.Linear(2, 2)
    layer.extra = 3
    scale = 2.0

    def fn(x, flag=True):
        return layer(x) * layer.extra * scale if flag else x

    whats = {g.what for g in trace(fn, (torch.ones(1, 2),)).guards}
    assert {"x.shape", "layer", "scale", "Linear.extra"} <= whats
