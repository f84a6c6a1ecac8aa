"""fully_shard trains as one process does on the joined batch; its parameters are DTensors."""

import copy

import numpy as np
import pytest
from fsdp_models import UNITS, Block, assert_equal, batch, fill, loss_of, made, optimizer_of, reference, train
from harness import ranks

import lamella.distributed as dist
from lamella import core, nn
from lamella.distributed.fsdp import (
    CPUOffloadPolicy,
    DataParallelMeshDims,
    FSDPModule,
    MixedPrecisionPolicy,
    fully_shard,
    register_fsdp_forward_method,
    share_comm_ctx,
)
from lamella.distributed.tensor import DTensor, Replicate, Shard
from lamella.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


def sharded(kind="gpt", dtype=core.float32, **kwargs):
    model = made(kind, dtype)
    for m in list(model.modules()):
        if isinstance(m, tuple(UNITS[kind])):
            fully_shard(m, **kwargs)
    return fully_shard(model, **kwargs)


def check(kind="gpt", steps=3, optimizer="sgd", dtype=core.float32, clip=None, pieces=1, quiet=None, prepare=None,
          **kwargs):
    model = sharded(kind, dtype, **kwargs)
    if prepare is not None:
        prepare(model)
    step = optimizer_of(optimizer, model.parameters())
    norm = None if clip is None else lambda: nn.utils.clip_grad_norm_(model.parameters(), *clip).full_tensor()
    silence = None if quiet is None else lambda on: quiet(model, on)
    losses, norms = train(model, kind, steps, step, dtype, norm, pieces, silence)
    expected, wanted, wanted_norms = reference(kind, steps, optimizer, dtype, clip or ())
    assert_equal(model.state_dict(), expected)
    np.testing.assert_allclose(losses, wanted, rtol=1e-5)
    np.testing.assert_allclose(norms, wanted_norms, rtol=1e-5)
    return model


class Quiet:
    """Gradients are not reduced within the block."""

    def __init__(self, model, on):
        self.model, self.on = model, on

    def __enter__(self):
        self.model.set_requires_gradient_sync(not self.on)
        self.model.set_is_last_backward(not self.on)

    def __exit__(self, *_):
        self.model.set_requires_gradient_sync(True)


class Partly(Quiet):
    """Gradients are reduced among the ranks that share parameters, not among copies."""

    def __enter__(self):
        self.model.set_requires_all_reduce(not self.on)

    def __exit__(self, *_):
        self.model.set_requires_all_reduce(True)


@ranks(2, 4)
def test_equals_one_process():
    for reshard in (None, True, False):
        model = check(reshard_after_forward=reshard)
    up = model.blocks[0].up.weight
    assert isinstance(up, DTensor) and isinstance(up, nn.Parameter) and up.shape == (32, 16)
    assert up.to_local().shape == (32 // dist.get_world_size(), 16) and up.placements == (Shard(0),)
    assert isinstance(up.grad, DTensor) and up.grad.to_local().shape == up.to_local().shape
    check("conv", optimizer="adamw", dtype=core.float64)


@ranks(1, backends=("threads",))
def test_one_rank():
    check(clip=(0.1, 2.0), pieces=2, quiet=Quiet)


@ranks(2)
def test_options_equal_one_process():
    check(clip=(0.1, 2.0))
    check(pieces=2)
    check(pieces=2, quiet=Quiet)
    check(pieces=2, quiet=Quiet, reshard_after_forward=False)
    check(offload_policy=CPUOffloadPolicy(), reshard_after_forward=2)

    def late(model):
        model.set_reshard_after_forward(False)
        model.set_reshard_after_backward(True)
        model.blocks[0].set_modules_to_forward_prefetch([model.blocks[1], model.blocks[2]])
        model.blocks[2].set_modules_to_backward_prefetch([model.blocks[1], model.blocks[0]])

    check(prepare=late)
    model = check("conv", shard_placement_fn=lambda p: Shard(1) if p.dim() == 2 else None)
    assert model.last.weight.placements == (Shard(1),) and model.last.weight.to_local().shape == (5, 4)


@ranks(4)
def test_copies():
    mesh = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("copy", "shard"))
    model = check(mesh=mesh)
    assert model.norm.weight.placements == (Replicate(), Shard(0))
    check(mesh=mesh, pieces=2, quiet=Quiet)
    check(mesh=mesh, pieces=2, quiet=Partly)
    check(mesh=mesh, dp_mesh_dims=DataParallelMeshDims(shard="shard", replicate="copy"))
    check(mesh=mesh, dp_mesh_dims=DataParallelMeshDims(shard=("copy", "shard")))


