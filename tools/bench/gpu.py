#!/usr/bin/env python3
"""What needs a GPU: operators and gradients on CUDA, compiled programs against eager, NCCL, times beside torch: gpu.sh.

    python tools/bench/gpu.py [--small] [--only SECTION ...] [--seconds S] [--json FILE]
    python tools/bench/gpu.py --time CASE --who WHO      one case in one framework, as JSON (used by the above)
"""
from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import perf_counter
from typing import Any

SECTIONS = ("samples", "gradients", "models", "nccl", "times")
FRAMEWORKS = ("lamella", "lamella compiled", "torch", "torch.compile")
HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT = 560.0  # seconds for everything
NO_GPU = 3  # exit status where there is nothing to run on


def missing() -> str:
    """Why there is no GPU to use; empty where there is one."""
    from lamella.core.cuda import missing as found

    return found()


def machine() -> str:
    """The card, as it calls itself."""
    from lamella import torch

    p = torch.cuda.get_device_properties(0)
    return f"{p.name}, {p.total_memory / 2**30:.0f} GiB, compute capability {p.major}.{p.minor}"


def told(error: Exception) -> str:
    """An error in one line."""
    return " ".join([type(error).__name__ + ":", *str(error).splitlines()[:1]])


# -- operators and gradients ----------------------------------------------------------------------------------------


def samples(small: bool, deadline: float) -> list[str]:
    """All operator samples on CUDA beside the CPU; lines of what does not hold."""
    from lamella.core.samples import all_samples
    from lamella.core.testing import check_device

    found, count = [], 0
    for package in ("lamella.core", "lamella.nn"):
        importlib.import_module(package)
        rows = list(all_samples(package))
        for sample in rows[:: 10 if small else 1]:
            if perf_counter() > deadline:
                found.append(f"stopped after {count} operators: no time left")
                return found
            count += 1
            try:
                found += check_device(sample, "cuda")
            except Exception as error:  # noqa: BLE001 - what goes wrong is what is asked for
                found.append(f"{sample.name}: {told(error)}")
    print(f"operator samples: {count} operators on CUDA, {len(found)} differences", flush=True)
    return found


def gradients(small: bool, deadline: float) -> list[str]:
    """Gradients on CUDA by finite differences, for a sample of the operators."""
    from lamella import torch
    from lamella.core.samples import all_samples, resolve
    from lamella.core.testing import map_tensors

    rows = [s for package in ("lamella.core", "lamella.nn") for s in all_samples(package)]
    random.Random(0).shuffle(rows)
    found, count = [], 0
    for sample in rows[: 10 if small else 120]:
        if perf_counter() > deadline:
            break
        for args, kwargs in sample.make()[:1] if sample.grad and not sample.random else ():
            try:
                args, kwargs = map_tensors(_to_cuda, (args, kwargs))
                given = [t for t in args if getattr(t, "requires_grad", False)]
                if not given:
                    continue
                count += 1
                if not torch.autograd.gradcheck(_of(resolve(sample.name), args, kwargs), given, raise_exception=False):
                    found.append(f"{sample.name}: gradients differ from finite differences")
            except Exception as error:  # noqa: BLE001
                found.append(f"{sample.name}: {told(error)}")
    print(f"gradients: {count} operators on CUDA, {len(found)} differences", flush=True)
    return found


def _to_cuda(t: Any) -> Any:
    moved: Any = t.detach().cuda()
    return moved.requires_grad_() if t.requires_grad else moved


def _of(fn: Callable[..., Any], args: Any, kwargs: Any) -> Callable[..., Any]:
    """The call as a function of the tensors that have gradients."""
    places = [n for n, t in enumerate(args) if getattr(t, "requires_grad", False)]

    def call(*given: Any) -> Any:
        full = list(args)
        for n, t in zip(places, given, strict=True):
            full[n] = t
        return fn(*full, **kwargs)

    return call


# -- compiled programs beside eager ---------------------------------------------------------------------------------


def models(small: bool, deadline: float) -> list[str]:
    """Every workload, eager and compiled, for three steps: the results must agree."""
    from workloads_gpu import CASES

    from lamella import torch

    found = []
    for name, case in CASES.items():
        if perf_counter() > deadline:
            found.append(f"stopped before {name}: no time left")
            break
        try:
            work, other = case.build(torch, True), case.build(torch, True)
            step = torch.compile(other.step, fullgraph=True)
            for n in range(3):
                worst = _difference(work.step(), step())
                if not worst <= (0.1 if "bfloat16" in name else 1e-3):
                    found.append(f"{name}: compiled differs from eager by {worst:g} in step {n}")
                    break
        except Exception as error:  # noqa: BLE001
            found.append(f"{name}: {told(error)}")
    print(f"compiled workloads: {len(CASES)}, {len(found)} differ from eager", flush=True)
    return found + example(deadline)


