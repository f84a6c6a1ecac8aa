"""From a graph to a program: the cache of whole programs, errors, logs, the dump folder."""

from __future__ import annotations

import functools
import os
import subprocess
import sys

import numpy as np
import pytest

from lamella import torch
from lamella.compile import dump, pipeline
from lamella.compile.build import cache, compilers, programs
from lamella.compile.errors import CompileError, CompilerMissing
from lamella.compile.graph import passes
from lamella.compile.graph.interpret import execute
from lamella.compile.graph.node import Graph
from lamella.compile.graph.record import record, spec_of
from lamella.dispatch import logs, registry
from lamella.dispatch.config import settings


@pytest.fixture(autouse=True)
def folder(tmp_path):
    try:
        compilers.find()
    except CompilerMissing as missing:
        pytest.skip(str(missing))
    with settings.using(cache_dir=str(tmp_path / "cache")):
        yield tmp_path


def softmax(x):
    return [torch.softmax(x, -1)]


def step(w, x):
    w.mul_(0.5)
    w.add_(x)
    return [torch.softmax(w, -1), w.t()]


X, Y = torch.randn(6, 10), torch.randn(6, 10)


def check(program, graph, *tensors):
    given, expected = [t.clone() for t in tensors], [t.clone() for t in tensors]
    results = program([t._a for t in given])
    for a, b in [*zip(results, execute(graph, expected), strict=True), *zip(given, expected, strict=True)]:
        np.testing.assert_allclose(getattr(a, "_a", a), b._a, rtol=1e-5, atol=1e-6)


def test_the_second_time_comes_from_the_cache():
    graph = record(step, [X, Y])
    first, second = pipeline.cpp(graph), pipeline.cpp(record(step, [X, Y]))
    assert not first.cached and second.cached
    assert "lower" in first.timing and "lower" not in second.timing
    assert first.source == second.source and first.kernels == second.kernels and first.kernels
    check(first, graph, X, Y)
    check(second, graph, X, Y)


def test_views_are_left_to_the_caller_who_asks_for_them():
    def halves(x):
        y = x * 2
        return [y, y.t(), x[1:]]

    made = pipeline.cpp(record(halves, [X]), {1, 2})([X._a])
    assert made[0].shape == (6, 10) and made[1] is None and made[2] is None
    entry = torch.compile(halves)
    y, turned, part = entry(X)
    assert turned.data_ptr() == y.data_ptr() and torch.equal(turned, y.t()) and part._base is X
    [only] = entry.compiled.entries
    outs = only.program([X._a])
    assert [each is None for each in outs] == [False, True, True]


@pytest.mark.parametrize("make", [lambda c: c[:, ::2], lambda c: c[:, :1].expand(6, 4), lambda c: c[1:5, 2:8].t()],
                         ids=["steps", "expanded", "transposed"])
def test_constants_of_any_layout_are_kept(make):
    fixed = make(torch.arange(48.).reshape(6, 8))
    graph = record(lambda x: [x + fixed, torch.cummax(fixed, 0)[0] * x], [torch.ones(6, 4)])
    first, second = pipeline.cpp(graph), pipeline.cpp(graph)
    assert second.cached
    check(first, graph, torch.ones(6, 4))
    check(second, graph, torch.ones(6, 4))


def test_another_process_finds_the_program(folder):
    code = """
from lamella import torch
from lamella.compile import pipeline
from lamella.compile.graph.record import record
program = pipeline.cpp(record(lambda x: [torch.softmax(x, -1)], [torch.ones(6, 10)]))
print(program.cached, program.library.hit, float(program([torch.ones(6, 10)._a])[0][0, 0]))
"""
    there = {**os.environ, "LAMELLA_CACHE_DIR": str(folder / "cache")}
    run = functools.partial(subprocess.run, capture_output=True, text=True, check=True, env=there)
    found = [run([sys.executable, "-c", code]).stdout.split() for _ in range(2)]
    assert found[0][:2] == ["False", "False"] and found[1][:2] == ["True", "True"]
    assert abs(float(found[1][2]) - 0.1) < 1e-6


