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


def test_functions_of_recurrent_layers_match_the_modules():
    from lamella import nn
    from lamella.nn import tensor_recurrent as R

    x = core.rand(5, 2, 3)
    for make, run in ((nn.LSTM, R.lstm), (nn.GRU, R.gru), (nn.RNN, R.rnn_tanh)):
        layer = make(3, 4, 2, bidirectional=True)
        h = core.rand(4, 2, 4)
        first = (h, core.rand(4, 2, 4)) if make is nn.LSTM else h
        want, last = layer(x, first)
        got = run(x, first, layer._flat_weights, True, 2, 0.0, False, True, False)
        assert core.equal(got[0], want) and core.equal(got[1], last[0] if make is nn.LSTM else last)
        packed = nn.utils.rnn.pack_padded_sequence(x, core.tensor([5, 3]))
        data = run(packed.data, packed.batch_sizes, first, layer._flat_weights, True, 2, 0.0, False, True)
        assert core.equal(data[0], layer(packed, first)[0].data)
    cell = nn.GRUCell(3, 4)
    got = R.gru_cell(x[0], h[0], cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    assert core.equal(got, cell(x[0], h[0]))
    with pytest.raises(RuntimeError, match="weights"):
        R.gru(x, h, [x], True, 2, 0.0, False, True, False)


def test_in_place_dropout_and_methods_of_this_layer():
    from lamella.nn import tensor_functions as T

    x = core.ones(8, 8)
    assert T.dropout_(x, 0.5, True) is x and set(x.unique().tolist()) <= {0.0, 2.0}
    assert core.tensor([-2.0, 2.0]).prelu(core.tensor([0.5])).tolist() == [-1.0, 2.0]
    assert core.tensor([0.1, 2.0]).hardshrink().tolist() == [0.0, 2.0]
    loss = F.linear_cross_entropy(core.ones(2, 3), core.zeros(4, 2, 3), core.tensor([[0, 1], [1, 2]]))
    assert abs(loss.item() - 1.3863) < 1e-4
