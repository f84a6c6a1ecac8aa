"""Every function of the namespace beside NumPy's, whose main namespace follows the standard, over types and axes."""

import array
import itertools

import numpy as np
import pytest

from lamella import core
from lamella.core import array_api as xp

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INT = SIGNED + UNSIGNED
FLOAT = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REAL = INT + FLOAT
NUMERIC = REAL + COMPLEX
EVERY = ["bool"] + NUMERIC
SHAPES = [(), (0,), (5,), (3, 1), (2, 3, 4), (2, 0, 3)]
TOLERANCE = {"float32": 2e-6, "complex64": 1e-5, "float64": 1e-13, "complex128": 1e-13}


def make(shape, dtype, lo=-3.0, hi=4.0, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.uniform(lo, hi, shape)
    if dtype == "bool":
        return np.asarray(a > 0)
    if dtype in UNSIGNED:
        a = abs(a)
    if dtype in COMPLEX:
        a = a + 1j * rng.uniform(lo, hi, shape)
    return np.asarray(a).astype(dtype)


def to(x):
    """A NumPy array, or what holds some, with tensors in place of arrays."""
    if isinstance(x, np.ndarray):
        return xp.asarray(x.copy())
    return type(x)(to(y) for y in x) if isinstance(x, (tuple, list)) else x


def same(ours, theirs, scale=1.0):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for x, y in zip(ours, theirs):
            same(x, y, scale)
        return
    theirs = np.asarray(theirs)
    assert tuple(ours.shape) == theirs.shape
    assert ours.dtype.name == theirs.dtype.name
    a = ours.detach().numpy() if hasattr(ours, "detach") else ours
    tolerance = TOLERANCE.get(theirs.dtype.name, 0) * scale
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(a, theirs, rtol=tolerance, atol=tolerance)


def check(name, *args, scale=1.0, **kwargs):
    ours = xp
    theirs = np
    for part in name.split("."):
        ours = getattr(ours, part)
        theirs = getattr(theirs, part)
    with np.errstate(all="ignore"):
        same(ours(*to(args), **{k: to(v) for k, v in kwargs.items()}), theirs(*args, **kwargs), scale)


# ---------------------------------------------------------------- elementwise

ONE = {
    **dict.fromkeys("abs negative positive square".split(), (NUMERIC, -3, 4)),
    **dict.fromkeys("asinh atan cos exp expm1 log1p sin sinh tan tanh".split(), (FLOAT + COMPLEX, -0.9, 2)),
    **dict.fromkeys("acos asin atanh".split(), (FLOAT + COMPLEX, -0.9, 0.9)),
    **dict.fromkeys("acosh log log2 log10 sqrt cosh reciprocal".split(), (FLOAT + COMPLEX, 1.1, 5)),
    **dict.fromkeys("ceil floor trunc".split(), (REAL, -3, 4)),
    **dict.fromkeys("isfinite isinf isnan sign round real conj".split(), (NUMERIC, -3, 4)),
    "imag": (COMPLEX, -3, 4), "signbit": (FLOAT, -3, 4), "logical_not": (["bool"], 0, 1),
    "bitwise_invert": (INT + ["bool"], -3, 4),
}
TWO = {
    **dict.fromkeys("add subtract multiply".split(), (NUMERIC, -3, 4)),
    **dict.fromkeys("equal not_equal".split(), (EVERY, -2, 2)),
    **dict.fromkeys("greater greater_equal less less_equal maximum minimum".split(), (REAL, -2, 2)),
    **dict.fromkeys("atan2 copysign hypot logaddexp nextafter".split(), (FLOAT, -3, 4)),
    **dict.fromkeys("bitwise_and bitwise_or bitwise_xor".split(), (INT + ["bool"], -3, 4)),
    **dict.fromkeys("bitwise_left_shift bitwise_right_shift".split(), (INT, 0, 5)),
    **dict.fromkeys("logical_and logical_or logical_xor".split(), (["bool"], -1, 1)),
    **dict.fromkeys("floor_divide remainder".split(), (REAL, 1, 9)),
    "divide": (FLOAT + COMPLEX, 1, 4), "pow": (NUMERIC, 1, 3),
}


@pytest.mark.parametrize("name", ONE)
def test_of_one_array(name):
    dtypes, lo, hi = ONE[name]
    for dtype, shape in itertools.product(dtypes, SHAPES):
        check(name, make(shape, dtype, lo, hi), scale=4)
    if dtypes != ["bool"] and "float64" in dtypes:
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0])
        check(name, special)
        check(name, special.astype(np.float32))
        out = getattr(xp, name)(xp.asarray(special))
        with np.errstate(all="ignore"):
            want = getattr(np, name)(special)
        if want.dtype.kind == "f":
            number = ~np.isnan(want)
            assert (np.signbit(out.numpy()) == np.signbit(want))[number].all()


