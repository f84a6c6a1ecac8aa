#!/usr/bin/env python3
"""Whole training steps and large operators: torch, torch.compile, JAX, lamella and compiled lamella, interleaved.

    python tools/bench/train.py [--only NAME ...] [--with WHO ...] [--seconds S] [--threads N] [--json]
    python tools/bench/train.py --first [--only NAME ...]     the first call, from a cold and from a warm cache
    python tools/bench/train.py --memory [--only NAME ...]    the peak memory of a process that does 20 steps

Every framework takes a turn of some steps, round after round, each in a process of its own, so that the threads and the
memory of one are not in the way of another; the table shows the median and the best
time of a step, and the median's ratio to torch's. `torch.compile` is given what it takes: forward and loss (the
backward pass compiles with it); lamella and JAX compile the whole step. A framework that is not installed is left out.
"""
from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from time import perf_counter, sleep
from typing import Any

from workloads import WORKLOADS

FRAMEWORKS = ("torch", "torch.compile", "jax", "lamella", "lamella compiled")
#: Seconds that the first call of the GPT step may take from a cold and a warm cache.
FIRST = {"cold": 10.0, "warm": 1.5}


def installed(who: str) -> bool:
    """Whether a framework can be asked."""
    return importlib.util.find_spec(who.split(".")[0].split(" ")[0]) is not None


def step_of(name: str, who: str) -> Callable[[], Any]:
    """A workload's step in a framework, not yet called."""
    builder = WORKLOADS[name][0]
    if who == "jax":
        return getattr(importlib.import_module("workloads_jax"), builder.__name__)()
    torch = importlib.import_module("lamella.torch" if who.startswith("lamella") else "torch")
    work = builder(torch)
    if who == "torch.compile":
        return work.with_forward(torch.compile(work.forward))
    return torch.compile(work.step, fullgraph=True) if who == "lamella compiled" else work.step


def hold_threads(who: str, n: int) -> None:
    """Let a framework use ``n`` threads."""
    if who.startswith("torch") or who.startswith("lamella"):
        importlib.import_module("lamella.torch" if who.startswith("lamella") else "torch").set_num_threads(n)
    with contextlib.suppress(ImportError):
        importlib.import_module("threadpoolctl").threadpool_limits(n)


def work(name: str, who: str, threads: int) -> None:
    """A process that takes turns: for each line on standard input, one of some 30 ms; it prints the time of a step."""
    warnings.simplefilter("ignore")
    if threads:
        hold_threads(who, threads)
    step = step_of(name, who)
    for _ in range(4):
        step()
    start = perf_counter()
    step()
    count = max(1, int(0.03 / (perf_counter() - start)))
    print("ready", flush=True)
    for _ in sys.stdin:
        step()  # its data comes back into the cache
        start = perf_counter()
        for _ in range(count):
            step()
        print((perf_counter() - start) / count, flush=True)


def measured(name: str, wanted: list[str], seconds: float, threads: int) -> dict[str, list[float]]:
    """Framework -> seconds of a step, turn by turn."""
    workers: dict[str, Any] = {}
    for who in wanted:
        command = [sys.executable, __file__, "--work", name, who, str(threads)]
        worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True)
        out, errors = worker.stdout, worker.stderr
        assert out is not None and errors is not None
        if out.readline().strip() == "ready":
            workers[who] = worker
        else:  # one framework's failure is a line, not the end of the table
            print(f"{name}: {who}: {(errors.read().strip().splitlines() or ['?'])[-1][:150]}", file=sys.stderr)
    times: dict[str, list[float]] = {who: [] for who in workers}
    end = perf_counter() + seconds
    while workers and (perf_counter() < end or not all(len(t) >= 5 for t in times.values())):
        for who, worker in workers.items():
            sleep(0.08)  # the threads of the one before stop waiting for work
            worker.stdin.write("\n")
            worker.stdin.flush()
            times[who].append(float(worker.stdout.readline()))
    for worker in workers.values():
        worker.stdin.close()
        worker.wait()
    return times


