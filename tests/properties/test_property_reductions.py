"""Reductions over any dimensions: values, types, shapes, NaN, empty tensors, tensors without dimensions.

What torch does otherwise than NumPy is stated in each test: sums and products of integers are int64, `all` and `any` of
uint8 stay uint8, a mean of integers is an error, extremes over no elements are errors.
"""

import warnings

import numpy as np
import pytest
from hypothesis import assume, strategies as st
from property_kit import (
    COMMON,
    COMPLEX,
    FLOATING,
    array,
    np_dtype,
    same,
    seeds,
    shapes,
    tensor,
    tolerance,
    values,
)

TYPES = [*COMMON, *COMPLEX]
REAL = COMMON
LOW = ("float16", "bfloat16")


@st.composite
def reductions(draw, single=False, most=4, none=True):
    """(shape, dim, keepdim): dim is None, an int, or (unless `single`) a tuple, with negative ones among them."""
    shape = draw(shapes(most))
    n = max(len(shape), 1)
    dims = st.integers(-n, n - 1)
    forms = [dims] if not none else [st.none(), dims, dims]
    if not single:
        forms.append(st.lists(st.integers(0, n - 1), unique=True, min_size=1).map(tuple))
    dim = draw(st.one_of(*forms))
    if isinstance(dim, tuple) and draw(st.booleans()):
        dim = tuple(d - n for d in dim)
    return shape, dim, draw(st.booleans())


def axes(shape, dim):
    """NumPy's axes."""
    if dim is None:
        return None
    if not shape:
        return ()
    dims = dim if isinstance(dim, tuple) else (dim,)
    return tuple(d % len(shape) for d in dims)


def call(fn, t, dim, keepdim, **options):
    """torch's form of the call: without `dim` there is no `keepdim` in most functions."""
    return fn(t, **options) if dim is None else fn(t, dim=dim, keepdim=keepdim, **options)


def wide(a):
    """The array in the type in which NumPy's answer is exact enough."""
    return a.astype(np.float64) if a.dtype.name in LOW else a


def kept(dim, keepdim):
    return keepdim and dim is not None


def check_sum(run, name, case, dtype, seed):
    shape, dim, keepdim = case
    lib = run.lib
    a = array(shape, dtype, seed, special=0.03)
    if name == "prod" and dtype in [*FLOATING, *COMPLEX]:
        a = np.asarray(a / np.asarray(4, np_dtype(dtype))).astype(np_dtype(dtype))
    if isinstance(dim, tuple) and name == "prod":
        dim = dim[0]
    t = tensor(lib, a)
    out = call(getattr(lib, name), t, dim, keepdim)
    x = wide(a) if dtype in [*FLOATING, *COMPLEX] else a.astype(np.int64)
    with np.errstate(all="ignore"):
        want = getattr(np, "sum" if name == "sum" else "prod")(x, axis=axes(shape, dim), keepdims=kept(dim, keepdim))
        want = np.asarray(want).astype(np_dtype(dtype) if dtype in [*FLOATING, *COMPLEX] else np.int64)
    scale = 10 * tolerance(dtype) * (1 + a.size / 20)
    same(out, want, (name, case, dtype), rtol=scale, atol=4 * scale)


def test_sum_and_prod(run):
    run(lambda *c: check_sum(run, *c), st.sampled_from(["sum", "sum", "prod"]), reductions(), st.sampled_from(TYPES),
        seeds, quick=25, full=1200)


def test_mean(run):
    def check(case, dtype, seed):
        shape, dim, keepdim = case
        lib = run.lib
        a = array(shape, dtype, seed, special=0.03)
        t = tensor(lib, a)
        if dtype not in [*FLOATING, *COMPLEX]:
            with pytest.raises(RuntimeError):
                call(lib.mean, t, dim, keepdim)
            return
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = np.mean(wide(a), axis=axes(shape, dim), keepdims=kept(dim, keepdim))
        scale = 10 * tolerance(dtype)
        same(call(lib.mean, t, dim, keepdim), np.asarray(want).astype(np_dtype(dtype)), case, rtol=scale, atol=scale)

    run(check, reductions(), st.sampled_from(TYPES), seeds, quick=15, full=550)


def test_variance(run):
    def check(name, case, dtype, correction, seed):
        shape, dim, keepdim = case
        lib = run.lib
        a = array(shape, dtype, seed, special=0.01)
        n = int(np.prod([shape[d] for d in axes(shape, dim)] if dim is not None else shape, dtype=int))
        assume(n > correction and 0 not in shape)  # torch warns of others
        with np.errstate(all="ignore"):
            fn = getattr(np, name)
            want = fn(wide(a), axis=axes(shape, dim), keepdims=keepdim, ddof=correction)
        options = {"correction": correction, "keepdim": keepdim}
        out = getattr(lib, name)(tensor(lib, a), dim=dim, **options)
        scale = 30 * tolerance(dtype)
        same(out, np.asarray(want).astype(np_dtype(dtype)), case, rtol=scale, atol=30 * scale)

    run(check, st.sampled_from(["var", "std"]), reductions(), st.sampled_from(FLOATING), st.sampled_from([0, 1, 2]),
        seeds, quick=15, full=550)


