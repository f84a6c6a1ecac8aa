"""Gradients at kinks, at the origin and of empty tensors, where the formula alone would give nan or nothing."""

import pytest

import lamella.autograd  # noqa: F401 - tensors get gradients
from lamella import core

T = core.tensor


def slope(f, *inputs):
    inputs = [T(x, requires_grad=True) for x in inputs]
    f(*inputs).sum().backward()
    return [x.grad.tolist() for x in inputs]


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("shape", [(2, 0), (0, 2), (0, 0)])
def test_softmax_of_nothing(shape, dim):
    for f in (core.softmax, core.log_softmax):
        x = core.zeros(shape, requires_grad=True)
        f(x, dim).sum().backward()
        assert x.grad.shape == shape


def test_places_in_rows_of_nothing():
    x = core.zeros(3, 0, requires_grad=True)
    x[T([2, 0, 2])].sum().backward()
    assert x.grad.shape == (3, 0)


def test_the_angle_at_the_origin():
    assert slope(core.atan2, [0.0, 1.0], [0.0, 0.0]) == [[0.0, 0.0], [-0.0, -1.0]]


def test_products_into_places_that_nothing_reaches():
    for index in (T([0, 0, 2]), T([0, 2, 2])):
        by = slope(lambda x: core.index_reduce(x, 0, index, core.zeros(3), "prod", include_self=False), [0.0] * 3)  # noqa: B023
        assert by == [[0.0, 1.0, 0.0]]


@pytest.mark.parametrize(
    ("part", "offset", "slope"),
    [(slice(0, 0), None, []), (slice(0, 2), None, [1, 1]), (slice(3, 6), 0, [1, 0, 0]), (slice(2, 4), 1, [1, 1])],
)
def test_strides_that_reach_beyond_their_tensor(part, offset, slope):
    """The gradient has room for all that the view looked at, in front of its tensor and behind it."""
    x = core.arange(6.0)[part].requires_grad_()
    x.as_strided((2, 2), (1, 2), offset).sum().backward()
    assert x.grad.tolist() == slope
    x = core.arange(6.0)[part].requires_grad_()
    y = x.as_strided((2, 2), (1, 1), offset)  # elements repeat
    (y * y).sum().backward()
    assert x.grad.shape == x.shape


@pytest.mark.parametrize(
    "f",
    [
        lambda x, d: x.sum(dtype=d), lambda x, d: x.sum(0, dtype=d), lambda x, d: x.mean(dtype=d),
        lambda x, d: x.mean(0, dtype=d), lambda x, d: x.nansum(dtype=d), lambda x, d: x.prod(dtype=d),
        lambda x, d: x.prod(0, dtype=d), lambda x, d: x.cumsum(0, dtype=d), lambda x, d: x.cumprod(0, dtype=d),
        lambda x, d: core.norm(x, 1, 0, dtype=d), lambda x, d: core.norm(x, dtype=d),
        lambda x, d: x.softmax(0, dtype=d),
    ],
)  # fmt: skip
@pytest.mark.parametrize("types", [(core.float32, core.float64), (core.bfloat16, core.float32)])
def test_gradients_have_the_type_of_what_they_belong_to(f, types):
    """Also where a reduction converts its input first."""
    x = T([[0.5, 2.0], [0.25, 1.0]], dtype=types[0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    f(y, types[1]).sum().backward()
    assert x.grad.dtype is y.grad.dtype is types[0]


def test_the_real_part_comes_back_from_a_complex_sum():
    x = core.ones(2, requires_grad=True)
    x.sum(dtype=core.complex64).backward(T(1 + 2j))
    assert x.grad.tolist() == [1.0, 1.0]


def test_whole_numbers_among_results_carry_no_gradient():
    """The gradient of frexp's mantissa reads its exponent, which is flat."""
    x = T([0.3, 5.0, 40.0], requires_grad=True)
    mantissa, _ = core.frexp(x)
    (g,) = lamella.autograd.grad(mantissa.sum(), x, create_graph=True)
    assert g.tolist() == [2.0, 0.125, 0.015625] and not g.requires_grad
