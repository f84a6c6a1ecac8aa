"""Floating types of 8 bits: kept, copied, converted, saved; not computed with."""

import io

import pytest

from lamella import core
from lamella.core import dtypes as dt, promote_types

TYPES = [dt.float8_e4m3fn, dt.float8_e5m2, dt.float8_e4m3fnuz, dt.float8_e5m2fnuz]


@pytest.mark.parametrize("d", TYPES, ids=str)
def test_conversions_there_and_back(d):
    t = core.tensor([0.0, 1.5, -2.0, 16.0])
    small = t.to(d)
    assert small.dtype is d and small.element_size() == 1 and small.is_floating_point()
    assert small.float().tolist() == t.tolist() and core.tensor(1.5, dtype=d).item() == 1.5
    assert small.to(core.bfloat16).tolist() == t.tolist() and str(d) in str(small)
    assert core.cat([small, small]).shape == (8,) and small[1:].tolist() == t[1:].tolist()
    assert bool((small == small).all()) and core.zeros(2, dtype=d).tolist() == [0, 0]
    buffer = io.BytesIO()
    core.save(small, buffer)
    buffer.seek(0)
    back = core.load(buffer)
    assert back.dtype is d and back.tolist() == t.tolist()
    assert small.view(core.uint8).view(d).tolist() == t.tolist()


def test_large_numbers():
    t = core.tensor([500.0, -1e9, float("inf"), float("nan")])
    found = t.to(dt.float8_e4m3fn).tolist()
    assert found[:3] == [448.0, -448.0, 448.0] and found[3] != found[3]
    assert t.to(dt.float8_e5m2).tolist()[2] == float("inf")
    target = core.zeros(4, dtype=dt.float8_e4m3fn)
    assert target.copy_(t).tolist()[:3] == [448.0, -448.0, 448.0]
    assert core.tensor([0.0, 4.0]).to(dt.float8_e8m0fnu).tolist() == [2.0**-127, 4.0]


@pytest.mark.parametrize("call", [lambda t: t + t, lambda t: t * 2.0, lambda t: t.mul_(2), lambda t: t > 1, core.sqrt])
def test_arithmetic_is_refused(call):
    with pytest.raises(NotImplementedError, match="float8_e4m3fn"):
        call(core.ones(2).to(dt.float8_e4m3fn))


def test_no_promotion():
    with pytest.raises(RuntimeError, match="8 bits"):
        promote_types(dt.float8_e5m2, dt.float32)
    with pytest.raises(TypeError, match="Float8"):
        core.ones(1).to(dt.float8_e5m2).numpy()
    assert core.finfo(dt.float8_e4m3fn).max == 448
