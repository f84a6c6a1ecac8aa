"""Whole parameters and state dicts of sharded models and their optimizers, out of them and into them."""

import numpy as np
import pytest
from fsdp_models import Block, assert_equal, batch, loss_of, made, optimizer_of, reference, train
from harness import ranks

import lamella.distributed as dist
from lamella import core, nn
from lamella.autograd import no_grad
from lamella.distributed.device_mesh import DeviceMesh
from lamella.distributed.fsdp import (
    FullOptimStateDictConfig,
    FullStateDictConfig,
    FullyShardedDataParallel as FSDP,
    OptimStateKeyType,
    ShardedOptimStateDictConfig,
    ShardedStateDictConfig,
    ShardingStrategy,
    StateDictType,
    fully_shard,
)
from lamella.distributed.fsdp.wrap import ModuleWrapPolicy

FULL, LOCAL, SHARDED = StateDictType.FULL_STATE_DICT, StateDictType.LOCAL_STATE_DICT, StateDictType.SHARDED_STATE_DICT


def wrapped(original, **kwargs):
    return FSDP(made("gpt"), auto_wrap_policy=ModuleWrapPolicy([Block]), use_orig_params=original, **kwargs)


def trained(original, steps=2, optimizer="adamw", **kwargs):
    model = wrapped(original, **kwargs)
    step = optimizer_of(optimizer, model.parameters())
    train(model, "gpt", steps, step)
    return model, step


def plainly_trained(steps, optimizer="adamw"):
    model = made("gpt")
    step = optimizer_of(optimizer, model.parameters())
    for i in range(steps):
        step.zero_grad()
        loss_of(model, *batch("gpt", i)).backward()
        step.step()
    return model, step


def arrays(model):
    return {k: v.numpy().copy() for k, v in model.state_dict().items()}


@ranks(2)
def test_full_state_dict_is_that_of_the_plain_model():
    expected, _, _ = reference("gpt", 2)
    for original in (False, True):
        model, _ = trained(original, optimizer="sgd")
        state = model.state_dict()
        assert_equal(state, expected)
        other = made("gpt", tied=True)
        other.load_state_dict(state)
        state["token.weight"].zero_()  # copies
        assert_equal(model.state_dict(), expected)
        again = wrapped(not original)
        result = again.load_state_dict(other.state_dict())
        assert not result.missing_keys and not result.unexpected_keys
        assert_equal(again.state_dict(), expected)
        inside = nn.Sequential(wrapped(original))  # the root is not sharded itself
        inside.load_state_dict({"0." + k: v for k, v in other.state_dict().items()})
        assert_equal(inside.state_dict(), {"0." + k: v for k, v in expected.items()})


@ranks(2)
def test_full_state_dict_on_the_first_rank():
    model, _ = trained(False)
    with FSDP.state_dict_type(model, FULL, FullStateDictConfig(offload_to_cpu=True, rank0_only=True)):
        state = model.state_dict()
    assert bool(state) == (dist.get_rank() == 0)
    assert FSDP.get_state_dict_type(model).state_dict_config == FullStateDictConfig()
    with pytest.raises(RuntimeError, match="Expected state_dict_config of type"):
        FSDP.set_state_dict_type(model, FULL, ShardedStateDictConfig())


@ranks(2)
def test_what_does_not_fit_is_told_by_its_own_name():
    for original in (False, True):
        model = wrapped(original)
        before = arrays(model)
        state = model.state_dict()
        state["strange"] = state.pop("blocks.0.qkv.weight")
        state["norm.weight"] = core.zeros(3)
        with pytest.raises(RuntimeError) as error:
            model.load_state_dict(state)
        text = str(error.value)
        assert "_fsdp" not in text
        assert 'Missing key(s) in state_dict: "blocks.0.qkv.weight"' in text
        assert '"strange"' in text and "size mismatch for norm.weight" in text
        del state["strange"], state["norm.weight"]
        result = model.load_state_dict(state, strict=False)
        assert sorted(result.missing_keys) == ["blocks.0.qkv.weight", "norm.weight"]
        assert_equal(model.state_dict(), before, 0)
        train(model, "gpt", 1, optimizer_of("sgd", model.parameters()))


