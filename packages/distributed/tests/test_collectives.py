"""Every collective, on every element type, layout and way to call it."""

import pytest
from harness import ranks

from lamella import distributed as dist
from lamella.core import (
    bfloat16,
    bool as bool_,
    complex64,
    complex128,
    empty,
    float8_e4m3fn,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    tensor,
    uint8,
    uint16,
    uint32,
    uint64,
    zeros,
)
from lamella.distributed import ReduceOp

FLOATS = (float16, bfloat16, float32, float64)
INTEGERS = (uint8, int8, int16, int32, int64, uint16, uint32, uint64)
COMPLEX = (complex64, complex128)


def me():
    return dist.get_rank(), dist.get_world_size()


def folded(op, values):
    import functools
    import operator

    fns = {"SUM": operator.add, "PRODUCT": operator.mul, "MIN": min, "MAX": max, "BAND": operator.and_,
           "BOR": operator.or_, "BXOR": operator.xor, "AVG": operator.add}
    total = functools.reduce(fns[op], values)
    return total / len(values) if op == "AVG" else total


def defined(dtype):
    if dtype in FLOATS:
        return ("SUM", "AVG", "PRODUCT", "MIN", "MAX")
    if dtype in COMPLEX:
        return ("SUM", "AVG", "PRODUCT")
    return ("SUM", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR")


@ranks(1, 2, 4)
def test_all_reduce_of_every_type_and_operation():
    rank, size = me()
    for dtype in (*FLOATS, *INTEGERS, *COMPLEX):
        for op in defined(dtype):
            unit = 1 + 1j if dtype in COMPLEX else 1
            t = tensor([(rank + 1) * unit, (rank + 2) * unit, 2 * unit], dtype=dtype)
            dist.all_reduce(t, getattr(ReduceOp, op))
            want = [folded(op, [(r + k) * unit for r in range(size)]) for k in (1, 2)]
            want.append(folded(op, [2 * unit] * size))
            got = t.tolist()
            assert all(abs(a - b) < 1e-2 * max(1, abs(b)) for a, b in zip(got, want)), (dtype, op, got, want)


@ranks(1, 2, 4)
def test_all_reduce_of_truth_values():
    rank, size = me()
    for op, want in (("SUM", True), ("PRODUCT", False), ("MAX", True), ("MIN", False), ("BOR", True), ("BAND", False)):
        t = tensor([True, rank == 0, False])
        dist.all_reduce(t, getattr(ReduceOp, op))
        assert t.dtype is bool_ and t.tolist() == [True, want or size == 1, False], (op, t)


@ranks(1, 2, 4)
def test_a_reduction_has_the_same_bits_on_all_ranks():
    rank, size = me()
    from lamella.core import Generator, rand

    for dtype in (float16, bfloat16, float32):
        t = rand(1001, generator=Generator().manual_seed(rank)).to(dtype)
        dist.all_reduce(t)
        first = t.clone()
        dist.broadcast(first, 0)
        assert (first == t).all()


@ranks(2, 4)
def test_operations_that_a_type_lacks_are_refused():
    for dtype, op in ((float32, "BAND"), (complex64, "MIN"), (int32, "AVG"), (bool_, "AVG")):
        with pytest.raises(ValueError, match=f"all_reduce: ReduceOp.{op} is not defined for {dtype.name}"):
            dist.all_reduce(zeros(2, dtype=dtype), getattr(ReduceOp, op))
    with pytest.raises(TypeError, match="op must be a ReduceOp"):
        dist.all_reduce(zeros(2), "sum")


@ranks(1, 2, 4)
def test_layouts():
    rank, size = me()
    base = tensor([[1.0, 2, 3], [4, 5, 6]]) * (rank + 1)
    factor = sum(range(1, size + 1))
    for view in (lambda t: t.t(), lambda t: t[:, ::2], lambda t: t[1], lambda t: t[0, 0], lambda t: t[:0]):
        t = base.clone()
        want = view(tensor([[1.0, 2, 3], [4, 5, 6]])) * factor
        before = t._version
        dist.all_reduce(view(t))
        assert view(t).tolist() == want.tolist()
        assert t._version > before
    columns = zeros(3, 2 * size).t()
    dist.all_gather_into_tensor(columns, base)
    assert columns.tolist() == [[x * (r + 1) for x in row] for r in range(size) for row in [[1, 2, 3], [4, 5, 6]]]


@ranks(1, 2, 4)
def test_reduce_broadcast():
    rank, size = me()
    for root in range(size):
        t = tensor([rank + 1.0, 1.0])
        dist.reduce(t, root)
        assert t.tolist() == ([size * (size + 1) / 2, size] if rank == root else [rank + 1.0, 1.0])
        t = tensor([rank + 1.0], dtype=bfloat16)
        dist.reduce(t, dst=root, op=ReduceOp.AVG)
        assert t.item() == ((size + 1) / 2 if rank == root else rank + 1)
        for dtype in (*FLOATS, *INTEGERS, *COMPLEX, bool_):
            t = tensor([rank == root, 1, rank], dtype=dtype)
            dist.broadcast(t, src=root)
            assert t.tolist() == tensor([1, 1, root], dtype=dtype).tolist()
    eight = tensor([rank + 1.0]).to(float8_e4m3fn)
    dist.broadcast(eight, group_src=size - 1)
    assert eight.float().item() == size


@ranks(1, 2, 4)
def test_gathers():
    rank, size = me()
    for dtype in (float32, bfloat16, complex64, int64, bool_):
        t = tensor([[rank, 1], [0, rank + 1]], dtype=dtype)
        want = [tensor([[r, 1], [0, r + 1]], dtype=dtype).tolist() for r in range(size)]
        out = [empty(2, 2, dtype=dtype) for _ in range(size)]
        dist.all_gather(out, t)
        assert [o.tolist() for o in out] == want
        stacked = empty(size, 2, 2, dtype=dtype)
        dist.all_gather_into_tensor(stacked, t)
        joined = empty(size * 2, 2, dtype=dtype)
        dist.all_gather_into_tensor(joined, t)
        assert stacked.tolist() == want and joined.tolist() == sum(want, [])
        for root in range(size):
            out = [empty(2, 2, dtype=dtype) for _ in range(size)] if rank == root else None
            dist.gather(t, out, dst=root)
            assert rank != root or [o.tolist() for o in out] == want
            mine = empty(2, 2, dtype=dtype)
            given = [tensor([[r, 1], [0, r + 1]], dtype=dtype) for r in range(size)] if rank == root else None
            dist.scatter(mine, given, src=root)
            assert mine.tolist() == want[rank]
    whole = zeros(size, 3)
    whole[rank] = rank + 1.0
    dist.all_gather_into_tensor(whole, whole[rank])  # into itself
    assert whole[:, 0].tolist() == [r + 1.0 for r in range(size)]


@ranks(1, 2, 4)
def test_reduce_scatters():
    rank, size = me()
    for dtype in (float32, bfloat16, int32, complex64):
        for op in ("SUM", "AVG", "PRODUCT"):
            if op not in defined(dtype):
                continue
            rows = [tensor([r + 1, rank + 1], dtype=dtype) for r in range(size)]
            want = [folded(op, [rank + 1] * size), folded(op, [r + 1 for r in range(size)])]
            out = empty(2, dtype=dtype)
            dist.reduce_scatter(out, rows, getattr(ReduceOp, op))
            assert out.tolist() == want
            joined = tensor([[r + 1, rank + 1] for r in range(size)], dtype=dtype)
            dist.reduce_scatter_tensor(out, joined, getattr(ReduceOp, op))
            assert out.tolist() == want
            dist.reduce_scatter_tensor(joined[rank], joined, getattr(ReduceOp, op))
            assert joined[rank].tolist() == want


@ranks(1, 2, 4)
def test_all_to_alls():
    rank, size = me()
    for dtype in (float32, bfloat16, int64):
        rows = [tensor([10 * rank + r] * (r + 1), dtype=dtype) for r in range(size)]
        out = [empty(rank + 1, dtype=dtype) for _ in range(size)]
        dist.all_to_all(out, rows)
        assert [o.tolist() for o in out] == [[10 * r + rank] * (rank + 1) for r in range(size)]
        even = tensor([[10 * rank + r, 0] for r in range(size)], dtype=dtype)
        got = empty(size, 2, dtype=dtype)
        dist.all_to_all_single(got, even)
        assert got[:, 0].tolist() == [10 * r + rank for r in range(size)]
        uneven = tensor([[float(r)] * 2 for r in range(size) for _ in range(r + rank)], dtype=dtype).reshape(-1, 2)
        sizes_in, sizes_out = [r + rank for r in range(size)], [rank + r for r in range(size)]
        got = empty(sum(sizes_out), 2, dtype=dtype)
        dist.all_to_all_single(got, uneven, sizes_out, sizes_in)
        assert (got == rank).all()


@ranks(2, 4)
def test_messages():
    rank, size = me()
    nxt, before = (rank + 1) % size, (rank - 1) % size
    t, got = tensor([float(rank)] * 3, dtype=bfloat16), empty(3, dtype=bfloat16)
    works = [dist.isend(t, nxt), dist.irecv(got, before)]
    for w in works:
        w.wait()
    assert got.tolist() == [float(before)] * 3
    columns = zeros(2, 2)
    if rank == 0:
        dist.send(tensor([5.0, 6.0]), 1, tag=7)
    elif rank == 1:
        assert dist.recv(columns[:, 1], tag=7) == 0
        assert columns.tolist() == [[0, 5], [0, 6]]
    ops = [dist.P2POp(dist.isend, tensor([rank]), nxt), dist.P2POp(dist.irecv, got_int := tensor([-1]), before)]
    for w in dist.batch_isend_irecv(ops):
        w.wait()
    assert got_int.item() == before


@ranks(2, 4)
def test_asynchronous_calls():
    rank, size = me()
    ts = [tensor([float(rank + i)] * 100) for i in range(8)]
    works = [dist.all_reduce(t, async_op=True) for t in ts]
    for i in reversed(range(8)):
        assert works[i].wait() is True and works[i].is_completed() and works[i].is_success()
        assert works[i].exception() is None and works[i].result() == [ts[i]]
        assert ts[i][0].item() == sum(r + i for r in range(size))
    t = zeros(2, 3).t()
    t += rank
    seen = dist.all_reduce(t, async_op=True).get_future().then(lambda f: f.value()[0].sum().item())
    assert seen.wait() == 6 * sum(range(size))
    assert dist.barrier(async_op=True).wait()


@ranks(1, 2, 4)
def test_objects():
    rank, size = me()
    every = [None] * size
    dist.all_gather_object(every, {"rank": rank, "text": "x" * 1000 * rank})
    assert [e["rank"] for e in every] == list(range(size)) and len(every[-1]["text"]) == 1000 * (size - 1)
    for root in range(size):
        got = [None] * size if rank == root else None
        dist.gather_object((rank,), got, dst=root)
        assert got == ([(r,) for r in range(size)] if rank == root else None)
        both = [root, "two"] if rank == root else [None, None]
        dist.broadcast_object_list(both, src=root)
        assert both == [root, "two"]
        mine = [None]
        dist.scatter_object_list(mine, [f"for {r}" for r in range(size)] if rank == root else None, src=root)
        assert mine == [f"for {rank}"]
    if size > 1 and rank < 2:
        pair = [None, None]
        if rank == 0:
            dist.send_object_list([1, tensor([2.0])], 1)
        else:
            assert dist.recv_object_list(pair) == 0 and pair[1].item() == 2.0


@ranks(1, 2, 4)
def test_groups():
    rank, size = me()
    whole = dist.group.WORLD
    assert dist.is_initialized() and whole.size() == size and dist.get_process_group_ranks(whole) == list(range(size))
    even = dist.new_group(range(0, size, 2))
    odd = dist.new_group(range(1, size, 2)) if size > 1 else None
    mine = even if rank % 2 == 0 else odd
    other = odd if rank % 2 == 0 else even
    t = tensor([float(rank)])
    dist.all_reduce(t, group=mine)
    assert t.item() == sum(r for r in range(size) if r % 2 == rank % 2)
    assert dist.get_rank(mine) == rank // 2 and dist.get_global_rank(mine, rank // 2) == rank
    assert dist.get_group_rank(mine, rank) == rank // 2
    if other is not None:
        assert dist.get_rank(other) == dist.get_world_size(other) == -1
        with pytest.warns(UserWarning, match=f"all_reduce: rank {rank} does not belong to the group"):
            assert dist.all_reduce(t, group=other) is None
    if size > 2:
        t = tensor([float(rank)])
        dist.broadcast(t, src=mine.ranks[1], group=mine)
        assert t.item() == mine.ranks[1]
        with pytest.raises(ValueError, match="is not in the group"):
            dist.broadcast(t, src=mine.ranks[0] ^ 1, group=mine)
        parts, every = dist.new_subgroups(2)
        assert parts.ranks == (rank // 2 * 2, rank // 2 * 2 + 1) and len(every) == 2
        local = dist.new_group([0, 3], use_local_synchronization=True) if rank in (0, 3) else None
        if local is not None:
            dist.all_reduce(t, group=local)
    dist.destroy_process_group(mine)
    with pytest.raises(ValueError, match="the group was destroyed"):
        dist.all_reduce(t, group=mine)
    for wrong in ([0, 0], [size], []):
        with pytest.raises(ValueError, match="new_group: ranks must be different ranks"):
            dist.new_group(wrong)


@ranks(2, 4)
def test_bad_arguments():
    rank, size = me()
    with pytest.raises(ValueError, match=r"recv: there is no rank 99 \(the ranks are \[0, 1"):
        dist.recv(empty(1), src=99)
    with pytest.raises(ValueError, match="a rank cannot send to itself"):
        dist.send(empty(1), rank)
    with pytest.raises(TypeError, match="all_reduce: tensor must be a Tensor"):
        dist.all_reduce([1.0])
    with pytest.raises(ValueError, match="tensor_list must have a tensor for each rank"):
        dist.all_gather([empty(1)], empty(1))
    with pytest.raises(ValueError, match="all tensors must have one dtype"):
        dist.all_gather([empty(1, dtype=float64)] * size, empty(1))
    with pytest.raises(ValueError, match="as many elements as"):
        dist.all_gather_into_tensor(empty(3), empty(2))
    with pytest.raises(ValueError, match="must divide into"):
        dist.all_to_all_single(empty(5), empty(5))
    with pytest.raises(RuntimeError, match="the group has no backend for tensors on meta"):
        dist.group.WORLD.transport("meta", "send")
    with pytest.raises(ValueError, match="exists already"):
        dist.init_process_group()


def test_alone():
    with pytest.raises(ValueError, match=r"all_reduce: there is no process group\nhint: call init_process_group"):
        dist.all_reduce(zeros(1))
    with pytest.raises(ValueError, match="there is no backend 'glo'"):
        dist.init_process_group("glo")
    dist.init_process_group(world_size=1, rank=0)
    try:
        assert dist.get_backend() == "mpi" and dist.get_world_size() == 1
    finally:
        dist.destroy_process_group()
    with pytest.raises(RuntimeError, match="2 ranks are asked for, but no MPI launcher started this process"):
        dist.init_process_group("gloo", rank=0, world_size=2)


@ranks(1, 2, 4)
def test_groups_end_and_begin_again():
    rank, size = me()
    backend = dist.get_backend()
    for n in range(3):
        part = dist.new_group([0]) if n else None
        dist.destroy_process_group()
        assert not dist.is_initialized()
        with pytest.raises(ValueError, match="there is no process group"):
            dist.get_rank()
        dist.init_process_group(backend)
        t = tensor([rank + 1])
        dist.all_reduce(t)
        assert t.item() == size * (size + 1) // 2
        if part not in (None, dist.GroupMember.NON_GROUP_MEMBER):
            with pytest.raises(ValueError, match="the group was destroyed"):
                dist.all_reduce(t, group=part)


@ranks(2, 4)
def test_ranks_may_differ_in_who_waits_at_once():
    rank, size = me()
    for n in (1, 100, 5000):
        for turn in range(4):
            t = tensor([float(rank)] * n)
            if (rank + turn) % 2:
                dist.all_reduce(t)
            else:
                dist.all_reduce(t, async_op=True).wait()
            assert t[-1].item() == sum(range(size))