def example(deadline: float) -> list[str]:
    """The example that trains a transformer: its first losses on the GPU beside those on the CPU."""
    losses = {}
    with tempfile.TemporaryDirectory() as folder:
        for device in ("cpu", "cuda"):
            path = os.path.join(folder, device)
            command = [sys.executable, "-m", "lamella.cli", "run", os.path.join(HOME, "examples", "char_gpt.py"),
                       "--steps", "8", "--sample", "1", "--device", device, "--losses", path]
            try:
                subprocess.run(command, capture_output=True, text=True, check=True,
                               timeout=max(10.0, deadline - perf_counter()))
            except subprocess.SubprocessError as error:
                said = getattr(error, "stderr", None) or str(error)
                return [f"examples/char_gpt.py on {device}: {str(said).strip().splitlines()[-1]}"]
            with open(path, encoding="utf-8") as file:
                losses[device] = [float(x) for x in re.findall(r"\d+\.\d+(?:e-?\d+)?", file.read())]
    away = max((abs(a - b) for a, b in zip(losses["cpu"], losses["cuda"], strict=True)), default=float("nan"))
    print(f"examples/char_gpt.py: losses of 8 steps on CUDA, at most {away:.2g} from the CPU's", flush=True)
    return [] if away < 1e-2 else [f"examples/char_gpt.py: losses on CUDA are {away:g} from the CPU's"]


# -- collectives ----------------------------------------------------------------------------------------------------


def nccl(small: bool, deadline: float) -> list[str]:
    """The tests of the backend nccl on the GPUs that there are: with one, a group of one rank through NCCL itself; with
    more, also a job of processes.
    """
    from lamella.distributed.nccl import missing as no_nccl, version

    if no_nccl():
        print(f"collectives: nothing was run: {no_nccl()}", flush=True)
        return []
    if importlib.util.find_spec("pytest") is None:
        print("collectives: nothing was run: pytest is not installed", flush=True)
        return []
    tests = os.path.join(HOME, "packages", "distributed", "tests")
    files = sorted(os.path.join(tests, f) for f in os.listdir(tests) if f.startswith("test_nccl_"))
    pytest = [sys.executable, "-m", "pytest", "-q", "-rf", "--tb=short", "-p", "no:cacheprovider"]
    lines, status = _ended([*pytest, *(files[:1] if small else files)], deadline)
    print(f"collectives over NCCL {version()}: {lines[-1]}", flush=True)
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    found = failed or ([lines[-1]] if status else [])
    lines, status = _ended([*_ranks(), sys.executable, os.path.join(tests, "nccl_job.py")], deadline)
    print(f"a job of processes: {lines[-1]}", flush=True)
    return found + [f"nccl_job.py: {lines[-1]}"] if status else found


def _ranks() -> list[str]:
    """What starts a rank for each GPU, where there are several and something starts ranks."""
    from lamella.core.cuda import device_count
    from lamella.distributed.mpiexec import find

    launcher = find() if device_count() > 1 else None
    return [launcher.path, "-n", str(min(8, device_count()))] if launcher else []


def _ended(command: list[str], deadline: float) -> tuple[list[str], int]:
    """The lines that a command wrote, at least one, and its exit status."""
    environment = {**os.environ, "LAMELLA_NCCL_GPUS": "1"}
    try:
        done = subprocess.run(command, cwd=HOME, env=environment, capture_output=True, text=True,
                              timeout=max(30.0, deadline - perf_counter()))
    except subprocess.TimeoutExpired:
        return ["no end in time"], 1
    return done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or ["no output"], done.returncode


def _difference(a: Any, b: Any) -> float:
    if isinstance(a, (tuple, list)):
        return max((_difference(x, y) for x, y in zip(a, b, strict=True)), default=0.0)
    return float((a.detach().double() - b.detach().double()).abs().max())


# -- times ----------------------------------------------------------------------------------------------------------


def step_of(name: str, who: str, small: bool) -> tuple[Callable[[], Any], Any]:
    """A workload's step in a framework, and the framework."""
    from workloads_gpu import CASES

    torch = importlib.import_module("lamella.torch" if who.startswith("lamella") else "torch")
    work = CASES[name].build(torch, small)
    if who == "torch.compile":
        return work.with_forward(torch.compile(work.forward)), torch
    return torch.compile(work.step, fullgraph=True) if who == "lamella compiled" else work.step, torch


def time(name: str, who: str, small: bool, seconds: float) -> dict[str, Any]:
    """Seconds of one step, and of the first."""
    step, torch = step_of(name, who, small)
    begin = perf_counter()
    step()
    torch.cuda.synchronize()
    first = perf_counter() - begin
    for _ in range(4):  # recordings and caches settle
        step()
    torch.cuda.synchronize()
    begin = perf_counter()
    step()
    torch.cuda.synchronize()
    count = max(1, int(seconds / 5 / max(perf_counter() - begin, 1e-6)))
    took = []
    for _ in range(5):
        begin = perf_counter()
        for _ in range(count):
            step()
        torch.cuda.synchronize()
        took.append((perf_counter() - begin) / count)
    return {"seconds": statistics.median(took), "first": first,
            "memory": getattr(torch.cuda, "max_memory_allocated", lambda: 0)()}


