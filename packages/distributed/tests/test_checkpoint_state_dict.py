"""get_state_dict and set_state_dict: one state for models that are spread in any way, and training that goes on."""

import pytest
from harness import ranks

from lamella import core, distributed as dist, nn, optim
from lamella.autograd import no_grad
from lamella.core import Generator, arange, ones, randn, tensor, zeros
from lamella.distributed import checkpoint as dcp
from lamella.distributed.checkpoint import state_dict as sd
from lamella.distributed.checkpoint.state_dict import StateDictOptions
from lamella.distributed.device_mesh import DeviceMesh, init_device_mesh
from lamella.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard
from lamella.distributed.optim import ZeroRedundancyOptimizer
from lamella.distributed.parallel import DistributedDataParallel as DDP
from lamella.distributed.tensor import Replicate, Shard, distribute_tensor
from lamella.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from lamella.distributed.threads import spawn

FULL = StateDictOptions(full_state_dict=True)


class Net(nn.Module):
    """Layers of odd sizes, and a buffer."""

    def __init__(self, seed=0):
        super().__init__()
        self.first, self.second, self.third = nn.Linear(6, 12), nn.Linear(12, 5), nn.Linear(5, 3)
        self.register_buffer("count", tensor([0.0]))
        g = Generator().manual_seed(seed)
        with no_grad():
            for p in self.parameters():
                p.copy_(randn(p.shape, generator=g) * 0.3)
            self.count.fill_(seed)

    def forward(self, x):
        return self.third(self.second(self.first(x).relu()).relu())


def adam(model, **options):
    return optim.Adam(model.parameters(), **{"lr": 0.01, **options})


def plain(seed=0):
    model = Net(seed)
    return model, adam(model)


def ddp(seed=0):
    model = DDP(Net(seed))
    return model, adam(model)


def zero(seed=0):
    model = DDP(Net(seed))
    return model, ZeroRedundancyOptimizer(model.parameters(), optim.Adam, lr=0.01)


def sharded(seed=0):
    model = Net(seed)
    for part in (model.first, model.second, model):
        fully_shard(part)
    return model, adam(model)


def flat(seed=0):
    model = FSDP(Net(seed))
    return model, adam(model)


def original(seed=0):
    model = Net(seed)
    model.second = FSDP(model.second, use_orig_params=True)
    model = FSDP(model, use_orig_params=True)
    return model, adam(model)


def tensor_parallel(seed=0):
    model = Net(seed)
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    parallelize_module(model, mesh, {"first": ColwiseParallel(), "second": RowwiseParallel()})
    return model, adam(model)


WAYS = {f.__name__: f for f in (plain, ddp, zero, sharded, flat, original, tensor_parallel)}


def batches(steps, seed):
    g = Generator().manual_seed(seed)
    return [randn(8, 6, generator=g) for _ in range(steps)]


def train(model, optimizer, steps, seed):
    """The same batches on all ranks, so that all ways of spreading come to the same."""
    for x in batches(steps, seed):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


def close(a, b):
    """Two states are nearly the same."""
    assert type(a) is type(b) or isinstance(a, dict), (a, b)
    if isinstance(a, dict):
        assert set(a) == set(b)
        for k in a:
            close(a[k], b[k])
    elif isinstance(a, core.Tensor):
        assert a.shape == b.shape and (a - b).abs().max().item() < 1e-5
    else:
        assert a == b


def reference(steps=((3, 1),)):
    model, optimizer = plain()
    for n, seed in steps:
        train(model, optimizer, n, seed)
    return sd.get_state_dict(model, optimizer)


def names_only(state):
    """Groups may be in another order of names."""
    return {"state": state["state"],
            "param_groups": [{**g, "params": sorted(g["params"])} for g in state["param_groups"]]}


@ranks(2)
def test_whole_states_are_those_of_a_plain_model():
    weights, state = reference()
    for make in WAYS.values():
        model, optimizer = make()
        train(model, optimizer, 3, 1)
        got, got_state = sd.get_state_dict(model, optimizer, options=FULL)
        close(got, weights)
        close(names_only(got_state), names_only(state))


def save_trained(way, folder):
    model, optimizer = WAYS[way]()
    train(model, optimizer, 3, 1)
    got, state = sd.get_state_dict(model, optimizer)
    dcp.save({"model": got, "optim": state}, checkpoint_id=folder / way)


def load_and_train_on(saved, way, folder, weights):
    """What another way loads comes to the same weights."""
    model, optimizer = WAYS[way](seed=5)
    got, state = sd.get_state_dict(model, optimizer)
    into = {"model": got, "optim": state}
    dcp.load(into, checkpoint_id=folder / saved)
    sd.set_state_dict(model, optimizer, model_state_dict=into["model"], optim_state_dict=into["optim"])
    train(model, optimizer, 2, 2)
    close(sd.get_model_state_dict(model, options=FULL), weights)


