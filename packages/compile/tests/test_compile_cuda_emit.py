"""Kernels printed as CUDA: what they compute by emulation, against NumPy; how they share out loops."""

import shutil

import compile_cuda_emit_helper as helper
import compile_cuda_emulation as emulation
import numpy as np
import pytest
import test_compile_emit as cpp

from lamella.compile import emit
from lamella.compile.emit.cuda.kernels import independent
from lamella.compile.loops.index import lift
from lamella.compile.loops.ir import Buffer, Loop, Lowered
from lamella.compile.schedule import schedule
from lamella.compile.schedule.plan import Kernel, Member, Part

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

var, pointwise = cpp.var, cpp.pointwise
RNG = np.random.default_rng(3)


class Run(helper.Run):
    """As C++'s tests make them; indices are checked."""

    def __init__(self, kernels, buffers, symbols=None, same=None, flags=(), checks=True):
        super().__init__(kernels, buffers, symbols, same, checks)


@pytest.mark.parametrize(("test", "arguments"), [
    ("operations_of_floats", ("float32",)), ("operations_of_floats", ("float64",)),
    *(("operations_of_integers", (t,)) for t in ("int64", "int32", "int16", "int8", "uint8")),
    ("conversions", ()), ("halves_round_to_nearest_even", ((),)),
    *(("reductions", (t, s)) for t, s in (("float32", (7, 1000)), ("float64", (300, 5)), ("int64", (37, 33)))),
    *(("softmax_in_one_kernel", (t, n)) for t, n in (
        ("float32", 3), ("bfloat16", 64), ("float32", 1000), ("bfloat16", 9000), ("float32", 1024))),
    ("scans_and_scatters", ()), ("scatters_add_in_every_type", ()), ("gathers_and_masked_bodies", ()),
    ("symbolic_sizes", ()), ("views_read_with_divisions", ()), ("divisions_of_indices_round_down", ())])
def test_what_cpp_computes(test, arguments, monkeypatch):
    monkeypatch.setattr(cpp, "Run", Run)
    getattr(cpp, f"test_{test}")(*arguments)


class Program:
    """A list of loops, scheduled for a GPU."""

    def __init__(self, steps, inputs, outputs, checks=False):
        for n, b in enumerate(inputs):
            b.kind, b.number = "input", n
        self.inputs = inputs
        self.plan = schedule(Lowered(steps, inputs, outputs), target="cuda")
        self.source = emit.emit(self.plan, "cuda", checks=checks)
        self.built = emulation.Module(self.source.text)

    def __call__(self, *arrays, order=0):
        arena, table, outputs = np.full(self.plan.arena + 64, 0xFF, np.uint8), [], {}
        start = arena.ctypes.data + -arena.ctypes.data % 64
        for b in self.plan.buffers:
            place = self.plan.places[b]
            if place.kind == "arena":
                table.append(start + place.number)
                continue
            if place.kind == "output":
                outputs[place.number] = np.empty(b.shape, helper.dtype_of(b.dtype))
            table.append((outputs if place.kind == "output" else arrays)[place.number].ctypes.data)
        helper.run_script(self.source.script, self.built, table, {}, (), order)
        return [outputs[n] for n in sorted(outputs)]


def summed(x, how, columns, out=None):
    rows, cols = x.shape
    if how == "all of it":
        out = out or Buffer("total", "float32", ())
        return Loop(out, (), lambda ops, ix: ops.load(x, x.at(ix)), "reduce", x.shape, "sum")
    shape = (cols,) if columns else (rows,)
    out = out or Buffer(f"{how}_{columns}", "float32", shape)
    return Loop(out, shape, lambda ops, ix: ops.load(x, x.at(ix[::-1] if columns else ix)), "reduce",
                (rows if columns else cols,), how)


@pytest.mark.parametrize("shape", [(4096, 40), (1009, 7), (8191, 64), (3, 30000), (2, 40009), (300, 300)])
def test_few_results_of_much_are_made_in_two_stages_and_always_alike(shape):
    x = Buffer("x", "float32", shape)
    loops = [summed(x, "sum", True), summed(x, "max", True), summed(x, "sum", False), summed(x, "min", False),
             summed(x, "all of it", False)]
    program = Program(loops, [x], [loop.out for loop in loops])
    a = RNG.standard_normal(shape).astype("f")
    got = program(a)
    exact = a.astype("f8")
    for found, want in zip(got, (exact.sum(0), exact.max(0), exact.sum(1), exact.min(1), exact.sum())):
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=2e-4)
    for found, again in zip(got, program(a, order=1)):
        np.testing.assert_array_equal(found, again)
    tall = shape[0] >= 4096
    assert sum(kind == "launch" for kind, _ in program.source.script) >= (4 if tall else 2)
    assert "atomic" not in program.source.text


