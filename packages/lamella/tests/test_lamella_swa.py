"""Averages of models, and the schedule that goes with them."""

import pytest

from lamella import torch
from lamella.torch.optim.swa_utils import (
    SWALR,
    AveragedModel,
    get_ema_avg_fn,
    get_ema_multi_avg_fn,
    get_swa_avg_fn,
    get_swa_multi_avg_fn,
    update_bn,
)


@pytest.mark.parametrize("rule", [{}, {"avg_fn": get_swa_avg_fn()}, {"multi_avg_fn": get_swa_multi_avg_fn()}])
def test_plain_average_of_three_states(rule):
    model = torch.nn.Linear(1, 1, bias=False)
    averaged = AveragedModel(model, **rule)
    for value in (1.0, 2.0, 6.0):
        with torch.no_grad():
            model.weight.fill_(value)
        averaged.update_parameters(model)
    assert averaged.n_averaged == 3 and averaged.module.weight.item() == 3.0
    assert averaged(torch.ones(1)).item() == 3.0 and "module.weight" in averaged.state_dict()


@pytest.mark.parametrize("rule", [{"avg_fn": get_ema_avg_fn(0.5)}, {"multi_avg_fn": get_ema_multi_avg_fn(0.5)}])
def test_moving_average(rule):
    model = torch.nn.Linear(1, 1, bias=False)
    averaged = AveragedModel(model, **rule)
    for value in (1.0, 3.0):
        with torch.no_grad():
            model.weight.fill_(value)
        averaged.update_parameters(model)
    assert averaged.module.weight.item() == 2.0


def test_buffers_are_copied_or_averaged():
    model = torch.nn.BatchNorm1d(1)
    copied, blended = AveragedModel(model), AveragedModel(model, use_buffers=True)
    for value in (1.0, 2.0):
        model.running_mean.fill_(value)
        copied.update_parameters(model)
        blended.update_parameters(model)
    assert copied.module.running_mean.item() == 2.0 and blended.module.running_mean.item() == 1.5


def test_batch_norm_statistics_of_a_loader():
    model = torch.nn.Sequential(torch.nn.BatchNorm1d(1), torch.nn.Dropout()).eval()
    update_bn([(torch.tensor([[1.0], [3.0]]), 0), (torch.tensor([[5.0], [7.0]]), 1)], model)
    assert model[0].running_mean.item() == 4.0 and model[0].momentum == 0.1 and not model.training


@pytest.mark.parametrize(
    "strategy, epochs, rates",
    [("linear", 4, [0.8, 0.6, 0.4, 0.2, 0.2]), ("linear", 0, [0.2, 0.2]), ("cos", 2, [0.6, 0.2, 0.2])],
)
def test_rates_move_to_a_constant(strategy, epochs, rates):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
    schedule = SWALR(optimizer, 0.2, epochs, strategy)
    found = []
    for _ in rates:
        optimizer.step()
        schedule.step()
        found.append(schedule.get_last_lr()[0])
    assert found == pytest.approx(rates)


def test_arguments_are_checked():
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
    for arguments in ({"anneal_strategy": "x"}, {"anneal_epochs": -1}, {"swa_lr": [0.1, 0.2]}):
        with pytest.raises(ValueError):
            SWALR(optimizer, **{"swa_lr": 0.1} | arguments)
    with pytest.raises(ValueError, match="decay"):
        get_ema_avg_fn(2.0)
    with pytest.raises(AssertionError, match="only one"):
        AveragedModel(torch.nn.Linear(1, 1), avg_fn=get_swa_avg_fn(), multi_avg_fn=get_swa_multi_avg_fn())
