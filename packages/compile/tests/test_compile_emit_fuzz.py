"""Random programs of loops: fused and printed as C++, they give what the loops give one by one."""

import ctypes
import re
import shutil

import numpy as np
import pytest
import test_compile_schedule_fuzz as programs
from compile_emit_helper import Report, build

from lamella.compile import emit
from lamella.compile.emit.cpp import kernels, program as printed
from lamella.compile.loops.numpy_run import dtype_of
from lamella.compile.schedule import schedule

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


def product(m, n, k, alpha, a, ars, acs, b, brs, bcs, add, c, crs, bias):
    c[...] = a @ b


programs.gemm = product


class Memory:
    """The arrays of a plan, and the table that segments get."""

    def __init__(self, plan, inputs, symbols):
        self.plan, self.inputs = plan, [a.copy() for a in inputs]
        total, offsets = plan.layout(symbols)
        self.arena = np.full(total + 128, 0xFF, np.uint8)
        start = -self.arena.ctypes.data % 64
        self.made = {}
        pointers = []
        for b in plan.buffers:
            place = plan.places[b]
            if place.kind == "input":
                array = self.inputs[place.number]
            elif place.kind == "arena":
                array = self.arena[start + offsets[b]:]
            elif place.kind == "constant":
                array = np.asarray(plan.constants[place.number])
            else:
                shape = [n if isinstance(n, int) else n.evaluate(symbols) for n in b.shape]
                array = self.made.setdefault(place.number, np.empty(shape, dtype_of(b.dtype)))
            self.made[b] = array
            pointers.append(array.ctypes.data)
        self.table = (ctypes.c_void_p * len(pointers))(*pointers)


def run(seeds, flags=("-fopenmp",), threads=0):
    plans, texts, includes = {}, [], set()
    for seed in seeds:
        plan = schedule(programs.Maker(seed).program())
        source = emit.emit(plan)
        includes |= set(re.findall(r"#include .*", source.text))
        text = re.sub(r"#include .*", "", source.text).replace("namespace program", f"namespace program{seed}")
        text = text.replace("program::", f"program{seed}::").replace("int segment", f"int s{seed}_segment")
        plans[seed] = plan, source
        texts.append(text)
    library = build("\n".join([*sorted(includes), *texts]), flags)
    before = library.omp_get_max_threads()
    library.omp_set_num_threads(threads or before)
    try:
        for seed, (plan, source) in plans.items():
            check(seed, plan, source, library)
    finally:
        library.omp_set_num_threads(before)


def inputs_of(seed, program):
    """Numbers for a program's inputs."""
    values = np.random.default_rng(seed)
    inputs = [values.standard_normal([programs.count([n]) for n in b.shape]) for b in program.inputs[:4]]
    return [*inputs, values.integers(-4, 4, 6)]


def check(seed, plan, source, library):
    program = programs.Maker(seed).program()
    inputs = inputs_of(seed, program)
    expected = programs.Reference(program, inputs, ()).run()
    memory = Memory(plan, inputs, {"s0": 6})
    report, longs, doubles = Report(), (ctypes.c_long * 1)(6), (ctypes.c_double * 1)()
    for name in source.segments:
        assert not getattr(library, f"s{seed}_{name}")(memory.table, longs, doubles, ctypes.byref(report)), seed
    compare(seed, program, plan, memory, inputs, expected)


def compare(seed, program, plan, memory, inputs, expected):
    """What a plan left in its memory is what the loops give one by one."""
    for o, (want, out) in enumerate(zip(expected, plan.outputs)):
        if o not in program.mutations.values() and out in memory.made:
            got = memory.made[out].view(want.dtype).ravel()[:want.size].reshape(want.shape)
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9, err_msg=f"seed {seed} output {o}")
    for number in range(4):
        want = expected[program.mutations[number]] if number in program.mutations else inputs[number]
        np.testing.assert_allclose(memory.inputs[number], want, 1e-9, 1e-9, err_msg=f"seed {seed} input {number}")


@pytest.mark.parametrize("block", range(3))
def test_random_programs(block):
    run(range(block * 10, block * 10 + 10))


@pytest.mark.parametrize("block", range(3))
def test_random_programs_whose_smallest_loops_are_shared_out(block, monkeypatch):
    monkeypatch.setattr(kernels, "PARALLEL_WORK", 0)
    monkeypatch.setattr(printed, "PARALLEL_WORK", 0)
    run(range(block * 10, block * 10 + 10), ("-fopenmp", "-DLAMELLA_THREAD_WORK=1"), 4)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(3, 30))
def test_more_random_programs(block, monkeypatch):
    run(range(block * 10, block * 10 + 10))
    test_random_programs_whose_smallest_loops_are_shared_out(block, monkeypatch)
