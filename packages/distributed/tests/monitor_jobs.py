"""Ranks with a monitor each, as threads of one process, for the tests of the monitor."""

import sys
import threading
import time

import pytest

from lamella.distributed.monitor import Hub, Monitor, hub

SUM = ("all_reduce", (3,), "float32", None, "SUM")
FROM_1 = ("broadcast", (4,), "float32", 1)
FROM_1 = ("broadcast", (4,), "float32", 1)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Heartbeats come soon, and the hub waits little for connections that a test leaves open."""
    monkeypatch.setattr(sys.modules[Monitor.__module__], "BEAT", 0.05)
    monkeypatch.setattr(hub, "LINGER", 0.1)


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
