"""Learning rate schedulers: torch's rates, resuming, composition, warnings and errors."""

import copy
import json
import math
import pickle
import warnings
from pathlib import Path
from types import SimpleNamespace

import optim_golden
import pytest

from lamella import core, optim
from lamella.optim import lr_scheduler as lrs

_HERE = Path(__file__).parent
GOLDEN = json.loads((_HERE / "optim_golden.json").read_text())
TORCH = SimpleNamespace(optim=optim, zeros=core.zeros, tensor=core.tensor)
PLAIN = [name for name in optim_golden.SCHEDULERS if not name.startswith("ReduceLR")]


def close(a, b, rel=1e-9):
    assert len(a) == len(b)
    for i, (x, y) in enumerate(zip(a, b)):
        assert x == pytest.approx(y, rel=rel, abs=1e-14), f"step {i}"


def sgd(lr=1.0, **kwargs):
    return optim.SGD([core.zeros(2)], lr=lr, **kwargs)


def run(optimizer, scheduler, steps):
    seen = []
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        seen.append(scheduler.get_last_lr()[0])
    return seen


@pytest.mark.parametrize("name", optim_golden.SCHEDULERS)
def test_rates_are_torchs(name):
    close(optim_golden.rates(TORCH, name), GOLDEN["schedulers"][name]["free"])


@pytest.mark.parametrize("name", optim_golden.SCHEDULERS)
def test_rates_changed_by_hand_are_torchs(name):
    close(optim_golden.rates(TORCH, name, hand=7), GOLDEN["schedulers"][name]["by hand"])


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("done", [0, 3, 11])
def test_state_resumes(name, done):
    make = optim_golden.SCHEDULERS[name]
    first = optim_golden.two_groups(TORCH)
    scheduler = make(lrs, first)
    run(first, scheduler, done)
    saved = copy.deepcopy((first.state_dict(), scheduler.state_dict()))
    expected = run(first, scheduler, 12)

    second = optim_golden.two_groups(TORCH)
    resumed = make(lrs, second)
    second.load_state_dict(saved[0])
    resumed.load_state_dict(saved[1])
    assert run(second, resumed, 12) == expected


RESUMED = {
    "StepLR": lambda o, k: lrs.StepLR(o, 3, 0.5, last_epoch=k),
    "CosineAnnealingLR": lambda o, k: lrs.CosineAnnealingLR(o, 4, last_epoch=k),
    "LinearLR": lambda o, k: lrs.LinearLR(o, 0.25, total_iters=7, last_epoch=k),
    "ExponentialLR": lambda o, k: lrs.ExponentialLR(o, 0.9, last_epoch=k),
    "PolynomialLR": lambda o, k: lrs.PolynomialLR(o, 8, 2.0, last_epoch=k),
    "LambdaLR": lambda o, k: lrs.LambdaLR(o, lambda e: 1 / (1 + e), last_epoch=k),
    "MultiStepLR": lambda o, k: lrs.MultiStepLR(o, [2, 4], 0.1, last_epoch=k),
    "ConstantLR": lambda o, k: lrs.ConstantLR(o, 0.5, 4, last_epoch=k),
    "MultiplicativeLR": lambda o, k: lrs.MultiplicativeLR(o, lambda e: 1 / e, last_epoch=k),
    "CosineAnnealingWarmRestarts": lambda o, k: lrs.CosineAnnealingWarmRestarts(o, 2, 2, last_epoch=k),
}


@pytest.mark.parametrize("name", RESUMED)
def test_last_epoch_goes_on_where_a_fresh_one_would_be(name):
    make = RESUMED[name]
    optimizer = sgd()
    fresh = make(optimizer, -1)
    expected = [fresh.get_last_lr()[0], *run(optimizer, fresh, 14)]
    for k in (0, 1, 4, 5, 9):
        again = sgd()
        again.param_groups[0]["initial_lr"] = 1.0
        resumed = make(again, k)
        assert resumed.last_epoch == k + 1
        assert resumed.get_last_lr()[0] == pytest.approx(expected[k + 1], rel=1e-12, abs=1e-15)
        assert run(again, resumed, 3) == pytest.approx(expected[k + 2 : k + 5], rel=1e-12, abs=1e-15)


