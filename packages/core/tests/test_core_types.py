"""Every sample in other element types: the result has the type and shape that the rule for meta tensors says."""

import warnings

import pytest

from lamella import core
from lamella.core import Tensor
from lamella.core.samples import all_samples, resolve
from lamella.core.testing import leaves, map_tensors

SAMPLES = [s for s in all_samples() if not s.random]
IDS = [f"{i}-{s.name}" for i, s in enumerate(SAMPLES)]
TYPES = {core.float64: "float16 bfloat16 float32 int64 bool", core.complex128: "complex64", core.int64: "int32 uint8"}


def turned(x, to):
    """A tensor in another type of its kind, if the kind has so many."""
    if not isinstance(x, Tensor) or x.dtype not in TYPES:
        return x
    names = TYPES[x.dtype].split()
    if to >= len(names) or names[to] in ("int32", "uint8") and to > 0:
        return x.detach()
    return x.detach().to(getattr(core, names[to]))


def meta(x):
    return x.to("meta") if isinstance(x, Tensor) else x


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_results_in_other_types(sample):
    fn = resolve(sample.name)
    for i in range(len(sample.make(False))):
        for to in range(5):
            args, kwargs = map_tensors(lambda x, to=to: turned(x, to), sample.make(False)[i])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    got = fn(*args, **kwargs)
                except (RuntimeError, TypeError, ValueError, IndexError):
                    continue
                try:
                    want = fn(*map_tensors(meta, args), **map_tensors(meta, kwargs))
                except (RuntimeError, NotImplementedError) as e:
                    if "meta" in str(e) or "Meta" in str(e):
                        continue  # the result depends on values
                    raise
            for a, b in zip(leaves(got), leaves(want), strict=True):
                if isinstance(a, Tensor) and isinstance(b, Tensor):
                    assert (a.dtype, a.shape) == (b.dtype, b.shape), [x for x in leaves(args) if isinstance(x, Tensor)]
