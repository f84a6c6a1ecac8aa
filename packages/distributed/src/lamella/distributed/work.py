"""Work: a collective under way. Future: what will follow from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from lamella.dispatch.errors import message

PENDING, DONE, FAILED = 0, 1, 2


class Work:
    """A communication under way.

    Backends say by `_poll` whether it is over; whoever asks (`wait`, `is_completed`) drives it. What is left to do when
    it is over (copying into tensors that are not contiguous, dividing by the number of ranks) is added by `then`.
    """

    _status = PENDING  # class attributes, so that a work that waits at once costs little to make
    _error: BaseException | None = None
    _after: list[Callable[[], Any]] | None = None
    _result: Any = None
    _future: Future | None = None
    describe = ""
    timeout: float | None = None

    def _poll(self) -> bool:
        """Whether the communication is over; raises what ended it. Backends write this."""
        return True

    def _pause(self, deadline: float | None) -> None:
        """Wait a little between polls; raises when the deadline has passed. Backends write this."""
        time.sleep(0.0001)

    def then(self, fn: Callable[[], Any]) -> Work:
        """Do something once, when the communication is over."""
        if self._status == PENDING:
            if self._after is None:
                self._after = [fn]
            else:
                self._after.append(fn)
        else:
            fn()
        return self

    def _finish(self) -> None:
        self._status = DONE
        after, self._after = self._after, None
        if after is not None:
            for fn in after:
                fn()
        if self._future is not None:
            self._future._settle()

    def _fail(self, error: BaseException) -> None:
        self._status, self._error, self._after = FAILED, error, None
        if self._future is not None:
            self._future._settle()

    def is_completed(self) -> bool:
        """Whether it is over, well or not. Does not block."""
        if self._status == PENDING:
            try:
                if self._poll():
                    self._finish()
            except Exception as e:
                self._fail(e)
        return self._status != PENDING

    def is_success(self) -> bool:
        """Whether it is over and went well."""
        return self.is_completed() and self._status == DONE

    def exception(self) -> BaseException | None:
        """What it failed with, None while it has not."""
        self.is_completed()
        return self._error

    def wait(self, timeout: float | timedelta | None = None) -> bool:
        """Block until it is over.

        Args:
            timeout: seconds (or a timedelta); the group's where None.

        Returns:
            True.

        Raises:
            RuntimeError: a rank died, disagreed or did not come in time; the text says which.
        """
        if self._status == DONE:
            return True
        if self._status == PENDING:
            try:
                if not self._poll():
                    self._block(timeout)
                self._finish()
                return True
            except BaseException as e:
                if self._status == PENDING and not isinstance(e, KeyboardInterrupt):
                    self._fail(e)
                raise
        assert self._error is not None
        raise self._error

    def _block(self, timeout: float | timedelta | None) -> None:
        limit = seconds_of(timeout) or self.timeout
        deadline = None if limit is None else time.monotonic() + limit
        while not self._poll():
            self._pause(deadline)

    def synchronize(self) -> None:
        """Block until it is over, as `wait` does."""
        self.wait()

    def result(self) -> list[Any]:
        """The tensors that it wrote."""
        self.wait()
        return self._result

    def source_rank(self) -> int:
        """The rank that a message came from."""
        raise RuntimeError(message("source_rank", "only works of recv have a source"))

    def get_future(self) -> Future:
        """A Future that is done when this is."""
        if self._future is None:
            self._future = Future(self)
            if self._status != PENDING:
                self._future._settle()
        return self._future


class Future:
    """A value that is there later; `then` makes another of it.

    Example:
        >>> first = Future()
        >>> second = first.then(lambda f: f.value() + 1)
        >>> first.set_result(1)
        >>> second.wait()
        2
    """

    def __init__(self, work: Work | None = None, *, devices: Any = None) -> None:
        self._work = work if isinstance(work, Work) else None
        self._parent: Future | None = None
        self._callbacks: list[Callable[[Future], Any]] = []
        self._value: Any = None
        self._error: BaseException | None = None
        self._done = False
        self._over = threading.Condition()

    def done(self) -> bool:
        """Whether the value (or the error) is there."""
        if not self._done:
            if self._work is not None:
                if self._work.is_completed():
                    self._settle()
            elif self._parent is not None:
                self._parent.done()
        return self._done

    def wait(self) -> Any:
        """Block until the value is there, and return it."""
        if not self._done:
            if self._work is not None:
                try:
                    self._work.wait()
                except Exception as e:
                    self._error = e
                self._settle()
            elif self._parent is not None:
                try:
                    self._parent.wait()
                except Exception:
                    if not self._done:
                        raise
            if not self._done:  # somebody else gives the value, or is about to
                with self._over:
                    self._over.wait_for(lambda: self._done)
        return self.value()

    def value(self) -> Any:
        """The value; raises where there is an error or nothing yet."""
        if not self._done:
            raise RuntimeError(message("Future.value", "it is not done yet", hint="call wait()"))
        if self._error is not None:
            raise self._error
        return self._value

    def set_result(self, result: Any) -> None:
        """Give the value."""
        self._complete(result, None)

    def set_exception(self, error: BaseException) -> None:
        """Give an error, which `wait` raises."""
        if not isinstance(error, BaseException):
            raise AssertionError(f"{error} is of type {type(error)}, not an Exception.")
        self._complete(None, error)

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """A future of what `callback` returns, which is called with this one when it is done."""
        child = Future()
        child._parent = self

        def run(parent: Future) -> None:
            try:
                child._complete(callback(parent), None)
            except Exception as e:
                child._complete(None, e)

        self.add_done_callback(run)
        return child

    def add_done_callback(self, callback: Callable[[Future], Any]) -> None:
        """Call a function with this future when it is done."""
        if self._done:
            callback(self)
        else:
            self._callbacks.append(callback)

    def _settle(self) -> None:
        work = self._work
        if not self._done and work is not None:
            self._complete(work._result, work._error)

    def _complete(self, value: Any, error: BaseException | None) -> None:
        if self._done:
            if self._work is None:
                raise RuntimeError(message("Future", "it already has a result"))
            return
        with self._over:
            self._value, self._error, self._done = value, error, True
            self._over.notify_all()
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)


def seconds_of(timeout: float | timedelta | None) -> float | None:
    """A time-out in seconds."""
    return timeout.total_seconds() if isinstance(timeout, timedelta) else timeout


def finished(result: Any = None) -> Work:
    """A work that is over."""
    work = Work()
    work._status, work._result = DONE, result
    return work
