"""Faults of ranks: every rank that lives says what went wrong, and the job ends."""

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
from harness import mpiexec

JOB = pathlib.Path(__file__).with_name("fault_job.py")
#: Seconds that a group may wait; where a rank does not join; where a rank hangs.
TIMEOUT, JOIN, HANG = 30.0, 5.0, 3.0
LIMIT = 120.0  # of the whole job
#: Hydra kills all ranks when one of its children dies by a signal; of a shell it hears an exit status.
SHELL = 'trap "" USR1; "$@"; exit $?'

DIED = r"^\w+: rank {victim} died (.|\n)*waits? in \w+( #\d+ .*of group 'default', step [23])"
DISAGREE = r"^\w+: ranks disagree in collective #\d+ of group 'default', step 3\n(.*\n)?  rank {victim}: "
#: case -> what the text of every rank that lives must match; {victim}: the rank, {others}: all but it
TEXTS = {
    "forward": DIED,
    "workers": DIED,
    "hang": r"^all_reduce: not finished after [3-9]\S* s\n(.*\n)?  rank {victim}: last collective all_reduce #\d+ .* "
            r"of group 'default', step 2, now in forward at fault_job.py:\d+\n",
    "backward": DIED,
    "collective": r"^all_reduce: rank {victim} died (.|\n)*waits? in all_reduce #\d+ f32\[4000000\] SUM of group "
                  r"'default', step 3",
    "message": r"^recv: rank {victim} died \(ranks? [\d, ]+ waits? in recv f32\[6\] from rank {victim} of group "
               r"'default', step 3\)",
    "checkpoint": DIED,
    "op": DISAGREE + r"broadcast f32\[6\] root 0\n",
    "shape": DISAGREE + r"all_reduce f32\[7\] SUM\n",
    "dtype": DISAGREE + r"all_reduce f64\[6\] SUM\n",
    "root": DISAGREE + r"broadcast f32\[6\] root 1\n",
    "uneven": r"^\w+: rank {victim} has left after \d+ collectives of group 'default' \(.* called \d+.*\)\n",
    "raise": r"^\w+: rank {victim} raised ValueError: a bad sample in train at fault_job.py:\d+",
    "before": r"^init_process_group: a process ended before all ranks had joined "
              r"\(rank {victim} has not; {others} did\)",
    "never": r"^init_process_group: rank {victim} of {size} did not join within 5 s \({others} did\)",
}


@dataclasses.dataclass
class Fault:
    """A case, on how many ranks, and which of them it happens to."""

    case: str
    size: int
    victim: int
    moment: tuple[str, int] | None = None

    @property
    def timeout(self):
        return {"never": JOIN, "hang": HANG}.get(self.case, TIMEOUT)

    def __str__(self):
        moment = f"-{self.moment[0]}-{self.moment[1]}" if self.moment else ""
        return f"{self.case}{moment}-rank{self.victim}of{self.size}"


KILLS = ("forward", "backward", "collective", "message")
MISMATCHES = ("op", "shape", "dtype", "root")
#: While a checkpoint is saved: what a rank calls of the system when it dies. Rank 0 also writes the manifest.
SAVES_0, SAVES = (("fsync", 1), ("fsync", 2), ("replace", 1)), (("open", 1), ("fsync", 1), ("close", 1))
QUICK = [Fault("collective", 2, 1), Fault("shape", 2, 1), Fault("uneven", 2, 0)]
CASES = (*KILLS, *MISMATCHES, "uneven", "raise", "never", "before")
ALL = [Fault(case, size, victim) for case in CASES for size in (2, 4) for victim in (0, size - 1)]
ALL += [Fault("workers", 2, 1), Fault("hang", 2, 1), Fault("hang", 2, 0)]
ALL += [Fault("checkpoint", size, 0, moment) for moment in SAVES_0 for size in (2, 4)]
ALL += [Fault("checkpoint", size, size - 1, moment) for moment in SAVES for size in (2, 4)]


