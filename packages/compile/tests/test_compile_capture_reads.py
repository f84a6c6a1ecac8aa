"""Guards on what Python reads: objects, classes, modules, caches, arrays. A change is always seen."""

from __future__ import annotations

import functools
import sys
import types
from dataclasses import dataclass

import numpy as np
import pytest

from lamella import torch
from lamella.torch import nn

pytestmark = pytest.mark.usefixtures("fresh")


def compiled(fn):
    return torch.compile(fn, backend="eager", dynamic=False)


def check(fn, *changes, x=None):
    """The compiled function equals the plain one, before and after each change; it was compiled at first."""
    fast = compiled(fn)
    x = torch.ones(2) if x is None else x
    assert torch.equal(fast(x), fn(x)) and torch.equal(fast(x), fn(x))
    assert fast.compiled.entries or fast.compiled.retries, [str(b) for b in fast.compiled.breaks.values()]
    for change in changes:
        change()
        assert torch.equal(fast(x), fn(x))
    return fast.compiled


@dataclass
class Config:
    scale: int = 2
    shape: tuple = (1, 2)


class Slotted:
    __slots__ = ("k",)


class Table:
    factor = 3
    nested = None


def test_objects_of_users():
    config, slotted, space = Config(), Slotted(), types.SimpleNamespace(k=2)
    slotted.k = 1
    check(lambda x: x * config.scale * slotted.k * space.k, lambda: setattr(config, "scale", 3),
          lambda: setattr(slotted, "k", 5), lambda: setattr(space, "k", 7))
    holder = [config]
    table = {"c": config, "k": 2}
    check(lambda x: x * holder[0].scale * table["k"], lambda: setattr(config, "scale", 4),
          lambda: table.update(k=9), lambda: holder.__setitem__(0, Config(8)))


def test_attributes_of_classes_and_modules():
    here = types.ModuleType("settings_of_a_user")
    here.__file__ = "/home/me/settings_of_a_user.py"
    here.K, here.inner = 2, types.ModuleType("inner")
    here.inner.__file__, here.inner.Z = here.__file__, 3
    sys.modules[here.__name__] = here
    globals()["here"] = here
    try:
        check(lambda x: x * here.K * here.inner.Z * Table.factor, lambda: setattr(here, "K", 3),
              lambda: setattr(here.inner, "Z", 4), lambda: setattr(Table, "factor", 5))
    finally:
        del sys.modules[here.__name__], globals()["here"]
        Table.factor = 3


def test_methods_and_functions_that_are_replaced():
    class Model:
        def __init__(self):
            self.k = 2

        def __call__(self, x):
            return self.inner(x)

        def inner(self, x):
            return x * self.k

    model = Model()
    check(lambda x: model(x), lambda: setattr(model, "k", 3), lambda: setattr(model, "inner", lambda x: x * 9))
    table = {"f": lambda x: x + 1}
    check(lambda x: table["f"](x), lambda: table.update(f=lambda x: x + 2))
    check(functools.partial(lambda k, x: x * k, 3))
    check(model.__call__)
    other = Model()
    check(lambda x: other(x), lambda: setattr(Model, "inner", lambda self, x: x - self.k))


def test_functions_with_caches():
    @functools.lru_cache
    def mask(n):
        return torch.ones(n).cumsum(0)

    fast = check(lambda x: x * mask(2))
    assert mask(2).tolist() == [1, 2] and fast.entries


def test_caches_of_modules_are_filled_before_it_is_compiled():
    class Lazy(nn.Module):
        def __init__(self):
            super().__init__()
            self.cached = None

        def forward(self, x):
            if self.cached is None:
                self.cached = torch.arange(2.0)
            return x + self.cached

    m = Lazy()
    fast = check(lambda x: m(x), lambda: setattr(m, "cached", torch.ones(2)), lambda: m.cached.add_(1))
    assert fast.entries and type(m.cached) is torch.Tensor


def test_tensors_from_python_values():
    scale = [1.0, 2.0]

    def fn(x):
        t = torch.tensor(scale)
        t += x
        return t, torch.as_tensor([1.0, 2.0]).mul_(2), torch.tensor(x).add_(1)

    fast = compiled(fn)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(4):
            if k == 3:
                scale[0] = 5.0
            for a, b in zip(fast(torch.ones(2)), fn(torch.ones(2)), strict=True):
                assert torch.equal(a, b)
                a.add_(100)
    assert fast.compiled.entries