@ranks(2)
def test_mixed_precision():
    seen = []
    model = made("conv")
    model.last.register_forward_pre_hook(lambda m, args: seen.append((args[0].dtype, m.weight.dtype)))
    policy = MixedPrecisionPolicy(param_dtype=core.bfloat16, reduce_dtype=core.float32, output_dtype=core.float32)
    fully_shard(model, mp_policy=policy)
    x, y = batch("conv", 0)
    out = model(x)
    assert seen == [(core.bfloat16, core.bfloat16)] and out.dtype == core.float32
    nn.functional.cross_entropy(out, y).backward()
    assert all(p.dtype == core.float32 and p.grad.dtype == core.float32 for p in model.parameters())


@ranks(2)
def test_the_class_and_what_it_offers():
    model = sharded()
    assert isinstance(model, FSDPModule) and type(model).__name__ == "FSDPGPT"
    assert isinstance(model.blocks[0], Block) and not isinstance(type(model.blocks[0])(16), FSDPModule)
    with pytest.raises(AssertionError, match="does not support deepcopy"):
        copy.deepcopy(model)
    with pytest.raises(AssertionError, match="once"):
        fully_shard(model)
    with pytest.raises(ValueError, match="do not implement forward"):
        fully_shard(nn.ModuleList())
    with pytest.raises(ValueError, match="without dimensions"):
        net = nn.Linear(2, 2)
        net.scale = nn.Parameter(core.ones(()))
        fully_shard(net)
    with pytest.raises(ValueError, match="divisor of the number of ranks"):
        fully_shard(nn.Linear(2, 2), reshard_after_forward=3)
    with pytest.raises(NotImplementedError, match="uneven sharding on dim 1"):
        fully_shard(nn.Linear(3, 2), shard_placement_fn=lambda p: Shard(p.dim() - 1))
    share_comm_ctx([model, model.blocks[0]])
    with pytest.raises(ValueError, match="FSDPModules"):
        share_comm_ctx([nn.Linear(1, 1)])
    block = model.blocks[0]
    handle = block.unshard(async_op=True)
    handle.wait()
    assert not isinstance(block.up.weight, DTensor) and block.up.weight.shape == (32, 16)
    block.reshard()
    assert isinstance(block.up.weight, DTensor)
    model.unshard()
    loss_of(model, *batch("gpt", 0)).backward()
    assert isinstance(model.token.weight, DTensor)
    model.reset_iter_state()


@ranks(2)
def test_modules_in_one_unit_and_other_methods():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 3)

        def forward(self, x):
            return self.c(self.b(self.a(x)))

        def features(self, x):
            return self.a(x) @ self.scale

    plain = fill(Net())
    net = fill(Net())
    net.scale, plain.scale = nn.Parameter(core.ones(3, 3)), nn.Parameter(core.ones(3, 3))
    fully_shard([net.b, net.c])
    fully_shard(net, ignored_params={net.a.bias})
    assert not isinstance(net.a.bias, DTensor) and isinstance(net.a.weight, DTensor)
    register_fsdp_forward_method(net, "features")
    register_fsdp_forward_method(plain, "features")
    with pytest.raises(ValueError, match="does not have"):
        register_fsdp_forward_method(net, "nothing")
    x = core.tensor(np.random.default_rng(0).standard_normal((4, 3)).astype("f4"))
    for call in ("forward", "features"):
        for model, part in ((plain, x), (net, x[2 * dist.get_rank() :][:2])):
            out = model(part) if call == "forward" else model.features(part)
            (out**2).mean().backward()
    for name in ("a.weight", "b.weight", "c.bias", "scale"):
        wanted = plain.get_parameter(name).grad.numpy()
        np.testing.assert_allclose(net.get_parameter(name).grad.full_tensor().numpy(), wanted, rtol=1e-4, atol=1e-6)