def _alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def _run(fault, folder):
    """The job's exit status, output and seconds; fails where it does not end by itself."""
    facts = {**dataclasses.asdict(fault), "folder": str(folder), "timeout": fault.timeout}
    options = [] if fault.case == "hang" else ["-disable-auto-cleanup"]
    command = [mpiexec(), *options, "-n", str(fault.size), "sh", "-c", SHELL, "sh", sys.executable,
               str(JOB), json.dumps(facts)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with open(folder / "output", "w+b") as output:
        job = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment,
                               start_new_session=True)
        try:
            status = job.wait(LIMIT)
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        output.seek(0)
        return status, output.read().decode(errors="replace")


def _check(fault, folder):
    """Run a fault, and see that everybody behaved."""
    if mpiexec() is None:
        pytest.skip("there is no mpiexec (pip install mpich)")
    status, output = _run(fault, folder)
    pids = [int((folder / f"pid{rank}").read_text()) for rank in range(fault.size)]
    left = [pid for pid in pids if _alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert status is not None, f"the job did not end within {LIMIT:g} s\n{output[-3000:]}"
    assert status != 0, f"the job's exit status is 0\n{output[-3000:]}"
    assert not left, f"{len(left)} processes were left\n{output[-3000:]}"
    others = [rank for rank in range(fault.size) if rank != fault.victim]
    times = []
    for rank in others:
        waiting = "ranks? " + ", ".join(map(str, others))
        pattern = TEXTS[fault.case].format(victim=fault.victim, size=fault.size, others=waiting)
        told = folder / f"rank{rank}.json"
        assert told.exists(), f"rank {rank} got no error\n{output[-3000:]}"
        error = json.loads(told.read_text())
        assert error["kind"] in ("DistBackendError", "DistNetworkError"), error
        assert re.search(pattern, error["text"]), error["text"]
        assert len(error["text"].split("\n")) <= 6
        assert error["text"] in output
        assert error["after"] < fault.timeout + 3.0
        times.append(error["after"])
    _note(fault, max(times))


def _note(fault, seconds):
    """Put down how long the last rank took to know, where somebody wants to read it."""
    path = os.environ.get("LAMELLA_TEST_FAULT_TIMES")
    if path:
        with open(path, "a") as f:
            f.write(f"{fault} {seconds:.3f}\n")


def _check_checkpoint(folder):
    """The checkpoint that was there before the fault is whole."""
    from fault_job import STEP, Job, network

    from lamella import core, nn, optim
    from lamella.distributed import checkpoint

    job = Job.__new__(Job)
    job.case, job.is_victim, job.step = "none", False, 0
    core.manual_seed(0)
    model, stated = network(job, nn), {}
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    for step in range(1, STEP + 1):
        model(core.ones(8, 16)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        stated[step] = {name: value.clone() for name, value in model.state_dict().items()}
    found = {"model": {name: value.zero_() for name, value in network(job, nn).state_dict().items()},
             "step": core.tensor(0)}
    checkpoint.load(found, checkpoint_id=str(folder / "checkpoint"), no_dist=True)
    assert found["step"].item() in (STEP - 1, STEP)
    for name, value in stated[found["step"].item()].items():
        assert (found["model"][name] - value).abs().max().item() < 1e-6, name


@pytest.mark.parametrize("fault", QUICK, ids=str)
def test_fault(fault, tmp_path):
    _check(fault, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "victim"), [(2, 1), (4, 0)])
def test_checked_before_they_run(size, victim, tmp_path, monkeypatch):
    monkeypatch.setenv("LAMELLA_DISTRIBUTED_DEBUG", "detail")
    fault = Fault("detail", size, victim)
    status, output = _run(fault, tmp_path)
    assert status == 0, output[-3000:]
    for rank in range(size):
        text = json.loads((tmp_path / f"rank{rank}.json").read_text())["text"]
        assert text.startswith("all_reduce: ranks disagree in collective #")
        assert f"  rank {victim}: all_reduce f64[6] SUM\n" in text or f"rank {victim}" not in text
        assert text.endswith("hint: all ranks of a group must call the same, in the same order")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ALL, ids=str)
