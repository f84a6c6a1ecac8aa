"""Names of nodes, memory layout, random draws, special values, and the examples of functional's docstrings."""

import doctest
import math
import pkgutil
import threading
from importlib import import_module

import numpy as np
import pytest

from lamella import autograd, core
from lamella.nn import functional as F

FILES = [
    *(f"lamella.nn.functional.{m.name}" for m in pkgutil.iter_modules(F.__path__)),
    "lamella.nn._gen.linear",
    "lamella.nn._gen.embedding",
]


@pytest.mark.parametrize("name", FILES)
def test_examples(name):
    core.manual_seed(0)
    assert doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_node_names():
    x = core.randn(3, 4, requires_grad=True)
    t = core.tensor([0, 1, 2])
    names = {
        "AddmmBackward0": F.linear(x, core.ones(2, 4), core.ones(2)),
        "GeluBackward0": F.gelu(x),
        "NllLossBackward0": F.cross_entropy(x, t),
        "MseLossBackward0": F.mse_loss(x, core.zeros(3, 4)),
        "MulBackward0": F.dropout(x, 0.5),
        "EmbeddingBackward0": F.embedding(t, x),
        "SiluBackward0": F.silu(x),
    }
    assert {y.grad_fn.name() for y in names.values()} == set(names)
    for name, y in names.items():
        assert y.grad_fn.name() == name


def test_dropout_draws_nothing_without_need():
    x = core.ones(4, 4)
    core.manual_seed(1)
    state = core.get_rng_state()
    assert F.dropout(x, 0.5, training=False) is x
    assert F.dropout(x, 0.0) is x
    assert not F.dropout(x, 1.0).any()
    assert not F.alpha_dropout(x, 0.5, training=False).ne(x).any()
    assert core.equal(core.get_rng_state(), state)


def test_dropout_draws_in_memory_order():
    core.manual_seed(3)
    straight = F.dropout(core.ones(3, 4))
    core.manual_seed(3)
    turned = F.dropout(core.ones(4, 3).t())
    assert core.equal(straight.reshape(-1), turned.t().reshape(-1))


def test_attention_keeps_the_layout_of_heads():
    q = core.randn(2, 5, 4, 8).transpose(1, 2)
    out = F.scaled_dot_product_attention(q, q, q, is_causal=True)
    assert out.stride() == q.stride()
    assert out.transpose(1, 2).is_contiguous()


def test_attention_on_large_and_masked_scores():
    q = core.randn(1, 1, 3, 4) * 1e3
    mask = core.tensor([[True, False, True], [False, False, False], [True, True, True]])
    out = F.scaled_dot_product_attention(q, q, q, mask)
    assert out.isfinite().all()
    assert not out[0, 0, 1].any()


def test_softmax_of_large_scores_in_cross_entropy():
    x = core.tensor([[1e4, 0.0], [-1e4, 0.0], [-math.inf, 3.0]], requires_grad=True)
    loss = F.cross_entropy(x, core.tensor([0, 0, 1]), reduction="none")
    np.testing.assert_allclose(loss.detach().numpy(), [0, 1e4, 0])
    loss.sum().backward()
    assert x.grad.isfinite().all()


def test_ignored_rows_do_not_count():
    x = core.tensor([[0.0, 1.0], [math.nan, math.nan]], requires_grad=True)
    loss = F.cross_entropy(x, core.tensor([1, -100]))
    loss.backward()
    assert loss.isfinite() and x.grad.isfinite().all()
    assert not x.grad[1].any()


@pytest.mark.parametrize("rows", [4, 400])
def test_embedding_gradient_adds_up(rows):
    w = core.randn(50, 8, dtype=core.float64, requires_grad=True)
    index = core.randint(0, 50, (rows,))
    g = core.randn(rows, 8, dtype=core.float64)
    F.embedding(index, w, padding_idx=3).backward(g)
    want = np.zeros((50, 8))
    np.add.at(want, index.numpy(), g.numpy())
    want[3] = 0
    np.testing.assert_allclose(w.grad.numpy(), want, rtol=1e-12, atol=1e-12)


