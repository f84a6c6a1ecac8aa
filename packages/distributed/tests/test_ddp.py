"""DistributedDataParallel against training in one process on the joined batch, with each of its options."""

from __future__ import annotations

import pytest
from ddp_models import GPT, Convnet, batches, fill, loss_of, quiet, reentrant
from harness import ranks

from lamella import distributed as dist, nn
from lamella.core import float32, float64
from lamella.distributed.algorithms.ddp_comm_hooks import default_hooks
from lamella.distributed.parallel import DistributedDataParallel as DDP
from lamella.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from lamella.optim import SGD
from lamella.torch.utils.checkpoint import checkpoint

pytestmark = pytest.mark.filterwarnings("ignore:find_unused_parameters=True")
PER_RANK = 2


def part(t):
    """This rank's part of a batch."""
    r = dist.get_rank()
    return t[r * PER_RANK : (r + 1) * PER_RANK]


def by_one(model, kind, steps, dtype):
    """Train on the joined batch in this process."""
    optimizer = SGD(model.parameters(), 0.05, momentum=0.9)
    for x, y in batches(kind, steps, PER_RANK * dist.get_world_size(), dtype=dtype):
        optimizer.zero_grad()
        loss_of(model(x), y).backward()
        optimizer.step()
    return model


def by_all(ddp, kind, steps, dtype, set_to_none=True, micro=1):
    """Train on this rank's parts."""
    optimizer = SGD(ddp.parameters(), 0.05, momentum=0.9)
    for x, y in batches(kind, steps, PER_RANK * dist.get_world_size(), dtype=dtype):
        optimizer.zero_grad(set_to_none=set_to_none)
        x, y = part(x), part(y)
        if micro == 1:
            loss_of(ddp(x), y).backward()
        else:
            with ddp.no_sync():
                (loss_of(ddp(x[:1]), y[:1]) / 2).backward()
            (loss_of(ddp(x[1:]), y[1:]) / 2).backward()
        optimizer.step()
    return ddp.module


def same(a, b, tolerance):
    for (name, p), q in zip(a.state_dict().items(), b.state_dict().values(), strict=True):
        worst = (p.double() - q.double()).abs().max().item()
        assert worst <= tolerance, f"{name} differs by {worst:g}"


def agrees(kind, steps, dtype=float32, tolerance=1e-6, around=None, hook=None, set_to_none=True, micro=1, **options):
    """Train both ways and compare; all ranks start with values of their own."""

    def make(seed):
        model = GPT(around=around) if kind == "gpt" else Convnet(
            dist.SyncBatchNorm if dist.get_world_size() > 1 else nn.BatchNorm2d)
        return fill(model, seed, dtype)

    one = GPT() if kind == "gpt" else Convnet()
    one = by_one(fill(one, 0, dtype), kind, steps, dtype)
    ddp = DDP(make(dist.get_rank()), **options)
    if hook is not None:
        ddp.register_comm_hook(None, hook)
    same(by_all(ddp, kind, steps, dtype, set_to_none, micro), one, tolerance)
    return ddp


def not_reentrant(block, x):
    return checkpoint(block, x, use_reentrant=False)


OPTIONS = {
    "plain": {},
    "small buckets": {"bucket_cap_mb": 0.002},
    "a list of sizes": {"bucket_cap_mb_list": [0.001, 0.003]},
    "views": {"gradient_as_bucket_view": True, "bucket_cap_mb": 0.004},
    "views, zeroed in place": {"gradient_as_bucket_view": True, "set_to_none": False},
    "zeroed in place": {"set_to_none": False, "bucket_cap_mb": 0.004},
    "static": {"static_graph": True, "bucket_cap_mb": 0.004},
    "static views": {"static_graph": True, "gradient_as_bucket_view": True},
    "accumulation": {"micro": 2},
    "accumulation, views": {"micro": 2, "gradient_as_bucket_view": True},
    "accumulation, static": {"micro": 2, "static_graph": True},
    "checkpoints": {"around": not_reentrant, "bucket_cap_mb": 0.004},
    "reentrant checkpoints": {"around": reentrant, "bucket_cap_mb": 0.004},
    "static reentrant checkpoints": {"around": reentrant, "static_graph": True, "bucket_cap_mb": 0.004},
    "a hook": {"hook": default_hooks.allreduce_hook, "bucket_cap_mb": 0.004},
    "a hook, views": {"hook": default_hooks.allreduce_hook, "gradient_as_bucket_view": True},
    "skip unused": {"skip_all_reduce_unused_params": True},
    "batched copies": {"batched_grad_copy": True},
}


