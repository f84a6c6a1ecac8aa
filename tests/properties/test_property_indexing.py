"""Reading, writing and differentiating `x[index]`, for any mix of what an index may be made of.

Torch's rule, stated anew: an index is read from left to right. Numbers select, slices (of steps above 0) slice, None
adds a dimension, `...` stands for all that is not mentioned. Only then do tensors index what is left, together: they
are broadcast, a mask counts as the places where it is true, and the dimensions of the result stand where the tensors
stood if those are neighbours, else in front. NumPy counts numbers among the tensors where there are any; so the model
below applies an index to an array in torch's two steps.

The gradients need no derivative code to check: reading is a selection of places, which `np.arange(n)[index]` names.
"""

import numpy as np
import pytest
from hypothesis import assume, strategies as st
from property_kit import COMMON, COMPLEX, array, same, seeds, shapes, tensor

TYPES = [*COMMON, *COMPLEX]


class Advanced:
    """A part of an index that is a tensor (or a list) of integers or bools."""

    def __init__(self, a, form):
        self.a = a
        self.form = form

    def __repr__(self):
        return f"{self.form}({self.a.tolist()})"

    @property
    def uses(self):
        return self.a.ndim if self.a.dtype == bool else 1

    def given(self, lib):
        if self.form in ("list", "bool"):
            return self.a.tolist()
        if self.form == "array":
            return self.a
        return lib.from_numpy(self.a)


def bounds(n):
    return st.one_of(st.none(), st.integers(-n - 2, n + 2))


KINDS = ["int", "slice", "slice", "all", "none", "tensor", "tensor", "mask", "mask", "stop", "dots", "bool"]


@st.composite
def indices(draw, shape, wrong=False):
    """A tuple of parts that fits the shape (or nearly, where `wrong`)."""
    parts, dim, count = [], 0, len(shape)
    common = draw(st.sampled_from([(), (2,), (3,), (2, 2), (1, 3), (0,)]))  # the shape of integer tensors
    true = draw(st.sampled_from([None, None, 0, 1, 2, 3]))  # how many places the masks have, if there are masks
    common = common if true is None else (true,)
    dots = False
    while dim < count:
        n = shape[dim]
        kind = draw(st.sampled_from(KINDS))
        if kind == "int" and n:
            parts.append(draw(st.integers(-n, n - 1)))
        elif kind == "slice":
            parts.append(slice(draw(bounds(n)), draw(bounds(n)), draw(st.sampled_from([None, 1, 2, 3]))))
        elif kind == "none":
            parts.append(None)
            continue
        elif kind == "bool":  # a mask without dimensions: a new dimension that is taken or left out
            yes = 0 not in common or draw(st.booleans())
            parts.append(Advanced(np.asarray(yes), draw(st.sampled_from(["bool", "tensor"]))))
            continue
        elif kind == "tensor" and (n or 0 in common):
            size = tuple(1 if draw(st.integers(0, 5)) == 0 else k for k in common[draw(st.integers(0, 1)):])
            size = size if n else (0,)
            g = np.random.default_rng(draw(seeds))
            a = g.integers(-n, max(n, 1 - n), size, dtype=draw(st.sampled_from(["int64", "int64", "int32"])))
            forms = ["tensor", "tensor", "list", "array"] if size and a.size else ["tensor"]
            parts.append(Advanced(np.asarray(a), draw(st.sampled_from(forms))))
        elif kind == "mask" and true is not None:
            k = draw(st.integers(1, min(2, count - dim)))
            size = int(np.prod(shape[dim:dim + k], dtype=int))
            if size < true:
                parts.append(slice(None))
                dim += 1
                continue
            g = np.random.default_rng(draw(seeds))
            parts.append(Advanced((g.permutation(size) < true).reshape(shape[dim:dim + k]), "tensor"))
            dim += k
            continue
        elif kind == "stop" and not dots:
            break
        elif kind == "dots" and not dots:
            dots = True
            parts.append(...)
            dim += draw(st.integers(0, count - dim))
            continue
        else:
            parts.append(slice(None))
        dim += 1
    if draw(st.integers(0, 5)) == 0:
        parts.append(None)
    if wrong:
        spoil(draw, parts, shape)
    return tuple(parts)


def spoil(draw, parts, shape):
    """Make an index wrong in one place."""
    kind = draw(st.sampled_from(["place", "many", "mask", "step", "tensor"]))
    at = draw(st.integers(0, len(parts)))
    if kind == "place":
        parts.insert(at, 7)
    elif kind == "many":
        parts.extend([0] * (len(shape) + 1))
    elif kind == "mask":
        parts.insert(at, Advanced(np.ones(9, bool), "tensor"))
    elif kind == "step":
        parts.insert(at, slice(None, None, draw(st.sampled_from([0, -1]))))
    else:
        parts.insert(at, Advanced(np.array([50, 0]), "tensor"))


def is_plain(p):
    return not isinstance(p, Advanced) or p.a.ndim == 0 and p.a.dtype != bool


