"""Tests that run on several ranks: as threads of this process, and as processes under mpiexec.

    @ranks(1, 2, 4)
    def test_sum(): ...

The function runs on every rank with the default process group made. Under mpiexec all functions that are tested run in
one job for each number of ranks (starting one takes seconds), whose report the tests read; where a job broke off, those
that it did not come to run in a job for each file.
"""

from __future__ import annotations

import datetime
import functools
import importlib.util
import inspect
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import pytest

HERE = pathlib.Path(__file__).parent
PATIENCE = datetime.timedelta(seconds=100)  # between ranks
LIMIT = 300.0  # seconds that the functions of a file may take
#: (number of ranks, slow) -> {file: names}: what pytest will run; `conftest.py` fills it
selected: dict[tuple[int, bool], dict[str, list[str]]] = {}
_jobs: dict[object, dict[str, str]] = {}


def mpiexec() -> str | None:
    """The launcher that belongs to this environment's MPI."""
    beside = pathlib.Path(sys.executable).with_name("mpiexec")
    return str(beside) if beside.exists() else shutil.which("mpiexec")


def ranks(*sizes: int, slow: bool = False, backends: tuple[str, ...] = ("threads", "mpi")):
    """Run a test on these numbers of ranks, with each of these backends."""

    def decorate(fn):
        wants_folder = "folder" in inspect.signature(fn).parameters
        cases = [pytest.param(b, n, id=f"{b}-{n}") for b in backends for n in sizes]

        @pytest.mark.parametrize(("backend", "size"), cases)
        def test(backend, size, tmp_path):
            if backend == "threads":
                from lamella.distributed.threads import spawn

                spawn(functools.partial(fn, folder=tmp_path) if wants_folder else fn, size)
            else:
                _from_job(fn, size, slow)

        test.__name__, test.__doc__, test.__module__ = fn.__name__, fn.__doc__, fn.__module__
        test.ranks = (fn, sizes if "mpi" in backends else (), slow, wants_folder)
        return pytest.mark.slow(test) if slow else test

    return decorate


def _from_job(fn, size: int, slow: bool) -> None:
    """Fail as the test did under mpiexec."""
    if mpiexec() is None:
        pytest.skip("there is no mpiexec (pip install mpich)")
    file = inspect.getsourcefile(fn)
    every = selected.get((size, slow), {})
    alone = {file: every.get(file, [fn.__name__])}
    for key, plan in (((size, slow), every or alone), ((size, slow, file), alone)):
        if key not in _jobs:
            _jobs[key] = _run_job(plan, size, slow)
        outcome = _jobs[key].get(f"{file}::{fn.__name__}")
        if outcome == "passed":
            return
        if outcome is not None:
            pytest.fail(outcome, pytrace=False)
    pytest.fail(f"did not come to its end under mpiexec -n {size}:\n{_jobs[key]['output']}", pytrace=False)


def _run_job(plan: dict[str, list[str]], size: int, slow: bool) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.jsonl")
        limit = LIMIT * (4 if slow else 1) * (1 + len(plan) // 4)
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                       "MPIEXEC_TIMEOUT": f"{limit:.0f}"}  # for when this process is killed meanwhile
        pathlib.Path(folder, "plan").write_text(json.dumps(plan))
        command = [mpiexec(), "-n", str(size), sys.executable, "-W", "error", str(HERE / "harness.py"), report, folder]
        with open(os.path.join(folder, "output"), "w+b") as output:
            done = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment,
                                    start_new_session=True)
            try:
                status = str(done.wait(limit + 10))
            except subprocess.TimeoutExpired:
                status = "none within the limit"
                os.killpg(done.pid, 9)
                done.wait()
            output.seek(0)
            text = output.read().decode(errors="replace")[-6000:]
        found = {"output": f"exit status {status}\n{text}"}
        if os.path.exists(report):
            for line in pathlib.Path(report).read_text().splitlines():
                found.update(json.loads(line))
        return found


@functools.cache
def _load(file: str):
    spec = importlib.util.spec_from_file_location(pathlib.Path(file).stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(report: str, folder: str) -> int:
    """What each rank of a job runs: the functions in order; rank 0 writes what became of them."""
    from lamella import distributed as dist

    sys.path.insert(0, str(HERE))
    plan = json.loads(pathlib.Path(folder, "plan").read_text())
    dist.init_process_group("mpi", timeout=PATIENCE)
    bad = [_run_one(vars(_load(file))[name], f"{file}::{name}", report, folder)
           for file, names in plan.items() for name in names]
    dist.destroy_process_group()
    return int(any(bad))


def _run_one(test, name: str, report: str, folder: str) -> bool:
    """Run one function on this rank; whether it failed on any."""
    from lamella import distributed as dist

    if not dist.is_initialized():
        dist.init_process_group("mpi", timeout=PATIENCE)
    rank, size = dist.get_rank(), dist.get_world_size()
    fn, _, _, wants_folder = test.ranks
    place = pathlib.Path(folder, name.rpartition("/")[2].replace("::", "-"))
    place.mkdir(exist_ok=True)
    outcome = "passed"
    start = time.perf_counter()
    try:
        fn(place) if wants_folder else fn()
    except BaseException:
        outcome = f"on rank {rank} of {size}:\n{traceback.format_exc()}"
    if not dist.is_initialized():
        dist.init_process_group("mpi", timeout=PATIENCE)
    every = [None] * size
    dist.all_gather_object(every, outcome)
    bad = [o for o in every if o != "passed"]
    if rank == 0:
        print(f"{name}: {'failed' if bad else 'passed'} in {time.perf_counter() - start:.2f} s", flush=True)
        with open(report, "a") as f:
            f.write(json.dumps({name: "\n".join(bad) or "passed"}) + "\n")
    return bool(bad)


if __name__ == "__main__":
    sys.modules["harness"] = sys.modules["__main__"]
    sys.exit(main(*sys.argv[1:]))
