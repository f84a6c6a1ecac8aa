"""What DistributedDataParallel does beside averaging: accumulation, construction, containers, buffers, copies."""

from __future__ import annotations

import copy
import doctest
import gc
import importlib
import io
import pickle
import weakref
from collections import OrderedDict, namedtuple

import pytest
from ddp_models import Answer, Pick, linear, mine, quiet
from harness import ranks

from lamella import autograd, distributed as dist, nn
from lamella.core import bfloat16, complex64, float16, float32, float64, ones, tensor
from lamella.distributed.parallel import DistributedDataParallel as DDP
from lamella.optim import SGD

pytestmark = pytest.mark.filterwarnings("ignore:find_unused_parameters=True")


def mean(values):
    return sum(values) / len(values)


def per_rank(value):
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, value)
    return every


MEAN = {1: 1.0, 2: 1.5, 4: 2.5}


@pytest.mark.parametrize("name", ["parallel.buckets", "parallel.module", "parallel.mixed", "algorithms.join",
                                  "algorithms.ddp_comm_hooks.kinds", "algorithms.ddp_comm_hooks.default_hooks",
                                  "algorithms.ddp_comm_hooks.debugging_hooks",
                                  "algorithms.ddp_comm_hooks.post_localSGD_hook",
                                  "algorithms.ddp_comm_hooks.powerSGD_hook"])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(f"lamella.distributed.{name}")).failed == 0


# -- accumulation ----------------------------------------------------------------------------------------------------


@ranks(2)
def test_no_sync_keeps_gradients_local_and_the_next_backward_averages_the_sum():
    n, r = dist.get_world_size(), dist.get_rank()
    for view in (False, True):
        m = linear()
        d = DDP(m, gradient_as_bucket_view=view)
        for _ in range(3):
            m.zero_grad()
            with d.no_sync():
                for _ in range(2):
                    d(mine()).sum().backward()
            assert m.weight.grad.item() == 2 * (r + 1)
            d(mine()).sum().backward()
            assert m.weight.grad.item() == pytest.approx(3 * MEAN[n])
    with d.no_sync():
        with d.no_sync():
            pass
        assert not d.require_backward_grad_sync
    assert d.require_backward_grad_sync


@ranks(2)
def test_several_forwards_before_backward():
    m = linear()
    d = DDP(m)
    for _ in range(2):
        m.zero_grad()
        (d(mine()) + 2 * d(mine())).sum().backward()
        assert m.weight.grad.item() == 4.5


@ranks(2)
def test_a_loss_in_two_backwards():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = linear(), linear()

        def forward(self, x):
            return self.a(x), self.b(x)

    m = Two()
    d = DDP(m, bucket_cap_mb=1e-6)
    for _ in range(3):
        m.zero_grad()
        a, b = d(mine())
        b.sum().backward()
        a.sum().backward()
        assert m.a.weight.grad.item() == m.b.weight.grad.item() == 1.5


@ranks(2)
def test_parameters_used_several_times():
    class Shared(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = linear(), linear()
            self.b.weight = self.a.weight

        def forward(self, x):
            return self.a(x) + 2 * self.b(x)

    m = Shared()
    d = DDP(m)
    for _ in range(2):
        m.zero_grad()
        d(mine()).sum().backward()
        assert m.a.weight.grad.item() == 4.5
    assert len(d.reducer.params) == 1


@ranks(2)
def test_gradient_views_are_parts_of_the_bucket():
    m = nn.Sequential(linear(), linear())
    d = DDP(m, gradient_as_bucket_view=True)
    optimizer = SGD(m.parameters(), 0.1)
    for step in range(3):
        optimizer.zero_grad(set_to_none=step == 1)
        d(mine()).sum().backward()
        optimizer.step()
        base = d.reducer.buckets[0].buffer
        assert all(p.grad._base is base for p in m.parameters())
    assert len(d.reducer.buckets) == 1


@ranks(2)
def test_gradients_outlive_the_next_step_without_views():
    m = linear()
    d = DDP(m)
    d(mine()).sum().backward()
    kept = m.weight.grad
    m.zero_grad()
    d(mine() * 2).sum().backward()
    assert kept.item() == 1.5 and m.weight.grad.item() == 3.0


@ranks(2)
def test_layout_of_gradients_follows_parameters():
    m = nn.Conv2d(2, 3, 2, bias=False)
    m.weight.data = m.weight.data.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
    for view in (False, True):
        d = DDP(m, gradient_as_bucket_view=view)
        for _ in range(2):
            m.zero_grad()
            d(ones(1, 2, 3, 3) * (dist.get_rank() + 1)).sum().backward()
            assert m.weight.grad.stride() == m.weight.stride() == (8, 1, 4, 2)
            assert m.weight.grad.eq(6.0).all()


@ranks(2)
def test_freezing_and_thawing():
    m = Pick()
    d = DDP(m)
    d(mine(), 2).sum().backward()
    m.b.weight.requires_grad_(False)
    m.b.weight.requires_grad_(True)
    m.zero_grad()
    d(mine(), 2).sum().backward()
    assert m.b.weight.grad.item() == 1.5


@ranks(2)
def test_higher_order_gradients():
    class Cube(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(tensor([2.0]))

        def forward(self, x):
            return x * self.w**3

    m = Cube()
    d = DDP(m)
    y = d(tensor([dist.get_rank() + 1.0])).sum()
    (g,) = autograd.grad(y, m.w, create_graph=True)
    assert g.item() == 12 * (dist.get_rank() + 1)
    (g**2).sum().backward()
    assert m.w.grad.item() == pytest.approx(mean([2 * 12 * k * 12 * k for k in (1, 2)]))
    m.zero_grad()
    with quiet():
        d(tensor([dist.get_rank() + 1.0])).sum().backward(create_graph=True)
    assert m.w.grad.item() == 18.0 and m.w.grad.requires_grad
    m.w.grad = None


# -- construction ----------------------------------------------------------------------------------------------------


@ranks(2)
def test_parameters_and_buffers_come_from_rank_0():
    for sync in (True, False):
        m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2).to(float64), nn.Linear(600, 600))
        r = dist.get_rank()
        for t in (*m.parameters(), m[1].running_mean, m[1].num_batches_tracked):
            t.data.fill_(r + 5)
        DDP(m, init_sync=sync)
        want = 5 if sync else r + 5
        assert all(t.eq(want).all() for t in (*m.parameters(), m[1].running_mean, m[1].num_batches_tracked))


