"""Settings and named logs."""

import logging
import os
import subprocess
import sys

import pytest

from lamella.dispatch import logs, ops
from lamella.dispatch.config import Settings
from lamella.dispatch.errors import LamellaError


@pytest.fixture
def make():
    def settings(**environment):
        found = Settings(environment)
        found.declare("fuse", bool, True, "Fuse loops.", enters_compile_key=True)
        found.declare("threads", int, 4, "Threads.", minimum=1)
        found.declare("limit", float, 0.5, "A limit.")
        found.declare("backend", str, "cpp", "A backend.", choices=("cpp", "cuda"), enters_compile_key=True)
        return found

    return settings


def test_defaults_and_environment(make):
    s = make()
    assert (s.fuse, s.threads, s.limit, s.backend) == (True, 4, 0.5, "cpp")
    s = make(LAMELLA_FUSE="off", LAMELLA_THREADS="2", LAMELLA_LIMIT="1e3", LAMELLA_BACKEND="cuda")
    assert (s.fuse, s.threads, s.limit, s.backend) == (False, 2, 1000.0, "cuda")


@pytest.mark.parametrize("word", ["1", "true", "on", "YES"])
def test_words_for_true(make, word):
    assert make(LAMELLA_FUSE=word).fuse is True


@pytest.mark.parametrize("word", ["0", "false", "Off", "no", ""])
def test_words_for_false(make, word):
    assert make(LAMELLA_FUSE=word).fuse is False


def test_set_and_using(make):
    s = make()
    s.set_(fuse=False, limit=2)
    assert s.fuse is False and s.limit == 2.0 and type(s.limit) is float
    s.threads = 8
    assert s.threads == 8
    with s.using(threads=1, backend="cuda") as inside:
        assert inside is s and (s.threads, s.backend) == (1, "cuda")
        with s.using(threads=2):
            assert s.threads == 2
        assert s.threads == 1
    assert (s.threads, s.backend) == (8, "cpp")
    with pytest.raises(ZeroDivisionError), s.using(threads=1):
        1 / 0  # noqa: B018
    assert s.threads == 8


WRONG = [
    ("fuse", "maybe", "valid: 1, true, on, yes, 0, false, off, no"),
    ("fuse", 3, "valid: 1, true, on, yes, 0, false, off, no"),
    ("threads", "x", "valid: an integer, at least 1"),
    ("threads", 0, "valid: an integer, at least 1"),
    ("threads", True, "valid: an integer, at least 1"),
    ("threads", 1.5, "valid: an integer, at least 1"),
    ("limit", "x", "valid: a number"),
    ("backend", "cpq", "valid: cpp, cuda; did you mean 'cpp'?"),
    ("backend", "zzz", "valid: cpp, cuda"),
]


@pytest.mark.parametrize(("name", "value", "hint"), WRONG)
def test_wrong_values(make, text, name, value, hint):
    s = make()
    found = text(ValueError, s.set_, **{name: value})
    assert found == f"settings: {value!r} is no value of the setting {name!r}\nhint: {hint}"
    with pytest.raises(ValueError), s.using(**{name: value}):
        pass
    assert s.describe() == make().describe()


def test_wrong_values_in_the_environment_name_the_variable(text):
    s = Settings({"LAMELLA_THREADS": "many"})
    assert text(ValueError, s.declare, "threads", int, 4, "Threads.") == (
        "LAMELLA_THREADS: 'many' is no value of the setting 'threads'\nhint: valid: an integer"
    )


def test_nothing_changes_where_one_value_is_wrong(make):
    s = make()
    with pytest.raises(ValueError):
        s.set_(fuse=False, threads=0)
    assert s.fuse is True


def test_unknown_names(make, text):
    s = make()
    words = "settings: there is no setting 'thread'\nhint: did you mean 'threads'?"
    assert text(AttributeError, getattr, s, "thread") == words
    assert text(AttributeError, s.set_, thread=1) == words
    assert text(AttributeError, lambda: s.using(thread=1).__enter__()) == words
    assert text(AttributeError, setattr, s, "thread", 1) == words


def test_declaring(make, text):
    s = make()
    s.declare("fuse", bool, True, "Again, the same facts.")
    assert text(LamellaError, s.declare, "fuse", bool, False, "") == (
        "settings: 'fuse' is declared twice with different facts"
    )
    assert text(LamellaError, s.declare, "Fuse", bool, False, "").startswith(
        "settings: a setting's name is a lower-case"
    )
    assert text(LamellaError, s.declare, "using", bool, False, "").startswith(
        "settings: a setting's name is a lower-case"
    )
    assert text(LamellaError, s.declare, "x", list, [], "").startswith(
        "settings: a setting is a bool, int, float or str"
    )
    assert text(ValueError, s.declare, "x", int, "a", "").startswith("settings: 'a' is no value of the setting 'x'")


def test_compile_key(make):
    s = make()
    assert s.compile_key() == (("backend", "cpp"), ("fuse", True))
    with s.using(threads=9):
        assert s.compile_key() == (("backend", "cpp"), ("fuse", True))
    with s.using(fuse=False):
        assert s.compile_key() == (("backend", "cpp"), ("fuse", False))


def test_describe_and_unknown_variables(make):
    s = make(LAMELLA_FUSE="0", LAMELLA_FUZE="1", LAMELLA_LOGS="", PATH="x")
    s.threads = 2
    lines = s.describe().split("\n")
    assert lines[0] == "backend = 'cpp' (default; LAMELLA_BACKEND, enters the compile key)"
    assert lines[1] == "    A backend. Valid: cpp, cuda."
    assert lines[2] == "fuse = False (environment; LAMELLA_FUSE, enters the compile key)"
    assert "threads = 2 (set; LAMELLA_THREADS)" in lines
    assert s.unknown_variables() == ["LAMELLA_FUZE"]
    assert "threads" in dir(s)


