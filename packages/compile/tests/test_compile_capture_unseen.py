"""Sizes that Python code looks at in ways that are no comparison: the results are those of uncompiled calls."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest

from lamella import torch
from lamella.dispatch.config import settings

pytestmark = pytest.mark.usefixtures("fresh")

T = {4: 2.0, 8: 3.0, 16: 4.0, 50: 5.0}
ROW = [1.0] * 16 + [2.0] + [1.0] * 60
SIZES = (40, 41, 30, 16, 8, 50, 51, 32, 17, 64, 3)


def pick(condition):
    """A function that depends on its size in one bit that code computes in some way."""
    return lambda x: x * 3 if condition(x.shape[0]) else x + 1


LOOKS = {
    "dict": lambda n: n in T, "get": lambda n: T.get(n) is not None, "set": lambda n: n in {16, 50},
    "and": lambda n: n & (n - 1) == 0, "or": lambda n: n | 1 == 17, "xor": lambda n: n ^ 16 == 0,
    "right shift": lambda n: n >> 4 == 1, "left shift": lambda n: n << 1 == 32, "invert": lambda n: ~n == -17,
    "shifted": lambda n: 1 << n == 1 << 16, "shifted right": lambda n: (1 << 17) >> n == 2,
    "int": lambda n: int(n) == 16, "float": lambda n: float(n) == 16.0, "str": lambda n: str(n) == "16",
    "format": lambda n: f"{n}" == "16", "repr": lambda n: repr(n) == "16", "power": lambda n: n**2 == 256,
    "exponent": lambda n: 2**n == 65536, "pow": lambda n: pow(n, 1, 7) == 2, "divmod": lambda n: divmod(n, 8) == (2, 0),
    "divided": lambda n: divmod(256, n) == (16, 0), "abs": lambda n: abs(n) == 16, "positive": lambda n: +n == 16,
    "round": lambda n: round(n) == 16, "trunc": lambda n: math.trunc(n) == 16, "floor": lambda n: math.floor(n) == 16,
    "ceil": lambda n: math.ceil(n) == 16, "log2": lambda n: math.log2(n) == 4.0, "sqrt": lambda n: math.sqrt(n) == 4.0,
    "isqrt": lambda n: math.isqrt(n) == 4, "gcd": lambda n: math.gcd(n, 16) == 16,
    "bits": lambda n: n.bit_length() == 5,
    "count": lambda n: n.bit_count() == 1, "bytes": lambda n: n.to_bytes(2, "big") == b"\0\x10",
    "real": lambda n: n.real == 16,
    "numerator": lambda n: n.numerator == 16, "ratio": lambda n: n.as_integer_ratio() == (16, 1),
    "bin": lambda n: bin(n) == "0b10000", "hex": lambda n: hex(n) == "0x10", "remainder": lambda n: n % 16 == 0,
    "bool operand": lambda n: n + True == 17, "float compares": lambda n: n > 15.5 and n < 16.5 and n == 16.0,
    "not equal": lambda n: n != 15.5 and n != 17.0 and 0 <= n - 16 < 0.5, "product": lambda n: n * 0.5 == 8.0,
    "sum": lambda n: n + 0.5 == 16.5, "quotient": lambda n: n / 2 == 8, "half": lambda n: math.log2(n / 2) == 3.0,
    "list": lambda n: ROW[n] == 2.0, "getitem": lambda n: operator.getitem(ROW, n) == 2.0,
    "index": lambda n: operator.index(n) == 16, "numpy": lambda n: np.log2(n) == 4.0,
    "numpy operand": lambda n: n * np.int64(2) == 32, "complex": lambda n: n * 1j == 16j,
    "repeated": lambda n: "ab" * n == "ab" * 16, "conjugate": lambda n: n.conjugate() == 16,
    "comparison as number": lambda n: (n == 16) + 1 == 2, "hash": lambda n: hash(n) == 16,
    "tuple": lambda n: (n, 1) in {(16, 1)},
    "above": lambda n: n > 16 and n <= 17, "min": lambda n: min(n, 17) == max(n, 15),
    "range": lambda n: len(range(n)) == 16, "list of numbers": lambda n: len([0 for _ in range(1, n)]) == 15,
    "chained": lambda n: (n >> 1) + (n >> 2) == 12,
}


def check(fn, calls, **kwargs):
    fast = torch.compile(fn, backend="eager", **kwargs)
    with settings.using(compile_limit=60):
        for args in calls:
            a, b = fn(*args), fast(*args)
            assert str(a) == str(b), [list(t.shape) for t in args if isinstance(t, torch.Tensor)]
    return fast.compiled


@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("name", LOOKS)
def test_looks_at_a_size(name, dynamic):
    found = check(pick(LOOKS[name]), [(torch.ones(n, 3),) for n in SIZES], dynamic=dynamic)
    assert not found.breaks


@pytest.mark.parametrize("name", ["dict", "and", "int", "log2", "list", "power", "product", "above", "min"])
def test_looks_at_a_whole_number(name):
    condition, x = LOOKS[name], torch.ones(3)
    check(lambda x, n: x * 3 if condition(n) else x + n, [(x, n) for n in SIZES])


def test_looks_at_two_sizes():
    calls = [(torch.ones(n, m),) for n, m in
             ((40, 30), (41, 31), (20, 30), (16, 8), (30, 16), (16, 16), (41, 16), (16, 31), (8, 16), (30, 31))]
    for fn in (lambda x: x * 3 if (x.shape[0], x.shape[1]) in {(16, 16): 1} else x + 1,
               lambda x: x * 3 if x.shape[0] ^ x.shape[1] == 24 else x + 1):
        check(fn, calls)
        check(fn, calls, dynamic=True)


@pytest.mark.parametrize("fn", [
    lambda x: x.shape, lambda x: list(x.shape), lambda x: int(x.shape[0]), lambda x: (x + 1, float(x.shape[0])),
    lambda x: {"n": str(x.shape[0])}, lambda x: {x.shape[0]}, lambda x: T.get(x.shape[0], 0), lambda x: x.numel() >> 1,
    lambda x: x.shape[0] * 0.5, lambda x: (x.size(), x.shape[:1], x.shape.numel()), lambda x: x.stride(),
    lambda x: x.t().stride(1), lambda x: x.nbytes, lambda x: x[1:].storage_offset(), lambda x: range(x.shape[0]),
    lambda x: slice(0, x.shape[0]), lambda x: (x.shape[0] > 16, x.shape[0] == 16), lambda x: x.shape[0] / 2,
    lambda x: torch.numel(x), lambda x: torch.tensor([x.shape[0]]), lambda x: torch.tensor(ROW[x.shape[0]]),
    lambda x: [1] * (x.shape[0] // 8), lambda x: torch.full((2,), ROW[x.shape[0]]), lambda x: x.shape[0] // 7,
])
def test_results_that_are_numbers(fn):
    calls = [(torch.ones(n, 3),) for n in SIZES]
    check(fn, calls)
    check(fn, calls, dynamic=True)


@pytest.mark.parametrize("condition", [
    lambda x: x.stride(1) == 1 and x.t().stride()[0] == 1 and x.numel() == 48, lambda x: x.nbytes == 192,
    lambda x: x.t().contiguous().stride(0) == 16, lambda x: x[:, 1:].t().contiguous().stride() == (16, 1),
    lambda x: x.t().contiguous()[1:].storage_offset() == 16, lambda x: x.shape == (16, 3), lambda x: len(x) == 16,
])
def test_looks_at_what_follows_from_a_size(condition):
    calls = [(torch.ones(n, 3),) for n in SIZES]
    check(lambda x: x * 3 if condition(x) else x + 1, calls)
    check(lambda x: x * 3 if condition(x) else x + 1, calls, dynamic=True)


def test_programs_that_look_at_sizes_are_used_again():
    fast = torch.compile(lambda x: x * 3 if x.shape[0] in T else x + 1, backend="eager")
    for n in (40, 41, 30, 20, 30, 20, 41, 33):
        fast(torch.ones(n, 3))
    assert fast.compiled.compiled == 2


def test_errors_that_code_catches():
    def fn(x):
        try:
            return x.view(4, -1) * 3
        except RuntimeError:
            return x + 1

    for dynamic in (None, True):
        check(fn, [(torch.ones(n),) for n in (41, 42, 43, 44, 45, 46, 40, 9, 8)], dynamic=dynamic)


@pytest.mark.parametrize("fn", [
    lambda x, f: x * (f * 1j), lambda x, f: x * abs((f - 3.0) ** 0.5), lambda x, f: x * divmod(f, 2.0)[1],
    lambda x, f: x * f.as_integer_ratio()[0], lambda x, f: x if f.hex() == (2.5).hex() else x + 1,
    lambda x, f: x * (1j * f),
])
def test_numbers_that_are_taken_apart(fn):
    check(fn, [(torch.ones(2), f) for f in (0.5, 0.25, 2.5, 4.5, 0.125, 3.5)])


def apart(x):
    return x.new_zeros(x.shape[0] - x.shape[1], 3)


@pytest.mark.parametrize("fn", [
    lambda x: apart(x).squeeze(), lambda x: apart(x).squeeze(0), lambda x: apart(x)[None].squeeze((0, 1)),
    lambda x: apart(x).squeeze_(), lambda x: torch.atleast_2d(apart(x).squeeze(0)),
    lambda x: apart(x) + torch.ones(1, 3),
])
def test_dimensions_of_size_one(fn):
    """Where the difference of two sizes is 1, in the middle of all that were seen."""
    calls = [(torch.ones(n, m),) for n, m in ((22, 10), (20, 12), (30, 20), (16, 3), (19, 9), (15, 14), (12, 11))]
    check(fn, calls)
    check(fn, calls, dynamic=True)


@pytest.mark.parametrize("fn", [lambda x: apart(x).amax(0), lambda x: apart(x).argmin(0)])
def test_nothing_has_no_maximum(fn):
    fast = torch.compile(fn)
    for n, m in ((22, 10), (20, 12), (30, 20), (19, 9)):
        fast(torch.ones(n, m))
    with pytest.raises((RuntimeError, IndexError)):
        fn(torch.ones(15, 15))
    with pytest.raises((RuntimeError, IndexError)):
        fast(torch.ones(15, 15))
