"""The examples run on lamella, and as they do on torch."""

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
