"""CUDA programs without a GPU: every kernel of the operators' samples and of whole training steps is built by NVRTC for
sm_80 and sm_90, and the same text, built by g++, gives eager's numbers."""

from __future__ import annotations

import gc
import shutil
import warnings

import compile_cuda_models as models
import compile_cuda_programs as programs
import numpy as np
import pytest
import test_compile_samples as samples
from compile_cuda_guarded import GuardedDevice, guard
from compile_cuda_programs import needs_nvrtc

from lamella import core
from lamella.compile import compile
from lamella.compile.runtime.cuda import using
from lamella.core.testing import map_tensors

CHUNKS = samples.CHUNKS
DTYPES = ["float32", "bfloat16", "float16"]
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
RUN = set()  # kernels of programs that gave eager's numbers
#: How far parameters may be apart after the steps of a training run, where all are about 1.
NEAR = {"float32": 2e-4, "bfloat16": 3e-2, "float16": 1.5e-2}


def build(dtypes, optimize):
    """Build the kernels of all programs: how many kernels, of how many programs."""
    builds = programs.Builds(optimize)
    gc.disable()  # a third of the time otherwise
    try:
        for dtype in dtypes:
            for text in texts(dtype):
                builds.add(text)
            gc.collect()
    finally:
        gc.enable()
    return builds.done(), builds.programs


def texts(dtype):
    """The text of each program in an element type."""
    for chunk in CHUNKS:
        _, functions, calls = samples.prepared(chunk, samples.converter(dtype), True)
        yield programs.take(samples.program(functions, True), calls)
    for name in models.ALL:
        work = model(name, dtype)
        if work is not None:
            yield programs.take(work.step)


def model(name, dtype):
    """A training step, or None where an example needs a package that is not there."""
    try:
        return models.Work(name, getattr(core, dtype))
    except ImportError:
        return None


@needs_nvrtc
def test_every_kernel_is_built_for_gpus(capsys):
    kernels, made = build(DTYPES, optimize=False)
    with capsys.disabled():
        print(f"\n{kernels} distinct CUDA kernels of {made} programs: NVRTC builds them for "
              f"{' and '.join(programs.ARCHITECTURES)}")
    assert kernels > 3000


@needs_nvrtc
@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_kernel_is_built_for_gpus_as_for_use(dtype):
    assert build([dtype], optimize=True)[0] > 1000


def check_samples(chunk, dtype, order=0):
    names, functions, calls = samples.prepared(chunk, samples.converter(dtype), True)
    run = samples.program(functions, True)
    wanted = run(calls)
    exact = run(wide(calls)) if dtype != "float32" else wanted
    with warnings.catch_warnings(), using(GuardedDevice(order)) as device:
        warnings.simplefilter("error")
        got = compile(run, fullgraph=True, backend="cuda")(guard(calls))
    bad = [f"{name}: {wrong}" for name, *found in zip(names, got, wanted, exact) if (wrong := difference(*found))]
    assert not bad, "\n".join(bad)
    agreed(device)


def agreed(device):
    """Count the kernels of programs that gave eager's numbers."""
    for text in device._modules:
        RUN.update(programs.kernels(text))


def wide(value):
    """The same arguments in float64."""
    return map_tensors(lambda t: t if not t.dtype.is_floating_point else
                       t.detach().to(core.float64).requires_grad_(t.requires_grad), value)


def difference(got, wanted, exact):
    """How results differ from eager's: more than rounding, and more than eager's own are from the exact ones; or ""."""
    if len(got) != len(wanted):
        return f"{len(got)} results, not {len(wanted)}"
    for a, b, c in zip(got, wanted, exact):
        if a.dtype is not b.dtype or a.shape != b.shape:
            return f"{a.dtype} {tuple(a.shape)}, not {b.dtype} {tuple(b.shape)}"
        x, y, z = (t.detach().resolve_conj()._a for t in (a, b, c))
        if x.dtype.kind not in "fcV":
            if not np.array_equal(x, y):
                return f"{x.ravel()[:8]}, not {y.ravel()[:8]}"
            continue
        limit, wide_type = samples.CLOSE[b.dtype.name], np.complex128 if x.dtype.kind == "c" else np.float64
        x, y, z = x.astype(wide_type), y.astype(wide_type), z.astype(wide_type)
        with np.errstate(all="ignore"):
            good = np.isclose(x, y, limit, limit, equal_nan=True) | (abs(x - z) <= 2 * abs(y - z))
        if not good.all():
            return f"{x[~good][:5]}, not {y[~good][:5]} (exactly {z[~good][:5]})"
    return ""


def check_model(name, dtype):
    ours, eager = model(name, dtype), model(name, dtype)
    if ours is None:
        pytest.skip("the example needs a package that is not installed")
    limit = NEAR[dtype]
    with using(GuardedDevice()) as device:
        step = compile(ours.step, fullgraph=True, backend="cuda")
        for _ in range(3):
            np.testing.assert_allclose(float(step()), float(eager.step()), limit, limit)
    for key, value in eager.state().items():
        got = ours.state()[key].to(core.float64)._a
        np.testing.assert_allclose(got, value.to(core.float64)._a, limit, limit, err_msg=key)
    agreed(device)


@needs_compiler
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["resnet_block", "lstm", "causal_attention"])
def test_models(name, dtype):
    check_model(name, dtype)


@needs_compiler
@pytest.mark.parametrize("chunk, dtype", [(13, "float32"), (17, "bfloat16"), (27, "float16")])
def test_some_samples(chunk, dtype):
    check_samples(CHUNKS[chunk], dtype)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("chunk", range(len(CHUNKS)), ids=lambda i: CHUNKS[i][0].name)
def test_samples(chunk, dtype):
    check_samples(CHUNKS[chunk], dtype, order=DTYPES.index(dtype) % 2)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", models.ALL)
def test_all_models(name, dtype):
    check_model(name, dtype)


@needs_compiler
@pytest.mark.slow
def test_how_many_kernels_ran(capsys):
    with capsys.disabled():
        print(f"\n{len(RUN)} distinct CUDA kernels gave eager's numbers on the host")
