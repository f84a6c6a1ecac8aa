"""What rank threads share: the place where they lay down what they bring to a collective and take what comes of it."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

from lamella.dispatch.errors import message

from ..errors import DistBackendError
from ..monitor.texts import ranks_text
from ..monitor.where import name_exception

Call = tuple[str, Any, str, Any]  # operation, shape, dtype, root


class Meeting:
    """One collective of one group.

    Attributes:
        calls: what each rank that has come called.
        given: what each rank brought.
        error: why it cannot be.
        differs: ranks have called different things.
        over: whether everybody has what he came for.
    """

    __slots__ = ("calls", "given", "error", "differs", "over", "left")

    def __init__(self) -> None:
        self.calls: dict[int, Call] = {}
        self.given: dict[int, Any] = {}
        self.error: str | None = None
        self.differs = False
        self.over = False
        self.left = 0


class Board:
    """Meetings and letters of all groups of the rank threads of one `spawn`."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.changed = threading.Condition()
        self.meetings: dict[tuple[str, int], Meeting] = {}
        self.letters: dict[tuple[str, int, int, int], deque[Any]] = defaultdict(deque)
        self.failure: str | None = None
        self.gone: set[int] = set()  # ranks whose function has returned

    def leave(self, rank: int) -> None:
        """A rank's function has returned."""
        with self.changed:
            self.gone.add(rank)
            self.changed.notify_all()

    def fail(self, rank: int, error: BaseException) -> None:
        """Tell everybody that a rank has ended with an error."""
        with self.changed:
            if self.failure is None:
                self.failure = f"rank {rank} raised {name_exception(error)}"
            self.changed.notify_all()

    def meet(self, group: str, number: int, size: int, rank: int, call: Call, given: Any,
             act: Callable[[dict[int, Any]], None]) -> Meeting:
        """Come to a collective. The last to come acts for all.

        Args:
            group, number: which collective.
            size: how many ranks come.
            rank: who comes.
            call: what was called; all must have called the same.
            given: what is brought.
            act: computes from what all brought (rank -> given) and writes it where it belongs.
        """
        with self.changed:
            meeting = self.meetings.setdefault((group, number), Meeting())
            meeting.calls[rank] = call
            meeting.given[rank] = given
            if meeting.error is None:
                meeting.differs = len(set(meeting.calls.values())) > 1
            if meeting.differs:
                meeting.error = "ranks disagree"
            if meeting.error is None and len(meeting.calls) == size:
                try:
                    act(meeting.given)
                except Exception as e:
                    meeting.error = f"{type(e).__name__}: {e}"
                meeting.over = True
                meeting.given = {}
                del self.meetings[group, number]
            if meeting.over or meeting.error:
                self.changed.notify_all()
        return meeting

    def wait(self, done: Callable[[], bool], deadline: float | None, describe: Callable[[], tuple[str, str]],
             missing: Callable[[], list[int]]) -> None:
        """Block until something is so.

        Args:
            done: whether it is so.
            deadline: when to give up.
            describe: the operation, and who waits for what, for errors.
            missing: global ranks that are waited for.

        Raises:
            DistBackendError: a rank failed or ended, or the time is over.
        """
        since = time.monotonic()
        with self.changed:
            while not done():
                gone = sorted(self.gone.intersection(missing()))
                left = None if deadline is None else deadline - time.monotonic()
                rule = None
                if gone:
                    rule = f"{ranks_text(gone)} ended without it"
                elif self.failure is not None:
                    rule = self.failure
                elif left is not None and left <= 0:
                    rule = f"not finished after {time.monotonic() - since:.3g} s"
                if rule is not None:
                    op, values = describe()
                    raise DistBackendError(message(op, rule, values))
                self.changed.wait(left)
