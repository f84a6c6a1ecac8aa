"""Pipelines: stages on several ranks learn what the whole model does."""

import copy

import pytest
from harness import ranks

from lamella import core, distributed as dist, nn, optim
from lamella.autograd import is_grad_enabled, no_grad
from lamella.distributed.device_mesh import init_device_mesh
from lamella.distributed.pipelining import (
    PipelineStage,
    Schedule1F1B,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ScheduleLoopedBFS,
    SplitPoint,
    TensorChunkSpec,
    get_schedule_class,
    merge_chunks,
    pipeline,
    split_args_kwargs_into_chunks,
)
from lamella.distributed.pipelining.microbatch import _CustomReducer, _Replicate
from lamella.distributed.pipelining.plan import Action, with_messages
from lamella.nn import functional as F

WIDTH = 6


def data(*shape, seed=0):
    return core.randn(shape, dtype=core.float64, generator=core.Generator().manual_seed(seed))


def layers(n):
    """The same layers on every rank."""
    made = nn.Sequential(*[nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh()) for _ in range(n)]).double()
    with no_grad():
        for i, p in enumerate(made.parameters()):
            p.copy_(data(*p.shape, seed=50 + i) * 0.4)
    return made


def close(a, b, tolerance=1e-6):
    assert a.shape == b.shape and core.allclose(a.detach(), b.detach(), rtol=tolerance, atol=tolerance)


def learn(make_schedule, stages_per_rank=1, steps=50, n=8, batch=8):
    """A pipeline and the whole model: losses, outputs, gradients and parameters stay the same."""
    rank, world = dist.get_rank(), dist.get_world_size()
    total = world * stages_per_rank
    plain = layers(total)
    mine = [PipelineStage(copy.deepcopy(plain[i]), i, total, "cpu") for i in range(rank, total, world)]
    schedule = make_schedule(mine if stages_per_rank > 1 else mine[0], n, F.mse_loss)
    opts = [optim.AdamW([p for s in mine for p in s.submod.parameters()], lr=1e-2),
            optim.AdamW(plain.parameters(), lr=1e-2)]
    last = any(s.is_last for s in mine)
    for i in range(steps):
        x, y = data(batch, WIDTH, seed=i), data(batch, WIDTH, seed=1000 + i)
        for o in opts:
            o.zero_grad()
        losses = []
        out = schedule.step(*([x] if rank == 0 else []), target=y if last else None, losses=losses)
        expected = plain(x)
        loss = F.mse_loss(expected, y)
        loss.backward()
        if last:
            close(out, expected)
            assert len(losses) == n and abs(sum(v.item() for v in losses) / n - loss.item()) < 1e-6
        else:
            assert out is None and losses == []
        for s in mine:
            for p, q in zip(s.submod.parameters(), plain[s.stage_index].parameters()):
                close(p.grad, q.grad)
        for o in opts:
            o.step()
    for s in mine:
        for p, q in zip(s.submod.parameters(), plain[s.stage_index].parameters()):
            close(p, q)
        assert not s.fwd_cache and not s.bwd_cache
    return schedule


@ranks(2, 4)
def test_one_stage_on_each_rank():
    learn(ScheduleGPipe, steps=4)
    learn(Schedule1F1B, steps=4)


@ranks(2, 4, slow=True)
def test_fifty_steps():
    learn(ScheduleGPipe)
    learn(Schedule1F1B)
    learn(ScheduleInterleaved1F1B, 2)


@ranks(2, 4)
def test_several_stages_on_each_rank():
    learn(ScheduleInterleaved1F1B, 2, steps=3)
    learn(ScheduleLoopedBFS, 2, steps=3)
    learn(ScheduleInterleaved1F1B, 3, steps=2, n=2 * dist.get_world_size())


def test_plans_are_one_order():
    """Between each two ranks messages are begun in one order on both sides, whatever the schedule."""
    for kind, each in ((Schedule1F1B, 1), (ScheduleGPipe, 1), (ScheduleInterleaved1F1B, 2), (ScheduleLoopedBFS, 3)):
        for world in (1, 2, 3, 4):
            n, total = 2 * world, world * each
            made = kind.__new__(kind)
            made._n_microbatches, made._num_stages, made.pp_group_size = n, total, world
            made.n_local_stages = made._per_round = each
            made._per_round = n // max(1, n // world)
            where = {i: i % world for i in range(total)}
            steps = with_messages(made.pipeline_order, where)
            seen = {}
            for rank, mine in steps.items():
                assert len([a for a in mine if a.computation_type in "FB"]) == 2 * n * each
                for stage, what, mb in mine:
                    if "_" in what:
                        other = stage + (1 if (what[0] == "S") == (what[-1] == "F") else -1)
                        into = other if what[0] == "S" else stage
                        seen.setdefault((rank, where[other]), []).append((into, what[-1], mb))
            for (a, b), messages in seen.items():
                assert messages == seen[b, a]
    with pytest.raises(RuntimeError, match="ranks wait for each other"):
        with_messages({0: [Action(0, "B", 0)], 1: [Action(1, "F", 0)]}, {0: 0, 1: 1})


