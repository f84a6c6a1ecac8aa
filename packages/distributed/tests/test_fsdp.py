"""FullyShardedDataParallel trains as one process does on the joined batch, whatever its options."""

import contextlib
import dataclasses
import doctest
import functools
import importlib
from types import MappingProxyType

import numpy as np
import pytest
from fsdp_models import UNITS, Block, assert_equal, batch, fill, loss_of, made, optimizer_of, reference, train
from harness import ranks

import lamella.distributed as dist
from lamella import core, nn, optim
from lamella.autograd import no_grad
from lamella.distributed.fsdp import (
    BackwardPrefetch,
    CPUOffload,
    FlatParameter,
    FullyShardedDataParallel as FSDP,
    MixedPrecision,
    ShardingStrategy,
)
from lamella.distributed.fsdp.wrap import (
    CustomPolicy,
    ModuleWrapPolicy,
    always_wrap_policy,
    enable_wrap,
    lambda_auto_wrap_policy,
    size_based_auto_wrap_policy,
    transformer_auto_wrap_policy,
    wrap,
)

MODULES = ("api", "composable", "fully_sharded_data_parallel", "layout", "optim_state", "wrap")
FULL, GRADS, NONE = ShardingStrategy.FULL_SHARD, ShardingStrategy.SHARD_GRAD_OP, ShardingStrategy.NO_SHARD


def check(kind="gpt", steps=3, optimizer="sgd", dtype=core.float32, tolerance=1e-6, clip=None, pieces=1, sync=True,
          options=(), **kwargs):
    """Train a wrapped model and compare parameters and losses with one process."""
    kwargs.setdefault("auto_wrap_policy", ModuleWrapPolicy(UNITS[kind]))
    model = FSDP(made(kind, dtype, **dict(options)), **kwargs)
    step = optimizer_of(optimizer, model.parameters())

    def quiet(on):
        return model.no_sync() if on and not sync else contextlib.nullcontext()

    norm = None if clip is None else lambda: model.clip_grad_norm_(*clip)
    losses, norms = train(model, kind, steps, step, dtype, norm, pieces, quiet)
    expected, wanted, wanted_norms = reference(kind, steps, optimizer, dtype, clip or (), **dict(options))
    assert_equal(model.state_dict(), expected, tolerance)
    np.testing.assert_allclose(losses, wanted, rtol=1e-5)
    np.testing.assert_allclose(norms, wanted_norms, rtol=1e-5)
    return model, step


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(f"lamella.distributed.fsdp.{name}")
    assert doctest.testmod(module).failed == 0


@ranks(2, 4)
def test_strategies_equal_one_process():
    for strategy in (FULL, GRADS, NONE):
        for original in (False, True):
            check(sharding_strategy=strategy, use_orig_params=original)


@ranks(1, backends=("threads",))
def test_one_rank():
    for original in (False, True):
        model, _ = check(use_orig_params=original, clip=(0.1, 2.0))
    assert model.head.weight.shape == (13, 16)


@ranks(2)
def test_options_equal_one_process():
    check("conv", optimizer="adamw")
    check(backward_prefetch=BackwardPrefetch.BACKWARD_POST)
    check(backward_prefetch=None, limit_all_gathers=False)
    check(forward_prefetch=True, use_orig_params=True)
    check(cpu_offload=CPUOffload(offload_params=True), sync_module_states=True)
    check(auto_wrap_policy=None)
    check(options=(("tied", False),))
    for optimizer in ("adamw", "rmsprop", "adagrad"):
        # in float32 they magnify gradients that are only rounding (those of the keys' biases)
        check(optimizer=optimizer, dtype=core.float64, use_orig_params=True)


@ranks(2)
def test_accumulation():
    for strategy in (FULL, GRADS, NONE):
        for original in (False, True):
            for sync in (False, True):
                check(pieces=2, sync=sync, sharding_strategy=strategy, use_orig_params=original, steps=2)


@ranks(2, 4)
def test_clipping():
    for order in (2.0, 1.0, float("inf")):
        check("conv", clip=(0.05, order), use_orig_params=order == 1.0)
    check(clip=(0.1, float("inf")), sharding_strategy=NONE)


