"""Thousands of random einops patterns on lamella's tensors, compared with NumPy; gradients with reversed patterns.

A pattern is drawn with its tensor: axes with sizes, groups on both sides, an ellipsis at times, axes of size 1 written
as `1` or `()`. What einops makes of the NumPy array is the answer for the values. The gradient of a linear operation
needs no derivative code to check: the gradient of a rearrangement is the reversed rearrangement, that of a
repetition the reversed sum, that of a sum the reversed repetition.
"""

import math
import random

import numpy as np
import pytest

pytest.importorskip("einops")

from einops import einsum, rearrange, reduce, repeat

from lamella import torch

DTYPES = ["float32", "float64", "int64", "int32", "uint8", "bool", "complex64", "float16"]


class Draw:
    """Random patterns; the same for the same seed."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.g = np.random.default_rng(seed)

    def axes(self, most=5, least=0, smallest=1):
        names = self.r.sample(["a", "b", "c1", "h_w", "Len", "x", "y", "batch"], self.r.randint(least, most))
        return {n: self.r.choice([smallest, 1, 2, 2, 3, 4]) for n in names}

    def array(self, shape, dtype):
        a = self.g.integers(-9, 10, shape)
        if dtype == "complex64":
            a = a + 1j * self.g.integers(-9, 10, shape)
        return np.asarray(a % 2 if dtype == "bool" else a).astype(dtype)

    def grouped(self, names, dots=()):
        """The names in this order, some of them in parentheses, `dots` written as an ellipsis: text, groups."""
        left = list(names)
        groups = []
        while left:
            n = self.r.choice([1, 1, 1, 2, 3])
            groups.append(left[:n])
            left = left[n:]
        words = []
        for group in groups:
            inside = []
            for name in group:
                if name in dots:
                    inside += ["..."] if name == dots[0] else []
                else:
                    inside.append(name)
            bracket = len(group) > 1 and "..." not in inside
            words.append(f"({' '.join(inside)})" if bracket else " ".join(inside))
            if self.r.random() < 0.1:
                words.append(self.r.choice(["1", "()"]))
                groups.append([])
        return " ".join(w for w in words if w)

    def side(self, names, sizes, dots=()):
        """A side of a pattern, and the shape of a tensor that matches it."""
        text = self.grouped(names, dots)
        shape = []
        for word in words_of(text):
            if word == "...":
                shape += [sizes[n] for n in dots]
            elif word in ("1", "()"):
                shape.append(1)
            else:
                shape.append(math.prod(sizes[n] for n in word.strip("()").split()))
        return text, tuple(shape)

    def dots(self, names):
        """A run of neighbours that an ellipsis stands for, or none."""
        if not names or self.r.random() < 0.6:
            return ()
        start = self.r.randrange(len(names))
        return tuple(names[start:start + self.r.randint(1, 2)])

    def shuffled(self, names, dots=()):
        """The names in another order; those of the ellipsis stay together."""
        units = [n for n in names if n not in dots[1:]]
        self.r.shuffle(units)
        return [m for n in units for m in (dots if dots and n == dots[0] else (n,))]


def words_of(text):
    words, depth = [], 0
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            words.append("(")
            depth = 1
        elif word == ")":
            words[-1] = words[-1].rstrip() + ")"
            depth = 0
        elif depth:
            words[-1] += word + " "
        else:
            words.append(word)
    return words


def tensor_of(draw, a):
    """A tensor with the array's values: as it is, or over memory in another order."""
    if a.ndim > 1 and draw.r.random() < 0.3:
        order = list(range(a.ndim))
        draw.r.shuffle(order)
        there = np.ascontiguousarray(a.transpose(order))
        return torch.from_numpy(there).permute([order.index(i) for i in range(a.ndim)])
    return torch.from_numpy(a.copy())


def check(t, expected, label):
    assert tuple(t.shape) == expected.shape, label
    got = t.detach().numpy()
    assert got.dtype == expected.dtype, label
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6, err_msg=str(label))


def gradient(fn, x, w):
    """The gradient of sum(fn(x) * w)."""
    x = x.detach().clone().requires_grad_(True)
    y = fn(x)
    (y * torch.from_numpy(np.ascontiguousarray(w))).sum().backward()
    return x.grad.numpy()


@pytest.mark.parametrize("seed", range(4))
def test_rearrange(seed):
    draw = Draw(seed)
    for _ in range(400):
        sizes = draw.axes(smallest=draw.r.choice([0, 1, 1, 1]))
        names = list(sizes)
        dots = draw.dots(names)
        left, shape = draw.side(names, sizes, dots)
        right, _ = draw.side(draw.shuffled(names, dots), sizes, dots)
        given = {n: s for n, s in sizes.items() if n not in dots}
        a = draw.array(shape, draw.r.choice(DTYPES))
        pattern = f"{left} -> {right}"
        expected = rearrange(a, pattern, **given)
        check(rearrange(tensor_of(draw, a), pattern, **given), expected, (pattern, shape))
        if "..." not in pattern and a.dtype == np.float64:
            w = draw.g.standard_normal(expected.shape)
            g = gradient(lambda x, p=pattern, s=given: rearrange(x, p, **s), torch.from_numpy(a), w)
            np.testing.assert_array_equal(g, rearrange(w, f"{right} -> {left}", **given), str((pattern, shape)))


