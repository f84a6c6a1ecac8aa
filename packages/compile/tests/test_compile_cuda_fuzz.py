"""Random programs of loops: fused for a GPU and run by emulation, they give what the loops give one by one."""

import re
import shutil

import compile_cuda_emulation as emulation
import numpy as np
import pytest
import test_compile_emit_fuzz as cpp
from compile_cuda_emit_helper import run_script

from lamella.compile import emit
from lamella.compile.emit.cuda import kernels
from lamella.compile.emit.launch import Product, with_sizes
from lamella.compile.loops.device import DeviceProduct
from lamella.compile.loops.ir import Native
from lamella.compile.schedule import schedule

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
programs = cpp.programs


def program_of(seed):
    """A program whose products are the device's."""
    made = programs.Maker(seed).program()
    for step in made.steps:
        if isinstance(step, Native):
            m, n, k, alpha, a, _, _, b, _, _, _, c, *_ = step.arguments
            step.calls = [DeviceProduct("float64", "float64", 1, m, n, k, a, b, c, (0, k, 1), (0, n, 1), (0, n, 1))]
    return made


def multiply(step, arrays):
    a, b, c = (arrays[x.slot] for x in (step.a, step.b, step.c))
    m, n, k = step.m, step.n, step.k
    c[:m * n] = (a[:m * k].reshape(m, k) @ b[:k * n].reshape(k, n)).ravel()


def run(seeds, order=0):
    plans, texts = {}, []
    for seed in seeds:
        source = emit.emit(plan := schedule(program_of(seed), target="cuda"), "cuda")
        text = re.sub(r"#include .*", "", source.text)
        plans[seed] = plan, source
        texts.append(re.sub(r"(__launch_bounds__\(\d+\)\s+)(\w+)\(", rf"\1s{seed}_\2(", text))
    built = emulation.Module("\n".join(['#include "lamella/cuda/loops.cuh"', *texts]))
    for seed, (plan, source) in plans.items():
        check(seed, plan, source, built, order)


def check(seed, plan, source, built, order):
    program = program_of(seed)
    inputs = cpp.inputs_of(seed, program)
    expected = programs.Reference(program, inputs, ()).run()
    memory = cpp.Memory(plan, inputs, {"s0": 6})
    flat = {n: np.frombuffer((emulation.ctypes.c_char * (8 * 256)).from_address(p), "f8")
            for n, p in enumerate(memory.table)}
    for kind, step in source.script:
        if kind == "product":
            assert isinstance(step, Product)
            multiply(with_sizes(step, lambda n: n if isinstance(n, int) else n.evaluate({"s0": 6})), flat)
            continue
        moved = with_sizes(step, lambda n: n)
        moved.kernel = f"s{seed}_{step.kernel}"
        run_script([(kind, moved)], built, list(memory.table), {"s0": 6}, (), order)
    cpp.compare(seed, program, plan, memory, inputs, expected)


@pytest.mark.parametrize("block", range(3))
def test_random_programs(block):
    run(range(block * 10, block * 10 + 10), order=block % 2)


#: Who shares rows, and how: limits of `kernels` that small programs meet.
FORMS = {
    "block": {"SHORT": 0, "NARROW": 0, "THREADS": 64, "BLOCKS": 2, "MOST_THREADS": 0, "LISTED": 1, "MOST_OWNERS": 4},
    "warp": {"SHORT": 0, "NARROW": 10000, "THREADS": 32, "BLOCKS": 1, "LISTED": 1, "MANY": 0, "OWNERS": 3},
    "thread": {"SHORT": 10000, "THREADS": 32, "BLOCKS": 2},
}


@pytest.mark.parametrize("form", FORMS)
def test_random_programs_whose_rows_are_shared_otherwise(form, monkeypatch):
    for name, value in FORMS[form].items():
        monkeypatch.setattr(kernels, name, value)
    for order in (0, 1):
        run(range(10), order)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(3, 30))
def test_more_random_programs(block, monkeypatch):
    run(range(block * 10, block * 10 + 10), order=block % 2)
    for values in FORMS.values():
        with monkeypatch.context() as changed:
            for name, value in values.items():
                changed.setattr(kernels, name, value)
            run(range(block * 10, block * 10 + 10), order=1 - block % 2)
