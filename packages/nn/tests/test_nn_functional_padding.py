"""Padding: samples against torch, gradients, refusals."""

import numpy as np
import pytest

from lamella import core
from lamella.nn import functional as F
from lamella.nn.samples.padding import SAMPLES


@pytest.mark.parametrize("nr", range(len(SAMPLES)))
def test_values(nr, same_as_torch):
    same_as_torch("padding", nr, SAMPLES[nr])


@pytest.mark.parametrize("sample", SAMPLES, ids=[s.name for s in SAMPLES])
def test_shapes_and_gradients(sample, shapes_and_gradients):
    shapes_and_gradients(sample)


@pytest.mark.parametrize(
    "mode, numpys", [("constant", "constant"), ("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")]
)
def test_agrees_with_numpy(mode, numpys):
    a = np.arange(24.0).reshape(1, 2, 3, 4)
    got = F.pad(core.tensor(a), (3, 1, 2, 0), mode=mode)
    np.testing.assert_array_equal(got.numpy(), np.pad(a, ((0, 0), (0, 0), (2, 0), (3, 1)), mode=numpys))


def test_negative_widths_crop_before_going_around_and_after_reflecting():
    x = core.arange(5.0).reshape(1, 5)
    assert F.pad(x, (-1, 2), mode="circular").tolist() == [[1, 2, 3, 4, 1, 2]]
    assert F.pad(x, (-4, 4), mode="reflect").tolist() == [[4, 3, 2, 1, 0]]
    assert F.pad(x, (-1, -1)).tolist() == [[1, 2, 3]]


def test_integers_and_bools_pad_too():
    assert F.pad(core.tensor([[1, 2, 3]]), (1, 1), mode="replicate").tolist() == [[1, 1, 2, 3, 3]]
    assert F.pad(core.tensor([True]), (0, 1)).tolist() == [True, False]


@pytest.mark.parametrize(
    "width, kwargs, error, said",
    [
        ((1,), {}, RuntimeError, "divisible by 2"),
        ((1, 1, 1, 1, 1, 1, 1, 1), {}, RuntimeError, "two times the input dimension"),
        (
            (4, 0),
            {"mode": "reflect"},
            RuntimeError,
            r"less than the corresponding input dimension.*\(4, 0\) at dimension 2",
        ),
        ((5, 0), {"mode": "circular"}, RuntimeError, "wrapping around more than once"),
        ((-3, -2), {"mode": "replicate"}, RuntimeError, "too small"),
        ((-3, -2), {}, RuntimeError, "negative output size"),
        ((1, 1), {"mode": "reflect", "value": 2.0}, RuntimeError, "doesn't take in value"),
        ((1, 1), {"mode": "mirror"}, NotImplementedError, "Unrecognised padding mode mirror"),
        ((1, 1, 1, 1, 1, 1), {"mode": "reflect"}, NotImplementedError, "Only 2D, 3D, 4D, 5D"),
        ((1.0, 1), {}, TypeError, "tuple of ints"),
        (3, {}, TypeError, "tuple of ints"),
    ],
)
def test_refusals(width, kwargs, error, said):
    with pytest.raises(error, match=said):
        F.pad(core.zeros(2, 3, 4), width, **kwargs)
