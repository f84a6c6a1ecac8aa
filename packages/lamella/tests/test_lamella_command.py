"""The command `lamella`: run, info, bench."""

import json
import subprocess
import sys
import textwrap

import pytest

from lamella.cli import bench
from lamella.cli.main import main


def lamella(*args, cwd=None, code=0):
    command = [sys.executable, "-m", "lamella.cli", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def script(folder, text, name="prog.py"):
    path = folder / name
    path.write_text(textwrap.dedent(text))
    return path


def test_run_resolves_torch_to_lamella(tmp_path):
    script(tmp_path, "import torch.nn.functional\nrelu = torch.nn.functional.relu\n", "library.py")
    path = script(tmp_path, """
        import sys, importlib.util, importlib.metadata
        import torch
        import torch.nn as nn, torch.nn.functional as F
        from torch.utils.data import DataLoader, TensorDataset
        from torch.optim.lr_scheduler import StepLR
        import library
        import lamella.torch
        assert torch is lamella.torch and nn is lamella.torch.nn and F is torch.nn.functional
        assert sys.modules["torch.nn"] is sys.modules["lamella.torch.nn"]
        assert torch.__spec__.name == "lamella.torch" and nn.__name__ == "lamella.torch.nn"
        assert library.relu is F.relu
        assert importlib.util.find_spec("torch.nn") is not None
        assert importlib.metadata.version("torch") == torch.__version__
        print(__name__, sys.argv[1:], sys.path[0] == sys.argv[0].rpartition("/")[0])
        print(torch.tensor([1.0, -1.0]).relu().tolist())
    """)
    out, err = lamella("run", path, "--epochs", "3")
    assert out.splitlines() == ["__main__ ['--epochs', '3'] True", "[1.0, 0.0]"] and err == ""


def test_run_missing_submodule(tmp_path):
    path = script(tmp_path, """
        for name in ("torch.hub", "torch.nonesuch"):
            try:
                __import__(name)
            except ModuleNotFoundError as e:
                print(e, e.name)
    """)
    out, _ = lamella("run", path)
    assert out.splitlines() == ["torch.hub: lamella does not offer this yet (lamella 0.1.0) torch.hub",
                                "No module named 'torch.nonesuch' torch.nonesuch"]


def test_run_shows_the_traceback_of_the_script_alone(tmp_path):
    path = script(tmp_path, """
        def f():
            raise ValueError("boo")
        try:
            1 / 0
        except ZeroDivisionError:
            f()
    """)
    _, err = lamella("run", path, code=1)
    assert err.startswith("Traceback") and err.rstrip().endswith("ValueError: boo") and "ZeroDivisionError" in err
    assert "lamella" not in err and "runpy" not in err and err.count("prog.py") == 3
    path = script(tmp_path, "def f(:\n")
    _, err = lamella("run", path, code=1)
    assert "SyntaxError" in err and "lamella" not in err


@pytest.mark.parametrize(("text", "code", "err"), [
    ("import sys; sys.exit(7)", 7, ""), ("import sys; sys.exit('bye')", 1, "bye\n"), ("raise SystemExit", 0, ""),
    ("import os; os._exit(3)", 3, ""),
])
def test_run_exit_status(tmp_path, text, code, err):
    assert lamella("run", script(tmp_path, text), code=code)[1] == err


def test_run_module_and_folder(tmp_path):
    package = tmp_path / "pack"
    package.mkdir()
    script(package, "", "__init__.py")
    script(package, "import sys, torch\nprint(__name__, __package__, sys.argv[1:], torch.__name__)\n", "__main__.py")
    assert lamella("run", "-m", "pack", "a", cwd=tmp_path)[0] == "__main__ pack ['a'] lamella.torch\n"
    assert lamella("run", package, "b")[0].split()[-2:] == ["['b']", "lamella.torch"]


@pytest.mark.parametrize(("args", "text"), [
    (["run", "none.py"], "lamella run: there is no script 'none.py'"),
    (["compile", "none.py", "--emit", "cuda"], "lamella compile: there is no script 'none.py'"),
    (["run", "-m", "none_such"], "lamella run: there is no module 'none_such'"),
    (["run"], "lamella run: which script?"),
    (["run", "--fast", "x.py"], "lamella run: there is no option '--fast'"),
    (["rum"], "lamella: there is no command 'rum'\nhint: did you mean 'run'?"),
    (["bench", "--only", "x"], "lamella bench: there is no case 'x'"),
])
def test_command_line_errors(args, text, capsys):
    assert main(args) == 2
    err = capsys.readouterr().err
    assert err.startswith(text) and "Traceback" not in err


def test_help_and_version(capsys):
    assert main(["--help"]) == 0 and main(["run", "--help"]) == 0 and main(["--version"]) == 0
    out = capsys.readouterr().out
    assert "lamella COMMAND --help" in out and "lamella 0.1.0" in out


def test_info():
    report = json.loads(lamella("info", "--json")[0])
    assert report["lamella"]["core"] == "0.1.0" and "note" not in report["lamella"]
    assert report["backends"]["cpu"] == "works" and report["backends"]["meta"] == "works"
    assert {"python", "numbers", "blas", "compilers", "mpi", "gpu"} <= set(report)
    assert not any("failed" in facts for facts in report.values())
    if report["mpi"]["mpi4py"] != "not installed":
        assert "MPI" in report["mpi"]["library"] and "mpiexec" in report["mpi"]["mpiexec"]
    plain = lamella("info")[0]
    assert "numpy" in plain and "backends" in plain


def test_bench_measures_every_case():
    rows = bench.measure(repeats=1, seconds=1e-5, torch_too=False)
    assert [r.name for r in rows] == list(bench.CASES)
    assert not any(r.failed for r in rows), [r.failed for r in rows if r.failed]
    assert all(r.best["lamella"] > 0 for r in rows)
    text = bench.table(rows)
    assert "a + b, with grad" in text and "target" not in text
    rows[0].best = {"lamella": 70.0, "torch": 140.0}
    assert bench.table(rows).splitlines()[1].split()[-3:] == ["0.50", "0.7", "met"]



def test_the_import_hook_can_be_taken_back():
    code = """if 1:
        import sys
        from lamella.cli.finder import install, uninstall
        finder = install()
        assert install() is finder
        import torch.nn
        assert torch.__name__ == "lamella.torch"
        uninstall(finder)
        assert "torch" not in sys.modules and "torch.nn" not in sys.modules and finder not in sys.meta_path
    """
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
