"""Kernels printed as C++: what they compute, against NumPy."""


import compile_emit_helper as helper
import numpy as np
import pytest
from compile_emit_helper import Run, dtype_of, pointwise, var

from lamella.compile.emit.cpp import loops
from lamella.compile.loops.index import Var, lift
from lamella.compile.loops.ir import Buffer, Loop
from lamella.compile.schedule.plan import Kernel, Member, Part

RNG = np.random.default_rng(7)
pytestmark = pytest.mark.skipif(__import__("shutil").which("g++") is None, reason="no g++")


def vector(name, dtype, n):
    return Buffer(name, dtype, (n,))


def each(name, out, body, work=0):
    """A kernel of one pointwise loop over one dimension."""
    v, i = var("i", out.shape[0])
    return Kernel(name, (v,), [Part((), [Member(pointwise(out, body), (i,))])], parallel=1, work=work)


UNARY = {
    "neg": np.negative, "abs": np.abs, "sqrt": np.sqrt, "reciprocal": np.reciprocal, "floor": np.floor, "ceil": np.ceil,
    "trunc": np.trunc, "round": np.rint, "sign": np.sign, "exp": np.exp, "tanh": np.tanh, "sin": np.sin, "cos": np.cos,
    "tan": np.tan, "sinh": np.sinh, "cosh": np.cosh, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "exp2": np.exp2, "expm1": np.expm1, "log": np.log,
    "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
}
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "floordiv": np.floor_divide,
    "mod": np.remainder, "fmod": np.fmod, "pow": np.power, "maximum": np.maximum, "minimum": np.minimum,
    "fmax": np.fmax, "fmin": np.fmin, "atan2": np.arctan2, "hypot": np.hypot, "copysign": np.copysign,
    "nextafter": np.nextafter,
}
WHOLE = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "floordiv": np.floor_divide, "mod": np.remainder,
    "fmod": np.fmod, "maximum": np.maximum, "minimum": np.minimum, "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor, "shift_left": np.left_shift,
    "shift_right": np.right_shift,
}
TESTS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
         "ge": np.greater_equal, "logical_and": np.logical_and, "logical_or": np.logical_or,
         "logical_xor": np.logical_xor}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -7.5, 1e-30]


def floats(dtype, n=400):
    a = np.concatenate([RNG.standard_normal(n) * 3, np.repeat(SPECIAL, len(SPECIAL))]).astype(dtype)
    b = np.concatenate([RNG.standard_normal(n) * 3, np.tile(SPECIAL, len(SPECIAL))]).astype(dtype)
    return a, b


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_operations_of_floats(dtype):
    a, b = floats(dtype)
    n = len(a)
    x, y = vector("x", dtype, n), vector("y", dtype, n)
    kernels, outs = [], []
    for name in UNARY:
        outs.append(vector("out_" + name, dtype, n))
        kernels.append(each(name, outs[-1], lambda ops, ix, name=name: getattr(ops, name)(ops.load(x, ix[0]))))
    for name in BINARY:
        outs.append(vector("out_" + name, dtype, n))
        kernels.append(each(name, outs[-1], lambda ops, ix, name=name: getattr(ops, name)(
            ops.load(x, ix[0]), ops.load(y, ix[0]))))
    for name in TESTS:
        outs.append(vector("out_" + name, "bool", n))
        kernels.append(each(name, outs[-1], lambda ops, ix, name=name: getattr(ops, name)(
            ops.load(x, ix[0]), ops.load(y, ix[0]))))
    got = Run(kernels, [x, y, *outs])(x=a, y=b)
    with np.errstate(all="ignore"):
        for name, f in UNARY.items():
            check(name, got["out_" + name], f(a), dtype)
        for name, f in BINARY.items():
            check(name, got["out_" + name], f(a, b), dtype)
        for name, f in TESTS.items():
            np.testing.assert_array_equal(got["out_" + name].astype(bool), f(a, b), name)


def check(name, got, want, dtype):
    tolerance = {"float32": 5e-7, "float64": 1e-14}[dtype]
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=0, err_msg=name)
    zero = want == 0
    if name not in ("fmax", "fmin", "maximum", "minimum"):  # whose zeros have either sign
        np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]), name)