@ranks(2, 4)
def test_how_many_activations_are_held():
    rank, world = dist.get_rank(), dist.get_world_size()
    held = {}
    for kind in (Schedule1F1B, ScheduleGPipe):
        stage = PipelineStage(layers(world)[rank], rank, world, "cpu")
        seen, forward = [], stage.forward_one_chunk

        def counted(*args, forward=forward, seen=seen, stage=stage, **kwargs):
            out = forward(*args, **kwargs)
            seen.append(len(stage.fwd_cache))
            return out

        stage.forward_one_chunk = counted
        schedule = kind(stage, 8, F.mse_loss)
        schedule.step(*([data(8, WIDTH)] if rank == 0 else []), target=data(8, WIDTH) if stage.is_last else None)
        held[kind] = max(seen)
    assert held == {Schedule1F1B: world - rank, ScheduleGPipe: 8}


@ranks(2)
def test_shapes_types_and_several_tensors():
    """Tensors of other types go along, batches may change their size, and arguments are named."""
    rank = dist.get_rank()

    class First(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Linear(3, 4).double()

        def forward(self, x, ids):
            return self.w(x), ids, x.float()

    class Second(nn.Module):
        def forward(self, h, ids, f, *, scale=1.0):
            assert ids.dtype is core.int64 and f.dtype is core.float32 and not f.requires_grad
            assert h.requires_grad or not is_grad_enabled()
            return h * ids.unsqueeze(1) * scale

    stage = PipelineStage(First() if rank == 0 else Second(), rank, 2, "cpu")
    schedule = Schedule1F1B(stage, 2, lambda out, y: ((out - y) ** 2).sum(), scale_grads=False)
    for batch in (4, 2, 6):
        x, ids = data(batch, 3), core.arange(batch)
        out = schedule.step(x, ids) if rank == 0 else schedule.step(target=data(batch, 4), scale=2.0)
        if rank == 0:
            assert stage.submod.w.weight.grad is not None
        else:
            assert out.shape == (batch, 4)
    with no_grad():
        out = schedule.eval(data(4, 3), core.arange(4)) if rank == 0 else schedule.eval()
    assert out is None if rank == 0 else out.shape == (4, 4)


@ranks(2)
def test_sums_are_not_scaled():
    rank = dist.get_rank()
    plain = layers(2)
    stage = PipelineStage(copy.deepcopy(plain[rank]), rank, 2, "cpu")
    schedule = ScheduleGPipe(stage, 4, lambda out, y: ((out - y) ** 2).sum(), scale_grads=False)
    x, y = data(8, WIDTH), data(8, WIDTH, seed=1)
    schedule.step(x) if rank == 0 else schedule.step(target=y, return_outputs=False)
    ((plain(x) - y) ** 2).sum().backward()
    for p, q in zip(stage.submod.parameters(), plain[rank].parameters()):
        close(p.grad, q.grad)


@ranks(4)
def test_replicas_of_a_pipeline():
    """Two pipelines of two stages; DistributedDataParallel averages each stage's gradients over both."""
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "pp"))
    replica, rank = mesh["dp"].get_local_rank(), mesh["pp"].get_local_rank()
    plain = layers(2)
    wrapped = dist.DistributedDataParallel(copy.deepcopy(plain[rank]), process_group=mesh.get_group("dp"))
    stage = PipelineStage(wrapped, rank, 2, "cpu", group=mesh.get_group("pp"))
    schedule = Schedule1F1B(stage, 4, F.mse_loss)
    opts = [optim.SGD(m.parameters(), lr=0.1) for m in (wrapped, plain)]
    for i in range(4):
        x, y = data(16, WIDTH, seed=i), data(16, WIDTH, seed=100 + i)
        for o in opts:
            o.zero_grad()
        part, target = x.chunk(2)[replica], y.chunk(2)[replica]
        schedule.step(part) if rank == 0 else schedule.step(target=target)
        F.mse_loss(plain(x), y).backward()
        for o in opts:
            o.step()
    for p, q in zip(wrapped.parameters(), plain[rank].parameters()):
        close(p, q)


