"""Ranks that train on their own and average their models; hooks by their names."""

import pytest
from ddp_models import linear
from harness import ranks

from lamella import distributed as dist, optim
from lamella.core import bfloat16, ones, tensor
from lamella.distributed.algorithms.ddp_comm_hooks.kinds import DDPCommHookType, register_ddp_comm_hook
from lamella.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook import PostLocalSGDState, post_localSGD_hook
from lamella.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
from lamella.distributed.algorithms.model_averaging.utils import average_parameters, get_params_to_average
from lamella.distributed.optim import PostLocalSGDOptimizer
from lamella.distributed.parallel import DistributedDataParallel


@ranks(2, 4)
def test_means_of_parameters():
    rank, n = dist.get_rank(), dist.get_world_size()
    params = [ones(2, 3) * rank, ones(2, dtype=bfloat16) * rank, tensor([[float(rank)]]).t()]
    average_parameters(params)
    assert [p.float().max().item() for p in params] == [(n - 1) / 2] * 3
    pair = dist.new_group([0, 1])
    w = ones(1) * rank
    average_parameters([w], pair)
    assert w.item() == (0.5 if rank < 2 else rank)


@ranks(2)
def test_local_steps_and_means_in_turn():
    rank = dist.get_rank()
    layer = linear()
    averager = PeriodicModelAverager(period=2, warmup_steps=1)
    optimizer = PostLocalSGDOptimizer(optim.SGD(layer.parameters(), lr=1.0), averager)
    seen = []
    for _ in range(4):
        optimizer.zero_grad()
        (layer(ones(1, 1)) * (rank + 1)).sum().backward()
        optimizer.step()
        seen.append(layer.weight.item())
    assert seen == [[0.0, -2.0, -3.0, -5.0], [-1.0, -2.0, -4.0, -5.0]][rank]
    assert optimizer.state_dict()["step"] == 4


@ranks(2, 4)
def test_gradients_within_subgroups():
    rank, n = dist.get_rank(), dist.get_world_size()
    for inner in (True, False):
        alone, _ = dist.new_subgroups(1)
        model = DistributedDataParallel(linear())
        state = PostLocalSGDState(None, alone if inner else None, 2, post_local_gradient_allreduce=inner)
        model.register_comm_hook(state, post_localSGD_hook)
        seen = []
        for _ in range(4):
            model.zero_grad()
            model(ones(1, 1) * (rank + 1)).sum().backward()
            seen.append(model.module.weight.grad.item())
        assert seen == [(n + 1) / 2] * 2 + [rank + 1.0] * 2 and state.iter == 2


@ranks(2)
def test_hooks_by_name():
    rank = dist.get_rank()
    for kind in DDPCommHookType:
        model = DistributedDataParallel(linear())
        register_ddp_comm_hook(kind, model)
        model(ones(1, 1) * (rank + 1)).sum().backward()
        expected = rank + 1.0 if kind is DDPCommHookType.NOOP else 1.5
        assert model.module.weight.grad.item() == expected, kind


def test_arguments_that_make_no_sense():
    with pytest.raises(ValueError, match="period must be positive"):
        PeriodicModelAverager(0)
    with pytest.raises(ValueError, match="warmup_steps must not be negative"):
        PeriodicModelAverager(2, -1)
    with pytest.warns(UserWarning, match="period=1"):
        PeriodicModelAverager(1)
    with pytest.raises(TypeError, match="parameters or parameter groups"):
        get_params_to_average([1])
    w, v = ones(1, requires_grad=True), ones(1, requires_grad=True)
    w.grad = ones(1)
    assert get_params_to_average([w, v]) == [w] and get_params_to_average([{"params": [w, v]}]) == [w]