@pytest.mark.parametrize("name", TWO)
def test_of_two_arrays(name):
    dtypes, lo, hi = TWO[name]
    shapes = [((), ()), ((5,), ()), ((3, 1), (4,)), ((2, 3, 4), (3, 1)), ((0,), (1,)), ((2, 0, 3), (3,))]
    for dtype, (s1, s2) in itertools.product(dtypes, shapes):
        check(name, make(s1, dtype, lo, hi), make(s2, dtype, lo, hi, seed=1), scale=4)
    if "float64" in dtypes:
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e308, 5e-324])
        for x in (special, special.astype(np.float32)):
            check(name, x[:, None], x, scale=4)
            with np.errstate(all="ignore"):
                ours, theirs = getattr(xp, name)(to(x[:, None]), to(x)).numpy(), getattr(np, name)(x[:, None], x)
            assert (np.signbit(ours) == np.signbit(theirs))[~np.isnan(theirs)].all() or theirs.dtype.kind != "f"
        check(name, special, 2.0)
        check(name, 2.0, special)
    for a, b in itertools.combinations([d for d in dtypes if d != "bool"], 2):
        kinds = {np.dtype(a).kind, np.dtype(b).kind}
        if kinds <= {"i", "u"} and np.promote_types(a, b).kind != "f" or kinds <= {"f", "c"}:
            check(name, make((3,), a, lo, hi), make((), b, lo, hi, seed=1), scale=4)


def test_floor_division_and_remainders_of_all_signs():
    for dtype in SIGNED + FLOAT:
        x = np.array([7, -7, 7, -7, 6, -6]).astype(dtype)
        y = np.array([3, 3, -3, -3, 3, -3]).astype(dtype)
        check("floor_divide", x, y)
        check("remainder", x, y)


def test_clip():
    for dtype in REAL:
        x = make((3, 4), dtype)
        for bounds in ((1, 2), (None, 1), (0, None)):
            check("clip", x, *bounds)
            check("clip", x, *(b if b is None else np.asarray(b, dtype=dtype) for b in bounds))
        check("clip", x, make((4,), dtype), make((3, 1), dtype) + np.asarray(2, dtype=dtype))
    x = np.array([1.0, np.nan])
    check("clip", x, 0.0, 0.5)
    check("clip", x)
    assert xp.clip(xp.asarray([1, 2, 3]), 1.5, 2.5).tolist() == [2, 2, 2]
    small = xp.asarray([-100, 100], dtype=xp.int8)
    assert xp.clip(small, -1000, 50).tolist() == [-100, 50] and xp.clip(small, max=1000).dtype is xp.int8
    assert xp.clip(small, max=xp.asarray(5, dtype=xp.int64)).dtype is xp.int8


# ---------------------------------------------------------------- creation


