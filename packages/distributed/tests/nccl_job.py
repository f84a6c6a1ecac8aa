"""What each rank of a job on GPUs runs: `mpiexec -n 2 python nccl_job.py`, a GPU for each rank (--device cpu: none).

Prints one line on rank 0; the exit status is not 0 where something is wrong. tools/bench/gpu.py starts it.
"""

from __future__ import annotations

import argparse
import sys
from datetime import timedelta

from lamella import torch
from lamella.torch import distributed as dist
from lamella.torch.nn.parallel import DistributedDataParallel


def collectives(device: str) -> None:
    rank, size = dist.get_rank(), dist.get_world_size()
    t = torch.full((1000,), rank + 1.0, device=device)
    dist.all_reduce(t)
    assert t.tolist() == [size * (size + 1) / 2] * 1000
    out = torch.zeros(3 * size, device=device, dtype=torch.bfloat16)
    dist.all_gather_into_tensor(out, torch.full((3,), float(rank), device=device, dtype=torch.bfloat16))
    assert out.tolist() == [float(r) for r in range(size) for _ in range(3)]
    if size > 1:
        a, b = torch.full((4,), float(rank), device=device), torch.zeros(4, device=device)
        ring = [dist.P2POp(dist.isend, a, (rank + 1) % size), dist.P2POp(dist.irecv, b, (rank - 1) % size)]
        for work in dist.batch_isend_irecv(ring):
            work.wait()
        assert b.tolist() == [float((rank - 1) % size)] * 4
    found = [None] * size
    dist.all_gather_object(found, rank)
    assert found == list(range(size))
    half = dist.new_group(list(range(0, size, 2)))
    if rank % 2 == 0:
        t = torch.ones(2, device=device)
        dist.all_reduce(t, group=half)
        assert t.tolist() == [(size + 1) // 2] * 2
    dist.barrier()


def training(device: str) -> None:
    """Data-parallel steps against steps on the joined batch."""
    rank, size = dist.get_rank(), dist.get_world_size()

    def model():
        torch.manual_seed(0)
        layers = torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)
        return torch.nn.Sequential(*layers).to(device)

    torch.manual_seed(1)
    x, y = torch.randn(4 * size, 8).to(device), torch.randn(4 * size, 4).to(device)
    mine = slice(4 * rank, 4 * rank + 4)
    ddp, alone = DistributedDataParallel(model(), bucket_cap_mb=0.001), model()
    for net, part in ((ddp, mine), (alone, slice(None))):
        optimizer = torch.optim.SGD(net.parameters(), 0.1)
        for _ in range(5):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x[part]), y[part]).backward()
            optimizer.step()
    for p, q in zip(ddp.module.parameters(), alone.parameters(), strict=True):
        assert torch.allclose(p, q, atol=1e-6)


def absence(device: str) -> None:
    """A collective to which the others do not come is an error in time."""
    group = dist.new_group(timeout=timedelta(seconds=3))
    t = torch.ones(2, device=device)
    dist.all_reduce(t, group=group)
    if dist.get_rank() == 0:
        try:
            dist.all_reduce(t, group=group, async_op=True).wait(timedelta(seconds=1))
        except RuntimeError as error:
            assert "all_reduce" in str(error), error
        else:
            raise AssertionError("a collective ended without the others")
    dist.barrier()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    device = parser.parse_args().device
    dist.init_process_group("cpu:mpi,cuda:nccl" if device == "cuda" else "mpi", timeout=timedelta(seconds=60))
    if device == "cuda":
        device = f"cuda:{dist.get_node_local_rank(0)}"
        torch.cuda.set_device(device)
    collectives(device)
    training(device)
    if device != "cpu" and dist.get_world_size() > 1:
        absence(device)
    if dist.get_rank() == 0:
        print(f"ok: {dist.get_world_size()} ranks, {dist.get_backend_config()}, {device}")
    dist.destroy_process_group()
    return 0


if __name__ == "__main__":
    sys.exit(main())