def test_sequential_resumes_by_last_epoch():
    def make(o, k):
        return lrs.SequentialLR(o, [lrs.LinearLR(o, 0.1, total_iters=3), lrs.StepLR(o, 2, 0.5)], [3], last_epoch=k)

    optimizer = sgd()
    expected = run(optimizer, make(optimizer, -1), 12)
    for k in (0, 2, 3, 6):
        again = sgd()
        resumed = make(again, k)
        assert resumed.get_last_lr()[0] == expected[k]
        assert run(again, resumed, 4) == expected[k + 1 : k + 5]


def test_sequential_parts_wait_for_their_time():
    optimizer = sgd(lr=0.4, momentum=0.9)
    warmup = lrs.ConstantLR(optimizer, 0.5, total_iters=100)
    main = lrs.OneCycleLR(optimizer, max_lr=5.0, total_steps=20)
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.2)
    scheduler = lrs.SequentialLR(optimizer, [warmup, main], [3])
    group = optimizer.param_groups[0]
    assert (group["lr"], group["momentum"]) == (0.2, 0.9)
    assert run(optimizer, scheduler, 2) == [0.2, 0.2] and group["momentum"] == 0.9
    assert run(optimizer, scheduler, 1) == pytest.approx([5.0 / 25]) and group["momentum"] == 0.95


def test_sequences_and_chains_nest():
    optimizer = sgd()
    inner = lrs.SequentialLR(optimizer, [lrs.ConstantLR(optimizer, 0.5, 10), lrs.ExponentialLR(optimizer, 0.5)], [2])
    chain = lrs.ChainedScheduler([lrs.ConstantLR(optimizer, 0.1, 2), lrs.ExponentialLR(optimizer, 0.5)])
    outer = lrs.SequentialLR(optimizer, [lrs.ConstantLR(optimizer, 0.25, 10), inner, chain], [2, 6])
    seen = [outer.get_last_lr()[0], *run(optimizer, outer, 9)]
    assert seen == pytest.approx([0.25, 0.25, 0.5, 0.5, 1.0, 0.5, 0.1, 0.05, 0.25, 0.125])


def test_cosine_survives_its_floor_in_a_chain():
    optimizer = sgd()
    chain = lrs.ChainedScheduler([lrs.CosineAnnealingLR(optimizer, 2), lrs.ConstantLR(optimizer, 0.5, 100)])
    assert all(math.isfinite(rate) for rate in run(optimizer, chain, 12))


def test_fractional_epochs_of_warm_restarts():
    optimizer = sgd()
    scheduler = lrs.CosineAnnealingWarmRestarts(optimizer, T_0=2, T_mult=2)
    for epoch, place, period in ((0.5, 0.5, 2), (2.0, 0.0, 4), (5.5, 3.5, 4), (6.25, 0.25, 8), (1.0, 1.0, 2)):
        scheduler.step(epoch)
        assert scheduler.get_last_lr()[0] == pytest.approx((1 + math.cos(math.pi * place / period)) / 2)


def test_tensor_rates_are_written_in_place():
    rate = core.tensor(1.0)
    optimizer = sgd(lr=rate)
    scheduler = lrs.CosineAnnealingLR(optimizer, 10)
    seen = run(optimizer, scheduler, 10)
    assert optimizer.param_groups[0]["lr"] is rate
    assert seen[4].item() == pytest.approx(0.5, abs=1e-6)
    assert rate.item() == pytest.approx(0.0, abs=1e-7) and seen[0].item() > 0.9


