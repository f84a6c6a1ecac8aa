"""The samples' values against numbers frozen from torch (nn_functional_golden.py writes them)."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from lamella.core import Tensor
from lamella.core.samples import resolve
from lamella.core.testing import leaves
from lamella.nn.samples import functional_samples

SAMPLES = functional_samples()
WANTED = json.loads(Path(__file__).with_name("nn_functional_torch.json").read_text())


@pytest.mark.parametrize("nr", range(len(SAMPLES)), ids=[s.name for s in SAMPLES])
def test_values(nr):
    sample = SAMPLES[nr]
    wanted = WANTED[f"{nr}-{sample.name.rpartition('.')[2]}"]
    fn = resolve(sample.name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for (args, kwargs), want in zip(sample.make(False), wanted, strict=True):
            got = [x for x in leaves(fn(*args, **kwargs)) if isinstance(x, Tensor)]
            assert [list(x.shape) for x in got] == [shape for shape, _ in want]
            for x, (shape, values) in zip(got, want, strict=True):
                np.testing.assert_allclose(x.numpy(), np.reshape(values, shape), rtol=1e-7, atol=1e-8)
