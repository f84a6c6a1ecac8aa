"""Convolutions: samples against torch, gradients, half precision, refusals."""

import numpy as np
import pytest

from lamella import autograd, core
from lamella.nn import functional as F
from lamella.nn.kernels import conv_blocks
from lamella.nn.samples.conv import SAMPLES

IDS = [s.name.rpartition(".")[2] for s in SAMPLES]


@pytest.mark.parametrize("nr", range(len(SAMPLES)), ids=IDS)
def test_values(nr, same_as_torch):
    same_as_torch("conv", nr, SAMPLES[nr])


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_shapes_and_gradients(sample, shapes_and_gradients):
    shapes_and_gradients(sample)


def direct(x, w, stride, padding, dilation):
    """A convolution by its definition."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    kh, kw = w.shape[2:]
    h, v = ((n - dilation * (k - 1) - 1) // stride + 1 for n, k in zip(x.shape[2:], (kh, kw), strict=True))
    out = np.zeros((x.shape[0], w.shape[0], h, v))
    for i in range(h):
        for j in range(v):
            part = x[
                :,
                :,
                i * stride : i * stride + dilation * (kh - 1) + 1 : dilation,
                j * stride : j * stride + dilation * (kw - 1) + 1 : dilation,
            ]
            out[:, :, i, j] = np.einsum("ncab,ocab->no", part, w)
    return out


@pytest.mark.parametrize("stride, padding, dilation", [(1, 0, 1), (2, 1, 1), (1, 2, 2), (3, 1, 2)])
@pytest.mark.parametrize("channels, batch", [(1, 3), (4, 3), (4, 1)])
def test_definition(stride, padding, dilation, channels, batch):
    rng = np.random.default_rng(1)
    x, w = rng.standard_normal((batch, channels, 9, 8)), rng.standard_normal((5, channels, 3, 2))
    got = F.conv2d(core.tensor(x), core.tensor(w), stride=stride, padding=padding, dilation=dilation)
    np.testing.assert_allclose(got.numpy(), direct(x, w, stride, padding, dilation), atol=1e-12)


@pytest.mark.parametrize(
    "shape, weight, kwargs",
    [
        ((6, 1, 12, 12), (4, 1, 3, 3), {"padding": 1}),
        ((6, 4, 7, 7), (8, 4, 3, 3), {"padding": 1}),
        ((6, 4, 9, 9), (8, 4, 3, 3), {"stride": 2}),
        ((6, 4, 8, 8), (4, 1, 3, 3), {"groups": 4, "padding": 1}),
        ((6, 4, 8, 8), (8, 4, 1, 1), {}),
        ((2, 8, 20, 20), (8, 4, 3, 3), {"groups": 2}),
    ],
)
def test_gradients_agree_with_each_other(shape, weight, kwargs):
    """The map is bilinear: <conv(x, w), g> is <x, gx> is <w, gw>."""
    rng = np.random.default_rng(2)
    x, w = (core.tensor(rng.standard_normal(s)).requires_grad_() for s in (shape, weight))
    y = F.conv2d(x, w, **kwargs)
    g = core.tensor(rng.standard_normal(tuple(y.shape)))
    gx, gw = autograd.grad(y, (x, w), g)
    want = float((y * g).sum())
    assert float((x * gx).sum()) == pytest.approx(want) and float((w * gw).sum()) == pytest.approx(want)


@pytest.mark.parametrize("budget", [1, 200, 3000])
@pytest.mark.parametrize("stride, padding, dilation", [(1, 1, 1), (1, 3, 1), (2, 1, 2)])
def test_blocks_of_any_size_give_the_same(budget, stride, padding, dilation, monkeypatch):
    rng = np.random.default_rng(3)
    x, w = (core.tensor(rng.standard_normal(s)).requires_grad_() for s in ((3, 5, 7, 6), (2, 5, 3, 2)))

    def results():
        y = F.conv2d(x, w, None, stride, padding, dilation)
        return y.detach(), *autograd.grad((y * y).sum(), (x, w))

    whole = results()
    monkeypatch.setattr(conv_blocks, "_BUDGET", budget)
    for a, b in zip(whole, results(), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), atol=1e-12)


def test_results_do_not_share_memory_with_operands():
    x = core.ones(1, 2, 3, 3)
    for y in (F.conv2d(x, core.ones(2, 2, 1, 1)), F.unfold(x, 1)):
        y.zero_()
    assert float(x.sum()) == 18


@pytest.mark.parametrize("dtype", [core.float16, core.bfloat16])
def test_half_precision_sums_in_float32(dtype):
    x = core.ones(1, 3000, 1, dtype=dtype)
    w = core.ones(1, 3000, 1, dtype=dtype)
    y = F.conv1d(x, w)
    assert y.dtype is dtype and float(y) == float(core.tensor(3000.0).to(dtype))


def test_same_padding_keeps_sizes():
    x = core.zeros(1, 1, 5, 6)
    assert F.conv2d(x, core.zeros(1, 1, 2, 3), padding="same", dilation=2).shape == (1, 1, 5, 6)
    assert F.conv2d(x, core.zeros(1, 1, 2, 3), padding="valid").shape == (1, 1, 4, 4)


def test_output_padding_beyond_the_stride_has_gradients_of_the_input_s_size():
    x = core.ones(1, 1, 3, requires_grad=True)
    y = F.conv_transpose1d(x, core.ones(1, 1, 2), stride=2, dilation=4, output_padding=3)
    y.sum().backward()
    assert x.grad.shape == x.shape


@pytest.mark.parametrize(
    "x, w, kwargs, error, said",
    [
        ((1, 3, 5, 5), (2, 4, 3, 3), {}, RuntimeError, "to have 4 channels, but got 3 channels"),
        ((1, 3, 2, 2), (2, 3, 3, 3), {}, RuntimeError, "can't be larger than the padded input"),
        ((5, 5), (2, 3, 3, 3), {}, RuntimeError, "Expected 3D .* or 4D"),
        ((1, 3, 5, 5), (2, 3, 3, 3), {"stride": 0}, RuntimeError, "non-positive stride"),
        ((1, 3, 5, 5), (2, 3, 3, 3), {"padding": -1}, RuntimeError, "negative padding"),
        ((1, 3, 5, 5), (2, 3, 3, 3), {"padding": "full"}, RuntimeError, "'same', 'valid'"),
        ((1, 3, 5, 5), (2, 3, 3, 3), {"padding": "same", "stride": 2}, RuntimeError, "strided"),
        ((1, 4, 5, 5), (3, 2, 3, 3), {"groups": 2}, RuntimeError, "divide"),
    ],
)
def test_refusals(x, w, kwargs, error, said):
    with pytest.raises(error, match=said):
        F.conv2d(core.zeros(x), core.zeros(w), **kwargs)


def test_types_must_agree():
    with pytest.raises(RuntimeError, match="should be the same"):
        F.conv1d(core.zeros(1, 1, 3, dtype=core.float64), core.zeros(1, 1, 2))
    with pytest.raises(TypeError, match="must be Tensor, not float"):
        F.conv1d(1.0, core.zeros(1, 1, 2))
