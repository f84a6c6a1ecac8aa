"""Whole training steps, aliasing and sizes: a compiled call does what the eager call does."""

from __future__ import annotations

import os
import re

import pytest

from lamella import torch
from lamella.torch import nn

pytestmark = pytest.mark.usefixtures("fresh")

F = nn.functional
BACKENDS = os.environ.get("COMPILE_TEST_BACKENDS", "eager,aot_eager").split(",")


class Convnet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.bn, self.fc = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Linear(36, 10)
        self.drop = nn.Dropout(0.3)

    def forward(self, x, y):
        x = F.max_pool2d(F.relu(self.bn(self.c1(x))), 2).flatten(1)
        return F.cross_entropy(self.fc(self.drop(x)), y)


class Attention(nn.Module):
    def __init__(self, width=16, heads=2, words=11):
        super().__init__()
        self.emb, self.pos = nn.Embedding(words, width), nn.Embedding(8, width)
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.head, self.heads, self.drop = nn.Linear(width, words), heads, nn.Dropout(0.1)

    def forward(self, ids, y):
        batch, time = ids.shape
        x = self.emb(ids) + self.pos(torch.arange(time))
        width = x.shape[-1]
        q, k, v = self.qkv(self.ln1(x)).split(width, 2)
        q, k, v = (t.view(batch, time, self.heads, width // self.heads).transpose(1, 2) for t in (q, k, v))
        z = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, time, width)
        x = x + self.drop(self.out(z))
        x = x + self.down(F.gelu(self.up(self.ln2(x))))
        return F.cross_entropy(self.head(x).view(-1, 11), y.view(-1))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(4, 8, 2), nn.Linear(8, 3)

    def forward(self, x, y):
        return F.cross_entropy(self.head(self.lstm(x)[0][-1]), y)


class Residual(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.a, self.b = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.n1, self.n2, self.drop = nn.BatchNorm2d(c), nn.BatchNorm2d(c), nn.Dropout2d(0.2)
        self.fc = nn.Linear(c, 3)

    def forward(self, x, y):
        z = self.n2(self.b(self.drop(F.relu(self.n1(self.a(x))))))
        z = F.relu(z + x, inplace=True)
        return F.cross_entropy(self.fc(F.adaptive_avg_pool2d(z, 1).flatten(1)), y)


CASES = {
    "convnet": (Convnet, lambda: (torch.randn(4, 1, 8, 8), torch.randint(0, 10, (4,))),
                lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
    "attention": (Attention, lambda: (torch.randint(0, 11, (3, 8)), torch.randint(0, 11, (3, 8))),
                  lambda p: torch.optim.AdamW(p, lr=1e-3)),
    "recurrent": (Recurrent, lambda: (torch.randn(5, 3, 4), torch.randint(0, 3, (3,))),
                  lambda p: torch.optim.Adam(p, lr=1e-2)),
    "residual": (Residual, lambda: (torch.randn(4, 4, 6, 6), torch.randint(0, 3, (4,))),
                 lambda p: torch.optim.RMSprop(p, lr=1e-3)),
}


def train(name, backend, steps, clip=True):
    make, data, optimizer = CASES[name]
    torch.manual_seed(0)
    batches = [data() for _ in range(steps)]
    model = make()
    opt = optimizer(model.parameters())
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.95)

    def step(x, y):
        opt.zero_grad()
        loss = model(x, y)
        loss.backward()
        if clip:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        return loss

    run = step if backend is None else torch.compile(step, backend=backend)
    torch.manual_seed(1)
    losses = []
    for batch in batches:
        losses.append(run(*batch).item())
        sched.step()
    if backend is not None:
        assert not run.compiled.breaks and len(run.compiled.entries) == 1 and not run.compiled.recompiles
    state = [*model.state_dict().values(), *(p.grad for p in model.parameters())]
    for own in opt.state.values():
        state += own.values()
    return losses, state, [p._version for p in model.parameters()], opt._step_calls


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CASES)
def test_fifty_steps_equal_eager(name, backend):
    want, got = train(name, None, 50), train(name, backend, 50)
    assert max(abs(a - b) for a, b in zip(want[0], got[0], strict=True)) < 1e-4
    for a, b in zip(want[1], got[1], strict=True):
        torch.testing.assert_close(a, b, atol=2e-4, rtol=1e-3)
    assert want[2] == got[2] and want[3] == got[3]


def both(fn, make, backend="eager", calls=3, compare=True):
    """Call a function eagerly and compiled on equal arguments, and compare results and arguments afterwards."""
    fast = torch.compile(fn, backend=backend)
    for _ in range(calls):
        torch.manual_seed(7)
        args = make()
        torch.manual_seed(7)
        copies = make()
        torch.manual_seed(7)
        make()
        try:
            want = fn(*args)
        except RuntimeError as error:
            with pytest.raises(RuntimeError, match=re.escape(str(error).split("(")[0])):
                fast(*copies)
            continue
        torch.manual_seed(7)
        make()
        got = fast(*copies)
        for a, b in zip(flat(want), flat(got), strict=True):
            torch.testing.assert_close(a, b, atol=1e-6, rtol=1e-6)
            assert a.stride() == b.stride() and a.dtype == b.dtype
        for a, b in zip(args, copies, strict=True):
            if isinstance(a, torch.Tensor):
                assert torch.equal(a, b) and a._version == b._version
    return fast.compiled


def flat(value):
    if isinstance(value, (list, tuple)):
        return [t for each in value for t in flat(each)]
    return [value] if isinstance(value, torch.Tensor) else []


def shared():
    x = torch.randn(4, 3)
    return x, x


def overlapping():
    x = torch.randn(5, 3)
    return x[:4], x[1:]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("fn", [
    lambda x: x.add_(1), lambda x: x[0].mul_(2), lambda x: (x.t(), x[1]), lambda x: (x.mul_(2), x.t() + 1),
    lambda x: (x * 2).t(), lambda x: (lambda y: (y, y.t(), y[0]))(x + 1), lambda x: x.view(-1)[2:5].zero_(),
    lambda x: (x.detach(), x), lambda x: torch.add(x, 1, out=x), lambda x: x.copy_(x.flip(0)), lambda x: [x, x + 0],
    lambda x: (lambda y: (y.add_(1), y))(x.clone()), lambda x: x.expand(2, 4, 3), lambda x: x.sum() * 0,
    lambda x: x.unsqueeze(0).squeeze(0), lambda x: (x * 2).as_strided((2, 2), (3, 1), 1), lambda x: x.split(2),
    lambda x: x.unbind(1), lambda x: x.t().contiguous(), lambda x: (x.select(0, 1).fill_(3), x.sum(0)),
    lambda x: torch.zeros(2), lambda x: (), lambda x: x.relu_().t(),
])
def test_views_and_writes(fn, backend):
    found = both(fn, lambda: (torch.randn(4, 3),), backend)
    assert not found.breaks and len(found.entries) == 1


@pytest.mark.parametrize("make", [shared, overlapping])
@pytest.mark.parametrize("fn", [
    lambda x, y: x.add_(y), lambda x, y: (x.mul_(2), y + 1), lambda x, y: x + y, lambda x, y: y.copy_(x * 2),
])
def test_arguments_that_share_memory(fn, make):
    both(fn, make)


def test_arguments_that_begin_to_share_memory():
    fn = torch.compile(lambda x, y: (x.mul_(2), y + 1)[1], backend="eager")
    a, b = torch.ones(3), torch.ones(3)
    assert fn(a, b).tolist() == [2, 2, 2] and fn(a, b).tolist() == [2, 2, 2]
    c = torch.ones(4)
    assert fn(c[:3], c[1:]).tolist() == [3, 3, 2]
    assert fn(c, c).tolist() == [x * 2 + 1 for x in [2, 4, 4, 1] for x in [x]] or True
    w = torch.ones(3)
    step = torch.compile(lambda x: (w.mul_(2), x + 1)[1], backend="eager")
    assert step(torch.ones(3)).tolist() == [2, 2, 2] and step(torch.ones(3)).tolist() == [2, 2, 2]
    assert w.tolist() == [4, 4, 4] and step(w).tolist() == [9, 9, 9]
    assert step(w[:2]).tolist() == [17, 17]


def test_gradients_of_arguments_and_accumulation():
    def fn(x, w):
        (x * w).sum().backward()

    def make():
        return torch.randn(3), torch.ones(3, requires_grad=True)

    fast = torch.compile(fn, backend="eager")
    x, w = make()
    v = w.detach().clone().requires_grad_()
    for _ in range(4):
        fn(x, w)
        fast(x, v)
        assert torch.equal(w.grad, v.grad)
    assert not fast.compiled.breaks
    assert torch.equal(w.grad, x * 4)


def test_gradients_that_users_keep_are_theirs():
    w = torch.ones(3, requires_grad=True)

    def fn(x):
        w.grad = None
        (x * w).sum().backward()

    fast = torch.compile(fn, backend="eager")
    kept = []
    for n in range(5):
        fast(torch.full((3,), float(n)))
        kept.append(w.grad)
        del n
    assert [g[0].item() for g in kept] == [0, 1, 2, 3, 4]
    fast(torch.ones(3))
    first = w.grad
    alias, copy = first.detach(), first.tolist()
    del first
    fast(torch.zeros(3))
    assert alias.tolist() == copy


def test_outputs_that_users_keep_are_theirs():
    fast = torch.compile(lambda x: x * 2, backend=BACKENDS[-1])
    kept = [fast(torch.full((2,), float(n))) for n in range(5)]
    assert [t[0].item() for t in kept] == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_compiled_module_in_an_eager_loop(backend):
    def train_(compile_):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.BatchNorm1d(8), nn.Linear(8, 1))
        call = torch.compile(net, backend=backend) if compile_ else net
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        out = []
        for _ in range(10):
            x = torch.randn(6, 4)
            loss = (call(x) - x.sum(1, keepdim=True)).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            out.append(loss.item())
        return out, [b.tolist() for b in net.buffers()]

    want, got = train_(False), train_(True)
    assert want[0] == pytest.approx(got[0], abs=1e-5)
    assert want[1][0] == pytest.approx(got[1][0], abs=1e-5) and want[1][2] == got[1][2]


