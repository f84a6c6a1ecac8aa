"""No kernel shows memory that it did not write: results and gradients are the same whatever fresh memory holds."""

from importlib import import_module

import numpy as np
import pytest

from lamella import autograd, core
from lamella.core import Tensor
from lamella.core.samples import all_samples, resolve
from lamella.core.testing import leaves, map_tensors
from lamella.core.xp import NUMPY
from lamella.nn.samples import functional_samples

LAYERS = ("conv", "padding", "pooling", "pooling_adaptive", "normalization", "vision")
SAMPLES = [
    *all_samples(),
    *functional_samples(),
    *(s for family in LAYERS for s in import_module(f"lamella.nn.samples.{family}").SAMPLES),
]
IDS = [f"{i}-{s.name}" for i, s in enumerate(SAMPLES)]
#: What `empty` is for.
BLANK = ("empty", "new_empty", "resize")


def dirty(make, byte):
    """numpy.empty (or empty_like) whose memory is full of one byte."""

    def fresh(*args, **kwargs):
        a = make(*args, **kwargs)
        if a.size and a.flags.c_contiguous and a.dtype.kind != "O":
            a.reshape(-1).view(np.uint8)[...] = byte if a.dtype.kind != "b" else byte & 1
        return a

    return fresh


def empty_first(call):
    """The call with operands that have nothing along their first dimension, where they all have one of that size."""
    tensors = [x for x in leaves(call) if isinstance(x, Tensor)]
    sizes = {x.shape[0] for x in tensors if x.ndim}
    if len(sizes) != 1 or any(x.requires_grad and not x.is_leaf for x in tensors):
        return None
    return map_tensors(lambda x: x.detach()[:0].requires_grad_(x.requires_grad) if x.ndim else x, call)


def outcome(sample, call):
    """What a call gives, and the gradients of its operands; the class of the error if it raises one."""
    core.manual_seed(0)
    args, kwargs = call
    try:
        r = resolve(sample.name)(*args, **kwargs)
        outs = [x for x in leaves(r) if isinstance(x, Tensor)]
        found = [x.detach().resolve_conj()._a.copy() for x in outs]
        ins = [x for x in leaves(call) if isinstance(x, Tensor) and x.requires_grad and x.is_leaf]
        roots = [x for x in outs if x.requires_grad]
        if ins and roots:
            grads = autograd.grad(roots, ins, [core.ones_like(x) for x in roots], allow_unused=True)
            found += [g._a.copy() for g in grads if g is not None]
        return found
    except (RuntimeError, IndexError, ValueError, TypeError) as e:
        return type(e)


@pytest.mark.parametrize("sample", [s for s in SAMPLES if not s.name.rpartition(".")[2].startswith(BLANK)])
def test_results_do_not_depend_on_what_memory_held(sample, monkeypatch):
    count = len(sample.make())
    for i in range(2 * count):
        seen = []
        for byte in (0x00, 0x77):
            call = sample.make()[i % count]  # fresh operands: some calls write into them
            call = call if i < count else empty_first(call)
            if call is None:
                break
            with monkeypatch.context() as m:
                for home in (NUMPY, np):
                    m.setattr(home, "empty", dirty(np.empty, byte))
                    m.setattr(home, "empty_like", dirty(np.empty_like, byte))
                seen.append(outcome(sample, call))
        if len(seen) == 2:
            a, b = seen
            if isinstance(a, type) or isinstance(b, type):
                assert a is b
                continue
            assert len(a) == len(b)
            for x, y in zip(a, b, strict=True):
                np.testing.assert_array_equal(x, y)