@pytest.mark.parametrize("dtype", ["int64", "int32", "int16", "int8", "uint8"])
def test_operations_of_integers(dtype):
    n, info = 500, np.iinfo(dtype)
    a = RNG.integers(info.min, info.max, n, dtype, endpoint=True)
    b = RNG.integers(info.min, info.max, n, dtype, endpoint=True)
    a[:4] = [info.min, info.max, 0, 1]
    b[b == 0] = 3
    b[b == info.max] = 2
    shift = RNG.integers(0, info.bits + 2, n).astype(dtype)
    x, y, s = vector("x", dtype, n), vector("y", dtype, n), vector("s", dtype, n)
    kernels, outs = [], []
    for name in WHOLE:
        outs.append(vector("out_" + name, dtype, n))
        right = s if name.startswith("shift") else y
        kernels.append(each(name, outs[-1], lambda ops, ix, name=name, right=right: getattr(ops, name)(
            ops.load(x, ix[0]), ops.load(right, ix[0]))))
    for name in ("neg", "abs", "sign", "bitwise_not"):
        outs.append(vector("out_" + name, dtype, n))
        kernels.append(each(name, outs[-1], lambda ops, ix, name=name: getattr(ops, name)(ops.load(x, ix[0]))))
    got = Run(kernels, [x, y, s, *outs])(x=a, y=b, s=shift)
    with np.errstate(all="ignore"):
        for name, f in WHOLE.items():
            np.testing.assert_array_equal(got["out_" + name], f(a, shift if name.startswith("shift") else b), name)
        for name, f in {"neg": np.negative, "abs": np.abs, "sign": np.sign, "bitwise_not": np.invert}.items():
            np.testing.assert_array_equal(got["out_" + name], f(a), name)


def test_conversions():
    types = ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
    n = 300
    base = np.concatenate([RNG.standard_normal(200) * 100, RNG.integers(-120, 120, 100)])
    sources = {t: base.astype(dtype_of(t)) for t in types}
    ins = {t: vector("from_" + t, t, n) for t in types}
    kernels, outs = [], []
    for a in types:
        for b in types:
            outs.append(vector(f"{a}_to_{b}", b, n))
            kernels.append(each(outs[-1].name, outs[-1], lambda ops, ix, a=a, b=b: ops.to(ops.load(ins[a], ix[0]), b)))
    got = Run(kernels, [*ins.values(), *outs])(**{"from_" + t: v for t, v in sources.items()})
    with np.errstate(all="ignore"):
        for a in types:
            for b in types:
                value = sources[a].astype("float32") if a in ("float16", "bfloat16") else sources[a]
                want = value.astype(bool) if b == "bool" else value.astype(dtype_of(b))
                if b == "uint8" and a.startswith(("float", "bfloat")):
                    want = value.astype("int32").astype("uint8")
                np.testing.assert_array_equal(got[f"{a}_to_{b}"].astype(want.dtype), want, f"{a} to {b}")


@pytest.mark.parametrize("flags", [(), ("-march=x86-64", "-mno-f16c")])
def test_halves_round_to_nearest_even(flags):
    bits = np.arange(1 << 16, dtype=np.uint16)
    wide = RNG.integers(0, 2**32, 1 << 16, dtype=np.uint64).astype(np.uint32).view("float32")
    for name in ("float16", "bfloat16"):
        half, full = vector("half", name, 1 << 16), vector("full", "float32", 1 << 16)
        up, down = vector("up", "float32", 1 << 16), vector("down", name, 1 << 16)
        run = Run([each("up", up, lambda ops, ix, half=half: ops.load(half, ix[0])),
                   each("down", down, lambda ops, ix, full=full: ops.load(full, ix[0]))], [half, full, up, down],
                  flags=flags)
        with np.errstate(all="ignore"):
            got = run(half=bits.view(dtype_of(name)), full=wide)
            np.testing.assert_array_equal(got["up"], bits.view(dtype_of(name)).astype("float32"))
            np.testing.assert_array_equal(got["down"].astype("float32"), wide.astype(dtype_of(name)).astype("float32"))


