"""Programs at run time, from hand-made plans and hand-written C++."""

from __future__ import annotations

import gc
import os
import re
import sysconfig
import threading

import numpy as np
import pytest

from lamella.compile import emit
from lamella.compile.build import compilers, load
from lamella.compile.errors import CompilerMissing
from lamella.compile.graph.node import Alias, Spec
from lamella.compile.loops.index import Var, lift
from lamella.compile.loops.ir import Buffer, Extern, Loop, Lowered
from lamella.compile.runtime import Program, blas, facts_of, launcher as launchers, program as programs
from lamella.compile.schedule import schedule
from lamella.compile.schedule.plan import Place, Plan
from lamella.core import devices, dtypes
from lamella.dispatch import registry

HEAD = '#include "lamella/report.h"\n'
ARGUMENTS = "(char** bufs, const long* symbols, const double* scalars, lamella::Report* report)"


@pytest.fixture(params=["extension", "ctypes"], autouse=True)
def flavour(request, monkeypatch):
    try:
        compilers.find()
    except CompilerMissing as missing:
        pytest.skip(str(missing))
    if request.param == "ctypes":
        monkeypatch.setattr(programs, "launcher", lambda: launchers.Launcher)
    elif not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        pytest.skip("no headers of Python")
    else:
        assert launchers.launcher() is not launchers.Launcher  # the compiler takes the source
    return request.param


def f32(name, shape, **kw):
    return Buffer(name, "float32", shape, **kw)


def program(body, buffers, places, outputs, script=None, **kw):
    inputs = [b for b in buffers if b.kind == "input"]
    text = HEAD + re.sub(r"SEGMENT\((\w+)\)", rf'extern "C" int \1{ARGUMENTS}', body) if body else ""
    where = dict(zip(buffers, places, strict=True))
    more = {k: v for k, v in kw.items() if k in ("aliases", "symbols")}
    plan = Plan([], where, buffers, kw.pop("arena", 0), kw.pop("constants", []), inputs, outputs, **more)
    script = script or [("segment", "run")]
    facts = facts_of(plan, script, kw.get("returned"))
    return Program(facts, load(text) if body else None, text)


def doubling():
    """out = 2 * in + scalar."""
    x, y = f32("x", (4,), kind="input", number=0), f32("y", (4,))
    return program("""SEGMENT(run) {
    const float* x = (const float*)bufs[0];
    float* y = (float*)bufs[1];
    for (int i = 0; i < 4; i++) y[i] = 2 * x[i] + float(scalars[0]);
    if (x[0] > 100) return lamella::fail(report, "index_select", 7, 3);
    return 0;
}""", [x, y], [Place("input", 0), Place("output", 0)], [y])


def test_inputs_outputs_and_scalars():
    run = doubling()
    x = np.arange(4, dtype=np.float32)
    [y] = run([x], (0.5,))
    assert y.tolist() == [0.5, 2.5, 4.5, 6.5] and y.dtype == np.float32
    assert run((x,), [3])[0].tolist() == [3, 5, 7, 9]
    assert run.launch([x], (0.5,))[0].tolist() == y.tolist()


def test_memory_of_outputs_is_used_again_when_nobody_holds_it():
    run = doubling()
    x = np.arange(4, dtype=np.float32)
    [first] = run([x], (0.0,))
    [second] = run([x], (1.0,))
    assert first is not second and first.tolist() == [0, 2, 4, 6]
    known = {id(first), id(second)}
    view = first[1:]
    del first
    [third] = run([x], (2.0,))
    assert view.tolist() == [2, 4, 6]
    known.add(id(third))
    del view, second, third
    assert id(run([x], (0.0,))[0]) in known
    held = [run([x], (float(n),))[0] for n in range(20)]
    assert len({id(y) for y in held}) == 20 and [y[0] for y in held] == list(range(20))


def test_a_failed_check_is_an_index_error():
    run = doubling()
    with pytest.raises(IndexError, match=r"index_select: index out of range \(index=7, size=3\)"):
        run([np.full(4, 200, np.float32)], (0.0,))
    assert run([np.zeros(4, np.float32)], (1.0,))[0].tolist() == [1] * 4


def test_what_does_not_fit_is_refused():
    run = doubling()
    with pytest.raises(TypeError, match="takes 1 arrays"):
        run([], (0.0,))
    with pytest.raises(TypeError, match="NumPy arrays"):
        run([3.0], (0.0,))


