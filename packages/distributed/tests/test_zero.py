"""ZeroRedundancyOptimizer: what a plain optimizer does, with the state spread over the ranks."""

import doctest
from importlib import import_module

import pytest
from harness import ranks

from lamella import core, distributed as dist, nn, optim
from lamella.autograd import no_grad
from lamella.core import Generator, ones, randn, tensor, zeros
from lamella.distributed.algorithms.ddp_comm_hooks import ddp_zero_hook
from lamella.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from lamella.distributed.algorithms.join import Join
from lamella.distributed.optim import DistributedOptimizer, PostLocalSGDOptimizer, ZeroRedundancyOptimizer
from lamella.distributed.parallel import DistributedDataParallel as DDP
from lamella.optim.lr_scheduler import StepLR

SIZES = [(17, 5), (5,), (300, 240), (240,), (3, 3, 3), (1,), (240, 7), ()]


def parameters(seed=0, sizes=SIZES, dtype=core.float32):
    g = Generator().manual_seed(seed)
    return [randn(s, generator=g).to(dtype).requires_grad_() for s in sizes]


def set_gradients(params, step):
    """The same gradients on all ranks, other ones each step."""
    g = Generator().manual_seed(1000 + step)
    for p in params:
        p.grad = randn(p.shape, generator=g).to(p.dtype)


def same(ours, plain, tolerance=1e-6):
    for a, b in zip(ours, plain, strict=True):
        assert (a.detach() - b.detach()).abs().max().item() <= tolerance


def same_on_all_ranks(params):
    for p in params:
        other = p.detach().clone()
        dist.broadcast(other, 0)
        assert (other == p.detach()).all()


def same_state(ours, plain):
    """Two state dicts have the same groups and (nearly) the same tensors."""
    assert ours["param_groups"] == plain["param_groups"]
    assert list(ours["state"]) == sorted(plain["state"])
    for i, state in plain["state"].items():
        assert list(ours["state"][i]) == list(state)
        for name, value in state.items():
            assert (ours["state"][i][name] - value).abs().max().item() <= 1e-6 if isinstance(
                value, core.Tensor) else ours["state"][i][name] == value


CLASSES = {"sgd": (optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}), "adam": (optim.Adam, {"lr": 0.01}),
           "adamw": (optim.AdamW, {"lr": 0.01, "amsgrad": True})}


def check_equal(name, **options):
    cls, defaults = CLASSES[name]
    ours, plain = parameters(), parameters()
    zero, other = ZeroRedundancyOptimizer(ours, cls, **options, **defaults), cls(plain, **defaults)
    for step in range(50):
        set_gradients(ours, step)
        set_gradients(plain, step)
        zero.step()
        other.step()
    same(ours, plain)
    same_on_all_ranks(ours)
    to = dist.get_world_size() - 1
    zero.consolidate_state_dict(to)
    if dist.get_rank() == to:
        same_state(zero.state_dict(), other.state_dict())


@ranks(2)
def test_equals_sgd():
    check_equal("sgd")


@ranks(2)
def test_equals_adam():
    check_equal("adam")


@ranks(2)
def test_equals_adamw_in_buckets():
    check_equal("adamw", parameters_as_bucket_view=True)


@ranks(2)
def test_memory_of_the_state():
    """Each rank keeps about 1/n of the state, and together they keep it once."""
    params = parameters(sizes=[(64, 64)] * 7 + [(64,)] * 9)
    zero = ZeroRedundancyOptimizer(params, optim.Adam, lr=0.1)
    set_gradients(params, 0)
    zero.step()
    mine = sum(t.nbytes for s in zero.optim.state.values() for t in s.values() if t.ndim)
    total = tensor([mine])
    dist.all_reduce(total)
    whole = sum(2 * p.nbytes for p in params)
    assert total.item() == whole
    assert mine <= whole * (0.6 if dist.get_world_size() == 2 else 0.3)
    assert set(zero.state) == {p for p in params if zero._param_to_rank[p] == dist.get_rank()}


