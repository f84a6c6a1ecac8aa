"""NCCL between the threads of one process: CuPy's names, real reductions, and NCCL's rules.

Messages need their counterpart to have begun; a call that waits for itself is a `Deadlock`. What a call does is done
when its stream comes to it (see `queues`). Ranks that call different collectives wait for ever, as they may in NCCL.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import ml_dtypes
import numpy as np

from .queues import BY_ADDRESS, CHANGED, NULLS, Queue, drain

TYPES = [np.dtype(t) for t in (np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32,
                               np.float64, ml_dtypes.bfloat16)]  # fmt: skip
NAMES = {
    "NCCL_INT8": 0, "NCCL_CHAR": 0, "NCCL_UINT8": 1, "NCCL_INT32": 2, "NCCL_INT": 2, "NCCL_UINT32": 3, "NCCL_INT64": 4,
    "NCCL_UINT64": 5, "NCCL_FLOAT16": 6, "NCCL_HALF": 6, "NCCL_FLOAT32": 7, "NCCL_FLOAT": 7, "NCCL_FLOAT64": 8,
    "NCCL_DOUBLE": 8, "NCCL_BFLOAT16": 9, "NCCL_SUM": 0, "NCCL_PROD": 1, "NCCL_MAX": 2, "NCCL_MIN": 3, "NCCL_AVG": 4,
}  # fmt: skip
#: The methods of CuPy's communicator and their parameters, as CuPy 14.2 describes them.
METHODS = {
    "abort": "", "allGather": "sendbuf recvbuf count datatype stream",
    "allReduce": "sendbuf recvbuf count datatype op stream",
    "broadcast": "sendbuff recvbuff count datatype root stream", "check_async_error": "", "destroy": "",
    "device_id": "", "rank_id": "", "recv": "recvbuf count datatype peer stream",
    "reduce": "sendbuf recvbuf count datatype op root stream",
    "reduceScatter": "sendbuf recvbuf recvcount datatype op stream", "send": "sendbuf count datatype peer stream",
    "size": "",
}  # fmt: skip
_ERRORS = ("SUCCESS", "UNHANDLED_CUDA_ERROR", "SYSTEM_ERROR", "INTERNAL_ERROR", "INVALID_ARGUMENT", "INVALID_USAGE",
           "REMOTE_ERROR")  # fmt: skip
available = True
#: What was called: (rank, method, whether in a group) each.
CALLS: list[tuple[int, str, bool]] = []


class NcclError(RuntimeError):
    """`cupy.cuda.nccl.NcclError`."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"NCCL_ERROR_{_ERRORS[status]}: {_ERRORS[status].lower().replace('_', ' ')}")


def elements(address: int, count: int, kind: int) -> np.ndarray:
    """The memory at an address."""
    size = count * TYPES[kind].itemsize
    return np.frombuffer((ctypes.c_uint8 * size).from_address(address), TYPES[kind])


def reduced(op: int, arrays: list[np.ndarray]) -> np.ndarray:
    """What NCCL makes of all ranks' elements."""
    d = arrays[0].dtype
    wide = [a.astype(np.float32) for a in arrays] if d.itemsize == 2 else arrays
    fn = (np.add, np.multiply, np.maximum, np.minimum, np.add)[op]
    out = wide[0].copy()
    with np.errstate(all="ignore"):
        for a in wide[1:]:
            out = fn(out, a)
        if op == 4:
            out = out // len(arrays) if d.kind in "iu" else out / len(arrays)
    return out.astype(d)


class _World:
    """The ranks that share a unique id."""

    def __init__(self, size: int) -> None:
        self.size, self.joined = size, 0
        self.meetings: dict[int, Meeting] = {}
        self.messages: dict[tuple[int, int], list[Message]] = {}


WORLDS: dict[bytes, _World] = {}
_count = [0]


