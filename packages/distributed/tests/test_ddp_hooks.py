"""Functions that carry gradients, and element types of what travels."""

from __future__ import annotations

import copy
import pickle

import pytest
from ddp_models import GPT, batches, fill, loss_of
from harness import ranks

from lamella import distributed as dist, nn
from lamella.autograd import no_grad
from lamella.core import bfloat16, float16, float32, full, ones, tensor
from lamella.distributed.algorithms.ddp_comm_hooks import default_hooks, powerSGD_hook as power
from lamella.distributed.algorithms.ddp_comm_hooks.kinds import DDPCommHookType, register_ddp_comm_hook
from lamella.distributed.parallel import (
    BuiltinCommHookType,
    DistributedDataParallel as DDP,
    GradBucket,
    _MixedPrecision,
)
from lamella.distributed.work import Future
from lamella.optim import SGD


def train(steps=3, hook=None, state=None, lr=0.05, model=None, **options):
    m = fill(model or GPT())
    d = DDP(m, **options)
    if hook is not None:
        d.register_comm_hook(state, hook)
    optimizer = SGD(m.parameters(), lr)
    r, n = dist.get_rank(), dist.get_world_size()
    for x, y in batches("gpt", steps, 2 * n):
        optimizer.zero_grad()
        loss_of(d(x[2 * r : 2 * r + 2]), y[2 * r : 2 * r + 2]).backward()
        optimizer.step()
    return d


def distance(a, b):
    pairs = zip(a.module.parameters(), b.module.parameters(), strict=True)
    return max((p - q).abs().max().item() for p, q in pairs)


@ranks(2)
def test_default_hooks():
    plain = train()
    for view in (False, True):
        options = {"gradient_as_bucket_view": view, "bucket_cap_mb": 0.003}
        for hook, allowed in (
            (default_hooks.allreduce_hook, 1e-7),
            (default_hooks.fp16_compress_hook, 1e-4),
            (default_hooks.bf16_compress_hook, 1e-3),
            (default_hooks.fp16_compress_wrapper(default_hooks.allreduce_hook), 1e-4),
            (default_hooks.bf16_compress_wrapper(default_hooks.allreduce_hook), 1e-3),
        ):
            assert distance(plain, train(hook=hook, **options)) < allowed, hook.__name__


@ranks(2)
def test_power_sgd():
    plain = train(4)
    for hook in (power.powerSGD_hook, power.batched_powerSGD_hook):
        state = power.PowerSGDState(None, matrix_approximation_rank=2, start_powerSGD_iter=2, min_compression_rate=1,
                                    orthogonalization_epsilon=1e-8)
        found = train(4, hook, state, bucket_cap_mb=0.004)
        assert 1e-5 < distance(plain, found) < 0.1
        assert state.iter == 4 and state.compression_stats()[0] > 1 and state.error_dict
        every = [None] * dist.get_world_size()
        dist.all_gather_object(every, [p.tolist() for p in found.parameters()])
        assert all(e == every[0] for e in every)
    state = power.PowerSGDState(None, matrix_approximation_rank=64, start_powerSGD_iter=2, min_compression_rate=0,
                                orthogonalization_epsilon=1e-8, batch_tensors_with_same_shape=True)
    assert distance(plain, train(4, power.powerSGD_hook, state)) < 1e-4, "of full rank, nothing is lost"
    assert power.PowerSGDState(None, start_powerSGD_iter=5).start_powerSGD_iter == 5
    assert pickle.loads(pickle.dumps(state)).iter == 4
    with pytest.raises(ValueError, match="start_powerSGD_iter"):
        power.PowerSGDState(None, start_powerSGD_iter=1)
    wrapped = default_hooks.fp16_compress_wrapper(power.powerSGD_hook)
    state = power.PowerSGDState(None, start_powerSGD_iter=2, orthogonalization_epsilon=1e-3)
    assert distance(plain, train(4, wrapped, state)) < 0.1


@ranks(2)
def test_power_sgd_gives_torchs_values():
    """Four steps by PowerSGD of rank 1, as torch 2.13 gives them."""
    m = nn.Linear(4, 4, bias=False)
    with no_grad():
        m.weight.copy_(tensor([[(i * 4 + j) / 10 for j in range(4)] for i in range(4)]))
    d = DDP(m)
    state = power.PowerSGDState(None, start_powerSGD_iter=2, min_compression_rate=1, orthogonalization_epsilon=1e-8)
    d.register_comm_hook(state, power.powerSGD_hook)
    x = tensor([[1.0, -1.0, 0.5, 2.0]]) * (dist.get_rank() + 1) + tensor([[0.0, 0.3, 0.0, -0.2]]) * dist.get_rank()
    for _ in range(4):
        m.zero_grad()
        (d(x) ** 2).sum().backward()
    want = tensor([[2.94148, -2.5878, 1.47074, 5.64718], [8.02077, -7.05637, 4.01039, 15.39861],
                   [13.10007, -11.52494, 6.55003, 25.15005], [18.17937, -15.99351, 9.08968, 34.9015]])
    assert (m.weight.grad - want).abs().max().item() < 2e-5, m.weight.grad.tolist()