@ranks(2)
def test_groups_schedulers_and_closures():
    """Several groups, one of them empty and one added later; learning rates change; the loss comes back."""
    ours, plain = parameters(), parameters()

    def make(params, build):
        found = build([{"params": params[:3], "lr": 0.05}, {"params": []}, {"params": iter(params[3:6]), "beta": 1}])
        schedule = StepLR(found, 2, 0.5)
        return found, schedule

    zero, schedule = make(ours, lambda g: ZeroRedundancyOptimizer(g, optim.Adam, lr=0.1))
    other, reference = make(plain, lambda g: optim.Adam(g, lr=0.1))
    for step in range(6):
        if step == 3:
            zero.add_param_group({"params": ours[6:], "lr": 0.2, "weight_decay": 0.1})
            other.add_param_group({"params": plain[6:], "lr": 0.2, "weight_decay": 0.1})
            schedule, reference = StepLR(zero, 2, 0.5), StepLR(other, 2, 0.5)

        def closure(params, optimizer, step=step):
            optimizer.zero_grad()
            set_gradients(params, step)
            return tensor(float(step))

        assert zero.step(lambda: closure(ours, zero)).item() == step
        other.step(lambda: closure(plain, other))
        schedule.step()
        reference.step()
        assert [g["lr"] for g in zero.param_groups] == [g["lr"] for g in other.param_groups]
    same(ours, plain)
    zero.zero_grad()
    assert all(p.grad is None for p in ours)
    zero.consolidate_state_dict()
    if dist.get_rank() == 0:
        same_state(zero.state_dict(), other.state_dict())


@ranks(2)
def test_states_go_on_elsewhere():
    """A state of n ranks goes on with one optimizer, and the reverse; loading changes no state dict."""
    ours, plain = parameters(), parameters()
    zero, other = ZeroRedundancyOptimizer(ours, optim.Adam, lr=0.01), optim.Adam(plain, lr=0.01)

    def train(first, last):
        for step in range(first, last):
            for params, optimizer in ((ours, zero), (plain, other)):
                set_gradients(params, step)
                optimizer.step()

    train(0, 3)
    whole = [None]
    zero.consolidate_state_dict()
    if dist.get_rank() == 0:
        whole = [zero.state_dict()]
    else:
        with pytest.raises(RuntimeError, match="has not been consolidated on this rank"):
            zero.state_dict()
    dist.broadcast_object_list(whole, 0)
    before = other.state_dict()
    # Into a plain optimizer, and a plain state into one with another partition.
    other = optim.Adam(plain, lr=1)
    other.load_state_dict(whole[0])
    parts = dist.new_group([0, 1])
    if dist.get_rank() < 2:
        zero = ZeroRedundancyOptimizer(ours, optim.Adam, process_group=parts, lr=1)
        zero.load_state_dict(before)
        assert len(before["state"]) == len(SIZES)
        assert zero.param_groups[0]["lr"] == zero.optim.param_groups[0]["lr"] == 0.01
        train(3, 6)
        same(ours, plain)
        zero.load_state_dict({"state": {}, "param_groups": before["param_groups"]})
        assert not zero.state
    with pytest.raises(ValueError, match="different number of parameter groups"):
        other.load_state_dict({"state": {}, "param_groups": []})


@ranks(2)
def test_types_frozen_and_views():
    """Parameters of two types; some are frozen and thawed; bucket views stay views."""
    for as_view in (False, True):
        ours = parameters(1, [(4, 3), (5,)]) + parameters(2, [(6,), (2, 2)], core.float64)
        plain = parameters(1, [(4, 3), (5,)]) + parameters(2, [(6,), (2, 2)], core.float64)
        zero = ZeroRedundancyOptimizer(ours, optim.SGD, parameters_as_bucket_view=as_view, lr=0.1, momentum=0.9)
        other = optim.SGD(plain, lr=0.1, momentum=0.9)
        for step in range(6):
            for params, optimizer in ((ours, zero), (plain, other)):
                params[0].requires_grad_(step not in (2, 3))
                set_gradients(params, step)
                if not params[0].requires_grad:
                    params[0].grad = None
                optimizer.step()
        same(ours, plain)
        same_on_all_ranks(ours)
        if as_view:
            memory = {b.untyped_storage().data_ptr() for row in zero._buckets for b in row if b is not None}
            assert {p.untyped_storage().data_ptr() for p in ours} == memory


