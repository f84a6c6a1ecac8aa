"""Gradients on a GPU, on the stand-in for CuPy: core's samples, gradcheck on a part, transforms, hooks and errors."""

import warnings

import numpy as np
import pytest

import lamella.autograd as autograd
from lamella.autograd import func
from lamella.core import Tensor, float32, float64, ones, tensor, zeros
from lamella.core.samples import all_samples, resolve
from lamella.core.testing import as_function, differs, leaves, map_tensors

pytestmark = pytest.mark.usefixtures("cupy_on_numpy")
SAMPLES = [s for s in all_samples("lamella.core") if s.grad and not s.random]


def gradients(fn, call, dtype, device):
    """The gradients of the sum of a call's results."""
    inputs = []

    def move(t):
        r = t.detach().to(device)
        if r.is_floating_point():
            r = r.to(dtype)
        if t.requires_grad:
            inputs.append(r.requires_grad_())
        return r

    out = fn(*map_tensors(move, call[0]), **map_tensors(move, call[1]))
    given = [o for o in leaves(out) if isinstance(o, Tensor) and o.requires_grad]
    if given:
        sum((o * o.conj()).real.sum() if o.is_complex() else o.sum() for o in given).backward()
    return [t.grad for t in inputs]


@pytest.mark.parametrize("sample", SAMPLES, ids=[f"{i}-{s.name}" for i, s in enumerate(SAMPLES)])
def test_gradients_of_samples(sample):
    fn = resolve(sample.name)
    for dtype, tolerance in ((float64, 1e-7), (float32, 1e-3)):
        for call in sample.make():
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    want = gradients(fn, call, dtype, "cpu")
                except (NotImplementedError, RuntimeError) as refused:
                    with pytest.raises(type(refused)):
                        gradients(fn, call, dtype, "cuda")
                    continue
                got = gradients(fn, call, dtype, "cuda")
            assert all(g.is_cuda for g in got if g is not None)
            assert differs(want, got, tol=tolerance) is None, (dtype, call)


PART = ("mul", "div", "pow", "exp", "tanh", "sum", "mean", "prod", "var", "logsumexp", "softmax", "matmul", "einsum",
        "cat", "where", "gather", "index_select", "cumsum", "sort", "max", "clamp", "norm", "linalg.inv")  # fmt: skip


@pytest.mark.parametrize("name", PART)
def test_gradients_by_differences(name):
    sample = next((s for s in SAMPLES if s.name == name), None)
    if sample is None:
        pytest.skip("no sample of this name")
    fn = resolve(name)
    for args, kwargs in sample.make()[:2]:
        of_inputs, on_gpu = as_function(fn, args, kwargs, "cuda")
        assert not on_gpu or autograd.gradcheck(of_inputs, on_gpu, check_forward_ad=True)
        assert not on_gpu or autograd.gradgradcheck(of_inputs, on_gpu)


def curve(x):
    return (x.sin() * x * x).sum()


def test_transforms():
    x = tensor(np.linspace(-1, 1, 5))
    y = x.to("cuda")
    for transform in (func.grad, func.hessian, func.jacrev, func.jacfwd):
        got = transform(curve)(y)
        assert got.is_cuda and differs(transform(curve)(x), got, tol=1e-9) is None
    want, got = (func.jvp(curve, (t,), (ones(5, dtype=float64, device=t.device),)) for t in (x, y))
    assert differs(want, got, tol=1e-9) is None
    rows = tensor(np.random.default_rng(0).standard_normal((3, 5)))
    got = func.vmap(func.grad(curve))(rows.to("cuda"))
    assert got.is_cuda and differs(func.vmap(func.grad(curve))(rows), got, tol=1e-9) is None


def test_graphs_cross_devices():
    x = ones(3, requires_grad=True)
    y = x.to("cuda:1") * 2
    z = y.to("cuda:0") * tensor([1.0, 2.0, 3.0], device="cuda:0")
    z.cpu().sum().backward()
    assert x.grad.tolist() == [2, 4, 6] and not x.grad.is_cuda
    w = ones(3, device="cuda:1", requires_grad=True)
    seen = []
    w.register_hook(lambda g: seen.append(str(g.device)))
    ((w * 3).to("cpu") * 2).sum().backward()
    assert seen == ["cuda:1"] and w.grad.tolist() == [6, 6, 6] and str(w.grad.device) == "cuda:1"
    w.grad = None
    (w * w).sum().backward()
    (w * w).sum().backward()
    assert w.grad.tolist() == [4, 4, 4]


def test_functions_modes_and_versions():
    class Cube(autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

    x = tensor([2.0], device="cuda", requires_grad=True)
    Cube.apply(x).backward()
    assert x.grad.item() == 12
    with autograd.no_grad():
        assert not (x * 2).requires_grad
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="exp"):
        y.backward()
    a = zeros(3, device="cuda")
    b = a[1:]
    b.copy_(tensor([1.0, 2.0], device="cuda"))
    assert a.tolist() == [0, 1, 2] and a._version == b._version > 0


def test_gradients_of_the_wrong_device_are_refused():
    x = ones(2, device="cuda", requires_grad=True)
    with pytest.raises(RuntimeError):
        (x * 2).backward(ones(2))
    with pytest.raises(RuntimeError):
        x.grad = ones(2)
