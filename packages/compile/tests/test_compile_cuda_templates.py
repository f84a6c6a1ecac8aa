"""Templates of GPU programs: products, convolutions, attention and recurrent loops give what eager gives."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lamella import torch
from lamella.compile.loops.device import DeviceProduct
from lamella.compile.loops.ir import Native
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor, wrap

_path = Path(__file__).with_name("compile_cuda_helper.py")
_spec = importlib.util.spec_from_file_location(_path.stem, _path)
helper = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(helper)
calls_of, check = helper.calls_of, helper.check

F = torch.nn.functional
aten = torch.ops.aten


def random(*shape: int, dtype: str = "float32") -> Any:
    given = np.random.default_rng(sum(shape)).standard_normal(shape).astype("float32")
    return wrap(given, 1).to(getattr(torch, dtype))


def converted(arg: Any, dtype: Any) -> Any:
    if isinstance(arg, Tensor):
        return arg.detach().to(dtype).requires_grad_() if arg.dtype is torch.float64 else arg
    if isinstance(arg, (list, tuple)):
        return type(arg)([converted(a, dtype) for a in arg])
    return {k: converted(v, dtype) for k, v in arg.items()} if isinstance(arg, dict) else arg


def sampled(names: tuple[str, ...], dtype: Any) -> list[Any]:
    """All calls of operators that samples make, forward and backward."""
    found = []
    for package in ("lamella.core", "lamella.nn"):
        for sample in all_samples(package):
            for args, kwargs in sample.make(True):
                args, kwargs = converted(args, dtype), converted(kwargs, dtype)
                try:
                    made = calls_of(resolve(sample.name), *args, backward=True, **kwargs)
                except (RuntimeError, NotImplementedError, TypeError, ValueError):
                    continue
                found += [(op, given, named) for op, given, named in made
                          if op.name in names and all(0 not in t.shape for t in given if isinstance(t, Tensor))]
    return found


FAMILIES = {
    "products": ("aten::mm", "aten::bmm", "aten::mv", "aten::dot", "aten::addmm", "aten::baddbmm", "aten::addmv",
                 "aten::linear", "aten::linear_backward"),
    "convolution": ("aten::convolution", "aten::convolution_backward"),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
@pytest.mark.parametrize("family", FAMILIES)
def test_samples_equal_eager(family: str, dtype: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        calls = sampled(FAMILIES[family], getattr(torch, dtype))
    assert len(calls) > 10
    for op, args, kwargs in calls:
        check(op, args, kwargs)


def test_products_of_halves_are_read_as_halves() -> None:
    steps = check(aten.linear.default, (random(3, 7, 16, dtype="bfloat16"), random(5, 16, dtype="bfloat16"),
                                        random(5, dtype="bfloat16")), {})
    [native] = [s for s in steps if isinstance(s, Native)]
    [product] = native.calls
    assert (product.dtype, product.out) == ("bfloat16", "float32")


def test_batches_and_turned_matrices_are_not_copied() -> None:
    for a, b in ((random(6, 33, 40).transpose(1, 2), random(6, 50, 33).transpose(1, 2)),
                 (random(6, 40, 33), random(6, 33, 50)), (random(1, 4, 3).expand(5, 4, 3), random(5, 3, 2))):
        steps = check(aten.bmm.default, (a, b), {})
        assert len(steps) == 1 and isinstance(steps[0].calls[0], DeviceProduct)


CONVOLUTIONS = [
    ((5, 7, 12, 12), (9, 7, 3, 3), {"padding": 2}),
    ((3, 6, 10, 11), (4, 6, 3, 3), {"stride": 2, "padding": 1}),
    ((2, 8, 9, 9), (8, 1, 3, 3), {"padding": 1, "groups": 8}),
    ((2, 3, 20, 20), (8, 3, 7, 7), {"stride": 4, "padding": 3}),
    ((2, 3, 20, 20), (4, 3, 9, 9), {"stride": 2, "padding": 3}),
    ((4, 12, 30), (16, 6, 5), {"groups": 2, "dilation": 3, "padding": 4}),
    ((1, 40, 1, 1), (70, 40, 1, 1), {}),
    ((6, 5, 4, 3), (16, 5, 3, 2), {"padding": (1, 0), "stride": (2, 1)}),
    ((3, 40, 5, 5), (6, 20, 3, 3), {"padding": 2, "dilation": 2, "groups": 2}),
    ((2, 4, 6, 7, 8), (5, 4, 3, 1, 2), {"stride": (2, 1, 3), "padding": (1, 0, 1)}),
    ((1, 3, 6, 4, 3), (4, 3, 1, 1, 1), {"padding": (1, 0, 0)}),
]


@pytest.mark.parametrize("which", range(len(CONVOLUTIONS)))
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_larger_convolutions_equal_eager(which: int, dtype: str) -> None:
    shape, window, how = CONVOLUTIONS[which]
    convolve = (F.conv1d, F.conv2d, F.conv3d)[len(shape) - 3]
    given = [random(*s, dtype=dtype).requires_grad_() for s in (shape, window, window[:1])]
    calls = [c for c in calls_of(convolve, *given, **how, backward=True) if c[0].name.startswith("aten::convolution")]
    assert len(calls) == 2
    for op, args, kwargs in calls:
        check(op, args, kwargs)