@ranks(4, backends=("threads",))
def test_more_ranks_than_parameters():
    params = parameters(0, [(3,), (2, 2)])
    plain = parameters(0, [(3,), (2, 2)])
    zero, other = ZeroRedundancyOptimizer(params, optim.Adam, lr=0.1), optim.Adam(plain, lr=0.1)
    for step in range(3):
        set_gradients(params, step)
        set_gradients(plain, step)
        zero.step()
        other.step()
    same(params, plain)
    zero.consolidate_state_dict()
    if dist.get_rank() == 0:
        same_state(zero.state_dict(), other.state_dict())


def model():
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    g = Generator().manual_seed(5)
    with no_grad():
        for p in net.parameters():
            p.copy_(randn(p.shape, generator=g) * 0.3)
    return net


def data(steps, rank, rows=3):
    g = Generator().manual_seed(9)
    every = [randn(4 * rows, 4, generator=g) for _ in range(steps)]
    return [x[rank * rows : (rank + 1) * rows] for x in every]


def train(net, optimizer, inputs, step=True):
    for x in inputs:
        optimizer.zero_grad()
        net(x).square().mean().backward()
        if step:
            optimizer.step()


@ranks(2)
def test_with_ddp():
    """DDP and ZeRO are DDP and a plain optimizer, for 50 steps."""
    inputs = data(50, dist.get_rank())
    ours, plain = DDP(model()), DDP(model())
    train(ours, ZeroRedundancyOptimizer(ours.parameters(), optim.Adam, lr=0.01), inputs)
    train(plain, optim.Adam(plain.parameters(), lr=0.01), inputs)
    same(ours.parameters(), plain.parameters())
    same_on_all_ranks(ours.parameters())


@ranks(2)
def test_uneven_inputs():
    """The rank that has fewer inputs goes on with the others' gradients."""
    rank = dist.get_rank()
    inputs = data(6, rank)[: 4 + 2 * rank]
    ours, plain = DDP(model()), DDP(model())
    zero = ZeroRedundancyOptimizer(ours.parameters(), optim.SGD, lr=0.1)
    with Join([ours, zero]):
        train(ours, zero, inputs)
    same_on_all_ranks(ours.parameters())
    other = optim.SGD(plain.parameters(), lr=0.1)
    with Join([plain]):
        train(plain, other, inputs)
    if rank == 1:
        same(ours.parameters(), plain.parameters())


@ranks(2)
def test_steps_while_gradients_travel():
    """Hooks that make the steps: the result is that of steps after backward."""
    inputs = data(8, dist.get_rank())
    plain = DDP(model())
    train(plain, optim.Adam(plain.parameters(), lr=0.01), inputs)
    for make in (ddp_zero_hook.hook_with_zero_step, ddp_zero_hook.hook_with_zero_step_interleaved):
        ours = DDP(model(), bucket_cap_mb=0.0002)
        zero = ZeroRedundancyOptimizer(ours.parameters(), optim.Adam, overlap_with_ddp=True, lr=0.01)
        ours.register_comm_hook(None, make(allreduce_hook, ours, zero))
        train(ours, zero, inputs, step=False)
        same(ours.parameters(), plain.parameters())
        same_on_all_ranks(ours.parameters())
    with pytest.raises(ValueError, match="must be constructed with `overlap_with_ddp=True`"):
        make(allreduce_hook, ours, ZeroRedundancyOptimizer(ours.parameters(), optim.SGD, lr=1))