@ranks(4)
def test_hybrid():
    rank = dist.get_rank()
    here, there = [dist.new_group([0, 1]), dist.new_group([2, 3])], [dist.new_group([0, 2]), dist.new_group([1, 3])]
    groups = (here[rank // 2], there[rank % 2])
    for strategy in (ShardingStrategy.HYBRID_SHARD, ShardingStrategy._HYBRID_SHARD_ZERO2):
        model, _ = check(sharding_strategy=strategy, process_group=groups, use_orig_params=True)
    assert sum(p.numel() for p in model.parameters()) < 0.6 * sum(p.numel() for p in made("gpt").parameters())
    mesh = dist.init_device_mesh("cpu", (2, 2))
    check(sharding_strategy=ShardingStrategy.HYBRID_SHARD, device_mesh=mesh)


@ranks(2)
def test_policies_choose_units():
    def units(policy, kind="gpt"):
        model = FSDP(made(kind), auto_wrap_policy=policy)
        return sorted(type(m.module).__name__ for m in FSDP.fsdp_modules(model))

    assert units(None) == ["GPT"]
    layers = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    assert units(layers) == ["Block"] * 3 + ["GPT"]
    assert units(ModuleWrapPolicy([Block])) == ["Block"] * 3 + ["GPT"]
    assert units(CustomPolicy(lambda m: {"sharding_strategy": GRADS} if isinstance(m, Block) else False)) == [
        "Block", "Block", "Block", "GPT"]
    assert units(functools.partial(lambda_auto_wrap_policy, lambda_fn=lambda m: isinstance(m, nn.Conv2d)), "conv") == [
        "Conv2d", "Conv2d", "ConvNet"]
    sized = functools.partial(size_based_auto_wrap_policy, min_num_params=550)
    assert units(sized, "conv") == ["Conv2d", "ConvNet"]
    assert len(units(always_wrap_policy, "conv")) == 10
    with pytest.raises(ValueError, match="False/True"):
        units(CustomPolicy(lambda m: None))


@ranks(2)
def test_wrapping_by_hand():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = wrap(fill(nn.Linear(3, 4)))
            self.b = wrap(fill(nn.Linear(4, 2)), sharding_strategy=GRADS)

        def forward(self, x):
            return self.b(self.a(x).relu())

    with enable_wrap(wrapper_cls=FSDP):
        net = FSDP(Net())
    assert isinstance(net.a, FSDP) and net.b.sharding_strategy is GRADS
    assert not isinstance(Net().a, FSDP)
    net(core.ones(2, 3)).sum().backward()
    assert [type(p) for p in net.parameters()] == [FlatParameter] * 2
    assert all(p.grad is not None for p in net.parameters())


@ranks(2)
def test_parameters_that_are_not_used():
    """They stay as they are, and keep nobody waiting."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.idle = nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 3)
            self.extra = nn.Parameter(core.ones(3))

        def forward(self, x):
            return self.b(self.a(x))

    def run(model, rank=None):
        step = optim.AdamW(model.parameters(), lr=0.1)
        for i in range(3):
            x = core.tensor(np.random.default_rng(i).standard_normal((4, 3)).astype("f4"))
            step.zero_grad()
            (model(x if rank is None else x[2 * rank : 2 * rank + 2]) ** 2).mean().backward()
            step.step()
        return {k: v.numpy() for k, v in model.state_dict().items()}

    expected = run(fill(Net()))
    model = FSDP(fill(Net()), auto_wrap_policy=ModuleWrapPolicy([nn.Linear]), use_orig_params=True)
    assert_equal({k: core.tensor(v) for k, v in run(model, dist.get_rank()).items()}, expected)
    assert model.extra.grad is None and model.idle.weight.grad is None


@ranks(2)
def test_frozen_parameters():
    def freeze(model):
        model.token.weight.requires_grad_(False)
        for p in model.blocks[0].parameters():
            p.requires_grad_(False)
        model.blocks[1].up.weight.requires_grad_(False)
        return model

    plain = freeze(made("gpt", tied=False))
    step = optimizer_of("sgd", plain.parameters())
    for i in range(3):
        step.zero_grad()
        loss_of(plain, *batch("gpt", i)).backward()
        step.step()
    policy = ModuleWrapPolicy([Block])
    model = FSDP(freeze(made("gpt", tied=False)), auto_wrap_policy=policy, use_orig_params=True)
    train(model, "gpt", 3, optimizer_of("sgd", model.parameters()))
    assert_equal(model.state_dict(), {k: v.numpy() for k, v in plain.state_dict().items()})
    with pytest.raises(ValueError, match="uniform `requires_grad`"):
        FSDP(freeze(made("gpt", tied=False)), auto_wrap_policy=policy)
    # switched off and on between steps
    model.head.weight.requires_grad_(False)
    train(model, "gpt", 1, step := optimizer_of("sgd", model.parameters()))
    assert model.head.weight.grad is None
    model.head.weight.requires_grad_(True)
    train(model, "gpt", 1, step)
    assert model.head.weight.grad is not None or not model.head.weight.numel()


@ranks(2)
def test_a_unit_that_runs_several_times():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

        def forward(self, x):
            x = self.a(x).tanh()
            x = self.a(self.a(x))
            return self.a(self.b(x)) + self.b(x)

    x = core.tensor(np.random.default_rng(0).standard_normal((4, 4)).astype("f4"))
    plain = fill(Net())
    (plain(x) ** 2).mean().backward()
    part = x[2 * dist.get_rank() :][:2]
    for original in (False, True):
        model = FSDP(fill(Net()), auto_wrap_policy=ModuleWrapPolicy([nn.Linear]), use_orig_params=original)
        (model(part) ** 2).mean().backward()
        (model(part) ** 2).mean().backward()
        first, second = (model(part) ** 2).mean(), (model(part) ** 2).mean()  # two graphs at once
        second.backward()
        first.backward()
        with FSDP.summon_full_params(model, with_grads=True):
            for name, p in model.named_parameters():
                wanted = 4 * plain.get_parameter(name).grad.numpy()
                np.testing.assert_allclose(p.grad.numpy(), wanted, rtol=1e-4, atol=1e-6)


@dataclasses.dataclass(slots=True)
class Slots:
    y: object
    inside: object = None


@ranks(2)
def test_outputs_in_containers():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 1)

        def forward(self, x):
            y = self.a(x).tanh()
            out = Slots(self.b(y), [MappingProxyType({"y": y})])
            out.inside += [out, {y * 2}]
            return out

    x = core.ones(2, 4)
    plain = fill(Net())
    plain(x).y.sum().backward()
    model = FSDP(fill(Net()))
    model(x).y.sum().backward()
    with FSDP.summon_full_params(model, with_grads=True):
        for name, p in model.named_parameters():
            np.testing.assert_allclose(p.grad.numpy(), plain.get_parameter(name).grad.numpy(), rtol=1e-5)


@ranks(2)
def test_evaluation_between_steps():
    for strategy in (FULL, GRADS):
        model = FSDP(made("gpt"), auto_wrap_policy=ModuleWrapPolicy([Block]), sharding_strategy=strategy,
                     use_orig_params=True, forward_prefetch=True)
        step = optimizer_of("sgd", model.parameters())
        for i in range(3):
            train(model, "gpt", 1, step, first=i)
            model.eval()
            with no_grad():
                seen = loss_of(model, *batch("gpt", i)).item()
            loss_of(model, *batch("gpt", i))  # a graph that nobody goes back through
            model.train()
            expected, _, _ = reference("gpt", i + 1)
            plain = made("gpt")
            plain.load_state_dict({k: core.tensor(v) for k, v in expected.items()})
            assert abs(seen - loss_of(plain, *batch("gpt", i)).item()) < 1e-5


@ranks(2)
def test_mixed_precision():
    seen = {}

    def look(module, args):
        seen[type(module).__name__] = (args[0].dtype, module.weight.dtype)

    model = made("conv")
    model.register_buffer("shift", core.ones(3))
    model.first[0].register_forward_pre_hook(look)
    model.last.register_forward_pre_hook(look)
    half = MixedPrecision(param_dtype=core.bfloat16, reduce_dtype=core.float32, buffer_dtype=core.bfloat16)
    model = FSDP(model, auto_wrap_policy=ModuleWrapPolicy([nn.Sequential]), mixed_precision=half)
    step = optimizer_of("sgd", model.parameters())
    losses, _ = train(model, "conv", 4, step, core.float32)
    _, wanted, _ = reference("conv", 4)
    np.testing.assert_allclose(losses, wanted, rtol=2e-2)
    assert seen == {"Conv2d": (core.bfloat16, core.bfloat16), "Linear": (core.bfloat16, core.bfloat16)}
    assert all(p.dtype == core.float32 and p.grad.dtype == core.float32 for p in model.parameters())
    assert model.shift.dtype == core.bfloat16
    state = model.state_dict()
    assert {v.dtype for v in state.values()} == {core.float32}
    with FSDP.summon_full_params(model):
        assert model.last.weight.dtype == core.float32
    kept = FSDP(made("conv"), mixed_precision=MixedPrecision(reduce_dtype=core.float16, keep_low_precision_grads=True))
    loss_of(kept, *batch("conv", 0)).backward()
    assert kept._flat_param._grad.dtype == core.float16


@ranks(2)
def test_batch_norm_stays_in_full_precision():
    net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
    model = FSDP(fill(net), auto_wrap_policy=ModuleWrapPolicy([nn.Linear]),
                 mixed_precision=MixedPrecision(param_dtype=core.float16))
    norm = model.module[1]
    assert isinstance(norm, FSDP) and norm.mixed_precision.param_dtype is None
    out = model(core.ones(4, 4))
    assert out.dtype == core.float16 and norm.running_mean.dtype == core.float32
    out.sum().backward()


@ranks(2)
def test_element_types_side_by_side():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3).double()

        def forward(self, x):
            return self.b(self.a(x).double())

    x = core.tensor(np.random.default_rng(0).standard_normal((4, 3)).astype("f4"))
    plain = fill(Net())
    plain(x).sum().backward()
    for original in (False, True):
        model = FSDP(fill(Net()), use_orig_params=original)
        model(x[2 * dist.get_rank() :][:2]).sum().backward()
        with FSDP.summon_full_params(model, with_grads=True):
            for name, p in model.named_parameters():
                assert p.dtype == plain.get_parameter(name).dtype
                np.testing.assert_allclose(2 * p.grad.numpy(), plain.get_parameter(name).grad.numpy(), rtol=1e-5)


@ranks(2)
def test_parameters_on_the_meta_device():
    def real(module):
        module.to_empty(device="cpu", recurse=False)
        for p in module._parameters.values():
            if p is not None:
                p.data.fill_(dist.get_rank() + 0.25)

    with core.device("meta"):
        skeleton = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 2)))
    assert skeleton[0].weight.is_meta
    policy = ModuleWrapPolicy([nn.Sequential])
    model = FSDP(skeleton, param_init_fn=real, sync_module_states=True, auto_wrap_policy=policy)
    assert {float(v.min()) for v in model.state_dict().values()} == {0.25}
    model(core.ones(1, 3)).sum().backward()
    with core.device("meta"):
        again = nn.Linear(3, 3)
    assert not FSDP(again, use_orig_params=True).weight.is_meta  # by its reset_parameters()
    with core.device("meta"):
        again = nn.Linear(3, 3)
    with pytest.raises(RuntimeError, match="left parameters on the meta device"):
        FSDP(again, param_init_fn=lambda m: None)


@ranks(2)
def test_parts_that_stay_whole():
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 2))
    model = FSDP(fill(net), ignored_modules=[net[1]])
    assert net[1].weight.shape == (3, 3)
    assert [n for n, _ in model.named_parameters()] == ["_fsdp_wrapped_module." + n for n in (
        "_flat_param", "1.weight", "1.bias")]
    model(core.ones(1, 3) * (dist.get_rank() + 1)).sum().backward()
    assert net[1].weight.grad is not None
    net = fill(nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 2)))
    FSDP(net, ignored_states=[net[0].weight], use_orig_params=True)
    assert net[0].weight.shape == (3, 3) and net[0].bias.dim() == 1
    with pytest.raises(ValueError, match="Cannot pass both"):
        FSDP(net, ignored_modules=[net[1]], ignored_states=[net[1]])


@ranks(2)
def test_hooks_of_gradients():
    calls = []

    def own(state, grad, output):
        calls.append(state)
        dist.reduce_scatter_tensor(output, grad)
        output.div_(dist.get_world_size())

    model = FSDP(made("conv"), use_orig_params=True)
    model.register_comm_hook("mine", own)
    train(model, "conv", 2, optimizer_of("sgd", model.parameters()))
    assert calls == ["mine"] * 2
    assert_equal(model.state_dict(), reference("conv", 2)[0])
    model = FSDP(made("conv"), use_orig_params=True)
    stepped = []
    for p in model.parameters():
        p.register_post_accumulate_grad_hook(lambda p: stepped.append(p.grad.shape == p.shape))
    loss_of(model, *batch("conv", 0)).backward()
    assert stepped and all(stepped)


@ranks(2)
def test_what_is_refused():
    net = nn.Linear(2, 2)
    outer = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    outer[1].weight = outer[0].weight
    FSDP(outer[0])
    with pytest.raises(ValueError, match="belongs to another unit"):
        FSDP(outer[1])
    with pytest.raises(ValueError, match="requires explicit specification"):
        FSDP(net, sharding_strategy=ShardingStrategy.HYBRID_SHARD)
    with pytest.warns(UserWarning, match="has no forward"):
        FSDP(nn.ModuleList([net]))
    model = FSDP(nn.Sequential(FSDP(nn.Linear(2, 2)), nn.ReLU()))
    model(core.ones(1, 2))
    with pytest.raises(RuntimeError, match="root FSDP instance"):
        model.module[0].clip_grad_norm_(1.0)
    with FSDP.summon_full_params(model), pytest.raises(RuntimeError, match="summon_full_params"):
        model(core.ones(1, 2))
    with pytest.raises(NotImplementedError, match="rank0_only"), FSDP.summon_full_params(model, rank0_only=True):
        pass