@pytest.mark.parametrize("seed", range(4))
def test_reduce(seed):
    draw = Draw(100 + seed)
    for _ in range(300):
        sizes = draw.axes()
        names = list(sizes)
        dots = draw.dots(names)
        left, shape = draw.side(names, sizes, dots)
        kept = [n for n in names if n in dots or draw.r.random() < 0.6]
        if dots and draw.r.random() < 0.3:
            kept = [n for n in kept if n not in dots]  # the ellipsis is reduced as a whole
        right, _ = draw.side(draw.shuffled(kept, dots if dots and dots[0] in kept else ()), sizes,
                             dots if dots and dots[0] in kept else ())
        given = {n: s for n, s in sizes.items() if n not in dots}
        op = draw.r.choice(["min", "max", "sum", "mean", "prod", "any", "all"])
        dtype = "bool" if op in ("any", "all") else "float64" if op in ("mean", "prod") else draw.r.choice(
            ["float32", "float64", "int64"])
        a = draw.array(shape, dtype) if op != "prod" else draw.g.uniform(0.5, 1.5, shape)
        pattern = f"{left} -> {right}"
        expected = reduce(a, pattern, op, **given)
        check(reduce(tensor_of(draw, a), pattern, op, **given), np.asarray(expected), (pattern, shape, op))
        if op in ("sum", "mean") and dtype == "float64" and "..." not in pattern:
            w = draw.g.standard_normal(np.shape(expected))
            g = gradient(lambda x, p=pattern, o=op, s=given: reduce(x, p, o, **s), torch.from_numpy(a), w)
            back = repeat(w, f"{right} -> {left}", **given)
            share = w.size / a.size if op == "mean" else 1.0
            np.testing.assert_allclose(g, back * share, rtol=1e-12, err_msg=str((pattern, shape)))


@pytest.mark.parametrize("seed", range(4))
def test_repeat(seed):
    draw = Draw(200 + seed)
    for _ in range(300):
        sizes = draw.axes(most=4, smallest=draw.r.choice([0, 1, 1, 1]))
        names = list(sizes)
        dots = draw.dots(names)
        left, shape = draw.side(names, sizes, dots)
        new = {n: draw.r.choice([1, 2, 3]) for n in draw.r.sample(["n1", "n2", "copies"], draw.r.randint(0, 2))}
        everything = {**sizes, **new}
        right, _ = draw.side(draw.shuffled(list(everything), dots), everything, dots)
        given = {n: s for n, s in everything.items() if n not in dots}
        a = draw.array(shape, draw.r.choice(DTYPES))
        pattern = f"{left} -> {right}"
        expected = repeat(a, pattern, **given)
        check(repeat(tensor_of(draw, a), pattern, **given), expected, (pattern, shape))
        if a.dtype == np.float64 and "..." not in pattern:
            w = draw.g.standard_normal(expected.shape)
            g = gradient(lambda x, p=pattern, s=given: repeat(x, p, **s), torch.from_numpy(a), w)
            back = reduce(w, f"{right} -> {left}", "sum", **given)
            np.testing.assert_allclose(g, back, rtol=1e-12, atol=1e-12, err_msg=str((pattern, shape)))


@pytest.mark.parametrize("seed", range(2))
def test_einsum(seed):
    draw = Draw(300 + seed)
    for _ in range(150):
        sizes = draw.axes(least=1)
        names = list(sizes)
        inputs = [draw.r.sample(names, draw.r.randint(1, min(3, len(names)))) for _ in range(draw.r.randint(1, 3))]
        used = sorted({n for i in inputs for n in i})
        output = draw.r.sample(used, draw.r.randint(0, len(used)))
        pattern = ", ".join(" ".join(i) for i in inputs) + " -> " + " ".join(output)
        arrays = [draw.array(tuple(sizes[n] for n in i), "float64") for i in inputs]
        out = einsum(*[torch.from_numpy(a) for a in arrays], pattern)
        check(out, np.asarray(einsum(*arrays, pattern)), (pattern, sizes))


def test_gradients_of_extremes_and_products():
    draw = Draw(400)
    for _ in range(40):
        a = draw.g.permutation(24).reshape(2, 3, 4) / 7 + 0.5
        op = draw.r.choice(["min", "max", "prod"])
        pattern = draw.r.choice(["a b c -> b", "a b c -> ", "a b (c 2) -> a c", "a b c -> c 1 a"])
        x = torch.from_numpy(a).requires_grad_(True)
        assert torch.autograd.gradcheck(lambda t, p=pattern, o=op: reduce(t, p, o), (x,))
