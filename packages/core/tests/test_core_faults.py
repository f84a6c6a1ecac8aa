"""Wrong arguments: torch's exception class, lamella's words, and nothing half done."""

import re

import numpy as np
import pytest

from lamella import core
from lamella.dispatch import Library, ops

X = core.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: core.add(X, X, alpha=None), "add: argument 'alpha' must be Number, not NoneType"),
        (lambda: core.add(X, X, alpha="2"), "add: argument 'alpha' must be Number, not str"),
        (lambda: core.add(X, X, alpha=[2]), "add: argument 'alpha' must be Number, not list"),
        (lambda: core.topk(X, 2, 1, 1), "topk: argument 'largest' must be bool, not int"),
        (lambda: X.cumsum(True), "cumsum: argument 'dim' must be int, not bool"),
        (lambda: X.cumsum(1.0), "cumsum: argument 'dim' must be int, not float"),
        (lambda: X.cumsum(None), "cumsum: argument 'dim' must be int, not NoneType"),
        (lambda: X.transpose("a", 0), "transpose: argument 'dim0' must be int, not str"),
        (lambda: X.amax(dim="a"), "amax: argument 'dim' must be tuple of ints, not str"),
        (lambda: X.amax(dim=("a", 1)), "amax: argument 'dim' must be int, not str"),
        (lambda: core.cat([X, 1]), "cat: .*element 1 is int"),
        (lambda: core.flip(X, None), "flip: argument 'dims' must be tuple of ints, but element 0 is NoneType"),
    ],
)
def test_types_of_arguments(call, text):
    with pytest.raises(TypeError, match="^" + text.replace("(", r"\(")):
        call()


def test_what_stands_for_a_number():
    one = core.tensor(1)
    for dim in (one, np.int64(1), np.uint8(1)):
        assert X.cumsum(dim).tolist() == X.cumsum(1).tolist()
    for alpha in (core.tensor(2.0), np.float32(2), 2):
        assert core.add(X, X, alpha=alpha).tolist() == core.add(X, X, alpha=2).tolist()
    for dim in (one, np.int64(1), [np.int64(1)], (one,), core.Size([1])):
        assert X.amax(dim=dim).tolist() == [3.0, 6.0]
    for flag in (np.True_, True):
        assert X.amax(dim=1, keepdim=flag).shape == (2, 1)


def test_a_kernel_of_users_says_its_own_words():
    lib = Library("faults", "DEF")
    try:
        lib.define("join(Tensor a, Tensor b) -> Tensor")
        lib.impl("join", lambda a, b: core.from_numpy(np.concatenate([a.numpy(), b.numpy()])), "CPU")
        with pytest.raises(ValueError, match="dimension"):
            ops.faults.join(X, core.ones(2))
    finally:
        lib._destroy()