def test_mutations_are_written_in_place_or_copied_back():
    w, other = f32("w", (3,), kind="input", number=0), f32("v", (3,), kind="input", number=1)
    more, fresh = f32("more", (3,)), f32("fresh", (3,))
    steps = [Loop(more, (3,), lambda ops, i: ops.add(ops.load(w, w.at(i)), ops.constant(1, "float32"))),
             Loop(fresh, (3,), lambda ops, i: ops.add(ops.load(other, (2 - i[0]) * 1), ops.load(w, w.at(i))))]
    plan = schedule(Lowered(steps, [w, other], [5, more, fresh, None], {0: 1, 1: 2}))
    text = emit.emit(plan)
    run = Program(facts_of(plan, text.script, 1), load(text.text), text.text)
    assert [kind for kind, _ in text.script] == ["segment"] and "copy_v" in text.text
    a, b = np.zeros(3, np.float32), np.ones(3, np.float32)
    assert run([a, b]) == [5]
    assert a.tolist() == [1, 1, 1] and b.tolist() == [1, 1, 1]
    run([a, b])
    assert a.tolist() == [2, 2, 2] and b.tolist() == [2, 2, 2]


def spec(shape, stride, offset=0):
    return Spec(shape, stride, dtypes.float32, devices.CPU, offset)


def test_outputs_that_share_memory_are_views():
    x, y = f32("x", (2, 3), kind="input", number=0), f32("y", (2, 3))
    run = program("""SEGMENT(run) {
    for (int i = 0; i < 6; i++) ((float*)bufs[1])[i] = ((float*)bufs[0])[i] + 1;
    return 0;
}""", [x, y], [Place("input", 0), Place("output", 0)], [None, None, y, None],
        aliases={0: Alias("input", 0, spec((3,), (1,), 3)), 1: Alias("output", 2, spec((3, 2), (1, 3))),
                 3: Alias("input", 0, spec((4, 3), (0, 1)))}, returned=4)
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    row, turned, y_out, wide = run([a])
    assert row.tolist() == [3, 4, 5] and np.shares_memory(row, a)
    assert np.shares_memory(turned, y_out) and turned.tolist() == (a + 1).T.tolist()
    assert wide.shape == (4, 3) and not wide.flags.writeable
    row[0] = 9
    assert a[1, 0] == 9


def test_the_same_output_twice_and_outputs_in_other_places():
    x, inner, fixed = f32("x", (2,), kind="input", number=0), f32("inner", (2,)), f32("fixed", (2,))
    run = program("""SEGMENT(run) {
    for (int i = 0; i < 2; i++) ((float*)bufs[1])[i] = ((float*)bufs[0])[i] + ((float*)bufs[2])[i];
    return 0;
}""", [x, inner, fixed], [Place("input", 0), Place("arena", 0), Place("constant", 0)], [inner, inner, fixed, x],
        arena=64, constants=[np.array([10, 20], np.float32)])
    a = np.array([1, 2], np.float32)
    one, two, three, four = run([a])
    assert one is two and one.tolist() == [11, 22] and three.tolist() == [10, 20]
    assert four.tolist() == [1, 2] and not np.shares_memory(four, a)
    again = run([a + 1])[0]
    assert one.tolist() == [11, 22] and again.tolist() == [12, 23]


def erf_between():
    """out = erf(2 x) + x, where erf is an operator called from Python."""
    x, m, e, y = f32("x", (4,), kind="input", number=0), f32("m", (4,)), f32("e", (4,)), f32("y", (4,))
    step = Extern(registry.find("aten::erf"), (m,), {}, [e], [m])
    return program("""SEGMENT(first) {
    for (int i = 0; i < 4; i++) ((float*)bufs[1])[i] = 2 * ((float*)bufs[0])[i];
    return 0;
}
SEGMENT(second) {
    for (int i = 0; i < 4; i++) ((float*)bufs[3])[i] = ((float*)bufs[2])[i] + ((float*)bufs[0])[i];
    return 0;
}""", [x, m, e, y], [Place("input", 0), Place("arena", 0), Place("extern", 0), Place("output", 0)], [y], arena=64,
        script=[("segment", "first"), ("extern", step), ("segment", "second")])


def test_operators_between_segments():
    from scipy.special import erf

    x = np.linspace(-1, 1, 4, dtype=np.float32)
    run = erf_between()
    for _ in range(2):
        np.testing.assert_allclose(run([x])[0], erf(2 * x) + x, rtol=1e-6)


def test_operators_get_views_lists_and_numbers():
    x = f32("x", (2, 3), kind="input", number=0)
    part = Buffer("x", "float32", (2,), (3,), 1, "input", 0, None, x)
    out = f32("out", (4,))
    step = Extern(registry.find("aten::cat"), ([part, part], lift(Var("k"))), {}, [out], [x])
    run = program("", [x, out], [Place("input", 0), Place("output", 0)], [out], script=[("extern", step)],
                  symbols={"k": ("scalar", 0)})
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert run([a], (0,))[0].tolist() == [1, 4, 1, 4]


