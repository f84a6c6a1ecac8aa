"""Normalisation: samples against torch, gradients, running statistics, refusals."""

import numpy as np
import pytest

from lamella import autograd, core
from lamella.nn import functional as F
from lamella.nn.samples.normalization import SAMPLES

IDS = [s.name.rpartition(".")[2] for s in SAMPLES]


@pytest.mark.parametrize("nr", range(len(SAMPLES)), ids=IDS)
def test_values(nr, same_as_torch):
    same_as_torch("normalization", nr, SAMPLES[nr])


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_shapes_and_gradients(sample, shapes_and_gradients):
    shapes_and_gradients(sample)


NORMS = [
    ("layer", (300, 500), lambda x, w: F.layer_norm(x, (500,), w, w), 500),
    ("rms", (300, 500), lambda x, w: F.rms_norm(x, (500,), w, 1e-5), 500),
    ("batch", (40, 6, 5, 5), lambda x, w: F.batch_norm(x, None, None, w, w, True), 6),
    ("batch of long rows", (3, 6, 30, 30), lambda x, w: F.batch_norm(x, None, None, w, w, True), 6),
    (
        "fixed",
        (40, 6, 5, 5),
        lambda x, w: F.batch_norm(x, core.ones(6, dtype=x.dtype), core.ones(6, dtype=x.dtype), w, w),
        6,
    ),
    ("group", (40, 6, 5, 5), lambda x, w: F.group_norm(x, 2, w, w), 6),
    ("group of long rows", (3, 6, 30, 30), lambda x, w: F.group_norm(x, 2, w, w), 6),
    ("instance", (3, 6, 30, 30), lambda x, w: F.instance_norm(x, None, None, w, w), 6),
]


@pytest.mark.parametrize("shape, fn, features", [n[1:] for n in NORMS], ids=[n[0] for n in NORMS])
def test_fused_gradients_agree_with_those_made_of_operators(shape, fn, features):
    rng = np.random.default_rng(0)
    x = core.tensor(rng.standard_normal(shape) + 3).requires_grad_()
    w = core.tensor(rng.standard_normal(features)).requires_grad_()
    g = core.tensor(rng.standard_normal(shape))
    fused = autograd.grad(fn(x, w), (x, w), g)
    plain = autograd.grad(fn(x, w), (x, w), g, create_graph=True)
    for a, b in zip(fused, plain, strict=True):
        assert not a.requires_grad and b.requires_grad
        np.testing.assert_allclose(a.numpy(), b.detach().numpy(), atol=1e-10)


@pytest.mark.parametrize("shape, fn, features", [n[1:] for n in NORMS], ids=[n[0] for n in NORMS])
def test_float32_is_close_to_float64(shape, fn, features):
    rng = np.random.default_rng(0)
    x, w = core.tensor(rng.standard_normal(shape) * 2 + 5), core.tensor(rng.standard_normal(features))
    np.testing.assert_allclose(fn(x.float(), w.float()).numpy(), fn(x, w).numpy(), atol=3e-5)


def test_large_means_do_not_drown_the_deviation():
    x = core.tensor(np.arange(8, dtype=np.float32).reshape(2, 4) + np.float32(4e5))
    want = (np.arange(4) - 1.5) / np.sqrt(1.25)
    np.testing.assert_allclose(F.layer_norm(x, (4,)).numpy(), [want, want], atol=1e-3)


@pytest.mark.parametrize("dtype", [core.float16, core.bfloat16])
def test_half_precision_is_computed_in_float32(dtype):
    x = core.randn(20, 64, dtype=core.float32)
    low = x.to(dtype).requires_grad_()
    y = F.layer_norm(low, (64,), core.ones(64))
    want = F.layer_norm(low.detach().float(), (64,))
    assert y.dtype is dtype and core.equal(y.detach(), want.to(dtype))
    y.sum().backward()
    assert low.grad.dtype is dtype


def test_running_statistics_move_with_unbiased_variance():
    x = core.tensor([[1.0, 0.0], [3.0, 0.0], [5.0, 6.0]])
    mean, var = core.zeros(2), core.ones(2)
    versions = mean._version, var._version
    F.batch_norm(x, mean, var, training=True, momentum=0.5)
    assert mean.tolist() == [1.5, 1.0] and var.tolist() == [2.5, 6.5]
    assert mean._version > versions[0] and var._version > versions[1]
    F.batch_norm(x, mean, var)
    assert mean.tolist() == [1.5, 1.0]


