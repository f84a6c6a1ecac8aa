"""utils.checkpoint and utils._pytree."""

import collections

import pytest

from lamella import torch
from lamella.torch.utils import _pytree as pytree
from lamella.torch.utils.checkpoint import checkpoint, checkpoint_sequential

Point = collections.namedtuple("Point", "x y")


def gradients(run):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(8, 3))
    x = torch.randn(5, 4, requires_grad=True)
    run(net, x).square().sum().backward()
    return [x.grad, *(p.grad for p in net.parameters())]


@pytest.mark.parametrize("run", [
    lambda net, x: checkpoint(net, x, use_reentrant=False),
    lambda net, x: checkpoint(net, x, use_reentrant=True),
    lambda net, x: checkpoint_sequential(net, 2, x),
    lambda net, x: checkpoint(lambda y, scale: net(y) * scale, x, scale=1.0),
])
def test_checkpoint_gives_the_same_gradients(run):
    for a, b in zip(gradients(run), gradients(lambda net, x: net(x))):
        torch.testing.assert_close(a, b)


def test_checkpoint_computes_again_only_in_backward():
    calls = []

    def f(x):
        calls.append(torch.is_grad_enabled())
        return x.exp()

    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert not checkpoint(f, x).requires_grad
    y = checkpoint(f, x)
    assert calls == [False, True]
    y.sum().backward()
    assert calls == [False, True, True]


def test_checkpoint_notices_a_function_that_changes():
    steps = [lambda x: x.exp(), lambda x: x.exp().exp()]

    def f(x):
        return steps.pop(0)(x)

    y = checkpoint(f, torch.ones(2, requires_grad=True))
    with pytest.raises(RuntimeError, match="saved a different number of tensors"):
        y.sum().backward()


def test_checkpoint_sequential_keywords():
    with pytest.raises(ValueError, match="unexpected keywords"):
        checkpoint_sequential([abs], 1, torch.ones(1), colour=1)


def test_pytree():
    tree = {"a": [1, (2, None)], "b": Point(3, collections.OrderedDict(z=4))}
    leaves, spec = pytree.tree_flatten(tree)
    assert leaves == [1, 2, None, 3, 4] and spec.num_leaves == 5
    assert pytree.tree_unflatten(leaves, spec) == tree
    doubled = pytree.tree_map_only(int, lambda x: 2 * x, tree)
    assert doubled["b"] == Point(6, {"z": 8}) and doubled["a"][1] == (4, None)
    assert pytree.tree_map(lambda x, y: (x, y), [1], [2]) == [(1, 2)]
    assert pytree.tree_flatten([1, [2]], is_leaf=lambda t: t == [2])[0] == [1, [2]]
    assert pytree.tree_any(lambda x: x == 2, [1, 2]) and not pytree.tree_all(lambda x: x == 2, [1, 2])
    with pytest.raises(ValueError, match="5 leaves"):
        pytree.tree_unflatten([1], spec)
