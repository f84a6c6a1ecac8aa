"""torch's helpers for checks and for sizes."""

import pytest

from lamella import torch


@pytest.mark.parametrize(
    "name, error",
    [
        ("_check", RuntimeError),
        ("_check_index", IndexError),
        ("_check_value", ValueError),
        ("_check_type", TypeError),
        ("_check_not_implemented", NotImplementedError),
    ],
)
def test_each_check_has_its_error(name, error):
    check = getattr(torch, name)
    check(True)
    with pytest.raises(error, match="because"):
        check(False, lambda: "because")
    with pytest.raises(error, match="Expected cond"):
        check(False)
    with pytest.raises(TypeError):
        check(1)
    with pytest.raises(TypeError):
        check(torch.tensor(True))


def test_other_checks():
    torch._check_is_size(3, max=3)
    torch._check_tensor_all(torch.tensor([True, True]))
    torch._assert(1, "fine")
    torch._assert_async(torch.tensor(1))
    for call, error in (
        (lambda: torch._check_is_size(-1), RuntimeError),
        (lambda: torch._check_tensor_all(torch.tensor([True, False])), RuntimeError),
        (lambda: torch._assert(0, "no"), AssertionError),
        (lambda: torch._assert_async(torch.tensor(0), "no"), RuntimeError),
        (lambda: torch._check(False, "text"), TypeError),
    ):
        with pytest.raises(error):
            call()


def test_numbers_that_stand_for_sizes():
    assert torch.sym_int(2.7) == 2 and torch.sym_float(2) == 2.0 and torch.sym_not(0) and torch.sym_sqrt(9) == 3
    assert torch.sym_max(1, 2.0) == 2.0 and type(torch.sym_min(1, 2.0)) is float and torch.sym_sum([1, 2]) == 3
    assert torch.sym_ite(True, 1, 2) == 1 and not isinstance(1, (torch.SymInt, torch.SymFloat, torch.SymBool))
    assert issubclass(torch.OutOfMemoryError, RuntimeError)
    assert torch._foreach_add([torch.ones(1)], 1)[0].item() == 2
