"""Native kernels for small tensors give what the NumPy kernels give, and leave to those what they do not take."""

import math
import subprocess
import sys

import numpy as np
import pytest

import lamella.nn
from lamella import core
from lamella.compile import native
from lamella.compile.errors import BuildError, CompileError
from lamella.core.layouts import channels_last
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor
from lamella.dispatch import registry
from lamella.dispatch.keys import DispatchKey

SAMPLES = [s for package in ("lamella.core", "lamella.nn") for s in all_samples(package) if not s.random]


@pytest.fixture(scope="module")
def names():
    try:
        yield native.enable()
    except BuildError:
        raise
    except CompileError as error:
        pytest.skip(f"no native kernels here: {error}")
    finally:
        native.disable()


@pytest.fixture
def kernels(names):
    native.enable()
    yield names
    native.disable()


def plain(value):
    """Arrays in place of tensors, in nests."""
    if isinstance(value, Tensor):
        return value.detach()._a
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def same(got, wanted):
    """Compare nests of arrays."""
    if isinstance(wanted, np.ndarray):
        assert got.dtype == wanted.dtype and got.shape == wanted.shape
        if wanted.dtype.kind in "fc":
            close = 1e-11 if wanted.dtype.itemsize >= 8 and wanted.dtype != np.complex64 else 2e-5
            np.testing.assert_allclose(got, wanted, rtol=close, atol=close)
        else:
            np.testing.assert_array_equal(got, wanted)
    elif isinstance(wanted, list):
        assert len(got) == len(wanted)
        for g, w in zip(got, wanted):
            same(g, w)
    else:
        assert got == wanted or (got != got and wanted != wanted)


def single(value):
    """The same call in float32."""
    if isinstance(value, Tensor):
        return value.detach().to(core.float32) if value.dtype is core.float64 else value
    if isinstance(value, (list, tuple)):
        return type(value)(single(each) for each in value)
    return value


def outcome(f, args, kwargs):
    try:
        return plain(f(*args, **kwargs))
    except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
def test_results_are_those_of_the_numpy_kernels(sample, names):
    f = resolve(sample.name)
    for convert in (lambda x: x, single):
        results = []
        for switch in (native.disable, native.enable):
            switch()
            calls = [([convert(a) for a in args], {k: convert(v) for k, v in kwargs.items()})
                     for args, kwargs in sample.make(False)]
            results.append([outcome(f, args, kwargs) for args, kwargs in calls])
        same(results[1], results[0])


