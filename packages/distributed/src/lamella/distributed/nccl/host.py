"""The host's arrays between ranks that have nothing but NCCL: they go over the GPUs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ..backend import Transport
from ..work import Work
from .work import NCCLWork


class _Downloaded(Work):
    """A collective of GPUs whose results go to the host when it is over."""

    def __init__(self, work: NCCLWork, home: list[tuple[Any, Any]]) -> None:
        self.describe, self.timeout = work.describe, work.timeout
        self._work, self._home = work, home
        self._since = time.monotonic()

    def _poll(self) -> bool:
        return self._work.over()

    def _pause(self, deadline: float | None) -> None:
        now = time.monotonic()
        if deadline is not None and now > deadline:
            raise self._work.expire(now - self._since)
        time.sleep(5e-5)

    def _finish(self) -> None:
        for device, host in self._home:
            with device.device:
                host[...] = device.get()
        super()._finish()

    def source_rank(self) -> int:
        """The global rank that a message came from."""
        return self._work.source_rank()


class HostArrays(Transport):
    """Carries NumPy's arrays by copying them to GPUs, as torch does with objects where NCCL is all there is.

    Args:
        carrier: the `NCCLTransport` of the same ranks.
    """

    devices = ()  # not for tensors on the CPU, which torch's NCCL refuses, too

    def __init__(self, carrier: Any) -> None:
        super().__init__(carrier.member)
        self.carrier = carrier
        self.kind = "nccl, from the host"

    def _do(self, call: Callable[..., Any], written: Sequence[int], *arrays: Any) -> Work:
        """A call on copies of arrays; those at the places `written` are brought back."""
        import cupy

        with cupy.cuda.Device(self.carrier.device()):
            up = [None if a is None else cupy.asarray(a) for a in arrays]
            work = call(*up)
        return _Downloaded(work, [(up[n], arrays[n]) for n in written if arrays[n] is not None])

    def allreduce(self, a: Any, op: str) -> Work:
        """See `Transport`."""
        return self._do(lambda x: self.carrier.allreduce(x, op), [0], a)

    def reduce(self, a: Any, op: str, root: int) -> Work:
        """See `Transport`."""
        return self._do(lambda x: self.carrier.reduce(x, op, root), [0] if self.rank == root else [], a)

    def broadcast(self, a: Any, root: int) -> Work:
        """See `Transport`."""
        return self._do(lambda x: self.carrier.broadcast(x, root), [] if self.rank == root else [0], a)

    def allgather(self, out: Any, a: Any) -> Work:
        """See `Transport`."""
        return self._do(self.carrier.allgather, [0], out, a)

    def gather(self, out: Any, a: Any, root: int) -> Work:
        """See `Transport`."""
        return self._do(lambda o, x: self.carrier.gather(o, x, root), [0], out, a)

    def scatter(self, out: Any, a: Any, root: int) -> Work:
        """See `Transport`."""
        return self._do(lambda o, x: self.carrier.scatter(o, x, root), [0], out, a)

    def reduce_scatter(self, out: Any, a: Any, op: str) -> Work:
        """See `Transport`."""
        return self._do(lambda o, x: self.carrier.reduce_scatter(o, x, op), [0], out, a)

    def alltoall(self, out: Any, out_counts: Sequence[int], a: Any, in_counts: Sequence[int]) -> Work:
        """See `Transport`."""
        return self._do(lambda o, x: self.carrier.alltoall(o, out_counts, x, in_counts), [0], out, a)

    def send(self, a: Any, dst: int, tag: int) -> Work:
        """See `Transport`."""
        return self._do(lambda x: self.carrier.send(x, dst, tag), [], a)

    def recv(self, a: Any, src: int | None, tag: int) -> Work:
        """See `Transport`."""
        return self._do(lambda x: self.carrier.recv(x, src, tag), [0], a)

    def barrier(self) -> Work:
        """See `Transport`."""
        return self.carrier.barrier()
