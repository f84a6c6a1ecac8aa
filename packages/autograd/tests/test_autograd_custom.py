"""Gradients of operators made with `custom_op` and `register_autograd`, on real tensors."""

import pytest

from lamella import autograd, core
from lamella.core import Tensor
from lamella.dispatch import Library, TorchDispatchMode, custom, custom_op, opcheck, ops, register_autograd


@pytest.fixture
def scaled_sin():
    @custom_op("tag::scaled_sin", mutates_args=())
    def scaled_sin(x: Tensor, k: float = 2.0) -> Tensor:
        return core.sin(x) * k

    def setup(ctx, inputs, output):
        x, k = inputs
        ctx.save_for_backward(x)
        ctx.k = k
        ctx.needs = ctx.needs_input_grad

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * core.cos(x) * ctx.k, None

    scaled_sin.register_autograd(backward, setup_context=setup)
    scaled_sin.register_fake(lambda x, k: core.empty_like(x))
    yield scaled_sin
    custom.OPDEFS.pop("tag::scaled_sin")._lib._destroy()


def leaf(*values, dtype=core.float32):
    return core.tensor(values, dtype=dtype, requires_grad=True)


def test_gradient(scaled_sin):
    x = leaf(1.0, 2.0)
    y = scaled_sin(x, 3.0)
    assert type(y.grad_fn).__name__ and y.grad_fn.name() == "GeneratedBackwardFor_tag_scaled_sin_defaultBackward"
    y.sum().backward()
    assert core.allclose(x.grad, 3 * core.cos(x.detach()))


def test_the_body_is_not_recorded(scaled_sin):
    x = leaf(1.0)
    assert scaled_sin(x).grad_fn.next_functions[0][0].variable is x


def test_no_history_where_none_is_wanted(scaled_sin):
    assert not scaled_sin(core.ones(2)).requires_grad
    with autograd.no_grad():
        assert not scaled_sin(leaf(1.0)).requires_grad


def test_double_backward_and_gradcheck(scaled_sin):
    x = leaf(0.3, 0.7, dtype=core.float64)
    assert autograd.gradcheck(lambda x: scaled_sin(x, 3.0), (x,))
    assert autograd.gradgradcheck(lambda x: scaled_sin(x, 3.0), (x,))


def test_under_a_mode(scaled_sin):
    class Log(TorchDispatchMode):
        seen = ()

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.seen += (func.name,)
            return func(*args, **(kwargs or {}))

    x = leaf(1.0)
    with Log() as log:
        y = scaled_sin(x)
    assert log.seen == ("tag::scaled_sin",)
    y.backward()
    assert core.allclose(x.grad, 2 * core.cos(x.detach()))


def test_opcheck(scaled_sin):
    assert set(opcheck(scaled_sin, (leaf(1.0, 2.0), 3.0)).values()) == {"SUCCESS"}


@pytest.fixture
def lib():
    made = Library("tag2", "DEF")
    yield made
    made._destroy()


def test_without_a_formula(lib):
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x.clone(), "CompositeExplicitAutograd")
    y = ops.tag2.f(leaf(1.0))
    with pytest.raises(NotImplementedError, match="the derivative for 'tag2::f' is not implemented"):
        y.backward()


def test_lists_of_tensors(lib):
    lib.define("f(Tensor[] xs, float s) -> Tensor[]")
    lib.impl("f", lambda xs, s: [x * s for x in xs], "CPU")
    needs = []

    def setup(ctx, inputs, output):
        xs, ctx.s = inputs
        needs.append(ctx.needs_input_grad)
        assert isinstance(xs, list) and isinstance(output, list)

    register_autograd("tag2::f", lambda ctx, grads: ([g * ctx.s for g in grads], None), setup_context=setup, lib=lib)
    a, b, c = leaf(1.0), leaf(2.0), core.ones(1)
    out = ops.tag2.f([a, b, c], 3.0)
    assert isinstance(out, list) and needs == [([True, True, False], False)]
    (out[0] + 10 * out[1]).backward()
    assert (a.grad.item(), b.grad.item()) == (3.0, 30.0)


def test_several_results_and_keyword_only_arguments(lib):
    lib.define("f(Tensor x, *, float k=2.0) -> (Tensor, Tensor)")
    lib.impl("f", lambda x, *, k: (x * k, x + k), "CPU")

    def setup(ctx, inputs, keyword_only_inputs, output):
        assert len(inputs) == 1 and len(output) == 2
        ctx.k = keyword_only_inputs["k"]

    register_autograd("tag2::f", lambda ctx, g, h: g * ctx.k + h, setup_context=setup, lib=lib)
    x = leaf(1.0)
    out = ops.tag2.f(x, k=5.0)
    assert isinstance(out, tuple)
    (out[0] + out[1]).backward()
    assert x.grad.item() == 6.0
    y = leaf(1.0)
    ops.tag2.f(y)[1].backward()  # the result nobody used has a gradient of zeros
    assert y.grad.item() == 1.0


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (lambda g: (g, None, None), "tag2::f: backward must return one gradient per argument, 2, not 3"),
        (lambda g: (g, g), "tag2::f: the gradient of argument 0 must be a list of 2, as the argument is"),
        (lambda g: ([g], None), "tag2::f: the gradient of argument 0 must be a list of 2, as the argument is"),
    ],
)
def test_wrong_gradients(lib, result, words):
    lib.define("f(Tensor[] xs, float s) -> Tensor")
    lib.impl("f", lambda xs, s: xs[0] * s, "CPU")
    register_autograd("tag2::f", lambda ctx, g: result(g), lib=lib)
    with pytest.raises(RuntimeError) as caught:
        ops.tag2.f([leaf(1.0), leaf(1.0)], 1.0).backward()
    first, hint = str(caught.value).split("\n")
    assert first == words and hint.startswith("hint: registered at ") and "test_autograd_custom.py:" in hint


def test_none_for_a_list(lib):
    lib.define("f(Tensor[] xs, Tensor y) -> Tensor")
    lib.impl("f", lambda xs, y: xs[0] * y, "CPU")
    register_autograd("tag2::f", lambda ctx, g: (None, g), lib=lib)
    a, y = leaf(2.0), leaf(3.0)
    ops.tag2.f([a, a], y).backward()
    assert a.grad is None and y.grad.item() == 1.0