# -- logs ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def lines(monkeypatch):
    """What the logs write, by a handler of the test's own."""
    root = logging.getLogger("lamella")
    got = []

    class Handler(logging.Handler):
        def emit(self, record):
            got.append(f"{record.name}: {record.getMessage()}")

    handler = Handler()
    before = root.handlers, root.propagate
    root.handlers, root.propagate = [handler], False
    yield got
    logs.set_logs("")
    root.handlers, root.propagate = before


def test_off_writes_nothing(lines):
    logs.get("autograd")("never %s", 1)
    assert lines == [] and not logs.get("autograd").on


def test_on(lines):
    logs.set_logs(autograd=True)
    logs.get("autograd")("node %s", "AddBackward0")
    assert lines == ["lamella.autograd: node AddBackward0"]
    assert repr(logs.get("autograd")) == "<Log autograd: on>"


def test_lists_and_blocks(lines):
    logs.set_logs("fusion, code")
    assert logs.get("fusion").on and logs.get("code").on
    with logs.using("guards"):
        assert logs.get("guards").on and not logs.get("code").on
    assert logs.get("code").on and not logs.get("guards").on
    logs.set_logs("")
    assert not any(log.on for log in logs._logs.values())
    with logs.using("all"):
        assert all(log.on for log in logs._logs.values())


def test_unknown_logs(text):
    valid = ", ".join(sorted(logs.NAMES))
    assert text(ValueError, logs.get, "dispach") == (
        f"logs: there is no log 'dispach'\nhint: did you mean 'dispatch'? valid: {valid}, all"
    )
    assert text(ValueError, logs.set_logs, "fusion,zzz") == (
        f"set_logs: there is no log 'zzz'\nhint: valid: {valid}, all"
    )
    assert text(ValueError, logs.set_logs, zzz=True).startswith("set_logs: there is no log 'zzz'")
    assert not logs.get("fusion").on


def test_added_logs(lines, text):
    assert text(ValueError, logs.declare, "mine", "help") == (
        "logs: the name of an added log has a dot, 'mine' has none\nhint: mylib.mine"
    )
    logs.set_logs("my.early")
    log = logs.declare("my.early", "declared after it was asked for")
    try:
        assert log.on
        log("hello")
        assert lines == ["lamella.my.early: hello"]
    finally:
        del logs._logs["my.early"]


def test_watch(lines):
    seen = []
    logs.watch("cache", seen.append)
    logs.set_logs(cache=True)
    logs.set_logs(cache=True)
    logs.set_logs(cache=False)
    assert seen == [True, False]


def test_describe():
    assert logs.describe().split("\n")[0].startswith("dispatch      off  every kernel that is resolved")


def test_the_dispatch_log(library, arrays, lines):
    lib = library()
    lib.define("f(Tensor x) -> int")
    lib.impl("f", lambda x: 1, "CPU")
    logs.set_logs(dispatch=True)
    x = arrays([1])
    ops.tns.f(x)
    ops.tns.f(x)  # resolved once
    assert len(lines) == 1
    assert (
        lines[0].startswith("lamella.dispatch: tns::f {CPU} -> CPU direct ")
        and "test_dispatch_settings.py:" in lines[0]
    )
    with pytest.raises(NotImplementedError):
        ops.tns.f(arrays([1], 2))
    assert lines[1] == "lamella.dispatch: tns::f {CUDA} -> no kernel"
    logs.set_logs(dispatch=False)
    lib.impl("f", lambda x: 1, "Meta")
    ops.tns.f(x)
    assert len(lines) == 2


def test_the_registration_log(library, lines):
    logs.set_logs(registration=True)
    lib = library()
    lib.define("r(Tensor x) -> int")
    lib.impl("r", lambda x: 1, "CPU")
    assert lines[0].startswith("lamella.registration: tns::r(Tensor x) -> int defined at ")
    assert lines[1].startswith("lamella.registration: tns::r CPU <- ")


def run(code, **environment):
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)


def test_the_environment_variable():
    code = (
        "from lamella.dispatch import Library, ops\n"
        "lib = Library('envlog', 'DEF'); lib.define('f(int x) -> int'); "
        "lib.impl('f', lambda x: x, 'CPU'); ops.envlog.f(1)"
    )
    done = run(code, LAMELLA_LOGS="dispatch")
    assert done.returncode == 0 and done.stderr.startswith(
        "[lamella.dispatch] envlog::f {CPU} -> CPU direct <string>:2"
    )
    done = run("import lamella.dispatch.registry", LAMELLA_LOGS="dispach")
    assert done.returncode == 1 and "ValueError: LAMELLA_LOGS: there is no log 'dispach'" in done.stderr
    assert run(code, LAMELLA_LOGS="").stderr == ""


def test_importing_what_core_needs_is_cheap():
    code = (
        "import sys; before = set(sys.modules)\n"
        "import lamella.dispatch.keys, lamella.dispatch.state, lamella.dispatch.registry\n"
        "new = {m for m in set(sys.modules) - before if not m.startswith('lamella')}\n"
        "print(sorted(new & {'logging', 'inspect', 'dataclasses', 'difflib', 'yaml', 'jinja2', 'numpy', 'ast'}))"
    )
    assert run(code).stdout.strip() == "[]"
