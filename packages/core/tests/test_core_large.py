"""The ways of large arrays: blocks, packed keys, threads. NumPy's plain functions are the measure."""

from __future__ import annotations

import numpy as np
import pytest

from lamella import core
from lamella.core import parallel
from lamella.core.copies import copied, in_float32

F16, F32 = np.dtype(np.float16), np.dtype(np.float32)
RNG = np.random.default_rng(0)


def tensor(a):
    return core.tensor(np.ascontiguousarray(a))


def kinds(shape):
    """Arrays with ties, NaN, two zeros, infinities, and of several types."""
    a = RNG.standard_normal(shape).astype(np.float32)
    yield a
    yield np.round(a)
    yield np.where(a > 1, np.nan, a).astype(np.float32)
    yield np.where(a > 0, 0.0, -0.0).astype(np.float32)
    yield np.where(a > 2, np.inf, np.where(a < -2, -np.inf, a)).astype(np.float32)
    yield a.astype(np.float64)
    yield a.astype(np.float16)
    yield (a * 10).astype(np.int64)
    yield RNG.integers(-(2**31), 2**31 - 1, shape).astype(np.int32)
    yield RNG.integers(-(2**63), 2**63 - 1, shape)
    yield np.abs(a * 30).astype(np.uint8)


def test_every_float16_becomes_the_same_float32():
    halves = np.arange(65536, dtype=np.uint16).view(F16)
    for a in (halves, halves[np.isfinite(halves)]):
        assert np.array_equal(copied(a, F32).view(np.uint32), a.astype(F32).view(np.uint32))


def test_float32_becomes_the_nearest_float16():
    halves = np.arange(65536, dtype=np.uint16).view(F16)
    halves = halves[np.isfinite(halves)]
    middle = (halves.astype(F32) + np.nextafter(halves, F16.type(np.inf)).astype(F32)) / 2
    bits = RNG.integers(0, 2**32, 1 << 17, dtype=np.uint32).view(F32)
    for a in (middle, np.nextafter(middle, F32.type(9e9)), np.nextafter(middle, F32.type(-9e9)), bits,
              bits[np.isfinite(bits)], RNG.standard_normal(70000).astype(F32) * 1e-6):
        assert np.array_equal(copied(a, F16).view(np.uint16), a.astype(F16).view(np.uint16))


@pytest.mark.parametrize("shape, order", [((512, 300), (1, 0)), ((300, 512), (1, 0)), ((8, 40, 50, 30), (0, 2, 3, 1)),
                                          ((70, 80, 90), (2, 1, 0)), ((1024, 1024), (1, 0))])
def test_copies_in_another_order(shape, order):
    a = RNG.standard_normal(shape).astype(F32).transpose(order)
    r = copied(a, F32)
    assert r.flags.c_contiguous and np.array_equal(r, a)


def test_16_bit_functions_in_blocks():
    a = RNG.standard_normal((300, 301)).astype(F16)
    assert np.array_equal(in_float32(np.exp, [a], F16), np.exp(a.astype(F32)).astype(F16))
    assert in_float32(np.isnan, [a], F16) is None and in_float32(np.exp, [a.T], F16) is None
    x = tensor(a)
    assert np.array_equal((x * x + 1).numpy(), ((a.astype(F32) ** 2).astype(F16).astype(F32) + 1).astype(F16))


@pytest.mark.parametrize("shape, dim", [((9000,), 0), ((90, 130), 1), ((130, 90), 0), ((3, 40, 50), 1), ((4, 1500), 1)])
def test_sorts_are_stable(shape, dim):
    for a in kinds(shape):
        values, places = core.sort(tensor(a), dim, stable=True)
        want = np.argsort(a, dim, kind="stable")
        assert np.array_equal(places.numpy(), want), a.dtype
        assert np.array_equal(values.numpy(), np.take_along_axis(a, want, dim), equal_nan=a.dtype.kind == "f")
        down = core.argsort(tensor(a), dim, descending=True, stable=True).numpy()
        back = a.shape[dim] - 1 - np.flip(np.argsort(np.flip(a, dim), dim, kind="stable"), dim)
        assert np.array_equal(down, back), a.dtype


@pytest.mark.parametrize("largest", [True, False])
def test_topk_and_kthvalue_of_rows(largest):
    for a in kinds((40, 300)):
        values, places = core.topk(tensor(a), 5, 1, largest)
        ordered = np.sort(a, 1)
        want = np.flip(ordered, 1)[:, :5] if largest else ordered[:, :5]
        assert np.array_equal(values.numpy(), want, equal_nan=a.dtype.kind == "f")
        assert np.array_equal(np.take_along_axis(a, places.numpy(), 1), want, equal_nan=a.dtype.kind == "f")
        assert all(len(set(row)) == 5 for row in places.tolist())
        value, place = core.kthvalue(tensor(a), 7, 1)
        assert np.array_equal(value.numpy(), ordered[:, 6], equal_nan=a.dtype.kind == "f")
        assert np.array_equal(a[np.arange(40), place.numpy()], ordered[:, 6], equal_nan=a.dtype.kind == "f")


