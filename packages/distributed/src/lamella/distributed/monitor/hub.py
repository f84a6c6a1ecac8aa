"""The hub: a thread in rank 0's process that all ranks are connected to.

It knows who is there, compares what ranks called, and tells everybody the first thing that goes wrong. Nothing that
moves tensors passes through it.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
import selectors
import socket
import threading
import time
from collections.abc import Callable
from functools import partial

from . import texts
from .ledger import Disagreement, Group, Ledger
from .wire import MEMBER, Message, Unpacker, keep, pack, prepare

#: Seconds that ranks have to say what they do before a failure is told without their answer; of a report.
ANSWER, REPORT = 0.3, 2.0
#: Seconds that a connection has to name itself.
HANDSHAKE = 10.0
#: Seconds that the hub outlives its rank, for what it has told the others to reach them.
LINGER = 1.0

_hubs: dict[str, Hub] = {}


class Member:
    """A connection, and the rank behind it once it has named itself."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.unpacker = Unpacker()
        self.out = bytearray()
        self.rank = -1
        self.since = time.monotonic()
        self.groups: dict[int, Group] = {}
        self.left = self.released = self.failed = False


class Inquiry:
    """A question to all ranks what they do, and those who wait for the answers."""

    def __init__(self, number: int, asked: set[int], seconds: float) -> None:
        self.number = number
        self.missing = asked
        self.deadline = time.monotonic() + seconds
        self.states: dict[int, str] = {}
        self.then: list[Callable[[dict[int, str]], None]] = []