@ranks(1, 2, 4)
def test_equals_one_process():
    for kind in ("gpt", "conv"):
        agrees(kind, 4, float64, 1e-12)


@ranks(2)
def test_options_change_nothing():
    for name, options in OPTIONS.items():
        try:
            agrees("gpt", 3, float64, 1e-12, **options)
        except Exception as e:
            e.add_note(f"with {name}")
            raise


@ranks(2)
def test_search_for_unused_changes_nothing():
    with quiet():
        for micro in (1, 2):
            agrees("gpt", 3, float64, 1e-12, find_unused_parameters=True, bucket_cap_mb=0.004, micro=micro)


@ranks(2, 4, slow=True)
def test_fifty_steps_with_every_option():
    with quiet():
        for options in (*OPTIONS.values(), {"find_unused_parameters": True}):
            agrees("gpt", 50, **options)
        for options in ({}, {"gradient_as_bucket_view": True}, {"static_graph": True}, {"bucket_cap_mb": 0.001}):
            agrees("conv", 50, **options)


@ranks(2)
def test_buckets_are_rebuilt_in_the_order_of_gradients():
    class Crossed(nn.Module):
        def __init__(self):
            super().__init__()
            self.last, self.first = nn.Linear(3, 3), nn.Linear(3, 3)

        def forward(self, x):
            return self.last(self.first(x))

    ddp = DDP(fill(Crossed()), bucket_cap_mb=1e-5)
    x = next(batches("conv", 1, 1))[0][:, :, 0, :3]
    assert len(ddp.reducer.buckets) == 1
    for _ in range(2):
        ddp(x).sum().backward()
    names = [[ddp.reducer.names[i][0] for i in b.members] for b in ddp.reducer.buckets]
    assert sorted(sum(names[:2], [])) == ["last.bias", "last.weight"], names
    assert sorted(sum(names[2:], [])) == ["first.bias", "first.weight"], names
    assert ddp._get_ddp_logging_data()["has_rebuilt_buckets"] == 1


@ranks(2)
def test_all_reduce_starts_while_backward_goes_on():
    ddp = DDP(fill(GPT(tied=False)), bucket_cap_mb=0.001)
    seen = []
    for x, y in batches("gpt", 2, 2):
        loss = loss_of(ddp(x), y)
        handle = ddp.module.token.weight.register_hook(lambda g: seen.append(ddp.reducer.next))
        loss.backward()
        handle.remove()
    assert seen[1] >= len(ddp.reducer.buckets) - 3 > 3, (seen, len(ddp.reducer.buckets))


@ranks(2)
def test_mixed_element_types():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

        def forward(self, x):
            return self.b(self.a(x).double()).sum()

    model = fill(Two(), dist.get_rank())
    model.b.to(float64)
    ddp = DDP(model)
    x = next(batches("conv", 1, 1))[0][0, 0, :2, :2] * (dist.get_rank() + 1)
    for _ in range(2):
        ddp.zero_grad()
        ddp(x).backward()
    assert {str(b.dtype) for b in ddp.reducer.buckets} == {"torch.float32", "torch.float64"}
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, [p.grad.tolist() for p in model.parameters()])
    assert all(e == every[0] for e in every)


@ranks(2)
def test_device_meshes():
    mesh = dist.init_device_mesh("cpu", (2,))
    agrees("gpt", 2, float64, 1e-12, device_mesh=mesh)
    with pytest.raises(RuntimeError, match="both process_group and device_mesh"):
        DDP(GPT(), process_group=dist.group.WORLD, device_mesh=mesh)


@ranks(4)
def test_tensor_parallelism_inside():
    mesh = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "tensor"))
    with pytest.raises(RuntimeError, match="1D device mesh"):
        DDP(GPT(), device_mesh=mesh)

    def mlp():
        return fill(nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4)), 3, float64)

    one, m = mlp(), mlp()
    parallelize_module(m, mesh["tensor"], {"0": ColwiseParallel(), "2": RowwiseParallel()})
    ddp = DDP(m, device_mesh=mesh["data"])
    optimizers = [SGD(p.parameters(), 0.1) for p in (one, ddp)]
    place = dist.get_rank() // 2
    for x, _ in batches("conv", 3, 4, dtype=float64):
        x = x[:, 0, 0]
        (one(x) ** 2).mean().backward()
        (ddp(x[2 * place : 2 * place + 2]) ** 2).mean().backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
        assert (one(x) - ddp(x)).abs().max().item() < 1e-12
