"""nn on a GPU, on the stand-in for CuPy: every sample with its gradients, in four types, gives what the CPU gives."""

import warnings

import numpy as np
import pytest

import lamella.autograd as autograd
from lamella.core import Tensor, bfloat16, float16, float32, float64, manual_seed, ones, tensor
from lamella.core.samples import all_samples, resolve
from lamella.core.testing import as_function, differs, leaves, map_tensors
from lamella.nn import functional as F

pytestmark = pytest.mark.usefixtures("cupy_on_numpy")
TOLERANCES = {float64: 1e-6, float32: 1e-4, bfloat16: 5e-2, float16: 2e-2}
SAMPLES = [(i, s) for i, s in enumerate(all_samples("lamella.nn"))]


def run(fn, call, dtype, device):
    """The result of a call on a device, and the gradients of the sum of what can be differentiated."""
    inputs = []

    def move(t):
        r = t.detach().to(device)
        if r.is_floating_point():
            r = r.to(dtype).requires_grad_(t.requires_grad)
        inputs.append(r)
        return r

    args, kwargs = map_tensors(move, call[0]), map_tensors(move, call[1])
    out = fn(*args, **kwargs)
    given = [o for o in leaves(out) if isinstance(o, Tensor) and o.requires_grad]
    if given:
        sum(o.abs().sum() if o.is_complex() else o.sum() for o in given).backward()
    return out, [t.grad for t in inputs if t.requires_grad]


@pytest.mark.parametrize("sample", [s for _, s in SAMPLES], ids=[f"{i}-{s.name}" for i, s in SAMPLES])
def test_samples_and_gradients(sample):
    fn = resolve(sample.name)
    for dtype, tolerance in TOLERANCES.items():
        for call in sample.make():
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    want = run(fn, call, dtype, "cpu")
                except NotImplementedError as refused:
                    with pytest.raises(type(refused)):
                        run(fn, call, dtype, "cuda")
                    continue
                got = run(fn, call, dtype, "cuda")
            assert all(x.is_cuda for x in leaves(got) if isinstance(x, Tensor))
            assert differs(want, got, values=not sample.random, tol=tolerance) is None, (dtype, call)


PART = ("conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d", "layer_norm", "group_norm", "batch_norm", "gelu",
        "scaled_dot_product_attention", "cross_entropy", "embedding", "grid_sample", "softmax")  # fmt: skip


@pytest.mark.parametrize("name", PART)
def test_gradients_by_differences(name):
    sample = next(s for _, s in SAMPLES if s.name == f"nn.functional.{name}")
    fn = resolve(sample.name)
    for args, kwargs in sample.make()[:2]:
        of_inputs, on_gpu = as_function(fn, args, kwargs, "cuda")
        if sum(x.numel() for x in on_gpu) > 400:
            continue
        assert not on_gpu or autograd.gradcheck(of_inputs, on_gpu)


def test_sizes_for_which_the_cpu_works_in_blocks():
    manual_seed(0)
    x = tensor(np.random.default_rng(0).standard_normal((8, 16, 24, 24)).astype(np.float32))
    w = tensor(np.random.default_rng(1).standard_normal((8, 16, 3, 3)).astype(np.float32))
    deep = tensor(np.random.default_rng(2).standard_normal((16, 1, 3, 3)).astype(np.float32))
    for call in (
        lambda x, w, deep: F.conv2d(x, w, padding=1),
        lambda x, w, deep: F.conv2d(x, deep, stride=2, groups=16),
        lambda x, w, deep: F.max_pool2d(x, 3, 2, 1),
        lambda x, w, deep: F.gelu(x),
        lambda x, w, deep: F.hardswish(F.elu(x)),
        lambda x, w, deep: F.layer_norm(x, (24, 24)),
        lambda x, w, deep: F.batch_norm(x, None, None, training=True),
        lambda x, w, deep: F.interpolate(x, scale_factor=1.5, mode="bilinear"),
        lambda x, w, deep: F.smooth_l1_loss(x, x.roll(1)),
        lambda x, w, deep: F.pdist(x.reshape(128, -1)),
        lambda x, w, deep: F.prelu(x, deep[:, 0, 0, 0]),
    ):
        results = []
        for device in ("cpu", "cuda"):
            leaf = [t.detach().to(device).requires_grad_() for t in (x, w, deep)]
            out = call(*leaf)
            (out * out).sum().backward()
            results.append((out, [t.grad for t in leaf]))
        assert differs(*results, tol=2e-3) is None


def test_places_are_checked_when_asked_for():
    from lamella.dispatch.config import settings

    table, target = ones(4, 2, device="cuda"), tensor([0, 7], device="cuda")
    F.embedding(target, table)
    F.cross_entropy(table[:2], target)
    with settings.using(cuda_checks=True):
        with pytest.raises(IndexError, match="index out of range in self"):
            F.embedding(target, table)
        with pytest.raises(IndexError, match="Target 7 is out of bounds"):
            F.cross_entropy(table[:2], target)
        assert F.cross_entropy(table[:2], tensor([1, -100], device="cuda")).item() == pytest.approx(np.log(2))


def test_masks_belong_to_their_gpu():
    q = tensor(np.random.default_rng(3).standard_normal((2, 5, 4)))
    want = F.scaled_dot_product_attention(q, q, q, is_causal=True)
    for device in ("cuda:0", "cuda:1", "cuda:0"):
        x = q.to(device)
        got = F.scaled_dot_product_attention(x, x, x, is_causal=True)
        assert str(got.device) == device and differs(want, got, tol=1e-12) is None


@pytest.mark.parametrize("dtype", [bfloat16, float16])
def test_products_of_expanded_arrays(dtype):
    one = tensor([[0.5, -1.0, 2.0, 0.25]]).to(dtype)
    for a, b in (
        (one.expand(3, 4), one.expand(5, 4)),
        (one[:, :1].expand(3, 4), one[:, 1:2].expand(5, 4)),
        (one[:, :1].expand(1, 4), one),
        (one.t().expand(4, 4), one.expand(4, 4)),
    ):
        got = F.linear(a.to("cuda"), b.to("cuda"))
        again = F.linear(a.contiguous().to("cuda").expand(a.shape), b.to("cuda"))
        expanded = F.linear(a[:1, :1].to("cuda").expand(a.shape), b.to("cuda"))
        assert differs(F.linear(a, b), got, tol=1e-2) is None and differs(got, again) is None
        assert differs(F.linear(a[:1, :1].expand(a.shape), b), expanded, tol=1e-2) is None
