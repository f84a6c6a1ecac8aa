"""Every operator's samples, compiled to C++ forward and backward, give eager's numbers: many operators to a program."""

import warnings

import numpy as np
import pytest

import lamella.autograd
import lamella.nn  # noqa: F401 - its operators
from lamella import core
from lamella.compile import compile
from lamella.compile.capture.breaks import Break
from lamella.core.samples import all_samples, resolve
from lamella.core.tensor import Tensor
from lamella.core.testing import map_tensors

pytestmark = pytest.mark.slow
#: How many rows of samples one program has.
ROWS = 16
SAMPLES = [s for package in ("lamella.core", "lamella.nn") for s in all_samples(package) if not s.random]
#: Some calls of these run uncompiled: elements are looked at in Python, to refuse wrong ones or to learn a size (of
#: masked_scatter by the gradient alone); an offset of as_strided counts from the start of the storage.
UNRECORDED = {"istft", "segment_reduce", "quantile", "masked_scatter", "as_strided", "nn.functional.gaussian_nll_loss",
              "nn.functional.multi_margin_loss", "nn.functional.multilabel_margin_loss"}
CLOSE = {"float64": 1e-9, "complex128": 1e-9, "float32": 3e-4, "complex64": 3e-4, "float16": 5e-3, "bfloat16": 3e-2}
CHUNKS = [SAMPLES[i : i + ROWS] for i in range(0, len(SAMPLES), ROWS)]


def tensors_in(value):
    """The tensors in nested results."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for each in value for t in tensors_in(each)]
    return []


def differentiable(results):
    return [t for t in results if t.requires_grad and (t.dtype.is_floating_point or t.dtype.is_complex)]


def program(functions, grads):
    """One function for several calls: what they return, and the gradients of it all with weights that differ."""

    def run(calls):
        out = []
        for f, (args, kwargs) in zip(functions, calls):
            found = tensors_in(f(*args, **kwargs))
            outs = differentiable(found) if grads else []
            leaves = [t for t in tensors_in([args, list(kwargs.values())]) if t.requires_grad]
            out.append([t.detach() for t in found])
            if outs and leaves:
                total = sum((t * t.detach().cos() if not t.dtype.is_complex else t.abs()).sum() for t in outs)
                out[-1] += [g for g in lamella.autograd.grad(total, leaves, allow_unused=True) if g is not None]
        return out

    return run


def breaks(run, call):
    try:
        compile(run, fullgraph=True, backend="eager")([call])
    except Break:
        return True
    return False


def prepared(rows, convert, grads):
    """The names, functions and arguments of the calls that eager can run."""
    names, functions, calls = [], [], []
    for row in rows:
        f = resolve(row.name)
        for args, kwargs in row.make(grads and row.grad):
            call = convert(args), convert(kwargs)
            run = program([f], grads)
            try:
                run([call])
            except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
                continue  # no such call in this type
            if row.name in UNRECORDED and breaks(run, call):
                continue
            names.append(row.name)
            functions.append(f)
            calls.append(call)
    return names, functions, calls


def converter(dtype):
    """What makes arguments of an element type of those of float64."""
    kind = getattr(core, dtype)

    def converted(t):
        return t if t.dtype is not core.float64 else t.detach().to(kind).requires_grad_(t.requires_grad)

    return lambda value: map_tensors(converted, value)


def agree(names, got, wanted):
    bad = []
    for name, g, w in zip(names, got, wanted):
        try:
            assert len(g) == len(w)
            for a, b in zip(g, w):
                assert a.dtype is b.dtype and a.shape == b.shape
                x, y = a.detach().resolve_conj()._a, b.detach().resolve_conj()._a
                if x.dtype.kind in "fcV":
                    wide, limit = (np.complex128 if x.dtype.kind == "c" else np.float64), CLOSE[b.dtype.name]
                    np.testing.assert_allclose(x.astype(wide), y.astype(wide), rtol=limit, atol=limit)
                else:
                    np.testing.assert_array_equal(x, y)
        except AssertionError as error:
            bad.append(f"{name}: {' '.join(str(error).split())[:200]}")
    assert not bad, "\n".join(bad)


def test_what_is_not_recorded_is_still_not():
    rows = {s.name: s for s in SAMPLES if s.name in UNRECORDED}
    assert rows.keys() == UNRECORDED
    for name, row in rows.items():
        assert any(breaks(program([resolve(name)], True), call) for call in row.make()), name


@pytest.mark.parametrize("grads", [False, True], ids=["forward", "backward"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("chunk", range(len(CHUNKS)), ids=lambda i: CHUNKS[i][0].name)
def test_samples(chunk, dtype, grads):
    names, functions, calls = prepared(CHUNKS[chunk], converter(dtype) if dtype == "float32" else lambda x: x, grads)
    run = program(functions, grads)
    wanted = run(calls)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = compile(run, fullgraph=True)(calls)
    agree(names, got, wanted)
