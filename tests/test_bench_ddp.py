"""tools/bench/ddp.py: its tables and limits, and its jobs of ranks that take turns."""

import importlib
import pathlib
import sys

import pytest

BENCH = pathlib.Path(__file__).resolve().parent.parent / "tools" / "bench"


@pytest.fixture
def ddp(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    yield importlib.import_module("ddp")
    sys.modules.pop("ddp", None)


def row(step, ratio, failed="", **more):
    return {"step": step, "min": step, "ratio": ratio, "failed": failed, "hidden": None, **more}


def test_steps(ddp):
    found = {"torch ddp": row(0.08, 1.0),
             "lamella ddp": row(0.1, 1.25, hidden=0.75, exchange=0.013, alone=0.012, communication=0.004,
                                buckets=[100, 25], sent=(550.0, 500)),
             "lamella ddp, compiled": row(None, None, failed="steps: a rank died")}
    lines, over = ddp.step_lines(found, 2)
    assert lines[1].split() == ["torch", "ddp", "80.00", "80.00", "1.00"]
    assert lines[2].split() == ["lamella", "ddp", "100.00", "100.00", "1.25", "13.00", "12.00", "4.00", "75%"]
    assert lines[3] == "lamella ddp: a rank sends 550 bytes a step in 2 buckets, 1.100 of the least (500)"
    assert over == ["step: 1.25 of torch's time, limit 1.00", "lamella ddp, compiled: steps: a rank died",
                    "bytes: 1.100 of the least, limit 1.01"]


def test_reductions(ddp):
    found = {1024: {"Allreduce": 4e-6, "Iallreduce": 5e-6, "lamella.torch": 4.2e-6, "ratio": 1.05, "of minima": 1.02,
                    "torch": 1e-3},
             1 << 20: {"Allreduce": 1e-4, "Iallreduce": 1e-4, "lamella.torch": 1.2e-4, "ratio": 1.2, "of minima": 1.1}}
    lines, over = ddp.reduce_lines(found, 2)
    assert lines[1].split() == ["1", "KB", "4.0", "5.0", "4.2", "1.05", "1.02", "0.24", "1000.0"]
    assert lines[2].split() == ["1", "MB", "100.0", "100.0", "120.0", "1.20", "1.10", "8.74", "-"]
    assert over == ["all_reduce of 1 MB: 1.20 of mpi4py's time, limit 1.10"]


@pytest.mark.slow
def test_a_job(ddp, capfd):
    pytest.importorskip("mpi4py")
    job = ddp.Job("lamella ddp", "lamella.torch", 2)
    try:
        job.start()
        losses = job.ask("losses", 3)
        assert len(losses) == 2 and all(rank[2] < rank[0] for rank in losses)
        assert len(job.ask("buckets")[0]) == 2
        job.turn("step", "steps", 1)
        job.turn("exchange", "backwards", 1, True)
        assert job.median("step") > 0 and job.median("exchange") > 0  # which is longer, one turn cannot tell
        assert 0 <= job.ask("hidden", 2)[0] <= 1
        sent, gradients = job.ask("sent", 2)[0]
        assert sent == gradients > 3e6
        times = ddp.measure_reduce([job], 0.0, [1024])[1024]
        assert times.keys() == {"lamella.torch", "Allreduce", "Iallreduce", "ratio", "of minima"}
        assert job.ask("nonsense") == [] and "nonsense" in job.failed
    finally:
        job.stop()
    assert "no attribute 'nonsense'" in capfd.readouterr().err