def test_callable_objects_are_saved_and_functions_are_not():
    class Slope:
        def __init__(self, by):
            self.by = by

        def __call__(self, epoch):
            return 1 - self.by * epoch

    optimizer = sgd()
    state = lrs.LambdaLR(optimizer, Slope(0.1)).state_dict()
    assert state["lr_lambdas"] == [{"by": 0.1}]
    other = lrs.LambdaLR(sgd(), Slope(0.5))
    other.load_state_dict(state)
    assert other.lr_lambdas[0].by == 0.1
    state = lrs.LambdaLR(sgd(), lambda epoch: 1.0).state_dict()
    assert state["lr_lambdas"] == [None]
    pickle.dumps(state)
    cyclic = lrs.CyclicLR(sgd(momentum=0.9), 0.1, 1.0, scale_fn=Slope(0.25)).state_dict()
    assert cyclic["_scale_fn_custom"] == {"by": 0.25}


def test_step_order_is_checked_once():
    optimizer = sgd()
    scheduler = lrs.ExponentialLR(optimizer, 0.9)
    with pytest.warns(UserWarning, match=r"`lr_scheduler.step\(\)` before `optimizer.step\(\)`"):
        scheduler.step()
    scheduler.step()


class Wrapped:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def step(self):
        self.optimizer.step()


class Restated(optim.SGD):
    def step(self, closure=None):
        return super().step(closure)


@pytest.mark.parametrize("how", ["wrapper", "subclass", "replaced", "flag", "resumed", "state"])
def test_step_order_has_no_false_alarm(how):
    optimizer = Restated([core.zeros(2)], lr=1.0) if how == "subclass" else sgd()
    scheduler = lrs.ExponentialLR(optimizer, 0.9)
    if how == "wrapper":
        Wrapped(optimizer).step()
    elif how == "subclass":
        optimizer.step()
        assert optimizer._step_calls == 1
    elif how == "replaced":
        optimizer.step = lambda: None
        optimizer.step()
    elif how == "flag":
        optimizer._opt_called = True
    elif how == "resumed":
        scheduler = lrs.ExponentialLR(optimizer, 0.9, last_epoch=5)
    else:
        state = scheduler.state_dict()
        scheduler.load_state_dict({**state, "last_epoch": 7, "_step_count": 8})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler.step()


def test_get_lr_outside_of_step_warns_and_reads():
    optimizer = sgd()
    scheduler = lrs.CosineAnnealingLR(optimizer, 4)
    run(optimizer, scheduler, 2)
    with pytest.warns(UserWarning, match=r"get_last_lr\(\)"):
        assert scheduler.get_lr() == scheduler.get_last_lr()


def test_epoch_argument_is_deprecated_and_uses_the_closed_form():
    optimizer = sgd()
    scheduler = lrs.StepLR(optimizer, 2, 0.5)
    optimizer.step()
    with pytest.warns(UserWarning, match="deprecated"):
        scheduler.step(5)
    assert scheduler.get_last_lr() == [0.25] and scheduler.last_epoch == 5


