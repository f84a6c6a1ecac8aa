"""Every operator's samples: `vmap` agrees with a loop over the examples, and so do its gradients."""

import pytest

from lamella.autograd.func import jvp, vmap
from lamella.autograd.transforms.batching.rules import falls_back
from lamella.autograd.transforms.consistency import cases, difference
from lamella.core import Tensor
from lamella.core.samples import all_samples, resolve
from lamella.dispatch import registry
from lamella.dispatch.keys import DispatchKey

SAMPLES = [s for s in all_samples() if not s.random]
IDS = [f"{i}-{s.name}" for i, s in enumerate(SAMPLES)]
GRAD = [s for s in SAMPLES if s.grad]
GRAD_IDS = [i for i, s in zip(IDS, SAMPLES, strict=True) if s.grad]


#: These go by strides, and the loop's copies have others.
STRIDED = {"as_strided", "as_strided_copy", "as_strided_scatter", "view_as_complex", "view_as_complex_copy"}


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_results(sample):
    f = resolve(sample.name)
    for args, kwargs in sample.make(False):
        for case in cases(f, args, kwargs):
            if sample.name in STRIDED and case.dim:
                continue
            wanted = case.looped()
            if wanted is not None:
                assert difference(case.mapped(), wanted) == "", (case.places, case.dim)


@pytest.mark.parametrize("sample", GRAD, ids=GRAD_IDS)
def test_gradients(sample):
    f = resolve(sample.name)
    for n, (args, kwargs) in enumerate(sample.make(False)):
        if sample.name == "cat" and n == 2:
            continue  # an empty tensor that cat leaves out
        for case in cases(f, args, kwargs, floating=True):
            if sample.name in STRIDED and case.dim:
                continue
            wanted = case.looped_gradients()
            if wanted is not None:
                assert difference(case.mapped_gradients(), wanted) == "", (case.places, case.dim)
                assert difference(case.gradients_of_mapped(), wanted) == "", (case.places, case.dim)


WRITTEN = [(i, s) for i, s in zip(IDS, SAMPLES, strict=True)
           if s.inplace and hasattr(Tensor, s.name.rpartition(".")[2] + "_")]


@pytest.mark.parametrize("sample", [s for _, s in WRITTEN], ids=[i for i, _ in WRITTEN])
def test_in_place(sample):
    name = sample.name.rpartition(".")[2] + "_"

    def f(x, *args, **kwargs):
        y = x.clone()
        getattr(y, name)(*args, **kwargs)
        return y

    for args, kwargs in sample.make(False):
        for case in cases(f, args, kwargs):
            if case.places[0] or sample.name in STRIDED and case.dim:
                continue  # what is written to is not batched
            wanted = case.looped()
            if wanted is None:
                continue
            assert difference(case.mapped(), wanted) == "", (case.places, case.dim)
            case = case.floating()
            wanted = case.looped_gradients() if sample.grad and case.places[:1] == [0] else None
            if wanted is not None:
                assert difference(case.mapped_gradients(), wanted) == "", (case.places, case.dim)
                assert difference(case.gradients_of_mapped(), wanted) == "", (case.places, case.dim)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_nested(sample):
    """vmap of vmap is a loop over vmap, which is a loop by the test above."""
    f = resolve(sample.name)
    if sample.name in STRIDED:
        return
    for args, kwargs in sample.make(False):
        for case in cases(f, args, kwargs):
            if case.looped() is None:
                continue

            def inner(*xs, case=case):
                return case.mapped(*xs)

            for outer in cases(inner, tuple(case.batches), {}):
                wanted = outer.looped()
                if wanted is not None:
                    assert difference(outer.mapped(), wanted) == "", (case.places, case.dim, outer.places, outer.dim)


@pytest.mark.slow
@pytest.mark.parametrize("sample", GRAD, ids=GRAD_IDS)
def test_tangents(sample):
    """vmap of jvp and jvp of vmap."""
    f = resolve(sample.name)
    if sample.name in STRIDED:
        return
    for args, kwargs in sample.make(False):
        for case in cases(f, args, kwargs, floating=True):

            def moved(*xs, case=case):
                def run(*ys):
                    return tuple(r for r in case.func(*[y.clone() for y in ys]) if r.dtype.category >= 2)

                return list(jvp(run, xs, tuple(x.cos() for x in xs))[1])

            def whole(*xs, case=case):
                return tuple(r for r in case.mapped(*[x.clone() for x in xs]) if r.dtype.category >= 2)

            wanted = case.looped(moved)
            if wanted is None:
                continue
            xs = tuple(x.clone() for x in case.batches)
            got = vmap(moved, in_dims=(case.dim,) * len(xs))(*xs)
            assert difference(got, wanted) == "", (case.places, case.dim)
            assert difference(jvp(whole, xs, tuple(x.cos() for x in xs))[1], wanted) == "", (case.places, case.dim)


#: Core's operators that may run once per example: none of them is common in networks.
SLOW = {
    "_histogramdd_bin_edges", "_histogramdd_from_bin_tensors", "_segment_sum", "_unique2", "bincount", "histc",
    "histogram", "isin", "masked_scatter", "masked_select", "median", "nanmedian", "nonzero", "nonzero_static",
    "repeat_interleave", "unique_consecutive", "unique_dim",
}


def test_few_operators_run_once_per_example():
    ops = [op for op in registry.all_ops() if op.namespace == "aten" and op.family and "." not in op.family
           and any(a.type.is_tensor_like for a in op.schema.arguments)
           and not op.kernel(DispatchKey.CompositeImplicitAutograd)]
    slow = {op.opname.rstrip("_") for op in ops if falls_back(op)}
    print("once per example:", ", ".join(sorted(slow)))
    assert len(slow - SLOW) < 5, "more operators without a rule for vmap"
