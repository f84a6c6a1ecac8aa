"""Random programs of views, in-place writes and buffers: every way to a derivative gives the same number."""

import random

import pytest

import lamella.autograd as autograd
from lamella import core
from lamella.autograd.func import grad, hessian, jacfwd, jvp, linearize, vmap
from lamella.core import float64, stack, tensor, zeros

X = tensor([[0.3, -0.2, 0.5], [0.1, 0.4, -0.6]], dtype=float64)
V = tensor([[1.0, 0.5, -0.3], [-0.7, 0.2, 0.9]], dtype=float64)
VIEWS = (
    lambda t: t[0:1],
    lambda t: t[-1:],
    lambda t: t.t() if t.dim() == 2 else t.reshape(1, -1),
    lambda t: t.reshape(-1),
    lambda t: t[..., None],
    lambda t: t.flip(0),
    lambda t: t.select(0, 0) if t.dim() > 1 else t,
    lambda t: t[::2],
    lambda t: t.unsqueeze(0),
)


def first_column(t, u):
    t[..., 0] = u.mean() * 1.5


#: What makes a new tensor of two of the pool, and what writes to the first.
MAKES = (
    lambda t, u: t * u.sum(),
    lambda t, u: t.sin() + u.mean(),
    lambda t, u: core.cat([t.reshape(-1), u.reshape(-1)]),
)
WRITES = (
    lambda t, u: t.mul_(0.7),
    lambda t, u: t.add_(u.sum() * 0.3),
    lambda t, u: t.sin_(),
    lambda t, u: t.copy_((u.sum() * 0.5).expand(t.shape)),
    lambda t, u: t.mul_(u.sum() * 0.2 + 1),
    first_column,
)


def program(seed):
    """A function of one tensor that makes, views and overwrites tensors."""
    r = random.Random(seed)
    plan = [(r.randrange(12), r.randrange(1000), r.random(), r.random()) for _ in range(r.randrange(3, 9))]

    def run(x):
        pool = [x * 1.0]
        if seed % 3 == 1:
            pool.append(zeros(2, 3, dtype=float64) + 0.5)
        if seed % 3 == 2:
            pool.append(x.new_zeros(2, 3) + 0.25)
        for kind, which, a, b in plan:
            t, u = pool[int(a * len(pool))], pool[int(b * len(pool))]
            if kind < 3:
                pool.append(VIEWS[which % len(VIEWS)](t))
            elif kind < 6:
                pool.append(MAKES[which % len(MAKES)](t, u))
            else:
                WRITES[which % len(WRITES)](t, u)
        return sum((p * p).sum() * (0.3 + i * 0.1) for i, p in enumerate(pool))

    return run


def usable(f):
    """Whether the program runs, and backward through it is allowed (nothing that it saved is overwritten)."""
    x = X.clone().requires_grad_()
    try:
        autograd.grad(f(x), x)
    except RuntimeError:
        return False
    return True


def numeric(g, eps):
    return (g(X + eps * V) - g(X - eps * V)).item() / (2 * eps)


SEEDS = [pytest.param(s, marks=[pytest.mark.slow] if s >= 6 else []) for s in range(90)]


@pytest.mark.parametrize("seed", SEEDS)
def test_derivatives(seed):
    f = program(seed)
    if not usable(f):
        return
    want = pytest.approx(numeric(f, 1e-6), rel=1e-5, abs=1e-7)
    x = X.clone().requires_grad_()
    assert (autograd.grad(f(x), x)[0] * V).sum().item() == want
    assert jvp(f, (X,), (V,))[1].item() == want
    assert (grad(f)(X) * V).sum().item() == want
    assert (jacfwd(f)(X) * V).sum().item() == want
    assert linearize(f, X)[1](V).item() == want

    def slope(x):
        return (grad(f)(x) * V).sum()

    want = pytest.approx(numeric(slope, 1e-5), rel=1e-4, abs=1e-6)
    assert (jvp(grad(f), (X,), (V,))[1] * V).sum().item() == want
    assert (grad(slope)(X) * V).sum().item() == want
    assert jvp(lambda x: jvp(f, (x,), (V,))[1], (X,), (V,))[1].item() == want
    assert (grad(lambda x: jvp(f, (x,), (V,))[1])(X) * V).sum().item() == want
    assert ((hessian(f)(X) * V).sum((2, 3)) * V).sum().item() == want


@pytest.mark.parametrize("seed", SEEDS)
def test_batches(seed):
    f = program(seed)
    if seed % 3 == 1 or not usable(f):  # batched values do not go into buffers that are not
        return
    batch = stack([X, V, X * V])
    for g in (f, grad(f), lambda x: jvp(f, (x,), (V,))[1], lambda x: jvp(grad(f), (x,), (V,))[1]):
        for dim in (0, seed % 2 + 1):
            found = vmap(g, in_dims=dim)(batch.movedim(0, dim).contiguous())
            assert core.allclose(found, stack([g(x) for x in batch]))
