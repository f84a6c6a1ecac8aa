"""Gradients, first and second, of operators whose own samples can't be checked by finite differences as they stand.

Factors that are unique up to sign or phase are looked at through what does not depend on it; losses of probabilities
get probabilities; random operators draw the same again.
"""

import pytest

from lamella import core, nn
from lamella.autograd import gradcheck, gradgradcheck
from lamella.nn import functional as F


def made(*shape, low=-1.0, high=1.0):
    core.manual_seed(sum(shape) + len(shape))
    return (core.rand(*shape, dtype=core.float64) * (high - low) + low).requires_grad_()


def symmetric(x):
    return (x + x.mT) / 2


def eigh(x):
    values, vectors = core.linalg_eigh(symmetric(x))
    return values, vectors.abs()


def eig(x):
    values, vectors = core.linalg_eig(x + core.diag(core.arange(3, dtype=core.float64) * 3))
    return values.abs(), vectors.abs()


def cholesky(x):
    return core.linalg_cholesky_ex(x @ x.mT + 3 * core.eye(3, dtype=core.float64))[0]


def svd(x):
    u, s, vh = core.linalg_svd(x, full_matrices=False)
    return u.abs(), s, vh.abs()


def ctc(x):
    targets = core.tensor([[1, 2, 2], [3, 1, 1]])
    return F.ctc_loss(x.log_softmax(2), targets, (6, 5), (3, 2), reduction="sum")


def pooled(x):
    values, places = F.max_pool2d(x, 2, return_indices=True)
    return F.max_unpool2d(values * 2, places, 2)


def drawn(f):
    def again(x):
        core.manual_seed(0)
        return f(x)

    return again


ONCE = {  # what torch differentiates once
    "ctc_loss": (ctc, (6, 2, 4)),
}
TWICE = {
    "linalg_eigh": (eigh, (3, 3)),
    "linalg_eig": (eig, (3, 3)),
    "linalg_svd": (svd, (4, 3)),
    "linalg_cholesky_ex": (cholesky, (3, 3)),
    "masked_select": (lambda x: core.masked_select(x, x.detach() > 0), (3, 4)),
    "frexp": (lambda x: core.frexp(x)[0], (5,)),
    "nextafter": (lambda x: core.nextafter(x, x.detach() + 1), (5,)),
    "max_unpool2d": (pooled, (1, 2, 4, 4)),
    "dropout": (drawn(lambda x: F.dropout(x, 0.4, True)), (4, 4)),
    "alpha_dropout": (drawn(lambda x: F.alpha_dropout(x, 0.4, True)), (4, 4)),
    "feature_alpha_dropout": (drawn(lambda x: F.feature_alpha_dropout(x, 0.4, True)), (2, 4, 3)),
    "rrelu": (drawn(lambda x: F.rrelu(x, training=True)), (4, 4)),
    "gumbel_softmax": (drawn(lambda x: F.gumbel_softmax(x, 0.7)), (3, 4)),
    "normal_": (drawn(lambda x: (x * 2).normal_() + x), (3,)),
    "uniform_": (drawn(lambda x: (x * 2).uniform_() * x), (3,)),
    "sum of another type": (lambda x: x.sum(0, dtype=core.complex128), (3, 2)),
}


@pytest.mark.parametrize("name", [*ONCE, *TWICE])
def test_first(name):
    f, shape = {**ONCE, **TWICE}[name]
    assert gradcheck(f, (made(*shape),))


@pytest.mark.parametrize("name", TWICE)
def test_second(name):
    f, shape = TWICE[name]
    assert gradgradcheck(f, (made(*shape),))


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("options", [{}, {"num_layers": 2}, {"bidirectional": True}, {"bias": False}])
def test_recurrent_layers(kind, options):
    core.manual_seed(0)
    layer = getattr(nn, kind)(2, 3, **options).double()
    names = [n for n, _ in layer.named_parameters()]

    def run(x, *weights):
        return nn.utils.stateless.functional_call(layer, dict(zip(names, weights, strict=True)), (x,))[0]

    weights = [p.detach().clone().requires_grad_() for p in layer.parameters()]
    assert gradcheck(run, (made(3, 2, 2), *weights))
    if not options:
        assert gradgradcheck(run, (made(2, 1, 2), *weights))


def test_recurrent_layer_with_relu_and_packed_sequences():
    core.manual_seed(0)
    layer = nn.RNN(2, 3, nonlinearity="relu").double()

    def run(x):
        packed = nn.utils.rnn.pack_padded_sequence(x, [3, 1], enforce_sorted=True)
        return layer(packed)[0].data

    assert gradcheck(run, (made(3, 2, 2),)) and gradgradcheck(run, (made(3, 2, 2),))
