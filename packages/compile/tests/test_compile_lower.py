"""Lowering: every operator's samples, run by the NumPy reference, give what eager kernels give."""

from __future__ import annotations

import importlib.util
import warnings
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from lamella.compile.lower import load_rules
from lamella.compile.lower.registry import RULES
from lamella.core.samples import all_samples, resolve
from lamella.dispatch import registry

_path = Path(__file__).with_name("compile_lower_helper.py")
_spec = importlib.util.spec_from_file_location(_path.stem, _path)
helper = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(helper)
RANDOM, calls_of, check = helper.RANDOM, helper.calls_of, helper.check

#: Operators of the core that are lowered whatever real arguments they get.
ALWAYS = """
add.Tensor sub.Tensor mul.Tensor div.Tensor neg abs sqrt rsqrt exp log tanh sigmoid erf relu where.self clamp maximum
minimum eq.Tensor lt.Tensor logical_and bitwise_and.Tensor masked_fill.Scalar addcmul addcdiv lerp.Scalar
view transpose.int t permute expand select.int slice.Tensor unsqueeze squeeze.dim diagonal unfold flip roll repeat cat
stack constant_pad_nd tril triu sum sum.dim_IntList mean mean.dim amax amin max.dim argmax any.dims all.dims
prod.dim_int linalg_vector_norm var.correction cumsum cumprod gather index.Tensor index_put scatter.src
scatter_add index_add take select_backward
slice_backward slice_scatter select_scatter diagonal_scatter as_strided_scatter clone
full arange.start_step eye.m sigmoid_backward tanh_backward threshold_backward
""".split()


def outcomes(package: str, backward: bool) -> dict[str, Counter]:
    """For each operator that the samples of a package call: how often it was lowered, or for what reason not."""
    found: dict[str, Counter] = defaultdict(Counter)
    for sample in all_samples(package):
        for args, kwargs in sample.make(backward):
            try:
                calls = calls_of(resolve(sample.name), *args, backward=backward, **kwargs)
            except (RuntimeError, NotImplementedError):
                continue  # not differentiable, or not in this mode
            for op, given, named in calls:
                if not any(part in op.name for part in RANDOM):
                    found[op.name][check(op, given, named) or "lowered"] += 1
    return found


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("package", ["lamella.core", "lamella.nn"])
def test_samples_lowered_equal_eager(package: str, backward: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = outcomes(package, backward)
    assert found
    for name in ALWAYS:
        reasons = found.get(f"aten::{name}", {})
        refused = set(reasons) - {"lowered", "an element type that loops do not have", "a tensor without dimensions",
                                  "an empty tensor"}
        assert not refused, (name, refused)
    if package == "lamella.core" and not backward:
        assert sum(1 for reasons in found.values() if reasons["lowered"]) > 150


def test_rules_are_for_operators_that_there_are() -> None:
    import lamella.nn.functional
    import lamella.optim  # noqa: F401 - declares its operators
    from lamella.compile.decompose import (
        RULES as decompositions,
        rules,  # noqa: F401 - fills the table
    )

    load_rules()
    assert [name for name in (*RULES, *decompositions) if registry.find(name) is None] == []
