"""What NCCL's transport does with arrays: every primitive, in every type, on GPUs or on the stand-in for them."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from nccl_ranks import carrier, cp, gpus, me, run, standin_only  # noqa: F401 - a fixture

BF16 = np.dtype(ml_dtypes.bfloat16)
NUMBERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", BF16, "float32",
           "float64", "complex64", "complex128"]  # fmt: skip


def _values(rank: int, d, n: int = 6) -> np.ndarray:
    """A rank's elements, such that sums and products of four ranks fit into 8 bits."""
    a = (np.arange(n) % 2 + (rank + np.arange(n)) % 2 + 1).astype("float64")
    return (a + 1j * a[::-1] if np.dtype(d).kind == "c" else a).astype(d)


def _wide(a):
    return a.astype(np.float64) if a.dtype == BF16 else a


@gpus(1, 2, 4)
def test_reductions_of_every_type(cp):  # noqa: F811
    rank, size = me()
    for d in map(np.dtype, NUMBERS):
        for op in ("SUM", "PRODUCT", "MIN", "MAX", "AVG"):
            if d.kind == "c" and op not in ("SUM", "AVG"):
                continue
            every = np.stack([_wide(_values(r, d)) for r in range(size)])
            want = {"SUM": every.sum(0), "PRODUCT": every.prod(0), "AVG": every.sum(0) / size}.get(op)
            want = want if want is not None else (every.min(0) if op == "MIN" else every.max(0))
            a = cp.asarray(_values(rank, d))
            carrier().allreduce(a, op).wait()
            got = _wide(a.get())
            if op == "AVG" and d.kind in "iu":
                want = np.floor(want)
            assert a.dtype == d
            np.testing.assert_allclose(got, want, rtol=1e-2 if d.itemsize == 2 else 1e-6, err_msg=f"{d} {op}")


@gpus(2, 4)
def test_truth_values(cp):  # noqa: F811
    rank, size = me()
    for op, want in (("SUM", [True, True, False]), ("MAX", [True, True, False]), ("BOR", [True, True, False]),
                     ("PRODUCT", [True, False, False]), ("MIN", [True, False, False]), ("BAND", [True, False, False])):
        a = cp.asarray(np.array([True, rank == 1, False]))
        carrier().allreduce(a, op).wait()
        assert a.dtype == bool and a.tolist() == want and a.view("uint8").max() == 1, op


@gpus(1, 2, 4)
def test_reduce_to_one_and_reduce_scatter(cp):  # noqa: F811
    rank, size = me()
    for d in ("float32", "int16", "complex64", BF16):
        for root in range(size):
            a = cp.asarray(_values(rank, d))
            carrier().reduce(a, "SUM", root).wait()
            want = sum(_wide(_values(r, d)) for r in range(size)) if rank == root else _wide(_values(rank, d))
            np.testing.assert_allclose(_wide(a.get()), want, rtol=1e-2)
        whole, out = cp.asarray(_values(rank, d, 3 * size)), cp.zeros(3, d)
        carrier().reduce_scatter(out, whole, "SUM").wait()
        want = sum(_wide(_values(r, d, 3 * size)) for r in range(size))[3 * rank : 3 * rank + 3]
        np.testing.assert_allclose(_wide(out.get()), want, rtol=1e-2)


@gpus(1, 2, 4)
def test_bytes_are_moved_whatever_they_are(cp):  # noqa: F811
    rank, size = me()
    t = carrier()
    for d in ("bool", *NUMBERS):
        a = cp.asarray(_values(rank, "float64").astype(d))
        every = np.concatenate([_values(r, "float64").astype(d) for r in range(size)])
        out = cp.zeros(every.size, d)
        t.allgather(out, a).wait()
        assert out.tolist() == every.tolist()
        for root in range(size):
            b = a.copy()
            t.broadcast(b, root).wait()
            assert b.tolist() == every[6 * root : 6 * root + 6].tolist()
            out = cp.zeros(every.size, d) if rank == root else None
            t.gather(out, a, root).wait()
            assert out is None or out.tolist() == every.tolist()
            part = cp.zeros(6, d)
            t.scatter(part, cp.asarray(every) if rank == root else None, root).wait()
            assert part.tolist() == every[6 * rank : 6 * rank + 6].tolist()


@gpus(1, 2, 4)
def test_all_to_all_with_uneven_parts(cp):  # noqa: F811
    rank, size = me()
    counts = [[(r + 2 * s) % 3 for s in range(size)] for r in range(size)]  # rank r sends so many to s, some none
    sent = [np.concatenate([np.full(n, 10 * r + s) for s, n in enumerate(row)]) for r, row in enumerate(counts)]
    out_counts = [counts[s][rank] for s in range(size)]
    out = cp.full(sum(out_counts), -1.0)
    carrier().alltoall(out, out_counts, cp.asarray(sent[rank].astype("float64")), counts[rank]).wait()
    assert out.tolist() == [float(10 * s + rank) for s in range(size) for _ in range(counts[s][rank])]


@gpus(2, 4)
def test_messages_between_two_ranks(cp):  # noqa: F811
    rank, size = me()
    t = carrier()
    if rank % 2 == 0:
        t.send(cp.arange(5) + rank, rank + 1, 3).wait()
        a = cp.zeros(5, "int64")
        work = t.recv(a, rank + 1, 4)
        work.wait()
        assert a.tolist() == [10 * (rank + 1)] * 5 and work.source_rank() == rank + 1
    else:
        a = cp.zeros(5, "int64")
        t.recv(a, rank - 1, 3).wait()
        assert a.tolist() == list(range(rank - 1, rank + 4))
        t.send(cp.full(5, 10 * rank), rank - 1, 4).wait()