def reduction(name, out, x, how, shape, columns=False, work=0, lead=1):
    """A kernel that reduces the last (``columns``: the first) dimension of a matrix."""
    rows, cols = shape
    if columns:
        (rv, r), (cv, c) = var("r", rows), var("c", cols)
        loop = Loop(out, (cols,), lambda ops, ix: ops.load(x, x.at((ix[1], ix[0]))), "reduce", (rows,), how)
        return Kernel(name, (), [Part((cv,), [Member(loop, (c, r))])], columns=(rv,), work=work)
    (rv, r), (cv, c) = var("r", rows), var("c", cols)
    loop = Loop(out, (rows,), lambda ops, ix: ops.load(x, x.at(ix)), "reduce", (cols,), how)
    return Kernel(name, (rv,), [Part((cv,), [Member(loop, (r, c))])], parallel=lead, work=work)


HOWS = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "any": np.any, "all": np.all,
        "argmax": np.argmax, "argmin": np.argmin}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
@pytest.mark.parametrize("shape", [(7, 1000), (300, 5), (37, 33)])
def test_reductions(dtype, shape):
    a = (RNG.standard_normal(shape) * 2).astype(dtype) if dtype.startswith("f") else RNG.integers(-3, 4, shape, dtype)
    if dtype.startswith("f"):
        a[2, 3], a[3, :2], a[4, 4] = np.nan, np.nan, -np.inf
    b = a != 0
    x, flags = Buffer("x", dtype, shape), Buffer("flags", "bool", shape)
    kernels, outs = [], []
    for how in HOWS:
        for columns in (False, True):
            kind = "bool" if how in ("any", "all") else "int64" if how.startswith("arg") else dtype
            outs.append(Buffer(f"{how}_{columns}", kind, (shape[1] if columns else shape[0],)))
            source = flags if kind == "bool" else x
            kernels.append(reduction(outs[-1].name, outs[-1], source, how, shape, columns, 10**6))
    got = Run(kernels, [x, flags, *outs])(x=a, flags=b)
    with np.errstate(all="ignore"):
        for how, f in HOWS.items():
            for columns in (False, True):
                want = f(b if how in ("any", "all") else a, axis=0 if columns else 1)
                if how in ("sum", "prod"):
                    want = want.astype(dtype)
                    np.testing.assert_allclose(got[f"{how}_{columns}"], want, 2e-5, 2e-6, err_msg=how)
                else:
                    np.testing.assert_array_equal(got[f"{how}_{columns}"], want, f"{how} {columns}")


