"""The monitor by itself: ranks are threads that join a hub over TCP."""

import contextlib
import doctest
import importlib
import itertools
import os
import pkgutil
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from lamella.dispatch.config import settings
from lamella.distributed import monitor as package
from lamella.distributed.errors import DistBackendError, DistNetworkError
from lamella.distributed.monitor import DebugLevel, Hub, Monitor, debug, hub, journal, ledger, rollcall, texts, wire

SUM = ("all_reduce", (3,), "float32", None, "SUM")
FROM_1 = ("broadcast", (4,), "float32", 1)
MODULES = [m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Heartbeats come soon, and the hub waits little for connections that a test leaves open."""
    monkeypatch.setattr(sys.modules[Monitor.__module__], "BEAT", 0.05)
    monkeypatch.setattr(hub, "LINGER", 0.1)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def job(size, fn, timeout=5.0):
    """Run `fn(monitor)` on `size` ranks; what they return, in order. `monitor.meet()` waits for the other ranks."""
    address, barrier = Hub.start(size), threading.Barrier(size, timeout=20)
    found = [None] * size

    def run(rank):
        try:
            monitor = Monitor.connect(address, rank, size, timeout)
            monitor.meet = barrier.wait
            found[rank] = fn(monitor)
            monitor.close()
        except Exception as e:
            found[rank] = e

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    hub.stop(address)
    for result in found:
        if isinstance(result, Exception) and not isinstance(result, RuntimeError):
            raise result
    return found


def failure(monitor, seconds=5.0):
    """Wait for a failure as a work does; its text."""
    deadline = time.monotonic() + seconds
    while monitor.failure is None and time.monotonic() < deadline:
        time.sleep(0.001)
    return monitor.failure


def vanish(monitor):
    """What the others see of a rank that is killed: a connection that ends without a goodbye."""
    monitor.close()


def issue(monitor, *entries, group="world", ranks=None):
    log = monitor.log(group, ranks)
    for entry in entries:
        log.append(entry)
    monitor.waiting = (log, entries[-1])
    return log


# -- in order ---------------------------------------------------------------------------------------------------------


def test_all_leave_in_order():
    def rank(monitor):
        log = monitor.log("world")
        for _ in range(1000):
            log.append(SUM)
        time.sleep(0.3 * monitor.rank)
        assert monitor.failure is None
        return monitor.leave()

    assert job(3, rank) == [True, True, True]


def test_journal_takes_out_what_was_told_and_counts_on():
    def rank(monitor):
        log = monitor.log("world")
        for _ in range(3):
            for _ in range(100):
                log.append(SUM)
            time.sleep(0.2)
        assert len(log) == 0 and log.total == 300 and sum(run.count for run in log.recent) == 300
        last = ("barrier", None, None, None)
        log.append(last)
        assert log.tell(last) == "barrier #301 of group 'world'"
        return monitor.leave()

    assert job(2, rank) == [True, True]


def test_the_same_name_is_the_same_journal():
    def rank(monitor):
        return monitor.log("world") is monitor.log("world", [0, 1]) and monitor.leave()

    assert job(2, rank) == [True, True]


def test_sends_and_receives_are_not_compared():
    def rank(monitor):
        log = monitor.log("world")
        log.append(SUM)
        log.p2p.append(("send" if monitor.rank else "recv", 3, "float32", 1 - monitor.rank))
        return monitor.leave()

    assert job(2, rank) == [True, True]


def test_groups_are_compared_each_for_itself():
    def rank(monitor):
        monitor.log("world").append(SUM)
        if monitor.rank < 2:
            monitor.log("pair", [0, 1]).append(FROM_1)
        else:
            monitor.log("pair", [2, 3]).append(SUM)
        return monitor.leave()

    assert job(4, rank) == [True] * 4


def test_assemble_waits_for_all_members():
    def rank(monitor):
        time.sleep(0.1 * monitor.rank)
        since = time.monotonic()
        monitor.assemble("world", [0, 1, 2], 5.0)
        assert monitor.rank or time.monotonic() - since > 0.15
        return monitor.leave()

    assert job(3, rank) == [True] * 3


# -- death ------------------------------------------------------------------------------------------------------------


def test_death_is_told_at_once_and_names_where_the_others_wait():
    def rank(monitor):
        monitor.step = 4
        issue(monitor, SUM)
        monitor.meet()
        if monitor.rank == 2:
            time.sleep(0.2)
            return vanish(monitor)
        since = time.monotonic()
        failure(monitor)
        assert time.monotonic() - since < 2.0
        text = monitor.report("all_reduce", 1.0)
        assert monitor.leave(False) is False
        return text

    text = ("all_reduce: rank 2 died (ranks 0, 1 wait in all_reduce #1 f32[3] SUM of group 'world', step 4)\n"
            "hint: the output of rank 2 or the system's log (memory) may tell why")
    assert job(3, rank) == [text, text, None]


def test_death_names_what_each_of_the_others_does():
    def rank(monitor):
        log = monitor.log("world")
        if monitor.rank == 1:
            log.append(SUM)
            monitor.waiting = (log, SUM)
        monitor.meet()
        if monitor.rank == 2:
            time.sleep(0.2)
            return vanish(monitor)
        return failure(monitor)

    text = job(3, rank)[0]
    assert text.startswith("rank 2 died (connection lost)\n  rank 0: no collective yet, now in failure at test_monitor")
    assert "  rank 1 waits in all_reduce #1 f32[3] SUM of group 'world'\nhint: " in text


def test_death_of_rank_0_is_the_lost_connection():
    def rank(monitor):
        issue(monitor, SUM)
        monitor.meet()
        if monitor.rank == 0:
            running = hub._hubs[monitor.address]
            running._stopping = 0.0  # its process is gone, and the hub with it
            return None
        return failure(monitor), monitor.leave(False)

    text = ("rank 0 died (rank 1 waits in all_reduce #1 f32[3] SUM of group 'world')\n"
            "hint: the output of rank 0 or the system's log (memory) may tell why")
    assert job(2, rank)[1] == (text, False)


def test_exception_of_a_rank_reaches_the_others():
    def rank(monitor):
        issue(monitor, SUM)
        monitor.meet()
        if monitor.rank == 1:
            try:
                raise ValueError("bad sample\nsecond line")
            except ValueError as e:
                monitor.fail(e)
            return monitor.failure, monitor.leave(False)
        return failure(monitor), monitor.leave(False)

    found = job(2, rank)
    assert found[0][0].startswith("rank 1 raised ValueError: bad sample in rank at test_monitor.py:")
    assert found[0][0].split("\n")[0].endswith("(rank 0 waits in all_reduce #1 f32[3] SUM of group 'world')")
    assert found[0][0].endswith("\nhint: the traceback of rank 1 tells more")
    assert found[1][0].startswith("rank 1 raised ValueError: bad sample") and not found[0][1] and not found[1][1]


def test_uncaught_exception_of_a_rank_thread_is_told(monkeypatch):
    seen = []
    monkeypatch.setattr(threading, "excepthook", lambda args: seen.append(args.exc_type))
    address, told, made = Hub.start(2), [], []

    def good():
        monitor = Monitor.connect(address, 0, 2, 5.0)
        told.append(failure(monitor))
        monitor.leave(False)

    def bad():
        made.append(Monitor.connect(address, 1, 2, 5.0))
        raise KeyError("weights")

    threads = [threading.Thread(target=good), threading.Thread(target=bad)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    made[0].close()
    assert told[0].startswith("rank 1 raised KeyError: 'weights' in bad at test_monitor.py:")
    assert seen == [KeyError]


def test_a_rank_that_leaves_unfinished_is_told():
    def rank(monitor):
        if monitor.rank == 1:
            return monitor.leave(False)
        return failure(monitor).split("\n")[0]

    assert job(2, rank) == ["rank 1 left before its work was finished", False]


def test_a_rank_that_comes_after_the_failure_says_what_it_waits_in():
    def rank(monitor):
        monitor.meet()
        if monitor.rank == 1:
            return vanish(monitor)
        failure(monitor)
        monitor.step = 2
        monitor.log("world").append(SUM)
        return monitor.report("all_reduce")

    lines = job(2, rank)[0].split("\n")
    assert lines[0] == "all_reduce: rank 1 died (connection lost)" and lines[2].startswith("hint: ")
    assert lines[1] == "  rank 0 waits in all_reduce #1 f32[3] SUM of group 'world', step 2"


def test_first_cause_stays():
    def rank(monitor):
        issue(monitor, SUM)
        if monitor.rank == 2:
            return vanish(monitor)
        first = failure(monitor)
        monitor.fail(DistBackendError("follows"))
        time.sleep(0.2)
        return monitor.failure == first and monitor.leave(False) is False

    assert job(3, rank) == [True, True, None]


# -- disagreement -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [
    FROM_1,
    ("all_reduce", (4,), "float32", None, "SUM"),
    ("all_reduce", (3,), "float64", None, "SUM"),
    ("all_reduce", (3,), "float32", None, "MAX"),
])
def test_different_collectives(other):
    def rank(monitor):
        monitor.step = 7
        entry = other if monitor.rank == 1 else SUM
        issue(monitor, ("barrier", None, None, None), entry)
        failure(monitor)
        return monitor.report(entry[0]), monitor.leave()

    found = job(3, rank)
    lines = ["ranks disagree in collective #2 of group 'world', step 7", "  ranks 0, 2: all_reduce f32[3] SUM",
             "  rank 1: " + journal.describe(other)]
    for at, (text, clean) in enumerate(found):
        op = other[0] if at == 1 else "all_reduce"
        assert text.split("\n")[:3] == [f"{op}: {lines[0]}", *lines[1:]]
        assert not clean


def test_different_roots():
    def rank(monitor):
        issue(monitor, ("broadcast", 8, "int64", monitor.rank))
        return failure(monitor).split("\n")[1:3]

    assert job(2, rank)[0] == ["  rank 0: broadcast i64[8] root 0", "  rank 1: broadcast i64[8] root 1"]


def test_disagreement_weighs_more_than_the_error_it_leads_to():
    def rank(monitor):
        issue(monitor, SUM if monitor.rank else FROM_1)
        monitor.meet()
        if monitor.rank == 0:
            monitor.fail(RuntimeError("message truncated"))
        failure(monitor)
        text = monitor.report("all_reduce")
        monitor.leave(False)
        return text

    assert all(text.startswith("all_reduce: ranks disagree in collective #1") for text in job(2, rank)[1:])


def test_a_report_finds_a_disagreement_that_no_heartbeat_has_told_yet(monkeypatch):
    monkeypatch.setattr(sys.modules[Monitor.__module__], "BEAT", 60.0)

    def rank(monitor):
        issue(monitor, SUM if monitor.rank else FROM_1)
        monitor.meet()
        text = monitor.report("all_reduce", 0.1, "MPI failed (message truncated)") if monitor.rank else failure(monitor)
        monitor.leave(False)
        return text

    assert "ranks disagree in collective #1" in job(2, rank)[1]


def test_leaving_early():
    def rank(monitor):
        issue(monitor, *[SUM] * (11 + monitor.rank))
        if monitor.rank:
            failure(monitor)
        left = monitor.leave()
        return left, monitor.failure

    text = ("rank 0 has left after 11 collectives of group 'world' (rank 1 called 12)\n"
            "  rank 1: #12 is all_reduce f32[3] SUM\n"
            "hint: with uneven data use Join (torch.distributed.algorithms.join) or drop the last batches")
    assert job(2, rank) == [(False, text), (False, text)]


def test_groups_of_one_name_with_other_members():
    def rank(monitor):
        try:
            monitor.assemble("group 0", [0, 1] if monitor.rank == 0 else [0, 1, 2], 5.0)
        except DistBackendError as e:
            return str(e).split("\n")[:3]
        finally:
            monitor.leave(False)

    assert job(3, rank)[1] == ["new_group: ranks disagree about the members of group 'group 0'",
                               "  rank 0: [0, 1]", "  ranks 1, 2: [0, 1, 2]"]


def test_a_rank_that_leaves_instead_of_making_a_group():
    def rank(monitor):
        if monitor.rank == 1:
            return monitor.leave()
        with pytest.raises(DistBackendError, match="new_group: rank 1 left before the start of group 'group 0'"):
            monitor.assemble("group 0", [0, 1], 5.0)
        return monitor.leave(False)

    assert job(2, rank) == [False, False]


# -- time-outs --------------------------------------------------------------------------------------------------------


def forward_without_end(seconds):
    time.sleep(seconds)


def test_report_says_where_each_rank_is():
    def rank(monitor):
        monitor.step = 3
        log = issue(monitor, SUM)
        monitor.meet()
        if monitor.rank == 1:
            monitor.waiting = None
            forward_without_end(0.8)
            return monitor.leave()
        if monitor.rank == 0:
            log.append(FROM_1)
            time.sleep(0.3)
            text = monitor.report("broadcast", 0.3)
            monitor.leave()
            return text
        time.sleep(0.8)
        return monitor.leave()

    lines = job(3, rank)[0].split("\n")
    assert lines[0] == "broadcast: not finished after 0.3 s"
    assert lines[1] == "  rank 0 waits in broadcast #2 f32[4] root 1 of group 'world', step 3"
    assert lines[2].startswith("  rank 1: last collective all_reduce #1 f32[3] SUM of group 'world', step 3, now in "
                               "forward_without_end at test_monitor.py:")
    assert lines[3] == "  rank 2 waits in all_reduce #1 f32[3] SUM of group 'world', step 3"
    assert lines[4].startswith("hint: ")


def test_rank_that_does_not_join():
    address, found = Hub.start(4), {}

    def run(rank):
        try:
            Monitor.connect(address, rank, 4, 0.5)
        except DistNetworkError as e:
            found[rank] = str(e)

    threads = [threading.Thread(target=run, args=(rank,)) for rank in (0, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    hub.stop(address)
    text = ("init_process_group: ranks 1, 3 of 4 did not join within 0.5 s (ranks 0, 2 did)\n"
            "hint: every rank must call init_process_group; the output of those that did not may tell why")
    assert found == {0: text, 2: text}


def test_ranks_on_other_hosts_try_a_name_and_an_address(monkeypatch):
    running = hub.Hub(1, "no-such-host.invalid", 0)
    assert running.address.startswith("no-such-host.invalid")
    if not hub.outside():
        pytest.skip("this machine has no address")
    assert Monitor.connect(running.address, 0, 1, 20.0).leave()


def test_roll_call_before_ranks_can_talk(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    calls = [rollcall.RollCall(rank, range(4), os.getpid()) for rank in range(3)]
    done = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    left = tmp_path / f"lamella-{os.getuid()}-{int(done.stdout)}-1"
    left.mkdir()
    calls[0].enter()
    calls[1].enter()
    assert not left.exists()
    assert calls[0].missing() == [2, 3] and calls[0].dead() == [] and calls[2].missing() == []
    calls[2]._write(int(done.stdout))
    assert calls[0].missing() == [3] and calls[0].dead() == [2]
    child = subprocess.Popen(["sleep", "20"])
    mine = rollcall.RollCall(0, range(2), os.getpid(), parent=True)
    assert mine.ended() == 1 and calls[0].ended() == 0
    child.kill()
    child.wait()
    assert mine.ended() == 2
    calls[1].give_up()
    assert calls[0].dead() == [2] and calls[0].missing() == [3]
    calls[0].give_up()
    assert not list(tmp_path.iterdir())



def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(DistNetworkError, match="rank 1 cannot reach rank 0 within 0.2 s"):
        Monitor.connect(f"127.0.0.1|{port}|x", 1, 2, 0.2)


def test_wrong_world_size_and_rank_taken_twice():
    address, found = Hub.start(2), {}

    def run(key, rank, size):
        try:
            Monitor.connect(address, rank, size, 1.0)
        except DistNetworkError as e:
            found[key] = str(e).split("\n")[0]

    first = threading.Thread(target=run, args=("first", 0, 2))
    first.start()
    time.sleep(0.2)
    run("size", 1, 3)
    run("twice", 0, 2)
    first.join(10)
    hub.stop(address)
    assert found["size"] == "init_process_group: rank 1 was told a world size of 3, rank 0 one of 2"
    assert found["twice"] == "init_process_group: two processes call themselves rank 0"
    assert found["first"] == "init_process_group: rank 1 of 2 did not join within 1 s (rank 0 did)"


@pytest.mark.parametrize("data", [
    b"GET / HTTP/1.1\r\n\r\n",
    b"\0\0\0\2[]",
    wire.pack({"t": "leave"}),
    wire.pack({"t": "hello", "token": "guess", "rank": 1, "size": 2}),
])
def test_strangers_are_sent_away(data):
    address = Hub.start(2)
    host, port, _ = address.split("|")
    with socket.create_connection((host, int(port)), 5) as sock:
        sock.sendall(data)
        with contextlib.suppress(ConnectionResetError):
            assert sock.recv(10) == b""
    assert not hub._hubs[address].members
    hub.stop(address)


# -- checked before they run ------------------------------------------------------------------------------------------


def test_detail_refuses_before_anything_runs_and_goes_on():
    def rank(monitor):
        log = monitor.log("world")
        log.append(SUM)
        with pytest.raises(DistBackendError) as caught:
            log.append(FROM_1 if monitor.rank else SUM)
        log.append(SUM)
        return str(caught.value), monitor.failure, monitor.leave()

    with settings.using(distributed_debug="detail"):
        found = job(2, rank)
    text = ("ranks disagree in collective #2 of group 'world'\n  rank 0: all_reduce f32[3] SUM\n"
            "  rank 1: broadcast f32[4] root 1\nhint: all ranks of a group must call the same, in the same order")
    assert found == [(f"all_reduce: {text}", None, True), (f"broadcast: {text}", None, True)]


def test_detail_waits_for_late_ranks_and_no_longer_than_the_time_out():
    def rank(monitor):
        log = monitor.log("world")
        log.timeout = 0.5
        time.sleep(0.2 * monitor.rank)
        log.append(SUM)
        if monitor.rank == 0:
            with pytest.raises(DistBackendError, match="all_reduce: not finished after 0.5"):
                log.append(SUM)
        else:
            time.sleep(1.0)
        monitor.leave(False)

    with settings.using(distributed_debug="detail"):
        job(2, rank)


def test_a_rank_that_cannot_raise_is_ended(monkeypatch):
    """A call into MPI that does not return: the thread that listens ends the process."""
    stuck, ended, said = threading.Lock(), [], []
    client = sys.modules[Monitor.__module__]
    monkeypatch.setattr(client, "GRACE", 0.2)
    monkeypatch.setattr(client, "say", said.append)
    monkeypatch.setattr(client.os, "_exit", lambda status: (ended.append(status), stuck.release()))
    inside = {"__name__": "lamella.distributed.mpi.transport", "stuck": stuck}
    exec("def make_communicator():\n    stuck.acquire(timeout=10)", inside)

    def rank(monitor):
        monitor.meet()
        if monitor.rank == 1:
            return vanish(monitor)
        monitor._main = True
        inside["make_communicator"]()
        monitor._main = False
        return monitor.leave(False)

    stuck.acquire()
    assert job(2, rank) == [False, None]
    assert ended[:1] == [1]
    assert said[0] == "rank 0: ends: it stands in make_communicator, which other ranks do not come to"
    assert said[1].startswith("make_communicator: rank 1 died")


def test_debug_levels(monkeypatch):
    before = debug.get_debug_level()
    try:
        monkeypatch.delenv("LAMELLA_DISTRIBUTED_DEBUG", raising=False)
        monkeypatch.setenv("TORCH_DISTRIBUTED_DEBUG", "Detail")
        debug.set_debug_level_from_env()
        assert debug.get_debug_level() is DebugLevel.DETAIL
        monkeypatch.setenv("LAMELLA_DISTRIBUTED_DEBUG", "info")
        debug.set_debug_level_from_env()
        assert debug.get_debug_level() is DebugLevel.INFO
        monkeypatch.setenv("LAMELLA_DISTRIBUTED_DEBUG", "much")
        with pytest.raises(ValueError, match="LAMELLA_DISTRIBUTED_DEBUG: must be OFF, INFO or DETAIL"):
            debug.set_debug_level_from_env()
        with pytest.raises(TypeError, match="level must be a DebugLevel"):
            debug.set_debug_level(2)
        debug.set_debug_level(DebugLevel.OFF)
        assert debug.get_debug_level() is DebugLevel.OFF
    finally:
        debug.set_debug_level(before)


def test_info_tells_who_comes_and_goes(capfd):
    def rank(monitor):
        issue(monitor, SUM)
        return monitor.leave()

    with settings.using(distributed_debug="info"):
        job(2, rank)
    said = capfd.readouterr().err
    assert "lamella.distributed: rank 1 of 2 joined (process " in said
    assert "lamella.distributed: rank 0 leaves; collectives: 1 of 'world'" in said


# -- parts ------------------------------------------------------------------------------------------------------------


def test_entries_with_lists_are_taken():
    prints = journal.Fingerprints()
    assert prints.of(("all_reduce", [3], "float32", None)) == prints.of(("all_reduce", (3,), "float32", None))
    assert prints.untold == {prints.of(("all_reduce", 3, "float32", None)): "all_reduce f32[3]"}


def test_ledger_finds_the_first_difference_and_forgets_what_all_have_told():
    group = ledger.Ledger().open("g", [0, 1])
    assert group.add(0, 0, [("a", 100, 0)]) is None
    assert group.add(1, 0, [("a", 99, 0)]) is None
    assert group.agreed == 99 and [place.count for place in group.places] == [1]
    assert group.add(1, 99, [("b", 1, 12)]).number == 100
    with pytest.raises(ValueError, match="tells entry 5 after 100"):
        group.add(1, 5, [("b", 1, 0)])


def test_ledger_compares_runs_that_are_told_in_other_pieces():
    draw = random.Random(0)
    for _ in range(300):
        calls = [draw.choice("aab") for _ in range(draw.randint(1, 30))]
        wrong = draw.randrange(len(calls)) if draw.random() < 0.5 else None
        group, at, first = ledger.Ledger().open("g", [0, 1, 2]), [0, 0, 0], None
        while any(n < len(calls) for n in at):
            rank = draw.choice([r for r in range(3) if at[r] < len(calls)])
            mine = list(calls)
            if wrong is not None and rank == 1:
                mine[wrong] = "c"
            piece = mine[at[rank] : at[rank] + draw.randint(1, 8)]
            runs = [(key, len(list(same)), 0) for key, same in itertools.groupby(piece)]
            found = group.add(rank, at[rank], runs)
            first = first or found
            at[rank] += len(piece)
        assert group.agreed == len(calls) and not group.places
        assert (first is None) if wrong is None else (first.number == wrong + 1)


def test_messages_come_in_pieces():
    unpacker, data = wire.Unpacker(), wire.pack({"t": "a"}) + wire.pack({"t": "b", "x": 1})
    found = [m for at in range(len(data)) for m in unpacker.feed(data[at : at + 1])]
    assert found == [{"t": "a"}, {"t": "b", "x": 1}]
    with pytest.raises(ValueError, match="a message of 5000 bytes"):
        unpacker.feed(b"\0\0\x13\x88")


def test_errors_are_few_lines():
    states = {rank: f"last collective all_reduce #{rank}, now at train.py:{rank}" for rank in range(64)}
    text = texts.died([64], states)
    assert len(text.split("\n")) == 6 and text.split("\n")[-2] == "  ... 61 more lines"
