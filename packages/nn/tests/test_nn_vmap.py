"""Networks inside vmap: every operator's samples, common layers without the slow way, per-sample gradients."""

import pytest

import lamella.autograd as autograd
from lamella import core, nn
from lamella.autograd import vmap
from lamella.autograd.func import grad
from lamella.autograd.transforms.batching import fallback
from lamella.autograd.transforms.batching.rules import falls_back
from lamella.autograd.transforms.consistency import cases, difference
from lamella.core import randint, randn
from lamella.core.samples import resolve
from lamella.dispatch import registry
from lamella.nn import functional as F
from lamella.nn.func import functional_call, stack_module_state
from lamella.nn.samples import functional_samples

SAMPLES = [s for s in functional_samples() if not s.random]
IDS = [f"{i}-{s.name.rpartition('.')[2]}" for i, s in enumerate(SAMPLES)]
GRAD = [(i, s) for i, s in zip(IDS, SAMPLES, strict=True) if s.grad]


def unbatched_statistics(sample, case):
    """Running statistics that are not batched cannot take those of a batch: an error, as in torch."""
    if sample.name.rpartition(".")[2] not in ("batch_norm", "instance_norm"):
        return False
    try:
        case.mapped()
    except RuntimeError as e:
        return "were not batched" in str(e)
    return False


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_results(sample):
    f = resolve(sample.name)
    for args, kwargs in sample.make(False):
        for case in cases(f, args, kwargs):
            wanted = case.looped()
            if wanted is not None and not unbatched_statistics(sample, case):
                assert difference(case.mapped(), wanted) == "", (case.places, case.dim)


@pytest.mark.parametrize("sample", [s for _, s in GRAD], ids=[i for i, _ in GRAD])
def test_gradients(sample):
    f = resolve(sample.name)
    for args, kwargs in sample.make(False):
        for case in cases(f, args, kwargs, floating=True):
            wanted = case.looped_gradients()
            if wanted is not None and not unbatched_statistics(sample, case):
                assert difference(case.mapped_gradients(), wanted) == "", (case.places, case.dim)
                assert difference(case.gradients_of_mapped(), wanted) == "", (case.places, case.dim)


#: This package's operators that must not run once per example.
COMMON = set("""linear linear_backward embedding embedding_dense_backward convolution convolution_backward _attention
    _attention_backward native_layer_norm native_layer_norm_backward _fused_rms_norm _fused_rms_norm_backward
    native_group_norm native_group_norm_backward _batch_norm_training _batch_norm_inference native_batch_norm_backward
    _max_pool _max_pool2d_with_places _max_pool_put avg_pool2d _avg_pool_backward _adaptive_avg_pool2d gelu silu
    _cross_entropy _cross_entropy_backward nll_loss _nll_loss_backward mse_loss mse_loss_backward binary_cross_entropy
    binary_cross_entropy_with_logits smooth_l1_loss huber_loss lstm_loop lstm_loop_backward gru_loop rnn_loop
    upsample_nearest2d upsample_bilinear2d _upsample_backward reflection_pad2d grid_sampler_2d im2col col2im""".split())


def test_common_operators_have_rules():
    ops = [op for op in registry.all_ops() if op.family.startswith("lamella.nn.")]
    slow = {op.opname for op in ops if falls_back(op)}
    print("once per example:", ", ".join(sorted(slow)))
    assert {op.opname for op in ops} >= COMMON and not slow & COMMON


# -- networks ----------------------------------------------------------------------------------------------------------


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.layer(x).mean(1))


class Cells(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cell = kind(4, 5)
        self.head = nn.Linear(5, 3)

    def forward(self, x):
        h = None
        for t in range(x.shape[1]):
            h = self.cell(x[:, t], h)
        return self.head(h[0] if isinstance(h, tuple) else h)


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(11, 6)
        self.norm = nn.RMSNorm(6)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.norm(self.table(x)).mean(1))


