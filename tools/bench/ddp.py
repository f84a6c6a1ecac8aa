#!/usr/bin/env python3
"""Data-parallel training on two ranks of one thread each: lamella over MPI beside torch over gloo, in the same run.

    python tools/bench/ddp.py [--only SECTION ...] [--seconds S] [--ranks N] [--json FILE]

Sections, each with its limit:

    step    a step of the GPT of `train.py`: at most torch's time; the share of the gradients that is reduced already
            when backward ends, and the bytes that a rank sends in a step against the least there can be,
            2 (n - 1) / n of the gradients
    reduce  all_reduce from 1 KB to 64 MB against mpi4py called directly in the same processes: at most 1.1 times

Every framework's ranks are processes of their own, which take turns. Shown are medians of times, and medians of the
ratios within rounds of turns, which other work on the machine moves least; minima tell what it is without. It needs
torch, mpi4py and an `mpiexec` in one environment. The exit status is 0 where everything is within its limit.
"""
from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Listener, wait
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

HERE = Path(__file__).resolve().parent
SIZES = [1 << k for k in range(10, 27, 2)]
#: Ratios that may not be exceeded.
LIMITS = {"step": 1.0, "bytes": 1.01, "reduce": 1.1}


@dataclass
class Job:
    """The processes of one framework.

    Attributes:
        name: what the table calls it.
        module: the module that is spelled torch in it.
        ranks: how many processes.
        compiled: whether the step is given to ``torch.compile``.
    """

    name: str
    module: str
    ranks: int
    compiled: bool = False
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)
    failed: str = ""

    def start(self, limit: float = 60.0) -> None:
        """Start the processes and wait until all have called.

        Args:
            limit: seconds to wait for.
        """
        self.folder = tempfile.TemporaryDirectory()
        address = os.path.join(self.folder.name, "socket")
        with Listener(address, "AF_UNIX") as listener:
            listener._listener._socket.settimeout(limit)  # type: ignore[attr-defined]
            worker = [sys.executable, str(HERE / "ddp_worker.py"), address, self.module, str(int(self.compiled))]
            for command, environment in self.commands(worker):
                self.processes.append(subprocess.Popen(command, env={**os.environ, **environment}))
            found: dict[int, Connection] = {}
            while len(found) < self.ranks:
                connection = listener.accept()
                found[connection.recv()] = connection
        self.connections = [found[rank] for rank in sorted(found)]

    def commands(self, worker: list[str]) -> list[tuple[list[str], dict[str, str]]]:
        """How the ranks are started, and with what in their environment."""
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "LAMELLA")}
        if self.ranks == 1:
            return [(worker, threads)]
        if self.module != "torch":
            return [([mpiexec(), "-n", str(self.ranks), *worker], threads)]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        shared = {**threads, "WORLD_SIZE": str(self.ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        return [(worker, {**shared, "RANK": str(rank), "LOCAL_RANK": str(rank)}) for rank in range(self.ranks)]

    def ask(self, name: str, *args: Any, limit: float = 120.0) -> list[Any]:
        """Let every rank call a method of its `Training`.

        Args:
            name: the method.
            args: its arguments.
            limit: seconds to wait for.

        Returns:
            What the ranks answered, in order; nothing where one failed, which ends the job.
        """
        if self.failed:
            return []
        end = perf_counter() + limit
        answers: dict[Any, Any] = {}
        try:
            for connection in self.connections:
                connection.send((name, *args))
            while len(answers) < self.ranks and not self.failed:
                ready: list[Any] = wait([c for c in self.connections if c not in answers], end - perf_counter())
                for connection in ready:
                    good, answers[connection] = connection.recv()
                    self.failed = self.failed or ("" if good else f"{name}: {answers[connection]}")
                if not ready:
                    self.failed = f"{name}: no answer after {limit:.0f} s"
        except (OSError, EOFError):
            self.failed = f"{name}: a rank died"
        if self.failed:
            print(f"{self.name}: {self.failed}", file=sys.stderr, flush=True)
            self.kill()
            return []
        return [answers[connection] for connection in self.connections]

    def turn(self, kind: str, name: str, *args: Any) -> None:
        """Measure once, and note the time of the slowest rank."""
        sleep(0.05)  # the threads of the job before stop waiting for work
        answers = self.ask(name, *args)
        if answers:
            self.times.setdefault(kind, []).append(max(answers))

    def median(self, kind: str) -> float | None:
        """The median of what was noted."""
        return statistics.median(self.times[kind]) if self.times.get(kind) else None

    def ratio(self, kind: str, other: Job) -> float | None:
        """The median ratio to another job's times, round by round."""
        return ratio_of(self.times.get(kind, []), other.times.get(kind, []))

    def kill(self) -> None:
        """End the processes at once."""
        for process in self.processes:
            process.kill()

    def stop(self) -> None:
        """End the processes."""
        self.ask("end", limit=20)
        for connection in self.connections:
            try:
                connection.send(None)
            except OSError:
                self.kill()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        self.folder.cleanup()


def mpiexec() -> str:
    """The program that starts MPI jobs: the one beside this Python, or the first on the path.

    Raises:
        SystemExit: there is none.
    """
    from lamella.distributed.mpiexec import find

    found = find()
    if found is None:
        raise SystemExit("ddp: there is no mpiexec\nhint: pip install mpich mpi4py")
    return found.path


def ratio_of(times: Sequence[float], base: Sequence[float]) -> float | None:
    """The median of the ratios of what was measured in the same rounds."""
    return statistics.median(a / b for a, b in zip(times, base, strict=False)) if times and base else None


def rounds(seconds: float, least: int, body: Callable[[int], None]) -> None:
    """Call ``body`` with 0, 1, ... for some seconds, and ``least`` times at the least."""
    end, n = perf_counter() + seconds, 0
    while n < least or perf_counter() < end:
        body(n)
        n += 1


# -- a training step -------------------------------------------------------------------------------------------------


def measure_step(jobs: list[Job], seconds: float) -> dict[str, Any]:
    """What section ``step`` shows, by the job's name."""
    elements, count = {}, 3
    for job in jobs:
        job.ask("losses", 5, limit=300)
        if job.ranks > 1 and not job.compiled:
            elements[job.name] = (job.ask("buckets") or [[]])[0]

    def once(n: int) -> None:
        for job in jobs:
            job.turn("step", "steps", count)
        for job in jobs:
            if elements.get(job.name):
                job.turn("exchange", "backwards", count, True)
                job.turn("alone", "backwards", count, False)
                job.turn("communication", "communication", elements[job.name], count)

    rounds(seconds, 5, once)
    found: dict[str, Any] = {}
    for job in jobs:
        kinds = {kind: job.median(kind) for kind in ("step", "exchange", "alone", "communication")}
        found[job.name] = {**kinds, "min": min(job.times.get("step", [0.0])), "ratio": job.ratio("step", jobs[0]),
                           "buckets": elements.get(job.name), "hidden": None, "failed": job.failed}
        if job.module != "torch" and elements.get(job.name):
            shares = job.ask("hidden", 20)
            found[job.name]["hidden"] = min(shares) if shares else None
            found[job.name]["sent"] = (job.ask("sent", 4) or [None])[0]
    return found


def step_lines(found: dict[str, Any], ranks: int) -> tuple[list[str], list[str]]:
    """The section as text, and what is over its limit."""
    over: list[str] = []
    heads = zip(("ms", "min", "/ torch", "backward", "no_sync", "reduces", "hidden"), (9, 9, 9, 10, 9, 9, 8))
    lines = [f"{'a step of the GPT':<24}" + "".join(f"{head:>{width}}" for head, width in heads)]
    for name, row in found.items():
        if row["failed"] or row["step"] is None:
            over.append(f"{name}: {row['failed']}")
            continue
        line = f"{name:<24}{1e3 * row['step']:9.2f}{1e3 * row['min']:9.2f}"
        line += f"{row['ratio']:9.2f}" if row["ratio"] else f"{'-':>9}"
        if row.get("communication"):
            times = (row[kind] for kind in ("exchange", "alone", "communication"))
            line += "{:10.2f}{:9.2f}{:9.2f}".format(*(1e3 * t for t in times))
            line += f"{row['hidden']:8.0%}" if row["hidden"] is not None else f"{'-':>8}"
        lines.append(line)
        if name == "lamella ddp" and row["ratio"] and row["ratio"] > LIMITS["step"]:
            over.append(f"step: {row['ratio']:.2f} of torch's time, limit {LIMITS['step']:.2f}")
    for name, row in found.items():
        if row.get("sent"):
            sent, gradients = row["sent"]
            least = 2 * (ranks - 1) / ranks * gradients
            lines.append(f"{name}: a rank sends {sent:.0f} bytes a step in {len(row['buckets'])} buckets, "
                         f"{sent / least:.3f} of the least ({least:.0f})")
            if sent > LIMITS["bytes"] * least:
                over.append(f"bytes: {sent / least:.3f} of the least, limit {LIMITS['bytes']:.2f}")
    return lines, over


# -- all_reduce ------------------------------------------------------------------------------------------------------


def measure_reduce(jobs: list[Job], seconds: float, sizes: Sequence[int]) -> dict[int, dict[str, float]]:
    """Size -> seconds of an all-reduce by who does it, and ``ratio`` to the direct call."""
    found: dict[int, dict[str, float]] = {}
    for size in sizes:
        times: dict[str, list[float]] = {}
        count = max(1, min(100, int(4e6 / size)))

        def once(n: int, size: int = size, count: int = count, times: dict[str, list[float]] = times) -> None:
            for job in jobs:
                answers = job.ask("all_reduce", size, count, 9)
                for who in answers[0] if answers else ():
                    times.setdefault(who, []).extend(map(max, zip(*(answer[who] for answer in answers), strict=True)))

        rounds(seconds / len(sizes), 3, once)
        found[size] = {who: statistics.median(t) for who, t in times.items()}
        if times.keys() >= {"lamella.torch", "Allreduce"}:
            found[size]["of minima"] = min(times["lamella.torch"]) / min(times["Allreduce"])
        ratio = ratio_of(times.get("lamella.torch", []), times.get("Allreduce", []))
        if ratio is not None:
            found[size]["ratio"] = ratio
    return found


def reduce_lines(found: dict[int, dict[str, float]], ranks: int) -> tuple[list[str], list[str]]:
    """The section as text, and what is over its limit."""
    lines = [f"{'all_reduce, us':<16}{'Allreduce':>11}{'Iallreduce':>11}{'lamella':>11}{'ratio':>7}{'of min':>7}"
             f"{'GB/s':>7}{'gloo':>11}"]
    over = []
    for size, times in found.items():
        line = f"{_size(size):<16}"
        for who in ("Allreduce", "Iallreduce", "lamella.torch"):
            line += f"{1e6 * times[who]:11.1f}" if who in times else f"{'-':>11}"
        ratio = times.get("ratio")
        if ratio is None:
            line += f"{'-':>7}" * 3
            over.append(f"all_reduce of {_size(size)}: not measured")
        else:
            line += f"{ratio:7.2f}{times['of minima']:7.2f}"
            line += f"{2 * (ranks - 1) / ranks * size / times['lamella.torch'] / 1e9:7.2f}"
            if ratio > LIMITS["reduce"]:
                over.append(f"all_reduce of {_size(size)}: {ratio:.2f} of mpi4py's time, limit {LIMITS['reduce']:.2f}")
        lines.append(line + (f"{1e6 * times['torch']:11.1f}" if "torch" in times else f"{'-':>11}"))
    return lines, over


def _size(n: int) -> str:
    return f"{n >> 20} MB" if n >= 1 << 20 else f"{n >> 10} KB"


# -- all of it -------------------------------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=("step", "reduce"), default=["step", "reduce"], metavar="SECTION",
                        help="step, reduce, or both (the default)")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each section, about (30)")
    parser.add_argument("--ranks", type=int, default=2, help="processes of each job (2)")
    parser.add_argument("--json", metavar="FILE", help="write what was measured to a file, too")
    args = parser.parse_args(argv)
    if args.ranks < 2:
        parser.error("--ranks must be at least 2")
    parallel = [Job("torch ddp", "torch", args.ranks), Job("lamella ddp", "lamella.torch", args.ranks)]
    jobs = [*parallel, Job("lamella ddp, compiled", "lamella.torch", args.ranks, compiled=True),
            Job("torch, one rank", "torch", 1), Job("lamella, one rank", "lamella.torch", 1)]
    jobs = jobs if "step" in args.only else parallel
    step: dict[str, Any] = {}
    reduce: dict[int, dict[str, float]] = {}
    try:
        for job in jobs:
            job.start()
        if "step" in args.only:
            step = measure_step(jobs, args.seconds)
        if "reduce" in args.only:
            reduce = measure_reduce(parallel, args.seconds, SIZES)
    finally:
        for job in jobs:
            job.stop()
    over = []
    for lines, excess in ([step_lines(step, args.ranks)] if step else []) + (
            [reduce_lines(reduce, args.ranks)] if reduce else []):
        print("\n".join(lines))
        over += excess
    for line in over:
        print(f"over: {line}")
    if args.json:
        Path(args.json).write_text(json.dumps({"step": step, "reduce": reduce, "over": over}, indent=1))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
