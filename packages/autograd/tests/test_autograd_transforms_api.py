"""grad, vjp, jvp, linearize, Jacobians and Hessians: against derivatives worked out by hand, nested in all ways."""

import contextlib
import doctest
import gc
import importlib
import threading

import pytest

import lamella.autograd as autograd
from lamella import core
from lamella.autograd import Function, functional, no_grad
from lamella.autograd.func import (
    debug_unwrap,
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    vjp,
    vmap,
)
from lamella.core import allclose, float64, ones, randn, tensor, zeros

X = tensor([0.3, 0.7, -0.2], dtype=float64)
V = tensor([1.0, 2.0, -1.0], dtype=float64)
W = tensor([[0.2, -0.4, 0.1], [0.5, 0.3, 0.9], [-0.7, 0.6, 0.8]], dtype=float64)
ONE = tensor(1.0)


def numeric(f, x, v, eps=1e-6):
    return (f(x + eps * v) - f(x - eps * v)) / (2 * eps)


def written(x):
    y = x.clone()
    y[0] = x[1] * x[2]
    y.mul_(x)
    y[1:].add_(x[:2])
    return y * 2


def filled(x):
    out = zeros(3, dtype=x.dtype)
    part = out[1:]
    out[0] = x[0] * x[1]
    part.mul_(2)
    part[1] = x[2] ** 2
    out *= x
    return out + part.sum()


def loop(x):
    out = x.new_zeros(3)
    for i in range(3):
        out[i] = (x[i] ** 2 if i else x[1] * 3).sin()
    return out


def reshaped(x):
    y = (x * 1).unsqueeze_(0).t_()
    return y.squeeze_() * x


