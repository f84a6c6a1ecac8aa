"""gradcheck and gradgradcheck."""

import pytest

from lamella import core as T
from lamella.autograd import Function, GradcheckError, gradcheck, gradgradcheck


def leaf(*values, dtype=T.float64):
    return T.tensor(list(values), dtype=dtype, requires_grad=True)


class Wrong(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 3


@pytest.mark.parametrize("fast_mode", [False, True])
def test_right_and_wrong(fast_mode):
    x, y = leaf(0.5, 1.5), leaf(2.0, 3.0)
    assert gradcheck(lambda a, b: (a * b, (a + b).exp()), (x, y), fast_mode=fast_mode)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"):
        gradcheck(Wrong.apply, x, fast_mode=fast_mode)
    assert gradcheck(Wrong.apply, (x,), raise_exception=False, fast_mode=fast_mode) is False


@pytest.mark.parametrize("fast_mode", [False, True])
def test_complex(fast_mode):
    z, x = leaf(1 + 2j, 0.5 - 1j, dtype=T.complex128), leaf(2.0, 3.0)
    assert gradcheck(lambda z, x: z * z * x, (z, x), fast_mode=fast_mode)
    assert gradcheck(lambda z: (z * z.conj()).real, (z,), fast_mode=fast_mode)
    assert gradgradcheck(lambda z: z * z * z, (z,), fast_mode=fast_mode)


def test_second_derivatives():
    x = leaf(0.5, 1.5)
    assert gradgradcheck(lambda x: x * x * x, x)
    assert gradgradcheck(lambda x: x.exp(), x, gen_non_contig_grad_outputs=True)
    assert gradgradcheck(lambda x: x * x * x, x, T.ones(2, dtype=T.float64, requires_grad=True))

    class WrongTwice(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0].detach()

    assert gradcheck(WrongTwice.apply, x)
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradgradcheck(WrongTwice.apply, x)


def test_undefined_gradients():
    class NeedsGrad(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            if g is None:
                raise RuntimeError("no gradient")
            return g * 2

    with pytest.raises(GradcheckError, match="handle undefined output grads"):
        gradcheck(NeedsGrad.apply, leaf(1.0))


def test_what_it_asks_of_inputs():
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(lambda x: x, T.ones(2))
    with pytest.warns(UserWarning, match="Input #0"):
        gradcheck(lambda x: x * 2, leaf(1.0, dtype=T.float32), eps=1e-2, atol=1e-2)
    with pytest.raises(RuntimeError, match="stride 0"):
        gradcheck(lambda x: x * 2, T.ones(1, dtype=T.float64).expand(3).requires_grad_())


def test_outputs_without_gradient():
    assert gradcheck(lambda x: T.ones(2, dtype=T.float64), leaf(1.0, 2.0))
    with pytest.raises(GradcheckError, match="does not require grad, but changes"):
        gradcheck(lambda x: x.detach() * 2, leaf(1.0, 2.0))


def test_dtype_of_gradients_and_random_backward():
    calls = []

    class Drifting(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            calls.append(1)
            return g * (2 + 1e-7 * len(calls))

    with pytest.raises(GradcheckError, match="not reentrant"):
        gradcheck(Drifting.apply, leaf(1.0))
    assert gradcheck(Drifting.apply, leaf(1.0), nondet_tol=1e-3, check_grad_dtypes=True)
