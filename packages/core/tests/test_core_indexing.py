"""Reading and writing by index, and the operators behind it."""

import numpy as np
import pytest

from lamella import core
from lamella.core import dtypes as dt

X = np.arange(24.0).reshape(2, 3, 4)
MASK = np.array([[True, False, True], [False, True, False]])


def x():
    return core.tensor(X.copy())


m = core.tensor(MASK)
BASIC = [
    0,
    -1,
    (0, 2),
    (1, slice(1, None)),
    slice(None, 1),
    (..., 1),
    (slice(None), None, 1),
    None,
    ...,
    (),
    (0, 1, 2),
    (slice(0, 10), slice(7, None)),
    (..., slice(None, None, 2), 0),
    np.int64(1),
    (None, ..., None),
]


@pytest.mark.parametrize("index", BASIC, ids=repr)
def test_basic_indices_are_views(index):
    t = x()
    got = t[index]
    assert np.array_equal(got._a, X[index]) and got.shape == np.shape(X[index])
    assert got._base is t and got._vc is t._vc


ADVANCED = [
    ([0, 1], X[[0, 1]]),
    ((slice(None), [2, 0]), X[:, [2, 0]]),
    (([0, 1], slice(None), [0, 1]), X[[0, 1], :, [0, 1]]),
    ((0, slice(None), [0, 1]), X[0][:, [0, 1]]),
    (m, X[MASK]),
    ((m, 0), X[MASK, 0]),
    ((m, slice(1, 3)), X[MASK, 1:3]),
    (core.tensor([[0, 1], [1, 0]]), X[np.array([[0, 1], [1, 0]])]),
    ((core.tensor([[0, 1], [1, 0]]), 0), X[np.array([[0, 1], [1, 0]]), 0]),
    (core.tensor([-1]), X[[-1]]),
    (core.tensor([], dtype=dt.int64), X[np.array([], int)]),
    ((slice(None), None, [0, 2]), X[:, None][:, :, [0, 2]]),
    ((..., [True, False, True, False]), X[..., [0, 2]]),
    (True, X[None]),
    (False, X[None][:0]),
    (core.tensor(True), X[None]),
    (np.array([0, 1]), X),
    (range(2), X),
    ([True, False], X[:1]),
    ([], X[:0]),
]


@pytest.mark.parametrize("index, want", ADVANCED, ids=range(len(ADVANCED)))
def test_advanced_indices_are_contiguous_copies(index, want):
    t = x()
    got = t[index]
    assert got.shape == want.shape and np.array_equal(got._a, want)
    assert got.is_contiguous() and not np.may_share_memory(got._a, t._a)


def test_zero_dimensional_integer_tensors_select():
    t = x()
    assert t[core.tensor(1)]._base is t
    assert t[:, core.tensor(1)].tolist() == X[:, 1].tolist()


def test_lists_of_sequences_are_tuples():
    with pytest.warns(UserWarning, match="taken as a tuple"):
        assert x()[[[0, 1], [1, 0]]].tolist() == X[[0, 1], [1, 0]].tolist()


