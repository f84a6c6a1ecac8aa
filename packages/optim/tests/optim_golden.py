"""Write optim_golden.json: what PyTorch's optimizers and schedulers compute. Run it where torch is installed.

    python packages/optim/tests/optim_golden.py

The tests compare with the file, so they need no torch.
"""

import json
import math
from pathlib import Path

FILE = Path(__file__).with_name("optim_golden.json")
STEPS = 8

OPTIMIZERS = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "weight_decay": 0.2, "maximize": True}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("Adam", {"lr": 0.1}),
    ("Adam", {"lr": 0.1, "betas": [0.8, 0.95], "eps": 1e-4, "weight_decay": 0.1, "amsgrad": True}),
    ("Adam", {"lr": 0.1, "weight_decay": 0.1, "maximize": True}),
    ("AdamW", {"lr": 0.1}),
    ("AdamW", {"lr": 0.1, "weight_decay": 0.3, "amsgrad": True, "maximize": True}),
    ("RMSprop", {"lr": 0.1}),
    ("RMSprop", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.1, "alpha": 0.9}),
    ("RMSprop", {"lr": 0.1, "centered": True, "momentum": 0.5, "maximize": True}),
    ("Adagrad", {"lr": 0.1}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.2, "weight_decay": 0.1, "initial_accumulator_value": 0.3}),
    ("Adadelta", {"lr": 1.0}),
    ("Adadelta", {"lr": 0.5, "rho": 0.8, "weight_decay": 0.1, "maximize": True}),
    ("Adamax", {"lr": 0.1}),
    ("Adamax", {"lr": 0.1, "weight_decay": 0.1, "betas": [0.8, 0.9]}),
    ("NAdam", {"lr": 0.1}),
    ("NAdam", {"lr": 0.1, "weight_decay": 0.1, "momentum_decay": 0.01, "decoupled_weight_decay": True}),
    ("RAdam", {"lr": 0.1}),
    ("RAdam", {"lr": 0.1, "weight_decay": 0.1, "betas": [0.8, 0.9], "decoupled_weight_decay": True}),
    ("ASGD", {"lr": 0.1}),
    ("ASGD", {"lr": 0.1, "t0": 2, "lambd": 0.01, "weight_decay": 0.1}),
    ("Rprop", {"lr": 0.1}),
    ("Rprop", {"lr": 0.1, "etas": [0.3, 1.5], "step_sizes": [0.01, 0.2], "maximize": True}),
]

SCHEDULERS = {
    "StepLR": lambda s, o: s.StepLR(o, 3, 0.5),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [5, 2, 9, 9], 0.3),
    "ConstantLR": lambda s, o: s.ConstantLR(o, 0.5, 4),
    "LinearLR": lambda s, o: s.LinearLR(o, 0.25, 0.8, 6),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, 8, 2.0),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, 7, 0.01),
    "CosineAnnealingLR to zero": lambda s, o: s.CosineAnnealingLR(o, 5),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 4, 2),
    "CosineAnnealingWarmRestarts equal": lambda s, o: s.CosineAnnealingWarmRestarts(o, 4, 1, 0.01),
    "CyclicLR triangular": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 4),
    "CyclicLR triangular2": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 4, mode="triangular2"),
    "CyclicLR exp_range": lambda s, o: s.CyclicLR(o, [0.01, 0.02], 0.1, 4, 6, mode="exp_range", gamma=0.9),
    "CyclicLR function": lambda s, o: s.CyclicLR(
        o, 0.01, 0.1, 4, 6, cycle_momentum=False, scale_fn=lambda x: 0.5**x, scale_mode="iterations"
    ),
    "OneCycleLR": lambda s, o: s.OneCycleLR(o, 0.3, 40),
    "OneCycleLR three phases": lambda s, o: s.OneCycleLR(
        o, [0.3, 0.2], epochs=10, steps_per_epoch=4, pct_start=0.2, anneal_strategy="linear", three_phase=True
    ),
    "LambdaLR": lambda s, o: s.LambdaLR(o, [lambda e: 0.95**e, lambda e: 1 / (1 + e)]),
    "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, lambda e: 0.97),
    "SequentialLR": lambda s, o: s.SequentialLR(o, [s.LinearLR(o, 0.1, total_iters=5), s.ExponentialLR(o, 0.9)], [5]),
    "SequentialLR at zero": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.1, total_iters=5), s.ExponentialLR(o, 0.9)], [0]
    ),
    "SequentialLR of three": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.1, total_iters=5), s.CosineAnnealingLR(o, 10), s.StepLR(o, 2)], [5, 17]
    ),
    "SequentialLR mixed": lambda s, o: s.SequentialLR(
        o,
        [
            s.LinearLR(o, 0.1, total_iters=5),
            s.CosineAnnealingWarmRestarts(o, 4, 2),
            s.MultiplicativeLR(o, lambda e: 0.9),
        ],
        [5, 17],
    ),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.5, 3), s.ExponentialLR(o, 0.9)]),
    "ChainedScheduler of three": lambda s, o: s.ChainedScheduler(
        [s.LinearLR(o, 0.5, 1, 3), s.CosineAnnealingLR(o, 6, 0.001), s.StepLR(o, 4)]
    ),
    "ReduceLROnPlateau": lambda s, o: s.ReduceLROnPlateau(o, patience=2, factor=0.5),
    "ReduceLROnPlateau max": lambda s, o: s.ReduceLROnPlateau(
        o, mode="max", patience=1, factor=0.5, cooldown=2, min_lr=[0.01, 0.02], threshold=0.1, threshold_mode="abs"
    ),
}


