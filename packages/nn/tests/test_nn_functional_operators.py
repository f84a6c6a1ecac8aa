"""Every sample of this package's operators: shape rules, in-place forms, out=, gradients by finite differences."""

import pytest

import lamella.autograd as autograd
from lamella.core import Tensor
from lamella.core.samples import resolve
from lamella.core.testing import check_inplace, check_meta, check_out, leaves, map_tensors
from lamella.nn.samples import functional_samples

SAMPLES = functional_samples()
GRAD = [s for s in SAMPLES if s.grad and not s.random]


def ids(rows):
    return [f"{i}-{s.name.rpartition('.')[2]}" for i, s in enumerate(rows)]


@pytest.mark.parametrize("sample", SAMPLES, ids=ids(SAMPLES))
def test_meta(sample):
    assert check_meta(sample) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=ids(SAMPLES))
def test_inplace_and_out(sample):
    assert check_inplace(sample) == []
    assert check_out(sample) == []


def as_function(sample, call):
    """The call as a function of its differentiable leaves alone."""
    args, kwargs = call
    inputs = [x for x in leaves((args, kwargs)) if isinstance(x, Tensor) and x.requires_grad]
    fn = resolve(sample.name)

    def of_inputs(*given):
        swap = {id(old): new for old, new in zip(inputs, given, strict=True)}
        out = fn(*map_tensors(lambda t: swap.get(id(t), t), args), **map_tensors(lambda t: swap.get(id(t), t), kwargs))
        outs = [o for o in leaves(out) if isinstance(o, Tensor) and o.is_floating_point()]
        return tuple(o for o in outs if o.requires_grad) or tuple(outs)

    return of_inputs, tuple(x.detach().requires_grad_() for x in inputs)


@pytest.mark.parametrize("sample", GRAD, ids=ids(GRAD))
def test_gradcheck(sample):
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        assert not inputs or autograd.gradcheck(fn, inputs)


TWICE = [s for s in GRAD if s.gradgrad]


@pytest.mark.slow
@pytest.mark.parametrize("sample", TWICE, ids=ids(TWICE))
def test_gradgradcheck(sample):
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        assert not inputs or autograd.gradgradcheck(fn, inputs)
