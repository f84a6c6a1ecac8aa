"""The headers of CUDA programs, on the host: element types, functions, reductions, scans and random numbers."""

import math

import compile_cuda_emulation as emulation
import ml_dtypes
import numpy as np
import pytest
import scipy.special

ONE = """exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan tanh sinh cosh asin acos atan asinh acosh
atanh erf erfc erfinv lgamma digamma sigmoid floor ceil trunc round_even abs sign""".split()
TWO = "floordiv mod fmod pow maximum minimum fmax fmin atan2 hypot copysign nextafter".split()
WHOLE = "floordiv mod fmod pow maximum minimum fmax fmin shift_left shift_right add sub mul".split()
TYPES = {"float": np.float32, "double": np.float64, "int8_t": np.int8, "int16_t": np.int16, "int32_t": np.int32,
         "long": np.int64, "uint8_t": np.uint8}
OVER = ["sum", "product", "max", "min"]


def kernel(name, parameters, body):
    return f'extern "C" __global__ void {name}({parameters}) {{\n{body}\n}}\n'


def source(*kernels):
    return "\n".join(['#include "lamella/cuda/loops.cuh"', '#include "lamella/cuda/philox.cuh"',
                      "namespace lamella { namespace program {", *kernels, "} }"])


def each(body):
    return f"for (long i = grid_thread(); i < n; i += grid_threads()) {body}"


def mathematics():
    found = []
    for t in ("float", "double"):
        found += [kernel(f"{f}_{t}", f"const {t}* x, {t}* y, long n", each(f"y[i] = {f}(x[i]);")) for f in ONE]
        found += [kernel(f"{f}_{t}", f"const {t}* a, const {t}* b, {t}* y, long n", each(f"y[i] = {f}(a[i], b[i]);"))
                  for f in TWO]
    for t in list(TYPES)[2:]:
        found += [kernel(f"{f}_{t}", f"const {t}* a, const {t}* b, {t}* y, long n", each(f"y[i] = {f}(a[i], b[i]);"))
                  for f in WHOLE]
    for t in ("float16", "bfloat16"):
        found.append(kernel(f"from_{t}", f"const {t}* x, float* y, long n", each("y[i] = x[i];")))
        found.append(kernel(f"to_{t}", f"const float* x, {t}* y, long n", each(f"y[i] = {t}(x[i]);")))
    return found


def together():
    found = []
    for t in TYPES:
        body = ["long threads = blockDim.x * blockDim.y, n = gridDim.x * threads, k = 0;",
                f"long i = blockIdx.x * threads + thread_of_block(); {t} v = x[i];"]
        for where in ("warp", "block", "column"):
            body += [f"y[n * k++ + i] = {where}_{f}(v);" for f in OVER]
            body += [f"{{ Best<{t}> b; b.{f}(v, place[i]); at[n * ({k} + 2 * {w}) + i] = {where}_arg{f}(b).place(); }}"
                     for w in [("warp", "block", "column").index(where)] for k, f in enumerate(("max", "min"))]
        parameters = f"const {t}* x, const long* place, {t}* y, long* at"
        found.append(kernel(f"over_{t}", parameters, "\n".join(body)))
        found.append(kernel(f"scan_{t}", f"const {t}* x, {t}* sums, {t}* products, {t} first, {t}* last", f"""
            {t} before = first, factor = 1;
            for (int k = 0; k < 2; ++k) {{
                int i = k * blockDim.x + threadIdx.x;
                sums[i] = block_scan_sum(x[i], before);
                products[i] = block_scan_product(x[i], factor);
            }}
            last[threadIdx.x] = before;"""))
    found.append(kernel("truth", "const uint8_t* x, uint8_t* y", """
        int i = thread_of_block(), n = blockDim.x * blockDim.y;
        bool v = x[i];
        y[i] = warp_any(v); y[n + i] = warp_all(v); y[2 * n + i] = block_any(v); y[3 * n + i] = block_all(v);
        y[4 * n + i] = column_any(v); y[5 * n + i] = column_all(v);"""))
    found.append(kernel("moments", "const float* x, double* y, long n", """
        Moments<double> m;
        for (long i = threadIdx.x; i < n; i += blockDim.x) m.add(x[i]);
        m = block_moments(m);
        y[0] = m.count; y[1] = m.mean; y[2] = m.squares;"""))
    return found


def chance():
    words = "Philox p = philox(seed, offset, i); for (int k = 0; k < 4; ++k) y[4 * i + k] = p.word[k];"
    return [kernel("words", "uint32_t* y, long seed, long offset, long n", each("{" + words + "}")),
            kernel("uniform", "float* y, double* z, double* w, long seed, long offset, long n", each(
                "y[i] = philox_uniform(seed, offset, i), z[i] = philox_uniform_double(seed, offset, i), "
                "w[i] = philox_normal(seed, offset, i);"))]


TEXT = source(*mathematics(), *together(), *chance())


@pytest.fixture(scope="module")
def module():
    return emulation.Module(TEXT)


