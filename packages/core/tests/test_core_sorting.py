"""Sorting, searching and counting."""

import numpy as np
import pytest

from lamella import core
from lamella.core import dtypes as dt

NAN, INF = float("nan"), float("inf")
F = [3.0, NAN, 1.0, INF, -1.0]


def test_nan_is_the_largest():
    values, indices = core.sort(core.tensor(F))
    assert indices.tolist() == [4, 2, 0, 3, 1] and str(values.tolist()) == str([-1.0, 1.0, 3.0, INF, NAN])
    values, indices = core.tensor(F).sort(descending=True)
    assert indices.tolist() == [1, 3, 0, 2, 4]
    assert core.tensor(F).topk(2).indices.tolist() == [1, 3]
    assert core.tensor(F).topk(2, largest=False).indices.tolist() == [4, 2]
    assert core.kthvalue(core.tensor(F), 5).indices.item() == 1


def test_sort_is_stable_both_ways():
    t = core.tensor([2, 1, 2, 1])
    assert core.sort(t, stable=True).indices.tolist() == [1, 3, 0, 2]
    assert core.sort(t, descending=True, stable=True).indices.tolist() == [0, 2, 1, 3]
    assert core.argsort(t, descending=True, stable=True).tolist() == [0, 2, 1, 3]


def test_sort_along_dimensions():
    a = np.random.default_rng(0).normal(size=(3, 4, 5))
    for dim in (-1, 0, 1):
        values, indices = core.sort(core.tensor(a), dim)
        assert np.array_equal(values._a, np.sort(a, dim)) and np.array_equal(indices._a, np.argsort(a, dim))
    assert np.array_equal(core.msort(core.tensor(a))._a, np.sort(a, 0))
    out = (core.empty(0, dtype=dt.float64), core.empty(0, dtype=dt.int64))
    r = core.sort(core.tensor(a), 0, out=out)
    assert r.values is out[0] and np.array_equal(out[0]._a, np.sort(a, 0))


@pytest.mark.parametrize("n, k", [(5, 2), (1000, 7), (1000, 900), (64, 64), (3, 0)])
def test_topk(n, k):
    a = np.random.default_rng(1).permutation(n).astype(np.float64)
    r = core.topk(core.tensor(a), k)
    assert r.values.tolist() == sorted(a, reverse=True)[:k]
    assert np.array_equal(a[r.indices._a], r.values._a)
    assert core.topk(core.tensor(a), k, largest=False).values.tolist() == sorted(a)[:k]


def test_unique():
    t = core.tensor([3, 1, 3, 2])
    values, inverse, counts = core.unique(t, return_inverse=True, return_counts=True)
    assert (values.tolist(), inverse.tolist(), counts.tolist()) == ([1, 2, 3], [2, 0, 2, 1], [1, 1, 2])
    rows = core.tensor([[1, 2], [1, 2], [0, 1]])
    values, inverse, counts = core.unique(rows, dim=0, return_inverse=True, return_counts=True)
    assert (values.tolist(), inverse.tolist(), counts.tolist()) == ([[0, 1], [1, 2]], [1, 1, 0], [1, 2])
    values, counts = core.unique_consecutive(core.tensor([1, 1, 2, 1]), return_counts=True)
    assert (values.tolist(), counts.tolist()) == ([1, 2, 1], [2, 1, 1])
    assert core.unique(core.tensor([NAN, NAN])).shape == (2,)
    assert core.unique(core.tensor([])).shape == (0,)


def test_search():
    seq = core.tensor([1, 3, 5, 7, 9])
    assert core.searchsorted(seq, core.tensor([[3, 6, 9]])).tolist() == [[1, 3, 4]]
    assert core.searchsorted(seq, core.tensor([[3, 6, 9]]), right=True).tolist() == [[2, 3, 5]]
    assert core.searchsorted(seq, 3.5).item() == 2
    rows = core.tensor([[1, 3, 5], [2, 4, 6]])
    assert core.searchsorted(rows, core.tensor([[3], [3]])).tolist() == [[1], [1]]
    assert core.searchsorted(core.tensor([3, 1]), core.tensor([2]), sorter=core.tensor([1, 0])).tolist() == [1]
    assert core.bucketize(core.tensor([3, 6]), core.tensor([1, 3, 5]), out_int32=True).dtype is dt.int32


def test_counting():
    t = core.tensor([0, 1, 1, 3])
    assert core.bincount(t).tolist() == [1, 2, 0, 1] and core.bincount(t, minlength=5).tolist() == [1, 2, 0, 1, 0]
    assert core.bincount(t, core.tensor([1.0, 2.0, 3.0, 4.0])).tolist() == [1.0, 5.0, 0.0, 4.0]
    assert core.histc(core.tensor([1.0, 2.0, 1.0]), 4, 0, 3).tolist() == [0.0, 2.0, 1.0, 0.0]
    assert core.isin(core.tensor([1, 2, 3]), core.tensor([2, 3])).tolist() == [False, True, True]
    assert core.isin(core.arange(200), core.arange(0, 200, 2), invert=True).sum() == 100


ERRORS = [
    (lambda: core.topk(core.ones(3), 4), RuntimeError, "selected index k out of range"),
    (lambda: core.kthvalue(core.ones(3), 0), RuntimeError, "out of range for dimension 0"),
    (lambda: core.sort(core.ones(3), 1), IndexError, "Dimension out of range"),
    (lambda: core.sort(core.tensor([1j])), RuntimeError, "complex"),
    (lambda: core.bincount(core.tensor([-1])), RuntimeError, "non-negative"),
    (lambda: core.bincount(core.tensor([[1]])), RuntimeError, "1-d"),
    (lambda: core.histc(core.ones(3), 0), RuntimeError, "bins must be > 0"),
    (lambda: core.searchsorted(core.tensor([1]), core.tensor([2]), side="left", right=True), RuntimeError, "opposites"),
    (lambda: core.bucketize(core.tensor([1]), core.ones(1, 1)), RuntimeError, "1 dimension"),
    (lambda: core.unique(core.ones(0, 3), dim=1), RuntimeError, "0 sized dimensions"),
]


@pytest.mark.parametrize("call, kind, text", ERRORS)
def test_errors(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_rows_without_elements():
    x = core.tensor([]).reshape(2, 0)
    for found in (x.sort(1), x.topk(0, 1), x.cummax(1)):
        assert found.values.shape == found.indices.shape == (2, 0)
    assert x.argsort(1).shape == (2, 0)
