"""Empty, huge, infinite and mistyped operands of network functions, and gradients at their kinks."""

import math

import pytest

from lamella import core, nn
from lamella.autograd import no_grad
from lamella.nn import functional as F

INF, NAN = math.inf, math.nan
T = core.tensor
X = core.tensor([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])


def slope(f, x):
    x = T(x, requires_grad=True)
    f(x).sum().backward()
    return x.grad


def test_nothing_flows_back_through_flat_parts():
    """sqrt has the slope inf at 0; where relu is flat that must not become nan."""
    x = [-1.0, 0.0, 4.0]
    for f in (lambda t: F.relu(t).sqrt(), lambda t: F.threshold(t, 0.0, 0.0).sqrt(), lambda t: t.relu().sqrt()):
        assert slope(f, x).tolist() == [0.0, 0.0, 0.25]
        assert slope(f, x * 400)[:3].tolist() == [0.0, 0.0, 0.25]
    assert math.isnan(slope(F.relu, [NAN])[0].item()) is False and slope(F.relu, [NAN]).item() == 1.0
    half = core.full((600,), -1.0, dtype=core.bfloat16).requires_grad_()
    F.relu(half).sum().backward()
    assert half.grad.dtype is core.bfloat16 and not half.grad.any()


def test_pools_of_norms_at_zero():
    for f, shape in ((F.lp_pool1d, (1, 1, 4)), (F.lp_pool2d, (1, 1, 4, 4)), (F.lp_pool3d, (1, 1, 4, 4, 4))):
        x = core.zeros(shape, requires_grad=True)
        f(x, 2, 2).sum().backward()
        assert not x.grad.any()
    assert F.lp_pool1d(T([[[1.0, -3.0, 2.0, 0.0]]]), INF, 2).tolist() == [[[3.0, 2.0]]]


def test_margins_of_exactly_zero_have_no_gradient():
    x, t = T([[1.0, 0.0]], requires_grad=True), T([0])
    F.multi_margin_loss(x, t).backward()
    assert x.grad.tolist() == [[0.0, 0.0]]
    x.grad = None
    F.multilabel_margin_loss(x, T([[0, -1]])).backward()
    assert x.grad.tolist() == [[0.0, 0.0]]
    assert F.multi_margin_loss(T([[0.0, 0.5]]), t).item() == 0.75


def test_windows_that_see_no_infinity_stay_finite():
    x = T([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, INF]])
    assert F.adaptive_avg_pool1d(x, 3).tolist() == [[1.0, 3.0, INF]]
    assert F.adaptive_avg_pool2d(x.expand(1, 7, 7).clone(), (3, 3))[0, 0].tolist() == [1.0, 3.0, INF]


def test_rms_norm_of_two_types():
    x = core.ones(2, 4)
    for mine in ("half", "bfloat16", "float", "double"):
        for other in ("half", "bfloat16", "float", "double"):
            w = getattr(core.ones(4), other)().requires_grad_()
            y = getattr(x, mine)()
            r = F.rms_norm(y, (4,), w)
            r.sum().backward()
            assert r.dtype is y.dtype and w.grad.dtype is w.dtype and (w.grad - 2).abs().max().item() < 0.01


def test_nothing_in_a_dimension():
    assert F.bilinear(core.ones(3, 2), core.ones(3, 4), core.ones(0, 2, 4)).shape == (3, 0)
    assert F.bilinear(core.ones(0, 2), core.ones(0, 4), core.ones(5, 2, 4)).shape == (0, 5)
    w = core.zeros(5, 0, requires_grad=True)
    F.embedding(T([4, 3]), w).sum().backward()
    assert w.grad.shape == (5, 0)
    values, places = F.fractional_max_pool2d(core.zeros(0, 2, 6, 5), 2, output_size=2, return_indices=True)
    assert values.shape == places.shape == (0, 2, 2, 2)
    assert math.isnan(F.kl_div(core.zeros(0, 4), core.zeros(0, 4), reduction="batchmean").item())


def needs(x):
    return x.clone().requires_grad_()