def test_user_defined_schedulers():
    class Halve(lrs._LRScheduler):
        def get_lr(self):
            if self.last_epoch == 0:
                return self.base_lrs
            return [group["lr"] * 0.5 for group in self.optimizer.param_groups]

    optimizer = sgd()
    assert run(optimizer, Halve(optimizer), 3) == [0.5, 0.25, 0.125]
    with pytest.raises(NotImplementedError, match="must define get_lr"):
        lrs.LRScheduler(sgd())


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (TypeError, "int is not an Optimizer", lambda: lrs.StepLR(3, 2)),
        (TypeError, "int is not an Optimizer", lambda: lrs.OneCycleLR(3, 2, 2)),
        (TypeError, "int is not an Optimizer", lambda: lrs.ReduceLROnPlateau(3)),
        (KeyError, "param 'initial_lr' is not specified in param_groups", lambda: lrs.StepLR(sgd(), 2, last_epoch=3)),
        (ValueError, "got 2 for 1 groups", lambda: lrs.LambdaLR(sgd(), [abs, abs])),
        (TypeError, "should be a function", lambda: lrs.MultiplicativeLR(sgd(), 3)),
        (ValueError, "factor must be between 0 and 1", lambda: lrs.ConstantLR(sgd(), 1.5)),
        (ValueError, "start_factor must be greater than 0", lambda: lrs.LinearLR(sgd(), 0.0)),
        (ValueError, "end_factor must be between", lambda: lrs.LinearLR(sgd(), 0.5, 2.0)),
        (ValueError, "Factor should be < 1.0", lambda: lrs.ReduceLROnPlateau(sgd(), factor=1.0)),
        (ValueError, "mode 'mean' is unknown", lambda: lrs.ReduceLROnPlateau(sgd(), mode="mean")),
        (ValueError, "expected 1 min_lrs, got 2", lambda: lrs.ReduceLROnPlateau(sgd(), min_lr=[0, 0])),
        (ValueError, "positive integer T_0", lambda: lrs.CosineAnnealingWarmRestarts(sgd(), 0)),
        (ValueError, "mode is invalid", lambda: lrs.CyclicLR(sgd(), 0.1, 1, mode="round")),
        (ValueError, "must support momentum or beta1", lambda: lrs.CyclicLR(optim.Adagrad([core.zeros(1)]), 0.1, 1)),
        (ValueError, "one value for each parameter group", lambda: lrs.CyclicLR(sgd(momentum=0.9), [0.1, 0.1], 1)),
        (ValueError, "either total_steps OR", lambda: lrs.OneCycleLR(sgd(momentum=0.9), 1.0, epochs=3)),
        (ValueError, "positive integer total_steps", lambda: lrs.OneCycleLR(sgd(momentum=0.9), 1.0, 0)),
        (ValueError, "pct_start", lambda: lrs.OneCycleLR(sgd(momentum=0.9), 1.0, 5, pct_start=1.5)),
        (ValueError, "anneal_strategy", lambda: lrs.OneCycleLR(sgd(momentum=0.9), 1.0, 5, anneal_strategy="step")),
        (ValueError, "at least one scheduler", lambda: lrs.SequentialLR(sgd(), [], [])),
        (ValueError, "at least one scheduler", lambda: lrs.ChainedScheduler([])),
        (ValueError, "belong to the same optimizer", lambda: lrs.ChainedScheduler([lrs.StepLR(sgd(), 2)], sgd())),
        (ValueError, "not support `ReduceLROnPlateau`", lambda: lrs.ChainedScheduler([lrs.ReduceLROnPlateau(sgd())])),
        (TypeError, "should have `optimizer`", lambda: lrs.SequentialLR(sgd(), [3], [])),
    ],
)
def test_errors(error, text, make):
    with pytest.raises(error, match=text):
        make()


def test_milestones_are_counted():
    optimizer = sgd()
    with pytest.raises(ValueError, match="one more than the number of milestone"):
        lrs.SequentialLR(optimizer, [lrs.StepLR(optimizer, 2)], [3])


def test_too_many_steps_of_one_cycle():
    optimizer = sgd(momentum=0.9)
    scheduler = lrs.OneCycleLR(optimizer, 1.0, total_steps=3)
    run(optimizer, scheduler, 3)
    with pytest.raises(ValueError, match="Tried to step 4 times. The specified number of total steps is 3"):
        scheduler.step()


def test_a_group_added_later_is_an_error_that_says_so():
    optimizer = sgd()
    scheduler = lrs.StepLR(optimizer, 2)
    optimizer.add_param_group({"params": [core.zeros(3)]})
    optimizer.step()
    with pytest.raises(ValueError, match="build the scheduler after the last add_param_group"):
        scheduler.step()


def test_one_cycle_with_a_rise_of_one_step():
    optimizer = sgd(momentum=0.9)
    scheduler = lrs.OneCycleLR(optimizer, 1.0, total_steps=10, pct_start=0.1)
    assert scheduler.get_last_lr() == [1.0]


def test_plateau_reads_tensors_and_learns_of_new_groups():
    optimizer = sgd()
    scheduler = lrs.ReduceLROnPlateau(optimizer, patience=0, factor=0.5, min_lr=0.2)
    scheduler.step(core.tensor(1.0))
    optimizer.add_param_group({"params": [core.zeros(3)], "lr": 0.3})
    for _ in range(4):
        scheduler.step(core.tensor(2.0))
    assert scheduler.get_last_lr() == [0.2, 0.2]
    assert scheduler.in_cooldown is False
