"""How ranks come to a communicator: what they talk over, which GPU they take, what is said when one does not come."""

from __future__ import annotations

import inspect
import sys
import threading
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from nccl_ranks import REAL, carrier, cp, gpus, me, need, run, standin_only, until  # noqa: F401 - a fixture

from lamella import distributed as dist
from lamella.distributed.backend import Member
from lamella.distributed.errors import DistBackendError
from lamella.distributed.group import world
from lamella.distributed.nccl import NCCLTransport
from lamella.distributed.nccl.bootstrap import OverStore, agree, channel_of, contradiction
from lamella.distributed.nccl.host import HostArrays
from lamella.distributed.store import HashStore


def _members(size, store, timeout=20.0):
    """A transport for each rank of processes that have a store and no MPI."""
    made = []
    for rank in range(size):
        one = SimpleNamespace(groups={}, store=store, rank=rank, size=size, monitor=None, step=0)
        made.append(NCCLTransport(Member("default", tuple(range(size)), rank, timeout, one)))
    return made


def _together(cp, transports, fn):  # noqa: F811
    """Call a function for each rank on a thread of its own, on a GPU of its own; their results or errors."""
    found = [None] * len(transports)

    def rank(n):
        try:
            with cp.cuda.Device(n):
                found[n] = fn(transports[n])
        except Exception as error:  # noqa: BLE001 - looked at by the test
            found[n] = error

    threads = [threading.Thread(target=rank, args=(n,)) for n, t in enumerate(transports) if t is not None]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


def _sum(cp):  # noqa: F811
    def total(t):
        a = cp.full(3, float(t.rank + 1))
        t.allreduce(a, "SUM").wait()
        found = a.tolist()
        t.barrier().wait()
        t.close()
        return found

    return total


def test_over_a_store(cp):  # noqa: F811
    need(2)
    assert _together(cp, _members(2, HashStore()), _sum(cp)) == [[3.0] * 3] * 2


def test_ranks_that_mpi_did_not_start(cp):  # noqa: F811
    """As torchrun starts them: a store, NCCL, and nothing for the CPU. Objects go over the GPUs."""
    need(2)
    from lamella.core import full
    from lamella.distributed.group import World, here

    store = HashStore()

    def rank(t):
        here.world = World()
        found = []
        for _ in range(2):  # a second time over the same store
            dist.init_process_group("nccl", store=store, rank=t.rank, world_size=2)
            objects, a = [None, None], full((3,), t.rank + 1.0, device="cuda")
            dist.all_gather_object(objects, f"rank {t.rank}")
            dist.all_reduce(a)
            dist.barrier()
            alone = dist.new_group([1])
            if t.rank == 1:
                dist.all_reduce(a, group=alone)
            found.append((objects, a.tolist()))
            dist.destroy_process_group()
        return found

    want = [(["rank 0", "rank 1"], [3.0] * 3)] * 2
    assert _together(cp, _members(2, store), rank) == [want, want]


def test_over_the_address_in_the_environment(cp, monkeypatch):  # noqa: F811
    need(2)
    from lamella.distributed.store import TCPStore

    first = TCPStore("127.0.0.1", 0, None, True, wait_for_workers=False)
    monkeypatch.setenv("MASTER_ADDR", "127.0.0.1")
    monkeypatch.setenv("MASTER_PORT", str(first.port))
    members = _members(2, None)
    members[0].member.world.store = first
    assert _together(cp, members, _sum(cp)) == [[3.0] * 3] * 2


def test_there_must_be_something_to_talk_over(cp, monkeypatch):  # noqa: F811
    monkeypatch.delenv("MASTER_ADDR", raising=False)
    monkeypatch.setenv("MASTER_PORT", "1")
    with pytest.raises(RuntimeError, match=r"neither MPI nor a store.*MASTER_ADDR not set\)\nhint: mpiexec"):
        _members(2, None)[0].allreduce(cp.zeros(3), "SUM")


@gpus(2)
def test_over_the_groups_cpu_transport():
    t = carrier()
    t.barrier().wait()
    assert type(t._channel).__name__ == "OverTransport" and t._channel.transport is world().default.control


@gpus(1)
def test_one_rank_needs_nobody(cp):  # noqa: F811
    a = cp.full(3, 2.0)
    carrier().allreduce(a, "SUM").wait()
    assert a.tolist() == [2.0] * 3 and carrier()._channel is None


