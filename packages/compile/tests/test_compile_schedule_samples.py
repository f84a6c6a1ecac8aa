"""Every operator's samples, decomposed, lowered and scheduled: the plan gives what the loops give."""

import warnings
from collections import Counter

import numpy as np
import pytest
from compile_lower_helper import RANDOM, calls_of, graph_of

from lamella.compile.decompose import decompose
from lamella.compile.graph.functionalize import functionalize
from lamella.compile.loops.ir import Extern, Native
from lamella.compile.loops.numpy_run import run
from lamella.compile.lower import lower
from lamella.compile.schedule import numpy_run, schedule
from lamella.compile.schedule.access import guess
from lamella.core.samples import all_samples, resolve

EACH = 4
LARGE = 30_000


def programs(package, backward):
    """Lowered programs of calls, with their inputs; a few for each operator."""
    seen = Counter()
    for sample in all_samples(package):
        for args, kwargs in sample.make(backward):
            try:
                calls = calls_of(resolve(sample.name), *args, backward=backward, **kwargs)
            except (RuntimeError, NotImplementedError):
                continue
            for op, given, named in calls:
                if seen[op.name] >= EACH or any(part in op.name for part in RANDOM):
                    continue
                try:
                    graph, arrays, _ = graph_of(op, given, named)
                except RuntimeError:
                    continue
                program = lower(decompose(functionalize(graph)))
                if not any(isinstance(step, (Extern, Native)) for step in program.steps):
                    seen[op.name] += 1
                    yield op.name, program, arrays


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("package", ["lamella.core", "lamella.nn"])
def test_samples(package: str, backward: bool) -> None:
    kernels = loops = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, program, arrays in programs(package, backward):
            plan = schedule(program)
            if sum(guess(k.work) for k in plan.steps) > LARGE:
                continue
            kernels, loops = kernels + len(plan.steps), loops + len(program.steps)
            found, _ = numpy_run.run(plan, arrays)
            for got, want in zip(found, run(program, arrays), strict=True):
                if want is not None:
                    exact = want.dtype.kind in "biu"
                    a, b = (got, want) if exact else (got.astype("f8"), want.astype("f8"))
                    np.testing.assert_allclose(a, b, 0 if exact else 2e-3, 0 if exact else 2e-3, err_msg=name)
    assert 0 < kernels < loops
