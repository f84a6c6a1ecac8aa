"""Order and lifetime: collectives come after what made their arrays and before what reads them, and end in time.

On the stand-in nothing is done before it must be, so that an order that is missing always gives wrong numbers.
"""

from __future__ import annotations

import gc
import re
import time
from datetime import timedelta

import pytest
from nccl_ranks import carrier, cp, gpus, late, me, run, standin_only, until  # noqa: F401 - a fixture

from lamella.distributed.errors import DistBackendError


@gpus(1, 2)
def test_a_collective_comes_after_what_made_its_array(cp):  # noqa: F811
    rank, size = me()
    a = cp.zeros(8)
    late(lambda: a.fill(rank + 1))
    carrier().allreduce(a, "SUM").wait()
    assert a.tolist() == [size * (size + 1) / 2] * 8


@gpus(1, 2)
def test_it_follows_the_stream_that_is_current(cp):  # noqa: F811
    rank, size = me()
    a, stream = cp.zeros(8), cp.cuda.Stream(non_blocking=True)
    with stream:
        late(lambda: a.fill(rank + 1))
        work = carrier().allreduce(a, "SUM")
        work.wait()
        late(lambda: a.__imul__(2))
        assert a.tolist() == [size * (size + 1.0)] * 8


@gpus(1, 2)
def test_what_comes_after_wait_sees_the_result_and_the_host_does_not_wait(cp):  # noqa: F811
    rank, size = me()
    a, b = cp.zeros(8), cp.zeros(8)
    late(lambda: a.fill(rank + 1))
    work = carrier().allreduce(a, "SUM")
    assert work.wait() is True
    late(lambda: b.__setitem__(slice(None), a * 10))
    assert b.tolist() == [5.0 * size * (size + 1)] * 8
    assert until(work.is_completed) and work.is_success() and work.exception() is None


@standin_only
def test_without_wait_the_array_is_not_there_yet(cp):  # noqa: F811
    def read():
        a = cp.full(8, 1.0)
        work = carrier().allreduce(a, "SUM")
        before = a.tolist()
        work.wait()
        return before, a.tolist()

    assert run(2, read) == [([1.0] * 8, [2.0] * 8)] * 2


@gpus(2)
def test_several_collectives_run_in_the_order_of_their_calls(cp):  # noqa: F811
    t = carrier()
    a, b = cp.full(4, 1.0), cp.zeros(8)
    works = [t.allreduce(a, "SUM"), t.allreduce(a, "SUM"), t.allgather(b, a), t.allreduce(b, "MAX")]
    works[-1].wait()
    assert b.tolist() == [4.0] * 8


@gpus(1, 2)
def test_what_then_adds_runs_after_the_collective_and_before_the_waiting_stream(cp):  # noqa: F811
    rank, size = me()
    a, b = cp.zeros(4), cp.zeros(4)
    late(lambda: a.fill(rank + 1))
    work = carrier().allreduce(a, "SUM").then(lambda: a.__imul__(0.5))
    work.then(lambda: b.__setitem__(slice(None), a))
    work.wait()
    assert b.tolist() == [size * (size + 1) / 4] * 4
    work.then(lambda: late(lambda: b.__imul__(2)))  # late, but what was waited for once is waited for again
    assert b.tolist() == [size * (size + 1) / 2] * 4


@gpus(2)
def test_a_batch_is_one_work_with_hooks_after_all_of_it(cp):  # noqa: F811
    rank, size = me()
    t = carrier()
    a, b, total = cp.full(2, float(rank)), cp.zeros(2), cp.zeros(2)
    t.start_coalescing()
    t.send(a, 1 - rank, 0)
    t.recv(b, 1 - rank, 0).then(lambda: b.__iadd__(1))
    work = t.end_coalescing()
    work.then(lambda: total.__setitem__(slice(None), a + b)).wait()
    assert total.tolist() == [2.0] * 2
    work.synchronize()
    assert work.is_completed()