@ranks(2)
def test_divided_and_local_state_dicts():
    for original in (False, True):
        model, _ = trained(original)
        expected = arrays(model)
        with FSDP.state_dict_type(model, SHARDED):
            state = model.state_dict()
        assert list(state) == list(expected)
        weight = state["blocks.1.up.weight"]
        assert weight.shape == (32, 16) and weight.to_local().shape[0] == 32 // dist.get_world_size()
        assert_equal(state, expected, 0)
        other = wrapped(not original)
        with FSDP.state_dict_type(other, SHARDED):
            other.load_state_dict(state)
        assert_equal(other.state_dict(), expected, 0)
        with FSDP.state_dict_type(model, LOCAL):
            local = model.state_dict()
        flat = [k for k in local if k.endswith("_flat_param")]
        assert sorted(flat) == ["_flat_param", *(f"blocks.{i}._flat_param" for i in range(3))]
        third = wrapped(original)
        with FSDP.state_dict_type(third, LOCAL):
            third.load_state_dict(local)
        assert_equal(third.state_dict(), expected, 0)
    whole = wrapped(False, sharding_strategy=ShardingStrategy.NO_SHARD)
    with FSDP.state_dict_type(whole, LOCAL), pytest.raises(RuntimeError, match="flatten and sharded"):
        whole.state_dict()


@ranks(2)
def test_whole_parameters_for_a_while():
    plain = made("gpt")
    names = [n for n, _ in plain.named_parameters()]
    for original in (False, True):
        model = wrapped(original)
        optimizers_see = list(model.parameters())
        with FSDP.summon_full_params(model):
            assert [n for n, _ in model.named_parameters()] == names
            for name, p in model.named_parameters():
                np.testing.assert_array_equal(p.detach().numpy(), plain.get_parameter(name).detach().numpy())
            with no_grad():
                model.module.norm.bias.fill_(7)
                model.module.blocks[0].module.up.bias.data = core.ones(32) * 5
        with FSDP.summon_full_params(model, writeback=False), no_grad():
            model.module.norm.weight.fill_(9)
        state = model.state_dict()
        assert set(state["norm.bias"].tolist()) == {7.0} and set(state["blocks.0.up.bias"].tolist()) == {5.0}
        assert set(state["norm.weight"].tolist()) != {9.0}
        with FSDP.summon_full_params(model, writeback=False, rank0_only=True, offload_to_cpu=True):
            whole = [tuple(p.shape) for p in model.parameters()] == [tuple(p.shape) for p in plain.parameters()]
            assert whole == (dist.get_rank() == 0)
        with FSDP.summon_full_params(model, recurse=False):
            assert "norm.bias" in dict(model.named_parameters())
        assert all(a is b for a, b in zip(optimizers_see, model.parameters()))
        step = optimizer_of("sgd", model.parameters())
        train(model, "gpt", 1, step)
        with FSDP.summon_full_params(model, with_grads=True):
            grads = {n: p.grad.numpy().copy() for n, p in model.named_parameters()}
            with no_grad():
                model.module.norm.bias.grad.fill_(3)
        assert set(grads) == set(names) and all(np.abs(g).max() > 0 for n, g in grads.items() if "qkv.bias" not in n)
        with FSDP.summon_full_params(model, with_grads=True):
            assert set(model.module.norm.bias.grad.tolist()) == {3.0}


