"""Lowering: every operator's samples, run by the NumPy reference, give what eager kernels give."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from compile_lower_helper import RANDOM, calls_of, check, left_to_eager

from lamella.compile.lower import load_rules
from lamella.compile.lower.registry import OWN, RULES
from lamella.core import dtypes as dt
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor
from lamella.dispatch import registry

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
    assert [name for name in (*RULES, *OWN["cpp"], *decompositions) if registry.find(name) is None] == []


TYPES = ("int64", "bool", "uint8", "int8", "float16", "float32")


def converted(value: Any, dtype: Any) -> Any:
    """A nest of arguments with its floating tensors in another type; integers large enough to differ."""
    if isinstance(value, Tensor):
        if value.dtype not in (dt.float32, dt.float64):
            return value
        value = value.detach() if dtype.category == 2 else value.detach() * 7
        return (value.abs() if dtype is dt.uint8 else value).to(dtype)
    return type(value)([converted(v, dtype) for v in value]) if isinstance(value, (list, tuple)) else value


def calls_in(dtype: Any, package: str) -> Iterator[tuple[Any, Any, Any]]:
    """Calls of the samples' operators in another type, each once."""
    seen = set()
    for sample in all_samples(package):
        for args, kwargs in sample.make(False):
            for op, given, named in calls_of(resolve(sample.name), *args, **kwargs):
                call = op, converted(tuple(given), dtype), {k: converted(v, dtype) for k, v in named.items()}
                if repr(call) not in seen and not op.schema.is_mutable and not any(r in op.name for r in RANDOM):
                    seen.add(repr(call))
                    yield call


@pytest.mark.slow
@pytest.mark.parametrize("package", ["lamella.core", "lamella.nn"])
@pytest.mark.parametrize("name", TYPES)
def test_calls_in_other_types_equal_eager_or_are_left_to_it(name: str, package: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for op, args, kwargs in calls_in(getattr(dt, name), package):
            try:
                op(*args, **kwargs)
            except Exception:
                # Views fail for the layout that a conversion leaves; in a graph only their elements count.
                assert op.is_view or left_to_eager(op, args, kwargs), (op.name, name)
            else:
                check(op, args, kwargs)
