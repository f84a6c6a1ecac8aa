"""What README and docs show runs, prints what they say it prints, and stands in the files it is quoted from.

Fenced blocks are read by their info string:

    python               run, in one process per page, in order; an ``output`` block after it is what it prints
    python excerpt=PATH:NAME  a function that tools/docs.py copies from its file
    python excerpt=PATH  quoted: the lines stand in that file in this order (``...`` leaves some out); README runs too
    LANG file=PATH       a file of a worked example, which a test below puts together
"""

import doctest
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("packages/*/README.md"))]
FENCE = re.compile(r"^```(\S+)?([^\n]*)\n(.*?)^```$", re.M | re.S)


@dataclass
class Block:
    page: pathlib.Path
    line: int
    language: str
    options: dict
    code: str
    output: str | None = None

    @property
    def where(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page):
    text = page.read_text("utf-8")
    found = []
    for m in FENCE.finditer(text):
        options = dict(o.partition("=")[::2] for o in m[2].split())
        block = Block(page, text.count("\n", 0, m.start()) + 2, m[1] or "", options, m[3])
        if block.language == "output":
            found[-1].output = block.code
        else:
            found.append(block)
    return found


def named(page, prefix=""):
    return {b.options["file"]: b.code for b in blocks(page) if b.options.get("file", "").startswith(prefix)}


def python(script, cwd, *args):
    command = [sys.executable, "-W", "error::UserWarning", "-c", script, *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300)


MARK = "---- block {} ----"


def test_there_are_pages():
    assert {"README.md", "life-of-add.md", "life-of-backward.md", "generation.md", "operators.md", "errors.md",
            "differences.md"} <= {p.name for p in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_code_runs_and_prints_what_the_page_says(page, tmp_path):
    runs = [b for b in blocks(page) if b.language == "python" and "file" not in b.options
            and ("excerpt" not in b.options or page.name == "README.md")]
    if not runs:
        return
    script = "import sys\nspace = {'__name__': 'page'}\n"
    for i, b in enumerate(runs):
        source = "\n" * (b.line - 1) + b.code  # so that tracebacks have the page's lines
        script += f"print({MARK.format(i)!r})\nsys.stdout.flush()\n"
        script += f"exec(compile({source!r}, {str(page)!r}, 'exec'), space)\n"
    done = python(script, tmp_path)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    checker = doctest.OutputChecker()
    for i, b in enumerate(runs):
        if b.output is None:
            continue
        printed = done.stdout.partition(MARK.format(i) + "\n")[2].partition(MARK.format(i + 1))[0]
        if not checker.check_output(b.output, printed, doctest.ELLIPSIS):
            pytest.fail(f"{b.where} prints\n{printed}\ninstead of\n{b.output}")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_excerpts_stand_in_their_files(page):
    for b in blocks(page):
        if ":" in b.options.get("excerpt", ":"):
            continue
        lines = [x.rstrip() for x in (ROOT / b.options["excerpt"]).read_text("utf-8").splitlines()]
        at = 0
        contiguous = False
        for line in b.code.splitlines():
            if line.strip() == "...":
                contiguous = False
                continue
            assert line.rstrip() in lines[at:at + 1] if contiguous else line.rstrip() in lines[at:], (
                f"{b.where}: {b.options['excerpt']} has no such line (here): {line}")
            at = lines.index(line.rstrip(), at) + 1
            contiguous = True


def test_pages_show_the_code_as_it_is():
    """The excerpts; docs/operators.md is compared by `tools/docs.py --check` alone."""
    script = "import sys, docs\nsys.exit(any(docs.with_excerpts(p.read_text()) != p.read_text() for p in docs.pages()))"
    done = python(script, ROOT / "tools")
    assert done.returncode == 0, f"{done.stderr}run tools/docs.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = FENCE.sub("", page.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_operator_in_a_package_of_ones_own(tmp_path):
    for name, code in {**named(ROOT / "README.md", "squeeze/"), **named(ROOT / "README.md", "use.py")}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    for extra in ([], ["--check"]):
        done = subprocess.run([sys.executable, "-m", "lamella.dispatch.codegen", "squeeze/ops.yaml", *extra],
                              capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert {p.name for p in (tmp_path / "squeeze" / "_gen").iterdir()} >= {"ops.py", "ops.pyi", "ops.md"}
    done = subprocess.run([sys.executable, "-W", "error", "use.py"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


INSIDE = """
import importlib, pathlib, sys
root, tools = map(pathlib.Path, sys.argv[1:])
sys.path[:0] = [str(root), str(tools)]
from lamella.dispatch.codegen.derivatives import render_derivatives
from lamella.dispatch.codegen.render import render_family
from lamella.dispatch.codegen.writer import Writer

home = root / "lamella" / "inside"
writer = Writer(home / "_gen")
ops = render_family(home / "ops/pointwise.yaml", "lamella.inside", writer, root=root, command="gen")
render_derivatives(home / "derivatives/pointwise.yaml", ops, "lamella.inside", writer, root=root, command="gen",
                   ops_package="lamella.inside")

from lamella import torch
from lamella.core import testing
from lamella.core.extend import tensor_methods
from lamella.dispatch import DispatchKey, registry

registry.provide(DispatchKey.Autograd, {"lamella.inside.pointwise": "lamella.inside._gen.pointwise_autograd"})
generated = importlib.import_module("lamella.inside._gen.pointwise")
tensor_methods("inside", **generated.METHODS)
sys.modules["lamella.core"].softclip = generated.softclip  # where its sample row looks for it

(row,) = importlib.import_module("lamella.inside.samples.pointwise").SAMPLES
for check in (testing.check_meta, testing.check_inplace):
    assert check(row) == [], check(row)
calls = row.make()
assert len(calls) == 2
for args, kwargs in calls:
    fn = lambda *a: generated.softclip(*a, **kwargs)
    assert torch.autograd.gradcheck(fn, args) and torch.autograd.gradgradcheck(fn, args)
y = generated.softclip(torch.tensor([9.0, 0.0], requires_grad=True), limit=2.0)
assert y.grad_fn.name() == "SoftclipBackward0", y.grad_fn
assert torch.tensor([9.0]).softclip_(2.0).item() < 2.0
"""


def test_operator_inside_the_repository(tmp_path):
    """The four entries of README, generated into a package of the namespace that lies in a temporary folder."""
    home = tmp_path / "lamella" / "inside"
    parts = {name.removeprefix("inside/"): code for name, code in named(ROOT / "README.md", "inside/").items()}
    assert sorted(parts) == ["derivatives/pointwise.yaml", "kernels/pointwise.py", "ops/pointwise.yaml",
                             "samples/pointwise.py"]
    for name, code in {**parts, "meta/pointwise.py": "", "composite/pointwise.py": ""}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.startswith("samples/"):
            code = f"from lamella.core.samples import S\n\nSAMPLES = [\n{code}]\n"
        path.write_text(code)
    done = python(INSIDE, tmp_path, str(tmp_path), str(ROOT / "tools"))
    assert done.returncode == 0, done.stdout + done.stderr
