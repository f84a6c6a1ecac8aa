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


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float64", "complex64", "int8", "uint8", "int64", "bool"])
def test_make_tensor(name):
    dtype = getattr(torch, name)
    t = torch.testing.make_tensor(3, 4, dtype=dtype, device="cpu", noncontiguous=True, exclude_zero=True)
    assert t.dtype is dtype and t.shape == (3, 4) and not t.is_contiguous() and bool((t != 0).all())
    if not dtype.is_complex:
        t = torch.testing.make_tensor((50,), dtype=dtype, device="cpu", low=0, high=2)
        assert bool((t >= 0).all()) and bool((t.float() <= 2).all())
    with pytest.raises(ValueError):
        torch.testing.make_tensor(3, dtype=dtype, device="cpu", low=3, high=2)


def test_modules_of_names():
    assert isinstance(torch.max(torch.ones(2, 2), 0), torch.return_types.max)
    assert isinstance(torch.linalg.svd(torch.eye(2)), torch.return_types.linalg_svd)
    assert torch.functional.cdist is torch.cdist and torch.storage.UntypedStorage is torch.UntypedStorage
    assert not torch.accelerator.is_available() and torch.accelerator.device_count() == 0
    with pytest.raises(RuntimeError, match="accelerator"):
        torch.accelerator.synchronize()
    groups = list(torch._utils._take_tensors([torch.ones(2), torch.ones(2), torch.ones(1, dtype=torch.int64)], 12))
    assert [len(g) for g in groups] == [1, 1, 1]
