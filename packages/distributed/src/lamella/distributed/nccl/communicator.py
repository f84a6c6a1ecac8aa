"""One of NCCL's communicators, with the stream that its work goes to."""

from __future__ import annotations

import socket
import threading
import time
from collections import deque
from typing import Any

from lamella.dispatch.config import settings
from lamella.dispatch.errors import message

from ..errors import DistBackendError
from .bootstrap import Channel, agree
from .presence import library


def facts_of(key: str, device: int) -> dict[str, Any]:
    """What other ranks must know of this one before they make a communicator together.

    Args:
        key: names the communicator in its group.
        device: the number of the GPU.
    """
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(device)
    host = socket.gethostname()
    card = bytes(properties.get("uuid", b"")).hex().strip("0")
    place = f"{host} {properties['pciDomainID']}:{properties['pciBusID']}:{properties['pciDeviceID']}"
    return {"key": key, "host": host, "device": device, "gpu": card or place,
            "version": library("nccl").get_version(), "share": bool(settings.nccl_share_device)}  # fmt: skip


class Communicator:
    """NCCL's communicator of some ranks on one GPU each.

    Attributes:
        device: this rank's GPU.
        stream: where its work goes.
        error: why it cannot be used any more; None while it can.
        pending: works that the GPU has not done, as far as is known, oldest first.
        count: how many collectives were started on it.
    """

    def __init__(self, made: Any, device: int) -> None:
        import cupy

        self.device = device
        with cupy.cuda.Device(device):
            self.stream = cupy.cuda.Stream(non_blocking=True)
        self.error: BaseException | None = None
        self.pending: deque[Any] = deque()
        self.count = 0
        self.launching = threading.Lock()
        self._guard = threading.Lock()
        self._made = made

    @property
    def handle(self) -> Any:
        """CuPy's `NcclCommunicator`; raises what ended it."""
        if self.error is not None:
            raise self.error
        return self._made

    def async_error(self) -> BaseException | None:
        """What went wrong in NCCL's own threads or between machines, without waiting; None where nothing did."""
        if self.error is not None:
            return self.error
        try:
            self._made.check_async_error()
        except Exception as error:  # noqa: BLE001 - CuPy has no class for all of NCCL's codes
            return DistBackendError(message("nccl", f"NCCL reports: {error}", hint="NCCL_DEBUG=INFO tells more"))
        return None

    def abort(self, error: BaseException) -> None:
        """End all that is under way, whatever the other ranks do. Works raise the error from now on.

        Args:
            error: the reason.
        """
        if self.error is not None:
            return
        self.error = error
        for work in list(self.pending):
            work.fail(error)
        held = self.launching.acquire(timeout=1.0)  # a launch may wait for a rank that never comes: then without it
        try:
            self._made.abort()
        finally:
            if held:
                self.launching.release()
        self.pending.clear()

    def add(self, work: Any) -> None:
        """A work is in the stream."""
        self.forget()
        with self._guard:
            self.count += 1
            self.pending.append(work)

    def forget(self) -> None:
        """Drop works that are over."""
        with self._guard:
            while self.pending and self.pending[0].ended():
                self.pending.popleft().forget()

    def close(self, seconds: float) -> None:
        """Give it back when its work is done; abort it where that takes too long.

        Args:
            seconds: how long the work may take.
        """
        if self.error is not None:
            return
        deadline = time.monotonic() + seconds
        while self.pending:
            self.forget()
            if self.pending and time.monotonic() > deadline:
                rule = "work was under way when the group was destroyed, and did not end in time"
                self.abort(DistBackendError(message("destroy_process_group", rule, f"{seconds:g} s")))
            time.sleep(0.0002)
        if self.error is not None:
            return
        self.error = DistBackendError(message("nccl", "the communicator was destroyed"))
        ending = threading.Thread(target=self._made.destroy, name="nccl destroy", daemon=True)
        ending.start()
        ending.join(seconds)


def connect(channel: Channel | None, key: str, members: list[int], rank: int, device: int,
            seconds: float) -> Communicator:
    """Make a communicator; all its ranks call this.

    Args:
        channel: what the ranks talk over (None: there is one rank).
        key: names the communicator in its group.
        members: the ranks in the group, in order.
        rank: this one.
        device: its GPU.
        seconds: how long the others may take.

    Raises:
        DistBackendError: a rank did not come, or cannot join; all that came raise it.
        RuntimeError: this rank has no GPU or no NCCL.
    """
    begin = time.monotonic()
    if channel is None:
        unique = library("nccl").get_unique_id()
    else:
        try:
            nccl = library("nccl")
            facts = facts_of(key, device)
        except Exception as error:
            agree(channel, members, rank, {"failed": str(error)}, lambda: b"", seconds)
            raise
        unique = agree(channel, members, rank, facts, nccl.get_unique_id, seconds)
    left = max(seconds - (time.monotonic() - begin), 1.0)
    return Communicator(_initialised(unique, len(members), members.index(rank), device, left, key), device)


def _initialised(unique: bytes, size: int, rank: int, device: int, seconds: float, key: str) -> Any:
    """NCCL's communicator, made on a thread of its own: NCCL waits for all ranks without a limit."""
    import cupy

    nccl = library("nccl")
    made: list[Any] = []
    failed: list[Exception] = []
    late = threading.Event()

    def make() -> None:
        try:
            with cupy.cuda.Device(device):
                made.append(nccl.NcclCommunicator(size, unique, rank))
        except Exception as error:  # noqa: BLE001 - raised on the thread that waits
            failed.append(error)
        if late.is_set() and made:
            made[0].abort()

    maker = threading.Thread(target=make, name=f"nccl {key}", daemon=True)
    maker.start()
    maker.join(seconds)
    if maker.is_alive():
        late.set()
        rule = f"the ranks did not connect within {seconds:.3g} s"
        raise DistBackendError(message("nccl", rule, f"communicator {key} of {size} ranks on cuda:{device}",
                                       hint="NCCL_DEBUG=INFO tells more; NCCL_SOCKET_IFNAME names the network to use"))
    if failed:
        rule = f"NCCL cannot make the communicator: {failed[0]}"
        raise DistBackendError(message("nccl", rule, f"{key} of {size} ranks on cuda:{device}",
                                       hint="NCCL_DEBUG=INFO tells more")) from failed[0]
    return made[0]
