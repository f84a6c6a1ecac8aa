"""Collectives over mpi4py: NumPy's memory as it is, calls that do not block."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..backend import Member, Transport
from ..errors import DistBackendError
from ..monitor.journal import describe
from ..reduce_op import combined
from ..work import PENDING, Work
from .runtime import abandoned, load

MPI = load()
_OPS = {"SUM": MPI.SUM, "AVG": MPI.SUM, "PRODUCT": MPI.PROD, "MIN": MPI.MIN, "MAX": MPI.MAX, "BAND": MPI.BAND,
        "BOR": MPI.BOR, "BXOR": MPI.BXOR}
_OPS_OF_BOOL = {"SUM": MPI.LOR, "PRODUCT": MPI.LAND, "MIN": MPI.LAND, "MAX": MPI.LOR, "BAND": MPI.LAND, "BOR": MPI.LOR,
                "BXOR": MPI.LXOR}
#: (NumPy's character of an element type, ReduceOp) -> MPI's operation, for the types that MPI has itself.
_OPERATIONS = {(kind, op): found for kind in "bBhHiIlLqQfdFD" for op, found in _OPS.items()}
_OPERATIONS |= {("?", op): found for op, found in _OPS_OF_BOOL.items()}
_SUMS = frozenset(kind for kind, op in _OPERATIONS if op == "SUM" and kind != "?")
_SPINS = range(400)  # polls before the core is offered to others
_BUSY = 1.0  # seconds of polling before sleeping between polls


class MPIWork(Work):
    """A request, or a chain of them: `stages` gives the next one when the last is over."""

    _stages: Iterator[Any] | None = None
    _status_of: Any = None
    _since = 0.0
    _polls = 0
    _message: tuple[Any, int | None] | None = None  # of send and recv: the array, and the other's place in the group

    def __init__(self, transport: MPITransport, describe: str, request: Any, keep: Any) -> None:
        self._transport = transport
        self.describe = describe
        self._request = request
        self._keep = keep

    def _poll(self) -> bool:
        try:
            while self._request.Test(self._status_of):
                stages = self._stages
                if stages is None:
                    return True
                self._request = next(stages, None)
                if self._request is None:
                    return True
        except MPI.Exception as e:
            why = f"MPI failed ({e.Get_error_string()})"
            raise DistBackendError(self._transport.explain(self._words(), why)) from e
        monitor = self._transport.monitor
        if monitor is not None and monitor.failure is not None:
            self._give_up(monitor.failure)
        return False

    def _block(self, timeout: Any) -> None:
        for _ in _SPINS:
            if self._poll():
                return
        limit, monitor = timeout if timeout is not None else self._transport.member.timeout, self._transport.monitor
        if self._message is None or monitor is None:
            super()._block(limit)
            return
        monitor.waiting = self._words()
        try:
            super()._block(limit)
        finally:
            monitor.waiting = None

    def __del__(self) -> None:
        # Nobody waits for it, but MPI goes on using its arrays, and other ranks may wait for its further stages.
        if self._status == PENDING:
            self._transport.dropped.append(self)

    def _pause(self, deadline: float | None) -> None:
        if self._transport.dropped:
            self._transport.reap()
        self._polls += 1
        os.sched_yield()
        if self._polls & 63:
            return
        now = time.monotonic()
        if not self._since:
            self._since = now
        if deadline is not None and now > deadline:
            self._give_up(None, now - self._since)
        if now - self._since > _BUSY:
            time.sleep(0.0002)

    def _give_up(self, why: str | None, waited: float = 0.0) -> None:
        abandoned.append((self._request, self._keep))
        raise DistBackendError(self._transport.explain(self._words(), why, waited))

    def _words(self) -> str:
        """What this is, for errors: a collective's name (the monitor knows the rest), or all about a message."""
        if self._message is None:
            return self.describe
        (a, place), member = self._message, self._transport.member
        rank = None if place is None else member.ranks[place]
        return f"{describe((self.describe, a.size, a.dtype, rank))} of group '{member.name}'"

    def source_rank(self) -> int:
        """The global rank that a message came from."""
        if self._status_of is None:
            return super().source_rank()
        return self._transport.member.ranks[self._status_of.Get_source()]


class _Several:
    """Requests that are over together."""

    def __init__(self, requests: list[Any]) -> None:
        self.requests = requests

    def Test(self, status: Any = None) -> bool:
        """Whether all are over."""
        return MPI.Request.Testall(self.requests)