@gpus(2)
def test_communicators_are_made_when_they_are_needed_once(cp):  # noqa: F811
    rank, size = me()
    t = carrier()
    assert t._comms == {}
    for _ in range(2):
        t.allreduce(cp.zeros(3), "SUM").wait()
    assert list(t._comms) == [f"cuda:{rank}"]
    (t.send if rank else t.recv)(cp.zeros(3), 1 - rank, 0).wait()
    assert list(t._comms) == [f"cuda:{rank}", f"0-1:{rank}"]


@gpus(4)
def test_a_pair_connects_without_the_others(cp):  # noqa: F811
    rank, size = me()
    a = cp.full(3, float(rank))
    if rank in (1, 3):
        t = carrier()
        (t.send if rank == 1 else t.recv)(a, 4 - rank, 0).wait()
        assert a.tolist() == [1.0] * 3


@gpus(4)
def test_groups_of_some_ranks(cp):  # noqa: F811
    rank, size = me()
    halves = [dist.new_group([0, 2]), dist.new_group([1, 3])]
    a = cp.full(3, float(rank))
    mine = halves[rank % 2].transports["cuda"]
    mine.allreduce(a, "SUM").wait()
    carrier().allreduce(b := cp.full(3, 1.0), "SUM").wait()
    assert a.tolist() == [2.0 + 2 * (rank % 2)] * 3 and b.tolist() == [4.0] * 3


@gpus(2)
def test_a_group_may_be_connected_before_its_first_collective(cp):  # noqa: F811
    rank, size = me()
    carrier().connect(f"cuda:{rank}")
    assert list(carrier()._comms) == [f"cuda:{rank}"]


# ---------------------------------------------------------------- which GPU


@gpus(1)
def test_calls_without_arrays_take_local_rank_or_the_current_device(cp):  # noqa: F811
    assert carrier().device() == 0
    if REAL and cp.cuda.runtime.getDeviceCount() < 2:
        return
    with cp.cuda.Device(1):
        assert carrier().device() == 1
        carrier().allreduce(cp.zeros(3), "SUM").wait()
    assert carrier().device() == 1  # the one that the group has used


@standin_only
def test_local_rank(cp, monkeypatch):  # noqa: F811
    monkeypatch.setenv("LOCAL_RANK", "2")
    assert run(1, lambda: carrier().device()) == [2]
    monkeypatch.setenv("LOCAL_RANK", "9")  # more ranks than GPUs
    assert run(1, lambda: carrier().device()) == [0]


@standin_only
def test_a_group_that_is_bound_to_a_gpu_refuses_others(cp):  # noqa: F811
    def bound():
        assert carrier().device() == 2
        with pytest.raises(ValueError, match=r"not on the GPU that the group was bound to \(cuda:0, .* cuda:2\)"):
            carrier().allreduce(cp.zeros(3), "SUM")

    run(1, bound, device_id="cuda:2")


@standin_only
def test_two_ranks_on_one_gpu_are_an_error_that_names_them(cp):  # noqa: F811
    def same():
        with cp.cuda.Device(1), pytest.raises(DistBackendError) as found:
            carrier().allreduce(cp.zeros(3), "SUM")
        return str(found.value)

    told = run(2, same)
    assert told[0] == told[1]
    assert told[0].startswith("nccl: ranks 0 and 1 of the group use one GPU (cuda:1 of ")
    assert "hint: torch.cuda.set_device(int(os.environ['LOCAL_RANK']))" in told[0]


@standin_only
def test_two_ranks_share_a_gpu_where_that_is_asked_for(cp):  # noqa: F811
    from lamella.dispatch.config import settings

    def same():
        with cp.cuda.Device(1), cp.cuda.Stream(non_blocking=True):  # threads share the null stream, processes do not
            a = cp.full(3, 1.0)
            carrier().allreduce(a, "SUM").wait()
            return a.tolist()

    with settings.using(nccl_share_device=True):
        assert run(2, same) == [[2.0] * 3] * 2


# ---------------------------------------------------------------- who does not come


@standin_only
def test_a_rank_that_never_joins_is_named_to_all_that_came(cp):  # noqa: F811
    members = _members(3, HashStore(), timeout=1.0)
    members[1] = None
    begin = time.monotonic()
    found = _together(cp, members, lambda t: t.allreduce(cp.zeros(3), "SUM"))
    assert time.monotonic() - begin < 15 and found[1] is None
    for error in (found[0], found[2]):
        assert isinstance(error, DistBackendError)
        assert str(error).startswith("nccl: 1 of 3 ranks did not join the communicator within 1 s (ranks [1] of the ")
        assert "\nhint: all ranks of a group make its first collective" in str(error)