NETWORKS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 3)),
            lambda: randn(5, 6)),
    "convnet": (lambda: nn.Sequential(
        nn.Conv2d(2, 4, 3, padding=1), nn.GroupNorm(2, 4), nn.SiLU(), nn.MaxPool2d(2), nn.Conv2d(4, 4, 3), nn.ReLU(),
        nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3)), lambda: randn(5, 2, 10, 10)),
    "batchnorm": (lambda: nn.Sequential(nn.Conv1d(2, 4, 3), nn.BatchNorm1d(4), nn.Tanh(), nn.Flatten(),
                                        nn.Linear(16, 3)).eval(), lambda: randn(5, 2, 6)),
    "transposed": (lambda: nn.Sequential(nn.ConvTranspose2d(2, 3, 2, stride=2), nn.LeakyReLU(), nn.Flatten(),
                                         nn.Linear(48, 3)), lambda: randn(5, 2, 2, 2)),
    "transformer": (Attention, lambda: randn(5, 7, 8)),
    "lstm cell": (lambda: Cells(nn.LSTMCell), lambda: randn(5, 3, 4)),
    "gru cell": (lambda: Cells(nn.GRUCell), lambda: randn(5, 3, 4)),
    "rnn cell": (lambda: Cells(nn.RNNCell), lambda: randn(5, 3, 4)),
    "words": (Words, lambda: randint(0, 11, (5, 4))),
}


