"""Calls of other forms than the ones before, and what compiled functions keep of the calls that they were given."""

from __future__ import annotations

import gc
import weakref

import pytest

from lamella import torch
from lamella.torch import nn

pytestmark = pytest.mark.usefixtures("fresh")


def check(fn, calls, **kwargs):
    fast = torch.compile(fn, **{"backend": "eager", **kwargs})
    for args in calls:
        assert str(fn(*args)) == str(fast(*args)), args
    return fast.compiled


def ones(*shape, dtype=torch.float32):
    return torch.ones(*shape, dtype=dtype)


@pytest.mark.parametrize("other", [
    (ones(6),), (torch.tensor(2.0),), (ones(4, 7, dtype=torch.int64),), (ones(2, 3, 4),), (3,), (2.5,),
    (ones(7, 4).t(),),
])
def test_a_size_that_varies_leaves_calls_of_another_form_alone(other):
    found = check(lambda x: x * 2 + 1, [(ones(2, 3),), (ones(2, 4),), other, other, (ones(2, 9),), other])
    assert not found.breaks and 3 <= found.compiled <= 4


def test_a_size_of_what_is_not_always_given():
    def fn(x, other=None, **more):
        return x + 1 if other is None else x + other.sum()

    found = check(fn, [(ones(2), ones(3)), (ones(2), ones(4)), (ones(2),), (ones(2), None), (ones(2), ones(5))])
    assert not found.breaks
    found = check(lambda xs: sum(x.sum() for x in xs),
                  [([ones(2), ones(3)],), ([ones(2), ones(4)],), ([ones(2)],), ([ones(2), ones(7)],)])
    assert not found.breaks
    found = check(lambda x, k: x * k, [(ones(2), 3), (ones(2), 4), (ones(2), ones(2)), (ones(2), 7)])
    assert not found.breaks


@pytest.mark.parametrize("fn", [
    lambda x: x * 2, lambda x: x * 2 if x.sum() > 0 else x, lambda x: x * x.sum().item(),
    lambda x: (x, x.add_(1)), lambda x: [x.tolist()],
])
def test_arguments_are_not_kept(fn):
    fast, gone = torch.compile(fn, backend="eager"), []
    for n in (4, 5, 5, 6):
        x = ones(n)
        gone.append(weakref.ref(x))
        fast(x)
    del x
    gc.collect()
    assert all(ref() is None for ref in gone)


def test_optimizers_are_not_taken_for_others_that_are_gone():
    from lamella.compile.capture.reads import unready

    net = nn.Linear(2, 2)
    for _ in range(3):
        before = len(unready)
        optimizer = torch.optim.Adam(net.parameters())

        def step(x, optimizer=optimizer):
            optimizer.zero_grad()
            net(x).sum().backward()
            optimizer.step()

        fast = torch.compile(step, backend="eager")
        for _ in range(3):
            fast(ones(3, 2))
        assert fast.compiled.compiled == 1
        del step, fast, optimizer
        torch.compiler.reset()
        gc.collect()
        assert len(unready) == before


def test_explain_tells_of_the_function_as_it_was_compiled():
    fast = torch.compile(lambda x: x * 2, backend="eager", dynamic=True)
    assert torch.compiler.explain(fast)(ones(4)).graphs[0].symbols
    net = torch.compile(nn.Linear(3, 2), backend="eager", dynamic=True)
    assert torch.compiler.explain(net)(ones(4, 3)).graphs[0].symbols
    seen = []

    def backend(graph, inputs, options=None):
        seen.append(options)
        return graph

    fast = torch.compile(lambda x: x * 2, backend=backend, options={"a": 1})
    fast(ones(4))
    torch.compiler.explain(fast)(ones(4))
    assert seen == [{"a": 1}]


@pytest.mark.parametrize("fn", [
    lambda x: x.amax(0), lambda x: x.amin((0, 1)), lambda x: x.argmax(0), lambda x: x.argmin(), lambda x: x.amax(),
])
def test_nothing_has_no_maximum(fn):
    for call in (fn, torch.compile(fn)):
        with pytest.raises((RuntimeError, IndexError), match="specified|non-zero"):
            call(ones(0, 3))