class MPITransport(Transport):
    """Collectives of one group on a communicator of its own.

    Types that MPI lacks (16-bit floats, 8-bit floats) are sent as bytes and reduced here: each rank reduces one part of
    all ranks' arrays and sends it to the others, so that all get the same bits and no more bytes travel than in MPI's
    own algorithms.
    """

    def __init__(self, member: Member) -> None:
        super().__init__(member)
        self.monitor = member.world.monitor
        if self.monitor is not None and self.size > 1:
            self.monitor.assemble(member.name, member.ranks, member.timeout)
        whole = MPI.COMM_WORLD
        if len(member.ranks) == whole.Get_size():
            self.comm = whole.Dup()
        else:
            members = whole.Get_group().Incl(list(member.ranks))
            self.comm = whole.Create_group(members)
        self.comm.Set_errhandler(MPI.ERRORS_RETURN)
        self._share = 2 * (self.size - 1) / self.size
        self.dropped: list[MPIWork] = []
        self.staged = 0
        self._last_tag = self.comm.Get_attr(MPI.TAG_UB)

    def explain(self, what: str, why: str | None, waited: float = 0.0) -> str:
        """The text of a failure."""
        if self.monitor is not None:
            return self.monitor.report(what, waited, why)
        return f"{what}: {why or f'not finished after {self.member.timeout:g} s'}"

    def reap(self) -> None:
        """Drive works that their owners let go before they were over."""
        dropped, self.dropped = self.dropped, []
        self.dropped += [work for work in dropped if not work.is_completed()]

    def progress(self) -> None:
        """Let messages move, without asking whether some work is over."""
        self.comm.Iprobe(MPI.ANY_SOURCE, self._last_tag)

    def _work(self, what: str, request: Any, *keep: Any) -> MPIWork:
        if self.dropped:
            self.reap()
        return MPIWork(self, what, request, keep)

    def _staged(self, what: str, stages: Iterator[Any], *keep: Any) -> MPIWork:
        work = MPIWork(self, what, next(stages, MPI.REQUEST_NULL), keep)
        work._stages = stages
        return work

    def allreduce_now(self, a: Any, op: str) -> None:
        # A request that does not block, as in `allreduce`: ranks may differ in who waits at once, and MPI's collectives
        # of different kinds (blocking, not blocking, persistent) do not match each other.
        if op != "SUM" or a.dtype.char not in _SUMS:
            self.allreduce(a, op).wait()
            return
        self.sent += a.nbytes * self._share
        request = self.comm.Iallreduce(MPI.IN_PLACE, a, MPI.SUM)
        test = request.Test
        for _ in _SPINS:
            if test():
                return
        MPIWork(self, "all_reduce", request, a).wait()

    def allreduce(self, a: Any, op: str) -> Work:
        operation = _OPERATIONS.get((a.dtype.char, op))
        self.sent += a.nbytes * self._share
        if operation is None:
            return self._staged("all_reduce", self._allreduce_parts(a, op), a)
        work = MPIWork(self, "all_reduce", self.comm.Iallreduce(MPI.IN_PLACE, a, operation), a)
        if op == "AVG":
            work.then(lambda: _divide(a, self.size))
        return work

    def _allreduce_parts(self, a: Any, op: str) -> Iterator[Any]:
        counts = _split(a.size, self.size)
        part = np.empty(counts[self.rank], a.dtype)
        self.staged += 1
        tag = self._last_tag - self.staged % 4096
        yield from self._reduce_parts(part, a, counts, op)
        # When a rank comes to this stage depends on when it asks, so it must not be a collective: those have one order.
        starts = np.cumsum([0, *counts])
        row = _bytes(a).reshape(a.size, a.itemsize)
        row[starts[self.rank] : starts[self.rank + 1]] = _bytes(part).reshape(part.size, a.itemsize)
        others = [r for r in range(self.size) if r != self.rank]
        requests = [self.comm.Irecv([row[starts[r] : starts[r + 1]], MPI.BYTE], r, tag) for r in others]
        requests += [self.comm.Isend(_raw(part), r, tag) for r in others]
        yield _Several(requests)

    def _reduce_parts(self, part: Any, a: Any, counts: Sequence[int], op: str) -> Iterator[Any]:
        mine = counts[self.rank]
        others = np.empty((self.size, mine), a.dtype)
        yield self.comm.Ialltoallv(_spec(a, counts), _spec(others.reshape(-1), [mine] * self.size))
        part[...] = combined(op, list(others))

    def reduce(self, a: Any, op: str, root: int) -> Work:
        self.sent += 0 if self.rank == root else a.nbytes
        operation = _OPERATIONS.get((a.dtype.char, op))
        if operation is not None and op != "AVG":
            if self.rank == root:
                return self._work("reduce", self.comm.Ireduce(MPI.IN_PLACE, a, operation, root), a)
            return self._work("reduce", self.comm.Ireduce(a, None, operation, root), a)

        def stages() -> Iterator[Any]:
            every = np.empty((self.size, a.size), a.dtype) if self.rank == root else None
            yield self.comm.Igather(_raw(a), _raw(every), root)
            if every is not None:
                a[...] = combined(op, list(every))

        return self._staged("reduce", stages(), a)

    def broadcast(self, a: Any, root: int) -> Work:
        self.sent += a.nbytes if self.rank == root else 0
        return self._work("broadcast", self.comm.Ibcast(_raw(a), root), a)

    def allgather(self, out: Any, a: Any) -> Work:
        self.sent += a.nbytes * (self.size - 1)
        return self._work("all_gather", self.comm.Iallgather(_raw(a), _raw(out)), out, a)

    def gather(self, out: Any, a: Any, root: int) -> Work:
        self.sent += 0 if self.rank == root else a.nbytes
        return self._work("gather", self.comm.Igather(_raw(a), _raw(out), root), out, a)

    def scatter(self, out: Any, a: Any, root: int) -> Work:
        self.sent += out.nbytes * (self.size - 1) if self.rank == root else 0
        return self._work("scatter", self.comm.Iscatter(_raw(a), _raw(out), root), out, a)

    def reduce_scatter(self, out: Any, a: Any, op: str) -> Work:
        operation = _OPERATIONS.get((a.dtype.char, op))
        self.sent += out.nbytes * (self.size - 1)
        if operation is None:
            return self._staged("reduce_scatter", self._reduce_parts(out, a, [out.size] * self.size, op), out, a)
        work = self._work("reduce_scatter", self.comm.Ireduce_scatter_block(a, out, operation), out, a)
        if op == "AVG":
            work.then(lambda: _divide(out, self.size))
        return work

    def alltoall(self, out: Any, out_counts: Sequence[int], a: Any, in_counts: Sequence[int]) -> Work:
        self.sent += a.nbytes - in_counts[self.rank] * a.itemsize
        return self._work("all_to_all", self.comm.Ialltoallv(_spec(a, in_counts), _spec(out, out_counts)), out, a)

    def send(self, a: Any, dst: int, tag: int) -> Work:
        self.sent += a.nbytes
        work = self._work("send", self.comm.Isend(_raw(a), dst, tag), a)
        work._message = a, dst
        return work

    def recv(self, a: Any, src: int | None, tag: int) -> Work:
        request = self.comm.Irecv(_raw(a), MPI.ANY_SOURCE if src is None else src, tag)
        work = self._work("recv", request, a)
        work._status_of, work._message = MPI.Status(), (a, src)
        return work.then(lambda: _complete(work, a))  # type: ignore[return-value]

    def barrier(self) -> Work:
        return self._work("barrier", self.comm.Ibarrier())

    def close(self) -> None:
        """Give the communicator back, where nothing was left unfinished on it."""
        end = time.monotonic() + 1.0
        while self.dropped and time.monotonic() < end:
            self.reap()
        abandoned.extend((work._request, work._keep) for work in self.dropped)
        if not abandoned and not MPI.Is_finalized() and (self.monitor is None or self.monitor.failure is None):
            self.comm.Free()


