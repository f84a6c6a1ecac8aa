"""Compiled forwards in eager loops: outputs, gradients and state must be eager's."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from lamella import torch
from lamella.compile.function import CompiledFunction
from lamella.torch import nn

F = nn.functional
BACKEND = "aot_eager"


def compiled(fn: Callable[..., Any], backend: str = BACKEND) -> Any:
    return CompiledFunction(fn, backend=backend, fullgraph=True)


def leaves(*shapes: tuple[int, ...]) -> list[Any]:
    torch.manual_seed(0)
    return [torch.randn(*s).requires_grad_() for s in shapes]


def agree(fn: Callable[..., Any], *shapes: tuple[int, ...], backend: str = BACKEND) -> Any:
    """Outputs and gradients of a compiled function are those of the function."""
    mine, theirs = leaves(*shapes), leaves(*shapes)
    call = compiled(fn, backend)
    for _ in range(2):
        torch.manual_seed(1)
        got = call(*mine)
        torch.manual_seed(1)
        want = fn(*theirs)
        got, want = (list(t) if isinstance(t, tuple) else [t] for t in (got, want))
        for a, b in zip(got, want, strict=True):
            assert a.requires_grad == b.requires_grad and torch.allclose(a, b, 1e-5, 1e-6)
        for outs in (got, want):
            total = sum((i + 1) * (t * t).sum() for i, t in enumerate(outs) if t.requires_grad)
            if total.requires_grad:
                total.backward()
    for a, b in zip(mine, theirs, strict=True):
        assert (a.grad is None) == (b.grad is None)
        assert a.grad is None or torch.allclose(a.grad, b.grad, 1e-4, 1e-5), (a.grad, b.grad)
    assert not call.breaks
    return call.entries[0].program


def scaled(x: Any, w: Any) -> Any:
    with torch.no_grad():
        s = (x * w).abs().sum() + 1
    return (x * w.exp() / s).sin()


def detached(x: Any, w: Any) -> Any:
    y = x * w
    return y * y.detach(), y.detach(), (x > 0), y.detach() + 1, y.detach()[1:], x.detach()[1:], x[:2], x.detach()


def several(x: Any, w: Any) -> Any:
    y = (x @ w).relu()
    top, where = y.max(1)
    return top, where, y.softmax(1), y


def viewed(x: Any, w: Any) -> Any:
    y = x.exp() * 2
    return y[0], y.t(), x.t(), x, w[1:]


def only_views(x: Any) -> Any:
    return x.view(-1), x[0]


def written(x: Any) -> Any:
    y = x * 2
    y[0] = 0
    y.t()[1].mul_(3)
    y.add_(x)
    z = y.view(-1)
    z[-1].zero_()
    return y.sigmoid(), z


def unused(x: Any, w: Any) -> Any:
    return x * 2, torch.ones(2)


def same(x: Any, w: Any) -> Any:
    return x + w, x - w


def dropped(x: Any, w: Any) -> Any:
    return F.dropout(F.gelu(x @ w), 0.3) + torch.rand(3)


def stopped(x: Any) -> Any:
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 100

    return Twice.apply(x) + x


CASES: list[tuple[Callable[..., Any], list[tuple[int, ...]]]] = [
    (scaled, [(3, 4), (3, 4)]), (detached, [(3,), (3,)]), (several, [(3, 4), (4, 5)]), (viewed, [(2, 3), (3,)]),
    (only_views, [(2, 3)]), (written, [(2, 3)]), (unused, [(2,), (2,)]), (same, [(2,), (2,)]),
    (dropped, [(3, 4), (4, 3)]), (stopped, [(3,)]),
]


@pytest.mark.parametrize(("fn", "shapes"), CASES, ids=[c[0].__name__ for c in CASES])
def test_outputs_and_gradients(fn: Any, shapes: Any) -> None:
    agree(fn, *shapes)


NATIVE = [pytest.param(*c, id=c[0].__name__, marks=[] if c[0] is several else [pytest.mark.slow]) for c in CASES]


@pytest.mark.parametrize(("fn", "shapes"), NATIVE)
def test_outputs_and_gradients_in_machine_code(fn: Any, shapes: Any) -> None:
    agree(fn, *shapes, backend="cpp")


def test_outputs_share_memory_as_eagerly() -> None:
    [x, w] = leaves((2, 3), (3,))
    a, b, c, d, e = compiled(viewed)(x, w)
    assert d is x and c._base is x and e.data_ptr() == w[1:].data_ptr()
    with torch.no_grad():
        b[0, 0] = 7
    assert a[0].item() == 7


def test_a_chain_of_cheap_calls_keeps_only_its_input() -> None:
    program = agree(lambda x: F.gelu(x * 2 + 1) * x.sigmoid() + x, (64, 64))
    assert program.parts.kept == [("input", 0)] and program.parts.bytes_kept == 0


def test_products_and_random_numbers_are_kept() -> None:
    program = agree(dropped, (3, 4), (4, 3))
    again = {n.op.name for n in program.parts.backward.nodes if n.kind == "call"}
    assert not {"aten::_dropout_noise", "aten::rand"} & again and program.parts.bytes_kept > 0


def test_operands_of_products_are_kept_not_made_again() -> None:
    program = agree(lambda x, w, v: F.gelu(x @ w) @ v, (8, 8), (8, 8), (8, 8))
    assert "aten::gelu" not in {n.op.name for n in program.parts.backward.nodes if n.kind == "call"}
    assert [kind for kind, _ in program.parts.kept].count("output") == 2


def test_an_input_that_is_written_is_kept_as_it_was() -> None:
    state = torch.ones(3)

    def fn(x: Any) -> Any:
        y = x * state.exp()
        state.add_(1)
        return y.sin() * state.cos()

    x = torch.ones(3, requires_grad=True)
    call = compiled(fn)
    call(x).sum().backward()
    assert state.tolist() == [2, 2, 2]
    want = torch.ones(3, requires_grad=True)
    ((want * torch.ones(3).exp()).sin() * torch.full((3,), 2.0).cos()).sum().backward()
    assert torch.allclose(x.grad, want.grad)


def test_changing_what_is_kept_is_an_error() -> None:
    [x, w] = leaves((3, 4), (4, 5))
    y = compiled(lambda x, w: x @ w)(x, w)
    with torch.no_grad():
        w.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_second_derivatives_are_refused() -> None:
    [x] = leaves((3,))
    y = compiled(lambda x: x.exp() * x)(x)
    [g] = torch.autograd.grad(y.sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="does not currently support double backward"):
        g.sum().backward()


def test_backward_twice_says_so() -> None:
    [x] = leaves((3,))
    y = compiled(lambda x: x.exp() * x)(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.conv2, self.norm2 = nn.Conv2d(4, 2, 3, padding=1), nn.BatchNorm2d(2)
        self.head = nn.Linear(2 * 16, 3)

    def forward(self, x: Any) -> Any:
        y = F.relu(self.norm1(self.conv1(x)))
        x = F.relu(x + self.norm2(self.conv2(F.dropout(y, 0.1, self.training))))
        return self.head(x.flatten(1))


@pytest.mark.parametrize("backend", ["aot_eager", pytest.param("cpp", marks=pytest.mark.slow)])
def test_a_block_trains_in_an_eager_loop(backend: str) -> None:
    torch.manual_seed(0)
    mine = Block()
    theirs = copy.deepcopy(mine)
    call = compiled(lambda x: mine(x), backend)
    x, y = torch.randn(6, 2, 4, 4), torch.randint(0, 3, (6,))
    losses: list[list[float]] = [[], []]
    for model, run, found in ((mine, call, losses[0]), (theirs, theirs, losses[1])):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        torch.manual_seed(5)
        for _ in range(6):
            optimizer.zero_grad()
            loss = F.cross_entropy(run(x), y)
            loss.backward()
            optimizer.step()
            found.append(loss.item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    for a, b in zip(mine.state_dict().values(), theirs.state_dict().values(), strict=True):
        assert torch.allclose(a, b, 1e-3, 1e-4)
    assert call.compiled <= 2


def test_no_grad_and_evaluation() -> None:
    model = Block().eval()
    call = compiled(lambda x: model(x))
    x = torch.randn(6, 2, 4, 4)
    with warnings.catch_warnings(), torch.no_grad():
        assert not call(x).requires_grad
    assert torch.allclose(call(x), model(x), 1e-5, 1e-6)


def test_state_that_is_written_without_grad_is_not_kept_twice() -> None:
    average = torch.ones(3)

    def fn(x: Any) -> Any:
        with torch.no_grad():
            average.mul_(0.5).add_(x.mean())
        return (x * average).sin() * average

    [x] = leaves((3,))
    call = compiled(fn)
    call(x).sum().backward()
    now = average.clone()
    want = x.detach().clone().requires_grad_()
    ((want * now).sin() * now).sum().backward()
    assert torch.allclose(x.grad, want.grad)
    assert call.entries[0].program.parts.bytes_kept == 0
    y = call(x)
    average.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_hooks_on_parameters_run_once() -> None:
    layer = nn.Linear(2, 1, bias=False)
    layer.weight.register_hook(lambda g: g * 10)
    x = torch.ones(1, 2)
    call = CompiledFunction(lambda x: layer(x), backend=BACKEND)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call(x).sum().backward()
    assert layer.weight.grad.tolist() == [[10, 10]]


def test_views_of_other_types() -> None:
    def fn(x: Any, w: Any) -> Any:
        y = x[1:] * 2
        pairs = w.view(2, 2)
        return (torch.view_as_real(x[1:]), torch.view_as_real(y)[1:], y, torch.view_as_complex(pairs)[1:],
                w[1:].view(torch.int32))

    def inputs() -> list[Any]:
        x = torch.arange(4.0).to(torch.complex64) * (1 + 2j)
        return [x.requires_grad_(), torch.arange(4.0).requires_grad_()]

    mine, theirs = inputs(), inputs()
    call = compiled(fn)
    got, want = call(*mine), fn(*theirs)
    for a, b in zip(got, want, strict=True):
        assert torch.equal(a, b) and a.requires_grad == b.requires_grad
    assert got[0].data_ptr() == mine[0].data_ptr() + 8 and got[4].data_ptr() == mine[1].data_ptr() + 4
    for outs in (got, want):
        sum(t.abs().pow(2).sum() * (i + 1) for i, t in enumerate(outs[:4])).backward()
    for a, b in zip(mine, theirs, strict=True):
        assert torch.allclose(a.grad, b.grad)


def test_memory_around_an_input_is_not_looked_at() -> None:
    big = torch.arange(10.0)

    def fn(x: Any) -> Any:
        return x.as_strided((2,), (1,), 2) * 1, x.as_strided((2,), (2,)) * 1

    call = CompiledFunction(fn, backend=BACKEND)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a, b = call(big[2:8])
    assert a.tolist() == [2, 3] and b.tolist() == [2, 4] and call.breaks


def test_tensors_that_turn_in_place() -> None:
    def fn(x: Any) -> Any:
        y = x * 2
        y.t_().unsqueeze_(0)
        y[0, 0] = 1
        z = y.squeeze_()
        z.mul_(2)
        return y, z, x.t()

    x = torch.arange(6.0).view(2, 3)
    for a, b in zip(compiled(fn)(x), fn(x), strict=True):
        assert torch.equal(a, b)
