"""Custom Functions inside vmap."""

import pytest

import lamella.autograd as autograd
from lamella import core
from lamella.autograd import Function, vmap
from lamella.autograd.func import grad, jvp
from lamella.core import ones, randn


class Product(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, y):
        return x * y, x + y

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y = inputs
        ctx.save_for_backward(x, y)
        ctx.save_for_forward(x, y)

    @staticmethod
    def backward(ctx, a, b):
        x, y = ctx.saved_tensors
        return a * y + b, a * x + b

    @staticmethod
    def jvp(ctx, tx, ty):
        x, y = ctx.saved_tensors
        return tx * y + x * ty, tx + ty


class Scale(Function):
    calls: list = []

    @staticmethod
    def forward(x, k):
        return x * k

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.k = inputs[1]

    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None

    @staticmethod
    def vmap(info, in_dims, x, k):
        Scale.calls.append((info.batch_size, info.randomness, in_dims, tuple(x.shape)))
        return Scale.apply(x, k), in_dims[0]


def total(x, y):
    p, s = Product.apply(x, y)
    return (p * s).sum()


def test_generated_rule():
    x, y = randn(3, 4), randn(4)
    p, s = vmap(Product.apply, in_dims=(0, None))(x, y)
    assert core.allclose(p, x * y) and core.allclose(s, x + y)
    p, _ = vmap(Product.apply, in_dims=(1, None))(x.t(), y)
    assert core.allclose(p, x * y)
    wanted = [autograd.grad(total(a, b), (a, b)) for a, b in
              [(r.clone().requires_grad_(), y.clone().requires_grad_()) for r in x]]
    gx, gy = vmap(grad(total, argnums=(0, 1)), in_dims=(0, None))(x, y)
    assert core.allclose(gx, core.stack([w[0] for w in wanted]))
    assert core.allclose(gy, core.stack([w[1] for w in wanted]))
    a, b = x.clone().requires_grad_(), y.clone().requires_grad_()
    ga, gb = autograd.grad(vmap(total, in_dims=(0, None))(a, b).sum(), (a, b))
    assert core.allclose(ga, gx) and core.allclose(gb, gy.sum(0))
    out, moved = jvp(lambda a: vmap(Product.apply, in_dims=(0, None))(a, y)[0], (x,), (ones(3, 4),))
    assert core.allclose(out, x * y) and core.allclose(moved, y.expand(3, 4))
    twice = vmap(vmap(lambda a, b: Product.apply(a, b)[0]), in_dims=(0, None))(x, y)
    assert core.allclose(twice, x * y)


def test_own_rule():
    Scale.calls.clear()
    x = randn(2, 3)
    assert core.allclose(vmap(Scale.apply, in_dims=(1, None))(x, 3.0), x.t() * 3)
    assert Scale.calls == [(3, "error", (1, None), (2, 3))]
    assert core.allclose(vmap(grad(lambda v: Scale.apply(v, 3.0).sum()))(x), ones(2, 3) * 3)


class Bare(Function):
    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass


def test_errors():
    class Both(Bare):
        generate_vmap_rule = True

        @staticmethod
        def vmap(info, in_dims, x):
            return x, 0

    class NoDims(Bare):
        @staticmethod
        def vmap(info, in_dims, x):
            return x

    class Wrong(Bare):
        @staticmethod
        def vmap(info, in_dims, x):
            return (x, x), (0,)

    class Old(Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(ctx, x):
            return x

    for cls, text in ((Bare, "does not have vmap support"), (Both, "both generate_vmap_rule=True"),
                      (NoDims, "two returns"), (Wrong, "incompatible"), (Old, "setup_context")):
        with pytest.raises(RuntimeError, match=text):
            vmap(cls.apply)(ones(3))


def test_rule_that_returns_an_unbatched_result():
    class Sum(Bare):
        @staticmethod
        def vmap(info, in_dims, x):
            return x.sum(), None

    assert vmap(Sum.apply)(ones(3)).tolist() == [3.0, 3.0, 3.0]


def test_registered_rules_of_custom_operators():
    from lamella.dispatch import custom_op

    seen = []

    @custom_op("vmaptest::double", mutates_args=())
    def double(x: core.Tensor, k: float = 2.0) -> core.Tensor:
        return x * k

    assert vmap(double)(ones(3, 2)).tolist() == [[2.0, 2.0]] * 3  # without a rule: once per example

    @double.register_vmap
    def rule(info, in_dims, x, k=2.0):
        seen.append((info.batch_size, in_dims, tuple(x.shape)))
        return double(x, k), in_dims[0]

    assert vmap(double, in_dims=1)(ones(3, 2)).tolist() == [[2.0] * 3] * 2
    assert seen == [(2, (1,), (3, 2))]
    assert vmap(vmap(lambda x: double(x, 3.0)))(ones(3, 2)).tolist() == [[3.0, 3.0]] * 3


class ScaledBoth(Function):
    """Keeps one tensor for backward and two for forward mode, with their batches at different places."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, scale):
        return x * scale

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, scale = inputs
        ctx.save_for_backward(scale)
        ctx.save_for_forward(x, scale)

    @staticmethod
    def backward(ctx, g):
        (scale,) = ctx.saved_tensors
        return g * scale, None

    @staticmethod
    def jvp(ctx, dx, dscale):
        x, scale = ctx.saved_tensors
        return dx * scale + (0 if dscale is None else x * dscale)


def test_generated_rule_keeps_tensors_for_both_modes_apart():
    x, scale = core.arange(6.0).reshape(2, 3), core.tensor(3.0)
    rows = vmap(grad(lambda x: ScaledBoth.apply(x, scale).sum()))(x)
    assert rows.tolist() == [[3.0] * 3] * 2
    leaf = x.detach().requires_grad_()
    vmap(lambda x: ScaledBoth.apply(x, scale))(leaf).sum().backward()
    assert leaf.grad.tolist() == [[3.0] * 3] * 2
    ones = core.ones(2, 3)
    pushed = jvp(lambda x: vmap(lambda x: ScaledBoth.apply(x, scale))(x), (x,), (ones,))[1]
    assert pushed.tolist() == [[3.0] * 3] * 2
