"""User-defined functions."""

import pytest

from lamella import core as T
from lamella.autograd import Function, InplaceFunction, grad, is_grad_enabled, no_grad, once_differentiable


class Square(Function):
    @staticmethod
    def forward(ctx, x, scale=1):
        ctx.save_for_backward(x)
        ctx.scale = scale
        assert not is_grad_enabled()
        return x * x * scale

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x * ctx.scale, None


class Exp(Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


def leaf(*values):
    return T.tensor(list(values), requires_grad=True)


def test_forward_and_backward():
    x = leaf(1.0, 2.0)
    y = Square.apply(x, 3)
    assert y.grad_fn.name() == "SquareBackward" and y.grad_fn.saved_tensors[0] is x
    assert repr(y.grad_fn).startswith("<SquareBackward object at") and y.grad_fn.scale == 3
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 12.0]


def test_default_argument_and_no_grad():
    x = leaf(2.0)
    Square.apply(x).backward()
    assert x.grad.item() == 4.0
    with no_grad():
        assert not Square.apply(x).requires_grad
    assert not Square.apply(T.ones(1)).requires_grad


def test_double_backward():
    x = leaf(3.0)
    (g,) = grad(Square.apply(x), x, create_graph=True)
    (h,) = grad(g, x)
    assert (g.item(), h.item()) == (6.0, 2.0)


def test_saved_output_under_double_backward():
    x = leaf(0.0)
    y = Exp.apply(x)
    (g,) = grad(y, x, create_graph=True)
    (h,) = grad(g, x, create_graph=True)
    (k,) = grad(h, x)
    assert (g.item(), h.item(), k.item()) == (1.0, 1.0, 1.0)


def test_setup_context_takes_keywords():
    class Scale(Function):
        @staticmethod
        def forward(x, factor=2.0):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    x = leaf(1.0)
    Scale.apply(x).backward()
    Scale.apply(x, factor=5.0).backward()
    assert x.grad.item() == 7.0


def test_several_inputs_and_outputs():
    class Both(Function):
        @staticmethod
        def forward(ctx, a, n, b):
            ctx.needs = ctx.needs_input_grad
            return a + b, "text", a - b

        @staticmethod
        def backward(ctx, g, _, h):
            return g + h, None, g - h

    a, b = leaf(1.0), leaf(2.0)
    s, text, d = Both.apply(a, 3, b)
    assert text == "text" and s.grad_fn is d.grad_fn and (s.output_nr, d.output_nr) == (0, 2)
    assert s.grad_fn.needs == (True, False, True)
    (s * 2 + d * 5).backward()
    assert (a.grad.item(), b.grad.item()) == (7.0, -3.0)


def test_materialize_grads():
    class Two(Function):
        @staticmethod
        def forward(ctx, x, keep):
            ctx.set_materialize_grads(keep)
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, a, b):
            seen.append((a, b))
            return None, None

    seen = []
    x = leaf(1.0, 1.0)
    for keep in (True, False):
        Two.apply(x, keep)[0].sum().backward()
    assert seen[0][1].tolist() == [0.0, 0.0] and seen[1][1] is None
    assert x.grad is None


def test_mark_dirty():
    class Add1(Function):
        @staticmethod
        def forward(ctx, x):
            x.add_(1)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 10

    x = leaf(1.0, 2.0)
    y = x * 1
    z = Add1.apply(y)
    assert z is y and y.grad_fn.name() == "Add1Backward"
    y.sum().backward()
    assert x.grad.tolist() == [10.0, 10.0]
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        Add1.apply(x)
    base = leaf(1.0, 2.0) * 1
    view = base[:1]
    Add1.apply(view)
    assert base.tolist() == [2.0, 2.0] and base.grad_fn.name() == "CopySlices"


