"""Sizes that vary: what may vary is chosen, and what depends on it is computed anew."""

from __future__ import annotations

import pytest

from lamella import torch
from lamella.compile.graph.views import overlaps
from lamella.compile.loops.index import Var, lift
from lamella.torch import nn

F = nn.functional


def test_a_size_that_is_a_weight_s_does_not_keep_others_from_varying():
    layer = nn.Linear(6, 3)
    fast = torch.compile(lambda x: layer(x), dynamic=True, backend="eager")
    for n in (8, 5, 12):
        x = torch.randn(n, 6)
        assert torch.equal(fast(x), layer(x))
    assert len(fast.compiled.entries) == 1, fast.compiled.recompiles
    with pytest.raises(RuntimeError):
        fast(torch.randn(5, 7))


def test_of_many_sizes_as_many_vary_as_a_program_can_have():
    fast = torch.compile(lambda q, k: (q @ k).relu(), dynamic=True, backend="eager")
    for b, h in ((2, 3), (4, 5), (7, 3)):
        q, k = torch.randn(b, h, 9, 8), torch.randn(b, h, 8, 10)
        assert torch.equal(fast(q, k), (q @ k).relu())
    assert len(fast.compiled.entries) == 1, fast.compiled.recompiles


@pytest.mark.parametrize("backend", ["eager", "cpp"])
def test_the_divisor_of_a_variance_is_read_in_every_call(backend):
    def step(x):
        y = (x - x.mean(0)) / x.std(0) + x.var(0)
        return torch.autograd.grad((y * y.detach().cos()).sum(), x)[0]

    fast = torch.compile(step, dynamic=True, backend=backend, fullgraph=True)
    for n in (8, 5, 12):
        x = torch.randn(n, 6, dtype=torch.float64).requires_grad_()
        torch.testing.assert_close(fast(x), step(x))
    assert len(fast.compiled.entries) == 1, fast.compiled.recompiles


def test_gradients_that_are_not_asked_for_have_no_memory():
    def step(x, w):
        return torch.autograd.grad(F.conv1d(x, w).square().sum(), (x, w))

    fast = torch.compile(step, fullgraph=True, dynamic=True)
    for n in (3, 5, 2):
        x, w = torch.randn(2, n, 7).requires_grad_(), torch.randn(n, n, 3).requires_grad_()
        for a, b in zip(fast(x, w), step(x, w), strict=True):
            torch.testing.assert_close(a, b)


def test_padding_that_depends_on_a_size():
    def step(ids, w):
        return torch.autograd.grad(F.embedding(ids, w, padding_idx=-1).sin().sum(), w)[0]

    fast = torch.compile(step, fullgraph=True, dynamic=True)
    for n in (5, 8, 11):
        ids, w = torch.arange(n), torch.randn(n, 4).requires_grad_()
        torch.testing.assert_close(fast(ids, w), step(ids, w))


def test_elements_apart_by_a_size_do_not_overlap():
    m, n = lift(Var("m")), lift(Var("n"))
    for shape, stride in (((n,), (n + 1,)), ((n, 3), (3, 1)), ((3, n), (n, 1)), ((m, n), (1, m))):
        assert not overlaps(shape, stride), (shape, stride)
    for shape, stride in (((m, n), (m, 1)), ((n,), (0,)), ((3, n), (n - 1, 1)), ((n, 3), (2, 1))):
        assert overlaps(shape, stride), (shape, stride)


def test_a_compiled_module_is_true():
    assert torch.compile(nn.Linear(2, 2))