def close(a, b):
    return core.allclose(a, b, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients_of_each_sample(name):
    """vmap(grad(loss)) gives what a loop gives, without the slow way."""
    core.manual_seed(0)
    make, data = NETWORKS[name]
    net, x, y = make(), data(), randint(0, 3, (5,))
    state = {k: v.detach() for k, v in net.named_parameters()}

    def loss(state, x, y):
        return F.cross_entropy(functional_call(net, state, (x.unsqueeze(0),)), y.unsqueeze(0))

    before = dict(fallback.counts)
    found = vmap(grad(loss), in_dims=(None, 0, 0))(state, x, y)
    assert fallback.counts == before
    for i in range(5):
        own = autograd.grad(F.cross_entropy(net(x[i : i + 1]), y[i : i + 1]), list(net.parameters()))
        for (k, _), g in zip(net.named_parameters(), own, strict=True):
            assert close(found[k][i], g), k


@pytest.mark.parametrize("name", NETWORKS)
def test_an_ensemble(name):
    """Stacked states of several networks on one input, and the gradients of all of them."""
    core.manual_seed(0)
    make, data = NETWORKS[name]
    nets, x, y = [make() for _ in range(3)], data(), randint(0, 3, (5,))
    if name == "batchnorm":
        nets = [n.eval() for n in nets]
    params, buffers = stack_module_state(nets)
    base = nets[0]

    def run(p, b, x):
        return functional_call(base, (p, b), (x,))

    before = dict(fallback.counts)
    out = vmap(run, in_dims=(0, 0, None) if buffers else (0, None, None))(params, buffers, x)
    loss = F.cross_entropy(out.flatten(0, 1), y.repeat(3))
    found = autograd.grad(loss, list(params.values()))
    assert fallback.counts == before
    for i, net in enumerate(nets):
        assert close(out[i], net(x))
        own = autograd.grad(F.cross_entropy(net(x), y) / 3, list(net.parameters()))
        for g, w in zip(found, own, strict=True):
            assert close(g[i], w)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("loss", [F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss,
                                  F.binary_cross_entropy_with_logits, F.soft_margin_loss])
def test_losses(loss, reduction):
    x, y = randn(4, 3, 2), core.rand(4, 3, 2)
    before = dict(fallback.counts)
    got = vmap(lambda a, b: loss(a, b, reduction=reduction))(x, y)
    assert fallback.counts == before
    assert close(got, core.stack([loss(a, b, reduction=reduction) for a, b in zip(x, y, strict=True)]))


@pytest.mark.parametrize("options", [{}, {"reduction": "sum"}, {"reduction": "none"}, {"ignore_index": 1},
                                     {"label_smoothing": 0.1}, {"weight": True}])
@pytest.mark.parametrize("shape", [(5,), (4, 5), (4, 5, 2)])
def test_cross_entropy(shape, options):
    x = randn(3, *shape)
    y = randint(0, 5, (3, *shape[:1], *shape[2:]) if len(shape) > 1 else (3,))
    if options.get("weight"):
        options = {"weight": core.rand(5) + 0.5}
    if options.get("ignore_index") == 1 and len(shape) == 1:
        y = core.tensor([0, 2, 3])

    def f(a, b):
        return F.cross_entropy(a, b, **options)

    before = dict(fallback.counts)
    assert close(vmap(f)(x, y), core.stack([f(a, b) for a, b in zip(x, y, strict=True)]))
    found = vmap(grad(lambda a, b: f(a, b).sum()))(x, y)
    assert fallback.counts == before
    leaf = x.clone().requires_grad_()
    wanted = autograd.grad(sum(f(a, b).sum() for a, b in zip(leaf, y, strict=True)), leaf)[0]
    assert close(found, wanted)


def test_dropout():
    x = core.ones(3, 64)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(F.dropout)(x)
    different = vmap(F.dropout, randomness="different")(x)
    assert not bool((different[0] == different[1]).all())
    same = vmap(F.dropout, randomness="same")(x)
    assert bool((same == same[0]).all()) and bool((same == 0).any())
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(lambda v: v + F.dropout(core.ones(64)))(x)
    unbatched = vmap(lambda v: F.dropout(core.ones(64)), randomness="different")(x)
    assert not bool((unbatched[0] == unbatched[1]).all())
    for drop, shape in ((F.dropout1d, (8, 5)), (F.dropout2d, (2, 8, 4, 4)), (F.alpha_dropout, (64,)),
                        (F.feature_alpha_dropout, (2, 8, 4))):
        got = vmap(lambda v, drop=drop: drop(v, training=True), randomness="different")(core.ones(3, *shape))
        assert got.shape == (3, *shape) and not bool((got[0] == got[1]).all())
    noise = vmap(lambda v: F.rrelu(v, training=True), randomness="different")(-x)
    assert not bool((noise[0] == noise[1]).all())


def test_batch_norm_in_training():
    x = randn(3, 4, 2, 5)
    got = vmap(lambda v: F.batch_norm(v, None, None, training=True))(x)
    assert close(got, core.stack([F.batch_norm(v, None, None, training=True) for v in x]))
    with pytest.raises(RuntimeError, match="were not batched"):
        vmap(lambda v: F.batch_norm(v, core.zeros(2), core.ones(2), training=True))(x)
    mean, var = core.zeros(3, 2), core.ones(3, 2)
    vmap(lambda v, m, s: F.batch_norm(v, m, s, training=True))(x, mean, var)
    for i in range(3):
        m, s = core.zeros(2), core.ones(2)
        F.batch_norm(x[i], m, s, training=True)
        assert close(mean[i], m) and close(var[i], s)


@pytest.mark.parametrize("options", [{}, {"bidirectional": True}, {"num_layers": 2}, {"bias": False}])
@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU, nn.RNN])
def test_recurrent_layers(kind, options):
    core.manual_seed(0)
    net, x = kind(3, 4, **options), randn(5, 6, 2, 3)
    state = {k: v.detach() for k, v in net.named_parameters()}

    def loss(state, x):
        out, last = functional_call(net, state, (x,))
        last = sum(h.sum() for h in last) if isinstance(last, tuple) else last.sum()
        return (out * out).sum() + last

    before = dict(fallback.counts)
    found = vmap(grad(loss), in_dims=(None, 0))(state, x)
    assert fallback.counts == before
    for i in range(5):
        params = {k: v.clone().requires_grad_() for k, v in state.items()}
        for k, g in zip(params, autograd.grad(loss(params, x[i]), list(params.values())), strict=True):
            assert close(found[k][i], g), k


def test_recurrent_layers_on_packed_sequences():
    core.manual_seed(0)
    net, x = nn.LSTM(3, 4, bidirectional=True), randn(5, 6, 3, 3)
    state = {k: v.detach() for k, v in net.named_parameters()}

    def loss(state, x):
        packed = nn.utils.rnn.pack_padded_sequence(x, [6, 4, 1])
        out, (h, c) = functional_call(net, state, (packed,))
        return (out.data * out.data).sum() + h.sum() + c.sum()

    found = vmap(grad(loss), in_dims=(None, 0))(state, x)
    for i in range(5):
        params = {k: v.clone().requires_grad_() for k, v in state.items()}
        for k, g in zip(params, autograd.grad(loss(params, x[i]), list(params.values())), strict=True):
            assert close(found[k][i], g), k