def no_elements(shape, dim):
    """Whether something is to be found among no elements."""
    return 0 in ([shape[d] for d in axes(shape, dim)] if dim is not None else shape)


def test_extremes(run):
    def check(name, case, dtype, seed):
        shape, dim, keepdim = case
        lib = run.lib
        a = array(shape, dtype, seed)
        t = tensor(lib, a)
        fn = getattr(lib, name)
        if no_elements(shape, dim) or dim is None and 0 in shape:
            with pytest.raises((RuntimeError, IndexError)):
                fn(t, dim=() if dim is None else dim, keepdim=keepdim)
            return
        want = getattr(np, name)(wide(a), axis=axes(shape, dim), keepdims=keepdim)
        out = fn(t, dim=() if dim is None else dim, keepdim=keepdim)
        same(out, np.asarray(want).astype(np_dtype(dtype)), case)

    run(check, st.sampled_from(["amax", "amin"]), reductions(), st.sampled_from(REAL), seeds, quick=15, full=600)


def test_extremes_with_places(run):
    def check(name, case, dtype, seed):
        shape, dim, keepdim = case
        lib = run.lib
        a = array(shape, dtype, seed)
        t = tensor(lib, a)
        x = wide(a).astype(np.int8) if dtype == "bool" else wide(a)
        place = np.argmax if name in ("max", "argmax") else np.argmin
        extreme = np.amax if name in ("max", "argmax") else np.amin
        if name.startswith("arg"):
            assume(dtype != "bool")  # torch has none for bools
            fn = lambda: getattr(lib, name)(t, dim=dim, keepdim=keepdim)  # noqa: E731
        else:
            fn = lambda: call(getattr(lib, name), t, dim, keepdim)  # noqa: E731
        if no_elements(shape, dim):
            with pytest.raises((RuntimeError, IndexError)):
                fn()
            return
        out = fn()
        axis = None if dim is None or not shape else dim
        if name.startswith("arg"):
            same(out, np.asarray(place(x, axis=axis, keepdims=bool(keepdim and (shape or dim is None)))), case)
            return
        want = np.asarray(extreme(x, axis=axis, keepdims=kept(dim, keepdim) and bool(shape))).astype(np_dtype(dtype))
        if dim is None:
            same(out, want, case)
        else:
            same(out.values, want, case)
            same(out.indices, np.asarray(place(x, axis=axis, keepdims=keepdim and bool(shape))), case)

    run(check, st.sampled_from(["max", "min", "argmax", "argmin"]), reductions(single=True), st.sampled_from(REAL),
        seeds, quick=25, full=1000)


def test_any_and_all(run):
    def check(name, case, dtype, seed):
        shape, dim, keepdim = case
        lib = run.lib
        a = np.where(array(shape, "bool", seed + 1), array(shape, dtype, seed), np.zeros((), np_dtype(dtype)))
        want = getattr(np, name)(a != 0, axis=axes(shape, dim), keepdims=kept(dim, keepdim))
        out = call(getattr(lib, name), tensor(lib, a), dim, keepdim)
        same(out, np.asarray(want).astype("uint8" if dtype == "uint8" else "bool"), case)

    run(check, st.sampled_from(["any", "all"]), reductions(), st.sampled_from(TYPES), seeds, quick=15, full=550)


def test_counting_and_nan_sums(run):
    def check(case, dtype, seed):
        shape, dim, keepdim = case
        lib = run.lib
        a = array(shape, dtype, seed)
        t = tensor(lib, a)
        same(lib.count_nonzero(t) if dim is None else lib.count_nonzero(t, dim=dim),
             np.asarray(np.count_nonzero(a != 0, axis=axes(shape, dim))).astype(np.int64), case)
        if dtype in FLOATING:
            with np.errstate(all="ignore"):
                want = np.nansum(wide(a), axis=axes(shape, dim), keepdims=kept(dim, keepdim))
            scale = 20 * tolerance(dtype)
            same(call(lib.nansum, t, dim, keepdim), np.asarray(want).astype(np_dtype(dtype)), case, rtol=scale,
                 atol=2 * scale)

    run(check, reductions(), st.sampled_from(REAL), seeds, quick=15, full=450)