@ranks(2)
def test_apply_and_changes_of_type():
    for original in (False, True):
        model = wrapped(original)
        seen = []

        def ones(m, seen=seen):
            if isinstance(m, nn.Linear):
                seen.append(tuple(m.weight.shape))
                with no_grad():
                    m.weight.fill_(1)

        model.apply(ones)
        assert len(seen) == 13 and seen[0] == (48, 16)
        assert float(model.state_dict()["blocks.2.up.weight"].min()) == 1
        model.double()
        assert {p.dtype for p in model.parameters()} == {core.float64}
        train(model, "gpt", 1, optimizer_of("sgd", model.parameters()))
        assert {v.dtype for v in model.state_dict().values()} == {core.float64}
        model.to(core.float32)
        train(model, "gpt", 1, optimizer_of("sgd", model.parameters()))


def check_state(found, model, step):
    """An optimizer's state dict says the same as that of one process, by names."""
    numbers = {i: name for i, (name, _) in enumerate(model.named_parameters())}
    plain = step.state_dict()
    assert set(found["state"]) == set(numbers.values())
    for i, entries in plain["state"].items():
        for key, value in entries.items():
            got = found["state"][numbers[i]][key]
            got = got.full_tensor() if hasattr(got, "full_tensor") else got
            np.testing.assert_allclose(got.numpy(), value.numpy(), atol=1e-6)
    assert sorted(found["param_groups"][0]["params"]) == sorted(numbers.values())
    assert found["param_groups"][0]["lr"] == plain["param_groups"][0]["lr"]


@ranks(2)
def test_optimizer_state_under_names():
    plain, plain_step = plainly_trained(2)
    for original in (False, True):
        model, step = trained(original)
        check_state(FSDP.optim_state_dict(model, step), plain, plain_step)
        check_state(FSDP.full_optim_state_dict(model, step, rank0_only=False), plain, plain_step)
        check_state(FSDP.sharded_optim_state_dict(model, step), plain, plain_step)
        with FSDP.state_dict_type(model, FULL, FullStateDictConfig(), FullOptimStateDictConfig(rank0_only=True)):
            found = FSDP.optim_state_dict(model, step)
        assert bool(found) == (dist.get_rank() == 0)
        if found:
            check_state(found, plain, plain_step)


@ranks(2)
def test_optimizer_state_loads_and_training_goes_on():
    expected = arrays(plainly_trained(4)[0])
    for original in (False, True):
        model, step = trained(original)
        whole = FSDP.optim_state_dict(model, step)
        first = FSDP.full_optim_state_dict(model, step)
        divided = FSDP.sharded_optim_state_dict(model, step)
        state = model.state_dict()

        def fresh(original=original, state=state):
            other = wrapped(not original)
            other.load_state_dict(state)
            return other, optimizer_of("adamw", other.parameters())

        for way in range(5):
            other, new = fresh()
            if way == 0:
                new.load_state_dict(FSDP.optim_state_dict_to_load(other, new, whole))
            elif way == 1:
                FSDP.optim_state_dict_to_load(other, new, whole, load_directly=True)
            elif way == 2:
                new.load_state_dict(FSDP.shard_full_optim_state_dict(whole, other, optim=new))
            elif way == 3:
                new.load_state_dict(FSDP.scatter_full_optim_state_dict(first or None, other, optim=new))
            else:
                new.load_state_dict(FSDP.flatten_sharded_optim_state_dict(divided, other, new))
            train(other, "gpt", 2, new, first=2)
            assert_equal(other.state_dict(), expected, 1e-4)  # AdamW in float32, see test_fsdp.py
        plain = made("gpt")
        plain.load_state_dict(state)
        alone = optimizer_of("adamw", plain.parameters())
        alone.load_state_dict(FSDP.rekey_optim_state_dict(whole, OptimStateKeyType.PARAM_ID, plain))
        assert float(alone.state[plain.norm.bias]["step"]) == 2
        named = FSDP.rekey_optim_state_dict(alone.state_dict(), OptimStateKeyType.PARAM_NAME, plain, optim=alone)
        assert set(named["state"]) == set(whole["state"])


