"""Gradients of convolutions on their own, against those of the convolutions."""

import doctest

import pytest

from lamella import autograd, core
from lamella.core import dtypes as dt
from lamella.nn import attention, functional as F, grad


@pytest.mark.parametrize("groups, stride, padding, dilation", [(1, 1, 0, 1), (2, 2, 1, 1), (2, 1, 1, 2)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_gradients_match_autograd(n, groups, stride, padding, dilation):
    x = core.rand(2, 4, *[6] * n, dtype=dt.float64).requires_grad_()
    w = core.rand(6, 4 // groups, *[3] * n, dtype=dt.float64).requires_grad_()
    how = (stride, padding, dilation, groups)
    y = getattr(F, f"conv{n}d")(x, w, None, *how)
    g = core.rand(*y.shape, dtype=dt.float64)
    gx, gw = autograd.grad(y, (x, w), g)
    mine = getattr(grad, f"conv{n}d_input")(x.shape, w, g, *how), getattr(grad, f"conv{n}d_weight")(x, w.shape, g, *how)
    assert core.allclose(mine[0], gx) and core.allclose(mine[1], gw)


def test_sizes_are_checked():
    with pytest.raises(RuntimeError, match="4 numbers"):
        grad.conv2d_weight(core.ones(1, 1, 3, 3), (1, 1, 3), core.ones(1, 1, 1, 1))
    with pytest.raises(TypeError, match="SDPBackend"), attention.sdpa_kernel("math"):
        pass


@pytest.mark.parametrize("module", [attention, grad])
def test_examples(module):
    assert doctest.testmod(module).failed == 0
