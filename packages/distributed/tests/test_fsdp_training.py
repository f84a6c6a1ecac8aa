"""Fifty steps with every option; memory as it is measured; checkpoints of activations."""

import contextlib
import gc
import weakref

import numpy as np
import pytest
from ddp_models import reentrant
from fsdp_models import GPT, UNITS, Block, assert_equal, batch, fill, loss_of, made, optimizer_of, reference, train
from harness import ranks

import lamella.distributed as dist
from lamella import core, nn, optim
from lamella.autograd import no_grad
from lamella.core.storage import owner_of
from lamella.core.tensor import Tensor
from lamella.distributed.fsdp import (
    BackwardPrefetch,
    FullyShardedDataParallel as FSDP,
    MixedPrecision,
    ShardingStrategy,
    fully_shard,
)
from lamella.distributed.fsdp.wrap import ModuleWrapPolicy
from lamella.torch.utils.checkpoint import checkpoint


def wrapped(model, kind="gpt", **kwargs):
    return FSDP(model, auto_wrap_policy=ModuleWrapPolicy(UNITS[kind]), **kwargs)


def composed(model, kind="gpt", **kwargs):
    for m in list(model.modules()):
        if isinstance(m, tuple(UNITS[kind])):
            fully_shard(m, **kwargs)
    return fully_shard(model, **kwargs)