PAIR, BOOL = core.ones(2, 3), core.ones(2, dtype=core.bool)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: F.conv1d(core.ones(1, 1, 4), core.ones(1, 1, 0)), RuntimeError, "convolution: kernel size"),
        (lambda: F.conv2d(core.ones(1, 1, 4, 4), core.ones(1, 1, 0, 3)), RuntimeError, "convolution: kernel size"),
        (lambda: F.conv_transpose1d(core.ones(1, 1, 4), core.ones(1, 1, 0)), RuntimeError, "convolution: kernel size"),
        (lambda: F.conv1d(core.ones(1, 1, 4), core.ones(0, 1, 3)), RuntimeError, "convolution: expected the weight"),
        (lambda: F.cross_entropy(X, T([0, 1]), needs(core.ones(3))), RuntimeError, "cross_entropy: the function"),
        (lambda: F.nll_loss(X, T([0, 1]), needs(core.ones(3))), RuntimeError, "nll_loss: the function"),
        (lambda: F.soft_margin_loss(X, needs(PAIR)), RuntimeError, "soft_margin_loss: the function"),
        (lambda: F.binary_cross_entropy(PAIR, PAIR, needs(PAIR)), RuntimeError, "binary_cross_entropy: the function"),
        (
            lambda: F.binary_cross_entropy_with_logits(X, PAIR, pos_weight=needs(core.ones(3))),
            RuntimeError,
            "binary_cross_entropy_with_logits: the function is not .* 'pos_weight'",
        ),
        (lambda: F.multi_margin_loss(X.long(), T([0, 1])), NotImplementedError, "multi_margin_loss: it is not"),
        (lambda: F.multi_margin_loss(X, BOOL), RuntimeError, "multi_margin_loss: expected scalar type Long"),
        (lambda: F.multilabel_margin_loss(X, PAIR), RuntimeError, "multilabel_margin_loss: expected scalar type Long"),
        (lambda: F.kl_div(PAIR.long(), PAIR.long(), reduction="sum"), RuntimeError, "kl_div: integral inputs"),
        (lambda: F.kl_div(X + 0j, PAIR, reduction="sum"), RuntimeError, "kl_div: complex inputs"),
        (lambda: F.softmax(X + 0j, 1), NotImplementedError, "softmax: it is not implemented for complex tensors"),
        (lambda: F.log_softmax(X + 0j, 1), NotImplementedError, "log_softmax: it is not implemented for complex"),
        (lambda: F.threshold(X + 0j, 0.0, 0.0), NotImplementedError, "threshold: it is not .*'ComplexFloat'"),
        (lambda: F.glu(core.ones(4).long()), NotImplementedError, "glu: it is not implemented for int64"),
        (lambda: F.smooth_l1_loss(X, PAIR, beta=NAN), RuntimeError, "smooth_l1_loss: does not support negative"),
        (lambda: F.huber_loss(X, PAIR, delta=NAN), RuntimeError, "huber_loss: does not support non-positive"),
        (lambda: F.bilinear(X, X, core.ones(1, 3, 3).double()), RuntimeError, "bilinear: all tensors must"),
        (lambda: F.embedding_bag(T([[0]]), core.ones(2)), ValueError, "embedding_bag: weight has to"),
        (lambda: F.embedding_bag(T([[0]]), core.ones(2, 2).long()), RuntimeError, "embedding_bag: expected 'weight'"),
        (lambda: F.embedding_bag(T([[5]]), core.ones(2, 2)), RuntimeError, "embedding_bag: expected row"),
        (lambda: F.embedding_bag(T([0, 1]), core.ones(3, 2), T([0, 2, 1])), RuntimeError, "embedding_bag: offsets"),
        (lambda: nn.utils.rnn.pack_sequence([core.ones(2), 3]), TypeError, "pack_sequence: expected Tensor"),
        (lambda: nn.utils.rnn.pad_sequence([3]), TypeError, "pad_sequence: expected Tensor as element 0"),
        (lambda: nn.utils.rnn.pack_padded_sequence(3, [1]), TypeError, "pack_padded_sequence: argument 'input'"),
        (lambda: nn.utils.rnn.pack_padded_sequence(X, 3), RuntimeError, "pack_padded_sequence: 'lengths' should be"),
        (lambda: nn.utils.rnn.pack_padded_sequence(X, [3, "a"]), TypeError, "pack_padded_sequence: argument 'lengths'"),
        (lambda: nn.utils.rnn.unpad_sequence(3, T([1])), TypeError, "unpad_sequence: argument 'padded_sequences'"),
    ],
)
def test_refused(call, error, text):
    with pytest.raises(error, match="^" + text) as caught:
        call()
    assert caught.type is error


