"""Which type a result has, and that its values are NumPy's once the operands are converted to that type.

Torch's rule, stated anew. Types have categories: bool, integer, floating, complex. Two types have a common type: the
wider of the two in the higher category; where both are integers of different signedness uint8 gives way to signed
types, and the wider unsigned types have no common type with them. Operands have ranks: tensors with dimensions, tensors
without, Python numbers. The highest rank's common type is the result's, unless a lower rank has a higher category.
Torch refuses uint16, uint32 and uint64 with bools, complex numbers and other unsigned types; the rule has an answer.
"""

import operator
import warnings

import numpy as np
import pytest
from hypothesis import assume, strategies as st
from property_kit import (
    BITS,
    BOOL,
    CATEGORY,
    COMPLEX,
    DTYPES,
    FLOATING,
    INTEGER,
    UNSIGNED,
    array,
    broadcastable,
    dtype_name,
    np_dtype,
    same,
    seeds,
    shapes,
    tensor,
    values,
)

WIDE = UNSIGNED[1:]
COMPLEX_OF = {"float16": None, "bfloat16": "complex64", "float32": "complex64", "float64": "complex128"}  # no complex32
NUMBERS = {bool: "bool", int: "int64", float: "float32", complex: "complex64"}


def common(a, b):
    """The common type of two, or None."""
    if CATEGORY[a] < CATEGORY[b]:
        a, b = b, a
    if a == b:
        return a
    if a in COMPLEX:
        return "complex128" if "complex128" in (a, b) or b == "float64" else "complex64"
    if CATEGORY[a] > CATEGORY[b]:
        return a
    if a in FLOATING:
        return "float32" if BITS[a] == BITS[b] else max(a, b, key=BITS.get)
    if (a in UNSIGNED) == (b in UNSIGNED):
        return max(a, b, key=BITS.get)
    unsigned, signed = (a, b) if a in UNSIGNED else (b, a)
    return None if unsigned != "uint8" else "int16" if signed == "int8" else signed


def result(*operands):
    """The type of a result, from operands given as (rank, type): 0 with dimensions, 1 without, 2 numbers."""
    ranks = []
    for rank in range(3):
        found = None
        for r, d in operands:
            if r == rank:
                found = d if found is None else found and common(found, d)
                if found is None:
                    return None
        ranks.append(found)
    out = None
    for d in ranks:
        if out is None:
            out = d
        elif d is not None and CATEGORY[d] > CATEGORY[out]:
            # a floating tensor meets complex numbers: its own precision, made complex
            out = COMPLEX_OF[out] if d in COMPLEX and out in FLOATING else d
            if out is None:
                return None
    return out


def torch_refuses(run, a, b):
    """Whether this is torch and the pair one of those that it alone refuses."""
    return run.is_torch and a != b and any(x in WIDE and y in [*BOOL, *UNSIGNED, *COMPLEX] for x, y in ((a, b), (b, a)))


# ---------------------------------------------------------------- every pair


def test_all_pairs_of_types(run):
    lib = run.lib
    for a in DTYPES:
        for b in DTYPES:
            expected = common(a, b)
            da, db = getattr(lib, a), getattr(lib, b)
            if expected is None or torch_refuses(run, a, b):
                with pytest.raises(RuntimeError):
                    lib.promote_types(da, db)
                continue
            assert lib.promote_types(da, db) is getattr(lib, expected), (a, b)
            assert lib.can_cast(da, db) == (CATEGORY[a] <= CATEGORY[b]), (a, b)


def test_all_pairs_of_types_in_all_ranks(run):
    lib = run.lib
    makes = {0: lambda d: lib.ones(2, dtype=getattr(lib, d)), 1: lambda d: lib.ones((), dtype=getattr(lib, d))}
    for a in DTYPES:
        for ra in makes:
            x = makes[ra](a)
            for b in DTYPES:
                for rb in makes:
                    expected = result((ra, a), (rb, b))
                    if expected is not None and not torch_refuses(run, a, b):
                        y = makes[rb](b)
                        assert lib.result_type(x, y) is getattr(lib, expected), (a, ra, b, rb)
                        if not (run.is_torch and "uint" in expected):  # it has kernels for few of them
                            assert (x * y).dtype is getattr(lib, expected), (a, ra, b, rb)
            for number in (True, 1, 1.0, 1j):
                expected = result((ra, a), (2, NUMBERS[type(number)]))
                if expected is not None and not (a in WIDE and (run.is_torch or isinstance(number, complex))):
                    for got in (lib.result_type(x, number), (x * number).dtype, (number * x).dtype):
                        assert got is getattr(lib, expected), (a, ra, number)


# ---------------------------------------------------------------- values