@ranks(2)
def test_models_that_differ():
    with pytest.raises(RuntimeError, match=r"rank 0: weight float32\[1, 2\], rank 1: weight float32\[1, 3\]"):
        DDP(nn.Linear(2 + dist.get_rank(), 1))
    layers = [linear() for _ in range(1 + dist.get_rank())]
    with pytest.raises(RuntimeError, match=r"Rank 0 has 1 params, while rank 1 has inconsistent 2 params"):
        DDP(nn.Sequential(*layers))


@ranks(2, backends=("mpi",))
def test_arguments_that_are_refused():
    with pytest.raises(RuntimeError, match="doesn't have any parameter that requires a gradient"):
        DDP(nn.ReLU())
    frozen = linear()
    frozen.weight.requires_grad_(False)
    with pytest.raises(RuntimeError, match="doesn't have any parameter that requires a gradient"):
        DDP(frozen)
    with pytest.raises(ValueError, match="single element"):
        DDP(linear(), device_ids=[0, 1])
    with pytest.raises(ValueError, match="single-device GPU modules"):
        DDP(linear(), device_ids=[0])
    with pytest.raises(ValueError, match="set at the same time"):
        DDP(linear(), delay_all_reduce_named_params=[("weight", linear().weight)])
    with pytest.raises(RuntimeError, match="uninitialized"):
        DDP(nn.LazyLinear(3))
    with pytest.warns(FutureWarning, match="broadcast_buffers"):
        assert not DDP(linear(), broadcast_buffers=False).forward_sync_buffers
    with pytest.warns(FutureWarning, match="check_reduction"):
        DDP(linear(), check_reduction=True)
    with pytest.warns(UserWarning, match="no need to set it again"):
        DDP(linear(), static_graph=True)._set_static_graph()


@ranks(2)
def test_ignored_parameters_and_buffers():
    m = nn.Sequential(linear(), linear(), nn.BatchNorm1d(1))
    r = dist.get_rank()
    m[1].weight.data.fill_(r + 5)
    m[2].running_mean.fill_(r + 5)
    DDP._set_params_and_buffers_to_ignore_for_model(m, ["1.weight", "2.running_mean"])
    d = DDP(m)
    assert m[1].weight.item() == m[2].running_mean.item() == r + 5
    assert [n for n, _ in d.reducer.names] == ["0.weight", "2.weight", "2.bias"]
    assert len(list(DDP._get_data_parallel_params(m))) == 3


@ranks(2)
def test_sub_groups():
    group = dist.new_group([1])
    if dist.get_rank() == 1:
        m = linear()
        d = DDP(m, process_group=group)
        d(mine()).sum().backward()
        assert m.weight.grad.item() == 2.0
        with pytest.raises(RuntimeError, match="default process group"):
            pickle.dumps(d)
    dist.barrier()


# -- forward ---------------------------------------------------------------------------------------------------------


class Shaped(nn.Module):
    """Gives its output in a container; may leave one of its layers out."""

    def __init__(self, shape, unused):
        super().__init__()
        self.a, self.b, self.shape, self.unused = linear(), linear(), shape, unused

    def forward(self, x):
        return self.shape(self.a(x) if self.unused else self.b(self.a(x)))


@ranks(2)
def test_outputs_in_containers():
    Pair = namedtuple("Pair", "x y")
    shapes = {
        "dict": lambda y: {"a": y, "n": 3}, "ordered": lambda y: OrderedDict(a=[y, None]),
        "named": lambda y: Pair(y, (y * 2,)), "dataclass": lambda y: Answer(y, {"more": y * 2}), "nothing": lambda y: y,
    }
    for unused in (False, True):
        for shape in shapes.values():
            d = DDP(Shaped(shape, unused), find_unused_parameters=unused)
            out = d(mine())
            assert type(out) is type(d.module(mine()))
            y = out["a"] if isinstance(out, dict) else getattr(out, "x", getattr(out, "main", out))
            y = y[0] if isinstance(y, list) else y
            y.add_(1)
            y.sum().backward()
            assert d.module.a.weight.grad.item() == 1.5


