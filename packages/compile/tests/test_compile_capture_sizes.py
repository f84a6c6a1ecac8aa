"""Sizes and whole numbers that vary: one program where the graph allows it, and never one that is wrong."""

from __future__ import annotations

import pytest

from lamella import torch
from lamella.dispatch.config import settings
from lamella.torch import nn

pytestmark = pytest.mark.usefixtures("fresh")

F = nn.functional


def flat(value):
    if isinstance(value, (list, tuple)):
        return [t for each in value for t in flat(each)]
    return [value]


def same(fn, calls, **kwargs):
    fast = torch.compile(fn, backend="eager", **kwargs)
    with settings.using(compile_limit=40):
        compare(fn, fast, calls)
    return fast.compiled


def compare(fn, fast, calls):
    for args in calls:
        for a, b in zip(flat(fn(*args)), flat(fast(*args)), strict=True):
            if isinstance(a, torch.Tensor):
                assert a.shape == b.shape
                torch.testing.assert_close(a, b)
            else:
                assert a == b


def rows(*sizes, width=10):
    return [(torch.randn(n, width),) for n in sizes]


@pytest.mark.parametrize("fn", [
    lambda x: x.sum() / x.shape[0], lambda x: x.view(-1).sum(), lambda x: torch.cat([x, x]).mean(0),
    lambda x: x @ x.t(), lambda x: x.reshape(x.shape[0], 2, 5).transpose(0, 1), lambda x: x.flip(0)[1:],
    lambda x: (x - x.mean(0)).var(0), lambda x: torch.zeros(len(x), 3) + 1, lambda x: x.new_ones(x.numel()),
    lambda x: x.unsqueeze(1).expand(x.size(0), 3, 10).reshape(-1, 10), lambda x: F.pad(x, (0, 0, 1, 2)),
    lambda x: torch.tril(x @ x.t()), lambda x: torch.eye(x.shape[0]), lambda x: x.shape[0] * 2 + 1,
    lambda x: x.softmax(0).cumsum(0), lambda x: torch.where(torch.arange(x.shape[0])[:, None] > 2, x, -x),
])
def test_two_programs_for_all_sizes(fn):
    found = same(fn, rows(4, 4, 6, 3, 9, 12, 2))
    assert found.compiled == 2 and not found.breaks, found.fixed_reason


@pytest.mark.parametrize("fn", [
    lambda x: x[:6].sum(0), lambda x: x[-3:], lambda x: x.split(5), lambda x: x.chunk(3), lambda x: x[2:8:2],
    lambda x: x[:, : x.shape[0]], lambda x: x.diagonal(), lambda x: x[min(3, len(x) - 1)], lambda x: x[::2],
    lambda x: x.unfold(0, 2, 1).sum(), lambda x: x[: x.shape[0] // 2], lambda x: x.narrow(0, 0, 2),
    lambda x: [x[i] for i in range(x.shape[0])], lambda x: x.topk(2, 0).values, lambda x: F.max_pool1d(x.t()[None], 2),
    lambda x: F.interpolate(x[None], scale_factor=0.5), lambda x: x.unfold(1, min(len(x), 10), 1).sum(-1),
    lambda x: x if len(x) % 2 else x * 2, lambda x: torch.linalg.svdvals(x).shape[0], lambda x: x.tensor_split(3),
])
def test_comparisons_of_sizes_are_never_forgotten(fn):
    same(fn, rows(7, 7, 8, 6, 5, 12, 4, 3, 15, 2, 9, 30), dynamic=None)
    torch.compiler.reset()
    same(fn, rows(20, 12, 9, 6, 5, 3, 2, 30), dynamic=True)


def test_parameters_are_cut_to_size():
    table = nn.Embedding(16, 4)
    found = same(lambda x: x + table.weight[: x.shape[0]].detach(), rows(4, 5, 9, 16, 3, width=4))
    assert found.compiled == 3  # all of the table is another slice than a part of it
    fast = torch.compile(lambda x: x + table.weight[: x.shape[0]].detach(), backend="eager", dynamic=True)
    fast(torch.ones(5, 4))
    with pytest.raises(RuntimeError):
        fast(torch.ones(20, 4))


def test_whole_numbers_that_vary():
    x = torch.randn(4, 10)
    found = same(lambda x, k: (x[:, :k] * k, torch.arange(k), x.shape[0] * k), [(x, k) for k in (3, 4, 5, 7, 2, 9)])
    assert found.compiled == 2
    same(lambda x, k: (x[:, :k] * k, torch.arange(k)), [(x, k) for k in (3, 4, 10, 12, 1, 0, 5)])
    same(lambda x, n: sum(x * i for i in range(n)), [(x, k) for k in (3, 4, 5, 2)])
    net = nn.Linear(10, 3)
    for k in (2, 3, 2, 3):
        def fn(x, k):
            return torch.autograd.grad(net(x)[:, :k].sum() * k, net.weight)[0]

        same(fn, [(x, k)])


def test_histories_with_sizes_that_vary():
    net = nn.Linear(10, 3)
    fast = torch.compile(lambda x, k: net(x)[:, :k].sum() * k, backend="eager")
    for k in (2, 3, 2, 3):
        x = torch.randn(k + 2, 10)
        got = torch.autograd.grad(fast(x, k), net.weight)[0]
        torch.testing.assert_close(got, torch.autograd.grad(net(x)[:, :k].sum() * k, net.weight)[0])


def test_sizes_that_grow_are_looked_at_now_and_then():

    fast = torch.compile(lambda x: x.cumsum(0) * x.shape[0], backend="eager")
    for n in range(2, 200):
        x = torch.ones(n)
        assert torch.equal(fast(x), x.cumsum(0) * n)
    low, high = (fast.compiled.entries[0].space[k] for k in ("low_n0", "high_n0"))
    assert fast.compiled.compiled == 2 and low == 2 and high >= 199
