"""Arrays to try, and the two ways between arrays and tensors."""

import math

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

BOOL, UNSIGNED, SIGNED = ["bool"], ["uint8", "uint16", "uint32", "uint64"], ["int8", "int16", "int32", "int64"]
INTEGER = UNSIGNED + SIGNED
FLOATING, COMPLEX = ["float16", "bfloat16", "float32", "float64"], ["complex64", "complex128"]
DTYPES = BOOL + INTEGER + FLOATING + COMPLEX
#: those that every operator takes
COMMON = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
CATEGORY = {d: i for i, group in enumerate([BOOL, INTEGER, FLOATING, COMPLEX]) for d in group}
BITS = {"bool": 8, "bfloat16": 16, **{d: int("".join(c for c in d if c.isdigit())) for d in DTYPES
                                      if d not in ("bool", "bfloat16")}}

seeds = st.integers(0, 2**32 - 1)
_SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0])


def np_dtype(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def array(shape, dtype, seed, special=0.1, positive=False, scale=4):
    """Numbers of a type: small ones, and extreme ones with probability `special`."""
    g = np.random.default_rng(seed)
    size = math.prod(shape)
    strange = g.random(size) < special
    d = np_dtype(dtype)
    if dtype == "bool":
        a = g.random(size) < 0.5
    elif dtype in INTEGER:
        a = g.integers(1 if positive else 0 if dtype in UNSIGNED else -5, 7, size).astype(d)
        info = np.iinfo(d)
        a = np.where(strange & (not positive), g.choice(np.array([info.min, info.max], d), size), a)
    else:
        a = np.abs(g.normal(0, scale, size)) + 0.1 if positive else g.normal(0, scale, size)
        if dtype in COMPLEX:
            a = a + 1j * g.normal(0, scale, size)
        elif not positive:
            # quarters make ties, and sums without rounding
            a = np.where(g.random(size) < 0.5, np.round(a * 4) / 4, a)
            a = np.where(strange, g.choice(_SPECIAL, size), a)
    return np.asarray(a).astype(d).reshape(shape)


def tensor(lib, a):
    """A tensor with the array's type, shape and values, in memory of its own."""
    if a.dtype.name == "bfloat16":
        return lib.from_numpy(a.astype(np.float32)).to(lib.bfloat16)
    return lib.from_numpy(a.copy())


def values(t):
    """A tensor's values as an array of its type."""
    t = t.detach()
    if str(t.dtype).endswith("bfloat16"):
        return t.float().numpy().astype(ml_dtypes.bfloat16)
    return t.numpy()


def dtype_name(t):
    return str(t.dtype).removeprefix("torch.")


def same(t, expected, label="", rtol=0.0, atol=0.0):
    """The tensor has the array's type, shape and values; NaN equals NaN."""
    expected = np.asarray(expected)
    assert dtype_name(t) == expected.dtype.name, f"{label}: {t.dtype} instead of {expected.dtype}"
    assert tuple(t.shape) == expected.shape, f"{label}: {tuple(t.shape)} instead of {expected.shape}"
    got = values(t)
    if got.dtype.name == "bfloat16":
        got, expected = got.astype(np.float32), expected.astype(np.float32)
    if rtol or atol:
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol, err_msg=str(label))
    else:
        np.testing.assert_array_equal(got, expected, err_msg=str(label))


def tolerance(dtype):
    """Relative error that summing in another order may bring."""
    return {"float16": 4e-3, "bfloat16": 3e-2, "float32": 2e-5, "complex64": 2e-5, "float64": 1e-12,
            "complex128": 1e-12}.get(dtype, 0.0)


def shapes(most=4, largest=4, smallest=0):
    """Shapes; sizes of 0 are rarer than others."""
    sizes = st.sampled_from([s for s in (1, 2, 3, 2, 4, 1, 5, 0) if smallest <= s <= largest])
    return st.lists(sizes, min_size=0, max_size=most).map(tuple)


@st.composite
def broadcastable(draw, count=2, most=4):
    """Shapes that fit together."""
    full = draw(shapes(most))
    out = []
    for _ in range(count):
        part = full[draw(st.integers(0, len(full))):] if draw(st.booleans()) else full
        out.append(tuple(1 if draw(st.integers(0, 3)) == 0 else n for n in part))
    return tuple(out)
