"""Lowering of whole functions: what gets memory, layouts, symbolic sizes, run-time scalars, recording."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compile_lower_helper import compare, spec_of, trace

from lamella import core
from lamella.compile.decompose import decompose
from lamella.compile.graph.functionalize import functionalize
from lamella.compile.graph.node import Graph, Spec
from lamella.compile.loops.index import Var, lift
from lamella.compile.loops.ir import Buffer, Extern, Loop
from lamella.compile.loops.numpy_run import run
from lamella.compile.loops.record import record
from lamella.compile.lower import lower
from lamella.core import dtypes
from lamella.dispatch.registry import find


def numbers(*shape: int, seed: int = 0) -> Any:
    return core.tensor(np.random.default_rng(seed).normal(size=shape).astype(np.float32))


def lowered_equals_eager(function: Any, *tensors: Any) -> Any:
    program = lower(trace(function, *tensors), strict=True)
    assert [s.why for s in program.steps if isinstance(s, Extern)] == []
    compare(run(program, [t._a for t in tensors])[0], function(*tensors)._a, "output")
    return program


def softmax(x: Any) -> Any:
    e = core.exp(x - x.amax(-1, True))
    return e / e.sum(-1, True)


def layer_norm(x: Any) -> Any:
    c = x - x.mean(-1, True)
    return c * core.rsqrt((c * c).mean(-1, True) + 1e-5)


FUNCTIONS = {
    "softmax": softmax,
    "layer norm": layer_norm,
    "columns": lambda x: x / x.sum(0, True),
    "heads": lambda x: (x.view(x.shape[0], 2, 4).transpose(0, 1) * 2).reshape(2, -1),
    "flat": lambda x: (x + 1).reshape(-1).cumsum(0),
    "joined": lambda x: core.cat([x, x * 2, x[:, :3]], 1).sum(1),
    "stacked": lambda x: core.stack([x, -x], 1).mean(1),
    "rows joined": lambda x: core.cat([x, x.exp()], 0),
    "padded": lambda x: core.constant_pad_nd(x, [1, 2, 0, 1]),
    "shifted": lambda x: core.cat([x[1:], x[:1]], 0) - x,
    "greatest": lambda x: x.max(1).indices + x.argmax(-1),
    "written": lambda x: (x * 1).index_fill_(1, core.tensor([1, 3]), 5.0),
    "gathered": lambda x: x[:, core.tensor([0, -1, 2])],
    "triangle": lambda x: core.matmul if x is None else core.tril(x, 1),
    "repeated": lambda x: x.repeat(2, 3),
    "variance": lambda x: x.var(0),
    "expanded": lambda x: x.exp().sum(1, True).expand(x.shape) * x,
    "diagonal": lambda x: core.diag_embed(x).diagonal(0, 1, 2) + x,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_lowered_equals_eager(name: str) -> None:
    lowered_equals_eager(FUNCTIONS[name], numbers(7, 8))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_symbolic_size_serves_every_size(name: str) -> None:
    function = FUNCTIONS[name]
    program = lower(trace(function, numbers(35, 8), symbol=35), strict=True)
    for n in (35, 2, 13):
        x = numbers(n, 8, seed=n)
        compare(run(program, [x._a])[0], function(x)._a, f"{name} of {n} rows")


def loops_of(program: Any) -> list[Loop]:
    return [s for s in program.steps if isinstance(s, Loop)]


def test_operand_of_a_reduction_that_is_used_again_gets_memory() -> None:
    program = lowered_equals_eager(softmax, numbers(4, 8))
    assert [loop.kind for loop in loops_of(program)] == ["reduce", "pointwise", "reduce", "pointwise"]


def test_cheap_values_are_computed_where_they_are_read() -> None:
    program = lowered_equals_eager(lambda x: ((x + 1) * (x + 1) - x).sum(), numbers(4, 8))
    [loop] = loops_of(program)
    assert [op.name for op in record(loop).ops] == ["load", "constant", "add", "mul", "sub"]


def test_dear_value_is_computed_before_it_is_spread() -> None:
    program = lowered_equals_eager(lambda x, y: x * core.exp(y), numbers(4, 8), numbers(8))
    assert [tuple(loop.ranges) for loop in loops_of(program)] == [(8,), (4, 8)]


def test_view_of_memory_is_strides_of_it() -> None:
    program = lowered_equals_eager(lambda x: x[1:, ::2].t() + 1, numbers(5, 8))
    [load] = record(loops_of(program)[0]).loads()
    assert load.buffer is program.inputs[0] and str(load.index) in ("2*i0 + 8*i1 + 8", "8*i0 + 2*i1 + 8")


def test_output_lies_as_eager_leaves_it() -> None:
    program = lowered_equals_eager(lambda x: x.t() * 2, numbers(5, 8))
    [loop] = loops_of(program)
    assert loop.out.stride == (1, 8) and loop.ranges == (5, 8) and loop.store is not None


def test_symbolic_output_lies_as_eager_leaves_it() -> None:
    program = lower(trace(lambda x: x.t() * 2, numbers(35, 8), symbol=35), strict=True)
    assert [str(s) for s in program.outputs[0].stride] == ["1", "8"]
    x = numbers(3, 8)
    compare(run(program, [x._a])[0], (x.t() * 2)._a, "transposed")


def test_output_that_is_an_input_is_copied_and_one_value_twice_is_two_outputs() -> None:
    graph = trace(lambda x: x * 2, numbers(3))
    double = graph.outputs[0]
    graph.output.args = ([double, double, graph.inputs[0]],)
    graph.aliases.clear()
    program = lower(graph)
    assert len(set(program.outputs)) == 3
    found = run(program, [np.array([1, 2, 3], np.float32)])
    assert [a.tolist() for a in found] == [[2, 4, 6], [2, 4, 6], [1, 2, 3]]


def test_mutated_input_gets_a_value_that_lies_like_it() -> None:
    def step(w: Any, g: Any) -> Any:
        w.sub_(g, alpha=0.5)
        return w.sum()

    weight = numbers(4, 3).t()
    before = weight._a.copy()
    graph = trace(step, weight, numbers(3, 4))
    assert graph.mutations
    program = lower(graph, strict=True)
    [number] = graph.mutations.values()
    assert program.outputs[number].stride == (1, 3)
    found = run(program, [before.T.copy().T, numbers(3, 4)._a])
    np.testing.assert_allclose(found[number], before - 0.5 * numbers(3, 4)._a, rtol=1e-6)


def test_run_time_scalar_is_weak_in_promotion() -> None:
    graph = Graph()
    x = graph.add("input", "x", spec=spec_of(numbers(3)))
    rate = graph.add("scalar", "rate", 0)
    scaled = graph.add("call", "mul", find("aten::mul.Tensor"), (x, rate), {}, spec_of(numbers(3)))
    moved = graph.add("call", "add", find("aten::add.Tensor"), (x, scaled), {"alpha": rate}, spec_of(numbers(3)))
    graph.add("output", "output", None, ([moved],))
    graph.functional = True
    program = lower(decompose(graph, strict=True), strict=True)
    assert program.symbols == {"rate": ("scalar", 0)} and not any(isinstance(s, Extern) for s in program.steps)
    [found] = run(program, [np.ones(3, np.float32)], [0.5])
    assert found.dtype == np.float32 and found.tolist() == [1.25, 1.25, 1.25]


def test_operator_without_rule_and_complex_types_are_eager_calls() -> None:
    program = lower(trace(lambda x: core.sort(x * 2)[0] + 1, numbers(5)))
    assert [type(s).__name__ for s in program.steps] == ["Loop", "Extern", "Loop"]
    assert program.steps[1].why == "no rule"
    z = core.tensor(np.array([1 + 2j, 3j]))
    program = lower(trace(lambda z: z * z, z))
    assert [s.why for s in program.steps] == ["an element type that loops do not have"]
    np.testing.assert_allclose(run(program, [z._a])[0], z._a * z._a)


def test_index_out_of_range_is_an_error() -> None:
    program = lower(trace(lambda x, i: x[i], numbers(3, 2), core.tensor([0, 1])))
    assert run(program, [numbers(3, 2)._a, np.array([-1, 2])])[0].shape == (2, 2)
    with pytest.raises(IndexError, match="out of range"):
        run(program, [numbers(3, 2)._a, np.array([0, 3])])


def test_recorded_body_lists_each_operation_once_and_knows_its_regions() -> None:
    x, y = Buffer("x", "bfloat16", (4, 8)), Buffer("y", "float32", (4, 8))

    def body(ops: Any, i: Any) -> Any:
        inside = ops.lt(ops.index_value(i[1], "int64"), ops.constant(3, "int64"))
        first = ops.masked(inside, lambda: ops.exp(ops.load(x, x.at((i[0], i[1] + 4)))), 0.0)
        again = ops.masked(inside, lambda: ops.exp(ops.load(x, x.at((i[0], i[1] + 4)))), 0.0)
        return ops.add(first, again)

    found = record(Loop(y, (4, 8), body))
    assert [op.name for op in found.ops] == ["index", "constant", "lt", "load", "exp", "masked", "add"]
    load = found.loads()[0]
    assert load.dtype == "float32" and load.region is found.regions[0] and len(found.regions) == 1
    assert str(load) == "t3: float32 = load(x[8*i0 + i1 + 4]) in region 0"


def test_index_expressions_simplify() -> None:
    i, j = lift(Var("i", 64)), lift(Var("j", 4))
    assert (i % 16) + 16 * (i // 16) == i
    assert 3 * (i % 16) + 48 * (i // 16) + 5 == 3 * i + 5
    assert (4 * i + j) // 8 == i // 2 and (4 * i + j) % 8 == 4 * (i % 2) + j
    assert (i // 4) // 2 == i // 8 and (i % 16) % 4 == i % 4
    assert str((i + j) // 9) == "((i + j) // 9)"


def test_half_precision_is_rounded_where_it_is_stored() -> None:
    x = core.tensor(np.array([1.0, 1e-4], np.float16))
    program = lowered_equals_eager(lambda x: x + 1, x)
    assert record(loops_of(program)[0]).result.dtype == "float32"
    assert program.outputs[0].dtype == "float16"


def test_many_nodes_are_lowered_quickly() -> None:
    import time

    graph = Graph(functional=True)
    spec = Spec((64, 64), (64, 1), dtypes.float32, spec_of(numbers(1)).device)
    node = graph.add("input", "x", spec=spec)
    first, add, mul = node, find("aten::add.Tensor"), find("aten::mul.Tensor")
    for k in range(600):
        node = graph.add("call", "n", mul if k % 3 else add, (node, first if k % 2 else 1.5), {}, spec)
    graph.add("output", "output", None, ([node],))
    lower(graph)
    start = time.perf_counter()
    program = lower(functionalize(graph))
    assert time.perf_counter() - start < 1.0
    assert all(record(s).cost() <= 80 for s in loops_of(program))


def test_negative_index_counts_from_the_end_only_where_eager_lets_it() -> None:
    x, at = numbers(3, 2)._a, np.array([0, -1])
    program = lower(trace(lambda x, i: core.index_select(x, 0, i), numbers(3, 2), core.tensor([0, 1])))
    with pytest.raises(IndexError, match="out of range"):
        run(program, [x, at])
    program = lower(trace(lambda x, i: core.take(x, i), numbers(3, 2), core.tensor([0, 1])))
    assert run(program, [x, at])[0].tolist() == [x[0, 0], x[2, 1]]


def test_half_precision_is_rounded_before_a_function_with_steps() -> None:
    x = core.tensor(np.linspace(-3, 3, 97).astype(np.float16))
    lowered_equals_eager(lambda x: (x * 50.3).to(dtypes.int32), x)
    lowered_equals_eager(lambda x: core.floor(x * 33.3), x)