def _divide(a: Any, n: int) -> None:
    a /= np.asarray(n, a.dtype)


def _bytes(a: Any) -> Any:
    """The memory of a contiguous array."""
    return a.reshape(-1).view(np.uint8)


def _raw(a: Any) -> list[Any] | None:
    """mpi4py's description of an array as bytes; None where there is none."""
    return None if a is None else [_bytes(a), MPI.BYTE]


def _split(n: int, parts: int) -> list[int]:
    """The lengths of nearly equal parts."""
    return [n * (i + 1) // parts - n * i // parts for i in range(parts)]


def _spec(a: Any, counts: Sequence[int]) -> list[Any]:
    """mpi4py's description of parts of an array."""
    size = a.itemsize
    lengths = [c * size for c in counts]
    places = [0]
    for n in lengths[:-1]:
        places.append(places[-1] + n)
    return [_bytes(a), (lengths, places), MPI.BYTE]


def _complete(work: MPIWork, a: Any) -> None:
    got = work._status_of.Get_count(MPI.BYTE)
    if got != a.nbytes:
        raise RuntimeError(message("recv", "the message has other elements than the tensor it is received into",
                                   f"{got} bytes from rank {work.source_rank()}, {a.nbytes} bytes"))


__all__ = ["MPITransport", "MPIWork"]