def test_running_statistics_of_instances_are_means_over_samples():
    x = core.tensor([[[1.0, 3.0]], [[5.0, 5.0]]])
    mean, var = core.zeros(1), core.ones(1)
    F.instance_norm(x, mean, var, momentum=1.0)
    assert mean.tolist() == [3.5] and var.tolist() == [1.0]


def test_overwriting_an_input_is_noticed():
    x = core.randn(3, 4, requires_grad=True)
    h = x * 1
    y = F.layer_norm(h, (4,))
    h.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation|layer_norm"):
        y.sum().backward()


def test_complex_root_mean_squares():
    x = core.tensor([3 + 4j, 1 - 2j])
    want = x.numpy() / np.sqrt((x.numpy() ** 2).mean() + 1e-3)
    np.testing.assert_allclose(F.rms_norm(x, (2,), eps=1e-3).numpy(), want, rtol=1e-5)


@pytest.mark.parametrize(
    "call, error, said",
    [
        (lambda x: F.layer_norm(x, (3,)), RuntimeError, r"expected input with shape \[\*, 3\]"),
        (lambda x: F.layer_norm(x, ()), RuntimeError, "at least 1-dimensional"),
        (lambda x: F.layer_norm(x, 4), TypeError, "normalized_shape"),
        (lambda x: F.layer_norm(x, (4,), core.ones(3)), RuntimeError, "Expected weight to be of same shape"),
        (lambda x: F.layer_norm(x, (4,), None, core.ones(3)), RuntimeError, "Expected bias to be of same shape"),
        (
            lambda x: F.layer_norm(x, (4,), core.ones(4, dtype=core.float64)),
            RuntimeError,
            "expected scalar type Float but found Double",
        ),
        (lambda x: F.layer_norm(x.long(), (4,)), NotImplementedError, "'Long'"),
        (lambda x: F.group_norm(x, 3), RuntimeError, "divisible by num_groups"),
        (lambda x: F.group_norm(x[:1, :2], 2), ValueError, "more than 1 value per channel"),
        (lambda x: F.group_norm(x[0], 2), RuntimeError, "at least 2 dimensions"),
        (
            lambda x: F.batch_norm(x[:1], None, None, training=True),
            ValueError,
            "more than 1 value per channel when training",
        ),
        (lambda x: F.batch_norm(x, None, None), RuntimeError, "to be defined when training=False"),
        (
            lambda x: F.batch_norm(x, core.ones(3), core.ones(4)),
            RuntimeError,
            "running_mean should contain 4 elements not 3",
        ),
        (
            lambda x: F.batch_norm(x, core.ones(3), core.ones(3), training=True),
            RuntimeError,
            "should contain 4 elements not 3",
        ),
        (
            lambda x: F.batch_norm(x, None, None, core.ones(5), None, True),
            RuntimeError,
            "weight should contain 4 elements",
        ),
        (lambda x: F.batch_norm(x, None, None, training=True, eps=0.0), ValueError, "eps must be positive"),
        (lambda x: F.instance_norm(x[:, :, None]), ValueError, "more than 1 spatial element"),
        (lambda x: F.instance_norm(x[None], use_input_stats=False), RuntimeError, "use_input_stats"),
        (lambda x: F.local_response_norm(x, 2), ValueError, "3D or higher"),
    ],
)
def test_refusals(call, error, said):
    with pytest.raises(error, match=said):
        call(core.zeros(2, 4))


def test_torch_s_top_has_parameters_before_statistics():
    from lamella.nn import tensor_layers as top

    core.manual_seed(0)
    x, w, b = core.randn(4, 3, 5), core.randn(3), core.randn(3)
    stats = [(core.zeros(3), core.ones(3)) for _ in range(4)]
    want = F.batch_norm(x, *stats[0], w, b, True, 0.3)
    assert core.equal(top.batch_norm(x, w, b, *stats[1], True, 0.3, 1e-5, True), want)
    out, mean, invstd = top.native_batch_norm(x, w, b, *stats[2], True, 0.3, 1e-5)
    assert core.equal(out, want) and core.allclose(mean, x.mean((0, 2)), atol=1e-6)
    assert core.allclose(invstd, (x.var((0, 2), correction=0) + 1e-5).rsqrt(), atol=1e-5)
    assert all(core.equal(a, c) for other in stats[1:3] for a, c in zip(stats[0], other, strict=True))
    instances = top.instance_norm(x, w, b, *stats[3], True, 0.1, 1e-5, True)
    assert core.allclose(instances, F.instance_norm(x, None, None, w, b), atol=1e-5)