def test_ranges():
    for args in ((5,), (2, 7), (7, 2), (7, 2, -2), (0, 1, 0.25), (1.5,), (0, 5, 2), (3, 3), (0, -3)):
        whole = all(isinstance(x, int) for x in args)
        for dtype in (None, "float64", "int16") if whole else (None, "float64"):
            ours = xp.arange(*args, dtype=dtype and getattr(xp, dtype))
            theirs = np.arange(*args, dtype=dtype)
            assert ours.tolist() == theirs.tolist()
            assert ours.dtype.name == (dtype or ("int64" if theirs.dtype.kind == "i" else "float32"))
    spans = ((0, 1, 5), (2.0, -1.0, 4), (0, 1, 1), (0, 1, 0), (1, 1 + 2j, 3))
    for args, endpoint in itertools.product(spans, (True, False)):
        dtype = "complex128" if isinstance(args[1], complex) else "float64"
        same(xp.linspace(*args, dtype=getattr(xp, dtype), endpoint=endpoint), np.linspace(*args, endpoint=endpoint))
    assert xp.linspace(0, 1j, 2).dtype is xp.complex64


def test_filled():
    for name, extra in (("zeros", ()), ("ones", ()), ("full", (3,))):
        for dtype, shape in itertools.product(EVERY, (3, (), (0, 2), (2, 3))):
            want = getattr(np, name)(shape, *extra, dtype=dtype)
            same(getattr(xp, name)(shape, *extra, dtype=getattr(xp, dtype)), want)
            x = make((2, 3), "int8")
            ours = getattr(xp, name + "_like")(to(x), *extra, dtype=getattr(xp, dtype))
            same(ours, getattr(np, name + "_like")(x, *extra, dtype=dtype))
            same(getattr(xp, name + "_like")(to(x), *extra), getattr(np, name + "_like")(x, *extra))
    assert xp.empty((2, 3), dtype=xp.int8).shape == xp.empty_like(xp.ones((2, 3))).shape == (2, 3)
    assert [xp.full(1, v).dtype for v in (True, 1, 1.0, 1j)] == [xp.bool, xp.int64, xp.float32, xp.complex64]
    assert xp.full((), xp.asarray(2.0, dtype=xp.float64)).dtype is xp.float64
    assert xp.full(1, -0.0).tolist() == [0.0] and bool(xp.signbit(xp.full(1, -0.0))[0])
    for rows, cols, k in itertools.product((0, 1, 3), (None, 0, 2, 4), (-4, -1, 0, 1, 4)):
        for dtype in ("float64", "bool", "complex64", "uint16"):
            same(xp.eye(rows, cols, k=k, dtype=getattr(xp, dtype)), np.eye(rows, cols, k=k, dtype=dtype))


def test_triangles_and_grids():
    for dtype, shape, k in itertools.product(EVERY, ((3, 3), (2, 4), (2, 3, 2), (0, 2)), (-4, -1, 0, 2)):
        check("tril", make(shape, dtype), k=k)
        check("triu", make(shape, dtype), k=k)
    for indexing in ("xy", "ij"):
        for arrays in ((), (3,), (3, 2), (3, 2, 4), (0, 2)):
            check("meshgrid", *(make((n,), "float64", seed=n) for n in arrays), indexing=indexing)


