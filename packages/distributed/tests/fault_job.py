"""One rank of a job in which something goes wrong, for test_faults.py.

    mpiexec -n 4 python fault_job.py '{"case": "forward", "victim": 3, "folder": "/tmp/x", "timeout": 15}'

Each rank trains a small network with DistributedDataParallel; at step 3 the victim does what the case says. A rank that
lives writes the error that it got, and how long after the fault, to FOLDER/rank<N>.json.
"""

import datetime
import json
import os
import pathlib
import signal
import sys
import time

STEP = 3  # where the fault happens, from 1
LAST = 2000


class Job:
    """The case, and what all its parts need."""

    def __init__(self, facts):
        self.case, self.victim, self.timeout = facts["case"], facts["victim"], facts["timeout"]
        self.moment = facts.get("moment")
        self.folder = pathlib.Path(facts["folder"])
        self.rank = int(os.environ["PMI_RANK"])
        self.is_victim = self.rank == self.victim
        self.step = 0

    def tell(self, error):
        """Write down an error, and how long after the fault it came."""
        fault = self.folder / "fault"
        after = time.time() - float(fault.read_text()) if fault.exists() else None
        told = {"kind": type(error).__name__, "text": str(error), "after": after}
        (self.folder / f"rank{self.rank}.json").write_text(json.dumps(told))

    def due(self, case):
        """Whether this rank's fault is now."""
        return self.case == case and self.is_victim and self.step == STEP

    def mark(self):
        """The fault happens now."""
        fresh = self.folder / "fault.tmp"
        fresh.write_text(str(time.time()))
        fresh.rename(self.folder / "fault")

    def die(self):
        self.mark()
        if self.case == "workers" and os.fork() == 0:  # a worker that outlives its rank for a while
            time.sleep(3.0)
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)


def network(job, nn):
    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(16, 32), nn.Linear(32, 4)

        def forward(self, x):
            if job.due("forward") or job.due("workers"):
                job.die()
            if job.due("hang"):
                job.mark()
                time.sleep(1000)
            y = self.first(x).relu()
            if job.due("backward"):
                y.register_hook(lambda grad: job.die())
            return self.second(y)

    return Network()


def disagree(job, dist, core):
    """A collective of a step; the victim's differs from the others'."""
    x = core.ones(6)
    if job.due("op"):
        job.mark()
        dist.broadcast(x, 0)
    elif job.due("shape"):
        job.mark()
        dist.all_reduce(core.ones(7))
    elif job.due("dtype"):
        job.mark()
        dist.all_reduce(x.double())
    elif job.due("root"):
        job.mark()
        dist.broadcast(x, 1)
    elif job.case == "root" and job.step == STEP:
        dist.broadcast(x, 0)
    else:
        dist.all_reduce(x)


def refused(job, dist, core):
    """A collective that is checked before it runs, LAMELLA_DISTRIBUTED_DEBUG=detail: nothing moves, and ranks go on."""
    x = core.ones(6)
    try:
        dist.all_reduce(x.double() if job.is_victim else x)
    except dist.DistBackendError as e:
        assert x.tolist() == [1.0] * 6
        job.tell(e)
    dist.all_reduce(x)
    assert x.tolist() == [float(dist.get_world_size())] * 6


def inside_a_collective(job, dist, core):
    """A collective whose messages are under way when the victim dies."""
    work = dist.all_reduce(core.ones(4_000_000), async_op=True)
    if job.due("collective"):
        job.die()
    work.wait()


def save(job, model, step):
    from lamella.core import tensor
    from lamella.distributed import checkpoint

    state = {"model": model.module.state_dict(), "step": tensor(step)}
    checkpoint.save(state, checkpoint_id=str(job.folder / "checkpoint"))


def die_while_saving(job):
    """Let the victim die when it comes to a certain call of the system."""
    name, count = job.moment
    real, calls = getattr(os, name), []

    def call(*args, **kwargs):
        calls.append(1)
        if len(calls) == count:
            job.die()
        return real(*args, **kwargs)

    setattr(os, name, call)


def train(job):
    from lamella import core, distributed as dist, nn, optim
    from lamella.distributed.parallel import DistributedDataParallel

    if job.case == "before" and job.is_victim:
        job.mark()
        raise ImportError("no module")
    if job.case == "never" and job.is_victim:
        job.mark()
        time.sleep(job.timeout + 5.0)
        return
    dist.init_process_group("mpi", timeout=datetime.timedelta(seconds=job.timeout))
    core.manual_seed(0)
    model = DistributedDataParallel(network(job, nn))
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    for job.step in range(1, LAST):
        if job.due("raise"):
            job.mark()
            raise ValueError("a bad sample")
        if job.due("uneven"):
            job.mark()
            break
        model(core.ones(8, 16)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        if job.case == "checkpoint" and job.step <= STEP:
            if job.due("checkpoint"):
                die_while_saving(job)
            save(job, model, job.step)
        if job.case == "collective" and job.step == STEP:
            inside_a_collective(job, dist, core)
        if job.case in ("op", "shape", "dtype", "root"):
            disagree(job, dist, core)
        elif job.case == "message" and job.step == STEP:
            if job.is_victim:
                time.sleep(0.3)
                job.die()
            dist.recv(core.ones(2, 3), job.victim)
        elif job.case == "detail":
            refused(job, dist, core)
            break
        time.sleep(0.01)
    dist.destroy_process_group()


def main():
    job = Job(json.loads(sys.argv[1]))
    (job.folder / f"pid{job.rank}").write_text(str(os.getpid()))
    try:
        train(job)
    except BaseException as e:
        job.tell(e)
        raise


if __name__ == "__main__":
    main()
