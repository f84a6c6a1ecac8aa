"""How ranks agree on a communicator: the first of them collects facts from all, and hands out NCCL's unique id.

The words go over the group's transport on the CPU, or over a store where there is none. Whatever keeps one rank from
joining is told to all, and all raise it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Protocol

import numpy as np

from lamella.dispatch.config import settings
from lamella.dispatch.errors import message

from ..errors import DistBackendError

_TAG = 32749  # of messages; MPI promises tags up to 32767
_SIZE = 4096  # bytes of one message
_GRACE = 5.0  # seconds that members wait longer than the first, which tells them who is missing

settings.declare(
    "nccl_share_device", bool, False,
    "whether ranks may use one GPU together in NCCL (which NCCL refuses, unless it is told otherwise)",
)  # fmt: skip


class Channel(Protocol):
    """Carries short messages between two ranks of a group, in order."""

    def send(self, peer: int, words: dict[str, Any], seconds: float) -> None:
        """Hand a message over."""

    def recv(self, peer: int, seconds: float) -> dict[str, Any]:
        """The next message of a rank; DistBackendError where none comes in time."""


class OverTransport:
    """Messages over the transport of a group's tensors on the CPU.

    Args:
        transport: the transport, of the same ranks.
    """

    def __init__(self, transport: Any) -> None:
        self.transport = transport

    def send(self, peer: int, words: dict[str, Any], seconds: float) -> None:
        """See `Channel`."""
        raw = json.dumps(words).encode()
        box = np.zeros(_SIZE, np.uint8)
        box[: len(raw)] = np.frombuffer(raw, np.uint8)
        self.transport.send(box, peer, _TAG).wait(seconds)

    def recv(self, peer: int, seconds: float) -> dict[str, Any]:
        """See `Channel`."""
        box = np.zeros(_SIZE, np.uint8)
        try:
            self.transport.recv(box, peer, _TAG).wait(seconds)
        except RuntimeError as error:
            raise _silent(peer, error) from error
        return dict(json.loads(box.tobytes().rstrip(b"\0")))


class OverStore:
    """Messages over a store.

    Args:
        store: has torch's `set`, `wait`, `get` and `delete_key`.
        name: the group's, which is unique.
        rank: this process's rank in the group.
    """

    def __init__(self, store: Any, name: str, rank: int) -> None:
        self.store, self.name, self.rank = store, name, rank
        self._counts: dict[tuple[int, int], int] = {}

    def _key(self, src: int, dst: int) -> str:
        n = self._counts.get((src, dst), 0)
        self._counts[src, dst] = n + 1
        return f"nccl/{self.name}/{src}>{dst}/{n}"

    def send(self, peer: int, words: dict[str, Any], seconds: float) -> None:
        """See `Channel`."""
        self.store.set(self._key(self.rank, peer), json.dumps(words))

    def recv(self, peer: int, seconds: float) -> dict[str, Any]:
        """See `Channel`."""
        key = self._key(peer, self.rank)
        try:
            self.store.wait([key], timedelta(seconds=seconds))
            raw = self.store.get(key)
            self.store.delete_key(key)  # a group of this name may be made again
        except RuntimeError as error:
            raise _silent(peer, error) from error
        return dict(json.loads(raw))


def channel_of(group: Any, world: Any, name: str, rank: int, size: int) -> Channel:
    """What the ranks of a group can talk over.

    Args:
        group: has ``control``, the transport of tensors on the CPU (or None).
        world: has ``store`` (or None).
        name: the group's.
        rank, size: this process's rank, and how many there are.

    Raises:
        RuntimeError: there is nothing: no MPI, no store, and no address in the environment.
    """
    control = getattr(group, "control", None)
    if control is not None and control.size == size and "cpu" in control.devices:
        return OverTransport(control)
    store = getattr(world, "store", None)
    if store is None:
        store = world.store = _store_of_environment(world)
    return OverStore(store, name, rank)


def _store_of_environment(world: Any) -> Any:
    """A store at the address that the launcher gave."""
    absent = [name for name in ("MASTER_ADDR", "MASTER_PORT") if name not in os.environ]
    if absent:
        rule = "ranks cannot find each other: there is neither MPI nor a store, and the environment names no address"
        raise RuntimeError(message("init_process_group", rule, f"{' and '.join(absent)} not set",
                                   hint="mpiexec -n 2 lamella run script.py starts ranks that can"))  # fmt: skip
    from ..store import TCPStore

    return TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), world.size, world.rank == 0)


def _silent(peer: int, error: Exception) -> DistBackendError:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    return DistBackendError(message("nccl", f"nothing came from rank {peer} of the group", text))


def agree(channel: Channel, members: Sequence[int], rank: int, facts: dict[str, Any], make_id: Callable[[], bytes],
          seconds: float) -> bytes:
    """The unique id of a communicator, the same on all its ranks.

    Args:
        channel: what they talk over.
        members: their ranks in the group; the first one makes the id.
        rank: this one.
        facts: what must fit together: ``key`` (of the communicator), ``gpu``, ``host``, ``device``, ``version``; or
            ``failed``, why this rank cannot join.
        make_id: makes a unique id.
        seconds: how long the others may take.

    Raises:
        DistBackendError: a rank did not come, cannot join, or the ranks' facts contradict each other.
    """
    first = members[0]
    if rank != first:
        channel.send(first, facts, seconds)
        return _unpacked(channel.recv(first, seconds + _GRACE))
    deadline = time.monotonic() + seconds
    came: dict[int, dict[str, Any]] = {first: facts}
    absent: dict[int, str] = {}
    for peer in members[1:]:
        try:
            came[peer] = channel.recv(peer, max(deadline - time.monotonic(), 0.05))
        except DistBackendError as error:
            absent[peer] = str(error)
    wrong = _absence(members, absent, seconds) or contradiction(came)
    answer: dict[str, Any] = {"error": wrong} if wrong else {"id": make_id().hex()}
    for peer in came:
        if peer != first:
            channel.send(peer, answer, seconds)
    return _unpacked(answer)


def _unpacked(answer: dict[str, Any]) -> bytes:
    if "error" in answer:
        raise DistBackendError(answer["error"])
    return bytes.fromhex(answer["id"])


def _absence(members: Sequence[int], absent: dict[int, str], seconds: float) -> str | None:
    if not absent:
        return None
    shown = list(absent)[:20]
    rule = f"{len(absent)} of {len(members)} ranks did not join the communicator within {seconds:g} s"
    return message("nccl", rule, f"ranks {shown}{' and more' if len(absent) > 20 else ''} of the group",
                   details=[next(iter(absent.values()))[:300]],
                   hint="all ranks of a group make its first collective; a rank died, or does something else")


def contradiction(came: dict[int, dict[str, Any]]) -> str | None:
    """Why ranks cannot make a communicator together; None where they can.

    Args:
        came: rank -> its facts.

    Example:
        >>> print(contradiction({0: {"failed": "no GPU"}, 1: {"key": "cuda:0"}}))
        nccl: rank 0 cannot join the communicator (no GPU)
        >>> contradiction({0: {"key": "all", "gpu": "a"}, 1: {"key": "all", "gpu": "b"}})
    """
    for rank, facts in came.items():
        if "failed" in facts:
            return message("nccl", f"rank {rank} cannot join the communicator", facts["failed"][:500])
    first, *others = came
    for what, told in (("key", "ranks make different communicators"), ("version", "ranks have different NCCLs")):
        for rank in others:
            if came[rank].get(what) != came[first].get(what):
                shown = f"rank {first}: {came[first].get(what)}, rank {rank}: {came[rank].get(what)}"
                hint = "all ranks must call the same on a group, in the same order" if what == "key" else None
                return message("nccl", told, shown, hint=hint)
    owners: dict[str, int] = {}
    for rank, facts in came.items():
        other = owners.setdefault(facts.get("gpu", str(rank)), rank)
        if other != rank and not facts.get("share"):
            shown = f"cuda:{facts.get('device')} of {facts.get('host')}"
            hint = "torch.cuda.set_device(int(os.environ['LOCAL_RANK'])) before the first collective gives each its own"
            return message("nccl", f"ranks {other} and {rank} of the group use one GPU", shown, hint=hint)
    return None
