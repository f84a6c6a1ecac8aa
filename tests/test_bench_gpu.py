"""tools/bench/gpu.sh: what it says without a GPU, and its sections on the stand-in for CuPy."""

import importlib
import pathlib
import subprocess
import sys
from time import perf_counter

import pytest

from lamella.core.cuda import missing

BENCH = pathlib.Path(__file__).resolve().parent.parent / "tools" / "bench"


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    yield importlib.import_module("gpu")
    for name in ("gpu", "workloads_gpu", "workloads"):
        sys.modules.pop(name, None)


@pytest.mark.skipif(not missing(), reason="there is a GPU")
def test_without_a_gpu_it_says_so():
    done = subprocess.run([str(BENCH / "gpu.sh")], capture_output=True, text=True, timeout=60,
                          env={"PYTHON": sys.executable, "PATH": "/usr/bin:/bin"})
    assert done.returncode == 3 and done.stdout.startswith("gpu: nothing was run: "), done.stderr


def test_operators_and_gradients(gpu, cupy_on_numpy, capsys):
    later = perf_counter() + 100
    assert not gpu.samples(True, later) and not gpu.gradients(True, later)
    text = capsys.readouterr().out
    assert "operators on CUDA, 0 differences" in text and "gradients: " in text
    assert "no time left" in gpu.samples(True, 0.0)[0]


@pytest.mark.parametrize("name", ["chain", "softmax, backward", "attention", "mlp step", "gpt step", "resnet step"])
def test_eager_workloads(gpu, cupy_on_numpy, name):
    found = gpu.time(name, "lamella", True, 0.0)
    assert found["seconds"] > 0 and found["first"] > 0


def test_table(gpu):
    rows = [{"name": "copy", "bytes": 1 << 29, "lamella compiled": {"seconds": 2e-4}, "torch": {"seconds": 2e-4}},
            {"name": "chain", "bytes": 1 << 30, "lamella compiled": {"seconds": 5e-4}, "torch": {"seconds": 2e-3},
             "torch.compile": {"error": "no answer"}}]
    lines = gpu.table(rows).splitlines()
    assert "GB/s" in lines[0] and lines[1].split()[-1] == "100%"
    assert lines[2].split() == ["chain", "-", "0.500", "2.000", "failed", "0.25", "-", "2147", "80%"]
    assert lines[3] == "chain, torch.compile: no answer"


def test_collectives_say_why_they_are_not_run_or_what_failed(gpu, monkeypatch, capsys):
    from lamella.distributed import nccl

    monkeypatch.setattr(nccl, "missing", lambda: "there is no NVIDIA driver")
    assert gpu.nccl(True, 0.0) == [] and capsys.readouterr().out.endswith("was run: there is no NVIDIA driver\n")
    monkeypatch.setattr(nccl, "missing", lambda: "")
    monkeypatch.setattr(nccl, "version", lambda: "2.27.7")
    bad = ["FAILED a - why", "nccl_job.py: 1 failed, 2 passed"]
    for output, code, want in (("FAILED a - why\n1 failed, 2 passed", 1, bad), ("3 passed", 0, [])):
        done = subprocess.CompletedProcess([], code, output, "")
        monkeypatch.setattr(subprocess, "run", lambda *args, done=done, **kwargs: done)
        assert gpu.nccl(True, perf_counter() + 9) == want
        last = output.splitlines()[-1]
        assert capsys.readouterr().out == f"collectives over NCCL 2.27.7: {last}\na job of processes: {last}\n"