def row_of(name: str, times: dict[str, list[float]]) -> dict[str, Any]:
    """What is shown of a workload."""
    base = statistics.median(times["torch"]) if "torch" in times else None
    shown: dict[str, Any] = {"workload": name, "target": WORKLOADS[name][1]}
    for who, t in times.items():
        middle = statistics.median(t)
        shown[who] = {"median": middle, "min": min(t), "ratio": middle / base if base else None}
    return shown


def print_row(row: dict[str, Any]) -> None:
    """One line for each framework."""
    print(f"{row['workload']}  (target {row['target']})")
    for who in FRAMEWORKS:
        if who in row:
            t = row[who]
            ratio = f"{t['ratio']:6.3f}" if t["ratio"] else "     -"
            print(f"  {who:17} {1e3 * t['median']:10.4f} ms  min {1e3 * t['min']:10.4f} ms  ratio {ratio}", flush=True)


FIRST_CALL = """
import sys, time
sys.path.insert(0, {folder!r})
from train import step_of
step = step_of({name!r}, {who!r})
start = time.perf_counter()
step(); step()
print(time.perf_counter() - start)
"""
PEAK = """
import sys
sys.path.insert(0, {folder!r})
from train import peak, step_of
before = peak()
step = step_of({name!r}, {who!r})
for _ in range(20):
    step()
print(peak() - before, peak())
"""


def peak() -> float:
    """The most memory this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def asked(code: str, name: str, who: str, **env: str) -> list[float]:
    """The numbers that a program in a process of its own prints last."""
    text = code.format(folder=os.path.dirname(os.path.abspath(__file__)), name=name, who=who)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env={**os.environ, **env})
    if done.returncode:
        print(f"{name}: {who}: {done.stderr.strip().splitlines()[-1][:200]}", file=sys.stderr)
        return [float("nan")]
    return [float(word) for word in done.stdout.split()[-2:] if word[:1].isdigit() or word == "nan"]


def first_calls(names: list[str], wanted: list[str]) -> None:
    """Seconds until two steps are done (lamella makes the optimizer's state in the first), cold and warm."""
    for name in names:
        for who in wanted:
            with tempfile.TemporaryDirectory() as folder:
                env = {"LAMELLA_CACHE_DIR": folder, "TORCHINDUCTOR_CACHE_DIR": folder,
                       "JAX_COMPILATION_CACHE_DIR": folder}
                cold, warm = (asked(FIRST_CALL, name, who, **env)[-1] for _ in range(2))
            print(f"{name:22} {who:17} cold {cold:7.2f} s  warm {warm:7.2f} s", flush=True)


def memory(names: list[str], wanted: list[str]) -> None:
    """Peak memory, and what of it came with the workload."""
    for name in names:
        for who in wanted:
            found = asked(PEAK, name, who)
            if len(found) == 2:
                print(f"{name:22} {who:17} {found[0]:8.1f} MB for the workload, {found[1]:8.1f} MB in all", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="*", metavar="NAME", help=f"some of: {', '.join(WORKLOADS)}")
    parser.add_argument("--with", nargs="*", dest="who", metavar="WHO", help=f"some of: {', '.join(FRAMEWORKS)}")
    parser.add_argument("--seconds", type=float, default=4.0, help="time for one workload, about")
    parser.add_argument("--threads", type=int, help="hold every framework to this many threads")
    parser.add_argument("--first", action="store_true", help="time the first call instead")
    parser.add_argument("--memory", action="store_true", help="measure peak memory instead")
    parser.add_argument("--json", action="store_true", help="print JSON")
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return 0
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    names = [n for n in WORKLOADS if not args.only or n in args.only]
    wanted = [w for w in FRAMEWORKS if installed(w) and (not args.who or w in args.who)]
    if args.first:
        first_calls(args.only or ["gpt"], wanted)
        return 0
    if args.memory:
        memory(args.only or ["gpt"], wanted)
        return 0
    rows = []
    for name in names:
        rows.append(row_of(name, measured(name, wanted, args.seconds, args.threads or 0)))
        if not args.json:
            print_row(rows[-1])
    if args.json:
        print(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
