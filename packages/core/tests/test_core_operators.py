"""Every sample of every operator: shape rules, in-place forms, out=."""

import pytest

from lamella.core.samples import all_samples
from lamella.core.testing import check_inplace, check_meta, check_out

SAMPLES = all_samples()
IDS = [f"{i}-{s.name}" for i, s in enumerate(SAMPLES)]


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_meta(sample):
    assert check_meta(sample) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_inplace(sample):
    assert check_inplace(sample) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_out(sample):
    assert check_out(sample) == []