def options(kwargs):
    """JSON has no tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in kwargs.items()}


def gradient(step, number):
    """A gradient for parameter ``number`` as nested lists of shape (2, 3), or (3,) for the second one."""
    values = [math.cos(1.7 * step + 0.9 * i + number) + 0.1 for i in range(6 if number == 0 else 3)]
    return [values[:3], values[3:]] if number == 0 else values


def start(number):
    """The first value of parameter ``number``."""
    return [[-1.0, -0.5, 0.0], [0.25, 0.5, 1.0]] if number == 0 else [0.3, -0.2, 0.1]


def metric(step):
    """What ReduceLROnPlateau is shown."""
    return 1.0 + 0.1 * (step > 4) - 0.2 * (step == 20)


def two_groups(torch):
    """An optimizer with two parameter groups of different rates."""
    groups = [{"params": [torch.zeros(2)], "lr": 0.2}, {"params": [torch.zeros(3)], "lr": 0.05}]
    return torch.optim.SGD(groups, lr=0.1, momentum=0.9)


def rates(torch, name, steps=30, hand=None):
    """The rates and momenta of every step; after step ``hand`` the rates are halved by hand."""
    optimizer = two_groups(torch)
    scheduler = SCHEDULERS[name](torch.optim.lr_scheduler, optimizer)
    seen = []
    for step in range(steps):
        optimizer.step()
        scheduler.step(metric(step)) if name.startswith("ReduceLR") else scheduler.step()
        seen.append([v for group in optimizer.param_groups for v in (group["lr"], group["momentum"])])
        if step == hand:
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
    return seen


def train(torch, name, kwargs, dtype):
    """Two parameters after STEPS steps; the second one has no gradient in step 2."""
    params = [torch.tensor(start(n), dtype=dtype).requires_grad_() for n in range(2)]
    optimizer = getattr(torch.optim, name)(params, **options(kwargs))
    for step in range(STEPS):
        for n, p in enumerate(params):
            p.grad = torch.tensor(gradient(step, n), dtype=dtype) if (step, n) != (2, 1) else None
        optimizer.step()
    return params, optimizer


def rounded(value):
    """Keep twelve digits."""
    if isinstance(value, dict):
        return {key: rounded(v) for key, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def main():
    import torch

    golden = {"optimizers": [], "schedulers": {}}
    for name, kwargs in OPTIMIZERS:
        params, optimizer = train(torch, name, kwargs, torch.float64)
        state = {key: value.tolist() for key, value in optimizer.state_dict()["state"].get(0, {}).items()}
        values = [p.detach().tolist() for p in params]
        golden["optimizers"].append({"name": name, "kwargs": kwargs, "params": values, "state": state})
    for name in SCHEDULERS:
        golden["schedulers"][name] = {"free": rates(torch, name), "by hand": rates(torch, name, hand=7)}
    FILE.write_text(json.dumps(rounded(golden), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