def test_topk_where_the_last_value_is_among_the_found():
    a = np.full((3, 100), -np.inf, F32)
    values, places = core.topk(tensor(a), 4, 1)
    assert np.isinf(values.numpy()).all() and all(len(set(row)) == 4 for row in places.tolist())


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("n", [2, 3, 7, 64, 999])
def test_searches_of_many_values(n, right):
    steps = np.sort(np.round(RNG.standard_normal(n) * 5, 1)).astype(F32)
    values = np.round(RNG.standard_normal(40000) * 5, 1).astype(F32)
    values[:4] = np.nan, np.inf, -np.inf, steps[0]
    r = core.searchsorted(tensor(steps), tensor(values), right=right)
    assert np.array_equal(r.numpy(), np.searchsorted(steps, values, "right" if right else "left"))


@pytest.mark.parametrize("shape, dim", [((70, 301), 1), ((301, 70), 0), ((2, 2049), 1), ((600, 140), 0), ((999, 2), 0)])
def test_running_reductions(shape, dim):
    for a in kinds(shape):
        x = tensor(a)
        if a.dtype.kind != "f" or a.itemsize > 2:
            close = dict(rtol=1e-4, atol=1e-4) if a.dtype == F32 else dict(rtol=1e-9)
            d = a.dtype if a.dtype.kind == "f" else np.int64
            assert np.allclose(core.cumsum(x, dim).numpy(), np.cumsum(a, dim, d), equal_nan=True, **close), a.dtype
        values, places = core.cummax(x, dim)
        want = np.maximum.accumulate(a, dim)
        assert np.array_equal(values.numpy(), want, equal_nan=a.dtype.kind == "f")
        found = np.take_along_axis(a, places.numpy(), dim)
        assert np.array_equal(found, want, equal_nan=a.dtype.kind == "f")
        assert (places.numpy() <= np.arange(shape[dim]).reshape([-1 if k == dim else 1 for k in (0, 1)])).all()


@pytest.mark.parametrize("dim", [0, 1])
def test_gather_and_scatter_in_parts(dim):
    a, b = RNG.standard_normal((2, 300, 400)).astype(F32)
    places = RNG.integers(0, a.shape[dim], (290, 390))
    other = np.argsort(RNG.random((300, 400)), dim)
    grid = list(np.meshgrid(np.arange(290), np.arange(390), indexing="ij"))
    grid[dim] = places
    assert np.array_equal(core.gather(tensor(a), dim, tensor(places)).numpy(), a[tuple(grid)])
    want = a.copy()
    np.put_along_axis(want, other, b, dim)
    assert np.array_equal(core.scatter(tensor(a), dim, tensor(other), tensor(b)).numpy(), want)
    added = a.astype(np.float64)
    np.add.at(added, tuple(grid), b[:290, :390])
    got = core.scatter_add(tensor(a), dim, tensor(places), tensor(b)).numpy()
    assert np.allclose(got, added, rtol=1e-4, atol=1e-4)


def test_places_out_of_range_are_refused_at_any_size():
    for n in (4, 300):
        x, places = core.zeros(n, n), core.zeros(n, n, dtype=core.int64)
        places[n - 1, 0] = n
        with pytest.raises(RuntimeError, match="out of bounds"):
            core.gather(x, 1, places)
        with pytest.raises(RuntimeError, match="out of bounds"):
            core.scatter(x, 0, places, x)
        places[n - 1, 0] = -1
        with pytest.raises(RuntimeError, match="out of bounds"):
            core.scatter_add(x, 1, places, core.ones(n, n))


def test_pieces_give_what_the_whole_gives():
    a = RNG.standard_normal((700, 600)).astype(F32)
    x = tensor(a)
    for f in (core.sigmoid, core.erf, lambda t: core.remainder(t, 0.7), lambda t: core.fmod(t, t + 3)):
        whole, parts = f(x), [f(row) for row in x]
        assert core.equal(whole, core.stack(parts))


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_change_results(threads):
    a = RNG.standard_normal((1024, 1024)).astype(F32)
    before = core.cumprod(tensor(a), 1), tensor(a).half(), tensor(a).t().contiguous()
    had = core.get_num_threads()
    try:
        core.set_num_threads(threads)
        assert core.get_num_threads() == threads
        after = core.cumprod(tensor(a), 1), tensor(a).half(), tensor(a).t().contiguous()
    finally:
        core.set_num_threads(had)
    assert all(core.equal(x, y) for x, y in zip(before, after, strict=True))


def test_an_error_on_a_thread_is_raised():
    def work(start, stop):
        if start >= 40:
            raise ValueError(start)

    with pytest.raises(ValueError):
        parallel.spread(work, 80, 10, 1)
    done = []
    parallel.spread(lambda i, j: done.append((i, j)), 80, 30, 1)
    assert sorted(done) == [(0, 30), (30, 60), (60, 80)]


@pytest.mark.parametrize("n", [4, 1000, 400_000])
def test_fmod_keeps_the_sign_of_a_zero(n):
    a = np.resize(np.array([-4.0, 4.0, -5.0, -0.0], np.float32), n)
    r = core.fmod(core.tensor(a), core.tensor(np.full(n, 2, np.float32)))
    assert np.array_equal(np.signbit(r.numpy()), np.signbit(a))


def test_masked_prod_refuses_what_sum_refuses():
    from lamella.core.functions import masked

    x, mask = core.ones(2, 3), core.ones(2, 3) > 0
    for reduce in (masked.sum, masked.prod):
        with pytest.raises(IndexError):
            reduce(x, 5, mask=mask)
        with pytest.raises(RuntimeError):
            reduce(x, (0, 0), mask=mask)
