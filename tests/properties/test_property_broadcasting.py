"""Shapes that fit together: results are NumPy's; others are RuntimeErrors; gradients have their input's shape.

The gradient of a sum over a broadcast operand needs no derivative code to check: it is the incoming gradient, added up
over the dimensions along which the operand was repeated.
"""

import numpy as np
import pytest
from hypothesis import assume, strategies as st
from property_kit import COMMON, array, broadcastable, same, seeds, shapes, tensor, tolerance, values

FLOATS = ["float32", "float64"]
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "eq": np.equal,
          "gt": np.greater}


def fitting(*given):
    try:
        return np.broadcast_shapes(*given)
    except ValueError:
        return None


def summed_to(g, shape):
    """A gradient of a broadcast shape, added up to the shape that was broadcast."""
    g = g.sum(axis=tuple(range(g.ndim - len(shape))))
    dims = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
    return g.sum(axis=dims, keepdims=True) if dims else g


def relayout(lib, a, seed):
    """A tensor with the array's values: as it is, transposed in memory, or every second element of its memory."""
    kind = seed % 3
    if kind == 1 and a.ndim > 1:
        return tensor(lib, np.ascontiguousarray(a.T)).permute(*reversed(range(a.ndim)))
    if kind == 2 and a.ndim:
        return tensor(lib, np.repeat(a, 2, axis=0))[::2]
    return tensor(lib, a)


