"""The backend "threads": ranks hand each other arrays through a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..backend import Member, Transport, register_backend
from ..errors import DistBackendError
from ..monitor import texts
from ..monitor.journal import describe
from ..reduce_op import combined
from ..work import Work, finished
from .board import Board, Call


class _Met(Work):
    """A collective that a rank has come to."""

    def __init__(self, transport: ThreadsTransport, meeting: Any, call: Call, number: int) -> None:
        self.describe, self.timeout = call[0], transport.member.timeout
        self._transport, self._meeting, self._call, self._number = transport, meeting, call, number

    def _poll(self) -> bool:
        meeting = self._meeting
        if meeting.error is not None:
            raise DistBackendError(f"{self._call[0]}: {self._why()}")
        return meeting.over

    def _why(self) -> str:
        """What is wrong with the collective."""
        meeting, member = self._meeting, self._transport.member
        if not meeting.differs:
            return str(meeting.error)
        told: dict[str, list[int]] = {}
        for place, call in sorted(meeting.calls.items()):
            told.setdefault(describe(call), []).append(member.ranks[place])
        return texts.different(self._number + 1, member.name, member.world.step, told)

    def _missing(self) -> list[int]:
        return [r for n, r in enumerate(self._transport.member.ranks) if n not in self._meeting.calls]

    def _describe(self) -> tuple[str, str]:
        member = self._transport.member
        came = [member.ranks[place] for place in sorted(self._meeting.calls)]
        where = texts.numbered(describe(self._call), self._number + 1, member.name) + texts.at_step(member.world.step)
        waits, have = texts.ranks_do(came, "waits", "wait"), texts.ranks_do(self._missing(), "has", "have")
        return self._call[0], f"{waits} in {where}; {have} not come"

    def _pause(self, deadline: float | None) -> None:
        meeting = self._meeting
        self._transport.board.wait(
            lambda: meeting.over or meeting.error is not None, deadline, self._describe, self._missing)


class _Letter(Work):
    """A message that is waited for."""

    def __init__(self, transport: ThreadsTransport, a: Any, places: list[int], tag: int) -> None:
        self.describe, self.timeout = "recv", transport.member.timeout
        self._transport, self._a, self._places, self._tag = transport, a, places, tag
        self.source: int | None = None

    def source_rank(self) -> int:
        assert self.source is not None
        return self._transport.member.ranks[self.source]

    def _box(self, src: int) -> Any:
        t = self._transport
        return t.board.letters[t.member.name, src, t.rank, self._tag]

    def _poll(self) -> bool:
        with self._transport.board.changed:
            for src in self._places:
                box = self._box(src)
                if box:
                    sent = box.popleft()
                    if sent.size != self._a.size or sent.dtype != self._a.dtype:
                        rule = "the message has other elements than the tensor it is received into"
                        values = f"{sent.dtype}[{sent.size}] from rank {src}, {self._a.dtype}[{self._a.size}]"
                        raise RuntimeError(message("recv", rule, values))
                    self._a[...] = sent
                    self.source = src
                    return True
        return False

    def _pause(self, deadline: float | None) -> None:
        ranks = [self._transport.member.ranks[p] for p in self._places]
        self._transport.board.wait(
            lambda: any(self._box(src) for src in self._places), deadline,
            lambda: ("recv", f"from {texts.ranks_text(ranks)}"), lambda: ranks if len(ranks) == 1 else [])


class ThreadsTransport(Transport):
    """Collectives between threads: the last rank to come computes for all."""

    def __init__(self, member: Member) -> None:
        super().__init__(member)
        if member.world.board is None:
            raise RuntimeError(message("init_process_group", "the backend threads needs rank threads",
                                       hint="lamella.distributed.threads.spawn(function, ranks) starts them"))
        self.board: Board = member.world.board
        self.number = 0

    def _meet(self, call: Call, given: Any, act: Callable[[dict[int, Any]], None]) -> Work:
        number = self.number
        self.number += 1
        meeting = self.board.meet(self.member.name, number, self.size, self.rank, call, given, act)
        return _Met(self, meeting, call, number)

    def allreduce(self, a: Any, op: str) -> Work:
        def act(given: dict[int, Any]) -> None:
            found = combined(op, [given[r] for r in range(self.size)])
            for to in given.values():
                to[...] = found

        return self._meet(("all_reduce", a.size, a.dtype, op), a, act)

    def reduce(self, a: Any, op: str, root: int) -> Work:
        def act(given: dict[int, Any]) -> None:
            given[root][...] = combined(op, [given[r] for r in range(self.size)])

        return self._meet(("reduce", a.size, a.dtype, f"{op} to {root}"), a, act)

    def broadcast(self, a: Any, root: int) -> Work:
        def act(given: dict[int, Any]) -> None:
            for r, to in given.items():
                if r != root:
                    to[...] = given[root]

        return self._meet(("broadcast", a.size, a.dtype, f"from {root}"), a, act)

    def allgather(self, out: Any, a: Any) -> Work:
        def act(given: dict[int, Any]) -> None:
            found = np.concatenate([given[r][1] for r in range(self.size)])
            for to, _ in given.values():
                to[...] = found

        return self._meet(("all_gather", a.size, a.dtype, None), (out, a), act)

    def gather(self, out: Any, a: Any, root: int) -> Work:
        def act(given: dict[int, Any]) -> None:
            given[root][0][...] = np.concatenate([given[r][1] for r in range(self.size)])

        return self._meet(("gather", a.size, a.dtype, f"to {root}"), (out, a), act)

    def scatter(self, out: Any, a: Any, root: int) -> Work:
        def act(given: dict[int, Any]) -> None:
            parts = np.split(given[root][1], self.size)
            for r, (to, _) in given.items():
                to[...] = parts[r]

        return self._meet(("scatter", out.size, out.dtype, f"from {root}"), (out, a), act)

    def reduce_scatter(self, out: Any, a: Any, op: str) -> Work:
        def act(given: dict[int, Any]) -> None:
            parts = np.split(combined(op, [given[r][1] for r in range(self.size)]), self.size)
            for r, (to, _) in given.items():
                to[...] = parts[r]

        return self._meet(("reduce_scatter", out.size, out.dtype, op), (out, a), act)

    def alltoall(self, out: Any, out_counts: Sequence[int], a: Any, in_counts: Sequence[int]) -> Work:
        def act(given: dict[int, Any]) -> None:
            parts = {r: np.split(x, np.cumsum(counts)[:-1]) for r, (_, _, x, counts) in given.items()}
            for r, (to, counts, _, _) in given.items():
                wanted = [parts[s][r].size for s in range(self.size)]
                if wanted != list(counts):
                    raise ValueError(f"rank {r} expects {list(counts)} elements of the ranks, and is sent {wanted}")
                to[...] = np.concatenate([parts[s][r] for s in range(self.size)])

        return self._meet(("all_to_all", None, a.dtype, None), (out, out_counts, a, in_counts), act)

    def send(self, a: Any, dst: int, tag: int) -> Work:
        with self.board.changed:
            self.board.letters[self.member.name, self.rank, dst, tag].append(a.copy())
            self.board.changed.notify_all()
        return finished()

    def recv(self, a: Any, src: int | None, tag: int) -> Work:
        places = [r for r in range(self.size) if r != self.rank] if src is None else [src]
        return _Letter(self, a, places, tag)

    def barrier(self) -> Work:
        return self._meet(("barrier", None, "", None), None, lambda given: None)


register_backend("threads", ThreadsTransport)