def test_learning_rates_that_become_tensors():
    w = torch.ones(2, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.5)

    def step(x):
        opt.zero_grad()
        (w * x).sum().backward()
        opt.step()
        return torch.tensor(opt.param_groups[0]["lr"]) * x, torch.full((), opt.param_groups[0]["lr"])

    fast = compiled(step)
    for lr in (0.5, 0.5, 0.25, 0.125):
        opt.param_groups[0]["lr"] = lr
        a, b = fast(torch.ones(2))
        assert a.tolist() == [lr, lr] and b.item() == lr


def test_numpy_arrays():
    small, large = np.ones(2, np.float32), np.ones(10_000, np.float32)
    check(lambda x: x * torch.tensor(small), lambda: small.__setitem__(0, 5))
    shared = np.ones(2, np.float32)
    check(lambda x: x * torch.from_numpy(shared), lambda: shared.__setitem__(0, 5))
    fast = compiled(lambda x: x + torch.tensor(large).sum())
    for k in range(3):
        large[0] = k
        assert fast(torch.zeros(1)).item() == 9999 + k
    for value in (1.5, 2.5):
        assert compiled(lambda x, k: x * k)(torch.ones(1), np.float32(value)).item() == value


def test_random_numbers_of_numpy_stop_the_compiler():
    rng = np.random.default_rng(0)
    for draw in (lambda: np.random.rand(), lambda: rng.random(), lambda: rng.normal()):
        fast = compiled(lambda x, draw=draw: x * draw())
        assert len({fast(torch.ones(1)).item() for _ in range(4)}) == 4


def test_dates_and_clocks_stop_the_compiler():
    import datetime

    fast = compiled(lambda x: x + datetime.datetime.now().microsecond)
    fast(torch.zeros(1))
    assert not fast.compiled.entries


def test_sizes_that_become_tensors():
    fast = torch.compile(lambda x: x.sum() / torch.tensor(float(x.shape[0])), backend="eager", dynamic=True)
    for n in (4, 5, 6, 9):
        assert fast(torch.ones(n)).item() == 1
    other = torch.compile(lambda x: x.sum() / x.shape[0] + len(x) + x.numel() + x.size(0), backend="eager",
                          dynamic=True)
    for n in (4, 5, 6, 9):
        assert other(torch.ones(n)).item() == 1 + 3 * n
    assert len(other.compiled.entries) == 1


def test_tied_and_shared_parameters():
    torch.manual_seed(0)

    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.emb, self.out = nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)
            self.out.weight = self.emb.weight

        def forward(self, ids):
            return self.out(self.emb(ids)).logsumexp(-1).sum()

    def run(wrap):
        torch.manual_seed(0)
        m = Tied()
        opt = torch.optim.Adam(m.parameters(), lr=0.1)

        def step(ids):
            opt.zero_grad()
            loss = m(ids)
            loss.backward()
            opt.step()
            return loss

        fn = wrap(step)
        return [fn(torch.tensor([0, 1, 3])).item() for _ in range(6)]

    assert run(compiled) == pytest.approx(run(lambda f: f), abs=1e-6)


