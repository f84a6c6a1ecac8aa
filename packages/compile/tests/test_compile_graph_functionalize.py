"""Writes, views and shared memory: what a graph without writes gives must be what eager gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import lamella.nn.functional.normalization  # noqa: F401  # its operators
from lamella import torch
from lamella.compile.graph import interpret
from lamella.compile.graph.functionalize import functionalize
from lamella.compile.graph.node import Graph
from lamella.compile.graph.passes import prepare
from lamella.compile.graph.record import record
from lamella.compile.graph.verify import verify

Fn = Callable[..., Any]


def values(*shapes: tuple[int, ...]) -> list[Any]:
    torch.manual_seed(0)
    return [torch.rand(*shape) + 0.5 for shape in shapes]


def sharing(tensors: list[Any]) -> list[list[bool]]:
    """Which of the tensors share memory."""
    from lamella.core.storage import owner_of

    return [[owner_of(a._a) is owner_of(b._a) for b in tensors] for a in tensors]


def agree(fn: Fn, *inputs: Any) -> Graph:
    """Run eagerly, and as a functional graph; outputs, inputs and what shares memory must agree."""
    raw = record(fn, [x.clone() for x in inputs])
    verify(functionalize(raw), specs=True)
    graph = prepare(raw, check=True)
    mine, theirs = [x.clone() for x in inputs], [x.clone() for x in inputs]
    torch.manual_seed(3)
    want = fn(*theirs)
    want = list(want) if isinstance(want, (list, tuple)) else [want]
    torch.manual_seed(3)
    got = interpret.execute(graph, mine)
    assert len(got) == len(want)
    for a, b in zip([*mine, *got], [*theirs, *want]):
        assert a.dtype is b.dtype and a.shape == b.shape
        assert torch.equal(a, b), (a, b)
    assert sharing([*mine, *got]) == sharing([*theirs, *want])
    for a, b in zip(got, want):  # a write shows in the same places
        a.add_(1)
        b.add_(1)
    for a, b in zip([*mine, *got], [*theirs, *want]):
        assert torch.equal(a, b), (a, b)
    return graph


def chain(x: Any) -> Any:
    x.add_(1)
    y = x[0]
    y.mul_(2)
    return x, y.t() if y.ndim > 1 else y


def siblings(x: Any) -> Any:
    a, b = x.split(2, 0)
    c = x[:, 1]
    a.mul_(3)
    c.add_(b[:, 0].sum())
    return a * 1, b.sum(), c.clone()


def made(x: Any) -> Any:
    y = x * 2
    z = y.view(-1)
    z[::2] = 0
    y[1, 1:] += 5
    w = y.t()
    w[0].copy_(x[1])
    return y, z.sum(), w + 1


def returned_views(x: Any) -> Any:
    y = x.exp()
    return y[0], y[:, 1:], y[0]


def returned_base_and_view(x: Any) -> Any:
    y = x.exp()
    v = y.t()
    v.unsqueeze(0).add_(1)
    return v, y, x, x[1:]


def no_change(x: Any) -> Any:
    return x


def typed(x: Any) -> Any:
    k = torch.zeros(x.shape, dtype=torch.int64)
    k.copy_(x * 3)
    k += 2
    f = x.clone()
    f.eq_(x)
    f.clamp_(min=0.5).masked_fill_(f > 0.7, 9.0)
    return k, f


def fills(x: Any) -> Any:
    y = torch.empty(3, 4)
    y.zero_()
    y.fill_(2)
    y[0].fill_(x[0, 0])
    x.diagonal().fill_(7)
    x[:, -1] = 3.0
    x[-1, -2:].copy_(x[0, :2])
    return y


def windows(x: Any) -> Any:
    y = x * 1
    y.as_strided((2, 2), (4, 1), 1).mul_(-1)
    y.unfold(1, 2, 2).add_(10)
    return y, x.as_strided((3,), (5,)).clone()


def memory_order(x: Any) -> Any:
    t = x.t()
    s = t.as_strided((2, 3), (1, 4))
    s.add_(100)
    return t + 1, s * 1


def drawn(x: Any) -> Any:
    y = torch.empty(2, 3)
    y.uniform_(1, 2)
    x[0].normal_()
    return y + 1, x * y[0, 0]


def statistics(x: Any, mean: Any, var: Any) -> Any:
    return torch.nn.functional.batch_norm(x, mean, var, training=True, momentum=0.3)


def swapped(x: Any, y: Any) -> Any:
    old = x.clone()
    x.copy_(y)
    y.copy_(old)
    return x + y


def bits(x: Any) -> Any:
    y = x * 1
    y.view(torch.int32).bitwise_and_(-65536)
    c = torch.view_as_complex(torch.stack([x, x], -1))
    torch.view_as_real(c)[..., 0].add_(1)
    return y, c.abs()


def scattered(x: Any) -> Any:
    x.index_put_([torch.tensor([0, 2])], torch.tensor(5.0), True)
    x[torch.tensor([1, 1])] = 4.0
    x.index_add_(1, torch.tensor([0, 0]), torch.ones(3, 2))
    return x.sum(0)


def unbound(x: Any) -> Any:
    a, b, c = x.unbind(0)
    b.add_(a)
    c[1:3] = b[:2]
    return b


CASES: list[tuple[Fn, list[tuple[int, ...]]]] = [
    (chain, [(3, 4)]), (siblings, [(4, 3)]), (made, [(3, 3)]), (returned_views, [(2, 3)]),
    (returned_base_and_view, [(2, 3)]), (no_change, [(2,)]), (typed, [(2, 3)]), (fills, [(4, 4)]), (windows, [(3, 4)]),
    (memory_order, [(3, 4)]), (drawn, [(3, 2)]), (statistics, [(4, 3), (3,), (3,)]), (swapped, [(2, 2), (2, 2)]),
    (bits, [(2, 3)]), (scattered, [(3, 4)]), (unbound, [(3, 4)]),
]


@pytest.mark.parametrize(("fn", "shapes"), CASES, ids=[c[0].__name__ for c in CASES])
def test_functional_graph_is_eager(fn: Fn, shapes: list[tuple[int, ...]]) -> None:
    agree(fn, *values(*shapes))
