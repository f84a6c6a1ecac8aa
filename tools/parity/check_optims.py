"""Compare the candidate's optimizers and schedulers with torch's."""
from __future__ import annotations

import numpy as np
import torch
from bridge import HOME, Skip, limit, noted, resolve

COLUMNS = {"optims": ("steps", "state"), "schedulers": ("rates",)}
OUT_OF_SCOPE = {"SparseAdam"}
SCHEDULERS = {
    "StepLR": lambda s, o: s.StepLR(o, step_size=3, gamma=0.5),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [2, 5, 9], gamma=0.1),
    "ConstantLR": lambda s, o: s.ConstantLR(o, factor=0.5, total_iters=4),
    "LinearLR": lambda s, o: s.LinearLR(o, start_factor=0.25, total_iters=6),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, gamma=0.9),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, total_iters=8, power=2.0),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, T_max=7, eta_min=0.01),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, T_0=4, T_mult=2),
    "CyclicLR": lambda s, o: s.CyclicLR(o, base_lr=0.01, max_lr=0.1, step_size_up=4, mode="triangular2"),
    "OneCycleLR": lambda s, o: s.OneCycleLR(o, max_lr=0.3, total_steps=40),
    "LambdaLR": lambda s, o: s.LambdaLR(o, lambda e: 0.95**e),
    "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, lambda e: 0.97),
    "SequentialLR": lambda s, o: s.SequentialLR(o, [s.LinearLR(o, 0.1, total_iters=5), s.ExponentialLR(o, 0.9)], [5]),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.5, total_iters=3), s.ExponentialLR(o, 0.9)]),
    "ReduceLROnPlateau": lambda s, o: s.ReduceLROnPlateau(o, patience=2, factor=0.5),
}


def toy(mod):
    """A small problem with two parameter tensors, the same in both frameworks."""
    gen = np.random.default_rng(3)
    w, b = gen.standard_normal((4, 3)), gen.standard_normal(3)
    x, y = gen.standard_normal((16, 4)), gen.standard_normal((16, 3))
    t = [mod.from_numpy(v.copy()) for v in (w, b, x, y)]
    return mod.nn.Parameter(t[0]), mod.nn.Parameter(t[1]), t[2], t[3]


def train(mod, make, steps=12):
    w, b, x, y = toy(mod)
    opt = make([w, b])

    def closure():
        opt.zero_grad()
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        return loss

    for _ in range(steps):
        opt.step(closure)
    return [w, b], opt


def check_optimizer(bridge, info, cls, args):
    """The columns of one optimizer over all its settings: 12 steps give the same parameters, and the same state."""
    r = dict.fromkeys(COLUMNS["optims"])
    first_only = info.optim_cls.__name__ == "Muon"  # it takes matrices alone
    for k, case in enumerate(info.optim_inputs_func(device="cpu")):
        kw = {a: v for a, v in case.kwargs.items() if a != "params"}

        def make(mod, cls, kw):
            return train(mod, lambda ps: cls(ps[:1] if first_only else ps, **kw))

        try:
            with limit(args.seconds):
                theirs, topt = make(torch, info.optim_cls, kw)
                ours, copt = make(bridge.mod, cls, bridge.give(kw))
            for i, (a, b) in enumerate(zip(theirs, ours)):
                if not np.allclose(bridge.numpy(b), HOME.numpy(a), rtol=1e-6, atol=1e-8):
                    r["steps"] = f"case {k} ({case.desc}): parameter {i} differs after 12 steps"
                    raise Skip
            r["steps"] = True if r["steps"] is None else r["steps"]
            said = differing_state(topt.state_dict(), copt.state_dict())
            if said:
                r["state"] = f"case {k}: {said}"
            elif r["state"] is None:
                r["state"] = True
        except Skip:
            pass
        except Exception as e:  # whatever the candidate raises is a result
            if r["steps"] in (None, True):
                r["steps"] = f"case {k} ({case.desc}): {noted(e)}"
    return r


def differing_state(theirs, ours):
    a, b = ([sorted(s) for s in d["state"].values()] for d in (theirs, ours))
    if a != b:
        return f"state keys {b[:1]} instead of {a[:1]}"
    a, b = (sorted(d["param_groups"][0]) for d in (theirs, ours))
    if not set(a) <= set(b) and not set(b) <= set(a):
        return f"group keys {b} instead of {a}"
    return None


def check_scheduler(bridge, name, args):
    """Thirty steps of a schedule give the same learning rates and momenta."""
    make = SCHEDULERS[name]

    def rates(mod):
        p = mod.nn.Parameter(mod.ones(2))
        opt = mod.optim.SGD([p], lr=0.2, momentum=0.9)
        sch = make(mod.optim.lr_scheduler, opt)
        seen = []
        for i in range(30):
            p.grad = mod.ones(2)
            opt.step()
            if name == "ReduceLROnPlateau":
                sch.step(1.0 + 0.1 * (i > 4))
            else:
                sch.step()
            seen.append((opt.param_groups[0]["lr"], opt.param_groups[0]["momentum"]))
        return np.array(seen)

    try:
        with limit(args.seconds):
            a, b = rates(torch), rates(bridge.mod)
        if np.allclose(a, b, rtol=1e-9):
            return {"rates": True}
        return {"rates": f"rates differ from step {int((abs(a - b).sum(1) > 1e-9).argmax())}"}
    except Exception as e:  # whatever the candidate raises is a result
        return {"rates": noted(e)}


def database():
    from torch.testing._internal.common_optimizers import optim_db

    return {i.optim_cls.__name__: i for i in optim_db if i.optim_cls.__name__ not in OUT_OF_SCOPE}


def names(args):
    """The optimizers (or schedulers) in scope."""
    known = database() if args.what == "optims" else SCHEDULERS
    return [n for n in known if not args.only or n in args.only]


def rows(bridge, args, chosen):
    """name -> columns, for the names in `chosen`."""
    if args.what == "schedulers":
        return {n: check_scheduler(bridge, n, args) for n in chosen}
    out, known = {}, database()
    for name in chosen:
        cls = resolve(bridge.mod, f"optim.{name}")
        out[name] = (dict.fromkeys(COLUMNS["optims"], f"no optim.{name}") if cls is None
                     else check_optimizer(bridge, known[name], cls, args))
    return out
