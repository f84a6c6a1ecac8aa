"""Parameters that a step does not use, uses twice, or in checkpoints: what DistributedDataParallel makes of them."""

from __future__ import annotations

import pytest
from ddp_models import Pick, linear, mine, quiet, reentrant
from harness import ranks

from lamella import distributed as dist, nn
from lamella.core import full, ones
from lamella.distributed.parallel import DistributedDataParallel as DDP
from lamella.torch.utils.checkpoint import checkpoint

pytestmark = pytest.mark.filterwarnings("ignore:find_unused_parameters=True")
MEAN = {1: 1.0, 2: 1.5, 4: 2.5}


@ranks(1, 2, 4)
def test_error_names_parameters_and_the_option():
    d = DDP(Pick())
    d(mine(), 0).sum().backward()
    with pytest.raises(RuntimeError) as e:
        d(mine(), 0)
    text = str(e.value)
    assert text.startswith("Expected to have finished reduction in the prior iteration before starting a new one")
    assert "b.weight (Linear)" in text and "a.weight" not in text and "find_unused_parameters=True" in text
    with pytest.raises(RuntimeError, match="b.weight"):
        d._check_reducer_finalized()


@ranks(2)
def test_error_says_which_output_did_not_reach_the_loss():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.body, self.head, self.spare, self.idle = linear(), linear(), linear(), linear()

        def forward(self, x):
            x = self.body(x)
            return {"y": self.head(x), "aux": [self.spare(x)]}

    d = DDP(Two())
    out = d(mine())
    out["y"].sum().backward()
    with pytest.raises(RuntimeError) as e:
        d(mine())
    text = str(e.value)
    assert "spare.weight (Linear): used by forward's output['aux'][0], which did not reach the loss" in text, text
    assert "idle.weight (Linear): not used by forward" in text


@ranks(1, 2, 4)
def test_globally_unused_gradients_stay_as_they_are():
    m = Pick()
    d = DDP(m, find_unused_parameters=True)
    for _ in range(2):
        m.a.weight.grad = None
        d(mine(), 0).sum().backward()
        assert m.b.weight.grad is None and m.a.weight.grad.item() == MEAN[dist.get_world_size()]
    m.b.weight.grad = full((1, 1), 7.0 + dist.get_rank())
    d(mine(), 0).sum().backward()
    assert m.b.weight.grad.item() == 7.0 + dist.get_rank()


@ranks(2, 4)
def test_locally_unused_gradients_get_the_mean():
    for view in (False, True):
        m = Pick()
        d = DDP(m, find_unused_parameters=True, gradient_as_bucket_view=view)
        n, r = dist.get_world_size(), dist.get_rank()
        for _ in range(3):
            m.zero_grad()
            d(mine(), 0 if r == 0 else 1).sum().backward()
            assert m.a.weight.grad.item() == 1.0 / n
            assert m.b.weight.grad.item() == sum(range(2, n + 1)) / n


@ranks(2)
def test_a_rank_that_uses_nothing_takes_part():
    class Gate(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = linear()

        def forward(self, x):
            return self.a(x) if dist.get_rank() == 0 else x * 1

    m = Gate()
    d = DDP(m, find_unused_parameters=True)
    with quiet():
        d(ones(1, 1, requires_grad=True)).sum().backward()
    assert m.a.weight.grad.item() == 0.5


@ranks(2)
def test_outputs_that_do_not_reach_the_loss():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = linear(), linear()

        def forward(self, x):
            return self.a(x), self.b(x)

    with quiet():
        m = Two()
        d = DDP(m, find_unused_parameters=True)
        for _ in range(2):
            m.zero_grad()
            y, _ = d(mine())
            y.sum().backward()
            assert m.b.weight.grad is None and m.a.weight.grad.item() == 1.5


@ranks(2)
def test_gradients_of_no_sync_are_not_lost():
    m = Pick()
    d = DDP(m, find_unused_parameters=True)
    for _ in range(2):
        m.zero_grad()
        with d.no_sync():
            d(mine(), 1).sum().backward()
        d(mine(), 0).sum().backward()
        assert m.a.weight.grad.item() == m.b.weight.grad.item() == 1.5
    m.zero_grad()
    d(mine(), 0).sum().backward()
    assert m.b.weight.grad is None


@ranks(2, backends=("mpi",))
def test_search_that_finds_nothing_warns():
    d = DDP(Pick(), find_unused_parameters=True)
    with pytest.warns(UserWarning, match="did not find any unused"):
        d(mine(), 2).sum().backward()


@ranks(2)
def test_static_graph_learns_what_is_unused():
    m = Pick()
    d = DDP(m, static_graph=True)
    for _ in range(3):
        m.zero_grad()
        d(mine(), 0).sum().backward()
        assert m.b.weight.grad is None and m.a.weight.grad.item() == 1.5
    with pytest.raises(RuntimeError, match=r"training graph has changed in this iteration.*b\.weight"):
        d(mine(), 2).sum().backward()


@ranks(2)
def test_static_graph_begins_with_no_sync():
    m = linear()
    d = DDP(m, static_graph=True)
    for _ in range(3):
        m.zero_grad()
        with d.no_sync():
            d(mine()).sum().backward()
            assert m.weight.grad.item() == dist.get_rank() + 1
        d(mine()).sum().backward()
        assert m.weight.grad.item() == 3.0


class Blocks(nn.Module):
    """One layer used twice, each time in a checkpoint."""

    def __init__(self, around):
        super().__init__()
        self.a = linear()
        self.around = around

    def forward(self, x):
        for _ in range(2):
            x = self.around(self.a, x)
        return x


@ranks(2)
def test_checkpoints_that_share_parameters():
    x = mine().requires_grad_()
    static = {"static_graph": True}
    for around, options in ((reentrant, static), (checkpoint, {}), (checkpoint, static)):
        m = Blocks(around)
        d = DDP(m, **options)
        for _ in range(3):
            m.zero_grad()
            d(x).sum().backward()
            assert m.a.weight.grad.item() == 3.0, (around, options)
    d = DDP(Blocks(reentrant))
    with pytest.raises(RuntimeError, match=r"mark a variable ready only once.*\n?.*a\.weight"):
        d(x).sum().backward()


@ranks(2)
def test_a_backward_that_raised():
    m = nn.Sequential(linear(), linear())
    d = DDP(m)

    def broken(grad):
        raise KeyError("mine")

    m[0].weight.register_hook(broken)
    with pytest.raises(KeyError, match="mine"):
        d(mine()).sum().backward()
    with pytest.raises(RuntimeError, match="the backward pass before did not come to its end"):
        d(mine())


@ranks(2)
def test_error_says_that_a_parameter_was_frozen():
    m = Pick()
    d = DDP(m)
    m.b.weight.requires_grad_(False)
    d(mine(), 2).sum().backward()
    with pytest.raises(RuntimeError, match=r"b\.weight \(Linear\): requires_grad was set to False"):
        d(mine(), 2)


@ranks(2)
def test_backward_hooks_of_modules():
    m = Pick()
    seen = []
    m.a.register_full_backward_hook(lambda module, inputs, outputs: seen.append(outputs[0].item()))
    d = DDP(m)
    for _ in range(2):
        m.zero_grad()
        d(mine(), 2).sum().backward()
        assert m.a.weight.grad.item() == m.b.weight.grad.item() == 1.5
    assert seen == [1.0, 1.0]
