"""Gradients pass through the namespace's functions, where lamella-autograd is there to compute them."""

import pytest

from lamella import core
from lamella.core import array_api as xp

autograd = pytest.importorskip("lamella.autograd")

ONE = """abs acos asin asinh atan atanh cos cosh exp expm1 imag log log1p log2 log10 negative positive real reciprocal
    sign sin sinh square sqrt tan tanh cumulative_sum cumulative_prod diff flip max mean min prod std sum var sort
    unique_values linalg.vector_norm fft.fft""".split()
TWO = "add atan2 copysign divide hypot logaddexp maximum minimum multiply pow remainder subtract matmul vecdot".split()
MATRIX = """linalg.cholesky linalg.det linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.pinv linalg.svdvals
    linalg.trace linalg.diagonal matrix_transpose tril triu""".split()


def find(name):
    found = xp
    for part in name.split("."):
        found = getattr(found, part)
    return found


def checked(fn, *xs):
    def total(*ys):
        out = fn(*ys)
        return core.view_as_real(out) if out.is_complex() else out

    return autograd.gradcheck(total, xs)


def leaf(*numbers):
    return core.tensor(numbers, dtype=core.float64, requires_grad=True)


@pytest.mark.parametrize("name", ONE)
def test_of_one_array(name):
    if name == "imag":
        z = core.tensor([1 + 2j, 3 - 1j], dtype=core.complex128, requires_grad=True)
        assert autograd.gradcheck(xp.imag, (z,))
        return
    assert checked(find(name), leaf(0.3, 0.9, 0.5))


@pytest.mark.parametrize("name", TWO)
def test_of_two_arrays(name):
    assert checked(find(name), leaf(0.3, 0.9, 0.5), leaf(0.4, 0.7, 0.8))


@pytest.mark.parametrize("name", MATRIX)
def test_of_matrices(name):
    x = core.tensor([[2.0, 0.3], [0.3, 1.0]], dtype=core.float64, requires_grad=True)
    assert checked(lambda y: find(name)((y + y.mT) / 2), x)


def test_of_several_arrays():
    x, y = leaf(0.3, 0.9, 0.5), leaf(0.4, 0.7, 0.8)
    m = core.tensor([[2.0, 0.3], [0.1, 1.0]], dtype=core.float64, requires_grad=True)
    condition, order = xp.asarray([True, False, True]), xp.asarray([2, 0])
    assert checked(lambda a, b: xp.where(condition, a, b), x, y)
    assert checked(lambda a, b: xp.concat([a, b]), x, y) and checked(lambda a, b: xp.stack([a, b], axis=1), x, y)
    assert checked(lambda a: xp.take(a, order), x) and checked(lambda a: xp.take_along_axis(a, order), x)
    assert checked(lambda a: xp.clip(a, 0.35, 0.8), x) and checked(lambda a, b: xp.clip(a, None, b), x, y)
    assert checked(xp.linalg.solve, m, leaf(1.0, 2.0)) and checked(xp.tensordot, m, m.detach().clone().requires_grad_())
    assert checked(lambda a: xp.astype(a, xp.complex128), x) and checked(lambda a: xp.linalg.svd(a).S, m)
    assert checked(lambda a: xp.sum(a, axis=()), x) and checked(lambda a: xp.reshape(a, (1, 3), copy=True), x)


def test_promotion_keeps_the_graph():
    x = core.ones(2, requires_grad=True)
    out = xp.add(x, core.tensor(1.0, dtype=core.float64))
    assert out.dtype is xp.float64
    xp.sum(out).backward()
    assert x.grad.tolist() == [1.0, 1.0] and x.grad.dtype is xp.float32
