"""One rank of a job that `ddp.py` started: it does what it is told over a socket and sends back what that took.

Each job is one framework with its processes. A rank waits in a read of its socket, not in a collective, so the ranks of
a job whose turn it is not take no processor time.
"""
from __future__ import annotations

import importlib
import os
import statistics
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from multiprocessing.connection import Client
from time import perf_counter
from typing import Any

from workloads import gpt_model, tokens

WORDS, BATCH, CONTEXT = 65, 12, 64


class Training:
    """The GPT of `workloads.py` in one framework, with data of this rank's own.

    Attributes:
        ranks: how many processes train together; with one there is no process group.
    """

    def __init__(self, module: str, compiled: bool) -> None:
        self.torch = importlib.import_module(module)
        self.torch.set_num_threads(1)
        self.ranks = int(os.environ.get("WORLD_SIZE", "1"))
        self.dist: Any = importlib.import_module(module + ".distributed") if self.ranks > 1 else None
        if self.dist:
            self.dist.init_process_group("gloo" if module == "torch" else "mpi")
        self.torch.manual_seed(0)
        self.rank = self.dist.get_rank() if self.dist else 0
        self.model, self.optimizer = self.made()
        ids = self.torch.tensor(tokens(self.rank, BATCH, CONTEXT + 1, below=WORDS))
        self.x, self.y = ids[:, :-1].contiguous(), ids[:, 1:].contiguous()
        self.step_function = self.torch.compile(self.step) if compiled else self.step

    def made(self) -> tuple[Any, Any]:
        """A new model, which reduces its gradients where there are several ranks, and its optimizer."""
        model = gpt_model(self.torch)
        if self.dist:
            parallel = importlib.import_module(self.torch.__name__ + ".nn.parallel")
            model = parallel.DistributedDataParallel(model)
        return model, self.torch.optim.AdamW(model.parameters(), lr=1e-3)

    def loss(self, model: Any) -> Any:
        """Forward."""
        return self.torch.nn.functional.cross_entropy(model(self.x).view(-1, WORDS), self.y.view(-1))

    def step(self) -> Any:
        """One training step."""
        self.optimizer.zero_grad()
        loss = self.loss(self.model)
        loss.backward()
        self.optimizer.step()
        return loss

    def barrier(self) -> None:
        """Wait for the other ranks."""
        if self.dist:
            self.dist.barrier()

    # -- what the driver asks for ------------------------------------------------------------------------------------

    def losses(self, count: int) -> list[float]:
        """Train, and return the losses."""
        return [self.step_function().item() for _ in range(count)]

    def steps(self, count: int) -> float:
        """Seconds of a step."""
        self.step_function()  # its data comes back into the cache
        self.barrier()
        start = perf_counter()
        for _ in range(count):
            self.step_function()
        return (perf_counter() - start) / count

    def backwards(self, count: int, exchange: bool) -> float:
        """Seconds of a backward pass, with the exchange of gradients or without. Ranks wait for each other in both:
        what the slower one takes longer is no communication.
        """
        times = []
        for _ in range(count):
            self.optimizer.zero_grad()
            with nullcontext() if exchange else self.model.no_sync():
                loss = self.loss(self.model)
                self.barrier()
                start = perf_counter()
                loss.backward()
                if not exchange:
                    self.barrier()
                times.append(perf_counter() - start)
        return statistics.fmean(times)

    def buckets(self) -> list[int]:
        """Elements of the buckets that gradients are reduced in, as they are after the first step."""
        model, _ = self.made()
        seen: list[int] = []

        def hook(state, bucket):  # type: ignore[no-untyped-def]  # torch refuses annotations that are not its own
            seen.append(bucket.buffer().numel())
            reduced = self.dist.all_reduce(bucket.buffer(), async_op=True).get_future()
            return reduced.then(lambda done: done.value()[0])

        model.register_comm_hook(None, hook)
        for _ in range(3):
            seen.clear()
            self.loss(model).backward()
        return list(seen)

    def communication(self, elements: Sequence[int], count: int) -> float:
        """Seconds of all-reduces of such buckets when nothing else is done."""
        buffers = [self.torch.zeros(n) for n in elements]
        self.barrier()
        start = perf_counter()
        for _ in range(count):
            for work in [self.dist.all_reduce(b, async_op=True) for b in buffers]:
                work.wait()
        return (perf_counter() - start) / count

    def hidden(self, count: int) -> float:
        """The share of the gradients that is reduced already when backward ends, in lamella."""
        reducer, shares = self.model.reducer, []
        finish = reducer.finish

        def ended() -> None:
            over = [b.buffer.nbytes for b in reducer.buckets if b.work is not None and b.work.is_completed()]
            shares.append(sum(over) / sum(b.buffer.nbytes for b in reducer.buckets))
            finish()

        reducer.finish = ended
        for _ in range(count):
            self.step()
        del reducer.finish
        return statistics.fmean(shares)

    def sent(self, count: int) -> tuple[float, int]:
        """Bytes that this rank sent in a step, and the bytes of the gradients."""
        group = self.dist.group.WORLD
        before = group.bytes_sent
        for _ in range(count):
            self.step()
        gradients = sum(p.numel() * p.element_size() for p in self.model.parameters() if p.requires_grad)
        return (group.bytes_sent - before) / count, gradients

    def all_reduce(self, size: int, count: int, turns: int) -> dict[str, list[float]]:
        """Seconds of one all-reduce of ``size`` bytes in each way there is, turn by turn."""
        tensor = self.torch.full((size // 4,), 0.0)
        ways: dict[str, Callable[[], Any]] = {self.torch.__name__: lambda: self.dist.all_reduce(tensor)}
        if self.torch.__name__ != "torch":
            ways.update(self.direct(tensor.numpy()))
        names = list(ways)
        times: dict[str, list[float]] = {name: [] for name in names}
        for turn in range(turns):
            for name in names[turn % len(names):] + names[:turn % len(names)]:
                call = ways[name]
                call()
                self.barrier()
                start = perf_counter()
                for _ in range(count):
                    call()
                times[name].append((perf_counter() - start) / count)
        return times

    def direct(self, array: Any) -> dict[str, Callable[[], Any]]:
        """mpi4py's own calls on the same memory: other memory would lie elsewhere in the caches."""
        from mpi4py import MPI

        if not hasattr(self, "communicator"):
            self.communicator = MPI.COMM_WORLD.Dup()
        communicator = self.communicator
        return {"Allreduce": lambda: communicator.Allreduce(MPI.IN_PLACE, array),
                "Iallreduce": lambda: communicator.Iallreduce(MPI.IN_PLACE, array).Wait()}

    def end(self) -> None:
        """Leave the process group."""
        if self.dist:
            self.dist.destroy_process_group()


def main() -> int:
    """Connect, make the training, and do what is asked until told to end."""
    warnings.simplefilter("ignore")
    address, module, compiled = sys.argv[1:4]
    if module != "torch":
        from lamella.distributed.launch import set_variables

        set_variables()
    with Client(address, "AF_UNIX") as connection:
        connection.send(int(os.environ.get("RANK", "0")))
        training: Any = None
        while (request := connection.recv()) is not None:
            try:
                if training is None:
                    training = Training(module, compiled == "1")
                name, *args = request
                connection.send((True, getattr(training, name)(*args)))
            except Exception as e:
                connection.send((False, f"{type(e).__name__}: {e}".splitlines()[0]))
                traceback.print_exc()
                sys.stderr.flush()
        return 0


if __name__ == "__main__":
    sys.exit(main())
