"""forward_ad: dual tensors by hand, in the ordinary graph; `Function.jvp`; gradcheck's checks of forward mode."""

import pytest

import lamella.autograd as autograd
from lamella import core
from lamella.autograd import Function, forward_ad as fw, functional, gradcheck, gradgradcheck, no_grad
from lamella.autograd.func import grad, hessian, jvp
from lamella.core import allclose, float64, ones, randn, tensor, zeros

X = tensor([0.5, 1.5], dtype=float64)
V = tensor([1.0, -1.0], dtype=float64)


def test_values_and_tangents():
    with fw.dual_level():
        d = fw.make_dual(X, V)
        primal, tangent = fw.unpack_dual((d * d).sin())
        assert allclose(primal, (X * X).sin()) and allclose(tangent, (X * X).cos() * 2 * X * V)
        assert repr(fw.make_dual(tensor(3.0), tensor(1.0))) == "tensor(3., tangent=tensor(1.))"
        assert fw.unpack_dual(d.detach()).tangent is None and fw.unpack_dual(X) == (X, None)
        assert fw.unpack_dual(d > 0).tangent is None and (d > 0).tolist() == [True, True]
        with no_grad():
            assert allclose(fw.unpack_dual(d * 2).tangent, 2 * V)
        kept = d * 3
    assert fw.unpack_dual(kept) == (kept, None) and allclose(kept * 2, X * 6)


def test_levels():
    with pytest.raises(RuntimeError, match="no level exists"):
        fw.make_dual(X, V)
    with pytest.raises(RuntimeError, match="exit"):
        fw.exit_dual_level()
    with fw.dual_level() as level:
        assert level == 0
        with pytest.raises(RuntimeError, match="Nested"):
            fw.enter_dual_level()
        d = fw.make_dual(X, V)
        for wrong, kind in ((lambda: fw.make_dual(d, V), RuntimeError),
                            (lambda: fw.make_dual(X, ones(3)), RuntimeError),
                            (lambda: fw.make_dual(X, tensor([1, 2])), ValueError),
                            (lambda: fw.make_dual(tensor([1, 2]), V), ValueError),
                            (lambda: fw.make_dual(X, 3), TypeError), (lambda: fw.unpack_dual(3), TypeError),
                            (lambda: fw.make_dual(X, V, level=1), RuntimeError)):  # fmt: skip
            with pytest.raises(kind):
                wrong()
    with pytest.raises(ZeroDivisionError), fw.dual_level():
        raise ZeroDivisionError
    assert fw.enter_dual_level() == 0
    fw.exit_dual_level()

    @fw.dual_level()
    def inside():
        return fw.unpack_dual(fw.make_dual(X, V)).tangent

    assert inside().tolist() == V.tolist()


def test_writes_and_views():
    with fw.dual_level():
        d = fw.make_dual(X.clone(), V.clone())
        first = d[0]
        d.mul_(d)
        assert allclose(fw.unpack_dual(d).tangent, 2 * X * V)
        assert allclose(fw.unpack_dual(first).tangent, 2 * X[0] * V[0])
        out, part = zeros(2, 2, dtype=float64), None
        part = out.T[1]
        part.copy_(d)
        assert fw.unpack_dual(out).tangent.tolist() == [[0, 2 * X[0] * V[0]], [0, 2 * X[1] * V[1]]]
        out.zero_()
        assert fw.unpack_dual(part).tangent.tolist() == [0, 0]
        c = fw.make_dual(core.complex(X, X), core.complex(V, V))
        core.view_as_real(c)[..., 1].mul_(2)
        assert allclose(fw.unpack_dual(c).tangent, core.complex(V, 2 * V))
    assert type(out) is core.Tensor


def test_forward_over_reverse_and_back():
    x = X.clone().requires_grad_()
    with fw.dual_level():
        d = fw.make_dual(x, V)
        assert d.requires_grad and not d.is_leaf and d.grad_fn.name() == "MakeDualBackward0"
        with pytest.raises(RuntimeError, match="leaf"):
            d.mul_(2)
        z = (d**3).sum()
        primal, tangent = fw.unpack_dual(z)
        (g,) = autograd.grad(z, x, create_graph=True)
        assert allclose(fw.unpack_dual(g).tangent, 6 * X * V)
        assert allclose(autograd.grad(tangent, x, retain_graph=True)[0], 6 * X * V)
        assert allclose(autograd.grad(primal, x, retain_graph=True)[0], 3 * X**2)
        z.backward()
        assert type(x.grad) is core.Tensor and fw.unpack_dual(x.grad).tangent is None  # as in torch
        y = d.clone()
        y[0].mul_(d[1])
        y += d
        (g,) = autograd.grad(y.prod(), x)
        assert allclose(fw.unpack_dual(g).tangent, hessian(lambda x: (x[0] * x[1] + x[0]) * 2 * x[1])(X) @ V)
        for f in (lambda d: d.exp() * d, lambda d: (d * 1).tanh_() * d, lambda d: core.softmax(d * 2, 0)[0],
                  lambda d: core.zeros(2, dtype=float64).add_(d).sigmoid_().prod()):  # fmt: skip
            (g,) = autograd.grad(f(d).sum(), x)
            assert allclose(fw.unpack_dual(g).tangent, hessian(lambda x, f=f: f(x).sum())(X) @ V)
    assert allclose(x.grad, 3 * X**2)


