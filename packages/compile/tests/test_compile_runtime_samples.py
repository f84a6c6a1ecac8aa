"""Every operator's samples as programs of eager calls only: slots, copies and views around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lamella.compile import lower as lowering, schedule
from lamella.compile.graph.interpret import execute
from lamella.compile.graph.passes import prepare
from lamella.compile.graph.record import record
from lamella.compile.loops.ir import Extern
from lamella.compile.runtime import Program, facts_of
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor


def flat(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [x for each in value for x in flat(each)]
    return [value] if isinstance(value, Tensor) else []


def replaced(value: Any, tensors: Any) -> Any:
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, (list, tuple)):
        parts = [replaced(each, tensors) for each in value]
        return parts if isinstance(value, list) else tuple(parts)
    return {k: replaced(v, tensors) for k, v in value.items()} if isinstance(value, dict) else value


def eager_program(graph: Any, monkeypatch: Any) -> Program:
    """A program in which each call is one of an eager kernel."""
    monkeypatch.setattr(lowering, "rule_of", lambda *_: None)
    plan = schedule.schedule(lowering.lower(graph, strict=True), fuse=False)
    script = [("extern", step) for step in plan.steps if isinstance(step, Extern)]
    if len(script) != len(plan.steps):
        pytest.skip("copies between layouts need a compiler")
    return Program(facts_of(plan, script, graph.returned), None)


def same(a: Any, b: Any, name: str) -> None:
    a, b = getattr(a, "_a", a), getattr(b, "_a", b)
    assert a.shape == b.shape and a.dtype == b.dtype, name
    np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12, err_msg=name)


def check(name: str, fn: Any, args: Any, kwargs: Any, monkeypatch: Any) -> bool:
    tensors = [t.detach().clone() for t in flat([args, list(kwargs.values())])]

    def run(*given: Any) -> Any:
        each = iter(given)
        return flat([fn(*replaced(args, each), **replaced(kwargs, each))])

    try:
        graph = prepare(record(run, tensors))
    except Exception:
        return False  # reads values of its tensors: nothing that a graph can hold
    expected_in, given = [t.clone() for t in tensors], [t.clone() for t in tensors]
    expected = execute(graph, expected_in)
    program = eager_program(graph, monkeypatch)
    for _ in range(2):
        got = program([t._a for t in given])
        for a, b in zip(got, expected, strict=True):
            same(a, b, name)
        if graph.mutations:
            break
    for a, b in zip(given, expected_in, strict=True):
        same(a, b, name)
    return True


@pytest.mark.parametrize("package", ["lamella.core", "lamella.nn"])
def test_samples(package: str, monkeypatch: Any) -> None:
    done = 0
    for sample in all_samples(package):
        if sample.random:
            continue
        fn = resolve(sample.name)
        for args, kwargs in sample.make(grad=False):
            try:
                done += check(sample.name, fn, args, kwargs, monkeypatch)
            except pytest.skip.Exception:
                continue
    assert done > (800 if package == "lamella.core" else 100)
