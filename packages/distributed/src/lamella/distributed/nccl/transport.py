"""Collectives on GPUs, through NCCL."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lamella.dispatch.errors import message

from ..backend import Member, Transport
from ..errors import DistBackendError
from ..work import Work
from .bootstrap import channel_of
from .calls import Call, Issue, converted, prepared, receive, receive_all, send, send_all, start
from .communicator import Communicator, connect
from .presence import library
from .types import BYTE, reduction
from .watch import Watch
from .work import NCCLWork, Together


class NCCLTransport(Transport):
    """Carries arrays on GPUs. Communicators are made by the first call that needs them: one for the group, and one for
    each pair of ranks that send to each other. Nothing of CUDA is loaded before.
    """

    devices = ("cuda",)
    kind = "nccl"

    def __init__(self, member: Member) -> None:
        super().__init__(member)
        self._nccl: Any = None
        self._comms: dict[str, Communicator] = {}
        self._channel: Any = None
        self._batch: list[Call] | None = None
        self._watch: Watch | None = None
        self._closed = False

    # ------------------------------------------------------------ communicators

    def device(self) -> int:
        """The GPU of calls without arrays: the one that the group was bound to, or that it used before; else that of
        this rank's number on its host, where there are so many and none was chosen; else the current one.
        """
        library("nccl")
        import cupy

        bound = getattr(self._group(), "bound_device_id", None)
        if bound is not None:
            from lamella.core.cuda.devices import index_of

            return index_of(bound)
        for comm in self._comms.values():
            return comm.device
        from ..group import get_node_local_rank

        current, local = int(cupy.cuda.runtime.getDevice()), get_node_local_rank(0)
        return local if current == 0 and local < cupy.cuda.runtime.getDeviceCount() else current

    def connect(self, device: Any = None) -> None:
        """Make the group's communicator now; all ranks call this.

        Args:
            device: the GPU (None: that of calls without arrays).
        """
        from lamella.core.cuda.devices import index_of

        number = self.device() if device is None else index_of(device)
        self._communicator(f"cuda:{number}", number, list(range(self.size)))

    def _group(self) -> Any:
        return self.member.world.groups.get(self.member.name)

    def _communicator(self, key: str, device: int, members: list[int]) -> Communicator:
        found = self._comms.get(key)
        if found is None:
            if self._closed:
                raise ValueError(message("nccl", "the group was destroyed", repr(self.member.name)))
            if self._channel is None and self.size > 1:
                self._channel = channel_of(self._group(), self.member.world, self.member.name, self.rank, self.size)
            channel = self._channel if len(members) > 1 else None
            shared = key.partition(":")[0]  # ranks' GPUs have different numbers
            found = connect(channel, shared, members, self.rank, device, self.member.timeout)
            self._comms[key] = found
        return found

    # ------------------------------------------------------------ starting calls

    def _checked(self, name: str, *arrays: Any) -> int:
        """The GPU that arrays are on; raises where they are not fit for NCCL."""
        if self._nccl is None:
            self._nccl = library(name)
        import cupy

        device = None
        for a in arrays:
            if not isinstance(a, cupy.ndarray):
                hint = "move it: x.cuda(); or give the group a backend for it: 'cpu:mpi,cuda:nccl'"
                raise ValueError(message(name, "Tensors must be CUDA and dense", type(a).__name__, hint=hint))
            if not a.flags.c_contiguous:
                raise ValueError(message(name, "Tensors must be contiguous", f"strides {a.strides} of {a.shape}"))
            if device is None:
                device = a.device.id
            elif a.device.id != device:
                rule = "tensors of one call must be on one GPU"
                raise ValueError(message(name, rule, f"cuda:{device} and cuda:{a.device.id}"))
        assert device is not None
        bound = getattr(self._group(), "bound_device_id", None)
        if bound is not None and self.device() != device:
            rule = "the tensor is not on the GPU that the group was bound to"
            raise ValueError(message(name, rule, f"cuda:{device}, device_id cuda:{self.device()}"))
        return device

    def _work(self, name: str, arrays: tuple[Any, ...], device: int, extra: str = "",
              blocking: bool = False) -> NCCLWork:
        a = arrays[0] if arrays else None
        shown = "" if a is None else f"{a.dtype.name}[{a.size}]"

        def told() -> str:
            group, ranks = self.member.name, list(self.member.ranks)
            seen = f"{ranks[:16]} and more" if len(ranks) > 16 else f"{ranks}"
            what = " ".join(x for x in (shown, extra) if x)
            step = getattr(self.member.world, "step", 0)
            return (f"rank {ranks[self.rank]} of {seen} waits for the others: {what + ', ' if what else ''}"
                    f"cuda:{device}, group {group!r}, step {step}")

        monitor = getattr(self.member.world, "monitor", None)
        return NCCLWork(name, self.member.timeout, arrays, told, blocking, monitor)

    def _start(self, call: Call) -> Work:
        """Put a call into its stream, or beside the others of a batch."""
        if self._batch is not None:
            self._batch.append(call)
        else:
            self._run([call])
        return call.work

    def _run(self, calls: list[Call]) -> None:
        wanted = {call.key: call for call in calls}
        # In one order on all ranks: making a communicator waits for its other ranks.
        ordered = sorted(wanted.values(), key=lambda call: call.members)
        comms = {call.key: self._communicator(call.key, call.device, call.members) for call in ordered}
        start(self._nccl or library("nccl"), calls, comms)
        if self._watch is None:
            self._watch = Watch(self, f"nccl watch, group {self.member.name}")
        self._watch.wake()

    def _lane(self, device: int, pair: list[int] | None = None) -> tuple[str, int, list[int]]:
        """The communicator's name, its GPU and its ranks: the group's, or that of a pair of ranks.

        Messages go through communicators of their own, so that only the two need to take part in making it, and no
        collective delays them. A batch takes the group's where it is there, as its streams are fewer.
        """
        whole = f"cuda:{device}"
        if pair is None or self._batch is not None and (whole in self._comms or len(pair) == self.size):
            return whole, device, list(range(self.size))
        return f"{'-'.join(map(str, pair))}:{device}", device, pair

    def start_coalescing(self, device: Any = None) -> None:
        """Collect calls from now on; `end_coalescing` starts them together.

        Args:
            device: ignored, as the calls' arrays tell.
        """
        if self._batch is not None:
            raise RuntimeError(message("start_coalescing", "calls are being collected already"))
        self._batch = []

    def end_coalescing(self, device: Any = None) -> Work:
        """Start what was collected, and return one work for all of it."""
        if self._batch is None:
            raise RuntimeError(message("end_coalescing", "start_coalescing() was not called"))
        calls, self._batch = self._batch, None
        devices = sorted({call.device for call in calls})
        if len(devices) > 1:
            rule = "tensors of calls that start together must be on one GPU"
            raise ValueError(message("end_coalescing", rule, [f"cuda:{d}" for d in devices]))
        if calls:
            self._run(calls)
        return Together("coalesced", [call.work for call in calls])

    @contextlib.contextmanager
    def coalescing(self) -> Iterator[None]:
        """See `Transport`."""
        self.start_coalescing()
        try:
            yield
        except BaseException:
            self._batch = None
            raise
        self.end_coalescing()

    # ------------------------------------------------------------ looking after them

    def check(self) -> bool:
        """Whether anything is under way. Ends communicators whose ranks died, that NCCL reports errors of, or that take
        too long.
        """
        busy = False
        for comm in list(self._comms.values()):
            if comm.error is None:
                wrong = self._wrong(comm)
                if wrong is not None:
                    comm.abort(wrong)
                busy |= bool(comm.pending)
        return busy

    def _wrong(self, comm: Communicator) -> BaseException | None:
        """Why a communicator must be ended; None where nothing is wrong."""
        monitor = getattr(self.member.world, "monitor", None)
        try:
            comm.forget()
        except Exception as error:  # noqa: BLE001 - CUDA's errors stay: every later call raises them
            return DistBackendError(message("nccl", f"CUDA reports: {error}", f"cuda:{comm.device}"))
        oldest = next(iter(list(comm.pending)), None)
        if oldest is None:
            return comm.async_error()
        failure = monitor.failure if monitor is not None else None
        if failure is not None:
            return DistBackendError(f"{oldest.describe}: {failure}")
        waited = time.monotonic() - oldest.begun
        wrong = comm.async_error()
        if wrong is not None and monitor is not None:
            return DistBackendError(monitor.report(oldest.describe, waited, str(wrong).splitlines()[0]))
        if wrong is None and oldest.timeout and waited > oldest.timeout:
            return oldest.lateness(oldest.timeout)
        return wrong

    def get_async_error(self) -> BaseException | None:
        """What went wrong in the group's communicators, None where nothing did. Does not wait."""
        return next((e for e in (comm.async_error() for comm in self._comms.values()) if e is not None), None)

    def abort(self, error: BaseException | None = None) -> None:
        """End all that is under way, whatever the other ranks do; works raise.

        Args:
            error: the reason (None: that it was asked for).
        """
        if error is None:
            error = DistBackendError(message("abort", "the group's communicators were ended", repr(self.member.name)))
        for comm in self._comms.values():
            comm.abort(error)

    def close(self) -> None:
        """Give communicators back once their work is done."""
        self._closed = True
        for comm in self._comms.values():
            comm.close(self.member.timeout)
        self._comms.clear()
        if self._watch is not None:
            self._watch.close()

    # ------------------------------------------------------------ reductions

    def _reduced(self, name: str, op: str, out: Any, a: Any, issue: Callable[..., None], extra: str = "") -> Work:
        """A reduction of `a` into `out`; `issue(comm, send, receive, plan, stream)`, with addresses."""
        device = self._checked(name, out, a)
        plan = reduction(name, op, a.dtype)
        arrays = (out,) if out is a else (out, a)
        work = self._work(name, arrays, device, extra or str(op))
        box = [a, out]

        def put(comm: Any, stream: int) -> None:
            if a.size:
                issue(comm, box[0].data.ptr, box[1].data.ptr, plan, stream)

        call = Call(self._lane(device), work, put)
        if plan.through is not None or plan.factor is not None:
            call.before = lambda: box.__setitem__(slice(None), prepared(a, out, plan))
        if plan.through is not None:
            call.after = lambda: converted(box[1], out)
        return self._start(call)

    def allreduce(self, a: Any, op: str) -> Work:
        """See `Transport`."""
        self.sent += 2 * (self.size - 1) * a.nbytes // self.size
        return self._reduced("all_reduce", op, a, a, lambda comm, send, receive, plan, stream: comm.allReduce(
            send, receive, a.size * plan.parts, plan.type, plan.op, stream))

    def reduce(self, a: Any, op: str, root: int) -> Work:
        """See `Transport`."""
        self.sent += (self.rank != root) * a.nbytes
        return self._reduced("reduce", op, a, a, lambda comm, send, receive, plan, stream: comm.reduce(
            send, receive, a.size * plan.parts, plan.type, plan.op, root, stream), f"{op} to {root}")

    def reduce_scatter(self, out: Any, a: Any, op: str) -> Work:
        """See `Transport`."""
        self._sizes("reduce_scatter", out, a, self.size)
        self.sent += (self.size - 1) * out.nbytes
        return self._reduced("reduce_scatter", op, out, a, lambda comm, send, receive, plan, stream: comm.reduceScatter(
            send, receive, out.size * plan.parts, plan.type, plan.op, stream))

    # ------------------------------------------------------------ what only moves bytes

    def _moved(self, name: str, arrays: tuple[Any, ...], issue: Issue, extra: str = "", grouped: bool = False) -> Work:
        device = self._checked(name, *arrays)
        return self._start(Call(self._lane(device), self._work(name, arrays, device, extra), issue, grouped))

    def _sizes(self, name: str, small: Any, large: Any, times: int) -> None:
        if large.size != times * small.size or large.dtype != small.dtype:
            values = f"{large.dtype.name}[{large.size}] for {times} times {small.dtype.name}[{small.size}]"
            raise ValueError(message(name, "the larger tensor must hold one part for each rank", values))

    def broadcast(self, a: Any, root: int) -> Work:
        """See `Transport`."""
        self.sent += (self.rank == root and self.size > 1) * a.nbytes

        def issue(comm: Any, stream: int) -> None:
            if a.size:
                comm.broadcast(a.data.ptr, a.data.ptr, a.nbytes, BYTE, root, stream)

        return self._moved("broadcast", (a,), issue, f"from {root}")

    def allgather(self, out: Any, a: Any) -> Work:
        """See `Transport`."""
        self._sizes("all_gather", a, out, self.size)
        self.sent += (self.size - 1) * a.nbytes

        def issue(comm: Any, stream: int) -> None:
            if a.size:
                comm.allGather(a.data.ptr, out.data.ptr, a.nbytes, BYTE, stream)

        return self._moved("all_gather", (out, a), issue)

    def gather(self, out: Any, a: Any, root: int) -> Work:
        """See `Transport`."""
        if self.rank == root:
            self._sizes("gather", a, out, self.size)
        self.sent += (self.rank != root) * a.nbytes
        counts = [a.nbytes] * self.size

        def issue(comm: Any, stream: int) -> None:
            send(comm, a.data.ptr, a.nbytes, root, stream)
            if self.rank == root:
                receive_all(comm, out.data.ptr, counts, stream)

        arrays = (out, a) if self.rank == root else (a,)
        return self._moved("gather", arrays, issue, f"to {root}", grouped=True)

    def scatter(self, out: Any, a: Any, root: int) -> Work:
        """See `Transport`."""
        if self.rank == root:
            self._sizes("scatter", out, a, self.size)
        self.sent += (self.rank == root) * (self.size - 1) * out.nbytes
        counts = [out.nbytes] * self.size

        def issue(comm: Any, stream: int) -> None:
            if self.rank == root:
                send_all(comm, a.data.ptr, counts, stream)
            receive(comm, out.data.ptr, out.nbytes, root, stream)

        arrays = (out, a) if self.rank == root else (out,)
        return self._moved("scatter", arrays, issue, f"from {root}", grouped=True)

    def alltoall(self, out: Any, out_counts: Sequence[int], a: Any, in_counts: Sequence[int]) -> Work:
        """See `Transport`."""
        for array, counts, what in ((out, out_counts, "output"), (a, in_counts, "input")):
            if len(counts) != self.size or sum(counts) != array.size or min(counts, default=0) < 0:
                rule = f"the {what}'s parts must be one for each rank and all of it together"
                raise ValueError(message("all_to_all", rule, f"{list(counts)} of {array.size}"))
        sends, receives = [n * a.itemsize for n in in_counts], [n * out.itemsize for n in out_counts]
        self.sent += sum(sends) - sends[self.rank]

        def issue(comm: Any, stream: int) -> None:
            send_all(comm, a.data.ptr, sends, stream)
            receive_all(comm, out.data.ptr, receives, stream)

        return self._moved("all_to_all", (out, a), issue, grouped=True)

    # ------------------------------------------------------------ between two ranks

    def send(self, a: Any, dst: int, tag: int) -> Work:
        """See `Transport`. NCCL has no tags: messages between two ranks arrive in the order in which they were sent."""
        lane, place = self._message("send", a, dst)
        self.sent += a.nbytes
        work = self._work("send", (a,), lane[1], f"to {dst}")
        return self._start(Call(lane, work, lambda comm, stream: send(comm, a.data.ptr, a.nbytes, place, stream)))

    def recv(self, a: Any, src: int | None, tag: int) -> Work:
        """See `Transport`."""
        if src is None:
            rule = "ProcessGroup nccl does not support recvAnysource"
            raise RuntimeError(message("recv", rule, hint="name the rank: recv(tensor, src)"))
        lane, place = self._message("recv", a, src)
        work = self._work("recv", (a,), lane[1], f"from {src}")
        work.source = self.member.ranks[src]
        return self._start(Call(lane, work, lambda comm, stream: receive(comm, a.data.ptr, a.nbytes, place, stream)))

    def _message(self, name: str, a: Any, peer: int) -> tuple[tuple[str, int, list[int]], int]:
        """The communicator of a message, and the other rank's number in it."""
        device = self._checked(name, a)
        if not 0 <= peer < self.size:
            raise ValueError(message(name, f"the group has no rank {peer}", f"{self.size} ranks"))
        if peer == self.rank and self._batch is None:
            rule = "a rank can send to itself only in a batch with the receive"
            raise ValueError(message(name, rule, f"rank {peer}", hint="batch_isend_irecv starts calls together"))
        lane = self._lane(device, sorted({peer, self.rank}))
        return lane, lane[2].index(peer)

    def barrier(self) -> Work:
        """See `Transport`. The host waits, as for torch's."""
        device = self.device()
        import cupy

        with cupy.cuda.Device(device):
            a = cupy.zeros(1, "uint8")
        work = self._work("barrier", (a,), device, blocking=True)

        def issue(comm: Any, stream: int) -> None:
            comm.allReduce(a.data.ptr, a.data.ptr, 1, BYTE, 0, stream)

        return self._start(Call(self._lane(device), work, issue))