EDGES = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e30, -1e30, 1e-40]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", """sigmoid relu erf tanh neg square abs round sum mean prod max min amax amin argmax
    argmin var std isnan""".split())
def test_special_numbers(name, dtype, kernels):
    x = core.tensor(EDGES, dtype=getattr(core, dtype))
    f = getattr(core, name)
    got = plain(f(x))
    native.disable()
    with np.errstate(all="ignore"):
        same(got, plain(f(x)))


@pytest.mark.parametrize("name", "add sub mul div maximum minimum remainder eq ne lt le gt ge".split())
def test_pairs_of_special_numbers(name, kernels):
    a, b = np.meshgrid(np.float32(EDGES), np.float32(EDGES))
    x, y = core.tensor(a), core.tensor(b)
    f = getattr(core, name)
    cases = [(x, y), (x, y[0]), (x[0], y), (x[:, :1].contiguous(), y[0])]
    cases += [] if name in ("maximum", "minimum") else [(x, 2.5), (x, 0)]
    got = [plain(f(*c)) for c in cases]
    native.disable()
    same(got, [plain(f(*c)) for c in cases])


def test_bfloat16_and_float16_round_as_numpys_do(kernels):
    numbers = np.random.default_rng(0).standard_normal(500, dtype=np.float32)
    for d in (core.bfloat16, core.float16):
        x, y = core.tensor(numbers).to(d), core.tensor(numbers[::-1].copy()).to(d)
        got = [plain(t) for t in (x, x.float(), x + y, x * y, x - y, x / y)]
        native.disable()
        x, y = core.tensor(numbers).to(d), core.tensor(numbers[::-1].copy()).to(d)
        wanted = [plain(t) for t in (x, x.float(), x + y, x * y, x - y, x / y)]
        native.enable()
        for g, w in zip(got, wanted):
            assert g.dtype == w.dtype and g.tobytes() == w.tobytes()


def test_what_is_declined_goes_to_the_kernel_behind(kernels):
    x = core.randn(3, 4)
    assert core.equal(x.t() + x.t(), (x + x).t())
    assert (x.to(core.complex64) * 2).dtype is core.complex64
    assert core.randn(100, 100).sum().shape == ()
    with pytest.raises(RuntimeError, match="gather"):
        core.gather(x, 1, core.tensor([[9]]))
    with pytest.raises(IndexError):
        x.sum(5)
    with pytest.raises(RuntimeError):
        x + core.randn(5)


def test_gradients_and_versions(kernels):
    x = core.randn(4, 4, requires_grad=True)
    y = lamella.nn.functional.gelu(x @ x).softmax(1)
    y.sum().backward()
    assert x.grad.shape == (4, 4)
    z = core.randn(4, 4, requires_grad=True).exp()
    loss = (z * z).sum()
    z.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        loss.backward()


def test_kernels_are_registered_through_the_door_and_taken_back(names):
    native.enable()
    op = registry.find("aten::_softmax")
    assert "native" in str(op.kernel(DispatchKey.CPU).where)
    native.disable()
    assert "native" not in str(op.kernel(DispatchKey.CPU).where) and not native.enabled()


def test_somebody_elses_kernel_stays(names):
    native.disable()
    op = registry.find("aten::square")
    mine = op.register(DispatchKey.CPU, lambda self: self, override=True)
    try:
        native.enable()
        assert op.kernel(DispatchKey.CPU) is mine
    finally:
        native.disable()
        op.unregister(DispatchKey.CPU)
    assert core.square(core.tensor([3.0])).item() == 9


@pytest.mark.slow
def test_a_build_is_used_from_then_on(names, tmp_path):
    code = "from lamella import torch; from lamella.compile import native; print(native.enabled())"

    def started(mode):
        env = {"LAMELLA_NATIVE": mode, "LAMELLA_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert [started(mode) for mode in ("auto", "on", "auto", "off")] == ["False", "True", "True", "False"]
    [note] = tmp_path.glob("native-*.txt")
    library = note.read_text().splitlines()[1]
    with open(library, "r+b") as file:
        file.truncate(1000)
    assert started("auto") == "False"


def test_clones_keep_the_memory_format_that_is_asked_for(kernels):
    x = core.randn(2, 3, 4, 5)
    wanted = (60, 1, 15, 3)
    assert x.clone(memory_format=channels_last).stride() == wanted
    assert x.contiguous(memory_format=channels_last).stride() == wanted


def test_limits_are_numbers_of_the_tensors_type(kernels):
    x = core.tensor([0.1, 0.2], requires_grad=True)
    lamella.nn.functional.threshold(x, 0.1, 5.0).sum().backward()
    assert x.grad.tolist() == [0.0, 1.0]


def test_sizes_that_do_not_belong_together_go_to_the_kernel_behind(kernels):
    grad, at = core.randn(2, 3), core.tensor([0, 1, 0, 1])
    x, row, short = core.randn(4, 3), core.ones(3), core.ones(1, 1)
    calls = [("aten::embedding_dense_backward", (grad, at, 4, -1, False)),
             ("aten::native_layer_norm_backward", (x, x, (3,), short, short, row, row, (True, True, False)))]
    found = [outcome(registry.find(name).table[1], args, {}) for name, args in calls]
    native.disable()
    for (name, args), got in zip(calls, found):
        wanted = outcome(registry.find(name).table[1], args, {})
        assert got == wanted if isinstance(wanted, str) else same(got, wanted) is None
