"""Operators tagged "effect": a program calls them as often and in the order that the function does, used or not."""

import pytest

from lamella import torch
from lamella.core.tensor import bump
from lamella.dispatch import Library


@pytest.fixture
def post():
    """The operators ``post::send`` and ``post::twice_``, and the list of what they were called with."""
    said = []
    lib = Library("post", "DEF")

    def send(tensor, to):
        said.append((to, tensor.tolist()))

    def twice_(tensor):
        said.append("twice")
        tensor._a *= 2
        bump(tensor, "twice_")

    for schema, kernel in (("send(Tensor tensor, int to) -> ()", send), ("twice_(Tensor(a!) tensor) -> ()", twice_)):
        name = lib.define(schema, tags="effect")
        lib.impl(name, kernel, "CPU")
        torch.library.register_fake(f"post::{name}", lambda *args: None, lib=lib)
    torch.compiler.reset()
    yield torch.ops.post, said
    lib._destroy()
    torch.compiler.reset()


@pytest.mark.parametrize("backend", ["cpp", "aot_eager"])
def test_calls_stay_in_order_and_are_not_dropped(post, backend):
    ops, said = post

    @torch.compile(fullgraph=True, backend=backend)
    def fn(x):
        y = x * 2
        ops.send(y, 1)
        z = x + 1
        ops.twice_(z)  # nobody reads z
        ops.send(y, 1)  # the same again
        ops.twice_(x)
        return y

    for _ in range(2):
        x = torch.ones(2)
        said.clear()
        assert fn(x).tolist() == [2, 2] and x.tolist() == [2, 2]
        assert said == [(1, [2.0, 2.0]), "twice", (1, [2.0, 2.0]), "twice"]


def test_calls_of_forward_and_backward_run_in_their_pass(post):
    ops, said = post

    class Told(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            ops.send(grad * 3, 2)
            return grad

    @torch.compile(fullgraph=True)
    def fn(x):
        ops.send(x, 1)
        return Told.apply(x * 2).sum()

    for _ in range(2):
        x = torch.ones(1, requires_grad=True)
        said.clear()
        loss = fn(x)
        assert said == [(1, [1.0])]
        loss.backward()
        assert said == [(1, [1.0]), (2, [3.0])] and x.grad.tolist() == [2]


def test_what_is_begun_is_over_in_a_program(post):
    ops, said = post
    lib = Library("post2", "DEF")
    lib.define("send(Tensor tensor, int to, bool async_op=False) -> ()", tags="effect")
    lib.impl("send", lambda tensor, to, async_op: said.append(async_op), "CPU")
    torch.library.register_fake("post2::send", lambda *args, **kwargs: None, lib=lib)
    begin = torch.ops.post2.send

    @torch.compile(fullgraph=True)
    def fn(x):
        begin(x, 1, True)
        begin(x, 1, async_op=True)
        begin(x, 1)
        return x + 1

    fn(torch.ones(1))
    assert said == [False] * 3
    lib._destroy()
