"""Functions on lists of tensors."""

import pytest

from lamella import core
from lamella.core import foreach as fe


def lists():
    return [core.ones(2), core.arange(3.0)]


def values(tensors):
    return [t.tolist() for t in tensors]


@pytest.mark.parametrize(
    "other, want",
    [(1, [[2, 2], [1, 2, 3]]), ([1.0, 2.0], [[2, 2], [2, 3, 4]]), (core.tensor(2.0), [[3, 3], [2, 3, 4]])],
)
def test_operands_are_one_or_one_each(other, want):
    assert values(fe._foreach_add(lists(), other)) == want
    given = lists()
    assert fe._foreach_add_(given, other) is given and values(given) == want


def test_each_form():
    assert values(fe._foreach_add(lists(), lists(), alpha=2)) == [[3, 3], [0, 3, 6]]
    assert values(fe._foreach_addcmul(lists(), lists(), lists(), [2.0, 3.0])) == [[3, 3], [0, 4, 14]]
    assert values(fe._foreach_addcmul(lists(), lists(), lists(), core.tensor([2.0, 3.0]))) == [[3, 3], [0, 4, 14]]
    assert values(fe._foreach_lerp(lists(), fe._foreach_mul(lists(), 3), 0.5)) == [[2, 2], [0, 2, 4]]
    assert values(fe._foreach_pow(2.0, lists())) == [[2, 2], [1, 2, 4]]
    assert values(fe._foreach_maximum(lists(), 1.5)) == [[1.5, 1.5], [1.5, 1.5, 2]]
    assert values(fe._foreach_norm(lists(), 1)) == [2, 3] and values(fe._foreach_max(lists())) == [1, 2]
    assert values(fe._foreach_powsum(lists())) == [2, 5] and values(fe._foreach_sqrt([core.tensor([4.0])])) == [[2]]
    target = lists()
    assert values(fe._foreach_copy_(target, fe._foreach_neg(lists()))) == [[-1, -1], [0, -1, -2]]
    assert values(fe._foreach_zero_(target)) == [[0, 0], [0, 0, 0]] and values(fe._foreach_clone(lists())) == values(
        lists()
    )
    assert values(fe._foreach_mm([core.ones(1, 2)], [core.ones(2, 1)])) == [[[2]]]


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: fe._foreach_add([], 1), RuntimeError),
        (lambda: fe._foreach_add(lists(), lists()[:1]), RuntimeError),
        (lambda: fe._foreach_add(lists(), [1.0]), RuntimeError),
        (lambda: fe._foreach_add(core.ones(2), 1), TypeError),
        (lambda: fe._foreach_add([1], 1), TypeError),
        (lambda: fe._foreach_add(lists(), "1"), TypeError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error, match="_foreach_add"):
        call()


def test_files_as_tensors(tmp_path):
    path = tmp_path / "x"
    t = core.from_file(path, True, 4)
    t.copy_(core.arange(4.0))
    assert core.from_file(path, False, 3).add_(1).tolist() == [1, 2, 3]
    assert core.from_file(path, size=4).tolist() == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="smaller"):
        core.from_file(path, size=5)
    with pytest.raises(RuntimeError, match="unable to open"):
        core.from_file(tmp_path / "y", size=5)