@ranks(2)
def test_some_parameters_have_no_optimizer_state():
    model = wrapped(True)
    blocks = list(model.module.blocks.parameters())
    groups = [{"params": blocks, "lr": 0.1}, {"params": [model.token.weight], "lr": 0.2}]
    step = optimizer_of("sgd", groups)
    found = FSDP.optim_state_dict(model, step)
    assert found["state"] == {} and [g["lr"] for g in found["param_groups"]] == [0.1, 0.2]
    assert found["param_groups"][1]["params"] == ["token.weight"]
    train(model, "gpt", 1, step)
    found = FSDP.optim_state_dict(model, step)
    assert "norm.bias" not in found["state"] and set(found["state"]["token.weight"]) == {"momentum_buffer"}
    FSDP.optim_state_dict_to_load(model, step, found, load_directly=True)
    with FSDP.state_dict_type(model, SHARDED, ShardedStateDictConfig(), ShardedOptimStateDictConfig()):
        found = FSDP.optim_state_dict(model, step)
        FSDP.optim_state_dict_to_load(model, step, found, load_directly=True)
    assert step.state[model.token.weight] or not model.token.weight.numel()
    with pytest.raises(ValueError, match="the model has not"):
        FSDP.optim_state_dict_to_load(model, step, {"state": {}, "param_groups": [{"params": [3]}]})


@ranks(2)
def test_buffers_and_extra_state():
    class Counted(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.BatchNorm1d(3)
            self.register_buffer("hidden", core.ones(2), persistent=False)

        def get_extra_state(self):
            return {"seen": 3}

        def set_extra_state(self, state):
            self.got = state

        def forward(self, x):
            return self.norm(x)

    for original in (False, True):
        model = FSDP(Counted(), use_orig_params=original)
        state = model.state_dict()
        assert list(state) == list(Counted().state_dict())
        with FSDP.summon_full_params(model):
            assert [n for n, _ in model.named_buffers()] == [n for n, _ in Counted().named_buffers()]
        assert [n for n, _ in model.named_parameters()] == ["_fsdp_wrapped_module." + n for n in (
            ("norm.weight", "norm.bias") if original else ("_flat_param",))]
        model.load_state_dict(state)
        assert model.got == {"seen": 3}


def everything(model, step):
    from lamella.distributed.checkpoint.state_dict import get_state_dict

    weights, state = get_state_dict(model, step)
    return {"model": weights, "optim": state}


def in_parts(kind, group):
    """A model that is divided among a group, and its optimizer."""
    if kind == "composed":
        mesh = DeviceMesh.from_group(group, "cpu")
        model = made("gpt")
        for m in (*model.blocks, model):
            fully_shard(m, mesh=mesh)
    else:
        model = wrapped(kind == "original", process_group=group)
    return model, optimizer_of("adamw", model.parameters())


@ranks(4, backends=("threads",))
def test_checkpoints_for_another_number_of_ranks(folder):
    from lamella.distributed import checkpoint
    from lamella.distributed.checkpoint.state_dict import set_state_dict

    few = dist.new_group([0, 1])
    for kind, other in (("flat", "composed"), ("original", "flat"), ("composed", "original")):
        model, step = in_parts(kind, dist.group.WORLD)
        train(model, "gpt", 1, step)
        checkpoint.save(everything(model, step), checkpoint_id=folder / kind)
        train(model, "gpt", 1, step, first=1)
        state = model.state_dict()
        expected = {k: (v.full_tensor() if hasattr(v, "full_tensor") else v).numpy() for k, v in state.items()}
        if dist.get_rank() < 2:
            model, step = in_parts(other, few)
            state = everything(model, step)
            checkpoint.load(state, checkpoint_id=folder / kind, process_group=few)
            set_state_dict(model, step, model_state_dict=state["model"], optim_state_dict=state["optim"])
            for i in (2 * dist.get_rank(), 2 * dist.get_rank() + 1):  # the same batch on two ranks
                (loss_of(model, *batch("gpt", 1, part=i, parts=4)) / 2).backward()
            step.step()
            assert_equal(model.state_dict(), expected, 1e-4)  # AdamW in float32, see test_fsdp.py
        dist.barrier()
