"""The generator for other packages' operators: YAML with positions, the writer, the command."""

import importlib.util
import subprocess
import sys

import pytest

pytest.importorskip("yaml")
pytest.importorskip("jinja2")

from lamella.dispatch import explain, ops, registry
from lamella.dispatch.codegen.__main__ import main
from lamella.dispatch.codegen.writer import StaleError, Writer, digest, environment, header, write_if_changed
from lamella.dispatch.codegen.yaml_loader import Map, Seq, YamlError, load, loads, unique
from lamella.dispatch.errors import LamellaError
from lamella.dispatch.keys import DispatchKey, bit, keyset
from lamella.dispatch.state import state

META = bit(DispatchKey.Meta)

# -- YAML ------------------------------------------------------------------------------------------------------------


def test_values_are_those_of_json_not_of_yaml_1_1():
    found = loads("a: [on, no, y, true, null, 1, -2, 0x1F, 1e-3, .inf, '1', 2024-01-01, 012, 1_000, ~]\nb:\n")
    assert found == {
        "a": ["on", "no", "y", True, None, 1, -2, 31, 1e-3, float("inf"), "1", "2024-01-01", "012", 1000, None],
        "b": None,
    }
    assert loads("") == [] and isinstance(loads(""), Seq)


def test_places():
    found = loads("- a: 1\n\n  b:\n  - x\n  - y\n- c: 2\n", "ops.yaml")
    assert isinstance(found[0], Map) and (found[0].where, found[1].where) == ("ops.yaml:1", "ops.yaml:6")
    assert found[0].line_of("b") == 3 and found[0].line_of("absent") == 1
    assert found[0]["b"].lines == [4, 5] and found.lines == [1, 6]


def test_anchors_and_blocks():
    assert loads("a: &x [1]\nb: *x\nc: |\n  one\n  two\n") == {"a": [1], "b": [1], "c": "one\ntwo\n"}


YAML_FAULTS = {
    "a: 1\nb: 2\na: 3": "f.yaml:3: key 'a' is given twice (first in line 1)",
    "a: b: c": "f.yaml:1: not YAML (mapping values are not allowed in this context)\n"
    "  a: b: c\n      ^\nhint: quote the value",
    "a: !!python/object x": "f.yaml:1: tags are not allowed (!!python/object)",
    "a: !mine x": "f.yaml:1: tags are not allowed (!mine)",
    "? [a]\n: b": "f.yaml:1: a key must be a string",
    "a: &x [*x]": "f.yaml:1: an anchor contains itself",
    "a: " + "[" * 60 + "]" * 60: "f.yaml:1: is nested more than 50 deep",
}


@pytest.mark.parametrize("source", YAML_FAULTS)
def test_faults_of_yaml(source, text):
    assert text(YamlError, loads, source, "f.yaml") == YAML_FAULTS[source]


def test_other_faults_of_yaml(text, tmp_path):
    assert text(YamlError, loads, "a: [1\nb", "f.yaml").startswith("f.yaml:")
    assert text(YamlError, loads, "a: \x00", "f.yaml").startswith("f.yaml: not YAML (unacceptable character")
    assert text(YamlError, load, tmp_path / "none.yaml", name="none.yaml").startswith(
        "none.yaml: cannot be read (No such"
    )
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: \xff\n")
    assert text(YamlError, load, tmp_path / "latin.yaml", name="l.yaml") == "l.yaml:2: is not UTF-8"


ROW = "- func: f(Tensor x) -> Tensor\n  derivs: 1\n  kind: elementwse\n  doc: [1]\n  flag: true\n"