@ranks(2)
def test_pipeline_of_a_sequential():
    rank = dist.get_rank()
    model = layers(4)
    pipe = pipeline(model, split_spec={"1.1": SplitPoint.BEGINNING})
    assert pipe.num_stages == 2
    names = [n for i in range(2) for n, _ in pipe.get_stage_module(i).named_parameters()]
    assert names == [n for n, _ in model.named_parameters()]
    schedule = ScheduleGPipe(pipe.build_stage(rank, "cpu"), 2)
    x = data(4, WIDTH)
    out = schedule.step(x) if rank == 0 else schedule.step()
    if rank == 1:
        close(out, model(x))
    assert pipeline(model, split_policy=lambda m: {"0": SplitPoint.END, "2": SplitPoint.BEGINNING}).num_stages == 3
    with pytest.raises(ValueError, match="there is no submodule '9'"):
        pipeline(model, split_spec={"9": SplitPoint.END})
    with pytest.raises(TypeError, match="no Sequential"):
        pipeline(nn.Linear(2, 2), split_spec={"weight": SplitPoint.END})


def test_microbatches():
    x, mask = core.arange(6).reshape(3, 2), core.ones(2)
    args, kwargs = split_args_kwargs_into_chunks((x, 5), {"m": mask, "d": {"x": x}}, 2, None, {"m": _Replicate()})
    assert [a[0].tolist() for a in args] == [[[0, 1], [2, 3]], [[4, 5]]] and [a[1] for a in args] == [5, 5]
    assert kwargs[0]["m"] is mask and kwargs[1]["d"]["x"].tolist() == [[4, 5]]
    args, _ = split_args_kwargs_into_chunks((x,), None, 2, TensorChunkSpec.from_tuple((1,)))
    assert args[1][0].tolist() == [[1], [3], [5]]
    assert merge_chunks([a[0] for a in args], TensorChunkSpec(1)).tolist() == x.tolist()
    merged = merge_chunks([(x, core.tensor(1.0)), (x, core.tensor(2.0))],
                          (TensorChunkSpec(0), _CustomReducer(0.0, lambda a, b: a + b)))
    assert merged[0].shape == (6, 2) and merged[1].item() == 3
    with pytest.raises(AssertionError, match="too small along dimension 0 for 4 microbatches"):
        split_args_kwargs_into_chunks((x,), None, 4)
    assert str(TensorChunkSpec(1)) == "TensorChunkSpec(1)"


@ranks(2)
def test_errors():
    rank = dist.get_rank()
    stage = PipelineStage(nn.Linear(2, 2), rank, 2, "cpu")
    with pytest.raises(ValueError, match="Stage index 2 is out of range of 2"):
        PipelineStage(nn.Linear(2, 2), 2, 2, "cpu")
    with pytest.raises(ValueError, match="cannot be larger than number of stages"):
        PipelineStage(nn.Linear(2, 2), 0, 1, "cpu")
    with pytest.raises(ValueError, match="each rank runs one stage"):
        ScheduleGPipe(PipelineStage(nn.Linear(2, 2), rank, 4, "cpu"), 2)
    with pytest.raises(ValueError, match=r"runs the stages \[.*\], as many as other ranks"):
        ScheduleInterleaved1F1B([PipelineStage(nn.Linear(2, 2), 1 - rank, 2, "cpu")], 2)
    with pytest.raises(RuntimeError, match="call eval"), no_grad():
        ScheduleGPipe(stage, 2, F.mse_loss).step(core.ones(2, 2))
    assert get_schedule_class("interleaved1f1b") is ScheduleInterleaved1F1B
    with pytest.raises(ValueError, match="Unknown schedule name 'GPip'.*\n.*GPipe"):
        get_schedule_class("GPip")
    if rank == 0:
        with pytest.raises(RuntimeError, match="mat1 and mat2") as caught:
            stage.forward_one_chunk(3, (core.ones(2, 5),))
        assert "in forward of microbatch 3 of pipeline stage 0" in caught.value.__notes__[0]
        uneven = PipelineStage(nn.Identity(), 0, 2, "cpu")
        uneven.forward_one_chunk(0, (core.ones(2, 2),))
        with pytest.raises(RuntimeError, match="must have one shape, but microbatch 1"):
            uneven.forward_one_chunk(1, (core.ones(1, 2),))
