"""Fixtures that check the samples of layers' functions."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import lamella.autograd as autograd
from lamella.core import Tensor
from lamella.core.samples import resolve
from lamella.core.testing import as_function, check_meta, leaves


@pytest.fixture
def same_as_torch():
    """Compares a row of samples with numbers frozen from torch (nn_functional_layers_golden.py writes them)."""
    wanted = json.loads(Path(__file__).with_name("nn_functional_layers_torch.json").read_text())

    def check(family, nr, sample):
        rows = wanted[f"{family}-{nr}-{sample.name.rpartition('.')[2]}"]
        fn = resolve(sample.name)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for (args, kwargs), want in zip(sample.make(False), rows, strict=True):
                got = [x for x in leaves(fn(*args, **kwargs)) if isinstance(x, Tensor)]
                assert [list(x.shape) for x in got] == [shape for shape, _ in want]
                for x, (shape, values) in zip(got, want, strict=True):
                    np.testing.assert_allclose(x.numpy(), np.reshape(values, shape), rtol=1e-7, atol=1e-8)

    return check


@pytest.fixture
def shapes_and_gradients():
    """Checks shape rules, and first and second gradients by finite differences, of a row of samples."""

    def check(sample):
        assert check_meta(sample) == []
        for args, kwargs in sample.make():
            fn, inputs = as_function(resolve(sample.name), args, kwargs)
            assert not inputs or autograd.gradcheck(fn, inputs)
            assert not inputs or autograd.gradgradcheck(fn, inputs)

    return check
