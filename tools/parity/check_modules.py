"""Compare the candidate's modules with torch's on torch's own module database."""
from __future__ import annotations

import numpy as np
import torch
from bridge import Skip, compare, differentiable, leaves, limit, noted, resolve

COLUMNS = ("build", "forward", "grad", "state")
RANDOM_MODULES = {"FractionalMaxPool2d", "FractionalMaxPool3d", "Dropout", "RReLU"}
OUT_OF_SCOPE = {"LinearCrossEntropyLoss"}


class ModuleCheck:
    """The columns of one module class, over all its cases."""

    def __init__(self, bridge, torch_cls, candidate_cls):
        self.bridge, self.tcls, self.ccls = bridge, torch_cls, candidate_cls
        self.res = dict.fromkeys(COLUMNS)
        self.at = "build"

    def ok(self, column):
        if self.res[column] is None:
            self.res[column] = True

    def bad(self, column, why):
        if self.res[column] in (None, True):
            self.res[column] = why

    def case(self, case, training):
        """Build both modules, carry the state across, compare the results and the gradients."""
        give = self.bridge.give
        cargs, ckw = case.constructor_input.args, case.constructor_input.kwargs
        self.at = "build"
        tm = self.tcls(*cargs, **{**ckw, **({"dtype": torch.float64} if "dtype" in ckw else {})}).to(torch.float64)
        cm = self.ccls(*give(cargs), **give(dict(ckw))).to(self.bridge.mod.float64)
        tm.train(training)
        cm.train(training)
        self.ok("build")
        if case.forward_input is None:
            return
        fargs, fkw = case.forward_input.args, case.forward_input.kwargs
        if self.tcls.__name__.startswith("Lazy"):
            tm(*fargs, **fkw)
            cm(*give(fargs), **give(dict(fkw)))
        self.at = "state"
        state = tm.state_dict()
        keys = list(cm.state_dict().keys())
        if keys != list(state.keys()):
            return self.bad("state", f"state_dict keys {keys[:4]} instead of {list(state)[:4]}")
        cm.load_state_dict({key: give(v) for key, v in state.items()})
        self.ok("state")
        self.at = "forward"
        want, memo = tm(*fargs, **fkw), {}
        got = cm(*give(tuple(fargs), memo), **give(dict(fkw), memo))
        said = compare(self.bridge, want, got, self.tcls.__name__ in RANDOM_MODULES, (1e-6, 1e-7))
        if said:
            return self.bad("forward", said)
        self.ok("forward")
        self.at = "grad"
        inputs = [x for x in leaves((fargs, list(fkw.values())), lambda y: isinstance(y, torch.Tensor))
                  if isinstance(x, torch.Tensor) and x.requires_grad]
        self.gradients(want, got, (tm, cm), inputs, memo)

    def gradients(self, want, got, pair, inputs, memo):
        bridge = self.bridge
        outs = differentiable(want, torch.Tensor, ("float64",))
        mine = differentiable(got, bridge.Tensor, ("float64",))
        theirs, ours = ([p for p in m.parameters() if p.requires_grad] for m in pair)
        theirs, ours = theirs + inputs, ours + [memo[id(x)] for x in inputs]
        if not outs or not theirs:
            return
        if len(outs) != len(mine):
            return self.bad("grad", f"{len(mine)} differentiable outputs instead of {len(outs)}")
        gen = np.random.default_rng(0)
        cots = [np.asarray(gen.standard_normal(tuple(o.shape))) for o in outs]
        tg = torch.autograd.grad(outs, theirs, [torch.from_numpy(c) for c in cots], allow_unused=True)
        give = [bridge.mod.from_numpy(c.copy()) for c in cots]
        cg = bridge.mod.autograd.grad(mine, ours, give, allow_unused=True)
        random = self.tcls.__name__ in RANDOM_MODULES
        for i, (a, b) in enumerate(zip(tg, cg)):
            if (a is None) != (b is None):
                self.bad("grad", f"gradient {i} is {'missing' if b is None else 'there'}")
            elif a is not None and not random and not np.allclose(
                    bridge.numpy(b), bridge.numpy(a), rtol=1e-5, atol=1e-7, equal_nan=True):
                self.bad("grad", f"gradient {i} differs")
        self.ok("grad")


def check_class(bridge, info, args):
    name = info.module_cls.__name__
    cls = resolve(bridge.mod, f"nn.{name}")
    if cls is None:
        return dict.fromkeys(COLUMNS, f"no nn.{name}")
    check = ModuleCheck(bridge, info.module_cls, cls)
    for training in (True, False):
        torch.manual_seed(0)
        try:
            cases = info.module_inputs_func(info, device="cpu", dtype=torch.float64, requires_grad=True,
                                            training=training)
        except Exception:  # the database cannot make them here
            continue
        for k, case in enumerate(cases[: args.samples]):
            try:
                with limit(args.seconds):
                    before = dict(check.res)
                    check.case(case, training)
                for column, said in check.res.items():
                    if isinstance(said, str) and said != before[column]:
                        check.res[column] = f"case {k}: {said}"
            except Skip:
                continue
            except Exception as e:  # whatever the candidate raises is a result
                check.bad(check.at, f"case {k}: {noted(e)}")
    return check.res


def names(args):
    """The module classes of the database that are in scope."""
    from torch.testing._internal.common_modules import module_db

    found = dict.fromkeys(i.module_cls.__name__ for i in module_db)
    return [n for n in found if n not in OUT_OF_SCOPE and (not args.only or n in args.only)]


def rows(bridge, args, chosen):
    """name -> columns, for the names in `chosen`."""
    from torch.testing._internal.common_modules import module_db

    out = {}
    for info in module_db:
        name = info.module_cls.__name__
        if name in chosen:
            r = check_class(bridge, info, args)
            for column, said in out.get(name, {}).items():
                if isinstance(said, str) or r[column] is None:
                    r[column] = said
            out[name] = r
    return out
