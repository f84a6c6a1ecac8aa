"""Each prefix of the stack installs alone from its wheels, and works."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

UV = os.environ.get("UV") or shutil.which("uv")  # `uv run` says where it is, on the search path or not
ROOT = pathlib.Path(__file__).resolve().parent.parent
STACK = ("dispatch", "core", "autograd", "nn", "optim", "compile", "distributed", "lamella")
BELOW = {"dispatch": [], "core": ["dispatch"], "autograd": ["dispatch", "core"], "nn": ["dispatch", "core", "autograd"],
         "optim": ["dispatch", "core", "autograd"], "compile": ["dispatch", "core"],
         "distributed": ["dispatch", "core", "autograd"],
         "lamella": ["dispatch", "core", "autograd", "nn", "optim", "compile", "distributed"]}
USES = {
    "dispatch": """
        from lamella.dispatch import DispatchKey, Library, explain
        lib = Library("wheels", "DEF")
        lib.define("twice(int x) -> int")
        assert DispatchKey.CPU < DispatchKey.AutogradCPU
    """,
    "core": """
        from lamella import core
        core.manual_seed(0)
        x = core.rand(2, 3)
        assert (x @ x.t()).shape == (2, 2)
        assert core.tensor([1, 2]).sum().item() == 3
        try:
            x.backward()
        except RuntimeError as e:
            assert "lamella-autograd" in str(e), e
        else:
            raise SystemExit("backward without autograd did not say what is missing")
    """,
    "autograd": """
        import lamella.autograd
        from lamella import core
        x = core.tensor([1.0, 2.0], requires_grad=True)
        (x * x).sum().backward()
        assert x.grad.tolist() == [2.0, 4.0]
    """,
    "nn": """
        from lamella import core, nn
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        nn.functional.cross_entropy(net(core.randn(5, 3)), core.tensor([0, 1, 1, 0, 1])).backward()
        assert all(p.grad is not None for p in net.parameters())
    """,
    "optim": """
        from lamella import core, optim
        w = core.tensor([5.0], requires_grad=True)
        opt = optim.SGD([w], lr=0.1)
        for _ in range(50):
            opt.zero_grad()
            (w * w).sum().backward()
            opt.step()
        assert abs(w.item()) < 1e-3
    """,
    "compile": """
        from lamella import core
        from lamella.compile import compile
        f = compile(lambda x: (x * 2).relu().sum())
        assert f(core.tensor([1.0, -1.0])).item() == 2
        assert f(core.tensor([3.0, 4.0])).item() == 14
    """,
    "distributed": """
        from lamella import distributed as dist
        from lamella.core import ones
        from lamella.distributed.threads import spawn

        def total():
            t = ones(2) * dist.get_rank()
            dist.all_reduce(t)
            return t.tolist()

        assert spawn(total, 3) == [[3.0, 3.0]] * 3
        try:
            dist.DistributedDataParallel
        except ImportError as e:
            assert "pip install lamella-nn" in str(e), e
        else:
            raise SystemExit("DistributedDataParallel without nn did not say what is missing")
    """,
    "lamella": """
        from lamella import torch
        from lamella.cli.main import main
        model = torch.nn.Linear(2, 1)
        loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(6, 2)), batch_size=3)
        opt = torch.optim.AdamW(model.parameters())
        for x, in loader:
            opt.zero_grad()
            model(x).square().mean().backward()
            opt.step()
        assert main(["--version"]) == 0
    """,
}

pytestmark = [pytest.mark.slow, pytest.mark.skipif(UV is None, reason="needs uv")]


def run(*command, **kwargs):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600, **kwargs)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    run(UV, "build", "--all-packages", "--wheel", "--out-dir", folder, cwd=ROOT)
    names = {p: "lamella" if p == "lamella" else f"lamella_{p}" for p in STACK}
    return {p: next(folder.glob(f"{names[p]}-*.whl")) for p in STACK}


@pytest.mark.parametrize("package", STACK)
def test_prefix_installs_alone_and_works(package, wheels, tmp_path):
    needed = [*BELOW[package], package]
    run(UV, "venv", "--python", sys.executable, tmp_path / "env")
    python = tmp_path / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run(UV, "pip", "install", "--python", python, *(wheels[p] for p in needed))
    script = tmp_path / "use.py"
    lines = USES[package].strip("\n").splitlines()
    script.write_text("\n".join(line[8:] for line in lines) + "\n")
    run(python, "-W", "error", script, cwd=tmp_path)
    present = run(python, "-c", "import importlib.util as u; print(*(p for p in "
                                f"{STACK[:-1]!r} if u.find_spec('lamella') and u.find_spec('lamella.' + p)))").split()
    assert present == [p for p in STACK[:-1] if p in needed]


def test_wheels_carry_types_and_no_namespace_init(wheels):
    import zipfile

    for package, wheel in wheels.items():
        names = zipfile.ZipFile(wheel).namelist()
        assert "lamella/__init__.py" not in names
        parts = ("torch", "cli") if package == "lamella" else (package,)
        for part in parts:
            assert f"lamella/{part}/py.typed" in names
            assert f"lamella/{part}/__init__.py" in names
