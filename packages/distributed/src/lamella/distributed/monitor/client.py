"""A rank's side of the monitor: a journal for each group, and a thread that listens to the hub."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from lamella.dispatch.errors import message

from ..errors import DistBackendError, DistNetworkError
from . import hooks, hub, texts, where
from .debug import DebugLevel, get_debug_level
from .journal import CheckedJournal, Entry, Fingerprints, Journal, describe
from .wire import MEMBER, Message, Unpacker, pack, prepare, say

#: Seconds between two looks at the journals.
BEAT = 0.25
#: Seconds that a rank may stay inside one call that cannot be interrupted, once it is known that others are gone.
GRACE = 20.0
_NAME = "init_process_group"


class Monitor:
    """What a rank knows of the others' state.

    Attributes:
        failure: what has gone wrong in the job, None while nothing has. Whoever waits for other ranks looks at it.
        waiting: what this rank waits for, said by who waits: words, or (journal, entry). May stay None.
        rank, size: this rank, and how many there are.

    Example:
        >>> from lamella.distributed.monitor import Hub
        >>> monitor = Monitor.connect(Hub.start(1), 0, 1, 5.0)
        >>> journal = monitor.log("world")
        >>> journal.append(("all_reduce", (3,), "float32", None))
        >>> monitor.report("all_reduce", 2.0).split("\\n")[0]
        "all_reduce: not finished after 2 s (rank 0 waits in all_reduce #1 f32[3] of group 'world')"
        >>> monitor.leave()
        True
    """

    @classmethod
    def connect(cls, address: str, rank: int, world_size: int, timeout: float) -> Monitor:
        """Join, and wait until all ranks have.

        Args:
            address: what `Hub.start` returned on rank 0.
            rank, world_size: this rank, and how many there are.
            timeout: seconds to wait for all ranks.

        Raises:
            DistNetworkError: a rank did not join in time; the text says which.
        """
        deadline = time.monotonic() + timeout
        made = cls(address, rank, world_size, _dial(address, rank, deadline, timeout))
        made._join(deadline, timeout)
        return made

    def __init__(self, address: str, rank: int, size: int, sock: socket.socket) -> None:
        self.failure: str | None = None
        self.waiting: Any = None
        self.rank, self.size, self.address = rank, size, address
        self._sock = sock
        self._pid = os.getpid()
        self._thread = threading.get_ident()
        self._main = threading.current_thread() is threading.main_thread()
        self._lock = threading.RLock()  # the journals and the sending side of the socket
        self._news = threading.Condition()
        self._journals: list[Journal] = []
        self._fingerprints = Fingerprints()
        self._step = 0
        self._asked = 0
        self._answers: dict[Any, Any] = {}
        self._ready = self._told = self._left = self._closed = self._missed = self._refused = False
        self._still: tuple[Any, float] = (None, 0.0)
        token = address.rsplit("|", 1)[1]
        self._send({"t": "hello", "token": token, "rank": rank, "size": size})
        self._listener = threading.Thread(target=self._listen, name=f"lamella monitor {rank}", daemon=True)
        self._listener.start()

    def _join(self, deadline: float, seconds: float) -> None:
        self._wait(lambda: self._ready or self._missed, deadline)
        if not self._ready and self.failure is None:
            self._send({"t": "late"})
            self._wait(lambda: self._ready or self._missed, time.monotonic() + 1.0)
        if self._ready:
            hooks.watch(self)
            if get_debug_level() >= DebugLevel.INFO:
                say(f"lamella.distributed: rank {self.rank} of {self.size} joined (process {self._pid})")
            return
        missing, lost = self._answers.get("missing", ([], []))
        self.close()
        if missing or lost:
            raise DistNetworkError(f"{_NAME}: " + texts.never_joined(missing, lost, self.size, seconds))
        rule = self.failure or f"rank 0 did not answer within {seconds:.3g} s"
        raise DistNetworkError(f"{_NAME}: {rule}")

    # -- what this rank calls ----------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The training step, for messages; setting it marks the step in all journals."""
        return self._step

    @step.setter
    def step(self, value: int) -> None:
        self._step = value
        for journal in self._journals:
            journal.append(value)

    def log(self, name: str, ranks: Sequence[int] | None = None) -> Journal:
        """The journal of a group.

        Args:
            name: the group's, the same on its ranks.
            ranks: its ranks, as ranks of the job, in the same order everywhere; all by default.

        Returns:
            A `Journal`: ``append((operation, shape or number of elements, dtype, root))`` notes a collective. Under the
            debug level DETAIL, `append` also waits until all ranks of the group have called the same, and raises
            DistBackendError where they have not.
        """
        members = tuple(range(self.size)) if ranks is None else tuple(ranks)
        with self._lock:
            for known in self._journals:
                if (known.name, known.ranks) == (name, members):
                    return known
            if get_debug_level() >= DebugLevel.DETAIL:
                made: Journal = CheckedJournal(name, members, self.check)
            else:
                made = Journal(name, members)
            made.slot = len(self._journals)
            self._send({"t": "open", "i": made.slot, "name": name, "ranks": members})
            made.append(self._step)
            self._journals.append(made)
        return made

    def check(self, entry: Entry, journal: Journal) -> None:
        """Note a collective that has not run yet, and wait until all ranks of its group call the same.

        Raises:
            DistBackendError: a rank called another thing, died, or did not come within the journal's time-out.
        """
        if self._closed:
            Journal.append(journal, entry)
            return
        op, since = str(entry[0]), time.monotonic()
        with self._lock:
            super(CheckedJournal, journal).append(entry)  # type: ignore[misc]
            self._tell(journal, check=True)
            number = journal.total
        why = self._answer((journal.slot, number), (journal, entry), op, since, journal.timeout)
        if why is not None:
            raise DistBackendError(f"{op}: {why}")

    def assemble(self, name: str, ranks: Sequence[int], timeout: float) -> None:
        """Wait until all ranks of a group have come to make it.

        Raises:
            DistBackendError: a rank died, made it of other ranks, or did not come in time.
        """
        since = time.monotonic()
        self.log(name, ranks).timeout = timeout
        key = f"assembled {name}"
        self._answers.pop(key, None)
        self._send({"t": "assemble", "name": name, "ranks": list(ranks)})
        self._answer(key, f"the start of group '{name}'", "new_group" if name != "default" else _NAME, since, timeout)

    def _answer(self, key: Any, waiting: Any, op: str, since: float, timeout: float) -> Any:
        """The hub's answer; raises what has gone wrong where it does not come."""
        self.waiting = waiting
        self._wait(lambda: key in self._answers, since + timeout)
        if key not in self._answers:
            raise DistBackendError(self.report(op, time.monotonic() - since))
        self.waiting = None
        return self._answers.pop(key)

    # -- when something is wrong -------------------------------------------------------------------------------------

    def report(self, what: Any, elapsed: float = 0.0, why: str | None = None) -> str:
        """The text of an error: what has gone wrong in the job, or where all ranks are.

        Args:
            what: what this rank waits for: an operation's name, words that start with it, or (journal, entry).
            elapsed: seconds that it has waited.
            why: what went wrong, where it is not the time-out.
        """
        if isinstance(what, str):
            op = what.split(" ", 1)[0]
            waiting = what if op != what else self._find(op) or op
        else:
            op, waiting = str(what[1][0]), what
        if self.failure is None and not self._closed:
            self.waiting = waiting
            states = self._ask()
            if self.failure is None:
                return f"{op}: " + (texts.late(elapsed, states) if why is None else texts.broken(why, states))
        if self.failure is None:
            return f"{op}: {why or 'not finished'}"
        if isinstance(waiting, str):
            words = brief = waiting
        else:
            words, brief = waiting[0].tell(waiting[1]), describe(waiting[1])
        if words == op or words in self.failure or brief in self.failure:
            return f"{op}: {self.failure}"
        return f"{op}: {texts.with_own(self.failure, self.rank, words + texts.at_step(self._step))}"

    def _find(self, op: str) -> Any:
        """(journal, entry) of the latest collective of a name."""
        with self._lock:
            for journal in self._journals:
                journal.drain()
            latest = [(j, run.entry) for j in self._journals for run in list(j.recent)[-1:]]
            before = [(j, run.entry) for j in self._journals for run in reversed(j.recent)]
        found = [(j, entry) for j, entry in latest + before if entry[0] == op]
        return found[0] if found else None

    def _ask(self) -> dict[int, str]:
        """What all ranks do."""
        self._asked += 1
        key = f"answer {self._asked}"
        self._send({"t": "ask", "q": self._asked})
        self._wait(lambda: key in self._answers, time.monotonic() + hub.REPORT + 0.5)
        found = self._answers.pop(key, None)
        if found is None:
            return {self.rank: self._state(), **({0: "does not answer"} if self.rank else {})}
        return {int(rank): state for rank, state in found.items()}

    def _state(self) -> str:
        """What this rank does, in words."""
        waiting = self.waiting
        place, inside = where.place(self._thread)
        with self._lock:
            latest: Journal | None = None
            for journal in self._journals:
                journal.drain()
                if journal.total and (latest is None or journal.stamp > latest.stamp):
                    latest = journal
            step = texts.at_step(self._step)
            if waiting is not None:
                return texts.WAITS + (waiting if isinstance(waiting, str) else waiting[0].tell(waiting[1])) + step
            if latest is None:
                return f"no collective yet, now {place}"
            last = latest.tell()
        return f"{texts.WAITS}{last}{step}" if inside else f"last collective {last}{step}, now {place}"

    def fail(self, exception: BaseException) -> None:
        """Tell all ranks that this one has failed, and why. Does not raise."""
        if isinstance(exception, KeyboardInterrupt):
            error = "was interrupted"
        else:
            error = f"raised {where.name_exception(exception)} {where.raised_at(exception)}".rstrip()
        self._fail(error)

    def _fail(self, error: str) -> None:
        if self._closed or self._told or os.getpid() != self._pid:
            return
        self._beat()
        self._send({"t": "fail", "error": error, "follows": self.failure is not None})
        self._wait(lambda: self._told, time.monotonic() + 1.0, even_if_failed=True)
        if self.failure is None:
            self.failure = f"rank {self.rank} {error}"

    def leave(self, clean: bool = True, timeout: float = 1800.0) -> bool:
        """Say goodbye, and wait until all ranks have.

        Args:
            clean: this rank has finished what it had begun.
            timeout: seconds to wait for the others.

        Returns:
            Whether all ranks have come to their end in order; what is collective at the end (MPI_Finalize) may then be
            called. Else `failure` tells what was wrong.
        """
        if self._closed or os.getpid() != self._pid:
            return self._left
        if clean and self.failure is None and not self._told:
            self._beat()
            self._send({"t": "leave"})
            self.waiting = "shutdown"
            self._wait(lambda: self._left, time.monotonic() + timeout)
            if not self._left and self.failure is None:
                self._fail(f"left; it had waited {timeout:.3g} s for the others to come to their end")
        elif not self._told:
            self._fail("left before its work was finished")
        self.close()
        return self._left

    def close(self) -> None:
        """End the connection; on rank 0 also the hub."""
        if self._closed:
            return
        self._closed = True
        hooks.forget(self)
        if get_debug_level() >= DebugLevel.INFO:
            counts = ", ".join(f"{j.total + len(j)} of '{j.name}'" for j in self._journals)
            say(f"lamella.distributed: rank {self.rank} leaves; collectives: {counts or 'none'}")
        of_hub = self.rank == 0 and not self._refused
        if of_hub:
            hub.stop_soon(self.address)
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        if self._thread != self._listener.ident:
            self._listener.join(1.0)
        self._sock.close()
        if of_hub:
            hub.stop(self.address)

    # -- the connection ----------------------------------------------------------------------------------------------

    def _send(self, item: Message) -> None:
        with self._lock, contextlib.suppress(OSError):  # the listener sees the loss
            self._sock.sendall(pack(item))

    def _wait(self, done: Callable[[], bool], deadline: float, even_if_failed: bool = False) -> bool:
        """Until something is so, a failure is known, or the time is over."""
        with self._news:
            while not done():
                left = deadline - time.monotonic()
                if left <= 0 or self._closed or (self.failure is not None and not even_if_failed):
                    break
                self._news.wait(min(left, 1.0))
        return done()

    def _beat(self) -> None:
        """Tell the hub what was called since the last time."""
        with self._lock:
            for journal in self._journals:
                if journal or journal.unsent:
                    self._tell(journal)

    def _tell(self, journal: Journal, check: bool = False) -> None:
        journal.drain()
        runs, journal.unsent = journal.unsent, []
        if not runs:
            return
        fingerprints = self._fingerprints
        told = [[fingerprints.of(run.entry), run.count, run.step] for run in runs]
        item = {"t": "log", "i": journal.slot, "p": runs[0].first - 1, "h": told, "x": fingerprints.untold}
        fingerprints.untold = {}
        if check:
            item["check"] = journal.total
        self._send(item)

    def _listen(self) -> None:
        unpacker, poll = Unpacker(MEMBER), select.poll()
        poll.register(self._sock, select.POLLIN)
        next_beat = time.monotonic() + BEAT
        try:
            while not self._closed:
                if poll.poll(max(0.0, next_beat - time.monotonic()) * 1000):
                    data = self._sock.recv(1 << 16)
                    if not data:
                        break
                    for item in unpacker.feed(data):
                        self._handle(item)
                if time.monotonic() >= next_beat:
                    self._beat()
                    self._guard()
                    next_beat = time.monotonic() + BEAT
        except (OSError, ValueError):
            pass
        self._lost()

    def _lost(self) -> None:
        """The connection has ended."""
        with self._news:
            if not (self._closed or self._left) and self.failure is None:
                values, details = texts.states_text({self.rank: self._state()})
                self.failure = texts.compose("rank 0 died", values or "the connection to it was lost", details,
                                             "the output of rank 0 or the system's log (memory) may tell why")
            self._told = True
            self._news.notify_all()
        while not self._closed and self.failure is not None and self._main:
            time.sleep(BEAT)
            self._guard()

    def _handle(self, item: Message) -> None:
        kind = item["t"]
        if kind == "where":
            self._beat()
            self._send({"t": "here", "q": item["q"], "state": self._state()})
            return
        with self._news:
            if kind == "failure" and self.failure is None:
                self.failure = item["text"]
            elif kind == "refused":
                self.failure, self._refused = item["why"], True
            elif kind == "missing":
                self._answers.setdefault("missing", (item["ranks"], item["lost"]))
                self._missed = True
            elif kind == "answer":
                self._answers[f"answer {item['q']}"] = item["states"]
            elif kind == "checked":
                self._answers[item["i"], item["n"]] = item["why"]
            elif kind == "assembled":
                self._answers[f"assembled {item['name']}"] = True
            elif kind in ("ready", "told", "left"):
                setattr(self, f"_{kind}", True)
            self._news.notify_all()

    def _guard(self) -> None:
        """End this process where it stands in a call that cannot end, since a rank is gone, and cannot raise."""
        if self.failure is None or not self._main:
            return
        mark, now = where.still(self._thread), time.monotonic()
        if mark is None or mark != self._still[0]:
            self._still = (mark, now)
        elif now - self._still[1] > GRACE:
            say(message(f"rank {self.rank}", f"ends: it stands in {mark[1]}, which other ranks do not come to"))
            say(f"{mark[1]}: {self.failure}")
            os._exit(1)


def _dial(address: str, rank: int, deadline: float, seconds: float) -> socket.socket:
    """A connection to the hub."""
    hosts, port, _ = address.rsplit("|", 2)
    complaint: OSError | None = None
    while complaint is None or time.monotonic() + 0.05 < deadline:
        for host in hosts.split(","):
            try:
                return _settled(socket.create_connection((host, int(port)), max(0.1, deadline - time.monotonic())))
            except OSError as e:
                complaint = e
        time.sleep(0.05)
    rule = f"rank {rank} cannot reach rank 0 within {seconds:.3g} s"
    hint = "the ranks' hosts must be able to open connections to each other"
    raise DistNetworkError(message(_NAME, rule, f"{hosts}:{port}: {complaint}", hint=hint)) from complaint


def _settled(sock: socket.socket) -> socket.socket:
    sock.settimeout(5.0)  # a hub that takes nothing for so long counts as lost
    return prepare(sock)