def test_long_sums_are_accurate():
    x = Buffer("x", "float32", (1024, 4096))
    loop = summed(x, "all of it", False)
    [got] = Program([loop], [x], [loop.out])(np.full((1024, 4096), 0.1, "f"))
    np.testing.assert_allclose(got, np.float32(0.1) * np.float64(1 << 22), rtol=2e-6)


def test_memory_that_is_not_aligned_is_read_and_written_element_by_element():
    x, y = Buffer("x", "float32", (64,)), Buffer("y", "float32", (64,))
    v, i = var("i", 64)
    double = pointwise(y, lambda ops, ix: ops.add(*[ops.load(x, ix[0])] * 2))
    run = Run([Kernel("double", (), [Part((v,), [Member(double, (i,))])])], [x, y])
    assert "load<4>(x + i)" in run.source.text and "store(y + i" in run.source.text
    for start in range(4):
        given, into = np.arange(80, dtype="f")[start:start + 64], np.zeros(80, "f")
        run(x=given, y=into[start:start + 64])
        np.testing.assert_array_equal(into[start:start + 64], 2 * given)
        assert not into[:start].any() and not into[start + 64:].any()


@pytest.mark.parametrize(("dtype", "n", "width"), [
    ("float32", 1000, 4), ("bfloat16", 1000, 8), ("float64", 1000, 2), ("bool", 1000, 8), ("float32", 1001, 1),
    ("float32", 1002, 2)])
def test_accesses_are_of_16_bytes_where_sizes_allow(dtype, n, width):
    x, y = Buffer("x", dtype, (n,)), Buffer("y", dtype, (n,))
    v, i = var("i", n)
    copy = pointwise(y, lambda ops, ix: ops.load(x, ix[0]))
    run = Run([Kernel("copy", (), [Part((v,), [Member(copy, (i,))])])], [x, y])
    assert (f"load<{width}>" in run.source.text) is (width > 1) and ("Pack" in run.source.text) is (width > 1)
    a = RNG.integers(0, 2, n).astype(helper.dtype_of(dtype))
    np.testing.assert_array_equal(run(x=a)["y"], a)