def test_within_transforms():
    with fw.dual_level():
        d = fw.make_dual(X, V)
        slope = grad(lambda x: (x**3).sum())(d)
        assert allclose(fw.unpack_dual(slope).tangent, 6 * X * V)
        value, moved = jvp(lambda x: x**3, (d,), (V,))
        assert allclose(fw.unpack_dual(moved).tangent, 6 * X * V * V)
        assert allclose(fw.unpack_dual(value).tangent, 3 * X**2 * V)


class Scale(Function):
    """x * s and x + 1, in the old form; notes what jvp was given."""

    seen: list = []

    @staticmethod
    def forward(ctx, x, y, s):
        ctx.s = s
        ctx.save_for_forward(x)
        ctx.save_for_backward(y)
        return x * s, y + 1

    @staticmethod
    def backward(ctx, g, h):
        (y,) = ctx.saved_tensors
        return g * ctx.s, h * (y / y), None

    @staticmethod
    def jvp(ctx, x_t, y_t, s_t):
        Scale.seen.append((ctx.saved_tensors[0].tolist(), s_t, None if y_t is None else y_t.tolist()))
        return x_t * ctx.s, y_t


def test_function_jvp():
    x = X.clone().requires_grad_()
    with fw.dual_level():
        a, b = Scale.apply(fw.make_dual(x, V), X, 3.0)
        assert allclose(fw.unpack_dual(a).tangent, 3 * V) and fw.unpack_dual(b).tangent.tolist() == [0, 0]
        assert Scale.seen == [(X.tolist(), None, [0, 0])]
        assert a.requires_grad and autograd.grad(a.sum(), x)[0].tolist() == [3, 3]
    with fw.dual_level(), no_grad():
        assert allclose(fw.unpack_dual(Scale.apply(fw.make_dual(x, V), X, 3.0)[0]).tangent, 3 * V)

    class Wrong(Function):
        result = None

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def jvp(ctx, t):
            return Wrong.result

    for result, words in (((V, V), "number"), (V[:1], "size"), (3, "Variable")):
        Wrong.result = result
        with pytest.raises(RuntimeError, match=words), fw.dual_level():
            Wrong.apply(fw.make_dual(X, V))


class Crooked(Function):
    """A function whose jvp is wrong."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        ctx.save_for_forward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, g * x

    @staticmethod
    def jvp(ctx, a, b):
        x, y = ctx.saved_tensors
        return a * y + b * x * 1.01


def test_gradcheck_of_forward_mode():
    x, y = (randn(3, dtype=float64, requires_grad=True) for _ in range(2))
    z = core.complex(X, V).requires_grad_()
    good = {"check_forward_ad": True, "check_batched_grad": True, "check_batched_forward_grad": True}
    for fast in (False, True):
        assert gradcheck(lambda x, y: (x * y, x.sin()), (x, y), fast_mode=fast, **good)
        assert gradcheck(lambda z: (z * z).abs(), (z,), fast_mode=fast, check_forward_ad=True)
        assert not gradcheck(Crooked.apply, (x, y), check_forward_ad=True, fast_mode=fast, raise_exception=False)
        assert gradcheck(Crooked.apply, (x, y), fast_mode=fast)
    with pytest.raises(RuntimeError, match="forward mode"):
        gradcheck(Crooked.apply, (x, y), check_forward_ad=True, check_backward_ad=False)
    with pytest.raises(ValueError, match="either"):
        gradcheck(core.sin, (x,), check_backward_ad=False)
    with pytest.raises(ValueError, match="check_batched_forward_grad"):
        gradcheck(core.sin, (x,), check_batched_forward_grad=True)
    assert gradgradcheck(lambda x, y: x.sin() * y, (x, y), check_fwd_over_rev=True)


def test_functional():
    def f(x, y):
        return x * y**2, (x * x).sum()

    pair = (X, V)
    rows = functional.jacobian(f, pair)
    assert allclose(rows[0][1], core.diag(2 * X * V)) and rows[1][1].tolist() == [0, 0]
    for options in ({"vectorize": True}, {"vectorize": True, "strategy": "forward-mode"}):
        assert all(allclose(a, b) for r, s in zip(rows, functional.jacobian(f, pair, **options), strict=True)
                   for a, b in zip(r, s, strict=True))
    with pytest.raises(ValueError, match="strategy"):
        functional.jacobian(f, pair, strategy="sideways")
    x = X.clone().requires_grad_()
    matrix = functional.hessian(lambda x: (x**3).sum(), x, create_graph=True)
    assert allclose(autograd.grad(matrix.sum(), x)[0], tensor([6.0, 6.0], dtype=float64))
    assert allclose(functional.hvp(lambda x: (x**3).sum(), X, V)[1], functional.vhp(lambda x: (x**3).sum(), X, V)[1])
    with pytest.raises(RuntimeError, match="independent"):
        functional.vjp(lambda x, y: (x * 2).sum(), pair, strict=True)
