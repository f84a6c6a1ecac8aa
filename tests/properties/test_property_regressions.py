"""Differences that the properties found, as plain cases."""

import pytest

from lamella import torch

NARROW = pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
NUMBERS = pytest.mark.parametrize("number", [torch.tensor(-2.928, dtype=torch.float64), -2.928])
SIZES = pytest.mark.parametrize("size", [2, 5000])  # what is large is computed in blocks


@NARROW
@NUMBERS
@SIZES
def test_operands_are_rounded_to_a_narrow_type_before_the_operation(dtype, number, size):
    x = torch.linspace(-3, 3.25, size, dtype=torch.float64).to(dtype)
    rounded = torch.full((size,), -2.928, dtype=dtype)
    for fn in (torch.add, torch.sub, torch.remainder, torch.fmod, torch.pow, torch.eq, torch.lt):
        got, want = fn(x, number), fn(x, rounded)
        assert torch.equal(got.isnan(), want.isnan()), fn
        assert torch.equal(torch.nan_to_num(got), torch.nan_to_num(want)), fn
    assert torch.equal(number - x, rounded - x) and torch.equal(number + x, rounded + x)
    assert torch.equal(torch.add(x, number, alpha=2), torch.add(x, rounded, alpha=2))
    assert torch.equal(x.clone().add_(number), x + rounded)
    for alpha in (2.928, -0.1):
        scaled = torch.add(x.float(), x.float() * torch.tensor(alpha, dtype=dtype).float()).to(dtype)
        assert torch.equal(torch.add(x, x, alpha=alpha), scaled)
        assert torch.equal(torch.sub(x, x, alpha=-alpha), scaled)
    assert torch.equal(torch.pow(2.928, x), torch.pow(torch.full((size,), 2.928, dtype=dtype), x))


@NARROW
@NUMBERS
@SIZES
def test_products_and_quotients_take_a_second_operand_without_dimensions_as_it_is(dtype, number, size):
    x = torch.linspace(-3, 3.25, size, dtype=torch.float64).to(dtype)
    wide, exact = x.float(), torch.tensor(-2.928)
    for fn in (torch.mul, torch.div, torch.floor_divide):
        assert torch.equal(fn(x, number), fn(wide, exact).to(dtype)), fn
    assert torch.equal(x.clone().mul_(number), (wide * exact).to(dtype))
    assert torch.equal(-2.928 * x, (wide * exact).to(dtype))
    zero_first = torch.tensor(-2.928, dtype=torch.float64) * x
    assert torch.equal(zero_first, torch.full((size,), -2.928, dtype=dtype) * x)


def test_nan_to_num_of_bfloat16():
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), 1.5], dtype=torch.bfloat16)
    limits = torch.finfo(torch.bfloat16)
    assert torch.nan_to_num(x).tolist() == [0, limits.max, limits.min, 1.5]
    assert torch.nan_to_num(x, 3.0, 4.0, 5.0).tolist() == [3, 4, 5, 1.5]
    assert torch.nan_to_num(x).dtype is torch.bfloat16


def test_a_weight_without_dimensions_may_have_another_type():
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    for weight in (torch.tensor(0.5, dtype=torch.float64), torch.tensor(1), torch.tensor(True)):
        assert torch.lerp(x, y, weight).dtype is torch.float32
        assert torch.equal(torch.lerp(x, y, weight), torch.lerp(x, y, float(weight)))
    weight = torch.tensor(0.25, dtype=torch.float64, requires_grad=True)
    torch.lerp(x, y, weight).sum().backward()
    assert weight.grad.dtype is torch.float64 and weight.grad.item() == 4
    with pytest.raises(RuntimeError, match="dtype"):
        torch.lerp(x, y, torch.tensor([0.5], dtype=torch.float64))


def test_logarithms_of_numbers_keep_the_tensors_type():
    for dtype in (torch.float32, torch.float64):
        x = torch.tensor([0.0, 2.0], dtype=dtype)
        for fn in (torch.xlogy, torch.special.xlogy, torch.special.xlog1py):
            for number in (0.5, 2):
                assert fn(x, number).dtype is dtype and fn(number, x + 1).dtype is dtype
                assert torch.equal(fn(x, number), fn(x, torch.full((2,), number, dtype=dtype)))


def test_values_of_two_dimensions_do_not_fit_a_mask():
    x = torch.zeros(1)
    with pytest.raises(RuntimeError, match=r"value tensor of shape \[2, 1\] cannot be broadcast"):
        x[torch.tensor([True])] = torch.ones(2, 1)
    x = torch.zeros(3, 2)
    with pytest.raises(RuntimeError, match="cannot be broadcast"):
        x[x == 0] = torch.ones(2, 3)


def test_places_are_not_looked_at_where_nothing_is_written():
    x = torch.zeros(1, 0, 1)
    places = torch.tensor([50, 0])
    assert x[0, :, places].shape == (0, 2)
    x[0, :, places] = 1.0
    x[:, :, places] = torch.ones(2)
    y = torch.zeros(1, 1, 0, 1)
    assert y[:, places, :, places].shape == (2, 1, 0) and y[None, :, places].shape == (1, 1, 2, 0, 1)
    y[:, places, :, places] = 1.0
    with pytest.raises(IndexError, match="index 50 is out of bounds"):
        torch.zeros(1, 1, 1)[places, :, places]
    with pytest.raises(IndexError):
        torch.zeros(0, 3)[places] = 1.0