@standin_only
def test_ranks_whose_first_does_not_come_say_so(cp, monkeypatch):  # noqa: F811
    monkeypatch.setattr("lamella.distributed.nccl.bootstrap._GRACE", 0.1)
    members = _members(2, HashStore(), timeout=0.3)
    members[0] = None
    [_, error] = _together(cp, members, lambda t: t.allreduce(cp.zeros(3), "SUM"))
    assert isinstance(error, DistBackendError) and "nothing came from rank 0 of the group" in str(error)


@standin_only
def test_a_rank_that_cannot_join_tells_all_why(cp, monkeypatch):  # noqa: F811
    from lamella.distributed.nccl import communicator

    real = communicator.facts_of

    def facts(key, device):
        if device == 1:
            raise RuntimeError("no NCCL here")
        return real(key, device)

    monkeypatch.setattr(communicator, "facts_of", facts)
    for error in _together(cp, _members(3, HashStore()), lambda t: t.allreduce(cp.zeros(3), "SUM")):
        assert isinstance(error, DistBackendError)
        assert str(error) == "nccl: rank 1 cannot join the communicator (no NCCL here)"


@standin_only
def test_nccl_that_cannot_connect_is_an_error_in_time(cp, monkeypatch):  # noqa: F811
    aborted = []

    def slow(*args):
        time.sleep(1.5)
        return SimpleNamespace(abort=lambda: aborted.append(args))

    monkeypatch.setattr(cp.cuda.nccl, "NcclCommunicator", slow)
    with pytest.raises(DistBackendError, match=r"did not connect within 1 s \(communicator cuda of 1 ranks on cuda:0"):
        run(1, lambda: carrier().barrier(), timeout=timedelta(seconds=0.5))
    assert until(lambda: len(aborted) == 1)  # what comes too late is given back

    def refuses(*args):
        raise cp.cuda.nccl.NcclError(2)

    monkeypatch.setattr(cp.cuda.nccl, "NcclCommunicator", refuses)
    with pytest.raises(DistBackendError, match="cannot make the communicator: NCCL_ERROR_SYSTEM_ERROR"):
        run(1, lambda: carrier().barrier())


def test_facts_that_contradict_each_other():
    same = {"key": "cuda", "version": 22707}
    assert contradiction({0: {**same, "gpu": "a"}, 1: {**same, "gpu": "b"}}) is None
    told = contradiction({0: {**same, "gpu": "a"}, 1: {"key": "0-1", "version": 22707, "gpu": "b"}})
    assert told.startswith("nccl: ranks make different communicators (rank 0: cuda, rank 1: 0-1)\nhint:")
    told = contradiction({0: {**same, "gpu": "a"}, 3: {"key": "cuda", "version": 22900, "gpu": "b"}})
    assert told == "nccl: ranks have different NCCLs (rank 0: 22707, rank 3: 22900)"


