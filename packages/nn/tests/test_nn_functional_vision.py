"""Interpolation, sampling by a grid, pixel shuffles: samples against torch, gradients, refusals."""

import numpy as np
import pytest

from lamella import core
from lamella.nn import functional as F
from lamella.nn.samples.vision import SAMPLES

IDS = [s.name.rpartition(".")[2] for s in SAMPLES]


@pytest.mark.parametrize("nr", range(len(SAMPLES)), ids=IDS)
def test_values(nr, same_as_torch):
    same_as_torch("vision", nr, SAMPLES[nr])


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_shapes_and_gradients(sample, shapes_and_gradients):
    shapes_and_gradients(sample)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("size", [(300, 9), (20, 300), (150, 40)])
def test_long_and_short_dimensions_agree(mode, size):
    """Long dimensions add up taps, short ones are matrix products; a long one cut in two is short."""
    x = core.tensor(np.random.default_rng(0).standard_normal((1, 1, 150, 40)))
    y = F.interpolate(x, size=size, mode=mode)
    eye = core.eye(150, dtype=core.float64).reshape(1, 150, 150, 1)
    down = F.interpolate(eye.expand(1, 150, 150, 2), size=(size[0], 2), mode=mode)[0, :, :, 0]
    across = F.interpolate(core.eye(40, dtype=core.float64).reshape(1, 40, 1, 40), size=(1, size[1]), mode=mode)[
        0, :, 0
    ]
    want = down.t() @ x[0, 0] @ across
    np.testing.assert_allclose(y[0, 0].numpy(), want.numpy(), atol=1e-9)


def test_gradients_of_long_dimensions_are_the_transposed_map():
    rng = np.random.default_rng(0)
    x = core.tensor(rng.standard_normal((1, 2, 200, 90))).requires_grad_()
    for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area"):
        y = F.interpolate(x, size=(130, 211), mode=mode)
        g = core.tensor(rng.standard_normal(tuple(y.shape)))
        x.grad = None
        y.backward(g)
        assert float((x * x.grad).sum()) == pytest.approx(float((y * g).sum()))


def test_constants_stay_constant():
    x = core.full((1, 1, 13, 11), 2.5)
    for mode in ("nearest", "nearest-exact", "area", "bilinear", "bicubic"):
        assert core.allclose(F.interpolate(x, size=(5, 29), mode=mode), core.tensor(2.5))
    for mode in ("bilinear", "bicubic", "lanczos"):
        assert core.allclose(F.interpolate(x, size=(5, 29), mode=mode, antialias=True), core.tensor(2.5))


def test_bytes_are_rounded():
    x = core.tensor([[[[0, 255]]]], dtype=core.uint8)
    assert F.interpolate(x, size=(1, 4), mode="bilinear").tolist() == [[[[0, 64, 191, 255]]]]
    assert F.interpolate(x, scale_factor=2).shape == (1, 1, 2, 4)


def test_scale_factors_place_samples_unless_recomputed():
    x = core.arange(3.0).reshape(1, 1, 3)
    a = F.interpolate(x, scale_factor=1.9, mode="linear")
    b = F.interpolate(x, scale_factor=1.9, mode="linear", recompute_scale_factor=True)
    assert a.shape == b.shape == (1, 1, 5) and not core.allclose(a, b)
    assert core.equal(b, F.interpolate(x, size=5, mode="linear"))


def test_the_identity_grid_gives_the_image_back():
    x = core.randn(2, 3, 4, 5)
    theta = core.tensor([[[1.0, 0, 0], [0, 1, 0]]]).expand(2, 2, 3)
    for align in (False, True):
        grid = F.affine_grid(theta, x.shape, align_corners=align)
        for mode in ("bilinear", "nearest", "bicubic"):
            assert core.allclose(F.grid_sample(x, grid, mode, align_corners=align), x, atol=1e-5)


def test_nearest_samples_have_a_zero_gradient_in_the_grid():
    grid = core.zeros(1, 1, 1, 2, requires_grad=True)
    F.grid_sample(core.ones(1, 1, 3, 3), grid, "nearest", align_corners=True).sum().backward()
    assert grid.grad.tolist() == [[[[0, 0]]]]


def test_a_default_that_changed_is_mentioned():
    with pytest.warns(UserWarning, match="align_corners"):
        F.grid_sample(core.ones(1, 1, 2, 2), core.zeros(1, 1, 1, 2))
    with pytest.warns(UserWarning, match="align_corners"):
        F.affine_grid(core.zeros(1, 2, 3), (1, 1, 2, 2))
    with pytest.warns(UserWarning, match="deprecated"):
        assert F.upsample(core.ones(1, 1, 2), scale_factor=2).shape == (1, 1, 4)


@pytest.mark.parametrize(
    "kwargs, error, said",
    [
        ({}, ValueError, "either size or scale_factor"),
        ({"size": 3, "scale_factor": 2}, ValueError, "only one of size or scale_factor"),
        ({"size": (3,)}, ValueError, "same number of spatial dimensions"),
        ({"size": (3.5, 2)}, TypeError, "size with types"),
        ({"scale_factor": "2"}, TypeError, "scale_factor"),
        ({"size": 0}, RuntimeError, "greater than 0"),
        ({"size": 3, "align_corners": True}, ValueError, "align_corners option"),
        ({"size": 3, "mode": "linear"}, NotImplementedError, "Got 4D input, but linear mode needs 3D"),
        ({"size": 3, "mode": "cubic"}, NotImplementedError, "got cubic"),
        ({"size": 3, "antialias": True}, ValueError, "Anti-alias option is restricted"),
        ({"size": 3, "mode": "lanczos"}, ValueError, "requires antialias=True"),
        ({"size": 3, "recompute_scale_factor": True}, ValueError, "not meaningful"),
    ],
)
def test_refusals(kwargs, error, said):
    with pytest.raises(error, match=said):
        F.interpolate(core.zeros(1, 1, 4, 4), **kwargs)


@pytest.mark.parametrize(
    "x, grid, args, error, said",
    [
        ((1, 1, 3, 3), (1, 2, 2, 2), ("cubic",), ValueError, "expected mode"),
        ((1, 1, 3, 3), (1, 2, 2, 2), ("nearest", "wrap"), ValueError, "expected padding_mode"),
        ((1, 1, 3, 3), (2, 2, 2, 2), (), RuntimeError, "batch size"),
        ((1, 1, 3, 3), (1, 2, 2, 3), (), RuntimeError, "size 2 in last dimension"),
        ((1, 1, 0, 3), (1, 2, 2, 2), (), RuntimeError, "non-empty"),
        ((1, 1, 3, 3, 3), (1, 2, 2, 2, 3), ("bicubic",), RuntimeError, "only supports 4D"),
    ],
)
def test_refusals_of_grids(x, grid, args, error, said):
    with pytest.raises(error, match=said):
        F.grid_sample(core.zeros(x), core.zeros(grid), *args, align_corners=False)