def numbers(kind):
    rng = np.random.default_rng(3)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 1e-30, 88.0, -88.0, 1e20, 2.5, 1.5, -2.5]
    normal = rng.standard_normal(700) * np.repeat([1, 30], [500, 200])
    return np.concatenate([special, normal, rng.random(200)]).astype(kind)


def reference(name):
    special = {"rsqrt": lambda x: 1 / np.sqrt(x), "reciprocal": lambda x: 1 / x, "asin": np.arcsin, "acos": np.arccos,
               "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
               "erf": scipy.special.erf, "erfc": scipy.special.erfc, "erfinv": scipy.special.erfinv,
               "digamma": scipy.special.digamma,
               "lgamma": np.vectorize(lambda x: np.inf if np.isinf(x) or (x <= 0 and x == np.floor(x))
                                      else np.nan if np.isnan(x) else math.lgamma(x)),
               "sigmoid": scipy.special.expit, "round_even": np.round, "floordiv": np.floor_divide, "mod": np.mod,
               "pow": np.power, "atan2": np.arctan2, "shift_left": np.left_shift, "shift_right": np.right_shift,
               "sub": np.subtract, "mul": np.multiply}
    return special.get(name) or getattr(np, name)


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_number(module, name, kind):
    x = numbers(TYPES[kind])
    y = np.empty_like(x)
    module.launch(f"{name}_{kind}", (2,), (128,), [x, y, x.size])
    with np.errstate(all="ignore"):
        wanted = reference(name)(x.astype(np.float64)).astype(x.dtype)
    rtol, atol = (5e-7, 1e-9) if kind == "float" else (1e-12, 1e-14)
    np.testing.assert_allclose(y, wanted, rtol, atol)
    if name not in ("lgamma", "digamma", "erfinv"):  # of 0 (scipy loses the sign of erfinv)
        np.testing.assert_array_equal(np.signbit(y[:2]), np.signbit(wanted[:2]))


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("name", TWO)
def test_functions_of_two_numbers(module, name, kind):
    x = numbers(TYPES[kind])[:120]
    a, b = (np.ascontiguousarray(v.ravel()) for v in np.meshgrid(x, x))
    y = np.empty_like(a)
    module.launch(f"{name}_{kind}", (2,), (128,), [a, b, y, a.size])
    with np.errstate(all="ignore"):
        wanted = reference(name)(a, b)
    if name == "floordiv":  # where the quotient is no number
        keep = np.isfinite(wanted) & np.isfinite(a) & np.isfinite(b)
        y, wanted = y[keep], wanted[keep]
    if name == "mod":
        keep = ~np.isinf(b)
        y, wanted = y[keep], wanted[keep]
    np.testing.assert_allclose(y, wanted, 1e-5 if kind == "float" else 1e-12, 0)


@pytest.mark.parametrize("kind", list(TYPES)[2:])
@pytest.mark.parametrize("name", WHOLE)
def test_functions_of_whole_numbers(module, name, kind):
    dtype = TYPES[kind]
    info = np.iinfo(dtype)
    x = np.array([0, 1, 2, 3, 5, 7, info.max, info.min, info.max - 1, *([-1, -2, -3, -7] if info.min else [])], dtype)
    a, b = (np.ascontiguousarray(v.ravel()) for v in np.meshgrid(x, x))
    if name in ("floordiv", "mod", "fmod"):
        a, b = a[b != 0], b[b != 0]
    if name == "pow":
        a, b = a[b >= 0], b[b >= 0]
    if name.startswith("shift"):
        keep = (b >= 0) & (b < 8 * a.itemsize)
        a, b = a[keep], b[keep]
    y = np.empty_like(a)
    module.launch(f"{name}_{kind}", (1,), (64,), [a, b, y, a.size])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(y, reference(name)(a, b))


