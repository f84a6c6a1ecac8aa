"""Forward mode of every differentiable operator's samples, by finite differences and beside reverse mode."""

import pytest

import lamella.autograd as autograd
from lamella.autograd.func import jvp, vjp
from lamella.core import Tensor, allclose, randn_like
from lamella.core.samples import all_samples, resolve
from lamella.core.testing import leaves, map_tensors

SAMPLES = [s for s in all_samples() if s.grad and not s.random]
IDS = [f"{i}-{s.name}" for i, s in enumerate(SAMPLES)]


def as_function(sample, call):
    """The call as a function of its differentiable tensors alone."""
    args, kwargs = call
    inputs = [x for x in leaves((args, kwargs)) if isinstance(x, Tensor) and x.requires_grad]
    fn = resolve(sample.name)

    def of_inputs(*given):
        swap = {id(old): new for old, new in zip(inputs, given, strict=True)}
        out = fn(*map_tensors(lambda t: swap.get(id(t), t), args), **map_tensors(lambda t: swap.get(id(t), t), kwargs))
        return tuple(o for o in leaves(out) if isinstance(o, Tensor) and (o.is_floating_point() or o.is_complex()))

    return of_inputs, tuple(inputs)


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_forward_mode(sample):
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        if inputs:
            assert autograd.gradcheck(fn, inputs, check_forward_ad=True, check_backward_ad=False, fast_mode=True)


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_forward_is_the_transpose_of_reverse(sample):
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        if not inputs:
            continue
        plain = tuple(x.detach() for x in inputs)
        along = tuple(randn_like(x) for x in plain)
        outs, moved = jvp(fn, plain, along)
        _, pull = vjp(fn, *plain)
        seeds = tuple(randn_like(o) for o in outs)
        assert all(a.dtype is b.dtype and a.shape == b.shape for a, b in zip(outs, moved, strict=True))
        left = sum(float((s.conj() * t).real.sum()) for s, t in zip(seeds, moved, strict=True))
        right = sum(float((g.conj() * v).real.sum()) for g, v in zip(pull(seeds), along, strict=True))
        assert left == pytest.approx(right, rel=1e-8, abs=1e-8, nan_ok=True)


TWICE = [(i, s) for i, s in zip(IDS, SAMPLES, strict=True) if s.gradgrad]


@pytest.mark.parametrize("sample", [s for _, s in TWICE], ids=[i for i, _ in TWICE])
def test_forward_over_reverse(sample):
    """A vector times the Hessian: forward over reverse, and reverse over reverse."""
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        if not inputs:
            continue
        plain = tuple(x.detach() for x in inputs)
        along = tuple(randn_like(x) for x in plain)
        seeds = tuple(randn_like(o) for o in fn(*plain))

        def slopes(*xs, fn=fn, seeds=seeds):
            return vjp(fn, *xs)[1](seeds)

        _, forth = jvp(slopes, plain, along)
        back = vjp(slopes, *plain)[1](along)
        for a, b in zip(forth, back, strict=True):
            assert allclose(a, b, rtol=1e-8, atol=1e-8, equal_nan=True)


@pytest.mark.slow
@pytest.mark.parametrize("sample", [s for _, s in TWICE], ids=[i for i, _ in TWICE])
def test_duals_in_the_ordinary_graph(sample):
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        if inputs:
            assert autograd.gradgradcheck(fn, inputs, check_fwd_over_rev=True, check_rev_over_rev=False, fast_mode=True)


@pytest.mark.parametrize("sample", [s for s in SAMPLES if s.inplace and "." not in s.name], ids=str)
def test_in_place(sample):
    """The in-place form moves tangents and gradients as the other one does."""
    method = getattr(Tensor, f"{sample.name}_", None)
    for args, kwargs in sample.make() if method is not None else ():
        x, *rest = args if args else (None,)
        if not isinstance(x, Tensor) or not x.requires_grad:
            continue
        rest = map_tensors(lambda t: t.detach(), rest)
        x = x.detach()
        fn = resolve(sample.name)
        out = fn(x, *rest, **kwargs)
        if not isinstance(out, Tensor) or out.shape != x.shape or out.dtype is not x.dtype:
            continue

        def written(y, method=method, rest=rest, kwargs=kwargs):
            y = y * 1
            return method(y, *rest, **kwargs)

        along, seed = randn_like(x), randn_like(out)
        want, got = jvp(lambda y: fn(y, *rest, **kwargs), (x,), (along,)), jvp(written, (x,), (along,))  # noqa: B023
        assert all(allclose(a, b, equal_nan=True) for a, b in zip(want, got, strict=True))
        (g,), (h,) = vjp(written, x)[1](seed), vjp(lambda y: fn(y, *rest, **kwargs), x)[1](seed)  # noqa: B023
        assert allclose(g, h, equal_nan=True)