ARITHMETIC = {  # name: NumPy's function of operands in the result's type, categories
    "add": (np.add, DTYPES),
    "sub": (np.subtract, [d for d in DTYPES if d != "bool"]),
    "mul": (np.multiply, DTYPES),
    "maximum": (np.maximum, [d for d in DTYPES if d not in COMPLEX]),
    "minimum": (np.minimum, [d for d in DTYPES if d not in COMPLEX]),
    "bitwise_and": (np.bitwise_and, ["bool", *INTEGER]),
    "bitwise_or": (np.bitwise_or, ["bool", *INTEGER]),
    "bitwise_xor": (np.bitwise_xor, ["bool", *INTEGER]),
    "eq": (np.equal, DTYPES),
    "ne": (np.not_equal, DTYPES),
    "lt": (np.less, [d for d in DTYPES if d not in COMPLEX]),
    "ge": (np.greater_equal, [d for d in DTYPES if d not in COMPLEX]),
}


@st.composite
def operand(draw, shape, numbers=True):
    """(rank, type, array or number)."""
    rank = draw(st.sampled_from([0, 0, 0, 1, 1, 2] if numbers else [0, 0, 1]))
    if rank == 2:
        number = draw(st.sampled_from([True, False, 0, 1, 3, 100, 0.0, 0.25, 0.1, -2.928, 1e3, 1j, 2 - 0.5j]))
        return 2, NUMBERS[type(number)], number
    dtype = draw(st.sampled_from(DTYPES))
    size = shape if rank == 0 else ()
    return (0 if size else 1), dtype, array(size, dtype, draw(seeds))


def calls(draw_shapes):
    return st.tuples(st.sampled_from(sorted(ARITHMETIC)), draw_shapes).flatmap(
        lambda t: st.tuples(st.just(t[0]), operand(t[1][0]), operand(t[1][1])))


def given_to(lib, x):
    return x if isinstance(x, (bool, int, float, complex)) else tensor(lib, x)


def convert(x, dtype):
    with np.errstate(all="ignore"):
        return np.asarray(x).astype(np_dtype(dtype))


def call(run, fn):
    """The call's result; torch itself lacks some operators for the wide unsigned types."""
    try:
        return fn()
    except (RuntimeError, NotImplementedError) as e:
        if run.is_torch and any(x in str(e) for x in ("not implemented for", "Promotion for uint16, uint32, uint64")):
            assume(False)
        raise


def fits(x, dtype):
    """Whether a number is one of the type's; torch and NumPy refuse others, each in its way."""
    return not isinstance(x, int) or dtype not in INTEGER or x <= np.iinfo(dtype).max


def computed(fn, a, b, dtype, exact=False):
    """NumPy's answer for operands that are converted to the result's type.

    Results of 16 bits are computed in float32 and rounded once. Where `exact`, a number or a second operand of one
    element then keeps what precision it has.
    """
    x, y = convert(a[2], dtype), convert(b[2], dtype)
    with np.errstate(all="ignore"):
        if dtype not in ("float16", "bfloat16"):
            return fn(x, y)
        x, y = x.astype(np.float32), y.astype(np.float32)
        if exact and a[0] == 2:
            x = convert(a[2], "float32")
        elif exact and y.size == 1:
            y = convert(b[2], "float32")
        r = fn(x, y)
        return r if r.dtype == bool else np.asarray(r).astype(np_dtype(dtype))


def check_call(run, name, a, b):
    lib = run.lib
    fn, types = ARITHMETIC[name]
    assume(a[0] < 2 or b[0] < 2)
    if a[0] == 2:
        assume(name not in ("maximum", "minimum", "eq", "ne", "lt", "ge") and (b[0] < 2))
        assume(name != "sub")
    assume(not (b[0] == 2 and name in ("maximum", "minimum")))  # these want tensors
    expected = result(a[:2], b[:2])
    if expected is None:
        assume(not (a[0] + b[0] and {"float16"} & {a[1], b[1]}))  # complex32
        with pytest.raises(RuntimeError):
            getattr(lib, name)(given_to(lib, a[2]), given_to(lib, b[2]))
        return
    assume(expected in types and not (name == "sub" and "bool" in (a[1], b[1])))
    assume(fits(a[2], expected) and fits(b[2], expected))
    ordered = {"add": operator.add, "mul": operator.mul, "bitwise_and": operator.and_, "bitwise_or": operator.or_,
               "bitwise_xor": operator.xor}
    use = ordered[name] if a[0] == 2 else getattr(lib, name)
    out = call(run, lambda: use(given_to(lib, a[2]), given_to(lib, b[2])))
    want = computed(fn, a, b, expected, exact=name == "mul")
    close = 1e-6 if expected in COMPLEX and name in ("mul", "add", "sub") else 0.0
    same(out, want, (name, a, b), rtol=close, atol=close)


def test_arithmetic(run):
    run(lambda c: check_call(run, *c), calls(broadcastable(2, 3)), quick=35, full=1650)


def test_true_division(run):
    def check(shape, a, b):
        expected = result(a[:2], b[:2])
        assume(expected is not None and (a[0] < 2 or b[0] < 2))
        expected = expected if CATEGORY[expected] >= 2 else "float32"
        assume(fits(a[2], expected) and fits(b[2], expected) and expected not in COMPLEX)
        out = call(run, lambda: given_to(run.lib, a[2]) / given_to(run.lib, b[2]))
        assume(not (a[0] == 2 and expected in ("float16", "bfloat16")))  # torch multiplies by the rounded reciprocal
        want = computed(np.divide, a, b, expected, exact=True)
        same(out, want, (a, b), rtol=2e-7 if expected not in ("float16", "bfloat16") else 0)

    strategy = shapes(2).flatmap(lambda s: st.tuples(st.just(s), operand(s), operand(s)))
    run(lambda t: check(*t), strategy, quick=15, full=450)