def model(a, parts):
    """What torch's rule makes of an array; IndexError where the index does not fit."""
    used = sum(p.uses if not is_plain(p) else p is not None and p is not ... for p in parts)
    if used > a.ndim:
        raise IndexError("too many")
    parts = [int(p.a) if isinstance(p, Advanced) and is_plain(p) else p for p in parts]
    if ... not in [p for p in parts if is_plain(p)]:
        parts = [*parts, ...]
    first, second = [], []
    for p in parts:
        if isinstance(p, Advanced) and p.a.ndim == 0:
            first.append(None)
            second.append(np.zeros(int(p.a), int))
        elif isinstance(p, Advanced):
            first += [slice(None)] * p.uses
            second.append(p.a)
        elif p is ...:
            first += [slice(None)] * (a.ndim - used)
            second += [slice(None)] * (a.ndim - used)
        else:
            first.append(p)
            if not isinstance(p, int):
                second.append(slice(None))
    if any(isinstance(p, slice) and p.step is not None and p.step <= 0 for p in first):
        raise ValueError("step")
    x = a[tuple(first)] if first else a[...]
    return x[tuple(second)] if any(isinstance(s, np.ndarray) for s in second) else x


def outcome(fn):
    try:
        return fn(), None
    except (IndexError, ValueError) as e:
        return None, e


def given_index(lib, parts):
    return tuple(p.given(lib) if isinstance(p, Advanced) else p for p in parts)


def with_index(wrong=False):
    return shapes(4).flatmap(lambda s: st.tuples(st.just(s), indices(s, wrong)))


def layout(lib, a, seed):
    """A tensor with the array's values, in different strides by the seed."""
    if seed % 3 == 1 and a.ndim > 1:
        return tensor(lib, np.ascontiguousarray(np.moveaxis(a, 0, -1))).movedim(-1, 0)
    if seed % 3 == 2 and a.ndim:
        return tensor(lib, np.repeat(a, 2, axis=-1))[..., ::2]
    return tensor(lib, a)


def test_reading(run):
    def check(case, dtype, seed):
        shape, parts = case
        lib = run.lib
        a = array(shape, dtype, seed)
        t = layout(lib, a, seed)
        same(t[given_index(lib, parts)], model(a, parts), parts)
        if len(parts) == 1 and not (isinstance(parts[0], Advanced) and parts[0].form == "list"):
            same(t[given_index(lib, parts)[0]], model(a, parts), parts)
        same(t, a, "reading changes nothing")

    run(check, with_index(), st.sampled_from(TYPES), seeds, quick=35, full=1850)


def test_views_and_copies(run):
    def check(case, seed):
        shape, parts = case
        lib = run.lib
        t = layout(lib, array(shape, "float32", seed), seed)
        out = t[given_index(lib, parts)]
        plain = all(is_plain(p) for p in parts)
        if out.numel():
            out.fill_(77)
            assert bool((t == 77).any()) == plain

    run(check, with_index(), seeds, quick=15, full=450)


def test_wrong_indices(run):
    def check(case, seed):
        shape, parts = case
        lib = run.lib
        a = array(shape, "float64", seed)
        t = layout(lib, a, seed)
        want, error = outcome(lambda: model(a, parts))
        if error is None:
            same(t[given_index(lib, parts)], want, parts)
            return
        if isinstance(error, IndexError):
            nothing, refused = outcome(lambda: t[given_index(lib, parts)])
            assume(refused is not None or nothing.numel())  # tensors that index nothing are not looked at
        with pytest.raises((IndexError, ValueError)):
            t[given_index(lib, parts)]
        with pytest.raises((IndexError, ValueError)):
            t[given_index(lib, parts)] = 1
        same(t, a, "an error changes nothing")

    run(check, with_index(wrong=True), seeds, quick=25, full=1000)


def places(shape, parts):
    return model(np.arange(int(np.prod(shape, dtype=int))).reshape(shape), parts)


@st.composite
def parts_of(draw, shape):
    """A shape that is broadcast to this one."""
    out = shape[draw(st.integers(0, len(shape))):]
    return tuple(1 if draw(st.integers(0, 3)) == 0 else n for n in out)


def test_writing(run):
    def check(case, dtype, number, seed, data):
        shape, parts = case
        lib = run.lib
        a = array(shape, dtype, seed)
        at = places(shape, parts)
        t = layout(lib, a, seed)
        if number:
            assume(dtype != "bool" or number in (1, True))
            value = given = number
        else:
            value = array(data.draw(parts_of(at.shape)), dtype, seed + 1)
            assume(at.size == len(np.unique(at)) or value.size == 1)  # else the order of writes decides
            given = tensor(lib, value)
        want = a.copy()
        want.reshape(-1)[at.reshape(-1)] = np.broadcast_to(value, at.shape).reshape(-1)
        t[given_index(lib, parts)] = given
        same(t, want, (parts, value))

    run(check, with_index(), st.sampled_from(TYPES), st.sampled_from([0, 0, 1, 3]), seeds, st.data(),
        quick=35, full=1600)


