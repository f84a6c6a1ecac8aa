"""Pooling: samples against torch, gradients, places of maxima, refusals."""

import numpy as np
import pytest

from lamella import core
from lamella.nn import functional as F
from lamella.nn.samples.pooling import SAMPLES as WINDOWS
from lamella.nn.samples.pooling_adaptive import SAMPLES as ADAPTIVE

ROWS = [("pooling", i, s) for i, s in enumerate(WINDOWS)] + [("pooling_adaptive", i, s) for i, s in enumerate(ADAPTIVE)]
IDS = [s.name.rpartition(".")[2] for _, _, s in ROWS]


@pytest.mark.parametrize("family, nr, sample", ROWS, ids=IDS)
def test_values(family, nr, sample, same_as_torch):
    same_as_torch(family, nr, sample)


@pytest.mark.parametrize("sample", [s for _, _, s in ROWS], ids=IDS)
def test_shapes_and_gradients(sample, shapes_and_gradients):
    shapes_and_gradients(sample)


def test_the_first_of_equal_elements_counts():
    x = core.ones(1, 4, 4, requires_grad=True)
    values, places = F.max_pool2d(x, 2, return_indices=True)
    assert places.tolist() == [[[0, 2], [8, 10]]]
    values.sum().backward()
    assert x.grad.sum() == 4 and x.grad[0, 0, 0] == 1


def test_nans_win_and_infinities_stay_where_they_are():
    x = core.tensor([[1.0, float("nan"), 3.0, float("inf"), -float("inf"), -float("inf")]], requires_grad=True)
    values, places = F.max_pool1d(x, 2, return_indices=True)
    assert core.isnan(values[0, 0]) and values[0, 1:].tolist() == [float("inf"), -float("inf")]
    assert places.tolist() == [[1, 3, 4]]
    values.backward(core.tensor([[float("inf"), 1.0, 1.0]]))
    assert x.grad.tolist() == [[0, float("inf"), 0, 1, 1, 0]]


def test_with_and_without_a_gradient_the_values_agree():
    x = core.randn(2, 3, 9, 8)
    for how in ((3, 2, 1), ((2, 3), 1), (2, 2, 0, 2), (3, 2, 1, 1, True)):
        plain, recorded = F.max_pool2d(x, *how), F.max_pool2d(x.clone().requires_grad_(), *how)
        assert core.equal(plain, recorded.detach())


def test_windows_of_more_than_256_places():
    x = core.arange(1600.0).reshape(1, 1, 40, 40)
    assert F.max_pool2d(x, 20, return_indices=True)[1].flatten().tolist() == [779, 799, 1579, 1599]


def test_unpooling_undoes_pooling():
    x = core.arange(1.0, 37.0).reshape(1, 1, 6, 6)
    values, places = F.max_pool2d(x, 2, return_indices=True)
    back = F.max_unpool2d(values, places, 2)
    assert core.equal(F.max_pool2d(back, 2), values) and int((back != 0).sum()) == 9
    assert F.max_unpool2d(values, places, 2, output_size=(7, 7)).shape == (1, 1, 7, 7)


def test_averages_do_not_count_padding_unless_asked():
    x = core.ones(1, 1, 2, 2)
    assert F.avg_pool2d(x, 2, 1, 1, count_include_pad=False).unique().tolist() == [1]
    assert F.avg_pool2d(x, 2, 1, 1)[0, 0, 0].tolist() == [0.25, 0.5, 0.25]
    assert F.avg_pool2d(x, 2, divisor_override=1).item() == 4


def test_adaptive_pooling_takes_the_input_s_size_for_none():
    x = core.randn(2, 3, 5, 7)
    assert F.adaptive_avg_pool2d(x, (None, 2)).shape == (2, 3, 5, 2)
    assert core.equal(F.adaptive_max_pool2d(x, (5, None)), x)
    assert core.allclose(F.adaptive_avg_pool2d(x, 1), x.mean((2, 3), keepdim=True))


def test_half_precision_averages_in_float32():
    x = core.full((1, 5000), 3.0, dtype=core.float16)
    assert F.avg_pool1d(x, 5000).item() == 3


def test_random_windows_follow_the_generator():
    x = core.randn(2, 3, 9, 9)
    core.manual_seed(3)
    a = F.fractional_max_pool2d(x, 2, output_ratio=0.5)
    core.manual_seed(3)
    assert core.equal(a, F.fractional_max_pool2d(x, 2, output_size=4)) and a.shape == (2, 3, 4, 4)


@pytest.mark.parametrize(
    "call, error, said",
    [
        (lambda x: F.max_pool2d(x, 3, 2, 2), RuntimeError, "at most half of effective kernel size"),
        (lambda x: F.max_pool2d(x, 0), RuntimeError, "greater than zero"),
        (lambda x: F.max_pool2d(x, 9), RuntimeError, "Output size is too small"),
        (lambda x: F.max_pool2d(x, (2, 2, 2)), RuntimeError, "tuple of 2 ints"),
        (lambda x: F.max_pool2d(x, 2.0), TypeError, "kernel_size"),
        (lambda x: F.max_pool2d(x[0, 0], 2), RuntimeError, "Expected 3D or 4D"),
        (lambda x: F.max_pool2d(x > 0, 2), NotImplementedError, "'Bool'"),
        (lambda x: F.avg_pool2d(x, 2, divisor_override=0), RuntimeError, "divisor must be not zero"),
        (lambda x: F.avg_pool2d(x, 2, 0), RuntimeError, "stride"),
        (lambda x: F.adaptive_avg_pool2d(x, (2, 2, 2)), RuntimeError, "tuple of 2 ints"),
        (lambda x: F.adaptive_avg_pool2d(x, -1), RuntimeError, "greater than or equal to 0"),
        (lambda x: F.adaptive_max_pool2d(x.long(), 2), NotImplementedError, "'Long'"),
        (lambda x: F.fractional_max_pool2d(x, 2), ValueError, "output_size or an output_ratio"),
        (lambda x: F.fractional_max_pool2d(x, 2, 6), RuntimeError, "do not fit"),
        (lambda x: F.max_unpool2d(x, x.long() + 999, 2), RuntimeError, "invalid max index"),
        (lambda x: F.max_unpool2d(x, x.int(), 2), RuntimeError, "int64"),
        (lambda x: F.max_unpool2d(x, x.long(), 2, output_size=(3, 3)), ValueError, "invalid output_size"),
        (lambda x: F.max_pool2d(3, 2), TypeError, "must be Tensor, not int"),
    ],
)
def test_refusals(call, error, said):
    with pytest.raises(error, match=said):
        call(core.zeros(1, 1, 6, 6))


def test_numbers_of_windows():
    x = np.zeros((1, 1, 7))
    for k, s, p, d, ceil, want in (
        (3, 2, 0, 1, False, 3),
        (2, 2, 0, 1, True, 4),
        (3, 3, 1, 1, True, 3),
        (2, 1, 0, 3, False, 4),
    ):
        assert F.max_pool1d(core.tensor(x), k, s, p, d, ceil).shape[-1] == want