def test_integer_division_and_remainder(run):
    def check(name, rounding, da, db, seed):
        assume(common(da, db) is not None)
        d = common(da, db)
        a, b = array((3, 4), da, seed), array((4,), db, seed + 1)
        b = np.where(b == 0, np.ones_like(b), b)
        assume(not (np.any(b.astype(object) == -1) and np.any(a.astype(object) == np.iinfo(d).min)))
        x, y = convert(a, d), convert(b, d)
        assume(np.all(y.astype(object) != 0))
        lib = run.lib
        if name == "remainder":
            same(call(run, lambda: lib.remainder(tensor(lib, a), tensor(lib, b))), np.remainder(x, y), (da, db))
        elif name == "fmod":
            same(call(run, lambda: lib.fmod(tensor(lib, a), tensor(lib, b))), np.fmod(x, y), (da, db))
        else:
            out = call(run, lambda: lib.div(tensor(lib, a), tensor(lib, b), rounding_mode=rounding))
            floor = np.floor_divide(x, y)
            exact = floor * y == x
            trunc = np.where(~exact & ((x < 0) != (y < 0)), floor + np.ones_like(floor), floor)
            same(out, floor if rounding == "floor" else trunc.astype(x.dtype), (da, db, rounding))

    run(check, st.sampled_from(["div", "div", "remainder", "fmod"]), st.sampled_from(["floor", "trunc"]),
        st.sampled_from(INTEGER), st.sampled_from(INTEGER), seeds, quick=15, full=400)


def test_in_place_keeps_the_type_or_refuses(run):
    def check(name, shape, da, db, seed):
        lib = run.lib
        d = common(da, db)
        fn, types = ARITHMETIC[name]
        assume(d is not None and d in types and not (name == "sub" and "bool" in (da, db)))
        a, b = array(shape, da, seed, special=0.0), array(shape, db, seed + 1, special=0.0)
        t, u = tensor(lib, a), tensor(lib, b)
        if not shape:
            d = da if CATEGORY[da] >= CATEGORY[db] else db
            d = common(da, db)
        if CATEGORY[d] > CATEGORY[da]:
            with pytest.raises(RuntimeError):
                call(run, lambda: getattr(t, name + "_")(u))
            same(t, a, "an error changes nothing")
            return
        out = call(run, lambda: getattr(t, name + "_")(u))
        assert out is t
        want = fn(convert(a, d), convert(b, d))
        assume(not (da in UNSIGNED and np.any(want.astype(object) < 0)) or d == da)
        same(t, convert(want, da), (name, da, db), rtol=1e-6 if da in COMPLEX else 0)

    run(check, st.sampled_from(["add", "sub", "mul", "bitwise_and", "bitwise_xor"]), shapes(3), st.sampled_from(DTYPES),
        st.sampled_from(DTYPES), seeds, quick=15, full=550)


def test_where_and_stacking_promote(run):
    def check(shape, da, db, seed):
        lib = run.lib
        d = common(da, db)
        a, b, c = array(shape, da, seed), array(shape, db, seed + 1), array(shape, "bool", seed + 2)
        t, u = tensor(lib, a), tensor(lib, b)
        if d is None:
            with pytest.raises(RuntimeError):
                lib.where(tensor(lib, c), t, u)
            return
        x, y = convert(a, d), convert(b, d)
        same(call(run, lambda: lib.where(tensor(lib, c), t, u)), np.where(c, x, y), (da, db))
        same(call(run, lambda: lib.stack([t, u])), np.stack([x, y]), (da, db))
        if shape:
            same(call(run, lambda: lib.cat([t, u])), np.concatenate([x, y]), (da, db))

    run(check, shapes(3), st.sampled_from(DTYPES), st.sampled_from(DTYPES), seeds, quick=15, full=400)


def test_conversion(run):
    def check(shape, da, db, seed):
        lib = run.lib
        a = array(shape, da, seed, special=0.0)
        if da in FLOATING + COMPLEX and db in INTEGER:
            real = a.astype(np.float64 if da in FLOATING else np.complex128).real
            a = np.asarray(np.trunc(real)).astype(np_dtype(da))
            assume(not (db in UNSIGNED and np.any(a.real < 0)))
        if da in COMPLEX and db not in COMPLEX and not run.is_torch:
            assume(db != "bool")
        elif da in COMPLEX:
            assume(db in COMPLEX)
        x = a.real if da in COMPLEX and db not in COMPLEX else a
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = tensor(lib, a).to(getattr(lib, db))
        assert dtype_name(out) == db
        np.testing.assert_array_equal(values(out), convert(x, db))

    run(check, shapes(3), st.sampled_from(DTYPES), st.sampled_from(DTYPES), seeds, quick=15, full=400)