class Stateful(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.hidden, self.pair = None, (torch.zeros(3), torch.ones(3))
        self.a, self.b = torch.zeros(3), torch.ones(3)

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x
        self.hidden = x * 2 if self.hidden is None else self.hidden + x
        first, second = self.pair
        self.pair = (second, first + x)
        self.a, self.b = self.b, self.a
        self.b = self.b + 1
        return self.mean + self.hidden + first + self.a, self.b


def test_tensors_that_modules_keep_from_call_to_call():
    plain, kept = Stateful(), Stateful()
    fast = torch.compile(kept, backend="eager")
    for _ in range(6):
        x = torch.randn(3)
        for a, b in zip(plain(x), fast(x), strict=True):
            assert torch.equal(a, b)
        assert torch.equal(plain.mean, kept.mean) and torch.equal(plain.pair[1], kept.pair[1])
        assert torch.equal(plain.a, kept.a) and torch.equal(plain.b, kept.b) and torch.equal(plain.hidden, kept.hidden)
    compiled_ = fast._call.compiled
    assert compiled_.compiled == 2 and not compiled_.breaks and type(kept.mean) is torch.Tensor
    assert list(kept.state_dict()) == ["mean"]


memory = torch.zeros(2)


def test_tensors_in_variables():
    local = torch.zeros(2)

    def fn(x):
        global memory
        nonlocal local
        memory = memory * 0.5 + x
        local = local + memory
        return local.sum()

    fast = compiled(fn)
    assert [fast(torch.ones(2)).item() for _ in range(4)] == [2, 5, 8.5, 12.25]
    assert fast.compiled.compiled == 1 and memory.tolist() == [1.875, 1.875]


def test_a_history_that_would_be_kept_stops_the_compiler():
    class Keeps(nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = nn.Linear(2, 2)

        def forward(self, x):
            self.last = self.lin(x)
            return self.last.sum()

    m = Keeps()
    fast = torch.compile(m, backend="eager")
    for _ in range(3):
        fast(torch.ones(1, 2)).backward()
        assert m.last.requires_grad


def test_breaks_that_user_code_catches_still_count():
    def fn(x):
        try:
            k = x.sum().item()
        except RuntimeError:
            k = -1
        return x * k

    fast = compiled(fn)
    for _ in range(2):
        assert fast(torch.ones(2)).tolist() == [2, 2]
    assert not fast.compiled.entries


def test_hooks_that_are_registered_on_parameters_are_taken_back():
    w = torch.ones(2, requires_grad=True)
    seen = []

    def fn(x):
        handle = w.register_hook(lambda g: seen.append(1))
        w.grad = None
        (w * x).sum().backward()
        handle.remove()

    fast = compiled(fn)
    for n in range(4):
        fast(torch.ones(2))
        assert len(seen) == n + 1
    keep = compiled(lambda x: (w.register_hook(lambda g: g * 2), (w * x).sum().backward())[0] and None)
    w.grad = None
    keep(torch.ones(2))
    assert w.grad.tolist() == [2, 2]


def test_numpy_functions_of_learning_rates():
    w = torch.ones(2, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.25)

    def step(x):
        opt.zero_grad()
        (w * x).sum().backward()
        opt.step()
        return x * float(np.sqrt(opt.param_groups[0]["lr"]))

    fast = compiled(step)
    for lr in (0.25, 0.25, 1.0, 4.0):
        opt.param_groups[0]["lr"] = lr
        assert fast(torch.ones(2)).tolist() == [lr**0.5] * 2


def test_equal_code_over_other_globals():
    first, second = {"s": 2.0}, {"s": 3.0}
    f, g = (eval("lambda x: x * s", space) for space in (first, second))
    assert f.__code__ == g.__code__
    check(lambda x: f(x) + g(x), lambda: second.update(s=5.0), lambda: first.update(s=7.0))


def test_files_beside_lamella_are_users(tmp_path):
    import lamella

    space = {"s": 2.0, "torch": torch}
    for root in (next(iter(lamella.__path__)) + "_models", f"{tmp_path}/numpy", np.__path__[0] + "_tools"):
        exec(compile("def f(x):\n    return x * s", f"{root}/train.py", "exec"), space)
        f = space["f"]
        check(lambda x, f=f: f(x), lambda: space.update(s=space["s"] + 1))


class Counter:
    __slots__ = ("factor", "calls")

    def __init__(self):
        self.factor, self.calls = 2.0, 0


def test_attributes_in_slots():
    kept = Counter()
    check(lambda x: x * kept.factor, lambda: setattr(kept, "factor", 3.0))

    def counts(x):
        kept.calls += 1
        return x * kept.factor

    fast = compiled(counts)
    for n in range(1, 4):  # what is changed runs uncompiled, and is changed once a call
        assert fast(torch.ones(2)).tolist() == [3, 3] and kept.calls == n
    assert not fast.compiled.entries

    def passes(x):
        before, kept.factor = kept.factor, 5.0
        y = x * kept.factor
        kept.factor = before
        return y

    check(passes, lambda: setattr(kept, "factor", 7.0))
    assert kept.factor == 7.0