def test_from_objects():
    for obj in (1, 1.5, True, 1j, [], [1, 2], [[1.0], [2]], [True, 2], [[[]]], (1, (2)), [1, 1j]):
        ours, theirs = xp.asarray(obj), np.asarray(obj)
        assert ours.tolist() == theirs.tolist() and ours.ndim == theirs.ndim
        assert ours.dtype.name.rstrip("0123456789") == theirs.dtype.name.rstrip("0123456789")
    for dtype in EVERY:
        a = make((2, 3), dtype)
        same(xp.asarray(a), a)
        same(xp.asarray(a[::-1, ::2]), a[::-1, ::2])
        same(xp.asarray(a.astype(a.dtype.newbyteorder(">"))), a)
        same(xp.asarray(a.tolist(), dtype=getattr(xp, dtype)), a)
        same(xp.asarray(a[0, 0], copy=True), a[0, 0])
    a = np.zeros(3)
    t = xp.asarray(a)
    a[0] = 1
    assert t.tolist() == [1, 0, 0] and xp.asarray(t) is t and xp.asarray(t, copy=False).tolist() == [1, 0, 0]
    kept = [xp.asarray(a, copy=True), xp.asarray(t, copy=True), xp.asarray(np.broadcast_to(a, (3,)))]
    view = xp.asarray(a, copy=False)
    a[1] = 2
    assert [k.tolist() for k in kept] == [[1, 0, 0]] * 3 and view.tolist() == [1, 2, 0]
    assert xp.asarray([xp.asarray(1.0), xp.asarray(2.0)]).tolist() == [1.0, 2.0]
    assert xp.asarray(np.float64(3)).dtype is xp.float64 and xp.asarray([1, 2], dtype=xp.float64).dtype is xp.float64
    class Foreign:
        """Another library's array, which must not be written to."""

        def __array__(self, dtype=None, copy=None):
            held = np.arange(3.0)
            held.flags.writeable = False
            return held

    assert xp.asarray(Foreign()).tolist() == [0.0, 1.0, 2.0] and xp.asarray(Foreign(), dtype=xp.int8).dtype is xp.int8
    for buffer in (array.array("d", [1, 2]), memoryview(np.array([1.0, 2.0])), range(1, 3)):
        assert xp.asarray(buffer).tolist() == [1, 2]
    assert xp.from_dlpack(np.arange(3), copy=True).tolist() == [0, 1, 2]


# ---------------------------------------------------------------- shapes


def test_joining():
    for dtype in EVERY:
        a, b = make((2, 3), dtype), make((2, 3), dtype, seed=1)
        for axis in (0, 1, -1, -2, None):
            check("concat", [a, b, a], axis=axis)
        check("concat", (a, b[:0]), axis=0)
        for axis in (0, 1, 2, -1, -3):
            check("stack", [a, b], axis=axis)
    check("concat", [make((2,), "int8"), make((2,), "int32")])
    check("stack", [make((2,), "float32"), make((2,), "float64")])
    for axis in (0, 1, -1):
        check("unstack", make((2, 3), "float64"), axis=axis)


def test_moving():
    x = make((2, 3, 4), "int32")
    for axes in itertools.permutations(range(3)):
        check("permute_dims", x, axes)
    for args in ((0, 2), (-1, 0), ((0, 1), (1, 2)), ((0, -1), (-1, 0))):
        check("moveaxis", x, *args)
    for axis in (None, 0, -1, (0, 2), (1, -1), ()):
        check("flip", x, axis=axis)
    for shift, axis in ((1, None), (-2, 0), (7, -1), ((1, 2), (0, 1)), (1, (0, 2)), (0, 1)):
        check("roll", x, shift, axis=axis)
    for axis in (0, 1, 3, -1, -4, (0, 2), (0, -1)):
        check("expand_dims", x, axis=axis)
    y = make((1, 3, 1), "float64")
    for axis in (0, 2, -1, (0, 2), ()):
        check("squeeze", y, axis=axis)
    check("matrix_transpose", x)


def test_reshaping():
    x = make((2, 6), "float64")
    for shape in ((12,), (3, 4), (-1,), (2, -1, 3), (1, 12, 1)):
        for copy in (None, True, False):
            check("reshape", x, shape, copy=copy)
    check("reshape", make((), "int8"), (1, 1))
    check("reshape", make((0, 3), "int8"), (3, 0))
    t = xp.zeros((2, 2))
    xp.reshape(t, (4,), copy=True)[0] = 1
    assert t.tolist() == [[0, 0], [0, 0]]
    xp.reshape(t, (4,), copy=False)[0] = 1
    xp.reshape(t, (2, 2), copy=False)[1, 1] = 2
    assert t.tolist() == [[1, 0], [0, 2]]
    assert xp.reshape(t.mT, (2, 2), copy=True) is not t


