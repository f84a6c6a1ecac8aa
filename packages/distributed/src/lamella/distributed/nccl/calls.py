"""Calls of NCCL's: what is put into a communicator's stream, alone or together with others."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..errors import DistBackendError
from .communicator import Communicator
from .types import BYTE, Reduction
from .work import NCCLWork

#: Puts calls into a stream, given CuPy's communicator and the stream's address.
Issue = Callable[[Any, int], None]


class Call:
    """What is to be put into a communicator's stream.

    Attributes:
        key: the communicator's name in the group.
        device: this rank's GPU.
        members: the communicator's ranks in the group.
        work: what the caller holds.
        issue: NCCL's calls.
        grouped: whether NCCL must start them together.
        before, after: what goes into the stream around them.
    """

    __slots__ = ("key", "device", "members", "work", "issue", "grouped", "before", "after")

    def __init__(self, lane: tuple[str, int, list[int]], work: NCCLWork, issue: Issue, grouped: bool = False) -> None:
        self.key, self.device, self.members = lane
        self.work, self.issue, self.grouped = work, issue, grouped
        self.before: Callable[[], None] | None = None
        self.after: Callable[[], None] | None = None


def start(nccl: Any, calls: Sequence[Call], comms: dict[str, Communicator]) -> None:
    """Put calls into their communicators' streams, after all that the current stream has been given.

    Args:
        nccl: CuPy's module.
        calls: on one GPU.
        comms: the communicators by key.
    """
    import cupy

    with cupy.cuda.Device(calls[0].device):
        producer = cupy.cuda.get_current_stream()
        ready = producer.record(cupy.cuda.Event(disable_timing=True))
        for comm in comms.values():
            comm.handle  # noqa: B018 - raises where it was ended
            comm.stream.wait_event(ready)
        for call in calls:
            if call.before is not None:
                with comms[call.key].stream:
                    call.before()
        with contextlib.ExitStack() as held:
            for key in sorted(comms):
                held.enter_context(comms[key].launching)
            _issue(nccl, calls, comms)
        for call in calls:
            comm = comms[call.key]
            with comm.stream:
                if call.after is not None:
                    call.after()
                call.work.started(comm, producer)
            if not comm.stream.is_capturing():  # marks of recorded work cannot be asked
                comm.add(call.work)


def _issue(nccl: Any, calls: Sequence[Call], comms: dict[str, Communicator]) -> None:
    call = calls[0]
    together = len(calls) > 1 or call.grouped
    try:
        if together:
            nccl.groupStart()
        try:
            for call in calls:
                comm = comms[call.key]
                call.issue(comm.handle, comm.stream.ptr)
        finally:
            if together:
                nccl.groupEnd()
    except nccl.NcclError as error:
        rule = f"NCCL did not take the call: {error}"
        text = message(call.work.describe, rule, call.work.told(), hint="NCCL_DEBUG=INFO tells more")
        raise DistBackendError(text) from error


def send(comm: Any, at: int, size: int, peer: int, stream: int) -> None:
    """Send bytes; nothing is done for none."""
    if size:
        comm.send(at, size, BYTE, peer, stream)


def receive(comm: Any, at: int, size: int, peer: int, stream: int) -> None:
    """Receive bytes; nothing is done for none."""
    if size:
        comm.recv(at, size, BYTE, peer, stream)


def send_all(comm: Any, at: int, sizes: Sequence[int], stream: int) -> None:
    """Send parts that lie one after the other, one to each rank."""
    for peer, size in enumerate(sizes):
        send(comm, at, size, peer, stream)
        at += size


def receive_all(comm: Any, at: int, sizes: Sequence[int], stream: int) -> None:
    """Receive parts one after the other, one from each rank."""
    for peer, size in enumerate(sizes):
        receive(comm, at, size, peer, stream)
        at += size


def prepared(a: Any, out: Any, plan: Reduction) -> list[Any]:
    """What NCCL reduces, and into what, where it is not the arrays themselves. Works in the current stream."""
    import cupy

    if plan.through is not None:
        wide = a.astype(plan.through)
        return [wide, wide if out is a else cupy.empty(out.shape, plan.through)]
    if a.dtype.itemsize == 2:
        return [(a.astype(np.float32) * np.float32(plan.factor)).astype(a.dtype), out]
    return [a * a.dtype.type(plan.factor), out]


def converted(reduced: Any, out: Any) -> None:
    """Write what NCCL reduced in a wider type where it belongs."""
    out[...] = reduced.astype(out.dtype)
