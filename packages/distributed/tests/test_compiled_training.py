"""Compiled data-parallel training: whole steps, and modules within DistributedDataParallel, give eager's numbers."""

import pytest
from harness import ranks

from lamella import distributed as dist, torch
from lamella.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from lamella.torch.distributed.fsdp import fully_shard
from lamella.torch.nn.parallel import DistributedDataParallel as DDP

nn, F = torch.nn, torch.nn.functional


def model_of(kind):
    generator = torch.Generator().manual_seed(0)
    if kind == "mlp":
        model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))
    else:
        model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(64, 3))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(0.3 * torch.randn(p.shape, generator=generator))
    return model


def batch_of(kind, step):
    generator = torch.Generator().manual_seed(100 * step + dist.get_rank())
    x = torch.randn((8, 6) if kind == "mlp" else (8, 1, 6, 6), generator=generator)
    return x, torch.randint(0, 3, (8,), generator=generator)


def trained(kind, optimizer_class, form, steps=6, fullgraph=True, **options):
    """The losses, parameters with buffers, and parameters after training, with a step in one of these forms."""
    model = model_of(kind)
    if form == "inner":
        model = DDP(torch.compile(model, fullgraph=fullgraph), **options)
    else:
        model = DDP(model, **options)
    called = torch.compile(model, fullgraph=fullgraph) if form == "outer" else model
    optimizer = optimizer_class(model.parameters(), lr=0.05)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(called(x), y)
        loss.backward()
        optimizer.step()
        return loss

    fn = torch.compile(step, fullgraph=fullgraph) if form == "step" else step
    losses = [fn(*batch_of(kind, n)).item() for n in range(steps)]
    return losses, [t.detach().clone() for t in model.state_dict().values()], list(model.parameters())


def captured():
    from lamella.compile import counters

    return counters["calls"]["captured"]


def check(kind, optimizer_class, form, **options):
    expected = trained(kind, optimizer_class, "eager", **options)
    before = captured()
    found = trained(kind, optimizer_class, form, **options)
    assert captured() > before
    assert found[0] == pytest.approx(expected[0], rel=1e-5, abs=1e-6)
    for a, b in zip(found[1], expected[1], strict=True):
        assert torch.allclose(a.double(), b.double(), rtol=1e-5, atol=1e-6)
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, [t.tolist() for t in found[2]])
    assert all(each == every[0] for each in every)  # buffers are sent before a forward


@ranks(2)
def test_a_whole_step():
    check("mlp", torch.optim.AdamW, "step")


@ranks(2, slow=True)
def test_a_whole_step_with_buffers_and_several_buckets():
    check("convnet", torch.optim.SGD, "step", bucket_cap_mb=0.0005)


@ranks(2, slow=True)
def test_the_module_inside():
    check("convnet", torch.optim.SGD, "inner")


@ranks(2)
def test_compiling_the_parallel_module_compiles_the_one_inside():
    check("mlp", torch.optim.AdamW, "outer")
    model = DDP(model_of("mlp"))
    compiled = torch.compile(model)
    assert compiled._orig_mod is model and not any("_orig_mod" in name for name in model.state_dict())


@ranks(2, slow=True)
def test_ranks_with_and_without_a_program_go_together():
    """A rank whose compiler is switched off sends the same messages."""
    expected = trained("convnet", torch.optim.SGD, "eager")
    form = "step" if dist.get_rank() == 0 else "eager"
    found = trained("convnet", torch.optim.SGD, form)
    assert found[0] == pytest.approx(expected[0], rel=1e-5, abs=1e-6)


class Noted(nn.Module):
    """A model with buffers of several types and layouts, one of them large."""

    def __init__(self):
        super().__init__()
        self.body = model_of("mlp")
        self.register_buffer("turned", torch.zeros(600, 500).t())
        self.register_buffer("seen", torch.zeros(3))
        self.register_buffer("steps", torch.zeros(2, dtype=torch.int64))

    def forward(self, x):
        return self.body(x) + self.turned[:3, 0] + self.seen + self.steps[0]


