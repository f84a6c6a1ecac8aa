"""The extensions linalg and fft of the namespace beside NumPy's, over types, stacks and shapes."""

import itertools

import numpy as np
import pytest

from lamella.core import array_api as xp

FLOAT = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
BOTH = FLOAT + COMPLEX
SCALE = {"float32": 1e-4, "complex64": 1e-4, "float64": 1e-11, "complex128": 1e-11}
STACKS = [(), (2,), (2, 3), (0,)]


def make(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=shape)
    if dtype in COMPLEX:
        a = a + 1j * rng.normal(size=shape)
    return np.asarray(a * (3 if "int" in dtype else 1)).astype(dtype)


def definite(stack, n, dtype):
    a = make((*stack, n, n), dtype)
    return (a @ a.conj().mT + n * np.eye(n)).astype(dtype)


def to(x):
    return xp.asarray(x.copy()) if isinstance(x, np.ndarray) else x


def same(ours, theirs):
    theirs = np.asarray(theirs)
    assert tuple(ours.shape) == theirs.shape and ours.dtype.name == theirs.dtype.name
    tolerance = SCALE.get(theirs.dtype.name, 0)
    np.testing.assert_allclose(ours.numpy(), theirs, rtol=tolerance, atol=tolerance)


def find(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


def check(name, *args, **kwargs):
    same(find(xp, name)(*map(to, args), **kwargs), find(np, name)(*args, **kwargs))


# ---------------------------------------------------------------- products


@pytest.mark.parametrize("where", ["", "linalg."])
def test_products(where):
    for dtype in ["int8", "uint16", "int64", *BOTH]:
        for s1, s2 in (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
                       ((5, 1, 2, 3), (2, 3, 4)), ((0, 3), (3, 2)), ((2, 0), (0, 3))):
            check(where + "matmul", make(s1, dtype), make(s2, dtype, 1))
        for s1, s2, axes in (((2, 3), (3, 4), 1), ((2, 3), (2, 3), 2), ((2,), (3,), 0), ((2, 3), (4, 3), ([1], [-1])),
                             ((2, 3, 4), (4, 3), ((1, 2), (1, 0)))):
            check(where + "tensordot", make(s1, dtype), make(s2, dtype, 1), axes=axes)
        for s1, s2, axis in (((3,), (3,), -1), ((2, 3), (3,), -1), ((2, 1, 3), (4, 3), -1), ((3, 2), (3, 2), -2),
                             ((0,), (0,), -1)):
            if where or axis == -1:
                check(where + "vecdot", make(s1, dtype), make(s2, dtype, 1), axis=axis)
        check(where + "matrix_transpose", make((2, 3, 4), dtype))
    check(where + "tensordot", make((2, 3), "float64"), make((4, 2), "float64"), axes=(0, 1))
    check(where + "tensordot", make((2, 3), "float64"), make((3, 2), "float64"), axes=np.int64(1))
    check(where + "matmul", make((2, 2), "float32"), make((2, 2), "complex128"))


def test_more_products():
    for dtype in ["int16", *BOTH]:
        check("linalg.outer", make((3,), dtype), make((2,), dtype, 1))
        for axis, shape in ((-1, (3,)), (-1, (2, 3)), (0, (3, 4)), (1, (2, 3, 2))):
            check("linalg.cross", make(shape, dtype), make(shape, dtype, 1), axis=axis)
    check("linalg.cross", make((2, 4, 3), "float64"), make((4, 3), "float64", 1))
    check("linalg.cross", make((3,), "float64"), make((2, 3), "float64", 1))
    for dtype, offset in itertools.product(["bool", "uint8", "int8", *BOTH], (-3, -1, 0, 2)):
        x = make((2, 3, 4), dtype)
        check("linalg.diagonal", x, offset=offset)
        check("linalg.trace", x, offset=offset)
    x = make((3, 3), "float32")
    same(xp.linalg.trace(to(x), dtype=xp.float64), np.linalg.trace(x, dtype="float64"))


# ---------------------------------------------------------------- norms and ranks


def test_norms():
    for dtype, order, axis, keepdims in itertools.product(
            BOTH, (0, 1, 2, 3, -1, 0.5, np.inf, -np.inf), (None, 0, -1, (0, 2), (0, 1, 2)), (False, True)):
        check("linalg.vector_norm", make((2, 3, 4), dtype), ord=order, axis=axis, keepdims=keepdims)
    for dtype, order, keepdims in itertools.product(BOTH, ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf), (False, True)):
        for stack in ((), (2,), (2, 2)):
            check("linalg.matrix_norm", make((*stack, 3, 4), dtype), ord=order, keepdims=keepdims)
    assert xp.linalg.vector_norm(xp.asarray(-3.0)).tolist() == 3.0
    assert xp.linalg.matrix_norm(xp.asarray([[3.0, 4.0]]), ord=None).tolist() == 5.0