def test_operators_that_write_get_copies():
    x = f32("x", (5,), kind="input", number=0)
    out = f32("out", (5,))
    op = registry.find("aten::add_.Tensor")
    step = Extern(op, (x, x), {"alpha": 2}, [out], [x])
    run = program("", [x, out], [Place("input", 0), Place("output", 0)], [out], script=[("extern", step)])
    a = np.ones(5, np.float32)
    assert run([a])[0].tolist() == [3] * 5 and a.tolist() == [1] * 5
    run = program("", [x, out], [Place("input", 0), Place("extern", 0)], [out], script=[("extern", step)])
    assert run([a])[0].tolist() == [3] * 5 and a.tolist() == [1] * 5


def test_results_that_share_an_arguments_memory_are_copied():
    x, out = f32("x", (2, 3), kind="input", number=0), f32("out", (3, 2))
    step = Extern(registry.find("aten::t"), (x,), {}, [out], [x])
    run = program("", [x, out], [Place("input", 0), Place("extern", 0)], [out], script=[("extern", step)])
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    [y] = run([a])
    assert y.tolist() == a.T.tolist() and y.flags.c_contiguous and not np.shares_memory(a, y)


def growing():
    """out[s0] = 2 * in, by way of the arena."""
    s0 = lift(Var("s0"))
    x, m, y = f32("x", (s0,), kind="input", number=0), f32("m", (s0,)), f32("y", (s0 * 1,))
    body = """SEGMENT(run) {
    const float* x = (const float*)bufs[0];
    float *m = (float*)bufs[1], *y = (float*)bufs[2];
    for (long i = 0; i < symbols[0]; i++) m[i] = x[i] * 2;
    for (long i = 0; i < symbols[0]; i++) y[i] = m[i];
    return 0;
}"""
    run = program(body, [x, m, y], [Place("input", 0), Place("arena", 0), Place("output", 0)], [y],
                  symbols={"s0": (0, 0)})
    run.facts.layout = [("s0*4", 0, 0, [1])]
    return run


def test_symbolic_sizes():
    run = growing()
    launch = run.launch
    for n in (3, 1000, 3, 7, *range(20, 40), 3):
        x = np.arange(n, dtype=np.float32)
        assert np.array_equal(run([x])[0], 2 * x)
        assert np.array_equal(launch([x])[0], 2 * x)
    assert sum(map(len, run._ready.values())) <= 8


def test_memory_of_sizes_that_come_again_is_kept():
    run, often = growing(), np.arange(5, dtype=np.float32)
    run([often])
    [made] = run._ready[5,]
    for n in range(20, 40):
        run([np.arange(n, dtype=np.float32)])
        assert run([often])[0].tolist() == [0, 2, 4, 6, 8]
    assert run._ready[5,] == [made]