def test_writing_what_does_not_fit(run):
    def check(case, other, seed):
        shape, parts = case
        lib = run.lib
        a = array(shape, "float64", seed)
        at = places(shape, parts)
        value = array(other, "float64", seed + 1)
        stripped = value
        while stripped.ndim > at.ndim and stripped.shape[0] == 1:
            stripped = stripped[0]
        try:
            np.broadcast_to(stripped, at.shape)
        except ValueError:
            pass
        else:
            assume(False)
        t = layout(lib, a, seed)
        # torch looks at nothing where nothing is written, and lets a mask's values run along
        assume(at.size and value.size)
        with pytest.raises((RuntimeError, IndexError, ValueError)):
            t[given_index(lib, parts)] = tensor(lib, value)
        same(t, a, "an error changes nothing")

    run(check, with_index(), shapes(3, smallest=1), seeds, quick=15, full=450)


def test_writing_converts(run):
    def check(case, da, db, seed):
        shape, parts = case
        lib = run.lib
        a = array(shape, da, seed, special=0)
        at = places(shape, parts)
        value = array(at.shape, db, seed + 1, special=0)
        assume(at.size == len(np.unique(at)))
        assume(not (db in COMPLEX and da not in COMPLEX) and not (da == "uint8" and bool((value < 0).any())))
        assume(all(is_plain(p) for p in parts) or da == db)  # index_put_ wants equal types
        want = a.copy()
        with np.errstate(all="ignore"):
            want.reshape(-1)[at.reshape(-1)] = value.reshape(-1).astype(a.dtype)
        t = layout(lib, a, seed)
        t[given_index(lib, parts)] = tensor(lib, value)
        same(t, want, (parts, da, db))

    run(check, with_index(), st.sampled_from(TYPES), st.sampled_from(TYPES), seeds, quick=15, full=450)


def test_gradient_of_reading(run):
    def check(case, seed):
        shape, parts = case
        lib = run.lib
        g = np.random.default_rng(seed)
        a = np.asarray(g.normal(0, 1, shape))
        t = layout(lib, a, seed).requires_grad_()
        out = t[given_index(lib, parts)]
        w = np.asarray(g.normal(0, 1, tuple(out.shape)))
        (out * tensor(lib, w)).sum().backward()
        want = np.zeros(a.size)
        np.add.at(want, places(shape, parts).reshape(-1), w.reshape(-1))
        same(t.grad, want.reshape(shape), parts, rtol=1e-12, atol=1e-12)

    run(check, with_index(), seeds, quick=25, full=1000)


def test_gradient_of_writing(run):
    def check(case, seed, data):
        shape, parts = case
        lib = run.lib
        g = np.random.default_rng(seed)
        at = places(shape, parts)
        assume(at.size == len(np.unique(at)))
        a = np.asarray(g.normal(0, 1, shape))
        value = np.asarray(g.normal(0, 1, data.draw(parts_of(at.shape))))
        w = np.asarray(g.normal(0, 1, shape))
        t, u = layout(lib, a, seed).requires_grad_(), tensor(lib, value).requires_grad_()
        y = t.clone()
        y[given_index(lib, parts)] = u
        (y * tensor(lib, w)).sum().backward()
        want = w.copy().reshape(-1)
        want[at.reshape(-1)] = 0
        same(t.grad, want.reshape(shape), parts, rtol=1e-12)
        given = w.reshape(-1)[at]
        given = given.sum(axis=tuple(range(given.ndim - value.ndim)))
        ones = tuple(i for i, n in enumerate(value.shape) if n == 1 and given.shape[i] != 1)
        given = given.sum(axis=ones, keepdims=True) if ones else given
        same(u.grad, np.asarray(given), parts, rtol=1e-12, atol=1e-12)

    run(check, with_index(), seeds, st.data(), quick=25, full=800)


def test_taking_and_selecting(run):
    def check(shape, which, seed, data):
        lib = run.lib
        assume(len(shape) > 0)
        dim = data.draw(st.integers(-len(shape), len(shape) - 1))
        n = shape[dim]
        assume(n > 0)
        g = np.random.default_rng(seed)
        a = array(shape, "float32", seed)
        t = layout(lib, a, seed)
        if which == "index_select":
            i = g.integers(0, n, 4)
            same(lib.index_select(t, dim, lib.from_numpy(i)), np.take(a, i, axis=dim))
        elif which == "take_along_dim":
            size = tuple(3 if k == dim % len(shape) else m for k, m in enumerate(shape))
            i = g.integers(0, n, size)
            same(lib.take_along_dim(t, lib.from_numpy(i), dim=dim), np.take_along_axis(a, i, axis=dim))
        elif which == "narrow":
            start = int(g.integers(0, n))
            length = int(g.integers(0, n - start + 1))
            same(t.narrow(dim, start, length), np.take(a, range(start, start + length), axis=dim))
        elif which == "masked_select":
            mask = g.random(shape) < 0.5
            same(lib.masked_select(t, lib.from_numpy(mask)), a[mask])
        else:
            same(lib.nonzero(t), np.argwhere(a != 0))

    which = st.sampled_from(["index_select", "take_along_dim", "narrow", "masked_select", "nonzero"])
    run(check, shapes(4), which, seeds, st.data(), quick=15, full=400)