@ranks(2)
def test_checkpoints_go_from_any_way_to_any_other(folder):
    """Saved in parts, loaded in other parts; training goes on as if nothing had happened."""
    weights, _ = reference(((3, 1), (2, 2)))
    for i, name in enumerate(WAYS):
        save_trained(name, folder)
        for other in list(WAYS)[i + 1 :] + list(WAYS)[:1]:
            load_and_train_on(name, other, folder, weights)


def test_other_numbers_of_ranks(tmp_path):
    """Saved by four ranks in one way, loaded by two in the next."""
    weights, _ = reference(((3, 1), (2, 2)))
    names = list(WAYS)
    for i, name in enumerate(names):
        spawn(save_trained, 4, name, tmp_path)
        spawn(load_and_train_on, 2, name, names[i - 2], tmp_path, weights)


@ranks(2)
def test_whole_states_are_loaded():
    weights, state = reference()
    later, _ = reference(((3, 1), (2, 2)))
    for make in WAYS.values():
        for options in (FULL, StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)):
            model, optimizer = make(seed=5)
            given = (weights, state)
            if options.broadcast_from_rank0 and dist.get_rank():
                given = ({}, {})
            result = sd.set_state_dict(model, optimizer, model_state_dict=given[0], optim_state_dict=given[1],
                                       options=options)
            assert not result.missing_keys and not result.unexpected_keys
            train(model, optimizer, 2, 2)
            close(sd.get_model_state_dict(model, options=FULL), later)