def test_errors_of_users_pass_unchanged():
    from lamella.dispatch import TorchDispatchMode

    class Fails(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return {}["mine"]

    with Fails(), pytest.raises(KeyError, match="mine"):
        X.cumsum(0)


def test_python_says_who_was_called():
    with pytest.raises(TypeError, match=re.escape("matmul() missing 1 required positional argument")):
        core.matmul(X)


def test_numbers_before_the_tensors():
    """Programs for old torch: ``p.add_(-lr, grad)``, ``buffer.addcmul_(1 - beta, g, g)``."""
    with pytest.warns(UserWarning, match="add_: numbers before the tensors"):
        assert core.ones(2).add_(-0.5, core.ones(2)).tolist() == [0.5, 0.5]
    with pytest.warns(UserWarning, match="hint: give value by name"):
        assert core.ones(2).addcmul_(0.5, core.ones(2), core.ones(2)).tolist() == [1.5, 1.5]
    with pytest.warns(UserWarning):
        assert core.addcdiv(core.ones(2), -0.5, core.ones(2), core.ones(2)).tolist() == [0.5, 0.5]
    with pytest.warns(UserWarning):
        assert core.add(core.ones(2), 2, core.ones(2)).tolist() == [3.0, 3.0]
    with pytest.warns(UserWarning, match="give beta and alpha by name"):
        assert core.addmm(2, core.ones(1, 1), 3, core.ones(1, 1), core.ones(1, 1)).item() == 5
    with pytest.raises(TypeError, match="add: takes 2 positional arguments but 3 were given"):
        core.ones(2).add(core.ones(2), core.ones(2))


def test_numpy_arrays_next_to_operators():
    a = np.array([[1.0, 0.0, 3.0], [4.0, 5.0, 0.0]], np.float32)
    assert (a == X).tolist() == [[True, False, True], [True, True, False]]
    assert (a != X).tolist() == [[False, True, False], [False, False, True]]
    assert (a / X).tolist() == [[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    assert (X == None) is False and (X == "a") is False  # noqa: E711


def test_names_in_pythons_own_errors():
    for call, name in (
        (lambda: X.exp(bogus=1), "exp"),
        (lambda: X.add_(X, bogus=1), "add_"),
        (lambda: X.clamp(0, 1, bogus=1), "clamp"),
        (lambda: X.unsqueeze(0, 1, 2), "unsqueeze"),
    ):
        with pytest.raises(TypeError, match=rf"^{name}\(\) "):
            call()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: core.zeros("a"), TypeError, "zeros: argument 'size' must be tuple of ints, not str"),
        (lambda: core.zeros(2.5), TypeError, "zeros: argument 'size' must be tuple of ints, but element 0 is float"),
        (lambda: core.ones(), TypeError, "ones: missing required argument 'size'"),
        (lambda: core.arange(X), TypeError, "arange: argument 'end' must be Number, not Tensor"),
        (lambda: core.arange(1j), RuntimeError, "arange: value cannot be converted to type double without overflow"),
        (lambda: core.linspace(0, 1, 2.5), TypeError, "linspace: argument 'steps' must be int, not float"),
        (lambda: core.full((2,), X), TypeError, "full: argument 'fill_value' must be Number, not Tensor"),
        (lambda: core.tensor(1.0, requires_grad="a"), TypeError, "tensor: argument 'requires_grad' must be bool"),
        (lambda: core.tensor([1, "a"]), TypeError, "tensor: new\\(\\): invalid data type 'str'"),
        (lambda: core.tensor(["a"]), ValueError, "tensor: too many dimensions 'str'"),
        (lambda: core.Tensor(None), TypeError, "Tensor: new\\(\\): data must be a sequence \\(got NoneType\\)"),
        (lambda: core.Tensor(2, "a"), TypeError, "Tensor: argument 'size' must be tuple of ints, but element 1 is str"),
        (lambda: core.randn(2, dtype=core.int64), NotImplementedError, "normal_: the dtype must be floating point"),
        (lambda: core.can_cast(1, core.int8), TypeError, "can_cast: arguments must be torch.dtype, not int"),
        (lambda: core.promote_types([], core.int8), TypeError, "promote_types: arguments must be torch.dtype"),
        (lambda: core.numel(3), TypeError, "numel: argument 'input' must be Tensor, not int"),
        (lambda: X.size("a"), TypeError, "size: argument 'dim' must be int, not str"),
        (lambda: X.sum(2**70), ValueError, "sum: Overflow when unpacking long long"),
        (lambda: core.cat([X, X], dim=2**70), ValueError, "cat: Overflow when unpacking long long"),
        (lambda: core.unique(X, return_inverse="a"), TypeError, "unique: argument 'return_inverse' must be bool"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match="^" + text) as caught:
        call()
    assert caught.type is error


def test_small_faults():
    empty = core.zeros(2, 0, 3)
    assert empty.sort()[0].shape == empty.topk(2)[1].shape[:2] + (3,) == (2, 0, 3)
    assert core.zeros(2, 3).scatter_(1, core.tensor([[0]]), value=core.tensor(2)).tolist()[0] == [2.0, 0.0, 0.0]
    assert core.histc(core.tensor([1.0, 2.0, 3.0]), bins=2, min=1, max=1).tolist() == [1.0, 2.0]
    with pytest.raises(IndexError, match="gather: Dimension out of range"):
        core.gather(core.tensor(1.0), 1, core.tensor([[0]]))
    square = core.zeros(2, 2)
    with pytest.raises(TypeError, match="fill_diagonal_: argument 'wrap' must be bool"):
        square.fill_diagonal_(1, core.ones(2))
    assert square.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert core.movedim(core.zeros(2, 3), np.int64(0), core.tensor(1)).shape == (3, 2)


def test_normal_takes_tensors_for_numbers():
    core.manual_seed(0)
    plain = core.normal(1.0, 2.0, (3,))
    core.manual_seed(0)
    assert core.equal(core.normal(core.tensor(1), core.tensor(2.0), (3,)), plain)
    assert core.Tensor(np.int64(2)).shape == (2,)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: core.squeeze(x, axis=0),
        lambda x: x.squeeze(axis=0),
        lambda x: core.stack([x], axis=1),
        lambda x: core.sort(x, axis=0),
        lambda x: x.argsort(axis=0),
        lambda x: core.quantile(x, 0.5, axis=0, keepdims=True),
        lambda x: core.nanmean(x, axis=0),
        lambda x: x.repeat_interleave(2, axis=0),
    ],
)
def test_numpys_names_of_parameters(call):
    assert call(core.ones(1, 2)) is not None


def test_other_names_are_still_refused():
    with pytest.raises(TypeError, match="bogus"):
        core.sort(core.ones(2), bogus=1)
    with pytest.raises(TypeError):
        core.sort(core.ones(2), dim=0, axis=0)
