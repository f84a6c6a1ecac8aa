"""Differences that the properties found, as plain cases."""

import pytest

from lamella import torch


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("number", [torch.tensor(-2.928, dtype=torch.float64), -2.928])
def test_operands_are_rounded_to_a_narrow_type_before_the_operation(dtype, number):
    x = torch.tensor([3.25, 1.0], dtype=dtype)
    rounded = torch.tensor(-2.928, dtype=dtype)
    for fn in (torch.add, torch.sub, torch.mul, torch.div, torch.remainder, torch.fmod):
        assert torch.equal(fn(x, number), fn(x, rounded)), fn
    assert torch.equal(torch.add(x, number, alpha=2), torch.add(x, rounded, alpha=2))
    assert torch.equal(x.clone().add_(number), x + rounded)


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