@ranks(2)
def test_buffers_travel_alike_with_and_without_a_program():
    rank = dist.get_rank()
    model = DDP(Noted())
    model.broadcast_bucket_size = 16

    def step(x):
        model(x).sum().backward()

    step(batch_of("mlp", 0)[0])  # buckets are built anew after it
    if rank == 0:
        step = torch.compile(step, fullgraph=True)
    for n in range(1, 5):
        for b in model.module.buffers():
            b.fill_(n + 10 * rank)
        step(batch_of("mlp", n)[0])
        assert all(b.eq(n).all() for b in model.module.buffers())


@ranks(2)
def test_accumulated_gradients_travel_once():
    def run(compile_it):
        model = DDP(model_of("mlp"))

        def backward(x, y):
            F.cross_entropy(model(x), y).backward()

        fn = torch.compile(backward, fullgraph=True) if compile_it else backward
        found = []
        for n in range(3):
            model.zero_grad()
            with model.no_sync():
                fn(*batch_of("mlp", 2 * n))
            found.append([p.grad.tolist() for p in model.parameters()])
            fn(*batch_of("mlp", 2 * n + 1))
            found.append([p.grad.tolist() for p in model.parameters()])
        return [torch.cat([torch.tensor(g).reshape(-1) for g in each]) for each in found]

    for a, b in zip(run(True), run(False), strict=True):
        assert torch.allclose(a, b, atol=1e-6)


class Pick(nn.Module):
    """A model that uses one of its layers."""

    def __init__(self):
        super().__init__()
        self.used, self.left = model_of("mlp"), nn.Linear(2, 2)

    def forward(self, x):
        return self.used(x)


def refused(reason, model, with_backward=True):
    """A step runs uncompiled, or raises where it must be one program; gradients are averaged all the same."""

    def step(x, y):
        loss = F.cross_entropy(model(x), y)
        if with_backward:
            loss.backward()
        return loss

    x, y = batch_of("mlp", 0)
    with pytest.raises(RuntimeError, match=reason):
        torch.compile(step, fullgraph=True)(x, y)
    loss = torch.compile(step)(x, y)
    if not with_backward:
        loss.backward()
    twin = model_of("mlp")
    F.cross_entropy(twin(x), y).backward()
    found = [p.grad for p in model.parameters() if p.grad is not None]
    for grad, q in zip(found, twin.parameters(), strict=True):
        mean = q.grad.clone()
        dist.all_reduce(mean, dist.ReduceOp.AVG)
        assert torch.allclose(grad, mean, atol=1e-6)


@ranks(2)
def test_what_a_program_cannot_do_runs_uncompiled_and_says_why():
    refused("has find_unused_parameters", DDP(Pick(), find_unused_parameters=True))
    hooked = DDP(model_of("mlp"))
    hooked.register_comm_hook(None, allreduce_hook)
    refused("has a communication hook", hooked)
    refused("backward of a DistributedDataParallel is not part", DDP(model_of("mlp")), with_backward=False)


@ranks(2, slow=True)
def test_sharded_modules_run_uncompiled():
    def run(compile_it):
        model = model_of("mlp")
        fully_shard(model[0])
        fully_shard(model)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

        def step(x, y):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            return loss

        if compile_it:
            with pytest.raises(RuntimeError, match="gathers its parameters"):
                torch.compile(lambda x: model(x).sum(), fullgraph=True)(batch_of("mlp", 0)[0])
            step = torch.compile(step)
        return [step(*batch_of("mlp", n)).item() for n in range(4)]

    assert run(True) == run(False)


@ranks(2)
def test_a_parameter_without_gradient_is_named():
    model = DDP(Pick())

    @torch.compile
    def step(x):
        model(x).sum().backward()

    step(torch.ones(1, 6))
    with pytest.raises(RuntimeError, match="left.weight"):
        step(torch.ones(1, 6))
