"""What is built on collectives, on GPUs: parallel training equals training in one process on the joined batch."""

from __future__ import annotations

from ddp_models import VOCABULARY, Block, batches, fill, loss_of
from nccl_ranks import cp, gpus, me, run  # noqa: F401 - a fixture

from lamella import distributed as dist, nn
from lamella.core import arange, bfloat16
from lamella.distributed.algorithms.ddp_comm_hooks import default_hooks
from lamella.distributed.fsdp import FullyShardedDataParallel as FSDP, MixedPrecision, fully_shard
from lamella.distributed.fsdp.wrap import ModuleWrapPolicy
from lamella.distributed.optim import ZeroRedundancyOptimizer
from lamella.distributed.parallel import DistributedDataParallel as DDP
from lamella.optim import SGD

STEPS, PER_RANK = 3, 2


def _trained(model, part=slice(None), optimizer=None):
    """A model after a few steps on part of each batch."""
    optimizer = optimizer or SGD(model.parameters(), 0.05, momentum=0.9)
    for x, y in batches("gpt", STEPS, PER_RANK * dist.get_world_size()):
        optimizer.zero_grad()
        loss_of(model(x[part].cuda()), y[part].cuda()).backward()
        optimizer.step()
    return model


def _mine():
    rank, _ = me()
    return slice(rank * PER_RANK, (rank + 1) * PER_RANK)


def _model(seed=0):
    return fill(nn.Sequential(nn.Embedding(VOCABULARY, 16), Block(16, 2), nn.Linear(16, VOCABULARY)), seed).cuda()


def _same(got, want, tolerance=1e-5):
    for (name, p), q in zip(got.state_dict().items(), want.state_dict().values(), strict=True):
        worst = (p.double() - q.double()).abs().max().item()
        assert worst <= tolerance, f"{name} differs by {worst:g}"


@gpus(1, 2)
def test_ddp():
    ddp = DDP(_model(me()[0]), bucket_cap_mb=0.01)  # the ranks begin with values of their own: rank 0's are taken
    _same(_trained(ddp, _mine()).module, _trained(_model()))


@gpus(2)
def test_ddp_with_a_hook_that_halves_the_bytes():
    ddp = DDP(_model(), bucket_cap_mb=0.01, gradient_as_bucket_view=True)
    ddp.register_comm_hook(None, default_hooks.bf16_compress_hook)
    _same(_trained(ddp, _mine()).module, _trained(_model()), 2e-2)


@gpus(1, 2)
def test_fsdp():
    model = FSDP(_model(), auto_wrap_policy=ModuleWrapPolicy({Block}))
    _same(_trained(model, _mine()), _trained(_model()))


@gpus(2)
def test_fsdp_with_the_parameters_as_they_were_and_less_precision_in_communication():
    policy = MixedPrecision(reduce_dtype=bfloat16)
    model = FSDP(_model(), auto_wrap_policy=ModuleWrapPolicy({Block}), use_orig_params=True, mixed_precision=policy)
    _same(_trained(model, _mine()), _trained(_model()), 2e-2)


@gpus(2)
def test_fully_shard():
    model = _model()
    fully_shard(model[1])
    fully_shard(model)
    _trained(model, _mine())
    want = dict(_trained(_model()).named_parameters())
    for name, p in model.named_parameters():
        assert (p.full_tensor() - want[name]).abs().max().item() < 1e-5, name


@gpus(2)
def test_zero():
    ddp = DDP(_model())
    optimizer = ZeroRedundancyOptimizer(ddp.parameters(), SGD, lr=0.05, momentum=0.9)
    _same(_trained(ddp, _mine(), optimizer).module, _trained(_model()))


@gpus(2)
def test_sync_batch_norm():
    norm = dist.SyncBatchNorm.convert_sync_batchnorm(fill(nn.BatchNorm1d(4)).cuda())
    alone = fill(nn.BatchNorm1d(4)).cuda()
    x = arange(32.0, device="cuda").reshape(8, 4) ** 2
    assert (norm(x[me()[0] :: 2]) - alone(x)[me()[0] :: 2]).abs().max().item() < 1e-5
