"""CUDA programs over arrays that are large, long, tall, odd or unaligned give eager's numbers: what samples, which are
small, do not reach (many blocks, wide accesses and what is left of them, rows beyond shared memory, split sums)."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from compile_cuda_guarded import GuardedDevice, guard
from compile_cuda_programs import MISSING

from lamella import torch
from lamella.compile import compile
from lamella.compile.build import nvrtc
from lamella.compile.runtime.cuda import using
from lamella.dispatch.config import settings

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
F = torch.nn.functional
slow = pytest.mark.slow
NEAR = {torch.float32: 2e-5, torch.float64: 1e-9, torch.bfloat16: 2e-2, torch.float16: 3e-3}


def run(f, *arguments, dtype=torch.float32, order=0, steps=1):
    """Compare a function's results, and its gradients by all arguments that are floats, with eager's in float64."""

    def with_gradients(given):
        out = f(*given)
        outs = [out] if isinstance(out, torch.Tensor) else list(out)
        leaves = [t for t in given if t.requires_grad]
        good = [t for t in outs if t.requires_grad]
        if not good or not leaves:
            return outs
        weights = [torch.linspace(-1, 1, t.numel(), dtype=t.dtype).view(t.shape) for t in good]
        total = sum((t * w).sum() for t, w in zip(good, weights))
        return [t.detach() for t in outs] + [g for g in torch.autograd.grad(total, leaves, allow_unused=True)
                                             if g is not None]

    def given(kind):
        made = [torch.tensor(np.asarray(a)) for a in arguments]
        return [t.to(dtype).to(kind).requires_grad_() if t.is_floating_point() else t for t in made]

    wanted = with_gradients(given(torch.float64))
    with using(GuardedDevice(order)) as device:
        compiled = compile(with_gradients, fullgraph=True, backend="cuda")
        for _ in range(steps):
            got = compiled(guard(given(dtype)))
    assert len(got) == len(wanted) and device.calls
    if not MISSING:
        for text in device._modules:
            nvrtc.compile(text, "sm_90", optimize=False)
    longest = max(np.size(a) for a in arguments) if dtype in (torch.bfloat16, torch.float16) else 1
    for n, (a, b) in enumerate(zip(got, wanted)):
        assert a.shape == b.shape
        x, y = a.detach().to(torch.float64)._a, b.detach().to(torch.float64)._a
        limit, largest = NEAR[dtype], max(1.0, float(np.abs(y).max(initial=0)), longest**0.5 / 10)
        np.testing.assert_allclose(x, y, limit, limit * largest, err_msg=f"result {n}")


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@slow
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("n", [1, 31, 1000, 4096, 100_003])
def test_pointwise_chains(n, dtype, order):
    run(lambda x, a, b: F.gelu(x * a + b), normal(n), normal(n, seed=1), normal(1, seed=2), dtype=dtype, order=order)


@pytest.mark.parametrize("start", [0, 1, 2, 3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_slices_that_begin_anywhere(start, dtype):
    run(lambda x: (x[start:start + 2000] * 2 + x[2 * start:2000 + 2 * start]).relu(), normal(2010), dtype=dtype)


def test_many_blocks():
    run(lambda x, y: torch.sigmoid(x) * y, normal(3_000_001), normal(3_000_001, seed=1))


ROWS = [(3, 5), (700, 7), (7, 1000), (64, 4096), (2, 40_000), (1, 300_001), (1, 31), (33, 128), (5, 129)]


@slow
@pytest.mark.parametrize("shape", ROWS)
def test_softmax(shape):
    run(lambda x: (torch.softmax(x, -1), torch.log_softmax(x * 2, -1)), normal(*shape), order=shape[0] % 2)


@slow
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape", ROWS)
def test_layer_norm(shape, dtype):
    run(lambda x, w, b: F.layer_norm(x, shape[-1:], w, b), normal(*shape), normal(shape[-1], seed=1),
        normal(shape[-1], seed=2), dtype=dtype)


SHAPES = [(200_003,), (3, 20_000), (20_000, 3), (300, 301), (17, 33, 65), (1, 1, 7), (2, 3, 4, 5, 6)]


@slow
@pytest.mark.parametrize("shape, dim", [
    (shape, dim) for shape in SHAPES for dim in ("all", 0, -1, (0, -1)) if dim != (0, -1) or len(shape) > 1], ids=str)
def test_reductions(shape, dim):
    of = {"dim": tuple(range(len(shape))) if dim == "all" else dim}
    run(lambda x: (x.sum(**of), x.mean(**of), torch.var(x, **of), x.amax(**of), x.amin(**of),
                   torch.linalg.vector_norm(x, **of)), normal(*shape), order=len(shape) % 2)
    one = -1 if dim == "all" else dim
    if not isinstance(dim, tuple):
        run(lambda x: (x.argmax(one), x.argmin(one), (x > 1).any(one), (x > -9).all(one), (x * 0.01 + 1).prod(one)),
            normal(*shape))
        whole = np.random.default_rng(3).integers(-50, 50, shape)
        run(lambda x: (x.sum(one), x.argmax(one), x.amax(one), (x % 3 + 1).prod(one)), whole)


@slow
@pytest.mark.parametrize("shape", [(5, 3000), (3000, 5), (1, 20_000), (70, 33)], ids=str)
@pytest.mark.parametrize("dim", [0, 1])
def test_running_sums(shape, dim):
    run(lambda x: (x.cumsum(dim), (x.detach() * 0.01 + 1).cumprod(dim)), normal(*shape), dtype=torch.float64)
    run(lambda x: x.cumsum(dim), np.random.default_rng(3).integers(-50, 50, shape))


@slow
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("width", [1, 4, 33, 256])
def test_lookups_with_many_equal_places(width, order):
    rng = np.random.default_rng(width)
    ids, table = rng.integers(0, 50, 3000), normal(50, width)
    run(lambda i, w: F.embedding(i, w), ids, table, order=order)
    values = normal(3000, width, seed=1)
    run(lambda t, i, v: t.index_add(0, i, v), table, ids, values, order=order)
    columns = np.broadcast_to(ids[:, None], values.shape).copy()
    run(lambda t, i, v: t.scatter_add(0, i, v).sin(), table, columns, values, order=order)
    run(lambda t, i: t.gather(0, i) * 2, table, columns[:40] % 50, order=order)


@slow
@pytest.mark.parametrize("classes", [3, 1000, 50_000])
def test_cross_entropy(classes):
    rows = 300 if classes < 10_000 else 4
    target = np.random.default_rng(0).integers(0, classes, rows)
    run(lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1), normal(rows, classes), target)


def test_layouts():
    run(lambda x, y: (x.t().contiguous() * 2, torch.cat([x, y], 1), torch.cat([x.t(), y.t()], 0),
                      F.pad(x, (3, 1, 0, 2)), x.flip(0) + x.roll(5, 1), x.unfold(1, 9, 5).sum(-1)),
        normal(300, 170), normal(300, 65, seed=1))


@slow
@pytest.mark.parametrize("shape", [(2, 3, 50, 51), (8, 5, 33, 17)], ids=str)
def test_images(shape):
    channels = shape[1]
    run(lambda x, w: (F.max_pool2d(x, 3, 2, 1), F.avg_pool2d(x, 2), F.conv2d(x, w, stride=2, padding=1)),
        normal(*shape), normal(4, channels, 3, 3, seed=1))
    run(lambda x, a, b: F.batch_norm(x, None, None, a, b, True) + F.group_norm(x, 1), normal(*shape),
        normal(channels, seed=1), normal(channels, seed=2))
    run(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), normal(*shape))


@slow
@pytest.mark.parametrize("rows, keys, width, causal", [
    (130, 130, 64, True), (40, 40, 128, True), (130, 130, 64, False), (1, 300, 32, False), (257, 33, 16, False)])
def test_attention(rows, keys, width, causal):
    q, k, v = (normal(1, 2, n, width, seed=s) for s, n in enumerate((rows, keys, keys)))
    run(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal), q, k, v)


def test_products_of_whole_numbers():
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (3, 70, 33)), rng.integers(-9, 9, (3, 33, 65))
    run(lambda a, b: (a @ b, a[0] @ b[1], a[0, 0] @ b[0]), a, b)


def test_replays_are_calls():
    run(lambda x, w: torch.softmax(x @ w, 1).relu() * 2, normal(40, 20), normal(20, 300, seed=1), steps=4)


def test_sizes_that_change():
    seen = []

    def f(x, w):
        return torch.softmax(x @ w, 1).sum(0), F.layer_norm(x, x.shape[-1:]), x.amax(0), (x * 2 + x.sum()).relu()

    with using(GuardedDevice()) as device:
        compiled = compile(f, dynamic=True, fullgraph=True, backend="cuda")
        for rows in (3, 70, 5, 1000, 33):
            x, w = torch.tensor(normal(rows, 48, seed=rows)), torch.tensor(normal(48, 5))
            for a, b in zip(compiled(x, w), f(x, w)):
                np.testing.assert_allclose(a._a, b._a, 1e-9, 1e-9)
            seen.append(len(device._modules))
    assert seen[-1] == seen[0], "another program for another size"


@pytest.mark.parametrize("checks", [True, False])
def test_indices_out_of_range_are_errors_where_that_is_asked_for(checks, monkeypatch):
    monkeypatch.setattr(settings, "cuda_checks", checks)
    table, good = torch.tensor(normal(10, 4)), torch.tensor([1, 9, 3])
    with using(GuardedDevice()):
        compiled = compile(lambda t, i: F.embedding(i, t) * 2, fullgraph=True, backend="cuda")
        np.testing.assert_array_equal(compiled(table, good)._a, (table[good] * 2)._a)
        if checks:
            with pytest.raises(IndexError, match="index=10, size=10"):
                compiled(table, torch.tensor([1, 10, 3]))
            np.testing.assert_array_equal(compiled(table, good)._a, (table[good] * 2)._a)
