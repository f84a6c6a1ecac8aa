"""What launchers say, torchrun's variables, and `lamella run` under mpiexec."""

import os
import subprocess
import sys
import textwrap
import time

import pytest
from harness import mpiexec as beside

from lamella.distributed import launch, mpiexec
from lamella.distributed.launch import Launched, set_variables, world_from_environment

LAUNCHERS = ("PMI_", "PMIX_", "MPI_", "OMPI_", "SLURM_", "PALS_", "MV2_", "HYDI", "PRTE_")
TORCHRUN = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK", "MASTER_ADDR", "MASTER_PORT",
            "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
SLURM = {"SLURM_STEP_ID": "0", "SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "7", "SLURM_LOCALID": "1",
         "SLURM_NODEID": "2", "SLURM_STEP_TASKS_PER_NODE": "2(x3),1", "SLURM_STEP_NODELIST": "n[03-05],m",
         "SLURM_JOB_ID": "123456"}


@pytest.mark.parametrize(("env", "place"), [
    ({}, None),
    ({"PMI_RANK": "1", "PMI_SIZE": "4", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "4"}, (1, 4, 1, "mpich", 4, 0)),
    ({"PMI_RANK": "3", "PMI_SIZE": "4", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "2"}, (3, 4, 1, "mpich", 2, 1)),
    ({"PMI_RANK": "3", "PMI_SIZE": "4"}, (3, 4, 3, "mpich", 4, 0)),
    ({"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_RANK": "0",
      "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}, (2, 4, 0, "openmpi", 2, 1)),
    ({"PMI_RANK": "1", "PMI_SIZE": "6", "PALS_LOCAL_RANKID": "1", "PALS_NODEID": "0"}, (1, 6, 1, "mpich", 6, 0)),
    (SLURM, (5, 7, 1, "slurm", 2, 2)),
    (SLURM | {"PMI_RANK": "5", "PMI_SIZE": "7"}, (5, 7, 1, "slurm", 2, 2)),
    (SLURM | {"SLURM_STEP_ID": "4294967291"}, None),
    ({"SLURM_PROCID": "0", "SLURM_NTASKS": "8", "SLURM_JOB_ID": "1"}, None),
    ({"RANK": "3", "WORLD_SIZE": "8", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2", "GROUP_RANK": "1"},
     (3, 8, 1, "env", 2, 1)),
    ({"RANK": "0", "WORLD_SIZE": "1"}, (0, 1, 0, "env", 1, 0)),
    ({"RANK": "3", "WORLD_SIZE": "8", "PMI_RANK": "1", "PMI_SIZE": "2"}, (1, 2, 1, "mpich", 2, 0)),
    ({"RANK": "", "WORLD_SIZE": "8"}, None),
])
def test_places(env, place):
    assert world_from_environment(env) == (None if place is None else Launched(*place))


def test_contradictions():
    with pytest.raises(ValueError, match="RANK must be below WORLD_SIZE"):
        world_from_environment({"RANK": "4", "WORLD_SIZE": "4"})


def test_torchruns_variables():
    env = dict(SLURM)
    set_variables(env)
    assert {k: env[k] for k in env if k not in SLURM} == {
        "RANK": "5", "WORLD_SIZE": "7", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2", "GROUP_RANK": "2",
        "GROUP_WORLD_SIZE": "4", "ROLE_RANK": "5", "ROLE_WORLD_SIZE": "7", "ROLE_NAME": "default",
        "MASTER_ADDR": "n03", "MASTER_PORT": str(29500 + 456),
    }
    env = {"PMI_RANK": "1", "PMI_SIZE": "2", "RANK": "7", "WORLD_SIZE": "9", "MASTER_ADDR": "a", "MASTER_PORT": "1"}
    set_variables(env)
    assert [env[k] for k in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")] == ["1", "2", "a", "1"]
    env = {"PMI_RANK": "3", "PMI_SIZE": "4", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "2"}
    set_variables(env)
    assert "MASTER_ADDR" not in env and env["MASTER_PORT"] == "29500" and env["GROUP_RANK"] == "1"
    env = {}
    assert set_variables(env) is None and env == {}


@pytest.mark.parametrize(("hosts", "first"), [
    ("node1", "node1"), ("node[03-05,9]", "node03"), ("a,b", "a"), ("rack[1-2]n,x", "rack1n"), ("", "")])
def test_first_host(hosts, first):
    assert launch.first_host(hosts) == first


def test_threads():
    env = {}
    assert launch.limit_threads(4, env) and env == {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for given, ranks in (({"OMP_NUM_THREADS": "3"}, 4), ({}, 1)):
        env = dict(given)
        assert not launch.limit_threads(ranks, env) and env == given


def test_command_lines(monkeypatch):
    line = mpiexec.command(mpiexec.Mpiexec("m", "openmpi", ""), 3, ["p", "-n"])
    assert line == ["m", "--host", "localhost:3", "--oversubscribe", "--bind-to", "none", "-n", "3", "p", "-n"]
    assert mpiexec.command(mpiexec.Mpiexec("m", "", ""), 1, ["p"]) == ["m", "-n", "1", "p"]
    env = mpiexec.environment(mpiexec.Mpiexec("m", "mpich", ""), {"A": "b"})
    assert env["A"] == "b" and env["MASTER_ADDR"] == "127.0.0.1" and 0 < int(env["MASTER_PORT"]) < 65536
    assert mpiexec.environment(mpiexec.Mpiexec("m", "mpich", ""), {"MASTER_PORT": "7"})["MASTER_PORT"] == "7"
    with pytest.raises(FileNotFoundError, match="there is no program '/none'"):
        mpiexec.find("/none")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", "/none/python")
    assert mpiexec.find() is None


@pytest.mark.parametrize(("says", "kind", "version"), [
    ("HYDRA build details:\n    Version:    4.3.1", "mpich", "MPICH 4.3.1"),
    ("mpiexec (OpenRTE) 4.1.6\n\nReport bugs", "openmpi", "Open MPI 4.1.6"),
    ("mpirun (Open MPI) 5.0.11", "openmpi", "Open MPI 5.0.11"),
    ("Intel(R) MPI Library, Version 2021.11\nCopyright", "intel", "Intel(R) MPI Library, Version 2021.11"),
    ("something", "", "something"),
])
def test_kinds_of_mpiexec(tmp_path, says, kind, version):
    path = tmp_path / "mpiexec"
    path.write_text(f"#!/bin/sh\ncat <<'E'\n{says}\nE\n")
    path.chmod(0o755)
    assert mpiexec.find(str(path)) == (str(path), kind, version)


needs_mpi = pytest.mark.skipif(beside() is None, reason="there is no mpiexec (pip install mpich)")


def run(folder, text, *args, n=3, direct=False, env=()):
    """(exit status, stdout, stderr) of a script on several ranks."""
    (folder / "prog.py").write_text(textwrap.dedent(text))
    lamella = [sys.executable, "-m", "lamella.cli", "run"]
    command = [beside(), "-n", str(n), *lamella] if direct else [*lamella, "--nproc", str(n)]
    base = {k: v for k, v in os.environ.items() if not k.startswith(LAUNCHERS) and k not in TORCHRUN}
    done = subprocess.run([*command, "prog.py", *args], capture_output=True, text=True, cwd=folder, timeout=120,
                          env={**base, **dict(env)}, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


@needs_mpi
@pytest.mark.parametrize("direct", [False, True], ids=["nproc", "mpiexec"])
def test_ranks_get_what_torchrun_gives(tmp_path, direct):
    status, out, err = run(tmp_path, """
        import os, sys
        names = "RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE GROUP_RANK OMP_NUM_THREADS OPENBLAS_NUM_THREADS".split()
        assert "numpy" not in sys.modules and int(os.environ["MASTER_PORT"]) > 0
        print(*(os.environ[n] for n in names), os.environ["MASTER_ADDR"], *sys.argv[1:], "\\n", end="")
    """, "--nproc", "9", "-m", direct=direct)
    assert status == 0, err
    assert sorted(out.splitlines()) == [f"{r} 3 {r} 3 0 1 1 127.0.0.1 --nproc 9 -m " for r in range(3)]
    assert err.count("OMP_NUM_THREADS and OPENBLAS_NUM_THREADS are set to 1") == 1 and len(err.splitlines()) == 1
    assert run(tmp_path, "import os\nprint(os.environ['OMP_NUM_THREADS'])", direct=direct, n=2,
               env={"OMP_NUM_THREADS": "2"}) == (0, "2\n2\n", "")


@needs_mpi
@pytest.mark.parametrize("direct", [False, True], ids=["nproc", "mpiexec"])
@pytest.mark.parametrize("mpi", [False, True], ids=["before MPI", "with MPI"])
def test_one_failure_ends_the_job(tmp_path, direct, mpi):
    start = "import torch.distributed as dist\ndist.init_process_group()\n" if mpi else "\n"
    others = "dist.barrier()" if mpi else "time.sleep(100)"  # in the barrier they hear of the failure, and fail too
    status, out, err = run(tmp_path, start + textwrap.dedent("""
        import os, time
        print("begins")
        def f(rank):
            if rank == 2:
                raise ValueError("boo\\nsecond line")
            OTHERS
        f(int(os.environ["RANK"]))
    """).replace("OTHERS", others), direct=direct)
    assert status == 1 and out.count("begins") <= 3
    lines = [x for x in err.splitlines() if not x.startswith(("lamella run: OMP", "Abort(1) on node 2"))]
    assert all(x.startswith("[rank 2] ") for x in lines), err
    assert lines[0] == "[rank 2] Traceback (most recent call last):"
    assert lines[-2:] == ["[rank 2] ValueError: boo", "[rank 2] second line"]
    assert "cli" not in err.replace("prog.py", "")


@needs_mpi
def test_the_first_of_several_failures_is_told(tmp_path):
    status, _, err = run(tmp_path, "raise ValueError('boo ' * 2000)")
    lines = [x for x in err.splitlines() if x.startswith("[rank ")]
    assert status == 1 and len({x[:9] for x in lines}) == 1
    assert sum("Traceback" in x for x in lines) == 1 and lines[-1].endswith("boo " * 2000)


@needs_mpi
@pytest.mark.parametrize(("text", "status", "says"), [
    ("import os, sys, time\nif os.environ['RANK'] == '1': sys.exit(7)\ntime.sleep(100)", 7,
     "[rank 1] exits with status 7\n"),
    ("import os, sys, time\nif os.environ['RANK'] == '1': sys.exit('bye')\ntime.sleep(100)", 1, "[rank 1] bye\n"),
    ("import sys; sys.exit(0)", 0, ""),
])
def test_exit_status(tmp_path, text, status, says):
    found, _, err = run(tmp_path, text)
    assert found == status and err.split("use more\n")[1] == says


@needs_mpi
def test_a_killed_rank_ends_the_job(tmp_path):
    start = time.monotonic()
    status, _, _ = run(tmp_path, """
        import os, time
        if os.environ["RANK"] == "1":
            os.kill(os.getpid(), 9)
        time.sleep(100)
    """)
    assert status != 0 and time.monotonic() - start < 90


@needs_mpi
def test_the_others_tell_of_a_killed_rank(tmp_path):
    status, _, err = run(tmp_path, """
        import os, torch, torch.distributed as dist
        dist.init_process_group()
        if os.environ["RANK"] == "1":
            os.kill(os.getpid(), 9)
        dist.all_reduce(torch.ones(3))
    """)
    lines = [x for x in err.splitlines() if x.startswith("[rank ")]
    assert status != 0 and len({x[:9] for x in lines}) == 1
    assert "DistBackendError: all_reduce: rank 1 died" in err and "all_reduce #1 f32[3] SUM" in err


@needs_mpi
def test_modules_and_torchruns_command_line(tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").touch()
    (tmp_path / "pack" / "__main__.py").write_text("import os, sys, torch\nprint(os.environ['RANK'], sys.argv[1:])\n")
    env = {k: v for k, v in os.environ.items() if not k.startswith(LAUNCHERS) and k not in TORCHRUN}
    for line in (["lamella.cli", "run", "--nproc=2", "-m", "pack", "a"],
                 ["lamella.torch.distributed.launch", "--standalone", "--nproc_per_node", "2", "-m", "pack", "a"],
                 ["lamella.cli", "run", "-m", "torch.distributed.run", "--nproc-per-node=2", "-m", "pack", "a"]):
        done = subprocess.run([sys.executable, "-m", *line], capture_output=True, text=True, cwd=tmp_path, env=env,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        assert sorted(done.stdout.splitlines()) == ["0 ['a']", "1 ['a']"]


@pytest.mark.parametrize(("args", "env", "says"), [
    (["--nproc", "2", "x.py"], {"PMI_RANK": "0", "PMI_SIZE": "4"}, "this is rank 0 of 4 already\nhint: under mpiexec"),
    (["--nproc", "zero", "x.py"], {}, "must be a number of ranks, cpu, gpu or auto (got 'zero')"),
    (["--nproc"], {}, "--nproc needs a value"),
    (["--nproc", "2"], {}, "which script?"),
    (["--nproc", "2", "--mpiexec", "/none", "x.py"], {}, "there is no program '/none'"),
])
def test_command_lines_without_sense(args, env, says, monkeypatch, capsys):
    from lamella.cli.main import main

    for name in [k for k in os.environ if k.startswith(LAUNCHERS) or k in TORCHRUN]:
        monkeypatch.delenv(name)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert main(["run", *args]) == 2
    assert says in capsys.readouterr().err


def test_without_mpi_it_says_how_to_get_one(monkeypatch, capsys):
    from lamella.cli.main import main

    monkeypatch.setattr(mpiexec, "find", lambda path=None: None)
    assert main(["run", "--nproc", "2", "x.py"]) == 2
    assert "hint: pip install 'lamella[mpi]'" in capsys.readouterr().err


@needs_mpi
def test_library_of_mpi4py():
    version, where = mpiexec.library()
    assert "MPI" in version and "libmpi" in where


@needs_mpi
def test_a_launcher_that_the_library_does_not_know(tmp_path):
    status, out, err = run(tmp_path, """
        import os, torch.distributed as dist
        for name in ("PMI_FD", "PMI_RANK", "PMI_SIZE"):  # what MPICH's library would ask
            os.environ.pop(name, None)
        os.environ["OMPI_COMM_WORLD_RANK"], os.environ["OMPI_COMM_WORLD_SIZE"] = os.environ["RANK"], "2"
        dist.init_process_group()
        print("trains alone")
    """, n=2)
    assert status != 0 and out == ""
    assert "openmpi started 2 ranks, but the MPI library sees 1" in err and "hint: mpiexec and the library" in err


def test_ranks_may_be_named_in_the_address():
    from lamella import distributed as dist

    dist.init_process_group(init_method="tcp://localhost:1?rank=0&world_size=1")
    assert (dist.get_rank(), dist.get_world_size()) == (0, 1)
    dist.destroy_process_group()
    with pytest.raises(ValueError, match="given in the URL and as an argument"):
        dist.init_process_group(init_method="tcp://localhost:1?rank=0&world_size=1", rank=0)