FUNCTIONS = {
    "sin": core.sin,
    "polynomial": lambda x: x * x * 2 + 1,
    "power": lambda x: x**3,
    "network": lambda x: (W @ (W @ x).tanh()).sigmoid(),
    "softmax": lambda x: core.softmax(x, 0),
    "index": lambda x: x[[0, 2, 2]] * x[1:2],
    "cat": lambda x: core.cat([x, x * x, ones(2, dtype=x.dtype)]),
    "quotient": lambda x: x / (1 + x * x),
    "cumprod": lambda x: x.cumprod(0),
    "std": lambda x: x.std(),
    "where": lambda x: core.where(x > 0, x * x, x),
    "logsumexp": lambda x: x.logsumexp(0),
    "logcumsumexp": lambda x: x.logcumsumexp(0),
    "norm": lambda x: x.norm(),
    "solve": lambda x: core.linalg_solve(W, x) if hasattr(core, "linalg_solve") else W.inverse() @ x,
    "written": written,
    "filled": filled,
    "loop": loop,
    "reshaped": reshaped,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_first_derivatives(name):
    f = FUNCTIONS[name]
    value, moved = jvp(f, (X,), (V,))
    assert allclose(value, f(X)) and allclose(moved, numeric(f, X, V), atol=1e-7)
    value, pull = vjp(f, X)
    seed = randn(value.shape, dtype=float64)
    assert allclose((pull(seed)[0] * V).sum(), (seed * moved).sum())
    assert allclose(linearize(f, X)[1](V), moved)
    by_rows, by_columns = jacrev(f)(X), jacfwd(f)(X)
    assert by_rows.shape == (*value.shape, 3)
    assert allclose(by_rows, by_columns) and allclose(by_rows @ V, moved)
    assert allclose(jacrev(f, chunk_size=1)(X), by_rows) and allclose(jacrev(f, chunk_size=2)(X), by_rows)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives(name):
    f = FUNCTIONS[name]
    seed = randn(f(X).shape, dtype=float64)

    def s(x):
        return (f(x) * seed).sum()

    want = numeric(grad(s), X, V)
    ways = {
        "forward over reverse": jvp(grad(s), (X,), (V,))[1],
        "reverse over forward": grad(lambda x: jvp(s, (x,), (V,))[1])(X),
        "reverse over reverse": grad(lambda x: (grad(s)(x) * V).sum())(X),
        "linearized reverse": linearize(grad(s), X)[1](V),
        "hessian": hessian(s)(X) @ V,
        "reverse twice": jacrev(jacrev(s))(X) @ V,
        "forward twice": jacfwd(jacfwd(s))(X) @ V,
        "rows of columns": jacrev(jacfwd(s))(X) @ V,
        "functional": functional.hvp(s, X, V)[1],
    }
    for way, got in ways.items():
        assert allclose(got, want, atol=1e-6), way
    twice = jvp(lambda x: jvp(s, (x,), (V,))[1], (X,), (V,))[1]
    assert allclose(twice, (want * V).sum(), atol=1e-6)


@pytest.mark.parametrize("name", ["power", "network", "quotient", "written", "filled"])
def test_third_derivatives(name):
    f = FUNCTIONS[name]

    def s(x):
        return f(x).sum()

    def along(g):
        return lambda x: jvp(g, (x,), (V,))[1]

    want = numeric(along(along(s)), X, V, 1e-5)
    assert allclose(along(along(along(s)))(X), want, atol=1e-5)
    assert allclose((grad(along(along(s)))(X) * V).sum(), want, atol=1e-5)
    assert allclose((hessian(along(s))(X) @ V * V).sum(), want, atol=1e-5)
    assert allclose((jacrev(hessian(s))(X) @ V @ V * V).sum(), want, atol=1e-5)


def test_levels_do_not_mix():
    """Perturbation confusion: the inner derivative must not see the outer variable as its own."""
    two = tensor(2.0)
    for inner in (lambda x: grad(lambda y: x + y)(ONE), lambda x: jvp(lambda y: x + y, (ONE,), (ONE,))[1]):
        assert grad(lambda x, d=inner: x * d(x))(two).item() == 1
        assert jvp(lambda x, d=inner: x * d(x), (two,), (ONE,))[1].item() == 1
    for inner in (lambda x: grad(lambda y: x * y)(ONE), lambda x: jvp(lambda y: x * y, (ONE,), (ONE,))[1]):
        assert grad(lambda x, d=inner: x * d(x))(two).item() == 4
        assert jvp(lambda x, d=inner: x * d(x), (two,), (ONE,))[1].item() == 4
        assert hessian(lambda x, d=inner: x * d(x))(two).item() == 2


def test_containers_and_argnums():
    state = {"w": tensor([1.0, 2.0]), "more": [tensor(3.0), (tensor(4.0),)]}

    def f(s, k, scale=1.0):
        return (s["w"] ** 2).sum() * s["more"][0] * s["more"][1][0] * k * scale

    slope, value = grad_and_value(f)(state, 2.0, scale=0.5)
    assert value.item() == 60 and slope["w"].tolist() == [24, 48]
    assert slope["more"][0].item() == 20 and slope["more"][1][0].item() == 15
    first, second = grad(lambda a, b: (a * b).sum(), argnums=(1, 0))(tensor([1.0, 2.0]), tensor([3.0, 4.0]))
    assert first.tolist() == [1, 2] and second.tolist() == [3, 4]
    pair = jacrev(lambda a, b: {"p": a * b}, argnums=(0, 1))(tensor([1.0, 2.0]), tensor([3.0, 4.0]))["p"]
    assert pair[0].tolist() == [[3, 0], [0, 4]] and pair[1].tolist() == [[1, 0], [0, 2]]
    matrix = hessian(lambda s: (s["a"] ** 2 * s["b"]).sum())({"a": tensor([1.0]), "b": tensor([2.0])})
    assert matrix["a"]["a"].tolist() == [[4]] and matrix["a"]["b"].tolist() == [[2]] == matrix["b"]["a"].tolist()


def test_aux():
    slope, (value, aux) = grad_and_value(lambda x: (x * x, {"seen": x + 1, "n": 3}), has_aux=True)(tensor(2.0))
    assert (slope.item(), value.item(), aux["seen"].item(), aux["n"]) == (4, 4, 3, 3)
    assert not aux["seen"].requires_grad and type(aux["seen"]) is core.Tensor
    assert grad(lambda x: (x * x, x), has_aux=True)(tensor(2.0))[1].item() == 2
    assert vjp(lambda x: (x * x, x), tensor(2.0), has_aux=True)[2].item() == 2
    assert jvp(lambda x: (x * x, x), (tensor(2.0),), (ONE,), has_aux=True)[2].item() == 2
    assert jacfwd(lambda x: (x * x, x), has_aux=True)(tensor([2.0]))[1].tolist() == [2]


def test_tensors_of_further_out_keep_their_graph():
    w = tensor([3.0, 4.0], dtype=float64, requires_grad=True)
    x, v = tensor([0.5, 1.5], dtype=float64), tensor([1.0, -1.0], dtype=float64)
    slope = grad(lambda x: ((x * w) ** 2).sum())(x)
    assert slope.requires_grad
    assert allclose(autograd.grad(slope.sum(), w, retain_graph=True)[0], 4 * x * w)
    _, moved = jvp(lambda x: (x * w).sin(), (x,), (v,))
    (found,) = autograd.grad(moved.sum(), w)
    assert allclose(found, v * (x * w).cos() - v * w * x * (x * w).sin())
    (found,) = autograd.grad(hessian(lambda x: ((x * w) ** 3).sum())(x).sum(), w)
    assert allclose(found, 18 * w**2 * x)
    assert w.grad is None
    slope.sum().backward()
    assert w.grad is not None


def test_no_grad():
    def f(x):
        with no_grad():
            c = x**2
        return x**2 - c

    two = tensor(2.0)
    assert grad(f)(two).item() == 4 and grad(grad(f))(two).item() == 2
    assert jvp(f, (two,), (ONE,))[1].item() == 0  # forward mode does not record
    w = tensor(3.0, requires_grad=True)
    with no_grad():
        slope = grad(lambda x: x * x * w)(two)
        assert slope.item() == 12 and not slope.requires_grad
        assert jvp(lambda x: x * w, (two,), (ONE,))[1].item() == 3
    assert autograd.is_grad_enabled()


def test_buffers_come_back_plain():
    """A tensor that a transform wrote to holds the values afterwards, and is a plain tensor again."""
    out = zeros(3)
    view = out[1:]
    slope = grad(lambda x: out.copy_(x * 2).sum() + view.sum())(tensor([1.0, 2.0, 3.0]))
    assert slope.tolist() == [2, 4, 4]
    assert type(out) is core.Tensor is type(view) and out.tolist() == [2, 4, 6] and view._base is out
    out.add_(1)
    assert view.tolist() == [5, 7]
    leaf = zeros(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="captured"):
        grad(lambda x: leaf.copy_(x).sum())(tensor([1.0, 2.0, 3.0]))
    assert type(leaf) is core.Tensor and leaf.is_leaf


def test_escaped_tensors_stand_for_their_values():
    box = []
    grad(lambda x: box.append(x * 2) or x)(tensor(3.0))
    assert (box[0] + 1).item() == 7 and "7" in repr(box[0] + 1)
    assert repr(box[0]) == "tensor(6.)" and f"{box[0]:.1f}" == "6.0"
    assert grad(lambda x: x * box[0])(tensor(1.0)).item() == 6


def test_shown_inside():
    texts = []
    grad(lambda x: jvp(lambda y: texts.append(repr(y)) or y * x, (ONE,), (ONE,))[1])(tensor(3.0))
    assert texts == ["DualTensor(lvl=2, value=tensor(1.), tangent=tensor(1.))"]
    seen = []
    grad(lambda x: seen.append((repr(x), debug_unwrap(x))) or x)(tensor(3.0))
    assert seen == [("GradTrackingTensor(lvl=1, value=tensor(3.))", tensor(3.0))]


def test_values_that_python_reads():
    x = tensor([2.0, 3.0])
    assert grad(lambda x: x.sum() * x[0].item())(x).tolist() == [2, 2]
    assert grad(lambda x: x.sum() if x[0] > 0 else -x.sum())(x).tolist() == [1, 1]
    assert jvp(lambda x: x * float(x[1]), (x,), (x,))[1].tolist() == [6, 9]


class Cube(Function):
    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x**2

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t * 3 * x**2


def test_custom_functions():
    two = tensor(2.0)
    f = Cube.apply
    assert grad(f)(two).item() == 12 == jvp(f, (two,), (ONE,))[1].item()
    assert [g.item() for g in (grad(grad(f))(two), jvp(grad(f), (two,), (ONE,))[1], hessian(f)(two))] == [12, 12, 12]
    assert grad(lambda x: jvp(f, (x,), (ONE,))[1])(two).item() == 12
    assert grad(grad(grad(f)))(two).item() == 6
    w = tensor(3.0, requires_grad=True)
    assert autograd.grad(grad(lambda x: f(x * w))(two), w)[0].item() == 3 * 3 * 3**2 * 2**2

    class WithCtx(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    with pytest.raises(RuntimeError, match="setup_context"):
        grad(WithCtx.apply)(two)
    with pytest.raises(NotImplementedError, match="jvp"), autograd.forward_ad.dual_level():
        WithCtx.apply(autograd.forward_ad.make_dual(two, ONE))


def test_an_operator_without_derivative_is_named():
    for f in (lambda x: core.special_zeta(x, tensor(2.0)), lambda x: core.igamma(x, tensor(2.0))):
        with pytest.raises(NotImplementedError, match="not implemented"):
            jvp(f, (tensor(3.0),), (ONE,))


def test_complex():
    z, t = tensor([1 + 2j, 0.5j]), tensor([1j, 2 + 0j])
    assert allclose(jvp(lambda z: z * z, (z,), (t,))[1], 2 * z * t)
    assert allclose(jvp(lambda z: z.exp(), (z,), (t,))[1], z.exp() * t)
    assert allclose(jvp(lambda z: z.abs(), (z,), (t,))[1], (z.conj() * t).real / z.abs())
    assert allclose(jvp(lambda z: core.view_as_real(z)[..., 1], (z,), (t,))[1], t.imag)
    assert allclose(grad(lambda z: (z.abs() ** 2).sum())(z), 2 * z)
    with pytest.raises(RuntimeError, match="real"):
        jacrev(lambda z: z)(z)


def test_per_sample_gradients():
    x, y = randn(5, 3, dtype=float64), randn(5, dtype=float64)
    w = randn(3, dtype=float64)

    def loss(w, x, y):
        return ((x @ w).tanh() - y) ** 2

    together = vmap(grad(loss), in_dims=(None, 0, 0))(w, x, y)
    assert allclose(together, core.stack([grad(loss)(w, a, b) for a, b in zip(x, y, strict=True)]))
    assert allclose(together, jacrev(lambda w: vmap(loss, in_dims=(None, 0, 0))(w, x, y))(w))


def test_products_can_be_asked_for_again():
    _, pull = vjp(lambda x: x**2, X)
    assert allclose(pull(V)[0], pull(V)[0])
    assert allclose(pull(V, retain_graph=False)[0], 2 * X * V)
    with pytest.raises(RuntimeError, match="second time"):
        pull(V)
    _, push = linearize(lambda x: x**3, X)
    assert allclose(push(V) * 2, push(2 * V)) and allclose(vmap(push)(W), W * 3 * X**2)


def test_threads_have_transforms_of_their_own():
    found = {}

    def work(n):
        found[n] = [hessian(lambda x: (x**n).sum())(ones(2)).tolist() for _ in range(5)]

    workers = [threading.Thread(target=work, args=(n,)) for n in (2, 3, 4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert all(r == [[n * (n - 1), 0], [0, n * (n - 1)]] for n in (2, 3, 4) for r in found[n])


def test_nothing_is_left_behind():
    """Graphs of transforms go without the cycle collector, also after an error."""

    def count():
        return sum(1 for o in gc.get_objects() if type(o).__name__ in ("GradTensor", "DualTensor"))

    gc.collect()
    gc.disable()
    try:
        before = count()
        for f in (grad(lambda x: (x.exp() * x).sum()), hessian(lambda x: (x.exp() * x).sum()),
                  lambda x: jvp(grad(lambda x: (x**3).sum()), (x,), (x,)), lambda x: grad(lambda x: x.bad)(x)):
            with contextlib.suppress(AttributeError):
                f(tensor([1.0, 2.0]))
        assert count() == before
    finally:
        gc.enable()
    assert grad(lambda x: x * 2)(ONE).item() == 2


def test_out_and_leaves():
    def f(x):
        out = core.empty(3, dtype=float64)
        return core.mul(x, x, out=out).sum() + out[0]

    assert jvp(f, (X,), (V,))[1].item() == pytest.approx((2 * X * V).sum().item() + (2 * X * V)[0].item())
    with pytest.raises(RuntimeError, match="out="):
        grad(f)(X)
    seen = []
    grad(lambda x: seen.append((x.is_leaf, x.grad_fn, (x * 2).is_leaf, x.detach().requires_grad)) or x.sum())(X)
    assert seen == [(True, None, False, False)]


def test_hooks_and_gradients_within():
    def hooked(x):
        y = x * x
        y.register_hook(lambda g: g * 3)
        return y.sum()

    assert allclose(grad(hooked)(X), 6 * X)
    assert allclose(grad(lambda x: autograd.grad((x**3).sum(), x, create_graph=True)[0].sum())(X), 6 * X)


def test_rearrange():
    from lamella.autograd.func import rearrange

    x = core.arange(24).reshape(2, 3, 4)
    for pattern, sizes, shape in (("a b c -> c a b", {}, (4, 2, 3)), ("a b c -> (a b) c", {}, (6, 4)),
                                  ("a ... -> ... a", {}, (3, 4, 2)), ("... -> (...)", {}, (24,)),
                                  ("a b (c d) -> b a 1 (d c)", {"d": 2}, (3, 2, 1, 4))):  # fmt: skip
        assert rearrange(x, pattern, **sizes).shape == shape
    assert rearrange([x, x], "l a b c -> (l a) b c").shape == (4, 3, 4)
    for wrong in ("a b c", "a b c -> a b", "a b -> b a", "a a b -> a b", "a (b c -> a b c", "a b 2 -> a b 2",
                  "(a ...) c -> a ... c", "a b (c d) -> a b c d", "a b c - > a b c"):  # fmt: skip
        with pytest.raises(ValueError, match="rearrange"):
            rearrange(x, wrong)
    with pytest.raises(TypeError, match="int"):
        rearrange(x, "a b c -> a b c", a=2.0)


def test_custom_operators():
    """An operator of outside, with a gradient registered after a transform has met it without."""
    from lamella.dispatch.custom import custom_op

    @custom_op("transforms_test::cube", mutates_args=())
    def cube(x: core.Tensor) -> core.Tensor:
        return tensor(x.numpy() ** 3)

    try:
        with pytest.raises(NotImplementedError):
            grad(lambda x: cube(x).sum())(X)

        def setup(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])

        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

        cube.register_autograd(backward, setup_context=setup)
        assert allclose(grad(lambda x: cube(x).sum())(X), 3 * X**2)
        assert allclose(jvp(cube, (X,), (V,))[1], 3 * X**2 * V)
        assert allclose(hessian(lambda x: cube(x).sum())(X), core.diag(6 * X))
        assert allclose(grad(lambda x: (grad(lambda x: cube(x).sum())(x) * V).sum())(X), 6 * X * V)
        assert allclose(vmap(grad(cube))(X), 3 * X**2)
        with autograd.forward_ad.dual_level():
            d = autograd.forward_ad.make_dual(X.clone().requires_grad_(), V)
            (g,) = autograd.grad(cube(d).sum(), d)
            assert allclose(autograd.forward_ad.unpack_dual(g).tangent, 6 * X * V)
    finally:
        from lamella.dispatch import registry

        registry.undefine(registry.find("transforms_test::cube"))


@pytest.mark.parametrize("name", ["transforms.api", "transforms.jacobians", "transforms.batched", "functional",
                                  "forward_ad", "gradcheck", "rearranging", "pytree"])  # fmt: skip
def test_examples(name):
    found = doctest.testmod(importlib.import_module(f"lamella.autograd.{name}"))
    assert found.attempted and not found.failed
