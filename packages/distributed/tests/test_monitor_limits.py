"""The monitor: who is late, strangers, what is checked before it runs; its parts by themselves."""

import contextlib
import itertools
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import pytest
from monitor_jobs import FROM_1, SUM, failure, issue, job, quick, vanish  # noqa: F401 - quick is a fixture

from lamella.dispatch.config import settings
from lamella.distributed.errors import DistBackendError, DistNetworkError
from lamella.distributed.monitor import DebugLevel, Hub, Monitor, debug, hub, journal, ledger, rollcall, texts, wire

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
                               "forward_without_end at test_monitor_limits.py:")
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
