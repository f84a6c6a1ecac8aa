"""Forward mode of every sample of this package's operators, and modules as functions of their state."""

import pytest

import lamella.autograd as autograd
from lamella import core, nn
from lamella.autograd.func import grad, jacfwd, jacrev, jvp, vjp, vmap
from lamella.core import Tensor, randn_like
from lamella.core.samples import resolve
from lamella.core.testing import leaves, map_tensors
from lamella.nn import functional as F
from lamella.nn.func import functional_call, replace_all_batch_norm_modules_, stack_module_state
from lamella.nn.samples import functional_samples

SAMPLES = [s for s in functional_samples() if s.grad and not s.random]
IDS = [f"{i}-{s.name.rpartition('.')[2]}" for i, s in enumerate(SAMPLES)]


def as_function(sample, call):
    """The call as a function of its differentiable leaves alone."""
    args, kwargs = call
    inputs = [x for x in leaves((args, kwargs)) if isinstance(x, Tensor) and x.requires_grad]
    fn = resolve(sample.name)

    def of_inputs(*given):
        swap = {id(old): new for old, new in zip(inputs, given, strict=True)}
        out = fn(*map_tensors(lambda t: swap.get(id(t), t), args), **map_tensors(lambda t: swap.get(id(t), t), kwargs))
        return tuple(o for o in leaves(out) if isinstance(o, Tensor) and o.is_floating_point())

    return of_inputs, tuple(x.detach().requires_grad_() for x in inputs)


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
        left = sum(float((s * t).sum()) for s, t in zip(seeds, moved, strict=True))
        right = sum(float((g * v).sum()) for g, v in zip(pull(seeds), along, strict=True))
        assert left == pytest.approx(right, rel=1e-8, abs=1e-8, nan_ok=True)
