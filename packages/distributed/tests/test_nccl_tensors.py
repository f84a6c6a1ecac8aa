"""Distributed tensors, tensor parallelism and pipelines on GPUs."""

from __future__ import annotations

import copy
import itertools

from nccl_ranks import cp, gpus, me  # noqa: F401 - a fixture
from test_pipelining import WIDTH, data, layers
from test_tensor_parallel import BLOCK_PLAN, Block, filled, whole

from lamella import core, distributed as dist, optim
from lamella.distributed.device_mesh import init_device_mesh
from lamella.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe, ScheduleInterleaved1F1B
from lamella.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor, rand
from lamella.distributed.tensor.parallel import parallelize_module
from lamella.nn import functional as F


def close(a, b):
    a, b = (t.full_tensor() if isinstance(t, DTensor) else t for t in (a, b))
    worst = (a.detach().cpu() - b.detach().cpu()).abs().max().item()
    assert a.shape == b.shape and worst < 1e-6, worst


def here(x):
    return x.to("cuda")


@gpus(1, 2)
def test_transitions():
    mesh = init_device_mesh("cuda", (me()[1],))
    x = whole(5, 3)
    for a, b in itertools.product([Replicate(), Shard(0), Shard(1)], repeat=2):
        d = distribute_tensor(here(x), mesh, [a]).redistribute(placements=[b])
        assert d.is_cuda and d.to_local().is_cuda and d.placements == (b,)
        close(d, x)
    d = DTensor.from_local(here(x), mesh, [Partial("avg")])
    close(d.redistribute(placements=[Shard(0)]), x)
    y = rand(4, 2, device_mesh=mesh, placements=[Shard(0)])
    assert y.is_cuda and 0 <= y.sum().item() <= 8


@gpus(1, 2)
def test_tensor_parallel_block():
    mesh = init_device_mesh("cuda", (me()[1],))
    plain = filled(Block()).cuda()
    model = parallelize_module(copy.deepcopy(plain), mesh, BLOCK_PLAN)
    opts = [optim.AdamW(m.parameters(), lr=1e-2) for m in (model, plain)]
    for i in range(3):
        x = here(whole(2, 4, 8, seed=i))
        for m, o in zip((model, plain), opts):
            o.zero_grad()
            (m(x) ** 2).mean().backward()
            o.step()
    for p, q in zip(model.parameters(), plain.parameters()):
        close(p.grad, q.grad)
        close(p, q)


@gpus(1, 2, 4)
def test_pipelines():
    rank, world = me()
    for kind, each in ((Schedule1F1B, 1), (ScheduleGPipe, 1), (ScheduleInterleaved1F1B, 2)):
        total = world * each
        plain = layers(total).cuda()
        stages = [PipelineStage(copy.deepcopy(plain[i]), i, total, "cuda") for i in range(rank, total, world)]
        schedule = kind(stages if each > 1 else stages[0], 4, F.mse_loss)
        last = any(s.is_last for s in stages)
        x, y = here(data(8, WIDTH)), here(data(8, WIDTH, seed=1))
        for _ in range(2):
            plain.zero_grad()
            for s in stages:
                s.submod.zero_grad()
            out = schedule.step(*([x] if rank == 0 else []), target=y if last else None)
            F.mse_loss(plain(x), y).backward()
        if last:
            close(out, plain(x))
        for s in stages:
            for p, q in zip(s.submod.parameters(), plain[s.stage_index].parameters()):
                close(p.grad, q.grad)
        dist.barrier()
    assert core.get_default_dtype() is core.float32