def test_repeating():
    x = make((2, 3), "int16")
    each = ((None, 2), (0, 3), (-1, 0), (1, np.array([1, 0, 2])), (None, np.arange(6)), (0, np.array([2])))
    for axis, repeats in each:
        check("repeat", x, repeats, axis=axis)
    check("repeat", make((3,), "float32"), np.array([1, 2, 0], dtype=np.int32))
    for repetitions in ((2,), (2, 1), (1, 2, 3), (), (0, 2)):
        check("tile", x, repetitions)


def test_broadcasting():
    check("broadcast_to", make((3, 1), "bool"), (2, 3, 4))
    check("broadcast_to", make((), "int8"), (0, 2))
    check("broadcast_arrays", make((3, 1), "int8"), make((4,), "float64"), make((), "bool"))
    assert xp.broadcast_arrays() == () and xp.broadcast_shapes() == ()
    assert xp.broadcast_shapes((3, 1), (4,), ()) == np.broadcast_shapes((3, 1), (4,), ())


# ---------------------------------------------------------------- along axes

AXES = [None, 0, 1, -1, (0,), (0, 2), (-1, 1), (0, 1, 2), ()]


@pytest.mark.parametrize("name, dtypes", [
    ("sum", NUMERIC + ["bool"]), ("prod", NUMERIC + ["bool"]), ("max", REAL), ("min", REAL), ("mean", FLOAT + COMPLEX),
    ("var", FLOAT), ("std", FLOAT), ("all", EVERY), ("any", EVERY), ("count_nonzero", EVERY)])
def test_reductions(name, dtypes):
    for dtype, axis, keepdims in itertools.product(dtypes, AXES, (False, True)):
        if name == "count_nonzero" and axis == ():
            continue  # NumPy's has no meaning for it
        check(name, make((2, 3, 4), dtype, -2, 2), axis=axis, keepdims=keepdims, scale=8)
    check(name, make((), dtypes[0]))
    check(name, make((), dtypes[0]), keepdims=True)
    if name not in ("max", "min", "mean", "var", "std"):
        check(name, make((2, 0, 3), dtypes[0]))
        check(name, make((2, 0, 3), dtypes[0]), axis=1)
    if "float64" in dtypes:
        x = np.array([[1.0, np.nan, 2.0], [np.inf, 3.0, -np.inf]])
        for axis in (None, 0, 1):
            check(name, x, axis=axis)


def test_more_of_reductions():
    x = make((3, 4), "float32")
    for dtype in ("float64", "complex64"):
        same(xp.sum(to(x), axis=0, dtype=getattr(xp, dtype)), np.sum(x, axis=0, dtype=dtype), 4)
        same(xp.prod(to(x), axis=(0, 1), dtype=getattr(xp, dtype)), np.prod(x, dtype=dtype), 4)
        same(xp.cumulative_sum(to(x), axis=0, dtype=getattr(xp, dtype)), np.cumulative_sum(x, axis=0, dtype=dtype), 4)
    for name, correction in itertools.product(("var", "std"), (0, 1, 0.5, 1.0)):
        check(name, make((3, 4), "float64"), axis=1, correction=correction)
    for correction in (3, 4, 5.5):
        assert not xp.any(xp.isfinite(xp.var(to(make((3,), "float64")), correction=correction)))
    assert xp.isnan(xp.std(xp.ones((1,)), correction=1))
    assert xp.mean(xp.asarray([1, 2])).tolist() == 1.5


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_cumulative(name):
    for dtype, axis, initial in itertools.product(NUMERIC + ["bool"], (0, 1, -1), (False, True)):
        check(name, make((3, 4), dtype, -2, 2), axis=axis, include_initial=initial, scale=4)
    check(name, make((4,), "int8"))
    check(name, make((0,), "float32"), include_initial=True)


def test_differences():
    for dtype, axis, n in itertools.product(NUMERIC, (0, -1), (0, 1, 2)):
        check("diff", make((3, 4), dtype), axis=axis, n=n, scale=4)
    x = make((3, 4), "float64")
    check("diff", x, axis=1, prepend=x[:, :1], append=x[:, -2:])
    check("diff", x, axis=0, n=2, prepend=x[:1])


