"""Recurrent layers: the fused loops against loops of cells, their gradients, packed sequences, bad input."""

from __future__ import annotations

import warnings

import pytest

from lamella import autograd, core, nn
from lamella.nn.modules import _rnn_loop
from lamella.nn.utils import rnn

KINDS = {"RNN": nn.RNNCell, "LSTM": nn.LSTMCell, "GRU": nn.GRUCell}


def by_cells(layer, cell, x):
    state = None
    outputs = []
    for xt in x.unbind(0):
        state = cell(xt, state)
        outputs.append(state[0] if isinstance(state, tuple) else state)
    return core.stack(outputs), state


@pytest.mark.parametrize("kind", KINDS)
def test_layers_do_what_cells_do(kind):
    core.manual_seed(0)
    layer, cell = getattr(nn, kind)(3, 4), KINDS[kind](3, 4)
    cell.load_state_dict({k.removesuffix("_l0"): v for k, v in layer.state_dict().items()})
    x = core.randn(5, 2, 3)
    out, last = layer(x)
    want, state = by_cells(layer, cell, x)
    assert core.allclose(out, want, atol=1e-6)
    if kind == "LSTM":
        assert core.allclose(last[0][0], state[0], atol=1e-6) and core.allclose(last[1][0], state[1], atol=1e-6)
    else:
        assert core.allclose(last[0], state, atol=1e-6)
    out.sum().backward()
    want.sum().backward()
    for p, q in zip(layer.parameters(), cell.parameters(), strict=True):
        assert core.allclose(p.grad, q.grad, atol=1e-5)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("options", [{}, {"bidirectional": True, "num_layers": 2}, {"bias": False}])
def test_fused_gradients_are_those_of_the_operators(kind, options):
    core.manual_seed(0)
    layer = getattr(nn, kind)(2, 3, **options).double()
    x = core.randn(4, 2, 2, dtype=core.float64).requires_grad_()
    outs = [layer(x)[0], layer(rnn.pack_padded_sequence(x, [4, 2]))[0].data]
    cotangents = [core.randn_like(out) for out in outs]
    inputs = [x, *layer.parameters()]
    fused = autograd.grad(outs, inputs, cotangents, retain_graph=True)
    composed = autograd.grad(outs, inputs, cotangents, create_graph=True)
    for a, b in zip(fused, composed, strict=True):
        assert not a.requires_grad and b.requires_grad and core.allclose(a, b)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_gradcheck(kind):
    core.manual_seed(0)
    layer = getattr(nn, kind)(1, 2).double()
    x = core.randn(2, 1, 1, dtype=core.float64).requires_grad_()
    weight = layer.weight_hh_l0.detach().requires_grad_()

    def run(x, w):
        with nn.utils.stateless._reparametrize_module(layer, {"weight_hh_l0": w}):
            return layer(x)[0]

    assert autograd.gradcheck(run, (x, weight))
    assert autograd.gradgradcheck(run, (x, weight))


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("reverse", [False, True])
def test_loops_agree_with_loops_over_operators(kind, reverse):
    core.manual_seed(1)
    from lamella.nn._gen import recurrent as fused

    sizes = [3, 3, 1]
    chunks = {"RNN": 1, "LSTM": 4, "GRU": 3}[kind]
    gates, h, c = core.randn(7, chunks * 4), core.randn(3, 4), core.randn(3, 4)
    w, b = core.randn(chunks * 4, 4), core.randn(chunks * 4)
    if kind == "RNN":
        got = fused.op_rnn_loop(gates, h, w, "relu", sizes, reverse)
        want = _rnn_loop.flat_rnn(gates, h, w, "relu", sizes, reverse)
    elif kind == "LSTM":
        got = fused.op_lstm_loop(gates, h, c, w, sizes, reverse)[:3]
        want = _rnn_loop.flat_lstm(gates, h, c, w, sizes, reverse)
    else:
        got = fused.op_gru_loop(gates, h, w, b, sizes, reverse)[:2]
        want = _rnn_loop.flat_gru(gates, h, w, b, sizes, reverse)
    for x, y in zip(got, want, strict=True):
        assert core.allclose(x, y, atol=1e-5)


def test_packed_sequences_are_run_alone():
    core.manual_seed(0)
    layer = nn.LSTM(2, 3, bidirectional=True)
    seqs = [core.randn(n, 2) for n in (2, 4, 1)]
    out, (h, _) = layer(rnn.pack_sequence(seqs, enforce_sorted=False))
    padded, lengths = rnn.pad_packed_sequence(out, batch_first=True)
    for i, seq in enumerate(seqs):
        alone, (h1, _) = layer(seq)
        assert core.allclose(padded[i, : lengths[i].item()], alone, atol=1e-6)
        assert core.allclose(h[:, i], h1, atol=1e-6)


def test_forms_of_input():
    layer = nn.GRU(2, 3, batch_first=True, num_layers=2, dropout=0.5)
    assert layer(core.zeros(4, 5, 2))[0].shape == (4, 5, 3)
    assert layer(core.zeros(5, 2))[0].shape == (5, 3) and layer(core.zeros(5, 2))[1].shape == (2, 3)
    assert layer(core.zeros(0, 5, 2))[0].shape == (0, 5, 3)
    out, (h, c) = nn.LSTM(2, 4, proj_size=3)(core.zeros(5, 1, 2))
    assert out.shape == (5, 1, 3) and h.shape == (1, 1, 3) and c.shape == (1, 1, 4)
    assert nn.LSTM(2, 4, device="meta")(core.zeros(5, 1, 2, device="meta"))[0].shape == (5, 1, 4)
    assert nn.GRU(2, 3).half()(core.zeros(2, 1, 2, dtype=core.float16))[0].dtype == core.float16
    assert nn.RNNCell(2, 3)(core.zeros(2)).shape == (3,)
    layer.flatten_parameters()
    assert len(layer.all_weights) == 2 and layer._flat_weights[0] is layer.weight_ih_l0


def test_bad_input():
    layer = nn.LSTM(2, 3)
    zeros = core.zeros
    short, long = zeros(1, 1, 3), zeros(1, 2, 3)
    for call, error, words in (
        (lambda: layer(zeros(5, 1, 4)), RuntimeError, "Expected 2, got 4"),
        (lambda: layer(zeros(5)), ValueError, "2D or 3D"),
        (lambda: layer(zeros(5, 1, 2).double()), ValueError, "does not match weight dtype"),
        (lambda: layer(zeros(5, 1, 2), (long, short)), RuntimeError, r"hidden\[0\] size \(1, 1, 3\)"),
        (lambda: layer(zeros(5, 1, 2), (zeros(1, 3), zeros(1, 3))), RuntimeError, "should also be 3-D"),
        (lambda: nn.GRUCell(2, 3)(zeros(1, 4)), RuntimeError, "inconsistent input_size"),
        (lambda: nn.LSTMCell(2, 3)(zeros(1, 2), (zeros(1, 4), zeros(1, 3))), RuntimeError, "inconsistent hidden_size"),
        (lambda: nn.RNN(2, 3, nonlinearity="selu"), ValueError, "Unknown nonlinearity"),
    ):
        with pytest.raises(error, match=words):
            call()
    with pytest.warns(UserWarning, match="num_layers greater than 1"):
        nn.LSTM(2, 3, dropout=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.LSTM(2, 3, 2, dropout=0.5)