def test_running_sums_and_products(run):
    def check(name, case, dtype, seed):
        shape, dim, _ = case
        lib = run.lib
        a = array(shape, dtype, seed, special=0.02)
        floats = dtype in [*FLOATING, *COMPLEX]
        if name == "cumprod" and floats:
            a = np.asarray(a / np.asarray(4, np_dtype(dtype))).astype(np_dtype(dtype))
        x = wide(a) if floats else a.astype(np.int64)
        with np.errstate(all="ignore"):
            want = getattr(np, name)(x, axis=dim) if shape else x
        scale = 20 * tolerance(dtype)
        same(getattr(lib, name)(tensor(lib, a), dim=dim), want.astype(np_dtype(dtype) if floats else np.int64), case,
             rtol=scale, atol=4 * scale)

    run(check, st.sampled_from(["cumsum", "cumprod"]), reductions(single=True, none=False), st.sampled_from(TYPES),
        seeds, quick=15, full=550)


def test_running_extremes(run):
    def check(name, case, dtype, seed):
        shape, dim, _ = case
        lib = run.lib
        a = array(shape, dtype, seed)
        out = getattr(lib, name)(tensor(lib, a), dim=dim)
        if not shape:
            same(out.values, a, case)
            assert out.indices.item() == 0
            return
        x = wide(a).astype(np.int8) if dtype == "bool" else wide(a)
        want = (np.maximum if name == "cummax" else np.minimum).accumulate(x, axis=dim)
        same(out.values, want.astype(np_dtype(dtype)), case)
        picked = np.take_along_axis(a, values(out.indices), axis=dim)
        np.testing.assert_array_equal(picked.astype(want.dtype), want)  # which of equal ones is taken is torch's
        if a.size:  # the last one so far that equals the extreme
            where = np.arange(a.shape[dim]).reshape([-1 if i == dim % a.ndim else 1 for i in range(a.ndim)])
            equal = (x == want) | (np.isnan(x) & np.isnan(want)) if x.dtype.kind == "f" else x == want
            want_places = np.maximum.accumulate(np.where(equal, where, 0), axis=dim)
            same(out.indices, want_places.astype(np.int64), case)

    run(check, st.sampled_from(["cummax", "cummin"]), reductions(single=True, none=False), st.sampled_from(REAL), seeds,
        quick=15, full=400)


def test_logsumexp(run):
    def check(case, dtype, seed):
        shape, dim, keepdim = case
        lib = run.lib
        dim = tuple(range(len(shape))) if dim is None else dim
        a = array(shape, dtype, seed, special=0.05)
        x = wide(a).astype(np.float64)
        axis = axes(shape, dim)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            top = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
            top = np.where(np.isinf(top), 0, top)
            want = np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)) + top
            want = want if keepdim else np.squeeze(want, axis)
        scale = 20 * tolerance(dtype)
        same(lib.logsumexp(tensor(lib, a), dim, keepdim), np.asarray(want).astype(np_dtype(dtype)), case, rtol=scale,
             atol=scale)

    run(check, reductions(), st.sampled_from(["float32", "float64"]), seeds, quick=15, full=350)


def test_dimensions_that_are_not_there(run):
    def check(name, shape, dim, seed):
        lib = run.lib
        n = max(len(shape), 1)
        assume(not -n <= dim < n)
        t = tensor(lib, array(shape, "float32", seed))
        with pytest.raises(IndexError):
            getattr(lib, name)(t, dim=dim)
        if name in ("sum", "mean", "amax"):
            with pytest.raises((IndexError, RuntimeError)):
                getattr(lib, name)(t, dim=(0, 0))

    names = ["sum", "prod", "mean", "var", "amax", "max", "argmin", "any", "all", "cumsum", "logsumexp"]
    run(check, st.sampled_from(names), shapes(4, smallest=1), st.integers(-9, 9), seeds, quick=15, full=250)


def test_gradients(run):
    def check(name, case, seed):
        shape, dim, keepdim = case
        lib = run.lib
        g = np.random.default_rng(seed)
        a = np.asarray(g.permutation(int(np.prod(shape, dtype=int))).reshape(shape) / 3 + 0.5)  # no ties, no zeros
        assume(name not in ("amax", "amin") or not no_elements(shape, dim))
        t = tensor(lib, a).requires_grad_()
        if name in ("amax", "amin"):
            out = getattr(lib, name)(t, dim=() if dim is None else dim, keepdim=keepdim)
        else:
            out = call(getattr(lib, name), t, dim, keepdim)
        keepdim = keepdim if name in ("amax", "amin") else kept(dim, keepdim)
        w = np.asarray(g.normal(0, 1, tuple(out.shape)))
        (out * tensor(lib, w)).sum().backward()
        axis = axes(shape, dim)
        full = w if keepdim or not shape else np.expand_dims(w, tuple(range(a.ndim)) if axis is None else axis)
        full = np.broadcast_to(full, shape)
        n = a.size // max(w.size, 1)
        if name == "sum":
            want = full
        elif name == "mean":
            want = full / n if n else full
        else:
            hit = a == getattr(np, name)(a, axis=axis, keepdims=True)
            want = np.where(hit, full, 0)
        same(t.grad, np.asarray(want), case, rtol=1e-12)

    run(check, st.sampled_from(["sum", "mean", "amax", "amin"]), reductions(), seeds, quick=15, full=550)
