"""Streams that do nothing until they must: work waits until the host reads, or until another stream waits for it.

A stream that does not wait for another one thus overtakes it, always; on a GPU it would now and then. Memory that is
given back is overwritten, as soon as its stream comes to that. A rank that asks again and again whether something is
done drives it; other threads' questions change nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from cupy_standin import memory, runtime

CHANGED = threading.Condition(threading.RLock())
PATIENCE = 20.0  # seconds that the host waits for ranks before the test has failed


class Deadlock(AssertionError):
    """Work waits for itself."""


class NotYet(Exception):
    """Work waits for another rank."""


class _Thread(threading.local):
    working = False

    def __init__(self) -> None:
        self.active: set[tuple[int, int]] = set()  # (stream, work) that this thread is about to do


_THREAD = _Thread()


class Queue:
    """What one stream has been given; `finished` of it is done."""

    def __init__(self, device: int) -> None:
        self.device = device
        self.items: list[Any] = []
        self.finished = 0

    def put(self, item: Any) -> None:
        """Work, which is done later."""
        with CHANGED:
            self.items.append(item)
            CHANGED.notify_all()


class Wait:
    """The stream goes on when another one has come to a place."""

    def __init__(self, queue: Queue, place: int) -> None:
        self.queue, self.place = queue, place

    def done(self, block: bool) -> bool:
        drain(self.queue, self.place, block)
        return True


def drain(queue: Queue, place: int, block: bool = True) -> None:
    """Do a stream's work up to a place, and what that waits for.

    Args:
        queue: the stream's.
        place: how much of it.
        block: wait for other ranks; else NotYet is raised.
    """
    deadline = time.monotonic() + PATIENCE
    with CHANGED:
        while queue.finished < place:
            at = queue.finished
            here = id(queue), at
            if here in _THREAD.active:
                raise Deadlock(f"work {at} of a stream on device {queue.device} waits for what comes after it")
            _THREAD.active.add(here)
            try:
                over = _do(queue, queue.items[at], block)
            finally:
                _THREAD.active.discard(here)
            if over:
                queue.finished = max(queue.finished, at + 1)
            elif not block:
                raise NotYet
            elif time.monotonic() > deadline:
                raise AssertionError(f"work {at} of a stream on device {queue.device} hangs: {queue.items[at]}")
            else:
                CHANGED.wait(0.5)


def _do(queue: Queue, item: Any, block: bool) -> bool:
    if hasattr(item, "done"):
        return bool(item.done(block))
    before, _THREAD.working = _THREAD.working, True
    try:
        with memory.Device(queue.device):
            item()
    finally:
        _THREAD.working = before
    return True


NULLS: dict[int, Queue] = {}
BY_ADDRESS: dict[int, Queue] = {}


def queue_of(stream: Any) -> Queue:
    """A stream's work; that of the null stream is the current device's."""
    own = getattr(stream, "queue", None)
    if own is None:
        device = memory.current()
        with CHANGED:
            return NULLS.setdefault(device, Queue(device))
    return own


def here() -> Queue:
    """The current stream's work."""
    return queue_of(runtime.get_current_stream())


def launch() -> None:
    """An operation in the current stream, which the stand-in does at once: what was put there before comes first."""
    if not _THREAD.working:
        queue = here()
        drain(queue, len(queue.items))


class Stream(runtime.Stream):
    """`cupy.cuda.Stream` with a queue."""

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: Any = None
    ) -> None:
        super().__init__(null, non_blocking, ptds, priority)
        self.queue = None if null else Queue(memory.current())
        if not null:
            BY_ADDRESS[self.ptr] = self.queue

    def synchronize(self) -> None:
        queue = queue_of(self)
        drain(queue, len(queue.items))

    def record(self, event: Any = None) -> Any:
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Any) -> None:
        if event.queue is not None:
            queue_of(self).put(Wait(event.queue, event.place))

    @property
    def done(self) -> bool:
        queue = queue_of(self)
        return _reached(queue, len(queue.items))


class Event(runtime.Event):
    """`cupy.cuda.Event` with a place in a queue."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        super().__init__(block, disable_timing, interprocess)
        self.queue: Queue | None = None
        self.place = self.asked = 0

    def record(self, stream: Any = None) -> None:
        super().record(stream)
        self.queue = here() if stream is None else queue_of(stream)
        self.place = len(self.queue.items)

    def synchronize(self) -> None:
        if self.queue is not None:
            drain(self.queue, self.place)

    @property
    def done(self) -> bool:
        self.asked += not threading.current_thread().name.startswith("nccl")
        if self.queue is None or self.asked < 2:
            return self.queue is None or self.queue.finished >= self.place
        return _reached(self.queue, self.place)


def _reached(queue: Queue, place: int) -> bool:
    try:
        drain(queue, place, block=False)
    except (NotYet, Deadlock):
        return False
    return True


class Memory(memory.Memory):
    """Memory that goes back to the stream that was current when it was taken, and is used again at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queue = here()

    def __del__(self) -> None:
        super().__del__()
        buffer = self._buffer
        if buffer is not None and buffer.size < 1 << 16:
            self._queue.put(lambda: buffer.fill(0xAB))


def later(fn: Callable[[], Any]) -> None:
    """Put something into the current stream."""
    here().put(fn)


def reset() -> None:
    """Forget all work."""
    with CHANGED:
        NULLS.clear()
        BY_ADDRESS.clear()
