"""Lazy layers."""

from __future__ import annotations

import copy

import pytest

from lamella import core, nn


def test_the_first_input_decides():
    m = nn.Sequential(nn.LazyConv2d(4, 3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2, bias=False))
    assert repr(m[3]).startswith("LazyLinear(in_features=0, out_features=2")
    assert isinstance(m[0].weight, nn.UninitializedParameter) and m[0].has_uninitialized_params()
    with pytest.raises(RuntimeError, match="no shape yet"):
        _ = m[0].weight.shape
    out = m(core.zeros(1, 3, 5, 5))
    assert out.shape == (1, 2) and type(m[0]) is nn.Conv2d and type(m[3]) is nn.Linear
    assert m[0].weight.shape == (4, 3, 3, 3) and m[3].weight.shape == (2, 36)
    assert type(m[0].weight) is nn.Parameter and m[0].weight.requires_grad
    assert m[0]._forward_pre_hooks == {} and m(core.zeros(1, 3, 5, 5)).shape == (1, 2)
    out.sum().backward()
    assert m[3].weight.grad is not None


def test_drawn_like_the_ordinary_layer():
    core.manual_seed(0)
    lazy = nn.LazyLinear(3)
    lazy(core.zeros(1, 5))
    core.manual_seed(0)
    plain = nn.Linear(5, 3)
    assert lazy.weight.tolist() == plain.weight.tolist() and lazy.bias.tolist() == plain.bias.tolist()


def test_state_and_copies():
    plain, lazy = nn.Linear(5, 3), nn.LazyLinear(3)
    twin = copy.deepcopy(lazy)
    assert isinstance(twin.weight, nn.UninitializedParameter) and twin.weight is not lazy.weight
    lazy.load_state_dict(plain.state_dict())
    assert lazy.weight.tolist() == plain.weight.tolist()
    assert lazy(core.zeros(1, 5)).shape == (1, 3) and type(lazy) is nn.Linear and lazy.in_features == 5
    assert list(twin.state_dict()) == ["weight", "bias"]
    twin.double()
    assert twin.weight.dtype == core.float64
    assert twin(core.zeros(1, 5, dtype=core.float64)).dtype == core.float64


def test_transposed_and_bad_input():
    m = nn.LazyConvTranspose1d(4, 3, groups=2)
    assert m(core.zeros(1, 6, 5)).shape == (1, 4, 7) and m.weight.shape == (6, 2, 3)
    with pytest.raises(RuntimeError, match="expected 3D"):
        nn.LazyConv2d(4, 3)(core.zeros(1, 6))
    with pytest.raises(ValueError, match="divisible by groups"):
        nn.LazyConv2d(4, 3, groups=2)(core.zeros(1, 3, 5, 5))


def test_norms():
    m = nn.LazyBatchNorm1d()
    assert m(core.rand(4, 3)).shape == (4, 3) and type(m) is nn.BatchNorm1d and m.num_features == 3
    assert list(m.state_dict()) == ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"]
    m = nn.LazyInstanceNorm2d(affine=False, track_running_stats=False)
    assert m(core.rand(2, 3, 4, 4)).shape == (2, 3, 4, 4) and m.num_features == 3
