"""SyncBatchNorm: equal to a BatchNorm over the joined batch."""

import numpy as np
import pytest
from harness import ranks

from lamella import autograd, core, distributed as dist, nn
from lamella.core import tensor
from lamella.distributed.sync_batch_norm import SyncBatchNorm


def parts(shape, sizes, seed=0, dtype=np.float32, offset=3.0):
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal((sum(sizes), *shape)) * 2 + offset).astype(dtype)
    g = rng.standard_normal(x.shape).astype(dtype)
    cuts = np.cumsum(sizes)[:-1]
    return x, g, np.split(x, cuts), np.split(g, cuts)


def close(a, b, limit=1e-6):
    a, b = np.asarray(a), np.asarray(b)
    np.testing.assert_allclose(a, b, rtol=limit, atol=limit * max(1.0, float(np.abs(b).max(initial=0))))


def affine(module):
    with autograd.no_grad():
        n = module.num_features
        module.weight.copy_(core.arange(1, n + 1) / n)
        module.bias.copy_(core.arange(n) / n)
    return module


def compare(joined, mine, shape, sizes, steps=2, dtype=np.float32, limit=1e-6):
    rank = dist.get_rank()
    for step in range(steps):
        x, g, xs, gs = parts(shape, sizes, step, dtype)
        whole, part = tensor(x, requires_grad=True), tensor(xs[rank], requires_grad=True)
        expected, got = joined(whole), mine(part)
        assert got.dtype is part.dtype and got.shape == part.shape
        start = sum(sizes[:rank])
        here = slice(start, start + sizes[rank])
        close(got.detach().numpy(), expected.detach().numpy()[here], limit)
        expected.backward(tensor(g))
        got.backward(tensor(gs[rank]))
        close(part.grad.numpy(), whole.grad.numpy()[here], limit)
        for p, q in zip(mine.parameters(), joined.parameters(), strict=True):
            total = p.grad.clone()
            dist.all_reduce(total)
            close(total.numpy(), q.grad.numpy(), limit * 3)
            p.grad = q.grad = None
    for p, q in zip(mine.buffers(), joined.buffers(), strict=True):
        close(p.numpy(), q.numpy(), limit)
    joined.eval()
    mine.eval()
    close(mine(tensor(xs[rank])).detach().numpy(), joined(tensor(xs[rank])).detach().numpy(), limit)


@ranks(2, 4)
def test_equals_the_joined_batch():
    n = dist.get_world_size()
    compare(affine(nn.BatchNorm2d(3)), affine(SyncBatchNorm(3)), (3, 5, 4), [4] * n)


@ranks(2, 4)
def test_ranks_with_batches_of_different_sizes():
    n = dist.get_world_size()
    compare(affine(nn.BatchNorm1d(4, momentum=None)), affine(SyncBatchNorm(4, momentum=None)), (4,),
            [3 * r + 1 for r in range(n)])


@ranks(2)
def test_a_rank_without_samples():
    compare(affine(nn.BatchNorm1d(4)), affine(SyncBatchNorm(4)), (4, 2), [0, 5])


@ranks(2)
def test_without_weight_or_statistics_and_in_float64():
    compare(nn.BatchNorm2d(3, affine=False), SyncBatchNorm(3, affine=False), (3, 2, 2), [2, 2])
    compare(nn.BatchNorm2d(3, track_running_stats=False, dtype=core.float64),
            SyncBatchNorm(3, track_running_stats=False, dtype=core.float64), (3, 2, 2), [2, 3], dtype=np.float64,
            limit=1e-12)


@ranks(2)
def test_one_value_per_rank_is_enough_for_two():
    x = tensor([[1.0 + 2 * dist.get_rank()]])
    out = SyncBatchNorm(1)(x)
    close(out.detach().numpy(), [[2.0 * dist.get_rank() - 1.0]], 1e-4)


@ranks(2)
def test_bfloat16():
    module = SyncBatchNorm(2)
    x = core.arange(8.0).reshape(4, 2).add(dist.get_rank()).bfloat16().requires_grad_()
    out = module(x)
    out.float().square().sum().backward()
    assert out.dtype is core.bfloat16 and x.grad.dtype is core.bfloat16 and module.weight.grad.dtype is core.float32
    assert abs(out.float().mean().item()) < 0.3


@ranks(4)
def test_groups():
    pairs = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    rank = dist.get_rank()
    module = SyncBatchNorm(1, process_group=pairs[rank // 2])
    out = module(tensor([[float(rank)], [float(rank)]]))
    close(out.detach().numpy().ravel(), [2.0 * (rank % 2) - 1.0] * 2, 1e-4)
    close(module.running_mean.numpy(), [0.1 * (2 * (rank // 2) + 0.5)])


@ranks(2)
def test_second_derivatives_are_refused():
    x = tensor([[1.0], [2.0]], requires_grad=True)
    (g,) = autograd.grad(SyncBatchNorm(1)(x).square().sum(), x, create_graph=True)
    try:
        g.sum().backward()
    except RuntimeError as e:
        assert "once_differentiable" in str(e) or "differentiat" in str(e)
    else:
        raise AssertionError("was accepted")


def test_convert():
    inner = nn.Sequential(nn.BatchNorm1d(3, 1e-3, None))
    model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2, bias=False), inner)
    old = model[1]
    old.eval()
    keys = list(model.state_dict())
    new = SyncBatchNorm.convert_sync_batchnorm(model, "group")
    assert new is model and type(model[1]) is SyncBatchNorm and type(model[2][0]) is SyncBatchNorm
    assert model[1].weight is old.weight and model[1].running_var is old.running_var and model[1].bias is None
    assert not model[1].training and model[1].process_group == "group" and list(model.state_dict()) == keys
    assert model[2][0].eps == 1e-3 and model[2][0].momentum is None
    alone = SyncBatchNorm.convert_sync_batchnorm(nn.BatchNorm3d(2))
    assert type(alone) is SyncBatchNorm


def test_prints_and_names_its_state_as_torchs():
    module = SyncBatchNorm(3)
    assert repr(module) == ("SyncBatchNorm(3, eps=1e-05, momentum=0.1, affine=True, bias=True, "
                            "track_running_stats=True)")
    assert list(module.state_dict()) == ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"]


def test_alone_it_is_batch_norm():
    x = tensor(np.random.default_rng(0).standard_normal((3, 2, 4)).astype(np.float32))
    assert core.equal(SyncBatchNorm(2)(x), nn.BatchNorm1d(2)(x))
    with pytest.raises(ValueError, match="Expected more than 1 value per channel"):
        SyncBatchNorm(2)(core.ones(1, 2))
    with pytest.raises(ValueError, match="expected at least 2D input"):
        SyncBatchNorm(2)(core.ones(2))
    with pytest.raises(ValueError, match="channels should be non-zero"):
        SyncBatchNorm(2)(core.ones(2, 0))