def test_every_fault(fault, tmp_path):
    _check(fault, tmp_path)
    if fault.case == "checkpoint":
        _check_checkpoint(tmp_path)


# -- the same between threads -----------------------------------------------------------------------------------------


def _errors(size, fn):
    """What each rank thread raises when all call `fn(rank)`."""
    from lamella import distributed as dist
    from lamella.distributed.threads import spawn

    found = [None] * size

    def rank():
        try:
            fn(dist.get_rank())
        except Exception as e:
            found[dist.get_rank()] = e
            raise

    with pytest.raises(RuntimeError):
        spawn(rank, size)
    return found


@pytest.mark.parametrize(("case", "told"), [
    ("op", ["  ranks 0, 2: all_reduce f32[3] SUM", "  rank 1: broadcast f32[3] from 0"]),
    ("shape", ["  ranks 0, 2: all_reduce f32[3] SUM", "  rank 1: all_reduce f32[4] SUM"]),
    ("dtype", ["  ranks 0, 2: all_reduce f32[3] SUM", "  rank 1: all_reduce f64[3] SUM"]),
    ("root", ["  ranks 0, 2: broadcast f32[3] from 0", "  rank 1: broadcast f32[3] from 1"]),
])
def test_rank_threads_that_disagree(case, told):
    from lamella import distributed as dist
    from lamella.core import ones

    def fn(rank):
        dist.barrier()
        if case == "root":
            dist.broadcast(ones(3), rank % 2)
        elif rank != 1:
            dist.all_reduce(ones(3))
        elif case == "op":
            dist.broadcast(ones(3), 0)
        else:
            dist.all_reduce(ones(4) if case == "shape" else ones(3).double())

    for rank, error in enumerate(_errors(3, fn)):
        op = "broadcast" if case == "root" or (case == "op" and rank == 1) else "all_reduce"
        lines = str(error).split("\n")
        assert type(error).__name__ == "DistBackendError"
        assert lines[0] == f"{op}: ranks disagree in collective #2 of group 'default'"
        assert set(lines[1:-1]) <= {*told, "  rank 0: " + told[0][14:], "  rank 2: " + told[0][14:]}
        assert lines[-1] == "hint: all ranks of a group must call the same, in the same order"


def test_rank_thread_that_ends_early():
    from lamella import distributed as dist
    from lamella.core import ones

    def fn(rank):
        for _ in range(2 + rank):
            dist.all_reduce(ones(3))

    rule, waiting = "rank 0 ended without it", "rank 1 waits in all_reduce #3 f32[3] SUM of group 'default'"
    assert str(_errors(2, fn)[1]) == f"all_reduce: {rule} ({waiting}; rank 0 has not come)"


def test_rank_thread_that_raises():
    from lamella import distributed as dist
    from lamella.core import ones

    def fn(rank):
        if rank == 1:
            raise RuntimeError("a bad sample")
        dist.all_reduce(ones(3))

    rule, waiting = "RuntimeError: a bad sample", "rank 0 waits in all_reduce #1 f32[3] SUM of group 'default'"
    assert str(_errors(2, fn)[0]) == f"all_reduce: rank 1 raised {rule} ({waiting}; rank 1 has not come)"


def test_rank_thread_that_is_late():
    import datetime
    import threading

    from lamella import distributed as dist
    from lamella.core import ones

    over = threading.Event()

    def fn(rank):
        group = dist.new_group(timeout=datetime.timedelta(seconds=0.3))
        if rank == 1:
            over.wait(20)
            return
        try:
            dist.all_reduce(ones(2, 3), group=group)
        finally:
            over.set()

    rule, _, rest = str(_errors(2, fn)[0]).partition(" (")
    assert re.fullmatch(r"all_reduce: not finished after 0\.\d+ s", rule)
    assert rest == "rank 0 waits in all_reduce #1 f32[6] SUM of group 'group 0'; rank 1 has not come)"