class Meeting:
    """One collective: what each rank called."""

    def __init__(self, size: int) -> None:
        self.size, self.ran = size, False
        self.results: dict[Kernel, tuple[np.ndarray, np.ndarray]] = {}  # where to, and what; each rank writes its own
        self.calls: dict[int, tuple[str, Any, int, int]] = {}  # rank -> (what must agree, count, send, receive)
        self.kernels: dict[int, Kernel] = {}

    def partners(self) -> list[Kernel] | None:
        agreed = len({call[:2] for call in self.calls.values()}) == 1
        return list(self.kernels.values()) if agreed and len(self.calls) == self.size else None

    def run(self) -> None:
        (name, kind, op, root), count, *_ = self.calls[0]
        ranks = range(self.size)
        counts = {"reduceScatter": (count * self.size, count), "allGather": (count, count * self.size)}
        sent, got = counts.get(name, (count, count))
        given = [elements(self.calls[r][2], sent, kind).copy() for r in ranks]
        out = {r: elements(self.calls[r][3], got, kind) for r in ranks if name != "reduce" or r == root}
        for r, to in out.items():
            if name == "allGather":
                found = np.concatenate(given)
            elif name == "broadcast":
                found = given[root]
            else:
                whole = reduced(op, given)
                found = whole[r * count : (r + 1) * count] if name == "reduceScatter" else whole
            self.results[self.kernels[r]] = to, found


class Message:
    """One message: what its two ranks called."""

    def __init__(self) -> None:
        self.ran = False
        self.results: dict[Kernel, tuple[np.ndarray, np.ndarray]] = {}
        self.sides: dict[str, tuple[int, int, int]] = {}  # send or recv -> (address, count, type)
        self.kernels: dict[str, Kernel] = {}

    def partners(self) -> list[Kernel] | None:
        return list(self.kernels.values()) if len(self.sides) == 2 else None

    def run(self) -> None:
        source, target = elements(*self.sides["send"]), elements(*self.sides["recv"])
        assert source.nbytes == target.nbytes, f"a message of {source.nbytes} bytes for {target.nbytes}"
        self.results[self.kernels["recv"]] = target.view(np.uint8), source.view(np.uint8).copy()


class Kernel:
    """What one launch puts into a stream: calls that go on together."""

    def __init__(self, comm: NcclCommunicator, queue: Queue) -> None:
        self.comm, self.queue, self.parts = comm, queue, []
        self.place = len(queue.items)

    def done(self, block: bool) -> bool:
        """Do it; false while other ranks have not come to it."""
        if self.comm.aborted:
            return True
        for part in self.parts:
            partners = part.partners()
            if not part.ran:
                if partners is None or any(k.comm.aborted for k in partners):
                    return False
                for kernel in partners:
                    if kernel is not self:
                        drain(kernel.queue, kernel.place, block)
                if not part.ran:
                    part.ran = True
                    part.run()
        for part in self.parts:
            if self in part.results:
                target, found = part.results.pop(self)
                target[:] = found
        return True

    def __repr__(self) -> str:
        return f"rank {self.comm.rank}'s {[vars(p) for p in self.parts]}"


class _Group(threading.local):
    depth = 0

    def __init__(self) -> None:
        self.calls: list[Any] = []


_group = _Group()


def get_version() -> int:
    return 22707


def get_unique_id() -> bytes:
    with CHANGED:
        _count[0] += 1
        return _count[0].to_bytes(128, "little")


def groupStart() -> None:  # noqa: N802 - CuPy's name
    _group.depth += 1


def groupEnd() -> None:  # noqa: N802 - CuPy's name
    _group.depth -= 1
    if _group.depth == 0:
        calls, _group.calls = _group.calls, []
        own = [(c.rank, a) for c, a, *_ in calls if a[0] in ("send", "recv") and a[1] == c.rank]
        if len(own) % 2:
            raise NcclError(5)
        _launch(calls)


def _launch(calls: list[Any]) -> None:
    kernels: dict[tuple[int, int], Kernel] = {}
    with CHANGED:
        for comm, call, queue in calls:
            kernel = kernels.get((id(comm), id(queue)))
            if kernel is None:
                kernel = kernels[id(comm), id(queue)] = Kernel(comm, queue)
            kernel.parts.append(comm.part(kernel, call))
        for kernel in kernels.values():
            kernel.place = len(kernel.queue.items)
            kernel.queue.put(kernel)