def test_rank_and_pseudo_inverse():
    for dtype, stack in itertools.product(BOTH, STACKS):
        x = make((*stack, 4, 3), dtype)
        x[..., 1] = 2 * x[..., 0]
        check("linalg.matrix_rank", x)
        check("linalg.matrix_rank", x, rtol=0.9)
        check("linalg.pinv", x, rtol=1e-3)
    x = np.stack([np.diag([1.0, 0.5, 0.1]), np.diag([1.0, 0.01, 0.001])])
    rtol = np.array([0.2, 0.005])
    assert xp.linalg.matrix_rank(to(x), rtol=to(rtol)).tolist() == [2, 2]
    same(xp.linalg.pinv(to(x), rtol=to(rtol)), np.linalg.pinv(x, rtol=rtol))


# ---------------------------------------------------------------- solving and factors


def test_square_matrices():
    for dtype, stack in itertools.product(BOTH, STACKS):
        x = definite(stack, 3, dtype)
        for name in ("det", "inv"):
            check(f"linalg.{name}", x)
        for n in (-2, 0, 1, 3):
            check("linalg.matrix_power", x / np.asarray(8, dtype=x.dtype), n)
        found, want = xp.linalg.slogdet(to(x)), np.linalg.slogdet(x)
        same(found.sign, want.sign)
        same(found.logabsdet, want.logabsdet)
        for upper in (False, True):
            check("linalg.cholesky", x, upper=upper)
        check("linalg.eigvalsh", x)
        values, vectors = xp.linalg.eigh(to(x))
        same(values, np.linalg.eigvalsh(x))
        same(vectors @ (values[..., None] * vectors.mT.conj()), x)
        assert xp.linalg.eigh(to(x)).eigenvectors.dtype.name == dtype


def test_solving():
    for dtype, stack in itertools.product(BOTH, STACKS):
        x = definite(stack, 3, dtype)
        check("linalg.solve", x, make((3,), dtype))
        check("linalg.solve", x, make((*stack, 3, 2), dtype))
        check("linalg.solve", x, make((3, 2), dtype))
        check("linalg.solve", x[:1] if stack else x, make((4, *stack, 3, 2), dtype))
    # A stack of as many matrices as the second has rows is no stack of vectors.
    check("linalg.solve", definite((3,), 3, "float64"), make((3, 3), "float64"))


def test_factors():
    for dtype, stack, shape in itertools.product(BOTH, STACKS, ((3, 3), (4, 2), (2, 4))):
        x = make((*stack, *shape), dtype)
        for mode in ("reduced", "complete"):
            found, want = xp.linalg.qr(to(x), mode=mode), np.linalg.qr(x, mode=mode)
            assert found.Q.shape == want.Q.shape and found.R.shape == want.R.shape
            same(found.Q @ found.R, x)
        for full in (True, False):
            found, want = xp.linalg.svd(to(x), full_matrices=full), np.linalg.svd(x, full_matrices=full)
            same(found.S, want.S)
            assert found.U.shape == want.U.shape and found.Vh.shape == want.Vh.shape
            k = min(shape)
            same(found.U[..., :k] * found.S[..., None, :] @ found.Vh[..., :k, :], x)
        check("linalg.svdvals", x)
    assert xp.linalg.svd(xp.ones((2, 2)))[1] is not None and len(xp.linalg.qr(xp.ones((2, 2)))) == 2


# ---------------------------------------------------------------- fft


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_transforms(norm):
    for dtype in BOTH:
        x = make((3, 6), dtype)
        for name in ("fft", "ifft", "hfft", "irfft", *(("rfft", "ihfft") if dtype in FLOAT else ())):
            if name in ("hfft", "irfft") and dtype in FLOAT:
                continue
            for n, axis in itertools.product((None, 4, 9), (-1, 0)):
                check(f"fft.{name}", x, n=n, axis=axis, norm=norm)
        for name in ("fftn", "ifftn", *(("rfftn",) if dtype in FLOAT else ("irfftn",))):
            for s, axes in ((None, None), (None, (1,)), (None, (1, 0)), ((4, 8), (0, 1)), ((2,), (0,))):
                check(f"fft.{name}", x, s=s, axes=axes, norm=norm)
    assert xp.fft.fft(xp.asarray([1.0, 2.0])).dtype is xp.complex64


def test_frequencies():
    for n, d in itertools.product((1, 4, 5), (1.0, 0.25)):
        for name in ("fftfreq", "rfftfreq"):
            same(getattr(xp.fft, name)(n, d=d, dtype=xp.float64), getattr(np.fft, name)(n, d=d))
            assert getattr(xp.fft, name)(n).dtype is xp.float32
    for name, axes in itertools.product(("fftshift", "ifftshift"), (None, 0, -1, (0, 1))):
        check(f"fft.{name}", make((3, 4), "float64"), axes=axes)