def test_reductions_of_everything_share_threads_in_a_fixed_order():
    a = RNG.standard_normal((512, 1000)).astype("f")
    a[100, 7], a[300, 8] = 9.0, 9.0
    x, v, w = Buffer("x", "float32", (512, 1000)), *map(lambda n: var(*n), [("i", 512), ("j", 1000)])
    outs = {how: Buffer(how, "int64" if how == "argmax" else "float32", ()) for how in ("sum", "max", "argmax")}
    loops = [Loop(out, (), lambda ops, ix: ops.load(x, x.at(ix)), "reduce", (512, 1000), how)
             for how, out in outs.items()]
    members = [Member(loop, (v[1], w[1])) for loop in loops]
    kernel = Kernel("everything", (), [Part((v[0], w[0]), members)], work=512_000)
    narrow = Buffer("narrow", "float32", (8,))
    y = Buffer("y", "float32", (64000, 8))
    kernels = [kernel, reduction("narrow", narrow, y, "sum", (64000, 8), True, 512_000)]
    run = Run(kernels, [x, y, narrow, *outs.values()])
    got = run(x=a, y=a.reshape(64000, 8))
    assert got["max"] == 9 and got["argmax"] == 100007
    np.testing.assert_allclose(got["sum"], a.sum(dtype="f8"), rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(got["narrow"], a.reshape(-1, 8).sum(0, dtype="f8"), rtol=1e-4, atol=1e-3)
    one = Run(run.plan.steps, run.buffers, flags=())(x=a, y=a.reshape(64000, 8))
    for name in ("sum", "narrow"):
        np.testing.assert_array_equal(got[name], one[name])


def test_rows_of_scratch_memory_belong_to_one_thread():
    rows, n = 2048, 64
    x, e, s, t = (Buffer(name, "float32", shape) for name, shape in (
        ("x", (rows, n)), ("e", (rows, n)), ("s", (rows,)), ("t", (n,))))
    (o, r), (i, c), (j, k) = var("o", rows), var("i", n), var("j", n)
    first = Loop(e, (rows, n), lambda ops, ix: ops.exp(ops.load(x, x.at(ix))))
    second = Loop(s, (rows,), lambda ops, ix: ops.load(e, e.at(ix)), "reduce", (n,), "sum")
    third = Loop(t, (n,), lambda ops, ix: ops.div(ops.load(e, e.at((ix[1], ix[0]))), ops.load(s, s.at(ix[1:]))),
                 "reduce", (rows,), "sum")
    parts = [Part((i,), [Member(first, (r, c), keep=False), Member(second, (r, c), keep=False)]),
             Part((j,), [Member(third, (k, r), across=True)])]
    run = Run([Kernel("across", (o,), parts, parallel=1, work=10_000_000)], [x, t])
    data = RNG.standard_normal((rows, n)).astype("float32")
    assert run.source.text.index("share_totals") < run.source.text.index("e_row[")
    exact = np.exp(data.astype("float64"))
    want = (exact / exact.sum(1, keepdims=True)).sum(0)
    for _ in range(200):
        np.testing.assert_allclose(run(x=data)["t"], want, rtol=1e-5)


def test_long_sums_are_accurate():
    a = np.full(1 << 22, 0.1, "f")
    x, out, (v, i) = vector("x", "float32", len(a)), Buffer("out", "float32", ()), var("i", len(a))
    loop = Loop(out, (), lambda ops, ix: ops.load(x, ix[0]), "reduce", (len(a),), "sum")
    got = Run([Kernel("total", (), [Part((v,), [Member(loop, (i,))])])], [x, out])(x=a)
    np.testing.assert_allclose(got["out"], a.sum(dtype="f8"), rtol=2e-6)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("n", [3, 64, 1000, 9000])
def test_softmax_in_one_kernel(dtype, n):
    rows = 9
    x, out = Buffer("x", dtype, (rows, n)), Buffer("softmax", dtype, (rows, n))
    top, total = Buffer("amax", "float32", (rows,)), Buffer("total", "float32", (rows,))
    e = Buffer("exp", "float32", (rows, n))
    v, i = var("i", rows)
    (j0v, j0), (j1v, j1), (j2v, j2) = (var(f"j{k}", n) for k in range(3))
    peak = Loop(top, (rows,), lambda ops, ix: ops.load(x, x.at(ix)), "reduce", (n,), "max")
    power = pointwise(e, lambda ops, ix: ops.exp(ops.sub(ops.load(x, x.at(ix)), ops.load(top, top.at(ix[:1])))))
    add = Loop(total, (rows,), lambda ops, ix: ops.load(e, e.at(ix)), "reduce", (n,), "sum")
    share = pointwise(out, lambda ops, ix: ops.div(ops.load(e, e.at(ix)), ops.load(total, total.at(ix[:1]))))
    kernel = Kernel("softmax", (v,), [
        Part((j0v,), [Member(peak, (i, j0), False)]), Part((j1v,), [Member(power, (i, j1), False),
                                                                   Member(add, (i, j1), False)]),
        Part((j2v,), [Member(share, (i, j2))])], parallel=1, work=rows * n * 30)
    a = RNG.standard_normal((rows, n)).astype(dtype_of(dtype))
    got = Run([kernel], [x, out])(x=a)["softmax"].astype("f8")
    wide = np.exp(a.astype("f8"))
    np.testing.assert_allclose(got, wide / wide.sum(1, keepdims=True), rtol=1e-2 if dtype == "bfloat16" else 1e-6)


def test_scans_and_scatters():
    a = RNG.standard_normal((5, 40)).astype("f")
    whole = RNG.integers(-3, 3, (5, 40))
    x, y = Buffer("x", "float32", (5, 40)), Buffer("y", "int64", (5, 40))
    sums, products = Buffer("sums", "float32", (5, 40)), Buffer("products", "int64", (5, 40))
    (rv, r), (cv, c) = var("r", 5), var("c", 40)

    def scan(out, source, how, size, axis, index, outer, inner):
        loop = Loop(out, (45 - size,), lambda ops, ix: ops.load(
            source, source.at((ix[0], ix[1]) if axis else (ix[1], ix[0]))), "scan", (size,), how, axis=axis)
        return Kernel(out.name, (outer,), [Part((inner,), [Member(loop, index)])], sequential=True)

    table, places = Buffer("table", "float32", (6, 40)), Buffer("places", "int64", (5,))
    added, put = Buffer("added", "float32", (6, 40)), Buffer("put", "float32", (6, 40))

    def at(out):
        return lambda ops, ix: ops.indirect(ops.load(places, ix[0]), 6) * 40 + ix[1]

    loops = [Loop(added, (5, 40), lambda ops, ix: ops.load(x, x.at(ix)), "scatter", how="add", store=at(added)),
             Loop(put, (5, 40), lambda ops, ix: ops.load(x, x.at(ix)), "scatter", how="set", store=at(put), into=table)]
    kernels = [scan(sums, x, "sum", 40, 1, (r, c), rv, cv), scan(products, y, "prod", 5, 0, (c, r), cv, rv)]
    kernels += [Kernel(m.out.name, (rv,), [Part((cv,), [Member(m, (r, c))])], sequential=True) for m in loops]
    run = Run(kernels, [x, y, sums, products, table, places, added, put])
    assert Run is not helper.Run or "VECTOR" in run.source.text
    t, p = RNG.standard_normal((6, 40)).astype("f"), np.array([3, -1, 3, 0, 3])
    got = run(x=a, y=whole, table=t, places=p)
    np.testing.assert_allclose(got["sums"], a.cumsum(1), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(got["products"], whole.cumprod(0))
    want = np.zeros((6, 40), "f")
    np.add.at(want, p, a)
    np.testing.assert_allclose(got["added"], want, rtol=1e-6)
    want = t.copy()
    want[p] = a
    np.testing.assert_array_equal(got["put"], want)
    with pytest.raises(IndexError, match="added") as caught:
        run(x=a, y=whole, table=t, places=np.array([0, 6, 1, 2, -7]))
    assert caught.value.args[1:] in [(6, 6), (-7, 6)]


def test_scatters_add_in_every_type():
    types = ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
    n, places = 40, vector("places", "int64", 40)
    v, i = var("i", n)
    given = RNG.integers(0, 100, n)
    at, kernels, buffers, arrays = RNG.integers(0, 5, n), [], [places], {}
    for t in types:
        x, out = vector("x_" + t, t, n), vector("out_" + t, t, 5)
        loop = Loop(out, (n,), lambda ops, ix, x=x: ops.load(x, ix[0]), "scatter", how="add",
                    store=lambda ops, ix: ops.indirect(ops.load(places, ix[0]), 5))
        kernels.append(Kernel(out.name, (), [Part((v,), [Member(loop, (i,))])], sequential=True))
        buffers += [x, out]
        arrays[x.name] = (given > 90 if t == "bool" else given).astype(dtype_of(t))
    got = Run(kernels, buffers)(places=at, **arrays)
    for t in types:
        want = np.zeros(5, dtype_of(t))
        for k in range(n):
            np.add(want[at[k]:at[k] + 1], arrays["x_" + t][k:k + 1], want[at[k]:at[k] + 1])
        np.testing.assert_array_equal(got["out_" + t], want, t)


def test_gathers_and_masked_bodies():
    table, places = Buffer("table", "float32", (10, 33)), Buffer("places", "int64", (7,))
    out, padded = Buffer("out", "float32", (7, 33)), Buffer("padded", "float32", (12, 33))
    (rv, r), (cv, c) = var("r", 7), var("c", 33)
    (pv, p), (qv, q) = var("p", 12), var("q", 33)
    gather = pointwise(out, lambda ops, ix: ops.load(
        table, table.at((ops.indirect(ops.load(places, ix[0]), 10), ix[1]))))

    def inside(ops, ix):
        row = ops.index_value(ix[0], "int64")
        ok = ops.logical_and(ops.ge(row, ops.constant(1, "int64")), ops.lt(row, ops.constant(11, "int64")))
        two = ops.constant(2, "float32")
        return ops.masked(ok, lambda: ops.mul(ops.load(table, table.at((ix[0] - 1, ix[1]))), two), 7)

    run = Run([Kernel("gather", (rv,), [Part((cv,), [Member(gather, (r, c))])], parallel=1),
               Kernel("pad", (pv, qv), [Part((), [Member(pointwise(padded, inside), (p, q))])], parallel=2)],
              [table, places, out, padded])
    t, i = RNG.standard_normal((10, 33)).astype("f"), np.array([0, 9, -1, -10, 3, 3, 5])
    got = run(table=t, places=i)
    np.testing.assert_array_equal(got["out"], t[i])
    np.testing.assert_array_equal(got["padded"], np.pad(t * 2, ((1, 1), (0, 0)), constant_values=7))
    with pytest.raises(IndexError):
        run(table=t, places=np.array([0, 9, 10, 0, 0, 0, 0]))


def adam(p, g, m, out_p, out_m, n, name):
    v, i = var("i", n)

    def moment(ops, ix):
        return ops.add(ops.mul(ops.load(m, ix[0]), ops.scalar(0, "float32")), ops.load(g, ix[0]))

    def step(ops, ix):
        return ops.sub(ops.load(p, ix[0]), ops.mul(ops.load(out_m, ix[0]), ops.scalar(1, "float32")))

    members = [Member(pointwise(out_m, moment), (i,)), Member(pointwise(out_p, step), (i,))]
    return Kernel(name, (v,), [Part((), members)], parallel=1)


def adams(sizes):
    """Kernels of several sizes that write in place, their buffers, what shares memory, arrays, what they become."""
    kernels, buffers, same, arrays, want = [], [], {}, {}, {}
    for k, n in enumerate(sizes):
        p, g, m = (vector(f"{name}_{k}", "float32", n) for name in "pgm")
        new_p, new_m = vector(f"new_p_{k}", "float32", n), vector(f"new_m_{k}", "float32", n)
        kernels.append(adam(p, g, m, new_p, new_m, n, f"adam_{k}"))
        buffers += [p, g, m, new_p, new_m]
        same |= {new_p: p, new_m: m}
        for b in (p, g, m):
            arrays[b.name] = RNG.standard_normal(n).astype("f")
        want[m.name] = arrays[m.name] * np.float32(0.9) + arrays[g.name]
        want[p.name] = arrays[p.name] - want[m.name] * np.float32(0.1)
    return kernels, buffers, same, arrays, want


def test_equal_kernels_are_printed_once_and_run_in_place():
    kernels, buffers, same, arrays, want = adams((3, 100, 1000))
    run = Run(kernels, buffers, same=same)
    assert run.source.text.count("KERNEL") == 1
    got = run(scalars=(0.9, 0.1), **arrays)
    for name, value in want.items():
        np.testing.assert_allclose(got[name], value, rtol=1e-6, atol=1e-6)


def test_symbolic_sizes():
    s = lift(Var("s0"))
    x, out = Buffer("x", "float32", (s, 20)), Buffer("out", "float32", (s, 20))
    total = Buffer("total", "float32", (20,))
    (rv, r), (cv, c) = var("r", s), var("c", 20)
    double = pointwise(out, lambda ops, ix: ops.mul(ops.load(x, x.at(ix)), ops.index_value(s, "float32")))
    add = Loop(total, (20,), lambda ops, ix: ops.load(x, x.at((ix[1], ix[0]))), "reduce", (s,), "sum")
    run = Run([Kernel("twice", (rv, cv), [Part((), [Member(double, (r, c))])], parallel=2, work=s * 20),
               Kernel("add", (), [Part((cv,), [Member(add, (c, r))])], columns=(rv,), work=s * 20)],
              [x, out, total], symbols={"s0": (0, 0)})
    for n in (3, 7000):
        a = RNG.standard_normal((n, 20)).astype("f")
        got = run((n,), x=a)
        np.testing.assert_array_equal(got["out"], a * np.float32(n))
        np.testing.assert_allclose(got["total"], a.sum(0, dtype="f8"), rtol=1e-4, atol=1e-3)


def test_divisions_of_indices_round_down():
    out, s = Buffer("out", "int64", (10,)), lift(Var("s0"))
    loop = Loop(out, (10,), lambda ops, ix: ops.add(
        ops.index_value((ix[0] - 5) // 3 + (1 - s) // 2), ops.index_value((ix[0] - s) % 4 * 100 + ix[0] // 3)))
    v, i = var("i", 10)
    run = Run([Kernel("k", (v,), [Part((), [Member(loop, (i,))])], parallel=1)], [out], {"s0": (0, 0)})
    assert " / 3" in run.source.text
    for size in (2, 7):
        want = [(k - 5) // 3 + (1 - size) // 2 + (k - size) % 4 * 100 + k // 3 for k in range(10)]
        assert run((size,))["out"].tolist() == want


def test_views_read_with_divisions():
    x, out = Buffer("x", "float32", (6, 8)), Buffer("out", "float32", (3, 16))
    (rv, r), (cv, c) = var("r", 3), var("c", 16)
    flat = pointwise(out, lambda ops, ix: ops.load(x, x.at(((ix[0] * 16 + ix[1]) % 6, (ix[0] * 16 + ix[1]) // 6))))
    a = RNG.standard_normal((6, 8)).astype("f")
    got = Run([Kernel("turn", (rv, cv), [Part((), [Member(flat, (r, c))])], parallel=2)], [x, out])(x=a)
    np.testing.assert_array_equal(got["out"].ravel(), a.T.ravel())


@pytest.mark.parametrize(("dtype", "width", "around"), [
    ("float32", 32, True), ("float64", 8, True), ("bfloat16", 32, True), ("bool", 64, True), ("float32", 20, False)])
def test_large_rows_go_around_the_cache(monkeypatch, dtype, width, around):
    monkeypatch.setattr(loops, "STREAMED", 1)
    x, total = Buffer("x", dtype, (6, width)), Buffer("total", "float32", (6,))
    out, seen, more = (Buffer(name, dtype, (6, width)) for name in ("out", "seen", "more"))
    (row, r), (column, c) = var("r", 6), var("c", width)
    double = lambda ops, i: ops.to(ops.add(*[ops.to(ops.load(x, x.at(i)), "float32")] * 2), dtype)  # noqa: E731
    half = lambda ops, i: ops.load(seen, seen.at((i[0], width - 1 - i[1])))  # noqa: E731
    parts = [Part((column,), [
        Member(Loop(total, (6,), lambda ops, i: ops.to(ops.load(x, x.at(i)), "float32"), kind="reduce", how="sum",
                    reduced=(width,)), (r, c)),
        Member(pointwise(out, double), (r, c)), Member(pointwise(seen, double), (r, c))]),
        Part((column,), [Member(pointwise(more, half), (r, c))])]
    run = Run([Kernel("k", (row,), parts, parallel=1, work=100_000)], [x, total, out, seen, more])
    assert ("stream(&out[" in run.source.text) is around and "stream(&seen[" not in run.source.text
    for offset in (0, 1):  # memory that no vector store would take
        a = RNG.integers(0, 9, (6, width)).astype(dtype_of(dtype))
        memory = np.zeros(6 * width + 64, dtype_of(dtype))
        start = -memory.ctypes.data % 64 // memory.itemsize + offset
        got = run(x=a, out=memory[start:start + 6 * width].reshape(6, width))
        want = (2 * a.astype("f")).astype(a.dtype)
        assert np.array_equal(got["out"], want) and np.array_equal(got["more"], want[:, ::-1])
        assert np.array_equal(got["total"], a.astype("f").sum(1)) and not memory[start + 6 * width:].any()