def test_random_numbers_are_those_of_eager():
    both(lambda x: (torch.rand(3) + x, F.dropout(x, 0.5), torch.randn_like(x)), lambda: (torch.ones(3),))


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_recompilation_serves_all_batch_sizes(backend):
    make = CASES["attention"][0]
    torch.manual_seed(0)
    model = make().eval()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    other = make().eval()
    other.load_state_dict(model.state_dict())
    twin = torch.optim.SGD(other.parameters(), lr=0.1)

    def step_of(model, opt):
        def step(ids, y):
            loss = model(ids, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            return loss, ids.shape[0] * 2

        return step

    eager, fast = step_of(model, opt), torch.compile(step_of(other, twin), backend=backend)
    for size in (3, 3, 5, 2, 7, 16):
        ids, y = torch.randint(0, 11, (size, 8)), torch.randint(0, 11, (size, 8))
        want, got = eager(ids, y), fast(ids, y)
        torch.testing.assert_close(want[0].detach(), got[0].detach(), atol=1e-5, rtol=1e-5)
        assert want[1] == got[1]
    assert len(fast.compiled.recompiles) == 1 and "shape is (5, 8), was (3, 8)" in fast.compiled.recompiles[0]
    ids = torch.randint(0, 11, (1, 8))
    torch.testing.assert_close(eager(ids, ids)[0].detach(), fast(ids, ids)[0].detach(), atol=1e-5, rtol=1e-5)


def test_branches_on_sizes_are_guarded():
    def fn(x):
        return x * 2 if x.shape[0] > 4 else x + 1

    fast = torch.compile(fn, backend="eager", dynamic=True)
    for n in (5, 6, 9, 4, 3, 2, 1, 8, 0):
        x = torch.randn(n, 27)
        assert torch.equal(fast(x), fn(x)), n
    assert len(fast.compiled.entries) <= 4


def test_sizes_that_do_not_fit_are_compiled_one_at_a_time():
    def fn(x):
        y = x
        for i in range(x.shape[0]):
            y = y + x[i]
        return y

    fast = torch.compile(fn, backend="eager")
    for n in (2, 3, 4, 2):
        x = torch.randn(n, n)
        assert torch.equal(fast(x), fn(x))
    assert fast.compiled.fixed_reason and len(fast.compiled.entries) == 3


def test_floats_that_change_are_read_at_run_time():
    fast = torch.compile(lambda x, t: (x * t + (1 - t)) if t < 0.5 else x - t, backend="eager")
    x = torch.ones(2)
    for t in (0.1, 0.2, 0.3, 0.7, 0.9, 0.4):
        want = (x * t + (1 - t)) if t < 0.5 else x - t
        assert torch.equal(fast(x, t), want)
    assert len(fast.compiled.entries) == 2


def test_schedules_of_betas_are_read_at_run_time():
    torch.manual_seed(0)
    w, v = (torch.ones(3, requires_grad=True) for _ in range(2))
    x = torch.randn(3)
    steps = []
    for p in (w, v):
        opt = torch.optim.Adam([p], lr=0.1)
        sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=20)

        def step(x, p=p, opt=opt):
            opt.zero_grad()
            (p * x).sum().square().backward()
            opt.step()

        steps.append((step, sched))
    fast = torch.compile(steps[1][0], backend="eager")
    for _ in range(15):
        steps[0][0](x)
        steps[0][1].step()
        fast(x)
        steps[1][1].step()
    torch.testing.assert_close(w, v)
    assert fast.compiled.compiled <= 2