def test_faults_of_rows(text):
    row = loads(ROW, "ops.yaml")[0]
    assert text(YamlError, row.check_keys, ["func", "kind", "doc", "flag", "derivatives"]) == (
        "ops.yaml:2: unknown key 'derivs'\nhint: did you mean 'derivatives'?"
    )
    assert text(YamlError, row.check_keys, ["func", "kind", "doc", "flag", "derivs"], ["name"]) == (
        "ops.yaml:1: key 'name' is missing\nhint: keys here: func, derivs, kind, doc, flag"
    )
    assert text(YamlError, row.choice, "kind", ["elementwise", "kernel"]) == (
        "ops.yaml:3: 'elementwse' is no value of 'kind'\nhint: did you mean 'elementwise'?"
    )
    assert text(YamlError, row.take, "doc", str) == "ops.yaml:4: 'doc' must be a string, not a list ([1])"
    assert text(YamlError, row.take, "flag", int) == "ops.yaml:5: 'flag' must be an integer, not true or false (True)"
    assert text(YamlError, row.schema, "absent").startswith("ops.yaml:1: key 'absent' is missing")
    assert row.take("absent", str, "default") == "default" and row.choice("absent", ["a"]) is None
    assert str(row.schema("func")) == "f(Tensor x) -> Tensor"


def test_faults_of_schemas_have_file_line_and_caret(text):
    row = loads("- a: 1\n  func: f(Tensro x) -> Tensor\n", "ops.yaml")[0]
    assert text(YamlError, row.schema, "func") == (
        "ops.yaml:2: unknown type 'Tensro' (column 3)\n  f(Tensro x) -> Tensor\n    ^\nhint: did you mean 'Tensor'?"
    )


def test_rows_that_are_no_mappings(text):
    assert text(YamlError, lambda: list(loads("- a: 1\n- b\n", "f.yaml").maps("operator"))) == (
        "f.yaml:2: each operator must be a mapping, not a string ('b')\nhint: write `- key: value`"
    )


def test_unique(text):
    rows = loads("- a: 1\n- a: 2\n", "f.yaml")
    assert list(unique([("x", rows[0]), ("y", rows[1])])) == ["x", "y"]
    assert text(YamlError, unique, [("x", rows[0]), ("x", rows[1])]) == (
        "f.yaml:2: name 'x' is declared twice\nhint: first declared at f.yaml:1"
    )


# -- writer ----------------------------------------------------------------------------------------------------------


def test_write_if_changed(tmp_path):
    path = tmp_path / "deep" / "a.py"
    assert write_if_changed(path, "x\n")
    stamp = path.stat().st_mtime_ns
    assert not write_if_changed(path, "x\n") and path.stat().st_mtime_ns == stamp
    assert write_if_changed(path, "y\n") and path.read_text() == "y\n"
    assert [p.name for p in path.parent.iterdir()] == ["a.py"]


def test_header(tmp_path):
    source = tmp_path / "ops.yaml"
    source.write_bytes(b"a: 1\r\n")
    windows = header([source], "make it")
    source.write_bytes(b"a: 1\n")
    assert header([source], "make it") == windows
    lines = windows.split("\n")
    assert lines[0] == f"# Generated from ops.yaml (sha256 {digest('a: 1' + chr(10))}). Do not edit:"
    assert lines[1] == "# change the source and run `make it`."
    assert header([source], "x", root=tmp_path.parent).startswith(f"# Generated from {tmp_path.name}/ops.yaml ")
    assert header([source], "x", comment="//").startswith("// Generated")


def test_check_mode(tmp_path, text):
    writer = Writer(tmp_path)
    assert writer.write("a.py", "1\n") and writer.write("b.py", "2\n")
    writer.finish("cmd")
    again = Writer(tmp_path, check=True)
    assert not again.write("a.py", "1\n") and again.write("b.py", "3\n") and again.write("c.py", "4\n")
    assert (tmp_path / "b.py").read_text() == "2\n" and not (tmp_path / "c.py").exists()
    found = text(StaleError, again.finish, "cmd")
    assert found == (
        f"codegen: 2 generated files are out of date\n  {tmp_path / 'b.py'}\n  {tmp_path / 'c.py'}\nhint: run `cmd`"
    )
    assert text(LamellaError, again.write, "a.py", "x") == (
        f"codegen: a file is written twice in one run ({tmp_path / 'a.py'})"
    )


def test_orphans(tmp_path):
    for name in ("old.py", "__init__.py", "keep.txt"):
        (tmp_path / name).write_text("")
    checking = Writer(tmp_path, check=True)
    assert [p.name for p in checking.remove_orphans()] == ["old.py"] and (tmp_path / "old.py").exists()
    with pytest.raises(StaleError, match="1 generated file is out of date"):
        checking.finish("cmd")
    assert [p.name for p in Writer(tmp_path).remove_orphans()] == ["old.py"] and not (tmp_path / "old.py").exists()