def test_running_statistics_stay_as_they_were_after_an_error():
    mean, bad = core.zeros(3), core.ones(3, dtype=core.bool)
    with pytest.raises(RuntimeError):
        F.instance_norm(core.randn(2, 3, 4), mean, bad)
    assert not mean.any() and bad.all()


def test_running_statistics_that_cannot_move():
    x, mean = core.randn(4, 3, 2), core.zeros(3)
    for var in (core.ones(3, 1), core.ones(1, 3), core.ones(2), core.ones(3).long(), core.ones(1).expand(3)):
        with pytest.raises(RuntimeError, match="batch_norm: running_var"):
            F.batch_norm(x, mean, var, training=True)
        assert not mean.any() and (var == 1).all()
    with pytest.raises(RuntimeError, match="not differentiable with respect to argument 'running_mean'"):
        F.batch_norm(x, needs(mean), core.ones(3), training=True)
    assert F.batch_norm(x, mean, core.ones(1).expand(3)).shape == x.shape


def test_a_leaf_that_looks_elsewhere():
    x = core.ones(2, requires_grad=True)
    before = (x * x).sum()
    with no_grad():
        x.set_(core.full((3,), 2.0))
    (x * x).sum().backward()
    assert x.grad.tolist() == [4.0, 4.0, 4.0] and before.item() == 2.0


@pytest.mark.parametrize("count", [9, 1200])
@pytest.mark.parametrize("upstream", [INF, NAN])
def test_flat_parts_of_activations_pass_neither_infinity_nor_nan(count, upstream):
    for f, low, high in (
        (F.relu, 0, INF), (F.relu6, 0, 6), (F.hardtanh, -1, 1), (F.hardsigmoid, -3, 3), (F.hardswish, -3, INF),
        (F.hardshrink, None, None), (F.softshrink, None, None),
    ):  # fmt: skip
        x = core.linspace(-8, 8, count).requires_grad_()
        f(x).backward(core.full((count,), upstream))
        flat = x.detach().abs() <= 0.5 if low is None else (x.detach() <= low) | (x.detach() >= high)
        assert flat.any() and (x.grad[flat] == 0).all() and not core.isfinite(x.grad[~flat]).any()


def test_the_slope_of_mish_far_out():
    assert slope(F.mish, [1e30, 100.0, 25.0, -1000.0]).tolist() == [1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize("mode", ["linear", "bilinear", "bicubic", "trilinear", "area"])
def test_an_image_is_resized_around_a_hole(mode):
    """What does not look at a missing element does not become nan."""
    dims = {"linear": 1, "trilinear": 3}.get(mode, 2)
    x = core.ones(1, 2, *[8] * dims)
    x[(0, 0, *[0] * dims)] = NAN
    r = F.interpolate(x, size=(4,) * dims, mode=mode)
    assert core.isnan(r[(0, 0, *[0] * dims)]) and core.isnan(r).sum().item() <= 2**dims
    assert core.isfinite(r[0, 1]).all() and r[(0, 0, *[-1] * dims)].item() == 1.0


def test_threshold_of_integers_brings_its_numbers_to_their_type():
    x, u = core.tensor([-1, 0, 1], dtype=core.int8), core.tensor([0, 5, 200], dtype=core.uint8)
    assert F.threshold(x, -0.5, 7).tolist() == [7, 7, 1]
    assert F.threshold(u, -1, 5).tolist() == [5, 5, 5]
    assert F.threshold(u, 5, -1).tolist() == [255, 255, 200]
    for args in ((1000, 5), (5, 1000), (float("inf"), 1), (float("nan"), 1)):
        with pytest.raises(RuntimeError, match="threshold: value cannot be converted to type int8"):
            F.threshold(x, *args)
