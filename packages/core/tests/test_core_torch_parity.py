"""Printing and files against PyTorch, on arrays and objects made at random. Skipped where it is not installed."""

from __future__ import annotations

import collections
import io
import pickle
import random
from typing import Any

import numpy as np
import pytest

from lamella.core import dtypes as dt, printing, serialization as sz
from lamella.core.tensor import META, Tensor, wrap

torch: Any = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def ours(x: Any) -> Tensor:
    """A tensor of ours with torch's elements and strides."""
    element = dt.BY_NAME[str(x.dtype)[6:]]
    x = x.detach()
    if x.is_meta:
        return wrap(np.zeros(tuple(x.shape), element.np), META)
    if element.name == "bfloat16" or element.name.startswith("float8"):  # NumPy has no such type
        return wrap(x.view(torch.int16 if x.itemsize == 2 else torch.uint8).numpy().view(element.np))
    return wrap(x.numpy())


# ---------------------------------------------------------------- printing

_SIZES = [0, 1, 1, 2, 3, 5, 6, 7, 8, 9, 13, 30]
_LONG = [20, 100, 999, 1000, 1001, 1500]


def _some_shape(rng: random.Random) -> list[int]:
    if rng.random() < 0.2:
        return [rng.choice(_LONG)]
    if rng.random() < 0.2:
        return [rng.choice([3, 40, 200]), rng.choice([4, 7, 30, 50])]
    return [rng.choice(_SIZES) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))]


def _some_values(rng: random.Random, shape: list[int], is_complex: bool) -> Any:
    x = torch.randn(shape, dtype=torch.complex128 if is_complex else torch.float64)
    kind = rng.randrange(6)
    if kind == 1:
        x = x * 10 ** rng.uniform(-8, 12)
    elif kind == 2:
        x = torch.exp(x.real * 4).to(x.dtype)
    elif kind == 3:
        x = (x.real * rng.choice([1, 1e3, 1e6, 1e9, 1e15])).round().to(x.dtype)
    elif kind > 3 and not is_complex:
        flat = (x * 5).round().reshape(-1) if kind == 4 else x.reshape(-1).clone()
        for value in (float("nan"), float("inf"), float("-inf"), 0.0, -0.0):
            if rng.random() < 0.5:
                flat[torch.rand(flat.shape) < 0.3] = value
        x = flat.reshape(shape)
    return x


#: All but float8_e8m0fnu, in which torch finds no smallest element and shows 2**-127 as 0.0000.
_PRINTED = [n for n in dt.BY_NAME if n != "float8_e8m0fnu"]


def _some_tensor(rng: random.Random) -> Any:
    name = rng.choice(["float32"] * 6 + ["float64"] * 3 + ["complex64", "complex64"] + _PRINTED)
    element = dt.BY_NAME[name]
    x = _some_values(rng, _some_shape(rng), element.is_complex)
    if element.category < 2:
        x = torch.nan_to_num(x, 0, 0, 0).clamp(-100 if element.is_signed else 0, 100)
    x = x.to(getattr(torch, name))
    if x.dim() > 1 and rng.random() < 0.2:
        x = x.transpose(0, 1)
    return x.to("meta") if rng.random() < 0.05 else x


def _some_options(rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {}
    return {
        "precision": rng.choice([None, 0, 2, 4, 8]), "threshold": rng.choice([None, 0, 5, 50, float("inf")]),
        "edgeitems": rng.choice([None, 0, 1, 2, 5]), "linewidth": rng.choice([None, 20, 40, 120, 1]),
        "profile": rng.choice([None, "default", "short", "full"]), "sci_mode": rng.choice([None, None, True, False]),
    }


@pytest.mark.parametrize("seed", range(4))
def test_prints_as_torch_does(seed: int) -> None:
    rng = random.Random(seed)
    torch.manual_seed(seed)
    try:
        for _ in range(250):
            options, default = _some_options(rng), rng.choice(["float32"] * 4 + ["float64", "bfloat16"])
            x = _some_tensor(rng)
            for library in (torch, printing):
                library.set_printoptions(profile="default")
                library.set_printoptions(**options)
            torch.set_default_dtype(getattr(torch, default))
            dt.set_default_dtype(dt.BY_NAME[default])
            assert repr(ours(x)) == repr(x), options
    finally:
        torch.set_default_dtype(torch.float32)
        dt.set_default_dtype(dt.float32)
        torch.set_printoptions(profile="default")
        printing.set_printoptions(profile="default")


# ---------------------------------------------------------------- files


def _training_state() -> dict[str, Any]:
    net = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.BatchNorm1d(5), torch.nn.GRU(5, 3))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    net[1](net[0](torch.randn(7, 4))).sum().backward()
    optimizer.step()
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    return {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}


