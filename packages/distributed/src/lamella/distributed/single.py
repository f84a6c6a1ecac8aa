"""A group of one rank: everything is where it should be already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.dispatch.errors import message

from .backend import Transport, register_backend
from .reduce_op import combined
from .work import Work, finished


class SingleTransport(Transport):
    """Copies from inputs to outputs."""

    devices = ("cpu", "cuda", "meta")

    def allreduce(self, a: Any, op: str) -> Work:
        if ":" in op:  # PREMUL_SUM and its factor
            a[...] = combined(op, [a])
        return finished()

    def reduce(self, a: Any, op: str, root: int) -> Work:
        return self.allreduce(a, op)

    def broadcast(self, a: Any, root: int) -> Work:
        return finished()

    def allgather(self, out: Any, a: Any) -> Work:
        out[...] = a
        return finished()

    def gather(self, out: Any, a: Any, root: int) -> Work:
        return self.allgather(out, a)

    def scatter(self, out: Any, a: Any, root: int) -> Work:
        return self.allgather(out, a)

    def reduce_scatter(self, out: Any, a: Any, op: str) -> Work:
        out[...] = a
        return self.allreduce(out, op)

    def alltoall(self, out: Any, out_counts: Sequence[int], a: Any, in_counts: Sequence[int]) -> Work:
        return self.allgather(out, a)

    def send(self, a: Any, dst: int, tag: int) -> Work:
        raise ValueError(message("send", "a group of one rank has nobody to send to", f"dst {dst}"))

    def recv(self, a: Any, src: int | None, tag: int) -> Work:
        raise ValueError(message("recv", "a group of one rank has nobody to receive from", f"src {src}"))

    def barrier(self) -> Work:
        return finished()


register_backend("single", SingleTransport, devices=("cpu",))
