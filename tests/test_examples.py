"""The examples run on lamella, and as they do on torch."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAMELLA = ("-m", "lamella.cli", "run")

pytestmark = pytest.mark.slow


def example(name, *args, cwd, runner=LAMELLA):
    command = [sys.executable, "-W", "error::UserWarning", *runner, str(ROOT / "examples" / name), *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_digits_learns(tmp_path):
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    out = example("digits.py", "--out", "digits.png", cwd=tmp_path)
    accuracy = float(re.search(r"test accuracy ([\d.]+)%", out)[1])
    assert accuracy >= 97, out
    assert (tmp_path / "digits.png").read_bytes().startswith(b"\x89PNG")


def test_char_gpt_learns(tmp_path):
    out = example("char_gpt.py", "--steps", 12, "--sample", 20, "--losses", "losses.txt", cwd=tmp_path)
    losses = [float(x) for x in (tmp_path / "losses.txt").read_text().split()]
    assert len(losses) == 12 and losses[-1] < losses[0] - 0.5
    assert "parameters" in out


@pytest.mark.torch
def test_char_gpt_losses_are_torchs(tmp_path):
    pytest.importorskip("torch")
    losses = []
    for name, runner in (("torch", ()), ("lamella", LAMELLA)):
        example("char_gpt.py", "--steps", 100, "--seed", 0, "--sample", 0, "--losses", f"{name}.txt", cwd=tmp_path,
                runner=runner)
        losses.append([float(x) for x in (tmp_path / f"{name}.txt").read_text().split()])
    assert len(losses[0]) == len(losses[1]) == 100
    assert losses[1] == pytest.approx(losses[0], rel=1e-3)


def mpiexec():
    """The program that starts MPI jobs; the test is skipped where there is none."""
    pytest.importorskip("mpi4py")
    from lamella.distributed.mpiexec import find

    found = find()
    return found.path if found else pytest.skip("there is no mpiexec")


SMALL = ("--layers", 2, "--width", 64, "--every", 5)


def ddp_losses(launcher, name, cwd, *args):
    """The losses of a run of examples/ddp_char_gpt.py under a launcher."""
    script = str(ROOT / "examples" / "ddp_char_gpt.py")
    command = [*launcher, script, *map(str, (*SMALL, "--losses", name, *args))]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=600, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    losses = [float(x) for x in (cwd / name).read_text().split()]
    assert done.stdout.count("\nstep ") == len(range(0, len(losses), 5)) + ((len(losses) - 1) % 5 > 0), done.stdout
    return losses


def python(*args):
    return [sys.executable, "-W", "error::UserWarning", *map(str, args)]


def test_ddp_char_gpt_learns_on_one_rank(tmp_path):
    losses = ddp_losses(python(*LAMELLA), "losses.txt", tmp_path, "--steps", 12)
    assert len(losses) == 12 and losses[-1] < losses[0] - 0.5


def test_ddp_char_gpt_runs_the_same_under_both_launchers(tmp_path):
    started = [mpiexec(), "-n", "2", *python(*LAMELLA)]
    by_mpiexec = ddp_losses(started, "a.txt", tmp_path, "--steps", 10, "--checkpoint", "a.pt")
    by_run = ddp_losses(python(*LAMELLA, "--nproc", 2), "b.txt", tmp_path, "--steps", 10)
    assert len(by_run) == 10 and by_run == by_mpiexec and by_run[-1] < by_run[0] - 0.3
    on = ddp_losses(started, "c.txt", tmp_path, "--steps", 15, "--resume", "a.pt")
    assert len(on) == 5 and max(on) < by_run[0] - 0.3


@pytest.mark.parametrize("options", [(), ("--accumulate", 3, "--batch", 2)], ids=["plain", "accumulated"])
@pytest.mark.torch
def test_ddp_char_gpt_losses_are_torchs(tmp_path, options):
    pytest.importorskip("torch")
    options = ("--steps", 40, "--checkpoint", "model.pt", *options)
    right = ddp_losses(python("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", 2), "torch.txt",
                       tmp_path, *options)
    assert (tmp_path / "model.pt").stat().st_size > 1e5
    found = ddp_losses([mpiexec(), "-n", "2", *python(*LAMELLA)], "lamella.txt", tmp_path, *options)
    assert len(right) == len(found) == 40
    assert found == pytest.approx(right, rel=1e-3)