def hybrid():
    world = dist.get_world_size()
    return {"device_mesh": dist.init_device_mesh("cpu", (world // 2, 2))}


FLAT = {
    "full": {}, "grads": {"sharding_strategy": ShardingStrategy.SHARD_GRAD_OP},
    "none": {"sharding_strategy": ShardingStrategy.NO_SHARD},
    "hybrid": {"sharding_strategy": ShardingStrategy.HYBRID_SHARD},
    "late": {"backward_prefetch": BackwardPrefetch.BACKWARD_POST, "forward_prefetch": True},
    "no prefetch": {"backward_prefetch": None},
}


def fifty(kind, optimizer, dtype, tolerance):
    expected, wanted, norms = reference(kind, 50, optimizer, dtype, (0.5, 2.0))
    worst = 0.0
    for name, options in FLAT.items():
        for original in (False, True):
            more = hybrid() if name == "hybrid" else {}
            model = wrapped(made(kind, dtype), kind, use_orig_params=original, **options, **more)
            step = optimizer_of(optimizer, model.parameters())

            def quiet(on, model=model, original=original):
                return model.no_sync() if on and original else contextlib.nullcontext()

            pieces = 2 if name in ("full", "grads") else 1
            losses, seen = train(model, kind, 50, step, dtype, lambda m=model: m.clip_grad_norm_(0.5), pieces, quiet)
            state = model.state_dict()
            worst = max(worst, *(np.abs(state[k].numpy() - expected[k]).max() for k in expected))
            assert_equal(state, expected, tolerance)
            np.testing.assert_allclose(losses, wanted, rtol=1e-4)
            np.testing.assert_allclose(seen, norms, rtol=1e-4)
    for reshard in (None, True, False):
        model = composed(made(kind, dtype), kind, reshard_after_forward=reshard)
        step = optimizer_of(optimizer, model.parameters())

        def clip(model=model):
            return nn.utils.clip_grad_norm_(model.parameters(), 0.5).full_tensor()

        train(model, kind, 50, step, dtype, clip)
        state = {k: v.full_tensor() for k, v in model.state_dict().items()}
        worst = max(worst, *(np.abs(state[k].numpy() - expected[k]).max() for k in expected))
        assert_equal(state, expected, tolerance)
    if dist.get_rank() == 0:
        print(f"{kind} {optimizer} on {dist.get_world_size()} ranks: largest difference {worst:.2g}")


@ranks(2, 4, slow=True, backends=("mpi",))
def test_fifty_steps_of_the_gpt():
    fifty("gpt", "sgd", core.float32, 1e-6)
    fifty("gpt", "adamw", core.float64, 1e-6)


@ranks(2, 4, slow=True, backends=("mpi",))
def test_fifty_steps_of_the_convolutions():
    fifty("conv", "sgd", core.float32, 1e-6)
    fifty("conv", "adamw", core.float64, 1e-6)


# -- when --------------------------------------------------------------------------------------------------------------


@ranks(2)
def test_reductions_begin_while_backward_goes_on():
    model = wrapped(made("gpt"))
    order = []
    for i, m in enumerate(FSDP.fsdp_modules(model)):
        old = m._unit.end_backward

        def end(late=False, old=old, i=i):
            order.append((i, late))
            old(late)

        m._unit.end_backward = end
    loss_of(model, *batch("gpt", 0)).backward()
    assert order == [(3, False), (2, False), (1, False), (0, True)]


@ranks(2)
def test_frozen_units_are_given_up_when_they_are_done():
    model = made("gpt", tied=False)
    for p in model.blocks.parameters():
        p.requires_grad_(False)
    model = wrapped(model, use_orig_params=True)
    order = []
    for i, m in enumerate(FSDP.fsdp_modules(model)):

        def end(late=False, old=m._unit.end_backward, i=i):
            order.append((i, late))
            old(late)

        m._unit.end_backward = end
    loss_of(model, *batch("gpt", 0)).backward()
    assert order == [(3, False), (2, False), (1, False), (0, True)]
    assert model.blocks[0].up.weight.grad is None
    with model.no_sync():
        loss_of(model, *batch("gpt", 0)).backward()
    assert model._unit.has_gradients()
    model.zero_grad()
    assert not model._unit.has_gradients()


# -- checkpoints of activations ----------------------------------------------------------------------------------------


class Around(nn.Module):
    """A block whose activations are computed again in backward."""

    def __init__(self, block, how):
        super().__init__()
        self.block, self.how = block, how

    def forward(self, x):
        return self.how(self.block, x)


def not_reentrant(run, x):
    return checkpoint(run, x, use_reentrant=False)


@ranks(2)
def test_checkpoints_around_and_inside_of_units():
    expected, wanted, _ = reference("gpt", 3)
    for how in (not_reentrant, reentrant):
        for kind in ("around", "inside", "composed"):
            model = made("gpt")
            blocks = list(model.blocks)
            if kind == "around":
                model.blocks = nn.ModuleList(Around(FSDP(b, use_orig_params=True), how) for b in blocks)
                model = FSDP(model)
            elif kind == "inside":
                model.blocks = nn.ModuleList(FSDP(Around(b, how)) for b in blocks)
                model = FSDP(model, use_orig_params=True)
            else:
                model.blocks = nn.ModuleList(Around(fully_shard(b), how) for b in blocks)
                model = fully_shard(model)
            step = optimizer_of("sgd", model.parameters())
            losses, _ = train(model, "gpt", 3, step)
            np.testing.assert_allclose(losses, wanted, rtol=1e-5)
            state = {k.replace("block.", ""): v for k, v in model.state_dict().items()}
            assert_equal(state, expected)


@ranks(2)
def test_units_are_given_up_one_by_one_with_checkpoints():
    """Reductions begin while backward goes on, and no more than two blocks are whole at a time."""
    for how in (not_reentrant, reentrant):
        model = made("gpt")
        model.blocks = nn.ModuleList(Around(FSDP(b), how) for b in model.blocks)
        model = FSDP(model)
        units = [m._unit for m in FSDP.fsdp_modules(model)][1:]
        most, order = [0], []
        for i, unit in enumerate(units):

            def begin(number, old=unit.open, units=units, most=most):
                old(number)
                most[0] = max(most[0], sum(h.whole for u in units for h in u.handles))

            def end(late=False, i=i, old=unit.end_backward, order=order):
                order.append((i, late))
                old(late)

            unit.open, unit.end_backward = begin, end
        loss_of(model, *batch("gpt", 0)).backward()
        assert order == [(2, False), (1, False), (0, False)] and most[0] <= 2
        assert not any(h.whole for u in units for h in u.handles)


# -- memory ------------------------------------------------------------------------------------------------------------


def live(before=frozenset()):
    """Bytes of the memory under all tensors of this process, but that which was there before."""
    gc.collect()
    found = {}
    for t in gc.get_objects():
        if isinstance(t, Tensor) and hasattr(t, "_a") and not t.is_meta and not hasattr(t, "_spec"):
            owner = owner_of(t._a)
            if id(owner) not in before:
                found[id(owner)] = owner.nbytes
    return found


def after_steps(wrap):
    """Bytes of parameters, gradients and optimizer state between steps."""
    before = frozenset(live())
    model = wrap(fill(GPT(width=32, tied=False)))
    step = optim.AdamW(model.parameters(), lr=1e-3)
    for i in range(3):
        step.zero_grad()
        loss_of(model, *batch("gpt", i)).backward()
        step.step()
    return sum(live(before).values())


@ranks(2, 4, backends=("mpi",))
def test_memory_of_a_rank():
    whole = after_steps(lambda m: m)
    most = 0.55 if dist.get_world_size() == 2 else 0.3
    ways = {"flat": wrapped, "original": lambda m: wrapped(m, use_orig_params=True), "composed": composed,
            "grads": lambda m: wrapped(m, sharding_strategy=ShardingStrategy.SHARD_GRAD_OP),
            "one unit": lambda m: FSDP(m)}
    for name, wrap in ways.items():
        ratio = after_steps(wrap) / whole
        assert ratio <= most, (name, ratio)


@ranks(2)
def test_memory_within_a_step():
    """Between a unit's forward and its backward its whole parameters are free, although the graph refers to them."""
    model = wrapped(GPT(width=32))
    units = [m._unit for m in FSDP.fsdp_modules(model)][1:]
    size = 4 * sum(p.numel() for p in Block(32).parameters())
    held = []
    for unit in units:

        def look(output, old=unit.after_forward, leaf=unit.handles[0].pieces[-1].leaf):
            array = owner_of(leaf._a)
            assert array.nbytes >= size
            held.append(weakref.ref(array))
            del array
            old(output)

        unit.after_forward = look
    loss = loss_of(model, *batch("gpt", 0))
    assert len(held) == 3 and all(ref() is None for ref in held)
    loss.backward()
    assert all(not h.whole for u in units for h in u.handles)


@ranks(2)
def test_nothing_is_left_whole():
    model = wrapped(made("gpt"), mixed_precision=MixedPrecision())
    with no_grad():
        model(batch("gpt", 0)[0])
    assert not any(h.whole for m in FSDP.fsdp_modules(model) for h in m._unit.handles)
    broken = [True]

    def fail(*_):
        if broken[0]:
            raise ValueError("broken")

    model.norm.register_forward_hook(fail)
    with pytest.raises(ValueError, match="broken"):
        loss_of(model, *batch("gpt", 0))
    broken[0] = False
    train(model, "gpt", 3, optimizer_of("sgd", model.parameters()))
    assert_equal(model.state_dict(), reference("gpt", 3)[0])
    assert core.isfinite(loss_of(model, *batch("gpt", 0)))