def test_calls_at_the_same_time_have_memory_of_their_own():
    x, m, y = f32("x", (1000,), kind="input", number=0), f32("m", (1000,)), f32("y", (1000,))
    run = program("""SEGMENT(run) {
    const float* x = (const float*)bufs[0];
    float *m = (float*)bufs[1], *y = (float*)bufs[2];
    for (int k = 0; k < 300; k++) {
        for (int i = 0; i < 1000; i++) m[i] = k ? m[i] + x[i] : x[i];
        __asm__ volatile("" ::: "memory");
    }
    for (int i = 0; i < 1000; i++) y[i] = m[i];
    return 0;
}""", [x, m, y], [Place("input", 0), Place("arena", 0), Place("output", 0)], [y], arena=4000)
    run.facts.work = 10**9
    run = Program(run.facts, run.library)
    wrong = []

    def work(value):
        a = np.full(1000, value, np.float32)
        for _ in range(40):
            [y] = run([a])
            if not (y == 300 * value).all():
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_programs_are_collected():
    import weakref

    run = doubling()
    run([np.zeros(4, np.float32)], (0.0,))
    gone = weakref.ref(run)
    del run
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("origin", ["numpy", "scipy"])
@pytest.mark.parametrize("kind", ["float", "double"])
def test_blas_from_compiled_code(origin, kind, flavour):
    import ctypes

    if flavour == "ctypes":
        pytest.skip("the same in both")
    table = blas._of_numpy() if origin == "numpy" else blas._of_scipy()
    if not table:
        pytest.skip("no such BLAS here")
    library = load(f"""#include "lamella/blas.h"
extern "C" void product(int ta, int tb, long m, long n, long k, {kind}* a, long lda, {kind}* b, long ldb, {kind}* c) {{
    lamella::blas::gemm<{kind}>(ta, tb, m, n, k, 2, a, lda, b, ldb, 1, c, n);
}}
extern "C" void vector(int ta, long m, long n, {kind}* a, {kind}* x, {kind}* y) {{
    lamella::blas::gemv<{kind}>(ta, m, n, 1, a, n, x, 1, 0, y, 1);
}}
""")
    library.handle.lamella_init((ctypes.c_void_p * len(table))(*table))
    dtype = np.float32 if kind == "float" else np.float64
    rng = np.random.default_rng(0)
    for ta in (0, 1):
        for tb in (0, 1):
            a, b = rng.random((3, 4)).astype(dtype), rng.random((4, 5)).astype(dtype)
            given_a, given_b = np.ascontiguousarray(a.T if ta else a), np.ascontiguousarray(b.T if tb else b)
            c = np.ones((3, 5), dtype)
            p = [ctypes.c_void_p(t.ctypes.data) for t in (given_a, given_b, c)]
            size = [ctypes.c_long(n) for n in (3, 5, 4, given_a.shape[1], given_b.shape[1])]
            library.handle.product(ta, tb, *size[:3], p[0], size[3], p[1], size[4], p[2])
            np.testing.assert_allclose(c, 2 * a @ b + 1, rtol=1e-5)
        x = rng.random(3 if ta else 4).astype(dtype)
        y = np.full(4 if ta else 3, np.nan, dtype)
        pointers = [ctypes.c_void_p(t.ctypes.data) for t in (a, x, y)]
        library.handle.vector(ta, ctypes.c_long(3), ctypes.c_long(4), *pointers)
        np.testing.assert_allclose(y, (a.T if ta else a) @ x, rtol=1e-5)
    library._give_blas()


def threads_of_a_region():
    """out = how many threads a parallel region gets."""
    x, y = f32("x", (1,), kind="input", number=0), f32("y", (1,))
    run = program("""#ifdef _OPENMP
#include <omp.h>
#endif
SEGMENT(run) {
    int n = 1;
#ifdef _OPENMP
#pragma omp parallel
    {
#pragma omp single
        n = omp_get_num_threads();
    }
#endif
    *(float*)bufs[1] = float(n);
    return 0;
}""", [x, y], [Place("input", 0), Place("output", 0)], [y])
    run.facts.work = 10**9
    return Program(run.facts, run.library)


def test_threads_are_those_of_eager_operators():
    from lamella.core import parallel

    run = threads_of_a_region()
    if not run.library.openmp:
        pytest.skip("no OpenMP here")
    x, before = np.zeros(1, np.float32), parallel.threads()
    try:
        for n in (1, 3, 2):
            parallel.set_threads(n)
            assert run([x])[0][0] == n
    finally:
        parallel.set_threads(before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_does_not_wait_for_threads_that_it_lacks():
    run = threads_of_a_region()
    x = np.zeros(1, np.float32)
    run([x])
    child = os.fork()
    if not child:
        os._exit(0 if run([x])[0][0] == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_few_large_arrays_are_kept():
    from lamella.compile.runtime.memory import kept

    assert kept("float32", (10, 10)) == 8 and kept("float32", (1000, 1000)) == 2


def test_what_is_held_never_changes():
    run, rng, held = doubling(), np.random.default_rng(0), []
    for n in [*range(100)] * 6:
        [y] = run([np.full(4, n, np.float32)], (1.0,))
        choice = rng.integers(0, 4)
        held.append((n, (y, y[1:], y.reshape(2, 2).T, memoryview(y))[choice]))
        del y
        while len(held) > rng.integers(0, 12):
            held.pop(rng.integers(0, len(held)))
        for k, value in held:
            assert (np.asarray(value) == 2 * k + 1).all()


def test_a_call_is_under_way_until_its_outputs_are_there():
    seen = []

    def pooled():
        seen.append((made.busy, made([], ())))
        return np.zeros(2, np.float32)

    def last(inputs, results, frame):
        seen.append((made.busy, made([], ())))
        return "made"

    outputs = [(launchers.POOL, 0, pooled, 1), (launchers.MAKE, 0, last, 0)]
    made = programs.launcher()(1, [], [], 0, (), outputs, [], 2, False, False, np.ndarray,
                               lambda inputs, scalars: "slow", None, {}, 0)
    results = made([], ())
    assert results[0].tolist() == [0, 0] and results[1] == "made"
    assert seen == [(1, "slow")] * 2 and not made.busy