@ranks(2)
def test_hooks_of_ones_own():
    seen = []

    def noop(state, bucket: GradBucket) -> Future:
        seen.append((state, bucket.index(), bucket.is_last(), [g.shape for g in bucket.gradients()],
                     [p.shape for p in bucket.parameters()], bucket.buffer().numel()))
        future = Future()
        future.set_result(bucket.buffer() * 3)
        return future

    for view in (False, True):
        m = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
        d = DDP(m, bucket_cap_mb=1e-6, gradient_as_bucket_view=view)
        d.register_comm_hook("state", noop)
        for _ in range(2):
            m.zero_grad()
            d(ones(1, 2) * (dist.get_rank() + 1)).sum().backward()
        assert m[1].bias.grad.item() == 3.0
        assert [s[1:3] for s in seen] == [(0, True), (0, False), (1, False), (2, False), (3, True)]
        assert seen[0][5] == 13 and sorted(s[5] for s in seen[1:]) == [1, 3, 3, 6]
        assert all(s[0] == "state" and s[3] == s[4] for s in seen)
        seen.clear()
    with pytest.raises(RuntimeError, match="only be called once"):
        d.register_comm_hook(None, noop)
    other = copy.deepcopy(d)
    assert other.reducer.hook is None
    with pytest.raises(TypeError, match="must be callable"):
        other.register_comm_hook(None, 1)
    with pytest.raises(ValueError, match="bucket annotation"):
        other.register_comm_hook(None, wrong_annotation)


def wrong_annotation(state, bucket):
    return bucket


wrong_annotation.__annotations__["bucket"] = int


@ranks(2)
def test_hooks_by_name():
    plain = train()
    for kind in DDPCommHookType:
        d = DDP(fill(GPT()))
        register_ddp_comm_hook(kind, d)
        assert d.reducer.hook is not None
    assert distance(plain, train(hook=d.reducer.hook[1])) > 1e-3, "the last one is NOOP"
    for kind in BuiltinCommHookType:
        d = DDP(nn.Linear(1, 1))
        d._register_builtin_comm_hook(kind)
        d(full((1, 1), dist.get_rank() + 1.0)).sum().backward()
        assert d.module.weight.grad.item() == 1.5


@ranks(2)
def test_hooks_that_return_nonsense():
    for hook, text in ((lambda state, bucket: bucket.buffer(), "callback must return a torch.futures.Future"),
                       (lambda state, bucket: result(1), "one tensor of the bucket's size"),
                       (lambda state, bucket: result(ones(7)), "one tensor of the bucket's size")):
        d = DDP(nn.Linear(2, 1))
        d.register_comm_hook(None, hook)
        with pytest.raises(RuntimeError, match=text):
            d(ones(1, 2)).sum().backward()


def result(value):
    future = Future()
    future.set_result(value)
    return future


@ranks(2)
def test_buffer_hooks():
    m = nn.BatchNorm1d(1)
    d = DDP(m)
    names = []

    def average(state, buffers):
        names.append(sorted(buffers))
        t = buffers["running_mean"].div_(2)
        return [dist.all_reduce(t, async_op=True).get_future()]

    d._register_buffer_comm_hook(None, average)
    d(tensor([[0.0], [2.0]]) * (dist.get_rank() + 1)).sum().backward()
    assert m.running_mean.item() == pytest.approx(0.15)
    assert names == [["num_batches_tracked", "running_mean", "running_var"]]


@ranks(2)
def test_mixed_precision():
    seen = []

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 1)
            self.register_buffer("scale", ones(1))

        def forward(self, x):
            seen.append((x.dtype, self.a.weight.dtype, self.scale.dtype))
            return self.b(self.a(x).relu()) * self.scale

    for config, wire in ((_MixedPrecision(bfloat16), bfloat16), (_MixedPrecision(bfloat16, float32, bfloat16), float32),
                         (_MixedPrecision(reduce_dtype=float16), float16)):
        m = Net()
        with no_grad():
            for p in m.parameters():
                p.fill_(0.5)
        d = DDP(m, mixed_precision=config)
        optimizer = SGD(m.parameters(), 0.5)
        for step in range(2):
            optimizer.zero_grad(set_to_none=step == 0)
            with d.no_sync():
                d(ones(2, 4)).sum().backward()
            assert m.a.weight.dtype is m.a.weight.grad.dtype is float32
            d(ones(2, 4) * (dist.get_rank() + 1)).sum().backward()
            assert m.a.weight.dtype is m.a.weight.grad.dtype is float32
            if step == 0:
                mean = sum(range(1, dist.get_world_size() + 1)) / dist.get_world_size()
                assert m.a.weight.grad.eq(1 + mean).all()
            optimizer.step()
        assert d.reducer.buckets[0].dtype is wire
        low = config.param_dtype or float32
        assert seen[-1] == (low, low, config.buffer_dtype or float32)
        with no_grad():
            d(ones(1, 4))
        assert m.a.weight.dtype is float32
        assert full((1,), 1.0).dtype is float32