def test_templates_refuse_undefined_names():
    import jinja2

    env = environment({"t": "{% if a %}\n{{ a | repr }}\n{% endif %}\n"})
    assert env.get_template("t").render(a="x") == "'x'\n"
    with pytest.raises(jinja2.UndefinedError):
        env.get_template("t").render()


# -- the command -----------------------------------------------------------------------------------------------------

OPS = """\
namespace: tnsgen
operators:
- func: area(Tensor xy, *, float scale=1.0) -> Tensor
  doc: |
    The area of each polygon.

    Says "so".
  kernels:
    CPU: tnsgen_kernels:area
  fake: tnsgen_kernels:area_fake
  tags: [pointwise]
- func: join.list(Tensor[] xs, int[2] pad=0, str mode="a", Tensor? lambda=None) -> (Tensor, Tensor)
  kernels: {CompositeImplicitAutograd: "tnsgen_kernels:join"}
- func: pair(Tensor a, Tensor? b=None, *, Tensor(c!)? class=None) -> Tensor
  kernels: {CPU: "tnsgen_kernels:pair"}
  differentiable: false
- func: version() -> int
  kernels: {CPU: "tnsgen_kernels:version"}
- func: smooth(Tensor x) -> Tensor
  kernels: {CPU: "tnsgen_kernels:smooth"}
  backward: tnsgen_kernels:smooth_backward
  setup_context: tnsgen_kernels:smooth_setup
- func: broken(Tensor x) -> Tensor
  kernels: {CPU: "tnsgen_kernels:nothing"}
- func: nowhere(Tensor x) -> Tensor
  kernels: {CPU: "tnsgen_absent.deep:f"}
- func: misfit(Tensor x) -> Tensor
  kernels: {CPU: "tnsgen_kernels:area"}
"""
KERNELS = """\
def area(xy, scale): return "area", xy.size, scale
def area_fake(xy, *, scale): return "fake", scale
def join(xs, pad, mode, **rest): return len(xs), pad, mode, rest
def pair(a, b, **rest): return a.size, b, rest
def version(): return 3
def smooth(x): return x
def smooth_backward(ctx, g): return g
def smooth_setup(ctx, inputs, output): pass
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "ops.yaml").write_text(OPS)
    (tmp_path / "tnsgen_kernels.py").write_text(KERNELS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [n for n in registry._ops if n.startswith("tnsgen::")]:
        registry.undefine(registry._ops[name])
    sys.modules.pop("tnsgen_kernels", None)


def run_main(capsys, *arguments):
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture
def generated(project, capsys):
    assert run_main(capsys, "ops.yaml")[0] == 0
    spec = importlib.util.spec_from_file_location("tnsgen_ops", project / "_gen" / "ops.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_and_check(project, capsys):
    names = ["ops.py", "ops.pyi", "ops.md"]
    assert run_main(capsys, "ops.yaml") == (0, "".join(f"wrote _gen/{n}\n" for n in names), "")
    assert run_main(capsys, "ops.yaml") == (0, "", "")
    assert run_main(capsys, "ops.yaml", "--check") == (0, "", "")
    for name in names:
        head = (project / "_gen" / name).read_text().split("\n")
        assert "Generated from ops.yaml (sha256 " in head[0] and "Do not edit" in head[0]
        assert str(project) not in "\n".join(head)
    (project / "ops.yaml").write_text(OPS.replace("scale=1.0", "scale=2.0"))
    status, out, err = run_main(capsys, "ops.yaml", "--check")
    assert (status, out) == (1, "") and err == (
        "codegen: 3 generated files are out of date\n  _gen/ops.py\n  _gen/ops.pyi\n  _gen/ops.md\n"
        "hint: run `python -m lamella.dispatch.codegen ops.yaml`\n"
    )
    assert run_main(capsys, "ops.yaml", "--out", "other")[1].startswith("wrote other/ops.py")


def test_generated_functions(generated, arrays):
    x = arrays([1, 2])
    assert generated.area(x) == ("area", 2, 1.0) and generated.area(xy=x, scale=3.0) == ("area", 2, 3.0)
    assert generated.area(arrays(None, META, size=1), scale=4.0) == ("fake", 4.0)
    assert generated.join_list([x, x], 3) == (2, [3, 3], "a", {"lambda": None})
    assert generated.pair(x) == (2, None, {"class": None}) and generated.pair(x, x, class_=x)[2] == {"class": x}
    assert generated.version() == 3
    assert generated.area.__doc__.startswith("The area of each polygon.") and 'Says "so".' in generated.area.__doc__
    assert ops.tnsgen.area(x) == ("area", 2, 1.0)
    assert generated.__all__[:2] == ["area", "join_list"]


def test_generated_functions_heed_masks(generated, arrays):
    x = arrays([1, 2], bit(DispatchKey.CPU) | META)
    with state.masks(exclude=META):
        assert generated.pair(x)[0] == 2  # without the mask the call would go to Meta, which has no kernel


def test_generated_functions_name_wrong_arguments(generated, arrays, text):
    assert text(TypeError, generated.area, 3).startswith(
        "tnsgen::area: argument 'xy' must be Tensor, not int (position 1)"
    )
    assert text(TypeError, generated.area, arrays([1]), scale="a").startswith(
        "tnsgen::area: argument 'scale' must be float"
    )
    assert text(TypeError, generated.pair, 3).startswith(
        "tnsgen::pair: argument 'a' must be Tensor, not int (position 1)"
    )


def test_kernels_are_imported_when_first_called(generated, arrays, capsys):
    assert "tnsgen_kernels" not in sys.modules
    explain("tnsgen::area", "CPU")
    assert "runs  tnsgen_kernels:area (ops.yaml:3)" in capsys.readouterr().out
    assert "tnsgen_kernels" not in sys.modules
    generated.version()
    assert "tnsgen_kernels" in sys.modules


def test_generated_gradients(generated, arrays, monkeypatch):
    from lamella.dispatch import custom

    formula = custom.formula_of(ops.tnsgen.smooth.default)
    assert formula.backward(None, 5) == 5 and formula.setup_context(None, (), 1) is None
    monkeypatch.setattr(
        registry, "gradient_layer", lambda op, ks, lower, f: lambda x: ("graph", f is formula, lower(x).size)
    )
    registry.forget()
    assert generated.smooth(arrays([1], keyset("CPU", "AutogradCPU"))) == ("graph", True, 1)


def test_kernels_that_are_not_there(generated, arrays, text):
    x = arrays([1])
    assert text(LamellaError, generated.broken, x).startswith(
        "tnsgen_kernels:nothing: the kernel's module has no 'nothing'\nhint: "
    )
    assert text(LamellaError, generated.nowhere, x) == (
        "tnsgen_absent.deep:f: the kernel's module cannot be imported (No module named 'tnsgen_absent')"
    )
    assert "the kernel wants an argument" in text_of(generated.misfit, x)


def text_of(function, *args):
    with pytest.raises(RuntimeError) as caught:
        function(*args)
    return str(caught.value)


def test_stub_and_table(generated, project):
    stub = (project / "_gen" / "ops.pyi").read_text()
    compile(stub, "ops.pyi", "exec")
    assert "def area(xy: Tensor, *, scale: float = ...) -> Tensor: ..." in stub
    assert (
        "def join_list(xs: Sequence[Tensor], pad: int | Sequence[int] = ..., mode: str = ..., "
        "lambda_: Tensor | None = ...) -> tuple[Tensor, Tensor]: ..." in stub
    )
    table = (project / "_gen" / "ops.md").read_text()
    assert "| `area(Tensor xy, *, float scale=1.0) -> Tensor` | CPU, Meta | ops.yaml:3 |" in table
    assert "| `smooth(Tensor x) -> Tensor` | CPU, Autograd | " in table


TOP = "namespace: tnsgen\noperators:\n"
FILE_FAULTS = {
    "[1]": "ops.yaml:1: must be a mapping at the top\nhint: the file starts with `namespace:` and `operators:`",
    "operators: []": "ops.yaml:1: key 'namespace' is missing\nhint: keys here: operators",
    "namespace: a b\noperators: []": "ops.yaml:1: the namespace must be an identifier, not 'a b'",
    "namespace: aten\noperators: []": "ops.yaml:1: the namespace 'aten' is lamella's own\n"
    "hint: choose the name of your package",
    "namespace: a\noperator: []": "ops.yaml:2: unknown key 'operator'\nhint: did you mean 'operators'?",
    TOP + "- fun: f() -> ()": "ops.yaml:3: unknown key 'fun'\nhint: did you mean 'func'?",
    TOP + "- doc: x": "ops.yaml:3: key 'func' is missing\nhint: keys here: doc",
    TOP + "- func: f() -> ()\n- func: f() -> ()": "ops.yaml:4: operator 'f' is declared twice\n"
    "hint: first declared at ops.yaml:3",
    TOP + "- func: f.g() -> ()\n- func: f_g() -> ()": "ops.yaml:4: 'f_g' and 'f.g' would both be the function 'f_g'\n"
    "hint: the other one is declared at ops.yaml:3",
    TOP + "- func: ns::f() -> ()": "ops.yaml:3: the schema names a namespace, 'ns'\nhint: it is 'tnsgen' for the file",
    TOP + "- func: f() -> ()\n  kernels:\n    CPu: a:b": "ops.yaml:5: unknown dispatch key 'CPu'\n"
    "hint: did you mean 'CPU'?",
    TOP + "- func: f() -> ()\n  kernels:\n    CPU: a.b": "ops.yaml:5: 'CPU' must read module:function, not 'a.b'\n"
    "hint: for example mypackage.kernels:area",
    TOP + "- func: f() -> ()\n  kernels:\n    CPU:": "ops.yaml:5: 'CPU' must be a string, not nothing (None)",
    TOP + "- func: f() -> ()\n  kernels: {Meta: a:b}\n  fake: a:c": "ops.yaml:4: a second kernel for Meta",
    TOP + "- func: f() -> ()\n  kernels: a:b": "ops.yaml:4: 'kernels' must be a mapping, not a string ('a:b')",
    TOP + "- func: f() -> ()\n  setup_context: a:b": "ops.yaml:4: setup_context without backward\n"
    "hint: name the function that computes gradients",
    TOP
    + "- func: f(Tensor(a!) x) -> ()\n  backward: a:b": "ops.yaml:4: a gradient needs an operator that writes nothing"
    " and returns no views",
    TOP
    + "- func: f() -> ()\n  backward: a:b\n  differentiable: false": "ops.yaml:4: backward, but differentiable: false",
    TOP + "- func: f() -> ()\n  tags: [1]": "ops.yaml:4: a tag must be a string, not 1",
    TOP + "- func: f(Tensor x, Tensor x) -> ()": "ops.yaml:3: two arguments are called 'x' (column 13)\n"
    "  f(Tensor x, Tensor x) -> ()\n              ^",
}


@pytest.mark.parametrize("source", FILE_FAULTS)
def test_faults_of_files(source, project, capsys):
    (project / "ops.yaml").write_text(source)
    assert run_main(capsys, "ops.yaml") == (1, "", FILE_FAULTS[source] + "\n")
    assert not (project / "_gen").exists()


def test_a_file_that_does_not_exist(project, capsys):
    assert run_main(capsys, "none.yaml") == (1, "", "none.yaml: cannot be read (No such file or directory)\n")


def test_as_a_command(project):
    done = subprocess.run(
        [sys.executable, "-m", "lamella.dispatch.codegen", "ops.yaml"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("wrote _gen/ops.py")
    done = subprocess.run(
        [sys.executable, "-m", "lamella.dispatch.codegen", "--help"], capture_output=True, text=True, timeout=60
    )
    assert "namespace: geo" in done.stdout and "--check" in done.stdout


def test_without_jinja2(project, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    status, out, err = run_main(capsys, "ops.yaml")
    assert (status, out) == (2, "")
    assert err == "codegen: jinja2 is missing\nhint: pip install 'lamella-dispatch[codegen]'\n"