class Hub:
    """Rank 0's side of the monitor.

    Example:
        >>> address = Hub.start(1)
        >>> from .client import Monitor
        >>> monitor = Monitor.connect(address, 0, 1, 5.0)
        >>> monitor.leave()
        True
    """

    @classmethod
    def start(cls, world_size: int, host: str = "127.0.0.1", port: int = 0) -> str:
        """Start a hub in this process.

        Args:
            world_size: how many ranks will join.
            host: where ranks are: 127.0.0.1, all on this host; else this host's name, as others know it.
            port: the port; any free one where 0.

        Returns:
            The address for `Monitor.connect`; it holds a secret word, without which nobody is let in.
        """
        return cls(world_size, host, port).address

    def __init__(self, world_size: int, host: str, port: int) -> None:
        self.size = world_size
        self.ledger = Ledger()
        self.members: dict[int, Member] = {}
        self.ever: set[int] = set()
        self.dead: set[int] = set()
        self.failure: str | None = None
        self._cause: Callable[[dict[int, str]], str] | None = None
        self._rank_of_cause = 0
        self._token = secrets.token_hex(16)
        self._inquiry: Inquiry | None = None
        self._asked = 0
        self._assembled: dict[tuple[str, tuple[int, ...]], set[int]] = {}
        self._checks: list[tuple[Member, int, Group, int]] = []
        self._acks: list[Member] = []
        self._strangers: set[Member] = set()
        self._selector = selectors.DefaultSelector()
        local = host in ("127.0.0.1", "localhost", "::1")
        self._listener = keep(socket.create_server((host if local else "", port), backlog=max(128, world_size)))
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        hosts = host if local else ",".join(dict.fromkeys((host, *outside())))
        self.address = f"{hosts}|{self._listener.getsockname()[1]}|{self._token}"
        self._stopping: float | None = None
        self.thread = threading.Thread(target=self._run, name="lamella hub", daemon=True)
        _hubs[self.address] = self
        self.thread.start()

    def stop(self) -> None:
        """End, once all connections are closed or a time is over: what was told to ranks must reach them."""
        self._stopping = self._stopping or time.monotonic() + LINGER
        self.thread.join(LINGER + 0.5)
        _hubs.pop(self.address, None)

    # -- connections -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._over():
                for key, events in self._selector.select(self._pause()):
                    if key.data is None:
                        self._accept()
                        continue
                    if events & selectors.EVENT_WRITE:
                        self._flush(key.data)
                    if events & selectors.EVENT_READ:
                        self._read(key.data)
                self._tick()
        finally:
            for member in [*self._strangers, *self.members.values()]:
                member.sock.close()
            self._listener.close()
            self._selector.close()

    def _over(self) -> bool:
        if self._stopping is None:
            return False
        others = any(m.rank != 0 for m in self.members.values())
        return time.monotonic() > self._stopping or not others

    def _pause(self) -> float:
        if self._inquiry is not None:
            return max(0.0, min(0.05, self._inquiry.deadline - time.monotonic()))
        return 0.02 if self._stopping is not None else 0.25

    def _accept(self) -> None:
        try:
            sock, _ = self._listener.accept()
        except OSError:
            return
        prepare(sock).setblocking(False)
        member = Member(sock)
        self._strangers.add(member)
        self._selector.register(sock, selectors.EVENT_READ, member)

    def _read(self, member: Member) -> None:
        try:
            data = member.sock.recv(1 << 16)
            messages = member.unpacker.feed(data) if data else None
        except BlockingIOError:
            return
        except (OSError, ValueError):
            messages = None
        if messages is None:
            self._lost(member)
            return
        for message in messages:
            try:
                self._handle(member, message)
            except (KeyError, ValueError, TypeError, IndexError):  # not what a monitor sends
                self._lost(member)
                return

    def _send(self, member: Member, message: Message) -> None:
        member.out += pack(message)
        self._flush(member)

    def _flush(self, member: Member) -> None:
        try:
            while member.out:
                del member.out[: member.sock.send(member.out)]
        except BlockingIOError:
            pass
        except OSError:
            member.out.clear()  # the loss is seen when it is read from
        with contextlib.suppress(KeyError, ValueError):
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if member.out else 0)
            self._selector.modify(member.sock, wanted, member)

    def _everybody(self, message: Message) -> None:
        """Rank 0 last: its process may end as soon as it knows."""
        for rank in sorted(self.members, reverse=True):
            self._send(self.members[rank], message)

    def _forget(self, member: Member) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(member.sock)
        member.sock.close()
        self._strangers.discard(member)

    def _lost(self, member: Member) -> None:
        self._forget(member)
        if member.rank < 0 or self.members.get(member.rank) is not member:
            return
        del self.members[member.rank]
        rank = member.rank
        if self._inquiry is not None:
            self._inquiry.missing.discard(rank)
        if member.released or member.failed:
            return
        self.dead.add(rank)
        self._tell_missing()
        self._fail(1, lambda states: texts.died(self.dead, states))

    def _tick(self) -> None:
        now = time.monotonic()
        for member in [m for m in self._strangers if now - m.since > HANDSHAKE]:
            self._forget(member)
        inquiry = self._inquiry
        if inquiry is not None and (not inquiry.missing or now > inquiry.deadline):
            self._inquiry = None
            for call in inquiry.then:
                call(inquiry.states)

    # -- messages ----------------------------------------------------------------------------------------------------

    def _handle(self, member: Member, message: Message) -> None:
        kind = message["t"]
        if member.rank < 0:
            if kind != "hello":
                raise ValueError(kind)
            self._hello(member, message)
            return
        getattr(self, f"_on_{kind}")(member, message)

    def _hello(self, member: Member, message: Message) -> None:
        if not hmac.compare_digest(str(message["token"]), self._token):
            self._forget(member)
            return
        rank, size = int(message["rank"]), int(message["size"])
        refusal = None
        if size != self.size:
            refusal = f"rank {rank} was told a world size of {size}, rank 0 one of {self.size}"
        elif not 0 <= rank < size:
            refusal = f"there is no rank {rank} among {size}"
        elif rank in self.ever:
            refusal = f"two processes call themselves rank {rank}"
        if refusal is not None:
            self._send(member, {"t": "refused", "why": refusal})
            return
        member.rank, member.unpacker.limit = rank, MEMBER
        self._strangers.discard(member)
        self.members[rank] = member
        self.ever.add(rank)
        if self.failure is not None:
            self._send(member, {"t": "failure", "text": self.failure})
        elif len(self.ever) == self.size:
            self._everybody({"t": "ready"})

    def _tell_missing(self) -> None:
        missing = sorted(set(range(self.size)) - self.ever)
        if missing:
            self._everybody({"t": "missing", "ranks": missing, "lost": sorted(self.dead)})

    def _on_late(self, member: Member, message: Message) -> None:
        del member, message
        self._tell_missing()

    def _have_left(self) -> list[int]:
        return [r for r, m in self.members.items() if m.left]

    def _on_open(self, member: Member, message: Message) -> None:
        group = self.ledger.open(str(message["name"]), [int(r) for r in message["ranks"]])
        if member.rank not in group.ranks:
            raise ValueError("not of this group")
        member.groups[int(message["i"])] = group

    def _on_log(self, member: Member, message: Message) -> None:
        group = member.groups[int(message["i"])]
        self.ledger.learn(message["x"])
        check = "check" in message
        found = group.add(member.rank, int(message["p"]), message["h"], check)
        if check:
            self._checks.append((member, int(message["i"]), group, int(message["check"])))
        if found is None:
            left = self._have_left()
            found = group.after_leaving(left) if left else None
        if found is not None:
            self._disagree(found)
        if self._checks:
            self._answer_checks()

    def _disagree(self, found: Disagreement) -> None:
        self._fail(3, lambda states: texts.disagreement(found, self.ledger, states))

    def _answer_checks(self) -> None:
        open_checks = []
        for check in self._checks:
            member, index, group, number = check
            refused = group.refused.get(number)
            if refused is not None:
                why = texts.disagreement(refused, self.ledger, {})
                self._send(member, {"t": "checked", "i": index, "n": number, "why": why})
            elif group.agreed >= number:
                self._send(member, {"t": "checked", "i": index, "n": number, "why": None})
            else:
                open_checks.append(check)
        self._checks = open_checks

    def _on_assemble(self, member: Member, message: Message) -> None:
        name, ranks = str(message["name"]), tuple(int(r) for r in message["ranks"])
        came = self._assembled.setdefault((name, ranks), set())
        came.add(member.rank)
        if len(came) == len(ranks):
            del self._assembled[name, ranks]
            for rank in sorted(came.intersection(self.members), reverse=True):
                self._send(self.members[rank], {"t": "assembled", "name": name})
            return
        others = [r for n, r in self._assembled if n == name and r != ranks and set(r) & set(ranks)]
        if others:
            self._fail(3, lambda states: texts.contradiction(name, {
                r: members for (n, members), came in self._assembled.items() if n == name for r in came}))
        else:
            self._look_who_left()

    def _look_who_left(self) -> None:
        """A group that waits for a rank which has left."""
        left = set(self._have_left())
        for (name, ranks), came in self._assembled.items():
            gone = left.intersection(ranks) - came
            if gone:
                self._fail(3, partial(texts.left_before, gone, f"the start of group '{name}'"))
                return

    def _on_ask(self, member: Member, message: Message) -> None:
        asked = int(message["q"])

        def answer(states: dict[int, str]) -> None:
            known = {**{r: "does not answer" for r in self.members}, **states}
            known |= dict.fromkeys(self.dead, "died (connection lost)")
            known |= dict.fromkeys(self._have_left(), "has left")
            self._send(member, {"t": "answer", "q": asked, "states": {str(r): s for r, s in known.items()}})

        self._inquire(REPORT, answer)

    def _inquire(self, seconds: float, then: Callable[[dict[int, str]], None], first: bool = False) -> None:
        """Ask all ranks what they do; their journals come with the answers."""
        if self._inquiry is None:
            self._asked += 1
            asked = {r for r, m in self.members.items() if not m.left and not m.failed}
            self._inquiry = Inquiry(self._asked, asked, seconds)
            self._everybody({"t": "where", "q": self._asked})
        self._inquiry.deadline = min(self._inquiry.deadline, time.monotonic() + seconds)
        self._inquiry.then.insert(0 if first else len(self._inquiry.then), then)

    def _on_here(self, member: Member, message: Message) -> None:
        inquiry = self._inquiry
        if inquiry is not None and message["q"] == inquiry.number:
            inquiry.missing.discard(member.rank)
            if not member.failed:
                inquiry.states[member.rank] = str(message["state"])

    # -- ends --------------------------------------------------------------------------------------------------------

    def _fail(self, weight: int, cause: Callable[[dict[int, str]], str]) -> None:
        """Something is wrong. The heaviest cause of those found before it is told to all is what they are told."""
        if self.failure is not None or weight <= self._rank_of_cause:
            return
        first = self._rank_of_cause == 0
        self._rank_of_cause, self._cause = weight, cause
        if first:
            self._inquire(ANSWER, self._tell, first=True)

    def _tell(self, states: dict[int, str]) -> None:
        assert self._cause is not None
        self.failure = self._cause({r: s for r, s in states.items() if r in self.members})
        self._everybody({"t": "failure", "text": self.failure})
        for member in self._acks:
            self._send(member, {"t": "told"})
        self._acks.clear()

    def _on_fail(self, member: Member, message: Message) -> None:
        member.failed = True
        rank, error = member.rank, str(message["error"])
        if self._inquiry is not None:
            self._inquiry.missing.discard(rank)
        if not message["follows"]:
            self._fail(2, lambda states: texts.failed(rank, error, states))
        if self.failure is None and self._rank_of_cause:
            self._acks.append(member)
        else:
            self._send(member, {"t": "told"})

    def _on_leave(self, member: Member, message: Message) -> None:
        del message
        member.left = True
        left = self._have_left()
        found = self.ledger.after_leaving(left)
        self._look_who_left()
        if found is not None:
            self._disagree(found)
        elif len(left) == self.size and self._rank_of_cause == 0:
            for rank in sorted(self.members, reverse=True):
                self.members[rank].released = True
                self._send(self.members[rank], {"t": "left"})


def outside() -> list[str]:
    """This host's address on the network, should others not know its name; nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("192.0.2.1", 9))
        return [sock.getsockname()[0]]
    return []


def stop_soon(address: str) -> None:
    """Let the hub of an address, where it is this process's, end when its connections do."""
    hub = _hubs.get(address)
    if hub is not None:
        hub._stopping = time.monotonic() + LINGER


def stop(address: str) -> None:
    """End the hub of an address, where it is this process's."""
    hub = _hubs.get(address)
    if hub is not None:
        hub.stop()