@gpus(2, 4)
def test_a_batch_of_messages_starts_together(cp):  # noqa: F811
    """Around a ring, everybody sends first: alone, the calls would wait for each other."""
    rank, size = me()
    t = carrier()
    for _ in range(2):
        t.start_coalescing()
        a = cp.full(4, float(rank))
        b, own = cp.zeros(4), cp.zeros(4)
        works = [t.send(a, (rank + 1) % size, 0), t.recv(b, (rank - 1) % size, 0), t.send(a, rank, 0),
                 t.recv(own, rank, 0)]
        with pytest.raises(RuntimeError, match="has not been started"):
            works[0].wait()
        t.end_coalescing().wait()
        for work in works:
            work.wait()
        assert b.tolist() == [(rank - 1) % size] * 4 and own.tolist() == [rank] * 4
        t.barrier().wait()  # the second time the group has a communicator: it carries the batch


@standin_only
def test_messages_that_wait_for_each_other_are_seen_by_the_stand_in(cp):  # noqa: F811
    def ring():
        rank, size = me()
        a, b = cp.full(4, float(rank)), cp.zeros(4)
        works = [carrier().send(a, 1 - rank, 0), carrier().recv(b, 1 - rank, 0)]
        for work in works:
            work.wait()
        b.get()

    from nccl_standin.queues import Deadlock

    with pytest.raises(Deadlock):
        run(2, ring)


@gpus(2)
def test_empty_arrays(cp):  # noqa: F811
    t = carrier()
    a = cp.zeros(0)
    b = a.copy()
    for work in (t.allreduce(a, "SUM"), t.broadcast(a, 0), t.allgather(b, a), t.alltoall(b, [0, 0], a, [0, 0])):
        work.wait()
        work.synchronize()
        assert work.is_completed() and work.is_success()


@gpus(2)
def test_what_nccl_cannot_reduce_is_refused_as_torch_refuses_it(cp):  # noqa: F811
    t = carrier()
    for op in ("BAND", "BOR", "BXOR"):
        with pytest.raises(ValueError, match=f"Cannot use ReduceOp.{op} with NCCL"):
            t.allreduce(cp.zeros(3, "int32"), op)
    with pytest.raises(ValueError, match="Cannot use ReduceOp.BXOR"):
        t.allreduce(cp.zeros(3, bool), "BXOR")
    with pytest.raises(TypeError, match="ReduceOp.AVG with Boolean"):
        t.allreduce(cp.zeros(3, bool), "AVG")
    with pytest.raises(RuntimeError, match="does not support ReduceOp.PRODUCT on complex"):
        t.allreduce(cp.zeros(3, "complex64"), "PRODUCT")
    with pytest.raises(RuntimeError, match="does not support recvAnysource"):
        t.recv(cp.zeros(3), None, 0)
    with pytest.raises(ValueError, match="has no rank 2"):
        t.send(cp.zeros(3), 2, 0)
    with pytest.raises(ValueError, match="only in a batch"):
        t.send(cp.zeros(3), me()[0], 0)


@gpus(2)
def test_arrays_must_fit(cp):  # noqa: F811
    rank, _ = me()
    t = carrier()
    with pytest.raises(ValueError, match="Tensors must be CUDA and dense"):
        t.allreduce(np.zeros(3), "SUM")
    with pytest.raises(ValueError, match="Tensors must be contiguous"):
        t.allreduce(cp.zeros((3, 4))[:, :2], "SUM")
    with cp.cuda.Device(1 - rank):
        other = cp.zeros(3)
    with pytest.raises(ValueError, match="must be on one GPU"):
        t.allgather(cp.zeros(6), other)
    with pytest.raises(ValueError, match="one part for each rank"):
        t.allgather(cp.zeros(5), cp.zeros(3))
    with pytest.raises(ValueError, match="one for each rank and all of it"):
        t.alltoall(cp.zeros(4), [2, 2], cp.zeros(4), [1, 2])


@gpus(2)
def test_sums_of_multiples(cp):  # noqa: F811
    from lamella.distributed import _make_nccl_premul_sum as premul_sum

    rank, _ = me()
    for d in ("float16", BF16, "float32", "float64"):
        a = cp.asarray(np.array([1.0, 2.0, 4.0]).astype(d)) * np.dtype(d).type(rank + 1)
        a = a.astype(d)
        carrier().allreduce(a, premul_sum(0.5).name).wait()
        assert a.dtype == np.dtype(d) and _wide(a.get()).tolist() == [1.5, 3.0, 6.0]
    with pytest.raises(TypeError, match="PreMulSum Data type"):
        carrier().allreduce(cp.zeros(3, "int32"), premul_sum(2).name)


@gpus(2)
def test_bytes_sent_are_counted(cp):  # noqa: F811
    rank, _ = me()
    t = carrier()
    before = t.sent
    t.allreduce(cp.zeros(100, "float32"), "SUM").wait()
    assert t.sent - before == 400
    t.broadcast(cp.zeros(100, "float32"), 1).wait()
    assert t.sent - before == (800 if rank == 1 else 400)


@gpus(2)
def test_a_batch_that_is_given_up_starts_nothing(cp):  # noqa: F811
    t = carrier()
    with pytest.raises(ValueError, match="has no rank 9"), t.coalescing():
        t.send(cp.zeros(3), 1 - me()[0], 0)
        t.recv(cp.zeros(3), 9, 0)
    with pytest.raises(RuntimeError, match="start_coalescing"):
        t.end_coalescing()
    a = cp.full(3, 1.0)
    t.allreduce(a, "SUM").wait()
    assert a.tolist() == [2.0] * 3