def test_two_operands(run):
    def check(name, fit, s1, s2, dtype, seed):
        lib = run.lib
        s1, s2 = fit if fit is not None else (s1, s2)
        assume(not (name == "sub" and dtype == "bool"))
        a, b = array(s1, dtype, seed), array(s2, dtype, seed + 1)
        t, u = relayout(lib, a, seed), relayout(lib, b, seed // 3)
        if fitting(s1, s2) is None:
            with pytest.raises(RuntimeError):
                getattr(lib, name)(t, u)
            return
        with np.errstate(all="ignore"):
            want = BINARY[name](a, b)
        same(getattr(lib, name)(t, u), want, (s1, s2))

    run(check, st.sampled_from(sorted(BINARY)), st.one_of(st.none(), broadcastable(2), broadcastable(2)), shapes(4),
        shapes(4), st.sampled_from(COMMON), seeds, quick=25, full=1200)


def test_three_operands(run):
    def check(fit, s3, seed):
        lib = run.lib
        s1, s2, last = fit
        s3 = last if s3 is None else s3
        c, a, b = array(s1, "bool", seed), array(s2, "float64", seed + 1), array(s3, "float64", seed + 2)
        tensors = [tensor(lib, x) for x in (c, a, b)]
        shape = fitting(s1, s2, s3)
        if shape is None:
            with pytest.raises(RuntimeError):
                lib.where(*tensors)
            with pytest.raises(RuntimeError):
                lib.broadcast_shapes(s1, s2, s3)
            with pytest.raises(RuntimeError):
                lib.broadcast_tensors(*tensors)
            return
        same(lib.where(*tensors), np.where(c, a, b), fit)
        assert tuple(lib.broadcast_shapes(s1, s2, s3)) == shape
        for t, x in zip(lib.broadcast_tensors(*tensors), (c, a, b)):
            same(t, np.broadcast_to(x, shape), fit)
        with np.errstate(all="ignore"):
            same(lib.addcmul(tensors[1], tensors[2], tensors[0].double(), value=2), a + 2 * b * c, fit, rtol=1e-15)

    run(check, broadcastable(3), st.one_of(st.none(), st.none(), shapes(4)), seeds, quick=15, full=450)


def test_expand(run):
    def check(fit, extra, seed):
        lib = run.lib
        shape, full = fit
        a = array(shape, "float32", seed)
        t = tensor(lib, a)
        target = fitting(shape, full) if extra is None else extra
        good = len(target) >= len(shape) and fitting(shape, target) == target
        if not good:
            with pytest.raises(RuntimeError):
                t.expand(target)
            return
        out = t.expand(target)
        same(out, np.broadcast_to(a, target), fit)
        assert out.numel() == 0 or out.data_ptr() == t.data_ptr()
        kept = tuple(-1 if i >= len(target) - len(shape) and n == shape[i - len(target)] else n
                     for i, n in enumerate(target))
        same(t.expand(*kept) if kept else t.expand(()), np.broadcast_to(a, target), fit)
        same(t.broadcast_to(target), np.broadcast_to(a, target), fit)

    run(check, broadcastable(2), st.one_of(st.none(), shapes(4)), seeds, quick=15, full=400)


def test_in_place_and_out(run):
    def check(name, fit, seed):
        lib = run.lib
        s1, s2 = fit
        a, b = array(s1, "float64", seed), array(s2, "float64", seed + 1)
        t, u = relayout(lib, a, seed), tensor(lib, b)
        shape = fitting(s1, s2)
        with np.errstate(all="ignore"):
            want = BINARY[name](a, b)
        out = lib.empty(shape, dtype=lib.float64)
        assert getattr(lib, name)(t, u, out=out) is out
        same(out, want, fit)
        if shape != s1:
            with pytest.raises(RuntimeError):
                getattr(t, name + "_")(u)
            same(t, a, "an error changes nothing")
            return
        assert getattr(t, name + "_")(u) is t
        same(t, want, fit)

    run(check, st.sampled_from(["add", "sub", "mul"]), broadcastable(2), seeds, quick=15, full=400)


def test_gradients(run):
    def check(name, fit, seed):
        lib = run.lib
        s1, s2 = fit
        g = np.random.default_rng(seed)
        a, b = g.normal(0, 2, s1), g.uniform(0.5, 2, s2)
        w = g.normal(0, 1, fitting(s1, s2))
        a, b = np.asarray(a), np.asarray(b)
        t, u = (tensor(lib, x).requires_grad_() for x in (a, b))
        out = getattr(lib, name)(t, u)
        (out * tensor(lib, w)).sum().backward()
        da, db = {"add": (w, w), "sub": (w, -w), "mul": (w * b, w * a), "div": (w / b, -w * a / b**2)}[name]
        same(t.grad, summed_to(da, s1), fit, rtol=1e-12, atol=1e-12)
        same(u.grad, summed_to(db, s2), fit, rtol=1e-12, atol=1e-12)

    run(check, st.sampled_from(["add", "sub", "mul", "div"]), broadcastable(2), seeds, quick=15, full=600)


@st.composite
def products(draw):
    """Shapes of two matrices or vectors with batch dimensions; at times they do not fit."""
    size = st.sampled_from([1, 2, 3, 4, 0])
    n, k, m = draw(size), draw(size), draw(size)
    one, two = draw(broadcastable(2, 3))
    left = draw(st.sampled_from([(k,), (*one, n, k), (*one, n, k)]))
    right = draw(st.sampled_from([(k,), (*two, k, m), (*two, k, m)]))
    if draw(st.integers(0, 5)) == 0:
        right = draw(shapes(4))
    return left, right


def test_matmul(run):
    def check(fit, dtype, seed):
        lib = run.lib
        a, b = (np.asarray(array(s, dtype, seed + i, special=0)) for i, s in enumerate(fit))
        t, u = relayout(lib, a, seed), relayout(lib, b, seed // 3)
        try:
            want = np.matmul(a, b)
        except ValueError:
            with pytest.raises(RuntimeError):
                lib.matmul(t, u)
            return
        same(lib.matmul(t, u), want, fit, rtol=tolerance(dtype), atol=50 * tolerance(dtype))
        if dtype == "float64" and want.size:
            t, u = t.clone().requires_grad_(), u.clone().requires_grad_()
            w = np.random.default_rng(seed).normal(0, 1, want.shape)
            (lib.matmul(t, u) * tensor(lib, np.asarray(w))).sum().backward()
            a2 = a[None] if a.ndim == 1 else a
            b2 = b[:, None] if b.ndim == 1 else b
            w2 = np.asarray(w)
            w2 = np.expand_dims(w2, -1) if b.ndim == 1 else w2
            w2 = np.expand_dims(w2, -2) if a.ndim == 1 else w2
            da, db = w2 @ np.swapaxes(b2, -1, -2), np.swapaxes(a2, -1, -2) @ w2
            np.testing.assert_allclose(values(t.grad), summed_to(da, a2.shape).reshape(a.shape), rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(values(u.grad), summed_to(db, b2.shape).reshape(b.shape), rtol=1e-9, atol=1e-9)

    run(check, products(), st.sampled_from([*FLOATS, "int64", "int32", "uint8"]), seeds, quick=15, full=600)
