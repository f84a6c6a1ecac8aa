"""A save that is killed, at any point, leaves the checkpoint that was there before, or is complete."""

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from harness import mpiexec

from lamella.core import zeros
from lamella.distributed import checkpoint as dcp

# Saves version 1, then in a child for each n version 2, which is killed at the n-th thing that it does to the folder:
# each opening, renaming, removing and making of files there, and the middle of each file of tensors.
SCRIPT = """
    import json, os, signal, sys
    from lamella.core import full
    from lamella.distributed import checkpoint as dcp
    import safetensors

    folder = sys.argv[1]
    countdown = None

    def tick():
        global countdown
        if countdown is not None:
            countdown -= 1
            if countdown == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def watch(event, args):
        if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.listdir") and folder in str(args):
            tick()

    write = safetensors.serialize_file
    def half(specs, path, metadata=None):
        tick()
        write(specs, path, metadata=metadata)
        if countdown is not None:
            size = os.path.getsize(path)
            os.truncate(path, size // 2)
            tick()
            write(specs, path, metadata=metadata)
            tick()
    safetensors.serialize_file = half
    sys.addaudithook(watch)

    def save(version, where):
        state = {str(i): full((100,), float(version)) for i in range(3)} | {"version": version, "long": "x" * 70000}
        dcp.save(state, storage_writer=dcp.FileSystemWriter(where, single_file_per_rank=False), no_dist=True)

    n = 0
    while True:
        n += 1
        where = os.path.join(folder, str(n))
        save(1, where)
        child = os.fork()
        if child == 0:
            countdown = n
            save(2, where)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL, status
    print(json.dumps(n - 1))
"""


def load(folder):
    """The version of a checkpoint, all of which must be of that version."""
    state = {**{str(i): zeros(100) for i in range(3)}, "version": None, "long": None}
    dcp.load(state, checkpoint_id=folder, no_dist=True)
    assert all((state[str(i)] == state["version"]).all() for i in range(3)) and state["long"] == "x" * 70000
    return state["version"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=240, **options)


def test_killed_at_every_point(tmp_path):
    done = run([sys.executable, "-c", textwrap.dedent(SCRIPT), str(tmp_path)])
    assert done.returncode == 0, done.stderr
    points = json.loads(done.stdout)
    assert points > 20
    versions = [load(tmp_path / str(n)) for n in range(1, points + 2)]
    assert versions == sorted(versions) and versions[0] == 1 and versions[-1] == 2
    for n in (1, points // 2, points):  # the next save works, and removes what was left
        folder = tmp_path / str(n)
        dcp.save({"w": zeros(1)}, checkpoint_id=folder, no_dist=True)
        assert len(os.listdir(folder)) == 2


# Rank 1 is killed while all write; the others raise, and load what was there.
RANKS = """
    import os, signal, sys
    from datetime import timedelta
    from lamella import distributed as dist
    from lamella.core import full, zeros
    from lamella.distributed import checkpoint as dcp
    from lamella.distributed.checkpoint import files

    dist.init_process_group("mpi", timeout=timedelta(seconds=10))
    rank, folder = dist.get_rank(), sys.argv[1]

    def save(version):
        part = dcp.LocalShards((2, 3), [((rank, 0), full((1, 3), float(version)))])
        dcp.save({"part": part, "version": version}, checkpoint_id=folder)

    save(1)
    if rank == 1:
        def killed(*args, **kwargs):
            open(args[0], "wb").write(b"half")
            os.kill(os.getpid(), signal.SIGKILL)
        import lamella.distributed.checkpoint.filesystem as filesystem
        filesystem.write_arrays = killed
    save(2)
"""


@pytest.mark.skipif(mpiexec() is None, reason="there is no mpiexec (pip install mpich)")
def test_a_rank_is_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(RANKS))
    folder = tmp_path / "checkpoint"
    done = run([mpiexec(), "-n", "2", sys.executable, str(script), str(folder)])
    assert done.returncode != 0
    into = {"part": zeros(2, 3), "version": None}
    dcp.load(into, checkpoint_id=folder, no_dist=True)
    assert into["version"] == 1 and (into["part"] == 1).all()
    assert "half" not in (folder / ".metadata").read_text()


# Saves one version after the other into one folder, and says which rank has which process.
FOREVER = """
    import itertools, os, sys
    from lamella import distributed as dist
    from lamella.core import full
    from lamella.distributed import checkpoint as dcp

    dist.init_process_group("mpi")
    rank, size, folder = dist.get_rank(), dist.get_world_size(), sys.argv[1]
    open(f"{folder}.{rank}", "w").write(str(os.getpid()))
    for version in itertools.count(1):
        part = dcp.LocalShards((size, 50), [((rank, 0), full((1, 50), float(version)))])
        state = {"part": part, "all": full((100,), float(version)), "version": version}
        if version % 3:
            dcp.save(state, checkpoint_id=folder)
        else:
            dcp.async_save(state, checkpoint_id=folder).result()
"""


@pytest.mark.slow
@pytest.mark.skipif(mpiexec() is None, reason="there is no mpiexec (pip install mpich)")
@pytest.mark.parametrize("seed", range(10))
def test_killed_at_random_times(tmp_path, seed):
    """A rank of a job that does nothing but save is killed some time after the first checkpoint."""
    rng = random.Random(seed)
    script, folder = tmp_path / "script.py", tmp_path / "checkpoint"
    script.write_text(textwrap.dedent(FOREVER))
    job = subprocess.Popen([mpiexec(), "-n", "2", sys.executable, str(script), str(folder)], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (folder / ".metadata").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(rng.uniform(0, 0.5))
    rank = rng.randint(0, 1)
    os.kill(int((tmp_path / f"checkpoint.{rank}").read_text()), signal.SIGKILL)
    assert job.wait(60) != 0
    into = {"part": zeros(2, 50), "all": zeros(100), "version": None}
    dcp.load(into, checkpoint_id=folder, no_dist=True)
    assert into["version"] and (into["part"] == into["version"]).all() and (into["all"] == into["version"]).all()
