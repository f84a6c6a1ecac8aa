"""What the backend nccl shares with the CPU's backends: how ranks agree over them, and PREMUL_SUM."""

from __future__ import annotations

import pytest
from harness import ranks

from lamella import distributed as dist
from lamella.core import bfloat16, float32, float64, ones, zeros
from lamella.distributed.errors import DistBackendError
from lamella.distributed.group import world
from lamella.distributed.nccl.bootstrap import OverTransport, agree


@ranks(1, 2)
def test_ranks_agree_over_the_cpu_transport():
    rank, size = dist.get_rank(), dist.get_world_size()
    channel, members = OverTransport(world().default.control), list(range(size))
    facts = {"key": "cuda", "gpu": f"card {rank}", "host": "here", "device": 0}
    for n in range(3):
        assert agree(channel, members, rank, facts, lambda n=n: bytes([rank, n] * 64), 20.0) == bytes([0, n] * 64)
    if size > 1:
        with pytest.raises(DistBackendError, match="ranks 0 and 1 of the group use one GPU"):
            agree(channel, members, rank, {**facts, "gpu": "one"}, lambda: b"", 20.0)


@ranks(1, 2)
def test_sums_of_multiples():
    rank, size = dist.get_rank(), dist.get_world_size()
    half = dist._make_nccl_premul_sum(0.5)
    for dtype in (float32, float64, bfloat16):
        t = ones(3, dtype=dtype) * (rank + 1)
        dist.all_reduce(t, half)
        assert t.tolist() == [size * (size + 1) / 4] * 3 and t.dtype is dtype
        out = zeros(2, dtype=dtype)
        dist.reduce_scatter_tensor(out, ones(2 * size, dtype=dtype), half)
        assert out.tolist() == [size / 2] * 2
    with pytest.raises(TypeError, match="PreMulSum Data type must be half, float, bfloat16 or double"):
        dist.all_reduce(ones(3).int(), half)