def test_embedding_gradient_with_infinity_stays_in_its_row():
    w = core.zeros(3, 2, requires_grad=True)
    F.embedding(core.tensor([0, 1]), w).backward(core.tensor([[math.inf, 0.0], [1.0, 1.0]]))
    assert w.grad[1:].isfinite().all() and w.grad[0, 0] == math.inf


def test_max_norm_changes_the_table_below_autograd():
    w = core.tensor([[3.0, 4.0], [30.0, 40.0]], requires_grad=True)
    out = F.embedding(core.tensor([0]), w, max_norm=1.0)
    np.testing.assert_allclose(out.detach().numpy(), [[0.6, 0.8]], rtol=1e-6)
    assert w[1, 0] == 30


@pytest.mark.parametrize("name", ["gelu", "silu", "elu", "mish", "softplus", "leaky_relu"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_16_bit_types(name, dtype):
    x = core.linspace(-3, 3, 13)
    d = getattr(core, dtype)
    got = getattr(F, name)(x.to(d))
    assert got.dtype is d
    np.testing.assert_allclose(got.float().numpy(), getattr(F, name)(x).numpy(), rtol=2e-2, atol=2e-2)


def test_gelu_is_exact_to_rounding():
    x = np.linspace(-9, 9, 2001).astype(np.float32)
    want = np.array([v * 0.5 * math.erfc(-v / math.sqrt(2)) for v in x.astype(np.float64)])
    np.testing.assert_allclose(F.gelu(core.from_numpy(x)).numpy(), want, atol=6e-7)
    y = core.from_numpy(x).requires_grad_()
    F.gelu(y).sum().backward()
    double = core.from_numpy(x.astype(np.float64)).requires_grad_()
    F.gelu(double).sum().backward()
    np.testing.assert_allclose(y.grad.numpy(), double.grad.numpy(), atol=1e-6)


def test_inplace_forms():
    for name in ("relu", "elu", "selu", "celu", "leaky_relu", "hardtanh"):
        x = core.randn(5)
        want = getattr(F, name)(x)
        assert getattr(F, name + "_")(x) is x and core.equal(x, want)
    x = core.randn(5)
    assert F.silu(x, inplace=True) is x


def test_ctc_loss_counts_alignments():
    even = core.full((3, 1, 2), 0.5).log()
    # Of 8 paths over three steps, six collapse to the one label.
    loss = F.ctc_loss(even, core.tensor([[1]]), (3,), (1,), reduction="none")
    np.testing.assert_allclose(loss.numpy(), [-math.log(6 / 8)], rtol=1e-6)
    impossible = F.ctc_loss(even, core.tensor([[1, 1, 1]]), (3,), (3,), reduction="sum", zero_infinity=True)
    assert impossible == 0


def test_gaussian_nll_takes_one_variance_along_a_dimension():
    x, target, var = core.randn(4, 3), core.randn(4, 3), core.rand(1, 3) + 0.1
    want = F.gaussian_nll_loss(x, target, var.expand(4, 3))
    assert core.allclose(F.gaussian_nll_loss(x, target, var), want)
    with pytest.raises(ValueError, match="var is of incorrect size"):
        F.gaussian_nll_loss(x, target, core.ones(1, 1))


def test_gelu_saves_the_same_whatever_other_threads_do():
    inside, over = threading.Event(), threading.Event()

    def other():
        with autograd.no_grad():
            inside.set()
            over.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    try:
        assert inside.wait(10)
        assert F.gelu(core.ones(3, requires_grad=True)).grad_fn.saved == ("self_", "result1_")
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize(("k", "n"), [(0, 5), (3, 0)])
def test_linear_maps_of_no_features(k, n):
    x, w = core.ones(2, 4, k, requires_grad=True), core.ones(n, k, requires_grad=True)
    y = F.linear(x, w, core.ones(n))
    assert y.shape == (2, 4, n) and y.sum().item() == 8 * n
    y.sum().backward()
    assert x.grad.shape == x.shape and w.grad.shape == w.shape