@ranks(2)
def test_saved_state_has_no_world_size(folder):
    """Ranks save what they have of the state, in one checkpoint, from which any optimizer goes on."""
    from lamella.distributed import checkpoint as dcp

    params, plain = parameters(), parameters()
    zero, other = ZeroRedundancyOptimizer(params, optim.Adam, lr=0.1), optim.Adam(plain, lr=0.1)
    for optimizer, ps in ((zero, params), (other, plain)):
        set_gradients(ps, 0)
        optimizer.step()
    dcp.save({"optim": zero.local_state_dict()}, checkpoint_id=folder)
    loaded = {"optim": {"state": {}, "param_groups": other.state_dict()["param_groups"]}}
    dcp.load(loaded, checkpoint_id=folder)
    loaded["optim"]["state"] = dict(sorted(loaded["optim"]["state"].items()))
    same_state(loaded["optim"], other.state_dict())


FOUR = [test.ranks[0] for test in (
    test_equals_sgd, test_equals_adam, test_equals_adamw_in_buckets, test_memory_of_the_state,
    test_states_go_on_elsewhere, test_more_ranks_than_parameters, test_with_ddp)]


@ranks(4, backends=("threads",))
def test_on_four_ranks():
    for test in FOUR:
        test()


@ranks(1, 4, slow=True, backends=("mpi",))
def test_on_other_numbers_of_processes():
    for test in FOUR if dist.get_world_size() == 4 else FOUR[:3]:
        test()


def bad(params):
    from lamella.distributed.threads import spawn

    spawn(lambda: ZeroRedundancyOptimizer(params, optim.SGD, lr=0.1), 1)


@pytest.mark.parametrize(("params", "error", "text"), [
    (ones(2), TypeError, "iterable of Tensors, but got Tensor"), (3, TypeError, "but got int"),
    ([], ValueError, "empty parameter list"), ([1, 2], TypeError, "iterable of Tensors or dicts"),
    ([{"lr": 1}], ValueError, "must have a 'params' key"), ([{"params": []}], ValueError, "empty parameter list"),
])
def test_bad_parameters(params, error, text):
    with pytest.raises(error, match=text):
        bad(params)


def test_no_process_group():
    with pytest.raises(ValueError, match="there is no process group"):
        ZeroRedundancyOptimizer([ones(2)], optim.SGD, lr=0.1)


def test_remote_parameters():
    with pytest.raises(RuntimeError, match="needs torch.distributed.rpc"):
        DistributedOptimizer(optim.SGD, [], lr=0.1)


class Every:
    """Averages parameters every second step."""

    def __init__(self):
        self.step = 0

    def average_parameters(self, params):
        self.step += 1
        if self.step % 2 == 0:
            for p in (p for g in params for p in g["params"]):
                dist.all_reduce(p.data, op=dist.ReduceOp.AVG)


@ranks(2)
def test_local_steps():
    w = zeros(2).requires_grad_()
    optimizer = PostLocalSGDOptimizer(optim.SGD([w], lr=1.0), Every())
    for expected in (-1.0 - dist.get_rank(), -3.0):
        w.grad = ones(2) * (1 + dist.get_rank())
        optimizer.step()
        assert w.tolist() == [expected] * 2
    state = optimizer.state_dict()
    assert state["step"] == 2
    optimizer.averager.step = 7
    optimizer.load_state_dict(state)
    assert optimizer.averager.step == 2
    del state["step"]
    with pytest.warns(UserWarning, match="does not contain a step counter"):
        optimizer.load_state_dict(state)


@pytest.mark.parametrize("name", ["optim.zero", "optim.partition", "optim.post_local_sgd",
                                  "algorithms.ddp_comm_hooks.ddp_zero_hook"])
def test_examples(name):
    assert doctest.testmod(import_module(f"lamella.distributed.{name}")).failed == 0