@ranks(2)
def test_offload():
    """On the CPU and whole: only the first rank gets it."""
    for make in (ddp, sharded, flat):
        model, optimizer = make()
        got, state = sd.get_state_dict(
            model, optimizer, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
        assert bool(got) == bool(state) == (dist.get_rank() == 0)


def test_a_fresh_optimizer_has_its_first_state():
    """Asking for the state changes nothing: neither weights nor what the first step does."""
    model, optimizer = plain()
    other, asked = plain()
    state = sd.get_optimizer_state_dict(other, asked)
    assert all(s["step"].item() == 0 and not s["exp_avg"].any() for s in state["state"].values())
    assert all(p.grad is None for p in other.parameters())
    for m, o in ((model, optimizer), (other, asked)):
        train(m, o, 2, 1)
    close(sd.get_model_state_dict(model), sd.get_model_state_dict(other))
    rprop = optim.Rprop(other.parameters(), lr=0.5)
    assert (sd.get_optimizer_state_dict(other, rprop)["state"]["first.bias"]["step_size"] == 0.5).all()


def grouped(model):
    head = list(model.third.parameters())
    rest = [p for n, p in model.named_parameters() if not n.startswith("third")]
    return optim.AdamW([{"params": head, "lr": 0.5}, {"params": []}, {"params": rest}], lr=0.1, betas=(0.5, 0.6))


@pytest.mark.parametrize("options", [None, StateDictOptions(flatten_optimizer_state_dict=True)])
def test_groups(tmp_path, options):
    """Empty groups keep their options, also in a flat state."""
    model = Net()
    optimizer = grouped(model)
    optimizer.param_groups[1]["lr"] = 7
    state = sd.get_optimizer_state_dict(model, optimizer, options=options)
    dcp.save({"optim": state}, checkpoint_id=tmp_path, no_dist=True)
    fresh = Net(3)
    other = grouped(fresh)
    into = {"optim": sd.get_optimizer_state_dict(fresh, other, options=options)}
    for g in other.param_groups:
        g["betas"], g["lr"] = (0, 0), 0
    dcp.load(into, checkpoint_id=tmp_path, no_dist=True)
    sd.set_optimizer_state_dict(fresh, other, into["optim"], options=options)
    assert [g["lr"] for g in other.param_groups] == [0.5, 7, 0.1]
    assert [g["betas"] for g in other.param_groups] == [(0.5, 0.6)] * 3


def test_several_optimizers():
    """Two optimizers' states are one; they may be loaded into one optimizer with two groups, and the reverse."""
    model = Net()
    heads = [optim.Adam(m.parameters(), lr=lr) for m, lr in ((model.first, 0.1), (model.second, 0.2))]
    state = sd.get_optimizer_state_dict(model, heads)
    assert len(state["param_groups"]) == 2 and len(state["state"]) == 4
    one = optim.Adam([{"params": model.second.parameters()}, {"params": model.first.parameters()}])
    sd.set_optimizer_state_dict(model, one, state)
    assert [g["lr"] for g in one.param_groups] == [0.2, 0.1]
    flat_state = sd.get_optimizer_state_dict(model, one, options=StateDictOptions(flatten_optimizer_state_dict=True))
    assert flat_state["param_groups.first.weight.lr"] == 0.1
    for h in heads:
        h.param_groups[0]["lr"] = 0
    sd.set_optimizer_state_dict(model, heads, flat_state)
    assert [h.param_groups[0]["lr"] for h in heads] == [0.1, 0.2]


def test_what_is_missing_is_named():
    model, optimizer = plain()
    state = sd.get_optimizer_state_dict(model, optimizer)
    del state["state"]["first.bias"], state["state"]["third.weight"]
    with pytest.raises(RuntimeError, match="Missing optimizer state for parameter 'first.bias', 'third.weight'"):
        sd.set_optimizer_state_dict(model, optimizer, state)
    sd.set_optimizer_state_dict(model, optimizer, state, options=StateDictOptions(strict=False))
    weights = sd.get_model_state_dict(model)
    del weights["first.bias"], weights["third.weight"]
    with pytest.raises(RuntimeError, match='(?s)first.bias.*third.weight'):
        sd.set_model_state_dict(model, weights)
    assert sd.set_model_state_dict(model, weights, options=StateDictOptions(strict=False)).missing_keys == [
        "first.bias", "third.weight"]
    with pytest.raises(RuntimeError, match="state dict is empty"):
        sd.set_model_state_dict(model, {})
    with pytest.raises(RuntimeError, match="Optimizers are not passed in"):
        sd.get_optimizer_state_dict(model, [])
    with pytest.raises(ValueError, match="full_state_dict must be True"):
        sd.get_model_state_dict(model, options=StateDictOptions(broadcast_from_rank0=True))
    with pytest.raises(ValueError, match=r"parameters that the model has not \(number 1, \[2\]\)"):
        sd.get_optimizer_state_dict(model, optim.SGD([model.first.weight, ones(2)], lr=0.1))
    with pytest.raises(ValueError, match="has numbers for parameters"):
        sd.set_optimizer_state_dict(model, optimizer, optimizer.state_dict())


def test_frozen_parameters_and_submodules():
    model, _ = plain()
    model.first.weight.requires_grad_(False)
    found = sd.get_model_state_dict(model, options=StateDictOptions(ignore_frozen_params=True))
    assert "first.weight" not in found and "first.bias" in found and "count" in found
    with pytest.warns(FutureWarning, match="submodules only"):
        assert list(sd.get_model_state_dict(model, submodules={model.second})) == ["second.weight", "second.bias"]
    other = Net(3)
    with pytest.raises(RuntimeError, match="Missing key"):
        sd.set_model_state_dict(other, {other.second: model.second.state_dict()})


@ranks(2)
def test_wrappers_inside():
    """Names do not show wrappers, wherever they are."""
    model = nn.Sequential(Net(), DDP(Net(1)))
    names = list(sd.get_model_state_dict(model))
    assert "1.first.weight" in names and not any("module" in n for n in names)
    other = nn.Sequential(Net(2), Net(3))
    sd.set_model_state_dict(other, sd.get_model_state_dict(model))
    assert (other[1].first.weight == model[1].module.first.weight).all()
    sd.set_model_state_dict(model, {k: v * 0 for k, v in sd.get_model_state_dict(other).items()})
    assert not model[1].module.first.weight.any()


@ranks(4, backends=("threads",))
def test_meshes(folder):
    """Tensors on meshes of two dimensions and of some ranks only."""
    full = arange(35.0).reshape(7, 5)
    mesh, some = init_device_mesh("cpu", (2, 2)), DeviceMesh("cpu", [0, 1])
    ways = {"both": [Shard(0), Shard(1)], "copies": [Replicate(), Shard(1)], "twice": [Shard(0), Shard(0)]}
    state = {n: distribute_tensor(full, mesh, placements) for n, placements in ways.items()}
    dcp.save({**state, "some": distribute_tensor(full, some, [Shard(0)])}, checkpoint_id=folder)
    for name in (*ways, "some"):
        into = {name: distribute_tensor(zeros(7, 5), mesh, [Shard(1), Shard(0)])}
        dcp.load(into, checkpoint_id=folder)
        assert (into[name].full_tensor() == full).all()
    model = fully_shard(Net(), mesh=mesh)
    weights = sd.get_model_state_dict(model, options=FULL)
    dcp.save(sd.get_model_state_dict(model), checkpoint_id=folder / "model")
    into = {n: zeros(t.shape) for n, t in weights.items()}
    dcp.load(into, checkpoint_id=folder / "model")
    close(into, weights)
