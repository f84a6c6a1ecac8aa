"""Works: several under way at once, driven at different times on different ranks, or let go."""

from __future__ import annotations

import random

from harness import ranks

from lamella import distributed as dist
from lamella.core import bfloat16, float32, full, ones


@ranks(2, 4)
def test_works_that_nobody_waits_for():
    n = dist.get_world_size()
    for dtype in (float32, bfloat16):
        for i in range(40):
            dist.all_reduce(full((3000,), i, dtype=dtype), async_op=True)
            t = ones(10)
            dist.all_reduce(t)
            assert t.eq(n).all()


@ranks(2, 4)
def test_ranks_poll_at_different_times():
    rank, n = dist.get_rank(), dist.get_world_size()
    rng = random.Random(rank)
    for _ in range(20):
        ts = [full((2001 + k,), k, dtype=bfloat16) for k in range(4)]
        works = []
        for t in ts:
            works.append(dist.all_reduce(t, async_op=True))
            for work in works:
                if rng.random() < 0.5:
                    work.is_completed()
        t = ones(10)
        dist.all_reduce(t)
        assert t.eq(n).all()
        for k, (work, t) in enumerate(zip(works, ts, strict=True)):
            work.wait()
            assert t.eq(k * n).all()