def test_names_of_files_may_have_any_letters(folder):
    code = """
from lamella import torch
from lamella.compile import pipeline
from lamella.compile.graph.record import record
text = "def pick(x, i): return [torch.softmax(x.index_select(0, i), -1)]"
space = {"torch": torch, "__name__": "user"}
exec(compile(text, "mod\\u00e8le.py", "exec"), space)
X, I = torch.ones(6, 10), torch.tensor([1])
program = pipeline.cpp(record(space["pick"], [X, I], where=True))
print(program([X._a, I._a])[0].shape, ascii(program.source).count("mod\\\\xe8le.py") > 0)
"""
    there = {**os.environ, "LAMELLA_CACHE_DIR": str(folder / "cache"), "LAMELLA_COMPILE_DUMP": str(folder / "dump"),
             "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=there)
    assert done.stdout == "(1, 10) True\n", done.stderr[-800:]
    assert {"plan.txt", "program.cpp"} <= {p.name for p in (folder / "dump" / "program_0").iterdir()}


def test_keys_tell_graphs_apart():
    def key(fn, *tensors):
        return programs.key(passes.prepare(record(fn, list(tensors))))

    y = torch.ones(6, 10)
    constant = torch.arange(3.0)
    keys = [key(lambda x: [x + 1], X), key(lambda x: [x + 2], X), key(lambda x: [x + 1.0], X),
            key(lambda x: [x + 1], X.double()), key(lambda x: [x + 1], torch.ones(10, 6).t()),
            key(lambda x: [x + 1, x], X), key(lambda x, y: [x + 1], X, y), key(lambda x, y: [y + 1], X, y),
            key(lambda x: [x.add_(1)], X), key(lambda x: [torch.cat([x, x])], X),
            key(lambda x: [x + constant], torch.ones(3)), key(lambda x: [x + (constant * 2)], torch.ones(3))]
    assert None not in keys and len(set(keys)) == len(keys)
    assert key(lambda x: [x + 1], X) == keys[0]
    with settings.using(cxx_flags="-DX"):
        assert key(lambda x: [x + 1], X) != keys[0]


def test_a_function_that_moved_names_its_new_line():
    text = "def pick(table, index):\n    return [torch.index_select(table, 0, index)]\n"
    index = torch.tensor([1, 9])
    for lines in (0, 5):
        space = {"torch": torch, "__name__": "user"}
        exec(compile("\n" * lines + text, "user.py", "exec"), space)  # noqa: S102
        program = pipeline.cpp(record(space["pick"], [X, torch.tensor([1, 2])], where=True))
        assert not program.cached and any(f"user.py:{lines + 2}" in line for line in program.kernels)
        with pytest.raises(IndexError, match=rf"user\.py:{lines + 2}"):
            program([X._a, index._a])


def test_which_number_is_read_is_part_of_the_key():
    def scaled(which):
        graph = Graph(functional=True)
        x = graph.add("input", "x", spec=spec_of(X))
        rate = graph.add("scalar", "rate", which)
        made = graph.add("call", "mul", registry.find("aten::mul.Tensor"), (x, rate), {}, spec_of(X))
        graph.add("output", "output", None, ([made],))
        return graph

    for which, by in ((0, 2.0), (1, 3.0)):
        [got] = pipeline.cpp(scaled(which))([X._a], (2.0, 3.0))
        np.testing.assert_allclose(got, X._a * by, rtol=1e-6)


def test_a_generator_has_no_key():
    g = torch.Generator()
    graph = record(lambda x: [torch.bernoulli(x, generator=g)], [X.abs().clamp(0, 1)])
    assert programs.key(passes.prepare(graph)) is None
    assert pipeline.cpp(graph)([torch.ones(6, 10)._a])[0].sum() == 60


def test_a_damaged_program_is_made_again():
    graph = record(softmax, [X])
    pipeline.cpp(graph)
    key = programs.key(passes.prepare(graph))
    cache.write(key, ".program", b"no pickle at all")
    again = pipeline.cpp(graph)
    assert not again.cached
    check(again, graph, X)
    assert pipeline.cpp(graph).cached


def test_what_fails_is_named(monkeypatch):
    def broken(*_):
        raise KeyError("here")

    from lamella.compile import lower

    monkeypatch.setattr(lower, "lower", broken)
    with pytest.raises(CompileError, match=r"compile \(lower\): KeyError") as caught:
        pipeline.cpp(record(softmax, [X]))
    assert caught.value.step == "lower" and isinstance(caught.value.__cause__, KeyError)


def test_logs(caplog):
    logs.set_logs("graph,fusion,code,timing")
    try:
        with caplog.at_level("INFO", "lamella"):
            import logging

            logging.getLogger("lamella").addHandler(caplog.handler)
            pipeline.cpp(record(softmax, [X]))
    finally:
        logging.getLogger("lamella").removeHandler(caplog.handler)
        logs.set_logs("")
    assert "def graph(" in caplog.text and 'extern "C"' in caplog.text and "build" in caplog.text


def test_the_dump_folder(folder, capsys):
    target = folder / "dump"
    graph = record(step, [X, Y])
    pipeline.cpp(graph)
    with settings.using(compile_dump=str(target)):
        pipeline.cpp(graph)
        pipeline.cpp(graph)
    assert sorted(p.name for p in target.iterdir()) == ["program_0", "program_1"]
    names = {p.name for p in (target / "program_1").iterdir()}
    assert {"graph_captured.py", "graph_prepared.py", "graph_decomposed.py", "loops.txt", "plan.txt", "program.cpp",
            "build.sh", "reproduce.py", "graph.pickle"} <= names
    plan = (target / "program_1" / "plan.txt").read_text()
    assert "kernels" in plan and "arena" in plan and "seconds" in plan
    assert "softmax" in (target / "program_1" / "graph_captured.py").read_text()
    assert dump.reproduce(target / "program_1") < 1e-5
    assert "largest difference" in capsys.readouterr().out
    done = subprocess.run([sys.executable, str(target / "program_0" / "reproduce.py")], capture_output=True, text=True,
                          check=False)
    assert "largest difference" in done.stdout, done.stderr
    subprocess.run(["sh", str(target / "program_0" / "build.sh")], check=True)
    assert (target / "program_0" / "program.so").exists()


def test_a_number_that_is_none_is_a_difference():
    nan, inf = float("nan"), float("inf")
    for a, b, far in ([1, nan], [1, nan], 0), ([1, nan], [1, 2], inf), ([1, 2], [1.5, nan], inf), ([inf], [inf], 0), (
            [1, 2], [1, 2.5], 0.5), ([inf], [-inf], inf):
        assert dump._difference(np.array(a, np.float32), np.array(b, np.float32)) == far


def test_the_package_keeps_its_function_explain():
    import lamella.compile

    function = lamella.compile.explain
    assert function(lambda x: x + 1)(X).graph_count == 1
    assert lamella.compile.explain is function


def test_the_picture_of_an_explanation_has_the_colours_of_kernels():
    for _ in range(2):  # compiled, and from the cache
        report = torch.compiler.explain(lambda x: torch.softmax(x.exp() * 2, -1) @ x.t())(X)
        picture = report.picture()
        assert picture.count('fill="#fff"') == 1 and picture.count("<title>") > 8  # a view is part of no kernel
        assert all(line.split(":")[0] in picture for line in report.kernels if line.startswith(("k", "gemm")))


def test_a_dump_folder_that_cannot_be_made(folder):
    (folder / "file").write_text("")
    with settings.using(compile_dump=str(folder / "file" / "dump")):
        program = pipeline.cpp(record(softmax, [X]))
    check(program, record(softmax, [X]), X)
