"""Functions of float in compiled programs: how far they are from the true value, in units in the last place."""

import ctypes
import math
import shutil

import numpy as np
import pytest
from compile_emit_helper import build

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1.0) / (1 + e)


FUNCTIONS = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "tanh": np.tanh, "sigmoid": sigmoid, "erf": np.vectorize(math.erf, otypes=["f8"]), "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "sinh": np.sinh, "cosh": np.cosh, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}
SPECIAL = [0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 88.72283, 88.72284, -103.97, -87.3, 89.5, 1e-45, -1e-45,
           1.1754944e-38]
UNARY = """extern "C" void {0}_(const float* __restrict x, float* __restrict y, long n) {{
#pragma GCC ivdep
    for (long i = 0; i < n; ++i) y[i] = lamella::{0}(x[i]);
}}"""
BINARY = """extern "C" void {0}_(const float* __restrict a, const float* __restrict b, float* __restrict y, long n) {{
#pragma GCC ivdep
    for (long i = 0; i < n; ++i) y[i] = lamella::{0}(a[i], b[i]);
}}"""
TEXT = "\n".join(['#include "lamella/math.h"', *map(UNARY.format, FUNCTIONS), BINARY.format("pow")])


@pytest.fixture(scope="module", params=["native", "x86-64-v3", "x86-64"])
def library(request):
    import platform

    if request.param != "native" and platform.machine() != "x86_64":
        pytest.skip("another processor")
    return build(TEXT, (f"-march={request.param}",))


def call(library, name, *arrays):
    y = np.empty_like(arrays[0])
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*arrays, y)]
    getattr(library, name + "_")(*pointers, ctypes.c_long(len(y)))
    return y


def ulps(got, want):
    """The largest error, and whether zeros, infinities and NaN are where they should be."""
    nearest = want.astype("f")
    special = ~np.isfinite(nearest) | (nearest == 0)
    same = ((got == nearest) & (np.signbit(got) == np.signbit(nearest))) | (np.isnan(got) & np.isnan(nearest))
    unit = np.spacing(np.abs(np.where(special, 1, nearest))).astype("f8")
    error = np.abs(np.where(special, 0, got.astype("f8") - np.where(special, 0, want)) / unit)
    return error.max(), bool(same[special].all())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_float_functions_are_within_two_units(library, name):
    with np.errstate(all="ignore"):
        every = np.arange(0, 2**32, 30011, dtype=np.uint64).astype(np.uint32).view("f")
        near = np.linspace(-110, 110, 60001), np.linspace(-3, 3, 60001)
        x = np.concatenate([every, *near, SPECIAL]).astype("f")
        error, special = ulps(call(library, name, x), FUNCTIONS[name](x.astype("f8")))
    assert error < 2, error
    assert special


def test_powers(library):
    rng = np.random.default_rng(0)
    special = [0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2, 0.5, -2, 3, -3]
    a = np.concatenate([np.abs(rng.standard_normal(50000)), 2.0**rng.uniform(-149, 128, 50000),
                        -rng.integers(1, 20, 9000), np.repeat(special, 12)]).astype("f")
    b = np.concatenate([rng.standard_normal(50000) * 3, rng.uniform(-2, 2, 50000), rng.integers(-9, 9, 9000),
                        np.tile(special, 12)]).astype("f")
    with np.errstate(all="ignore"):
        error, same = ulps(call(library, "pow", a, b), np.power(a.astype("f8"), b.astype("f8")))
    assert error < 2 and same