def measured(name: str, who: str, small: bool, seconds: float, limit: float) -> dict[str, Any]:
    """`time` in a process of its own."""
    command = [sys.executable, __file__, "--time", name, "--who", who, "--seconds", str(seconds)]
    command += ["--small"] if small else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {limit:.0f} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def times(small: bool, deadline: float, seconds: float) -> list[dict[str, Any]]:
    """A row for each workload."""
    from workloads_gpu import CASES

    asked = [who for who in FRAMEWORKS if importlib.util.find_spec(who.split(".")[0].split(" ")[0]) is not None]
    rows = []
    for n, (name, case) in enumerate(CASES.items()):
        row: dict[str, Any] = {"name": name, "bytes": case.bytes(small)}
        for who in asked:
            left = deadline - perf_counter()
            if left < 5:
                row[who] = {"error": "no time left"}
                continue
            share = left / max(1, len(CASES) - n)
            row[who] = measured(name, who, small, seconds, max(20.0, min(left, share * 1.5)))
        rows.append(row)
        print(f"  {name}: " + ", ".join(f"{who} {_shown(row[who])}" for who in asked), file=sys.stderr, flush=True)
    return rows


def _shown(found: dict[str, Any]) -> str:
    return "failed" if "error" in found else f"{found['seconds'] * 1e3:.3f} ms"


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text: milliseconds, ratios of compiled lamella, and bytes a second beside those of a copy."""
    best = next((r for r in rows if r["name"] == "copy"), {})
    peak = max((best["bytes"] / best[w]["seconds"] for w in FRAMEWORKS if "seconds" in best.get(w, {})), default=0.0)
    head = f"{'ms a step':<22}" + "".join(f"{who:>18}" for who in FRAMEWORKS)
    lines = [head + f"{'/ torch':>9}{'/ t.compile':>12}{'GB/s':>8}{'of copy':>9}"]
    for row in rows:
        line = f"{row['name']:<22}"
        for who in FRAMEWORKS:
            found = row.get(who)
            line += f"{'-' if found is None else _shown(found).removesuffix(' ms'):>18}"
        own = row.get("lamella compiled", {}).get("seconds")
        for who, width in (("torch", 9), ("torch.compile", 12)):
            other = row.get(who, {}).get("seconds")
            line += f"{format(own / other, '.2f') if own and other else '-':>{width}}"
        rate = row["bytes"] / own if own and row["bytes"] else 0.0
        line += f"{format(rate / 1e9, '.0f') if rate else '-':>8}"
        line += f"{format(rate / peak, '.0%') if rate and peak else '-':>9}"
        lines.append(line)
    errors = [f"{row['name']}, {who}: {row[who]['error']}" for row in rows for who in FRAMEWORKS
              if "error" in row.get(who, {})]
    return "\n".join([*lines, *errors])


# -- all of it ------------------------------------------------------------------------------------------------------


def arguments(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", action="store_true", help="tiny sizes and few operators: a first look")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="these sections")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement (1)")
    parser.add_argument("--json", metavar="FILE", help="write what was found to a file, too")
    parser.add_argument("--time", metavar="CASE", help="one workload, as JSON")
    parser.add_argument("--who", choices=FRAMEWORKS, default="lamella", help="the framework of --time")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    given = arguments(argv)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    why = missing()
    if why:
        print(f"gpu: nothing was run: {why}")
        return NO_GPU
    if given.time:
        print(json.dumps(time(given.time, given.who, given.small, given.seconds)))
        return 0
    begin = perf_counter()
    print(f"gpu: {machine()}", flush=True)
    found: dict[str, list[str]] = {}
    rows: list[dict[str, Any]] = []
    shares = {"samples": 0.3, "gradients": 0.4, "models": 0.55, "nccl": 0.7}  # of the time, from the start
    for name, section in (("samples", samples), ("gradients", gradients), ("models", models), ("nccl", nccl)):
        if name in given.only:
            found[name] = section(given.small, begin + shares[name] * LIMIT)
            for line in found[name]:
                print(f"  {line}", flush=True)
    if "times" in given.only:
        rows = times(given.small, begin + LIMIT, given.seconds)
        print(table(rows))
    print(f"gpu: {perf_counter() - begin:.0f} s")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine(), "found": found, "times": rows}, file, indent=1)
    return 1 if any(found.values()) or any("error" in row.get(who, {}) for row in rows for who in FRAMEWORKS) else 0


if __name__ == "__main__":
    sys.exit(main())