@ranks(2)
def test_buffers_come_from_rank_0_before_each_forward():
    def run(**options):
        m = nn.BatchNorm1d(1)
        d = DDP(m, **options)
        for _ in range(2):
            d(tensor([[0.0], [2.0]]) * (dist.get_rank() + 1))
        d.eval()(ones(2, 1))
        return per_rank(round(m.running_mean.item(), 5))

    assert run() == [0.19, 0.19]
    assert run(forward_sync_buffers=False) == [0.19, 0.38]


@ranks(2)
def test_no_grad_and_eval_leave_the_next_step_alone():
    m = linear()
    d = DDP(m)
    for _ in range(2):
        m.zero_grad()
        with autograd.no_grad():
            assert d(mine()).item() == dist.get_rank() + 1
        d.eval()
        d(mine())
        d.train()
        assert d.training and m.training
        d(mine()).sum().backward()
        assert m.weight.grad.item() == 1.5


@ranks(2)
def test_names_copies_and_storing():
    m = linear(dist.get_rank())
    d = DDP(m, bucket_cap_mb=1)
    assert list(d.state_dict()) == ["module.weight"]
    stored = io.BytesIO()
    pickle.dump(d, stored)
    stored.seek(0)
    for other in (copy.deepcopy(d), pickle.load(stored)):
        assert other.module.weight.item() == 0.0
        other(mine()).sum().backward()
        assert other.module.weight.grad.item() == 1.5 and m.weight.grad is None


@ranks(2)
def test_forward_hooks():
    d = DDP(linear())
    d.register_forward_hook(lambda module, args, out: out * 2)
    d.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    out = d(mine())
    assert out.item() == 2 * (dist.get_rank() + 2)
    out.sum().backward()
    assert d.module.weight.grad.item() == 5.0


@ranks(2)
def test_the_hooks_go_with_the_object():
    m = linear()
    d = DDP(m)
    d(mine()).sum().backward()
    gone = weakref.ref(d.reducer)
    del d
    gc.collect()
    assert gone() is None
    m.zero_grad()
    m(mine()).sum().backward()
    assert m.weight.grad.item() == dist.get_rank() + 1


@ranks(2)
def test_steps_are_counted():
    d = DDP(linear())
    before = d.process_group.world.step
    for _ in range(3):
        with d.no_sync():
            d(mine()).sum().backward()
        d(mine()).sum().backward()
    assert d.process_group.world.step == before + 3
    assert d._get_ddp_logging_data()["iteration"] == 3


@ranks(2)
def test_delayed_all_reduce():
    m = nn.Sequential(linear(), linear(), linear())
    late = [("1.weight", m[1].weight), ("2.weight", m[2].weight)]
    d = DDP(m, delay_all_reduce_named_params=late, param_to_hook_all_reduce=m[0].weight)
    for _ in range(2):
        m.zero_grad()
        d(mine()).sum().backward()
        assert [p.grad.item() for p in m.parameters()] == [1.5, 1.5, 1.5]
    m = nn.Sequential(linear(), linear())
    d = DDP(m, delay_all_reduce_named_params=[(n, p) for n, p in m.named_parameters()],
            param_to_hook_all_reduce=m[0].weight)
    d(mine()).sum().backward()
    assert m[1].weight.grad.item() == 1.5


@ranks(2)
def test_optimizers_after_gradients_see_the_sum_of_a_rank():
    seen = []
    m = linear()
    d = DDP(m)
    m.weight.register_post_accumulate_grad_hook(lambda p: (seen.append(p.grad.item()), p.grad.mul_(2)))
    d(mine()).sum().backward()
    assert seen == [dist.get_rank() + 1] and m.weight.grad.item() == 3.0


@ranks(2)
def test_element_types_and_shapes():
    class Odd(nn.Module):
        def __init__(self):
            super().__init__()
            for i, (shape, dtype) in enumerate((((), float32), ((0, 3), float32), ((2, 1, 2), complex64),
                                                 ((3,), float64), ((2, 2), bfloat16), ((2,), float16))):
                self.register_parameter(f"p{i}", nn.Parameter(ones(shape, dtype=dtype)))

        def forward(self, x):
            return sum((p.real if p.is_complex() else p).double().sum() for p in self.parameters()) * x

    n, r = dist.get_world_size(), dist.get_rank()
    for options in ({}, {"gradient_as_bucket_view": True}, {"bucket_cap_mb": 1e-6}, {"static_graph": True}):
        m = Odd()
        d = DDP(m, **options)
        for _ in range(3):
            m.zero_grad()
            d(r + 1.0).backward()
            for p in m.parameters():
                assert p.grad.dtype is p.dtype and p.grad.shape == p.shape
                assert p.grad.eq(MEAN[n]).all(), (p.dtype, options)
