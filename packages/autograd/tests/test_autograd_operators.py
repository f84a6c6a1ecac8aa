"""Gradients of every differentiable operator's samples, by finite differences."""

import pytest

import lamella.autograd as autograd
from lamella.core import Tensor
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
        outs = [o for o in leaves(out) if isinstance(o, Tensor) and (o.is_floating_point() or o.is_complex())]
        return tuple(o for o in outs if o.requires_grad) or tuple(outs)

    return of_inputs, tuple(inputs)


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_gradcheck(sample):
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        assert not inputs or autograd.gradcheck(fn, inputs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sample", [s for s in SAMPLES if s.gradgrad], ids=[i for i, s in zip(IDS, SAMPLES, strict=True) if s.gradgrad]
)
def test_gradgradcheck(sample):
    for call in sample.make():
        fn, inputs = as_function(sample, call)
        assert not inputs or autograd.gradgradcheck(fn, inputs)
