"""Every operator that has a rule, on every sample: its decomposition gives what the eager kernel gives."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from compile_decompose_helper import Calls, check

import lamella.nn  # noqa: F401 - its operators
from lamella import torch
from lamella.core import dtypes as dt
from lamella.core.samples import S, families, resolve
from lamella.core.tensor import Tensor


def rows() -> Iterator[Any]:
    for package in ("lamella.core", "lamella.nn"):
        for module in families(package):
            yield pytest.param(module.SAMPLES, id=module.__name__.removeprefix("lamella."))


def converted(value: Any, dtype: Any) -> Any:
    if isinstance(value, Tensor) and value.dtype is dt.float64:
        r = value.detach().to(dtype)
        return r.requires_grad_(True) if value.requires_grad else r
    if type(value) in (list, tuple):
        return type(value)(converted(each, dtype) for each in value)
    return value


def run(fn: Any, args: Any, kwargs: Any) -> None:
    out = fn(*args, **kwargs)
    first = out[0] if isinstance(out, (tuple, list)) and len(out) else out
    if isinstance(first, Tensor) and first.requires_grad and first.dtype.is_floating_point:
        (first * torch.rand(first.shape, dtype=first.dtype)).sum().backward()


def calls_of(sample: S, dtype: Any) -> list[Any]:
    """The calls below autograd of a row's samples, forward and backward."""
    seen: list[Any] = []
    fn = resolve(sample.name)
    for args, kwargs in sample.make():
        with Calls() as calls:
            try:
                run(fn, converted(args, dtype), {k: converted(v, dtype) for k, v in kwargs.items()})
            except (RuntimeError, NotImplementedError, TypeError, ValueError):
                if dtype is dt.float64 and sample.grad:
                    raise
        seen += calls.seen
    return seen


@pytest.mark.parametrize("dtype", [dt.float64, dt.float32, dt.bfloat16], ids=lambda d: d.name)
@pytest.mark.parametrize("samples", list(rows()))
def test_samples(samples: list[S], dtype: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in samples:
            if sample.name.startswith("Tensor.__"):
                continue
            for call in calls_of(sample, dtype):
                check(call)
