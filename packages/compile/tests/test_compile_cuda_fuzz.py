"""Random programs of loops: fused for a GPU and run by emulation, they give what the loops give one by one."""

import importlib.util
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from lamella.compile import emit
from lamella.compile.emit.cuda import kernels
from lamella.compile.emit.launch import Product
from lamella.compile.loops.device import DeviceProduct
from lamella.compile.loops.ir import Native
from lamella.compile.schedule import schedule

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

_spec = importlib.util.spec_from_file_location(
    "compile_cuda_emit_helper", Path(__file__).with_name("compile_cuda_emit_helper.py"))
helper = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(helper)
programs, cpp = helper.module("test_compile_schedule_fuzz"), helper.module("test_compile_emit_fuzz")
programs.gemm = cpp.product


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
    plans, texts, names = {}, [], {}
    for seed in seeds:
        source = emit.emit(plan := schedule(program_of(seed), target="cuda"), "cuda")
        names[seed] = {name: f"s{seed}_{name}" for name in source.kernels}
        text = re.sub(r"#include .*", "", source.text)
        plans[seed] = plan, source
        texts.append(re.sub(r"(__launch_bounds__\(\d+\)\s+)(\w+)\(", rf"\1s{seed}_\2(", text))
    built = helper.emulation.Module("\n".join(['#include "lamella/cuda/loops.cuh"', *texts]))
    for seed, (plan, source) in plans.items():
        check(seed, plan, source, built, order)


def check(seed, plan, source, built, order):
    program = program_of(seed)
    values = np.random.default_rng(seed)
    inputs = [values.standard_normal([programs.count([n]) for n in b.shape]) for b in program.inputs[:4]]
    inputs.append(values.integers(-4, 4, 6))
    expected = programs.Reference(program, inputs, ()).run()
    memory = cpp.Memory(plan, inputs, {"s0": 6})
    flat = {n: np.frombuffer((helper.emulation.ctypes.c_char * (8 * 256)).from_address(p), "f8")
            for n, p in enumerate(memory.table)}
    for kind, step in source.script:
        if kind == "product":
            assert isinstance(step, Product)
            multiply(helper.with_sizes(step, lambda n: n if isinstance(n, int) else n.evaluate({"s0": 6})), flat)
            continue
        moved = helper.with_sizes(step, lambda n: n)
        moved.kernel = f"s{seed}_{step.kernel}"
        helper.run_script([(kind, moved)], built, list(memory.table), {"s0": 6}, (), order)
    for o, (want, out) in enumerate(zip(expected, plan.outputs)):
        if o not in program.mutations.values() and out in memory.made:
            got = memory.made[out].view(want.dtype).ravel()[:want.size].reshape(want.shape)
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9, err_msg=f"seed {seed} output {o}")
    for number in range(4):
        want = expected[program.mutations[number]] if number in program.mutations else inputs[number]
        np.testing.assert_allclose(memory.inputs[number], want, 1e-9, 1e-9, err_msg=f"seed {seed} input {number}")


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