def test_the_id_of_the_first_rank_is_everybodys():
    store, found = HashStore(), {}

    def rank(n):
        channel = OverStore(store, "g", n)
        for key in ("a", "b"):  # twice: messages are told apart
            facts = {"key": key, "gpu": str(n)}
            found[n, key] = agree(channel, [1, 2], n, facts, lambda k=key: f"{n}{k}".encode(), 9.0)

    threads = [threading.Thread(target=rank, args=(n,)) for n in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == {(n, key): f"1{key}".encode() for n in (1, 2) for key in ("a", "b")}


def test_without_a_gpu_the_error_says_what_is_missing():
    from lamella.distributed import nccl

    if nccl.is_available():
        pytest.skip("there is a GPU")
    [t] = _members(1, None)
    with pytest.raises(RuntimeError, match=r"nccl cannot be used: (.|\n)*\nhint: pip install 'lamella-distributed"):
        t.barrier()


@standin_only
def test_without_nccl_the_error_says_so(cp, monkeypatch):  # noqa: F811
    from lamella.distributed import nccl

    assert nccl.version() == "2.27.7" and nccl.missing() == ""
    monkeypatch.setattr(cp.cuda.nccl, "available", False)
    assert not dist.is_nccl_available() and "CuPy finds no library libnccl" in nccl.missing()
    with pytest.raises(RuntimeError, match="all_reduce: the backend nccl cannot be used: NCCL cannot be loaded"):
        _members(1, None)[0].allreduce(cp.zeros(3), "SUM")
    monkeypatch.delattr(cp.cuda, "nccl")
    monkeypatch.delitem(sys.modules, "cupy.cuda.nccl")
    assert nccl.missing().startswith("CuPy has no NCCL (cannot import name 'nccl'")


# ---------------------------------------------------------------- the host's arrays


@gpus(2)
def test_arrays_of_the_host_go_over_gpus_where_there_is_nothing_else(cp):  # noqa: F811
    import numpy as np

    rank, size = me()
    t = HostArrays(carrier())
    a, out = np.arange(3) + rank, np.zeros(6, "int64")
    t.allgather(out, a).wait()
    assert out.tolist() == [0, 1, 2, 1, 2, 3]
    for call, want in ((lambda: t.allreduce(a, "SUM"), [1, 3, 5]), (lambda: t.broadcast(a, 1), [1, 3, 5])):
        call().wait()
        assert a.tolist() == want
    b = np.array([rank])
    t.reduce(b, "SUM", 1).wait()
    assert b.tolist() == [rank]  # 0, and 0 + 1
    t.gather(out if rank == 1 else None, a, 1).wait()
    t.scatter(b, np.array([5, 6]) if rank == 0 else None, 0).wait()
    assert b.tolist() == [5 + rank]
    t.reduce_scatter(b, np.array([1, 2]), "SUM").wait()
    assert b.tolist() == [2 + 2 * rank]
    work = t.recv(b, 1, 0) if rank == 0 else t.send(np.array([8]), 0, 0)
    work.wait()
    assert rank or (b.tolist() == [8] and work.source_rank() == 1)
    t.barrier().wait()


def test_a_host_array_that_nobody_answers_times_out(cp):  # noqa: F811
    import numpy as np

    def alone():
        carrier().barrier().wait()
        if me()[0] == 0:
            with pytest.raises(DistBackendError, match="was not over after"):
                HostArrays(carrier()).broadcast(np.zeros(3), 1).wait(0.2)

    need(2)
    run(2, alone)


def test_channels_prefer_the_cpu_transport_and_leave_the_gpus_out(cp):  # noqa: F811
    store = HashStore()
    one = SimpleNamespace(store=store)
    on_gpus = HostArrays(_members(2, store)[0])
    found = channel_of(SimpleNamespace(control=on_gpus), one, "g", 0, 2)
    assert isinstance(found, OverStore) and inspect.signature(found.send).parameters.keys() >= {"peer", "words"}


# ---------------------------------------------------------------- beside the monitor


class _Monitor:
    """What the transport asks the monitor of ranks."""

    failure = None

    def report(self, what, elapsed=0.0, why=None):
        return f"{what}: {why or 'not finished'}; rank 1 sleeps"


def _watched(cp, timeout, then):  # noqa: F811
    """Rank 0 in a collective to which rank 1 does not come, with a monitor; `then` makes something go wrong."""
    members = _members(2, HashStore(), timeout)
    for t in members:
        t.member.world.monitor = _Monitor()

    def rank(t):
        t.barrier().wait()
        if t.rank == 0:
            work = t.allreduce(cp.zeros(3), "SUM")
            then(t)
            assert until(lambda: work.exception() is not None)
            return str(work.exception())

    return _together(cp, members, rank)[0]


@standin_only
def test_a_rank_that_died_ends_collectives_with_the_monitors_words(cp):  # noqa: F811
    def died(t):
        t.member.world.monitor.failure = "rank 1 died (signal 9)"

    assert _watched(cp, 60.0, died) == "all_reduce: rank 1 died (signal 9)"


@standin_only
def test_the_monitor_tells_where_the_others_are(cp):  # noqa: F811
    assert _watched(cp, 1.0, lambda t: None) == "all_reduce: not finished; rank 1 sleeps"

    def broken(t):
        t._comms["cuda:0"]._made.failing = 6

    told = _watched(cp, 60.0, broken)
    assert told.startswith("all_reduce: nccl: NCCL reports: NCCL_ERROR_REMOTE_ERROR") and told.endswith("rank 1 sleeps")