class NcclCommunicator:
    """`cupy.cuda.nccl.NcclCommunicator`."""

    def __init__(self, ndev: int, commId: bytes, rank: int, config: Any = None) -> None:  # noqa: N803
        import cupy

        assert _group.depth == 0, "a communicator is made in a group of calls"
        assert type(commId) is bytes and len(commId) == 128, "commId must be bytes"
        if not 0 <= rank < ndev:
            raise NcclError(4)
        self.rank, self.device, self.aborted, self.failing = rank, cupy.cuda.runtime.getDevice(), False, 0
        self.count = 0
        self.messages: dict[tuple[int, int, str], int] = {}
        with CHANGED:
            self.world = WORLDS.setdefault(commId, _World(ndev))
            self.world.joined += 1
            CHANGED.notify_all()
            while self.world.joined < ndev:
                CHANGED.wait()
        self.comm = id(self)

    def _put(self, name: str, key: Any, stream: int, call: Any) -> None:
        if self.comm == 0:
            raise NcclError(4)
        queue = BY_ADDRESS[stream] if stream else NULLS.setdefault(self.device, Queue(self.device))
        assert queue.device == self.device, "the stream is on another device than the communicator"
        CALLS.append((self.rank, name, _group.depth > 0))
        if _group.depth:
            _group.calls.append((self, call, queue))
        elif name in ("send", "recv") and key == self.rank:
            raise NcclError(5)
        else:
            _launch([(self, call, queue)])

    def part(self, kernel: Kernel, call: Any) -> Any:
        """The meeting or the message that a call belongs to."""
        name = call[0]
        if name in ("send", "recv"):
            pair = (self.rank, call[1]) if name == "send" else (call[1], self.rank)
            n = self.messages.get((*pair, name), 0)
            self.messages[(*pair, name)] = n + 1
            found = self.world.messages.setdefault(pair, [])
            while len(found) <= n:
                found.append(Message())
            found[n].sides[name], found[n].kernels[name] = call[2:], kernel
            return found[n]
        meeting = self.world.meetings.setdefault(self.count, Meeting(self.world.size))
        self.count += 1
        meeting.calls[self.rank], meeting.kernels[self.rank] = call[1:], kernel
        return meeting

    def _collective(self, name: str, send: int, receive: int, count: int, kind: int, op: int, root: int,
                    stream: int) -> None:  # fmt: skip
        if not (0 <= kind < 10 and 0 <= op < 5 and 0 <= root < self.world.size and count > 0):
            raise NcclError(4)
        self._put(name, None, stream, (name, (name, kind, op, root), count, send, receive))

    def allReduce(self, sendbuf, recvbuf, count, datatype, op, stream):  # noqa: N802
        self._collective("allReduce", sendbuf, recvbuf, count, datatype, op, 0, stream)

    def reduce(self, sendbuf, recvbuf, count, datatype, op, root, stream):
        self._collective("reduce", sendbuf, recvbuf, count, datatype, op, root, stream)

    def broadcast(self, sendbuff, recvbuff, count, datatype, root, stream):
        self._collective("broadcast", sendbuff, recvbuff, count, datatype, 0, root, stream)

    def allGather(self, sendbuf, recvbuf, count, datatype, stream):  # noqa: N802
        self._collective("allGather", sendbuf, recvbuf, count, datatype, 0, 0, stream)

    def reduceScatter(self, sendbuf, recvbuf, recvcount, datatype, op, stream):  # noqa: N802
        self._collective("reduceScatter", sendbuf, recvbuf, recvcount, datatype, op, 0, stream)

    def send(self, sendbuf, count, datatype, peer, stream):
        self._put("send", peer, stream, ("send", peer, sendbuf, count, datatype))

    def recv(self, recvbuf, count, datatype, peer, stream):
        self._put("recv", peer, stream, ("recv", peer, recvbuf, count, datatype))

    def check_async_error(self) -> None:
        if self.comm == 0:
            raise NcclError(4)
        if self.failing:
            raise NcclError(self.failing)

    def abort(self) -> None:
        with CHANGED:
            self.aborted, self.comm = True, 0
            CHANGED.notify_all()

    def destroy(self) -> None:
        self.comm = 0

    def size(self) -> int:
        return self.world.size

    def rank_id(self) -> int:
        return self.rank

    def device_id(self) -> int:
        return self.device