# ---------------------------------------------------------------- searching, sorting, sets


def test_where_the_extremes_are():
    for name, dtype, axis, keepdims in itertools.product(("argmax", "argmin"), REAL, (None, 0, -1), (False, True)):
        check(name, make((3, 4), dtype, -2, 2), axis=axis, keepdims=keepdims)
    assert xp.argmax(xp.asarray([False, True])).tolist() == 1


def test_indices():
    for dtype in EVERY:
        x = make((2, 3, 4), dtype, -1, 1)
        check("nonzero", x)
        for axis in (0, 1, -1):
            check("take", x, np.array([1, 0, 1, -1]), axis=axis)
            check("take_along_axis", x, make((2, 3, 4), "int64", 0, 2), axis=axis)
    check("take", make((4,), "float64"), np.array([3, 0], dtype=np.uint8))
    check("take", make((4, 2), "float64"), np.array([], dtype=np.int64), axis=0)
    check("take_along_axis", make((3, 4), "float64"), np.array([[0], [-1], [2]]), axis=1)
    check("where", make((3, 1), "bool"), make((4,), "int8"), make((), "int16"))
    check("where", make((3,), "bool"), make((3,), "float64"), 1.0)
    check("where", make((3,), "bool"), 0, make((3,), "uint8"))
    for dtype, side in itertools.product(REAL, ("left", "right")):
        x = np.sort(make((6,), dtype))
        check("searchsorted", x, make((2, 3), dtype, seed=1), side=side)
        order = np.array([2, 0, 1, 5, 4, 3])
        check("searchsorted", x[np.argsort(order)], x, side=side, sorter=order)
    check("searchsorted", np.array([1.0, 2.0]), 1.5)
    for rows, values in (((2, 0), (2, 3)), ((0, 2), (0, 3)), ((2, 2), (2, 0))):  # rows of rows, as torch has them
        assert core.searchsorted(core.ones(rows), core.ones(values)).tolist() == np.zeros(values).tolist()


def test_sorting():
    for dtype, axis, descending in itertools.product(REAL, (0, 1, -1), (False, True)):
        x = make((3, 5), dtype, -2, 2)
        a, t = (np.flip(x, axis=axis), to(x)) if descending else (x, to(x))
        want = np.sort(a, axis=axis, stable=True)
        want = np.flip(want, axis=axis) if descending else want
        for stable in (True, False):
            same(xp.sort(t, axis=axis, descending=descending, stable=stable), want)
        order = np.argsort(a, axis=axis, stable=True)
        if descending:
            order = np.flip(x.shape[axis] - 1 - order, axis=axis)
        same(xp.argsort(t, axis=axis, descending=descending), order)


def test_sets():
    for dtype, shape in itertools.product(EVERY, ((7,), (3, 4), (0,), ())):
        x = make(shape, dtype, -2, 2)
        same(xp.unique_values(to(x)), np.sort(np.unique_values(x)))  # NumPy's come in any order
        check("unique_counts", x)
        check("unique_inverse", x)
        check("unique_all", x)
    found = xp.unique_all(xp.asarray([np.nan, 1.0, np.nan, -0.0, 0.0]))
    assert found.values.tolist()[:2] == [0.0, 1.0] and found.counts.tolist() == [2, 1, 1, 1]
    assert found.indices.tolist() == [3, 1, 0, 2] and found.inverse_indices.tolist() == [2, 1, 3, 0, 0]
    z = np.array([1 + 2j, 1 + 1j, 0 + 5j, 1 + 2j])
    same(xp.unique_values(to(z)), np.sort(np.unique_values(z)))
    for invert in (False, True):
        check("isin", make((3, 4), "int8"), np.array([1, 2]), invert=invert)
        check("isin", np.array([1.0, 2.0]), 2.0, invert=invert)
