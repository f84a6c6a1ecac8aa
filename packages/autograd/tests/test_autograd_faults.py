"""What programs written for torch may do to results: the formulas save what torch's save."""

import pytest

from lamella import autograd, core  # noqa: F401


@pytest.mark.parametrize(
    "op",
    [
        lambda a, b: a / b,
        lambda a, b: a / 2.0,
        lambda a, b: 2.0 / b,
        lambda a, b: core.logaddexp(a, b),
        lambda a, b: core.ldexp(a, b),
        lambda a, b: a * b,
        lambda a, b: a + b,
        lambda a, b: core.atan2(a, b),
    ],
)
def test_results_that_may_be_overwritten(op):
    def grads(write):
        a = core.tensor([1.0, 2.0, 3.0], requires_grad=True)
        b = core.tensor([0.5, 1.5, 2.5], requires_grad=True)
        y = op(a, b)
        if write:
            y.mul_(1.0)
            y.mul_(core.ones(3))
        y.sum().backward()
        return [None if x.grad is None else x.grad.tolist() for x in (a, b)]

    assert grads(True) == grads(False)


def test_division_of_similarities_with_a_filled_diagonal():
    z = core.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    s = z @ z.T / 0.5
    s.fill_diagonal_(float("-inf"))
    s.logsumexp(1).sum().backward()
    assert z.grad.tolist() == [[12.0, 16.0], [4.0, 8.0]]


def test_samples_do_not_depend_on_their_mean():
    mean = core.tensor([1.0, 2.0], requires_grad=True)
    sample = core.normal(mean, core.ones(2))
    assert sample.requires_grad
    sample.sum().backward()
    assert mean.grad.tolist() == [0.0, 0.0]
    assert core.normal(0.0, 1.0, (2,), requires_grad=True).requires_grad


def test_requires_grad_takes_flags():
    with pytest.raises(TypeError, match="requires_grad_: argument 'requires_grad' must be bool, not str"):
        core.ones(2).requires_grad_("yes")


def test_floor_division_has_no_gradient():
    x = core.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="the derivative for 'aten::floor_divide' is not implemented"):
        (x // 2).sum().backward()
    core.div(x, 2, rounding_mode="floor").sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]
