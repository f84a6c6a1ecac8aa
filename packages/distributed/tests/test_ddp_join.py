"""Training loops in which ranks have different numbers of inputs."""

from __future__ import annotations

import pytest
from ddp_models import linear, quiet
from harness import ranks

from lamella import distributed as dist, nn
from lamella.core import full, ones
from lamella.distributed.algorithms.ddp_comm_hooks import default_hooks
from lamella.distributed.algorithms.join import Join, Joinable, JoinHook
from lamella.distributed.parallel import DistributedDataParallel as DDP
from lamella.optim import SGD

pytestmark = pytest.mark.filterwarnings("ignore:find_unused_parameters=True")


def gradients(d, context, steps):
    seen = []
    with context:
        for _ in range(steps):
            d.module.weight.grad = None
            d(ones(1, 1)).sum().backward()
            seen.append(d.module.weight.grad.item())
    return seen


@ranks(2, 4)
def test_ranks_without_inputs_give_zeros():
    n, r = dist.get_world_size(), dist.get_rank()
    for view in (False, True):
        d = DDP(linear(), gradient_as_bucket_view=view)
        assert gradients(d, d.join(), 1 + r) == [(n - i) / n for i in range(r + 1)]
        d = DDP(linear())
        assert gradients(d, d.join(divide_by_initial_world_size=False), 2 + r) == [1.0] * (2 + r)
        assert gradients(d, Join([d], divide_by_initial_world_size=False), 2 + r) == [1.0] * (2 + r)
    d(ones(1, 1)).sum().backward()  # behind the context, nothing of it is left


@ranks(2, 4)
def test_all_get_the_model_of_a_last_rank():
    r = dist.get_rank()
    for hook in (None, default_hooks.allreduce_hook):
        m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
        d = DDP(m, bucket_cap_mb=1e-5)
        if hook:
            d.register_comm_hook(None, hook)
        optimizer = SGD(m.parameters(), 0.1)
        with d.join():
            for i in range(2 + 3 * r):
                optimizer.zero_grad()
                with d.no_sync():
                    d(full((2, 2), i + 1.0) * ones(2, 2).cumsum(0)).sum().backward()
                d(full((2, 2), i - 1.0) * ones(2, 2).cumsum(0)).sum().backward()
                optimizer.step()
        every = [None] * dist.get_world_size()
        dist.all_gather_object(every, [t.tolist() for t in m.state_dict().values()])
        assert all(e == every[0] for e in every)
        assert m[1].num_batches_tracked.item() == 2 * (2 + 3 * (dist.get_world_size() - 1))


@ranks(2)
def test_unused_parameters_within_join():
    class Pick(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = linear(), linear()

        def forward(self, x, which):
            return self.a(x) if which else self.b(x)

    m = Pick()
    d = DDP(m, find_unused_parameters=True)
    seen = []
    with quiet(), d.join():
        for i in range(1 + 2 * dist.get_rank()):
            m.zero_grad()
            d(ones(1, 1), i % 2).sum().backward()
            seen.append([None if p.grad is None else p.grad.item() for p in m.parameters()])
    want = [[None, 1.0], [0.5, None], [None, 0.5]]
    assert seen == want[: len(seen)]


@ranks(2)
def test_early_termination_raises_everywhere():
    d = DDP(linear())
    text = "Detected at least one rank that exhausted inputs" if dist.get_rank() else "Rank 0 exhausted all inputs"
    with pytest.raises(RuntimeError, match=text), d.join(throw_on_early_termination=True):
        for _ in range(2 + dist.get_rank()):
            d(ones(1, 1)).sum().backward()


@ranks(2)
def test_disabled():
    d = DDP(linear())
    assert gradients(d, d.join(enable=False), 2) == [1.0, 1.0]


@ranks(2)
def test_errors_pass_through():
    d = DDP(linear())
    with pytest.raises(KeyError), d.join():
        raise KeyError
    with pytest.raises(ValueError, match="at least one joinable"):
        Join([])
    other = dist.new_group([0, 1])
    with pytest.raises(ValueError, match="multiple process groups"):
        Join([d, DDP(linear(), process_group=other)])


class Counter(Joinable):
    """Sums numbers over ranks, by hand."""

    def __init__(self):
        super().__init__()
        self.total = 0.0

    def __call__(self):
        Join.notify_join_context(self)
        t = ones(1)
        dist.all_reduce(t)
        self.total += t.item()

    def join_hook(self, **kwargs):
        counter = self

        class Hook(JoinHook):
            def main_hook(self):
                dist.all_reduce(full((1,), 0.0))

            def post_hook(self, is_last_joiner):
                t = full((1,), counter.total if is_last_joiner else -1.0)
                dist.all_reduce(t, dist.ReduceOp.MAX)
                counter.total = t.item()

        return Hook()

    @property
    def join_device(self):
        return "cpu"

    @property
    def join_process_group(self):
        return dist.group.WORLD


@ranks(2, 4)
def test_a_joinable_of_ones_own():
    counter = Counter()
    n = dist.get_world_size()
    with Join([counter]):
        for _ in range(1 + dist.get_rank()):
            counter()
    assert counter.total == n * (n + 1) / 2
