"""A collective under way on a GPU."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from lamella.dispatch.errors import message

from ..errors import DistBackendError
from ..work import FAILED, PENDING, Work, seconds_of


class NCCLWork(Work):
    """A collective in a stream of its own.

    `wait` makes the current stream wait for it, not the host; with a time-out, and for barriers, the host waits too.
    What `then` adds runs in the collective's stream, right after it.

    Attributes:
        begun: when it was put into the stream, by `time.monotonic`.
        told: says who waits for what.
        source: the global rank that a message comes from.
    """

    def __init__(self, name: str, timeout: float, arrays: tuple[Any, ...], told: Callable[[], str],
                 blocking: bool = False, monitor: Any = None) -> None:
        self.describe, self.timeout = name, timeout
        self.begun = time.monotonic()
        self._comm: Any = None
        self._mark: Any = None
        #: What must not be given to anybody else before the GPU is done with it, or waits for it.
        self._arrays = arrays
        self._fns: list[Callable[[], Any]] = []
        self._producer: Any = None
        self._blocking, self.told, self._monitor = blocking, told, monitor
        self.source: int | None = None
        self._waited: list[Any] = []

    def started(self, comm: Any, producer: Any) -> None:
        """It is in the stream of a communicator; `producer` is the stream that made its arrays.

        The current stream is the communicator's.
        """
        import cupy

        self._comm, self._producer, self.begun = comm, producer, time.monotonic()
        fns, self._fns = self._fns, []
        for fn in fns:
            fn()
        self._fns = fns
        self._mark = comm.stream.record(cupy.cuda.Event(disable_timing=True))

    def then(self, fn: Callable[[], Any]) -> Work:
        """Put something into the collective's stream, after it."""
        if self._status == FAILED:
            return self
        if self._comm is None:
            self._fns.append(fn)
            return self
        import cupy

        comm = self._comm
        with cupy.cuda.Device(comm.device):
            with comm.stream:
                fn()
            self._mark = comm.stream.record(cupy.cuda.Event(disable_timing=True))
            for stream in self._waited:
                stream.wait_event(self._mark)
        self._status = PENDING
        self._fns.append(fn)
        comm.add(self)
        return self

    def after(self, other: NCCLWork) -> None:
        """What is added by `then` from now on comes after another work, too."""
        self._comm.stream.wait_event(other._mark)

    def over(self) -> bool:
        """Whether the GPU is done with it; raises what ended it. Nothing follows from asking."""
        if self._error is not None:
            raise self._error
        return self._mark is not None and bool(self._mark.done)

    _poll = over

    def ended(self) -> bool:
        """Whether it is over, well or not."""
        return self._error is not None or self.over()

    def fail(self, error: BaseException) -> None:
        """End it with an error."""
        if self._status == PENDING:
            self._fail(error)
        self._arrays, self._fns = (), []

    def forget(self) -> None:
        """Its memory may go."""
        self._arrays, self._fns = (), []

    def wait(self, timeout: float | timedelta | None = None) -> bool:
        """Make the current stream wait for it.

        Args:
            timeout: seconds (or a timedelta) that the host waits until it is over; the host does not wait where None.

        Returns:
            True.

        Raises:
            DistBackendError: it failed, or was not over in time; the communicator is then ended.
        """
        if self._status == FAILED:
            assert self._error is not None
            raise self._error
        if self._comm is None:
            rule = "the work is in a group of calls that has not been started"
            raise RuntimeError(message("wait", rule, self.describe, hint="end_coalescing() starts it"))
        self._order()
        if timeout is not None or self._blocking:
            self._host(timeout)
        return True

    def _order(self) -> None:
        """What is put into the current stream from now on comes after it."""
        import cupy

        comm = self._comm
        with cupy.cuda.Device(comm.device):
            current = cupy.cuda.get_current_stream()
            current.wait_event(self._mark)  # inside: the null stream is the current device's
        if current not in self._waited:
            self._waited.append(current)
        if current == self._producer:  # memory goes back to the stream that made it, which waits: it may go now
            self.forget()

    def _host(self, timeout: float | timedelta | None) -> None:
        seconds = seconds_of(timeout)
        limit = self.timeout if seconds is None else seconds
        deadline = time.monotonic() + (limit or 0.0)
        pause = 2e-5
        while not self.over():
            if limit is not None and time.monotonic() > deadline:
                raise self.expire(limit)
            time.sleep(pause)
            pause = min(pause * 1.5, 2e-3)
        if self._status == PENDING:
            self._finish()

    def lateness(self, seconds: float) -> BaseException:
        """The error of a work that took too long."""
        if self._monitor is not None:
            return DistBackendError(self._monitor.report(self.describe, seconds))
        rule = f"{self.describe} was not over after {seconds:.3g} s"
        hint = "a rank died, called something else, or needs longer: init_process_group(timeout=...)"
        return DistBackendError(message("nccl", rule, self.told(), hint=hint))

    def expire(self, seconds: float) -> BaseException:
        """End its communicator because it took too long, and return the reason."""
        error = self.lateness(seconds)
        self.fail(error)
        self._comm.abort(error)
        return error

    def synchronize(self) -> None:
        """Block the host until it is over."""
        self.wait()
        self._host(None)

    def source_rank(self) -> int:
        """The rank that a message came from."""
        return super().source_rank() if self.source is None else self.source

    def result(self) -> list[Any]:
        """The tensors that it wrote; the current stream waits for them."""
        self.wait()
        return self._result


class Together(Work):
    """Several works as one."""

    def __init__(self, name: str, works: list[NCCLWork]) -> None:
        self.describe, self._works = name, works

    def _poll(self) -> bool:
        return all([work.over() for work in self._works])

    def wait(self, timeout: float | timedelta | None = None) -> bool:
        """Make the current stream wait for all of them; see `NCCLWork.wait`."""
        for work in self._works:
            work.wait(timeout)
        return True

    def synchronize(self) -> None:
        """Block the host until they are over."""
        for work in self._works:
            work.synchronize()

    def then(self, fn: Callable[[], Any]) -> Work:
        """Put something into the stream of the last of them, after all of them."""
        if not self._works:
            fn()
            return self
        *before, last = self._works
        for work in before:
            last.after(work)
        last.then(fn)
        return self