ERRORS = [
    (lambda t: t[5], IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
    (lambda t: t[0, 5], IndexError, "index 5 is out of bounds for dimension 1 with size 3"),
    (lambda t: t[0][5], IndexError, "index 5 is out of bounds for dimension 0 with size 3"),
    (lambda t: t[-3], IndexError, "index -3 is out of bounds"),
    (lambda t: t[0, 0, 0, 0], IndexError, "too many indices for tensor of dimension 3"),
    (lambda t: t[m, m], IndexError, "too many indices for tensor of dimension 3"),
    (lambda t: core.tensor(3.0)[0], IndexError, "invalid index of a 0-dim tensor"),
    (lambda t: t[::-1], ValueError, "step must be greater than zero"),
    (lambda t: t[0:1:0], ValueError, "step cannot be zero"),
    (lambda t: t[0:1.5], TypeError, "slice indices must be integers"),
    (lambda t: t[1.0], IndexError, r"only integers, slices .* are valid indices \(got float\)"),
    (lambda t: t["a"], TypeError, "invalid data type 'str'"),
    (lambda t: t[core.tensor(1.0)], IndexError, "must be long, int, byte or bool tensors"),
    (lambda t: t[core.tensor([0, 5])], IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
    (lambda t: t[:, core.tensor([0, 5])], IndexError, "index 5 is out of bounds for dimension 1 with size 3"),
    (
        lambda t: t[core.tensor([True, False, True])],
        IndexError,
        r"The shape of the mask \[3\] at index 0 does not match the shape of the indexed tensor \[2, 3, 4\] at index 0",
    ),
    (lambda t: t[core.tensor([0, 1]), core.tensor([0, 1, 2])], IndexError, r"shape mismatch.*\[2\], \[3\]"),
    (lambda t: t.index_select(1, core.tensor([5])), IndexError, "index out of range in self"),
    (lambda t: t.index_select(1, core.tensor([[0]])), IndexError, "supposed to be a vector"),
    (
        lambda t: t[0].gather(1, core.tensor([[4]])),
        RuntimeError,
        "index 4 is out of bounds for dimension 1 with size 4",
    ),
    (lambda t: t[0].gather(1, core.tensor([0])), RuntimeError, "same number of dimensions"),
    (lambda t: t[0].scatter(1, core.tensor([[7]]), 1), RuntimeError, "index 7 is out of bounds"),
    (lambda t: t[0].scatter_add(1, core.tensor([[0]]), core.ones(1, 1)), RuntimeError, "to be equal to src.dtype"),
    (lambda t: t.take(core.tensor([24])), IndexError, "tried to access index 24 on a tensor of 24 elements"),
    (lambda t: t.masked_fill(t, 0), RuntimeError, "only supports boolean masks"),
    (lambda t: t.masked_scatter(t > 20, core.ones(2, dtype=dt.float64)), RuntimeError, r"\(2 < 3\)"),
    (lambda t: core.where(t > 0, core.ones(2), core.ones(3)), RuntimeError, "must match the size"),
    (lambda t: core.where(t, t, t), RuntimeError, "boolean tensor"),
    (lambda t: t.index_put((core.tensor([0]),), core.ones(1)), RuntimeError, "source and destination dtypes match"),
]


@pytest.mark.parametrize("call, kind, text", ERRORS, ids=range(len(ERRORS)))
def test_errors(call, kind, text):
    with pytest.raises(kind, match=text) as e:
        call(x())
    assert type(e.value) is kind


WRITES = [
    (0, 5.0),
    ((0, slice(1, None)), -1),
    (..., 2.0),
    (True, 3.0),
    (False, 3.0),
    (m, 1.0),
    ((m, 0), 7.0),
    ([0, 1], 4.0),
    (None, 2.0),
    ((slice(None), [0, 2]), 9.0),
    (slice(0, 0), 1.0),
]


@pytest.mark.parametrize("index, value", WRITES, ids=range(len(WRITES)))
def test_writes(index, value):
    t, want = x(), X.copy()
    t[index] = value
    plain = tuple(MASK if i is m else i for i in index) if isinstance(index, tuple) else MASK if index is m else index
    want[plain] = value
    assert np.array_equal(t._a, want) and t._vc.n == 1


def test_writes_of_tensors():
    t = x()
    t[0] = core.zeros(1, 1, 4)  # sizes of 1 in front do not count
    t[m] = core.ones(4, dtype=dt.float64)
    t[1, 2] = core.tensor(3)
    assert t[0, 1].tolist() == [0.0] * 4 and t[0, 0].tolist() == [1.0] * 4 and t[1, 2].tolist() == [3.0] * 4
    t[[0, 0]] = core.zeros(1, 1, 2, 3, 4, dtype=dt.float64)
    assert t[0].abs().sum() == 0


BAD_WRITES = [
    (5, 0, IndexError, "out of bounds"),
    ([0, 7], 1, IndexError, "index 7 is out of bounds"),
    (0, core.zeros(3), RuntimeError, r"expanded size of the tensor \(4\) must match the existing size \(3\)"),
    (
        [0],
        core.zeros(3, dtype=dt.float64),
        RuntimeError,
        r"value tensor of shape \[3\] cannot be broadcast to indexing result",
    ),
    (m, core.zeros(3, 4), RuntimeError, "dtypes match"),
    ((0, 0), [1, 2, 3, 4], TypeError, "can't assign a list to a torch.DoubleTensor"),
    (0, "a", TypeError, "can't assign a str"),
    (0, None, TypeError, "can't assign a NoneType"),
    (0, 1j, RuntimeError, "without overflow"),
    (slice(None, None, -1), 0, ValueError, "greater than zero"),
]


@pytest.mark.parametrize("index, value, kind, text", BAD_WRITES, ids=range(len(BAD_WRITES)))
def test_refused_writes_change_nothing(index, value, kind, text):
    t = x()
    with pytest.raises(kind, match=text):
        t[index] = value
    assert np.array_equal(t._a, X)


def test_integer_targets_take_what_fits():
    z = core.zeros(3, dtype=dt.int64)
    z[0] = 1.7
    z[[1, 2]] = 2.7
    assert z.tolist() == [1, 2, 2]
    with pytest.raises(RuntimeError, match="without overflow"):
        z[z == 1] = float("nan")
    with pytest.raises(TypeError, match="does not support deleting"):
        del z[0]


def test_overlapping_copies():
    t = core.arange(5)
    with pytest.raises(RuntimeError, match="single memory location"):
        t[1:] = t[:-1]
    assert t.tolist() == [0, 1, 2, 3, 4]
    t[:] = t
    wide = core.arange(8).view(2, 4)
    wide[:, 1:] = wide[:, :-1]  # strided parts: reads before it writes
    assert wide.tolist() == [[0, 0, 1, 2], [4, 4, 5, 6]]


def test_masked_fill_of_expanded_tensors_writes_the_shared_element():
    base = core.tensor([[0], [1]])
    with pytest.warns(UserWarning, match="expanded tensors"):
        base.expand(2, 3).masked_fill_(core.tensor([[False, True, False], [False] * 3]), 7)
    assert base.tolist() == [[7], [1]]


def test_gradients_through_reads_and_writes():
    pytest.importorskip("lamella.autograd")
    g = core.tensor(X, requires_grad=True)
    h = g * 1
    h[0] = h[1]
    h[m] = 0.0
    h[1, 0, [0, 0]] = g[0, 0, :2]
    (h * h).sum().backward()
    want = np.zeros_like(X)
    want[1, 1:] = 0
    h_np = X.copy()
    h_np[0] = h_np[1]
    h_np[MASK] = 0
    assert g.grad is not None and g.grad.shape == X.shape
    assert g.grad[1, 2].tolist() == (2 * X[1, 2]).tolist()
    assert g.grad[0, 1:].abs().sum() == 0


def test_repeated_places_add_up():
    assert core.zeros(3).index_add(0, core.tensor([0, 0, 2]), core.ones(3)).tolist() == [2.0, 0.0, 1.0]
    assert core.zeros(3).index_put((core.tensor([0, 0]),), core.ones(2), accumulate=True).tolist() == [2.0, 0.0, 0.0]
    assert core.zeros(3).scatter_add(0, core.tensor([1, 1]), core.ones(2)).tolist() == [0.0, 2.0, 0.0]
    rng = np.random.default_rng(0)
    places, rows = rng.integers(0, 7, 50), rng.normal(size=(50, 3))
    want = np.zeros((7, 3))
    np.add.at(want, places, rows)
    got = core.zeros(7, 3, dtype=dt.float64).index_add_(0, core.tensor(places), core.tensor(rows))
    assert np.allclose(got._a, want)


def test_scatter_reduce():
    src = core.tensor([1.0, 2.0, 3.0])
    index = core.tensor([0, 0, 1])
    base = core.full((3,), 5.0)
    want = {"sum": [8, 8, 5], "prod": [10, 15, 5], "mean": [8 / 3, 4, 5], "amax": [5, 5, 5], "amin": [1, 3, 5]}
    alone = {"sum": [3, 3, 5], "prod": [2, 3, 5], "mean": [1.5, 3, 5], "amax": [2, 3, 5], "amin": [1, 3, 5]}
    for how in want:
        assert np.allclose(base.scatter_reduce(0, index, src, how)._a, want[how])
        assert np.allclose(base.scatter_reduce(0, index, src, how, include_self=False)._a, alone[how])


def test_where_forms():
    t = x()
    assert core.where(t > 5, 1, 0).dtype is dt.int64 and core.where(t > 5, 1.0, 0).dtype is dt.float32
    assert [v.tolist() for v in core.where(t > 22)] == [[1], [2], [3]]
    assert core.nonzero(core.tensor(1)).shape == (1, 0)
    assert core.nonzero(t > 22).tolist() == [[1, 2, 3]]
    assert core.take_along_dim(t, t.argmax(2, keepdim=True), 2).squeeze(2).tolist() == X.max(2).tolist()


def test_out_checks():
    t = x()[0]
    out = core.empty(0, dtype=dt.float64)
    assert core.gather(t, 1, core.tensor([[0]]), out=out) is out
    with pytest.raises(RuntimeError, match="dtype"):
        core.gather(t, 1, core.tensor([[0]]), out=core.empty(1, 1))
    with pytest.raises(RuntimeError, match="memory location"):
        core.take(t, core.tensor([0, 1, 2, 3]), out=t[0])