def _objects() -> dict[str, Any]:
    x = torch.arange(24.0).reshape(2, 3, 4)
    names = [n for n in dt.BY_NAME if n != "bool"]
    return {
        "views": [x, x[1], x.transpose(0, 2), x[:, 1:, ::2], x[0, 0, 3], x.expand(3, 2, 3, 4)],
        "dtypes": [torch.arange(5).to(getattr(torch, n)) for n in names] + [torch.arange(5) > 2],
        "values": {"a": (1, 2.5, None, True, "x\u1234", b"b", 2**70, 1 + 2j), "set": {1}, "size": torch.Size([1, 2]),
                   "dtype": torch.bfloat16, "device": torch.device("cuda:1"), "layout": torch.strided,
                   "counter": collections.Counter("aab"), "ordered": collections.OrderedDict([(1, 2)])},
        "empty": [torch.zeros(0), torch.zeros(2, 0, 3), torch.tensor(3.0)],
        "meta": [torch.zeros(2, 3, device="meta"), torch.zeros(3, 2, device="meta").T],
        "training": _training_state(),
    }


def same(a: Any, b: Any) -> None:
    """Fail unless `a` (ours) is what `b` (torch's) is."""
    if isinstance(b, torch.Tensor):
        assert isinstance(a, Tensor) and str(a.dtype) == str(b.dtype) and a.shape == tuple(b.shape)
        assert a.stride() == tuple(b.stride()) and a.is_meta == b.is_meta
        if not b.is_meta:
            assert a.storage_offset() == b.storage_offset()
            np.testing.assert_array_equal(a._a, ours(b)._a)
    elif isinstance(b, dict):
        assert type(a) is type(b) and list(a) == list(b)
        assert getattr(a, "_metadata", None) == getattr(b, "_metadata", None)
        for key in b:
            same(a[key], b[key])
    elif type(b) in (list, tuple):
        assert type(a) is type(b) and len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
    elif isinstance(b, (torch.dtype, torch.device, torch.layout, torch.Size)):
        assert str(a) == str(b)
    else:
        assert type(a) is type(b) and a == b


@pytest.mark.parametrize("new_format", [True, False])
@pytest.mark.parametrize("name", list(_objects()))
def test_files_go_both_ways(name: str, new_format: bool) -> None:
    theirs, f = _objects()[name], io.BytesIO()
    torch.save(theirs, f, _use_new_zipfile_serialization=new_format)
    for weights_only in (True, False):
        f.seek(0)
        mine = sz.load(f, weights_only=weights_only)
        same(mine, theirs)
    if name == "dtypes" and not new_format:
        return  # torch does not read what it writes there
    back = io.BytesIO()
    sz.save(mine, back, _use_new_zipfile_serialization=new_format)
    for weights_only in (True, False):
        back.seek(0)
        same(mine, torch.load(back, weights_only=weights_only))


def test_torch_sees_the_sharing_in_our_files(tmp_path: Any) -> None:
    a = np.arange(6, dtype=np.float32)
    sz.save([wrap(a), wrap(a[2:].reshape(2, 2).T), wrap(a.view(np.int32))], tmp_path / "x.pt")
    for options in ({}, {"mmap": True}):
        x, y, z = torch.load(tmp_path / "x.pt", **options)
        x[3] = 7.0
        assert y[1, 0] == 7.0 and z[3] == torch.tensor(7.0).view(torch.int32)
    assert torch.load(tmp_path / "x.pt", map_location="meta")[1].is_meta


def test_blocked_names_are_those_that_torch_blocks() -> None:
    import fractions

    f = io.BytesIO()
    torch.save({"a": fractions.Fraction(1, 2), "b": collections.deque([1])}, f)
    f.seek(0)
    expected = torch.serialization.get_unsafe_globals_in_checkpoint(f)
    f.seek(0)
    assert sorted(sz.get_unsafe_globals_in_checkpoint(f)) == sorted(expected)
    for load in (torch.load, sz.load):
        f.seek(0)
        with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
            load(f)