@pytest.mark.parametrize("kind, dtype", [("float16", np.float16), ("bfloat16", ml_dtypes.bfloat16)])
def test_half_types(module, kind, dtype):
    halves = np.arange(65536, dtype=np.uint16).view(dtype)
    y = np.empty(65536, np.float32)
    module.launch(f"from_{kind}", (4,), (256,), [halves, y, y.size])
    np.testing.assert_array_equal(y, halves.astype(np.float32))
    bits = np.random.default_rng(5).integers(0, 2**32, 100_000, dtype=np.uint64).astype(np.uint32)
    bits[:65536] = y.view(np.uint32) + np.arange(65536, dtype=np.uint32) % 3 * np.uint32(0x800)
    x = bits.view(np.float32)
    found = np.empty(x.size, dtype)
    module.launch(f"to_{kind}", (4,), (256,), [x, found, x.size])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found.astype(np.float32), x.astype(dtype).astype(np.float32))


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("block", [(32, 1), (96, 1), (1024, 1), (32, 8), (16, 6), (64, 16), (4, 24)])
@pytest.mark.parametrize("kind", list(TYPES))
def test_reductions(module, kind, block, order):
    width, rows = block
    rng = np.random.default_rng(width * rows)
    x = rng.integers(0, 9, (2, rows, width)).astype(TYPES[kind])
    if kind in ("float", "double"):
        x = (x / 8 + 0.5).astype(x.dtype)
        x[1, rows // 2, width // 2] = np.nan
    place = rng.permutation(x.size).astype(np.int64).reshape(x.shape)
    y, at = np.empty((12, *x.shape), x.dtype), np.empty((6, *x.shape), np.int64)
    module.launch(f"over_{kind}", (2,), block, [x, place, y, at], order=order)
    functions = [np.sum, np.prod, np.max, np.min]
    groups = {"warp": lambda v: v.reshape(2, -1, 32), "block": lambda v: v.reshape(2, 1, -1),
              "column": lambda v: np.ascontiguousarray(v.transpose(0, 2, 1))}
    for w, group in enumerate(groups.values()):
        rtol = {"float": 2e-5, "double": 1e-12}.get(kind, 0)
        with np.errstate(all="ignore"):
            for k, function in enumerate(functions):
                wanted = function(group(x), -1, dtype=x.dtype) if k < 2 else function(group(x), -1)
                got = group(y[4 * w + k])
                np.testing.assert_allclose(got, np.broadcast_to(wanted[..., None], got.shape), rtol)
        for k, sign in enumerate((-1, 1)):
            got = group(at[2 * w + k])
            keys = group(x).astype(np.float64) * sign
            keys = np.where(np.isnan(keys), -np.inf, keys)
            best = np.where(keys == keys.min(-1, keepdims=True), group(place), 1 << 40).min(-1)
            np.testing.assert_array_equal(got, np.broadcast_to(best[..., None], got.shape))


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("size", [32, 64, 256])
@pytest.mark.parametrize("kind", list(TYPES))
def test_scans(module, kind, size, order):
    x = np.random.default_rng(size).integers(1, 3, 2 * size).astype(TYPES[kind])
    if kind in ("float", "double"):
        x = (x * 0.5 + 0.25).astype(x.dtype)
    sums, products, last = (np.empty_like(x) for _ in range(3))
    first = np.array(3, x.dtype)
    module.launch(f"scan_{kind}", (1,), (size,), [x, sums, products, np.ctypeslib.as_ctypes(first), last], order=order)
    with np.errstate(all="ignore"):
        wanted = np.cumsum(x, dtype=x.dtype) + first
        np.testing.assert_allclose(sums, wanted, 1e-5)
        np.testing.assert_allclose(products, np.cumprod(x, dtype=x.dtype), 1e-4)
    np.testing.assert_allclose(last[:size], np.full(size, wanted[-1]), 1e-5)


@pytest.mark.parametrize("ones", [[], [0], [40], range(64), range(1, 64)])
def test_truth(module, ones):
    x = np.zeros(64, np.uint8)
    x[list(ones)] = 1
    y = np.empty((6, 64), np.uint8)
    module.launch("truth", (1,), (16, 4), [x, y])
    warps, columns = x.reshape(2, 32), x.reshape(4, 16)
    wanted = [np.repeat(warps.any(1), 32), np.repeat(warps.all(1), 32), np.full(64, x.any()), np.full(64, x.all()),
              np.tile(columns.any(0), 4), np.tile(columns.all(0), 4)]
    np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize("n", [0, 1, 5, 3000])
def test_moments(module, n):
    x = (np.random.default_rng(n).standard_normal(n) + 1000).astype(np.float32)
    y = np.empty(3)
    module.launch("moments", (1,), (128,), [x, y, n])
    wide = x.astype(np.float64)
    np.testing.assert_allclose(y, [n, wide.mean() if n else 0, wide.var() * n if n else 0], rtol=1e-9)


def philox(seed, offset, i):
    """Four words, in Python."""
    low = 2**32 - 1
    a, b, c, d = i & low, i >> 32, offset & low, offset >> 32
    first, second = seed & low, seed >> 32
    for _ in range(10):
        left, right = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (right >> 32) ^ b ^ first, right & low, (left >> 32) ^ d ^ second, left & low
        first, second = (first + 0x9E3779B9) & low, (second + 0xBB67AE85) & low
    return [a, b, c, d]


@pytest.mark.parametrize("seed, offset", [(0, 0), (42, 7), (2**40 + 5, 2**33)])
def test_random_words(module, seed, offset):
    words = np.empty((50, 4), np.uint32)
    module.launch("words", (1,), (32,), [words, seed, offset, 50])
    assert words.tolist() == [philox(seed, offset, i) for i in range(50)]
    if not seed:
        assert [hex(w) for w in words[0]] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]  # as published


def test_random_numbers(module):
    n = 20_000
    y, z, w = np.empty(n, np.float32), np.empty(n), np.empty(n)
    module.launch("uniform", (4,), (128,), [y, z, w, 1, 2, n])
    words = np.array([philox(1, 2, i) for i in range(100)], dtype=np.uint64)
    np.testing.assert_array_equal(y[:100], (words[:, 0] >> 8).astype(np.float32) * np.float32(2**-24))
    for draw in (y, z):
        assert draw.min() >= 0 and draw.max() < 1 and abs(draw.mean() - 0.5) < 0.01 and abs(draw.var() - 1 / 12) < 0.003
    assert abs(w.mean()) < 0.03 and abs(w.std() - 1) < 0.03 and np.isfinite(w).all()