def test_dirty_input_must_be_returned():
    class Bad(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    with pytest.raises(RuntimeError, match="marked as dirty"):
        Bad.apply(leaf(1.0) * 1)


def test_mark_non_differentiable_and_integers():
    class Sort(Function):
        @staticmethod
        def forward(ctx, x):
            mask = x * 0
            ctx.mark_non_differentiable(mask)
            return x * 2, mask, T.tensor([1])

        @staticmethod
        def backward(ctx, g, *_):
            return g * 2

    x = leaf(1.0)
    y, mask, index = Sort.apply(x)
    assert y.requires_grad and not mask.requires_grad and not index.requires_grad
    y.backward()
    assert x.grad.item() == 2.0


def test_input_returned_as_is():
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 7

    x = leaf(1.0)
    y = Same.apply(x)
    assert y is not x and y.data_ptr() == x.data_ptr() and not y.is_leaf
    y.backward()
    assert x.grad.item() == 7.0
    with pytest.raises(RuntimeError, match="created inside a custom Function"):
        Same.apply(x * 1).add_(1)


def test_once_differentiable():
    class Once(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            assert not is_grad_enabled()
            return g * 2 * ctx.saved_tensors[0]

    x = leaf(2.0)
    Once.apply(x).backward()
    assert x.grad.item() == 4.0
    (g,) = grad(Once.apply(x), x, T.ones(1, requires_grad=True), create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        g.backward()


def test_what_backward_may_return():
    class Returns(Function):
        @staticmethod
        def forward(ctx, x, what):
            ctx.what = what
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return ctx.what(g)

    x = leaf(1.0, 2.0)

    def run(what):
        x.grad = None
        Returns.apply(x, what).sum().backward()
        return x.grad

    assert run(lambda g: (g, None, None)).tolist() == [1.0, 1.0]
    assert run(lambda g: (None, None)) is None
    assert run(lambda g: (g.expand(3, 2), None)).tolist() == [3.0, 3.0]
    assert run(lambda g: (g.to(T.float64), None)).dtype is T.float32
    with pytest.raises(RuntimeError, match=r"incorrect number of gradients \(expected 2, got 1\)"):
        run(lambda g: g)
    with pytest.raises(RuntimeError, match="invalid gradient"):
        run(lambda g: (T.ones(5), None))
    with pytest.raises(RuntimeError, match="different from None at position 2"):
        run(lambda g: (g, g))
    with pytest.raises(TypeError, match="expected Variable or None"):
        run(lambda g: (1.0, None))


def test_errors():
    class Empty(Function):
        pass

    x = leaf(1.0)
    with pytest.raises(NotImplementedError, match="forward"):
        Empty.apply(x)

    class NoBackward(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

    with pytest.raises(NotImplementedError, match="backward"):
        NoBackward.apply(x).backward()

    class SavesNumbers(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, 3)
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g

    with pytest.raises(TypeError, match="argument 1 is of type int"):
        SavesNumbers.apply(x)
    with pytest.raises(RuntimeError, match="legacy"):
        Square()(x)


def test_saved_tensors_are_checked_and_freed():
    x = leaf(1.0) * 1
    y = Square.apply(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation(.|\n)*saved by "
                                           r"SquareBackward(.|\n)*add_"):
        y.backward()
    z = Square.apply(leaf(1.0))
    z.backward()
    with pytest.raises(RuntimeError, match="SquareBackward: Trying to backward through the graph a second time"):
        z.backward()


def test_vjp_is_backward():
    class V(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, g):
            return g * 2

    x = leaf(1.0)
    V.apply(x).backward()
    assert x.grad.item() == 2.0


def test_free_form_attributes_do_not_collide_with_the_node():
    class Free(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.edges, ctx.kind, ctx.seq, ctx.saved, ctx.inputs, ctx.kept = 1, 2, 3, 4, 5, 6
            return x * 2

        @staticmethod
        def backward(ctx, g):
            assert (ctx.edges, ctx.kind, ctx.seq, ctx.saved, ctx.inputs, ctx.kept) == (1, 2, 3, 4, 5, 6)
            return g * 2

    x = leaf(1.0)
    Free.apply(x).backward()
    assert x.grad.item() == 2.0


def test_inplace_function_has_a_flag():
    assert InplaceFunction(True).inplace
