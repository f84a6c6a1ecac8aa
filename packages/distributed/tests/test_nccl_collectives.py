"""torch.distributed's functions on tensors on GPUs, over NCCL: the same on the stand-in and on real GPUs."""

from __future__ import annotations

import pytest
from nccl_ranks import REAL, carrier, cp, gpus, late, me, run, standin_only  # noqa: F401 - a fixture

from lamella import distributed as dist
from lamella.core import arange, bfloat16, complex64, float32, full, int64, tensor, zeros


def _mine(*shape, dtype=float32):
    return full(shape, me()[0] + 1, dtype=dtype, device="cuda")


@gpus(1, 2, 4)
def test_all_reduce_and_reduce():
    rank, size = me()
    total = size * (size + 1) // 2
    for dtype in (float32, int64, bfloat16, complex64):
        t = _mine(2, 3, dtype=dtype)
        dist.all_reduce(t)
        assert t.tolist() == [[total] * 3] * 2 and t.is_cuda and t.dtype is dtype
    t = _mine(3)
    dist.all_reduce(t, dist.ReduceOp.AVG)
    assert t.tolist() == [total / size] * 3
    t = _mine(3)
    dist.reduce(t, size - 1)
    assert rank < size - 1 or t.tolist() == [total] * 3


@gpus(2)
def test_tensors_that_do_not_lie_in_one_piece():
    rank, size = me()
    whole = zeros(4, 6, device="cuda")
    part = whole.t()[1:4]
    late(lambda: whole.fill_(rank + 1))
    work = dist.all_reduce(part, async_op=True)
    work.wait()
    assert part.tolist() == [[3.0] * 4] * 3
    assert whole.tolist() == [[rank + 1.0, 3.0, 3.0, 3.0, rank + 1.0, rank + 1.0]] * 4
    rows = [zeros(3, 2, device="cuda").t() for _ in range(size)]
    dist.all_gather(rows, _mine(2, 3))
    assert [r.tolist() for r in rows] == [[[r + 1.0] * 3] * 2 for r in range(size)]


@gpus(1, 2, 4)
def test_gathers_and_scatters():
    rank, size = me()
    out = zeros(2 * size, device="cuda")
    dist.all_gather_into_tensor(out, _mine(2))
    assert out.tolist() == [float(r + 1) for r in range(size) for _ in range(2)]
    part = zeros(2, device="cuda")
    dist.reduce_scatter_tensor(part, arange(2.0 * size, device="cuda") + rank)
    assert part.tolist() == [size * (2 * rank + k) + size * (size - 1) / 2 for k in range(2)]
    dist.scatter(part, [full((2,), 10.0 + r, device="cuda") for r in range(size)] if rank == 0 else None, 0)
    assert part.tolist() == [10.0 + rank] * 2
    every = [zeros(2, device="cuda") for _ in range(size)] if rank == 0 else None
    dist.gather(part, every, 0)
    assert rank or [t.tolist() for t in every] == [[10.0 + r] * 2 for r in range(size)]
    dist.broadcast(part, size - 1)
    assert part.tolist() == [9.0 + size] * 2
    outs = [zeros(1, device="cuda") for _ in range(size)]
    dist.all_to_all(outs, [tensor([10.0 * rank + s], device="cuda") for s in range(size)])
    assert [t.item() for t in outs] == [10.0 * s + rank for s in range(size)]


@gpus(2, 4)
def test_messages():
    rank, size = me()
    a, b = _mine(3), zeros(3, device="cuda")
    if rank == 0:
        dist.send(a, 1)
    elif rank == 1:
        assert dist.recv(b, 0) == 0 and b.tolist() == [1.0] * 3
    works = dist.batch_isend_irecv([
        dist.P2POp(dist.isend, a, (rank + 1) % size), dist.P2POp(dist.irecv, b, (rank - 1) % size)
    ])  # fmt: skip
    for work in works:
        work.wait()
    assert b.tolist() == [(rank - 1) % size + 1.0] * 3


@gpus(2)
def test_futures_run_their_callbacks_after_the_collective():
    rank, size = me()
    t = zeros(4, device="cuda")
    late(lambda: t.fill_(rank + 1))
    work = dist.all_reduce(t, async_op=True)
    halved = work.get_future().then(lambda f: f.value()[0] / 2)
    assert halved.wait().tolist() == [1.5] * 4


@gpus(2)
def test_objects_and_barriers():
    rank, size = me()
    found = [None] * size
    dist.all_gather_object(found, {"rank": rank})
    assert found == [{"rank": r} for r in range(size)]
    dist.barrier()


@gpus(2)
def test_tensors_on_the_cpu_are_refused_where_nothing_carries_them():
    with pytest.raises(RuntimeError, match="no backend for tensors on cpu"):
        dist.all_reduce(zeros(3))


def test_a_backend_for_each_device(cp):  # noqa: F811
    def both():
        rank, size = me()
        on_cpu, on_gpu = tensor([rank + 1.0]), _mine(1)
        dist.all_reduce(on_cpu)
        dist.all_reduce(on_gpu)
        return on_cpu.tolist(), on_gpu.tolist(), dist.get_backend_config()

    assert run(2, both, backend="cpu:threads,cuda:nccl") == [([3.0], [3.0], "cpu:threads,cuda:nccl")] * 2


@gpus(2)
def test_collectives_go_to_the_tensors_gpu_whichever_is_current(cp):  # noqa: F811
    rank, size = me()
    t = _mine(3)
    with cp.cuda.Device(1 - rank):
        dist.all_reduce(t)
    assert t.tolist() == [3.0] * 3 and list(carrier()._comms) == [f"cuda:{rank}"]


@standin_only
def test_the_default_backend_is_nccl_on_gpus(cp):  # noqa: F811
    from lamella.distributed.init import _per_device

    assert _per_device(None, False) == {"cpu": "mpi", "cuda": "nccl"}
    assert dist.is_nccl_available() and dist.is_backend_available("nccl")


def test_a_model_trains_on_two_gpus_as_on_one(cp):  # noqa: F811
    """Data-parallel training by hand: gradients of halves of the batch, averaged, are those of the whole."""
    from lamella import torch

    def trained(parallel):
        rank, size = me() if parallel else (0, 1)
        torch.manual_seed(0) if rank == 0 else None
        weight = torch.arange(12.0, device="cuda").reshape(3, 4).div_(12).requires_grad_()
        x = torch.arange(32.0, device="cuda").reshape(8, 4).div_(32)
        y = x.flip(0)[:, :3]
        for _ in range(5):
            loss = ((x[rank::size] @ weight.t() - y[rank::size]) ** 2).mean()
            [grad] = torch.autograd.grad(loss, [weight])
            if parallel:
                dist.all_reduce(grad, dist.ReduceOp.AVG)
            with torch.no_grad():
                weight -= 0.1 * grad
        return weight.detach().cpu()

    want = run(1, lambda: trained(False))[0]
    for got in run(2, lambda: trained(True)):
        assert torch.allclose(got, want, atol=1e-6)


@gpus(1, 2)
def test_sums_of_multiples():
    rank, size = me()
    t = _mine(3)
    dist.all_reduce(t, dist._make_nccl_premul_sum(0.5))
    assert t.tolist() == [size * (size + 1) / 4] * 3
