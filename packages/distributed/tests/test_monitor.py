"""The monitor by itself: ranks are threads that join a hub over TCP."""

import doctest
import importlib
import pkgutil
import sys
import threading
import time

import pytest
from monitor_jobs import FROM_1, SUM, failure, issue, job, quick, vanish  # noqa: F401 - quick is a fixture

from lamella.distributed import monitor as package
from lamella.distributed.errors import DistBackendError
from lamella.distributed.monitor import Hub, Monitor, hub, journal

MODULES = [m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


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
    assert text.startswith("rank 2 died (connection lost)\n  rank 0: no collective yet, now in failure at monitor_jobs")
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