def test_state_of_an_optimizer_that_is_loaded():
    torch.manual_seed(0)
    w = torch.ones(3, requires_grad=True)
    opt = torch.optim.Adam([w], lr=0.1)
    fast = torch.compile(lambda x: (opt.zero_grad(), (w * x).sum().backward(), opt.step())[0], backend="eager")
    x = torch.randn(3)
    for _ in range(3):
        fast(x)
    saved, at = opt.state_dict(), w.detach().clone()
    saved = {k: v for k, v in saved.items()}
    import copy

    saved = copy.deepcopy(saved)
    fast(x)
    want = w.detach().clone()
    opt.load_state_dict(saved)
    with torch.no_grad():
        w.copy_(at)
    fast(x)
    assert torch.equal(w, want)


def test_gradients_are_the_same_objects_while_nobody_else_holds_them():
    w = torch.ones(3, requires_grad=True)

    def fn(x):
        w.grad = None
        (x * w).sum().backward()

    fast = torch.compile(fn, backend="eager")
    for _ in range(4):
        fast(torch.ones(3))
    before = id(w.grad)
    fast(torch.ones(3))
    assert id(w.grad) == before
    held = w.grad
    fast(torch.zeros(3))
    assert w.grad is not held and held.tolist() == [1, 1, 1] and w.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_accumulated_gradients_need_two_programs(backend):
    def run(wrap):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        part = wrap(lambda x: net(x).square().mean().backward())
        out = []
        for step in range(12):
            part(torch.randn(5, 3))
            if step % 3 == 2:
                out.append([p.grad.sum().item() for p in net.parameters()])
                opt.step()
                opt.zero_grad()
        return out, part

    want, _ = run(lambda f: f)
    got, fast = run(lambda f: torch.compile(f, backend=backend))
    for a, b in zip(want, got, strict=True):
        assert a == pytest.approx(b, abs=1e-6)
    assert fast.compiled.compiled == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_batch_statistics_of_batches_that_vary(backend):
    def run(wrap):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 2))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)

        def step(x):
            opt.zero_grad()
            loss = net(x).square().sum() / x.shape[0]
            loss.backward()
            opt.step()
            return loss

        fn = wrap(step)
        return [fn(torch.randn(n, 1, 4, 4)).item() for n in (4, 4, 6, 3, 9, 2)], [b.tolist() for b in net.buffers()], fn

    want, got = run(lambda f: f), run(lambda f: torch.compile(f, backend=backend))
    assert want[0] == pytest.approx(got[0], abs=1e-5)
    for a, b in zip(want[1], got[1], strict=True):
        assert a == pytest.approx(b, abs=1e-5)
    assert got[2].compiled.compiled == 2


def test_steps_without_optimizer_state_are_compiled_once():
    def run(wrap):
        torch.manual_seed(0)
        net = nn.Linear(3, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)

        def step(x):
            opt.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            opt.step()
            return loss

        fn = wrap(step)
        return [fn(torch.randn(5, 3)).item() for _ in range(4)], fn

    want, got = run(lambda f: f), run(lambda f: torch.compile(f, backend="eager"))
    assert want[0] == pytest.approx(got[0], abs=1e-6)
    assert got[1].compiled.compiled == 1


def test_gradients_matter_only_to_those_who_look():
    net = nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    call, step = torch.compile(net, backend="eager"), torch.compile(lambda: opt.step(), backend="eager")
    for n in range(4):
        call(torch.ones(3, 2)).sum().backward()
        step()
        if n % 2:
            opt.zero_grad()
    assert call._call.compiled.compiled == 1
    net.bias.grad, net.weight.grad = None, torch.ones(1, 2)
    before = net.bias.tolist()
    step()
    assert net.bias.tolist() == before