@pytest.mark.parametrize(("rows", "n"), [
    (5, 2), (70, 100), (9, 128), (9, 768), (3, 1024), (2, 4096), (3, 8192), (2, 5000), (2, 20000)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_softmax_of_rows_of_any_length(rows, n, dtype):
    wide = "float64" if dtype == "float64" else "float32"
    x, top, e, s, y = (Buffer(*what) for what in (
        ("x", dtype, (rows, n)), ("top", wide, (rows,)), ("e", wide, (rows, n)), ("s", wide, (rows,)),
        ("y", dtype, (rows, n))))
    load = lambda ops, b, ix: ops.load(b, b.at(ix[:len(b.shape)]))  # noqa: E731
    steps = [Loop(top, (rows,), lambda ops, ix: load(ops, x, ix), "reduce", (n,), "max"),
             pointwise(e, lambda ops, ix: ops.exp(ops.sub(load(ops, x, ix), load(ops, top, ix)))),
             Loop(s, (rows,), lambda ops, ix: load(ops, e, ix), "reduce", (n,), "sum"),
             pointwise(y, lambda ops, ix: ops.to(ops.div(load(ops, e, ix), load(ops, s, ix)), dtype))]
    program = Program(steps, [x], [y])
    if n < 20000:
        assert len(program.source.script) == 1
    a = RNG.standard_normal((rows, n)).astype(helper.dtype_of(dtype))
    exact = np.exp(a.astype("f8"))
    exact /= exact.sum(1, keepdims=True)
    for order in (0, 1):
        [got] = program(a, order=order)
        np.testing.assert_allclose(got.astype("f8"), exact, rtol=1e-2 if dtype == "bfloat16" else 2e-6)


@pytest.mark.parametrize(("tokens", "rows", "width"), [(500, 9, 24), (300, 70, 1), (5, 3, 300)])
def test_scatters_are_shared_out_by_what_never_meets(tokens, rows, width):
    table, places = Buffer("table", "float32", (rows, width)), Buffer("places", "int64", (tokens,))
    x, out = Buffer("x", "float32", (tokens, width)), Buffer("out", "float32", (rows, width))
    add = Loop(out, (tokens, width), lambda ops, ix: ops.load(x, x.at(ix)), "scatter", how="add", into=table,
               store=lambda ops, ix: ops.indirect(ops.load(places, ix[0]), rows) * width + ix[1])
    program = Program([add], [x, places, table], [out], checks=True)
    a, t = RNG.standard_normal((tokens, width)).astype("f"), RNG.standard_normal((rows, width)).astype("f")
    at = RNG.integers(-rows, rows, tokens)
    want = t.copy()
    np.add.at(want, at, a)
    for order in (0, 1):
        [got] = program(a, at, t, order=order)
        np.testing.assert_array_equal(got, want)  # in the order of the tokens
    assert ("listed(" in program.source.text) is (tokens >= 128)
    at[tokens // 2] = rows
    with pytest.raises(IndexError) as caught:
        program(a, at, t)
    assert caught.value.args[1:] == (rows, rows)


def test_which_variables_a_place_tells():
    (a, i), (b, j), (c, t) = var("i", 4), var("j", 6), var("t", 10)
    assert independent(t * 24 + i * 6 + j, (a, b, c)) == [a, b, c]
    assert independent(t * 6 + j, (b, c)) == [b, c]
    assert independent(t + j, (b, c)) == [] and independent(t * 5 + j, (b, c)) == []
    assert independent((t + i) * 6 + j, (a, b, c)) == [b] and independent(lift(3), (a,)) == []


def test_equal_kernels_are_printed_once_and_run_in_place():
    kernels, buffers, same, arrays, want = cpp.adams((100, 1000, 10, 102))
    run = Run(kernels, buffers, same=same)
    assert run.source.text.count("__global__") == 2 == len(run.source.kernels)
    got = run(scalars=(0.9, 0.1), **arrays)
    for name, value in want.items():
        np.testing.assert_allclose(got[name], value, rtol=1e-6, atol=1e-6)


def test_a_number_that_all_threads_read_is_written_when_all_have_read_it():
    step, new = Buffer("step", "float32", ()), Buffer("new", "float32", ())
    x, y = Buffer("x", "float32", (200,)), Buffer("y", "float32", (200,))
    v, i = var("i", 200)
    more = Loop(new, (), lambda ops, ix: ops.add(ops.load(step, 0), ops.constant(1, "float32")))
    scale = pointwise(y, lambda ops, ix: ops.div(ops.load(x, ix[0]), ops.load(new, 0)))
    kernel = Kernel("count", (), [Part((), [Member(more, ())]), Part((v,), [Member(scale, (i,))])])
    run = Run([kernel], [step, new, x, y], same={new: step})
    a = RNG.standard_normal(200).astype("f")
    for order in (0, 1):
        got = run(step=np.float32([4]), x=a, order=order)
        assert got["step"][0] == 5
        np.testing.assert_allclose(got["y"], a / 5, rtol=1e-6)


def test_schedules_of_a_gpu_have_no_sums_across_rows_and_keep_long_rows_in_the_arena():
    def steps(rows, n):
        x, e, s, y, t = (Buffer(name, "float32", shape) for name, shape in (
            ("x", (rows, n)), ("e", (rows, n)), ("s", (rows,)), ("y", (rows, n)), ("t", (n,))))
        load = lambda ops, b, ix: ops.load(b, b.at(ix[:len(b.shape)]))  # noqa: E731
        return x, y, t, [
            pointwise(e, lambda ops, ix: ops.exp(load(ops, x, ix))),
            Loop(s, (rows,), lambda ops, ix: load(ops, e, ix), "reduce", (n,), "sum"),
            pointwise(y, lambda ops, ix: ops.div(load(ops, e, ix), load(ops, s, ix))),
            Loop(t, (n,), lambda ops, ix: ops.load(y, y.at(ix[::-1])), "reduce", (rows,), "sum")]

    for rows, n in ((40, 300), (130, 9000)):
        x, y, t, loops = steps(rows, n)
        program = Program(loops, [x], [y, t])
        kernels = [k for k in program.plan.steps if isinstance(k, Kernel)]
        assert not any(m.across for k in kernels for m in k.members())
        kept = [m.keep for k in kernels for m in k.members() if m.loop.out.name == "e"]
        assert kept == [n > 8192] and ("e_row" in program.source.text) is (n < 8192)
        a = RNG.standard_normal((rows, n)).astype("f")
        want = np.exp(a.astype("f8"))
        want /= want.sum(1, keepdims=True)
        got = program(a)
        np.testing.assert_allclose(got[0], want, rtol=1e-5)
        np.testing.assert_allclose(got[1], want.sum(0), rtol=1e-5)