@gpus(1, 2)
def test_memory_is_kept_until_the_collective_is_over(cp):  # noqa: F811
    """Arrays of which nobody else knows: what the current stream does next does not write over them."""
    rank, size = me()
    out = cp.zeros(256 * size)
    work = carrier().allgather(out, cp.full(256, float(rank)))
    gc.collect()
    cp.cuda.get_current_stream().synchronize()  # what was given back would be used again now
    other = [cp.full(256, 77.0) for _ in range(8)]
    work.wait()
    assert out.tolist() == [float(k // 256) for k in range(256 * size)] and other[0].tolist() == [77.0] * 256


@gpus(1, 2)
def test_memory_is_kept_where_another_stream_waits(cp):  # noqa: F811
    rank, size = me()
    out, stream = cp.zeros(256 * size), cp.cuda.Stream(non_blocking=True)
    work = carrier().allgather(out, cp.full(256, float(rank)))
    with stream:
        work.wait()
    del work
    gc.collect()
    cp.cuda.get_current_stream().synchronize()  # what was given back would be used again now
    other = [cp.full(256, 77.0) for _ in range(8)]
    with stream:
        assert out.tolist() == [float(k // 256) for k in range(256 * size)]
    assert other[0].tolist() == [77.0] * 256


@gpus(1, 2)
def test_wait_lets_memory_go(cp):  # noqa: F811
    """What was waited for is the current stream's again, which the memory goes back to."""
    t = carrier()
    work = t.allreduce(cp.zeros(16), "SUM")
    assert work._arrays
    work.wait()
    assert not work._arrays


@gpus(1, 2)
def test_wait_with_a_time_out_and_synchronize_block_the_host(cp):  # noqa: F811
    a = cp.zeros(4)
    late(lambda: a.fill(1))
    work = carrier().allreduce(a, "SUM")
    assert work.wait(timedelta(seconds=20)) and work.is_completed()
    work = carrier().allreduce(a, "SUM")
    work.synchronize()
    assert work.is_completed() and a.tolist() == [float(me()[1] ** 2)] * 4


@gpus(2, 4)
def test_nobody_leaves_a_barrier_before_all_have_come(cp):  # noqa: F811
    rank, size = me()
    if rank == 0:
        time.sleep(0.3)
        seen.append("last came")
    carrier().barrier().wait()
    assert seen
    carrier().barrier().wait()
    if rank == 0:
        seen.clear()


seen: list[str] = []


# ---------------------------------------------------------------- errors


def _short(seconds: float = 1.2):
    return {"timeout": timedelta(seconds=seconds)}


def test_a_rank_that_does_not_come_is_an_error_in_time(cp):  # noqa: F811
    def alone():
        rank, size = me()
        t = carrier()
        t.barrier().wait()
        if rank == 0:
            begin = time.monotonic()
            work = t.allreduce(cp.zeros(5, "float32"), "SUM")
            with pytest.raises(DistBackendError) as found:
                work.wait(0.3)
            assert 0.2 < time.monotonic() - begin < 5
            assert isinstance(work.exception(), DistBackendError) and not work.is_success() and work.is_completed()
            for again in (work.wait, work.synchronize, lambda: t.allreduce(cp.zeros(5), "SUM")):
                with pytest.raises(DistBackendError):
                    again()
            return str(found.value)

    told = run(2, alone, timeout=timedelta(seconds=20))[0]
    assert re.match(r"nccl: all_reduce was not over after 0.3 s \(rank 0 of \[0, 1\] waits for the others: "
                    r"float32\[5\] SUM, cuda:0, group 'default', step 0\)", told)  # fmt: skip
    assert "hint:" in told.splitlines()[-1]


def test_the_watch_ends_what_takes_too_long_though_nobody_waits(cp):  # noqa: F811
    def alone():
        rank, size = me()
        t = carrier()
        t.barrier().wait()
        if rank == 0:
            work = t.allreduce(cp.zeros(5), "SUM")
            work.wait()  # the stream waits; the host goes on
            assert until(lambda: t._comms["cuda:0"].error is not None)
            assert isinstance(t.get_async_error(), DistBackendError)
            cp.cuda.get_current_stream().synchronize()  # the stream is free again
            with pytest.raises(DistBackendError, match="not over after 1.2 s"):
                t.barrier()

    run(2, alone, **_short())


def test_barriers_time_out_too(cp):  # noqa: F811
    def alone():
        if me()[0] == 0:
            carrier().barrier().wait()
            with pytest.raises(DistBackendError, match="barrier was not over"):
                carrier().barrier().wait()
        else:
            carrier().barrier().wait()

    run(2, alone, **_short())


@standin_only
def test_ranks_that_disagree_time_out(cp):  # noqa: F811
    def differ():
        a = cp.zeros(4)
        carrier().barrier().wait()
        with pytest.raises(DistBackendError, match="not over"):
            (carrier().allreduce(a, "SUM") if me()[0] else carrier().broadcast(a, 0)).synchronize()

    run(2, differ, **_short())


@standin_only
def test_errors_of_nccls_own_end_what_is_under_way(cp):  # noqa: F811
    def broken():
        rank, size = me()
        t = carrier()
        t.barrier().wait()
        assert t.get_async_error() is None
        if rank == 0:
            work = t.allreduce(cp.zeros(4), "SUM")
            t._comms["cuda:0"]._made.failing = 6
            assert until(lambda: work.exception() is not None)
            with pytest.raises(DistBackendError, match="NCCL reports: NCCL_ERROR_REMOTE_ERROR"):
                work.wait()

    run(2, broken)


def test_abort_ends_what_is_under_way(cp):  # noqa: F811
    def aborted():
        rank, size = me()
        t = carrier()
        t.barrier().wait()
        if rank == 0:
            work = t.allreduce(cp.zeros(4), "SUM")
            t.abort()
            with pytest.raises(DistBackendError, match="were ended"):
                work.wait()
        t.close()
        with pytest.raises(ValueError, match="was destroyed"):
            t.allreduce(cp.zeros(4), "SUM")

    run(2, aborted)


def test_closing_waits_for_work_and_no_longer_than_the_time_out(cp):  # noqa: F811
    def closing():
        rank, size = me()
        t = carrier()
        a = cp.full(4, 1.0)
        t.allreduce(a, "SUM")
        t.close()
        assert a.tolist() == [2.0] * 4

    run(2, closing)

    def left_alone():
        rank, size = me()
        t = carrier()
        t.barrier().wait()
        if rank == 0:
            t.allreduce(cp.zeros(4), "SUM")
            begin = time.monotonic()
            t.close()
            assert time.monotonic() - begin < 5

    run(2, left_alone, **_short())


@standin_only
def test_a_call_that_nccl_refuses_says_so(cp):  # noqa: F811
    def refused():
        with pytest.raises(DistBackendError, match="broadcast: NCCL did not take the call: NCCL_ERROR_INVALID"):
            carrier().broadcast(cp.zeros(4), 7)

    run(1, refused)


def test_the_watch_goes_with_its_transport(cp):  # noqa: F811
    from lamella.distributed.nccl.watch import Watch

    class Transport:
        def check(self):
            return False

    t = Transport()
    watch = Watch(t, "test")
    watch.wake()
    assert watch._thread.is_alive()
    del t
    gc.collect()
    watch._thread.join(5)
    assert not watch._thread.is_alive()