@ranks(2)
def test_from_the_meta_device_and_loading():
    expected, _, _ = reference("gpt", 2)
    model = sharded()
    train(model, "gpt", 2, optimizer_of("sgd", model.parameters()))
    state = model.state_dict()
    with core.device("meta"):
        empty = made_on_meta()
    for block in empty.blocks:
        fully_shard(block)
    fully_shard(empty)
    with pytest.raises(RuntimeError, match="meta device"):
        empty(core.zeros(1, 6, dtype=core.int64))
    empty.to_empty(device="cpu")
    empty.load_state_dict(state)
    assert_equal(empty.state_dict(), expected)
    train(empty, "gpt", 1, optimizer_of("sgd", empty.parameters()))
    other = sharded()
    other.load_state_dict(state, assign=True)
    train(other, "gpt", 1, optimizer_of("sgd", other.parameters()))
    third = sharded()
    third.load_state_dict(state)
    train(third, "gpt", 1, optimizer_of("sgd", third.parameters()))
    assert_equal(other.state_dict(), {k: v.full_tensor().numpy() for k, v in third.state_dict().items()})
    third.double()
    assert third.norm.weight.to_local().dtype == core.float64
    loss_of(third, *batch("gpt", 0)).backward()


def made_on_meta():
    from fsdp_models import GPT

    return GPT()


@ranks(2)
def test_communication_of_ones_own():
    class Gather:
        calls = 0

        def allocate(self, size, *, dtype, device):
            return core.empty(size, dtype=dtype, device=device)

        def __call__(self, output_tensor, input_tensor, group, async_op=False):
            self.calls += 1
            return dist.all_gather_into_tensor(output_tensor, input_tensor, group=group, async_op=async_op)

    class Reduce(Gather):
        def __call__(self, output_tensor, input_tensor, group, op, async_op=False):
            self.calls += 1
            return dist.reduce_scatter_tensor(output_tensor, input_tensor, op, group=group, async_op=async_op)

    gather, reduce, sums = Gather(), Reduce(), []

    def own(model):
        model.set_custom_all_gather(gather)
        model.set_custom_reduce_scatter(reduce)
        model.blocks[0].set_all_reduce_hook(lambda t: sums.append(t.shape))
        model.blocks[0].set_gradient_divide_factor(2.0)

    check(prepare=own, steps=2)
    assert gather.calls == reduce.calls == 2 and len(sums) == 2


@ranks(2)
def test_frozen_and_unused_parameters():
    def freeze(model):
        for p in model.blocks[0].parameters():
            p.requires_grad_(False)
        model.blocks[1].up.weight.requires_grad_(False)
        model.spare = fill(nn.Linear(16, 16))
        return model

    plain = freeze(made("gpt"))
    step = optimizer_of("sgd", plain.parameters())
    for i in range(3):
        step.zero_grad()
        loss_of(plain, *batch("gpt", i)).backward()
        step.step()
    expected = {k: v.numpy().copy() for k, v in plain.state_dict().items()}
    model = freeze(made("gpt"))
    for m in (*model.blocks, model):
        fully_shard(m)
    train(model, "gpt", 3, optimizer_of("sgd", model.parameters()))
    assert_equal(model.state_dict(), expected)
    assert model.spare.weight.grad is None and model.blocks[0].up.weight.grad is None


class Pair(nn.Module):
    """Two layers that tensor parallelism divides, and one that it leaves."""

    def __init__(self):
        super().__init__()
        self.up, self.down, self.last = nn.Linear(4, 8), nn.Linear(8, 4), nn.Linear(4, 2)

    def forward(self, x):
        return self.last(self.down(self.up(x).tanh()))


@ranks(4)
def test_with_tensor_parallelism():
    mesh = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    model = fill(Pair())
    parallelize_module(model, mesh["tp"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
    fully_shard(model, mesh=mesh["dp"])
    assert model.up.weight.shape == (8, 4) and model.up.weight.to_local().shape == (2, 4)
    assert model.down.weight.to_local().shape == (2, 4)
    plain = fill(Pair())
    steps = [optimizer_of("sgd", m.parameters()) for m in (plain, model)]
    for i in range(3):
        x = core.tensor(np.random.default_rng(i).standard_normal((4, 4)).astype("f4"))
        part = x[2 * mesh["dp"].get_local_rank() :][:2]
        for m, data, step in ((plain, x, steps[0]), (model, part, steps[1])):
            step.zero_grad()
            (m(data) ** 2).mean().backward()
            step.step()
    assert_equal(model.state_dict(), {k: v.numpy() for k, v in plain.state_dict().items()})
    other = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("a", "b"))
    model = fill(Pair())
    parallelize_module(model, other["b"], {"up": ColwiseParallel()})
    with pytest.raises(ValueError, match="same parent mesh"):
        fully_shard(model, mesh=mesh["dp"])
