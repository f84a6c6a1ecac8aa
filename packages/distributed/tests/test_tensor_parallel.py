"""Tensor parallelism: modules spread over ranks compute and learn what the whole ones do."""

import copy

import pytest
from counted import Counted
from harness import ranks

from lamella import core, distributed as dist, nn, optim
from lamella.autograd import no_grad
from lamella.distributed.device_mesh import init_device_mesh
from lamella.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
from lamella.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    PrepareModuleInputOutput,
    PrepareModuleOutput,
    RowwiseParallel,
    SequenceParallel,
    loss_parallel,
    parallelize_module,
)
from lamella.distributed.tensor.parallel.ddp import _pre_dp_module_transform
from lamella.nn import functional as F

TOLERANCE = 1e-6


def whole(*shape, seed=0):
    return core.randn(shape, dtype=core.float64, generator=core.Generator().manual_seed(seed))


def filled(model):
    """The same parameters on every rank, in threads of one process, too.

    In float64: keys' biases have no gradient but rounding, which AdamW's division makes as large as any other.
    """
    model.double()
    with no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(whole(*p.shape, seed=i + 1) * 0.3)
    return model


def full(t):
    return t.full_tensor() if isinstance(t, DTensor) else t


def close(a, b):
    a, b = full(a).detach(), full(b).detach()
    assert a.shape == b.shape and core.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE), (a - b).abs().max().item()


class MLP(nn.Module):
    def __init__(self, n=8):
        super().__init__()
        self.w1, self.act, self.w2 = nn.Linear(n, 16), nn.GELU(), nn.Linear(16, n)

    def forward(self, x):
        return self.w2(self.act(self.w1(x)))


class Attention(nn.Module):
    """With as many heads as its projections give it."""

    def __init__(self, n=8, size=2):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(n, n) for _ in range(4))
        self.size = size

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (-1, self.size)).transpose(1, 2) for p in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, n=8):
        super().__init__()
        self.norm1, self.attention, self.norm2, self.mlp = nn.LayerNorm(n), Attention(n), nn.LayerNorm(n), MLP(n)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Language(nn.Module):
    def __init__(self, words=12, n=8):
        super().__init__()
        self.table, self.block = nn.Embedding(words, n), Block(n)
        self.norm, self.head = nn.LayerNorm(n), nn.Linear(n, words)

    def forward(self, ids):
        return self.head(self.norm(self.block(self.table(ids))))


MLP_PLAN = {"w1": ColwiseParallel(), "w2": RowwiseParallel()}
BLOCK_PLAN = {f"attention.{name}": ColwiseParallel() for name in "qkv"} | {
    "attention.o": RowwiseParallel(), "mlp.w1": ColwiseParallel(), "mlp.w2": RowwiseParallel()}


def train(model, plain, make_input, steps=6, loss=None, optimizer=lambda ps: optim.AdamW(ps, lr=1e-2)):
    """Both learn the same: outputs, gradients, parameters after all the steps."""
    loss = loss or (lambda out: (full(out) ** 2).mean())
    opts = [optimizer(m.parameters()) for m in (model, plain)]
    for i in range(steps):
        x = make_input(i)
        losses = []
        for m, o in zip((model, plain), opts):
            o.zero_grad()
            value = loss(m(x))
            value.backward()
            losses.append(full(value).item())
            o.step()
        assert abs(losses[0] - losses[1]) <= TOLERANCE * max(1.0, abs(losses[1])), (i, losses)
    for (name, p), q in zip(model.named_parameters(), plain.parameters()):
        assert isinstance(p, DTensor) is isinstance(p.grad, DTensor), name
        close(p.grad, q.grad)
        close(p, q)


@ranks(2, 4)
def test_mlp():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    plain = filled(MLP())
    model = parallelize_module(copy.deepcopy(plain), mesh, MLP_PLAN)
    n = dist.get_world_size()
    assert model.w1.weight.placements == (Shard(0),) and model.w1.bias.to_local().shape == (16 // n,)
    assert model.w2.weight.placements == (Shard(1),) and model.w2.bias.placements == (Replicate(),)
    assert isinstance(model.w1.weight, nn.Parameter)
    x, y = (whole(3, 8, seed=40).requires_grad_() for _ in range(2))
    out, expected = model(x), plain(y)
    assert not isinstance(out, DTensor)
    close(out, expected)
    out.pow(2).sum().backward()
    expected.pow(2).sum().backward()
    close(x.grad, y.grad)
    for p, q in zip(model.parameters(), plain.parameters()):
        close(p.grad, q.grad)
    train(model, plain, lambda i: whole(4, 8, seed=100 + i))


@ranks(2, 4)
def test_attention_block():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    plain = filled(Block())
    model = parallelize_module(copy.deepcopy(plain), mesh, BLOCK_PLAN)
    close(model(whole(2, 5, 8)), plain(whole(2, 5, 8)))
    train(model, plain, lambda i: whole(2, 4, 8, seed=100 + i))


@ranks(2, 4, slow=True)
def test_fifty_steps():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    for made, plan, shape in ((MLP, MLP_PLAN, (4, 8)), (Block, BLOCK_PLAN, (2, 4, 8))):
        plain = filled(made())
        model = parallelize_module(copy.deepcopy(plain), mesh, plan)
        train(model, plain, lambda i, shape=shape: whole(*shape, seed=100 + i), steps=50)


@ranks(2)
def test_sequence_parallel_language_model():
    mesh = init_device_mesh("cpu", (2,))
    plain = filled(Language())
    prepare = PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate())
    model = parallelize_module(copy.deepcopy(plain), mesh, {
        "table": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False),
        "block.norm[12]": SequenceParallel(), "block.attention": prepare, "block.mlp": prepare,
        "block.attention.[qkv]": ColwiseParallel(), "block.mlp.w1": ColwiseParallel(),
        "block.attention.o": RowwiseParallel(output_layouts=Shard(1), use_local_output=False),
        "block.mlp.w2": RowwiseParallel(output_layouts=Shard(1), use_local_output=False),
        "norm": SequenceParallel(),
        "head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Shard(-1), use_local_output=False),
    })
    ids = core.randint(0, 12, (2, 6), generator=core.Generator().manual_seed(0))
    out = model(ids)
    assert out.placements == (Shard(2),) and model.block.norm1.weight.placements == (Replicate(),)
    close(out, plain(ids))

    def loss(logits):
        return F.cross_entropy(logits.flatten(0, 1), ids.flatten())

    with loss_parallel():
        train(model, plain, lambda i: ids, steps=6, loss=loss)


@ranks(2)
def test_steps_do_not_communicate():
    mesh = init_device_mesh("cpu", (2,))
    model = parallelize_module(filled(nn.LayerNorm(8)), mesh, SequenceParallel())
    model(whole(2, 3, 8)).pow(2).sum().backward()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with Counted() as counted:
        optimizer.step()
    assert counted.n == 0


@ranks(2)
def test_communication_of_a_block():
    """One reduction for each pair of layers in forward, one for each input of a column layer in backward."""
    mesh = init_device_mesh("cpu", (2,))
    model = parallelize_module(filled(Block()), mesh, BLOCK_PLAN)
    with Counted() as counted:
        loss = model(whole(2, 3, 8)).pow(2).sum()
    assert counted.by_name["allreduce"] == counted.n == 2
    with Counted() as counted:
        loss.backward()
    assert counted.by_name["allreduce"] == counted.n == 4


@ranks(2)
def test_embedding_styles():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    ids = core.tensor([[0, 4, 2], [6, 6, 1]])
    for style in (ColwiseParallel(output_layouts=Replicate()), RowwiseParallel(input_layouts=Replicate())):
        plain = filled(nn.Embedding(7, 4))
        model = parallelize_module(copy.deepcopy(plain), mesh, style)
        close(model(ids), plain(ids))
        train(model, plain, lambda i: (ids + i) % 7, steps=5, optimizer=lambda ps: optim.SGD(ps, lr=0.1))


@ranks(2)
def test_prepared_outputs_and_keywords():
    mesh = init_device_mesh("cpu", (2,))

    class Both(nn.Module):
        def forward(self, a, k=None):
            return a * 2, k

    style = PrepareModuleInputOutput(
        input_layouts=(Shard(0),), desired_input_layouts=(Replicate(),), input_kwarg_layouts={"k": Replicate()},
        desired_input_kwarg_layouts={"k": Shard(0)}, output_layouts=(Replicate(), None),
        desired_output_layouts=(Shard(0), None))
    local = core.full((1, 2), float(dist.get_rank()))  # rank 1's rows come second
    a, k = parallelize_module(Both(), mesh, style)(local, k=core.ones(2))
    assert a.tolist() == (local * 2).tolist() and k.placements == (Shard(0),)
    assert "desired_input_layouts=(Replicate(),)" in repr(style) and "use_local_input=False" in repr(style)
    out = parallelize_module(nn.Identity(), mesh, PrepareModuleOutput(
        output_layouts=Partial(), desired_output_layouts=Replicate()))(core.ones(2))
    assert out.tolist() == [2.0, 2.0]


@ranks(2)
def test_cross_entropy_on_parts():
    mesh = init_device_mesh("cpu", (2,))
    x, target, weight = whole(4, 5), core.tensor([0, 4, 2, -100]), whole(5).abs()
    for place in (Shard(0), Shard(1)):
        for reduction in ("none", "sum", "mean"):
            for w in (None, weight):
                ours = distribute_tensor(x, mesh, [place]).requires_grad_()
                plain = x.clone().requires_grad_()
                with loss_parallel():
                    loss = F.cross_entropy(ours, target, w, reduction=reduction)
                    expected = F.cross_entropy(plain, target, w, reduction=reduction)
                    close(loss, expected)
                    (loss * loss).sum().backward()
                    (expected * expected).sum().backward()
                close(ours.grad, plain.grad)
                assert ours.grad.placements == (place,)
    images = whole(2, 3, 4)
    close(F.cross_entropy(distribute_tensor(images, mesh, [Shard(2)]), core.tensor([[0, 1, 2, 0], [1, 1, 2, 2]])),
          F.cross_entropy(images, core.tensor([[0, 1, 2, 0], [1, 1, 2, 2]])))


def replicas_in_parts():
    """A mesh, a block, and a copy of it that is spread over tp for each part of dp."""
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    plain = filled(Block())
    return mesh, plain, parallelize_module(copy.deepcopy(plain), mesh["tp"], BLOCK_PLAN)


def learn(model, plain, mesh, steps, average=None):
    """The model learns from its replica's part of each batch, the plain one from all of it."""
    replica = mesh["dp"].get_local_rank()
    opts = [optim.AdamW(m.parameters(), lr=1e-2) for m in (model, plain)]
    for i in range(steps):
        x = whole(4, 3, 8, seed=200 + i)
        for m, o, part in ((model, opts[0], x.chunk(2)[replica]), (plain, opts[1], x)):
            o.zero_grad()
            (m(part) ** 2).mean().backward()
            if m is model and average is not None:
                average(model)
            o.step()


def data_and_tensor_parallel(steps):
    """Gradients of the replicas are averaged over dp; each replica is spread over tp."""
    mesh, plain, model = replicas_in_parts()

    def average(model):
        for p in model.parameters():
            local = p.grad.to_local() if isinstance(p.grad, DTensor) else p.grad
            dist.all_reduce(local, dist.ReduceOp.AVG, group=mesh.get_group("dp"))

    learn(model, plain, mesh, steps, average)
    for p, q in zip(model.parameters(), plain.parameters()):
        close(p, q)


@ranks(4)
def test_data_and_tensor_parallel():
    data_and_tensor_parallel(5)


@ranks(4, slow=True)
def test_data_and_tensor_parallel_fifty_steps():
    data_and_tensor_parallel(50)
    ddp_over_tensor_parallel(50)


@ranks(4)
def test_distributed_data_parallel_over_tensor_parallel():
    ddp_over_tensor_parallel(5)


def ddp_over_tensor_parallel(steps):
    """`DistributedDataParallel` over dp takes a module that is spread over tp."""
    mesh, plain, model = replicas_in_parts()
    _pre_dp_module_transform(model)
    assert not any(isinstance(p, DTensor) for p in model.parameters())
    learn(dist.DistributedDataParallel(model, process_group=mesh.get_group("dp")), plain, mesh, steps)
    for p, q in zip(model.parameters(), plain.parameters()):
        spec = getattr(p, "_st_info", None)
        close(p if spec is None else DTensor.from_local(p.detach(), spec.mesh, spec.placements), q)


@ranks(2)
def test_errors():
    mesh = init_device_mesh("cpu", (2, 1), mesh_dim_names=("tp", "dp"))
    with pytest.raises(NotImplementedError, match="ColwiseParallel: only Linear and Embedding.*GELU"):
        parallelize_module(MLP(), mesh["tp"], {"act": ColwiseParallel()})
    with pytest.raises(ValueError, match="must have one dimension"):
        parallelize_module(MLP(), mesh, MLP_PLAN)
    with pytest.raises(TypeError, match="a ParallelStyle or a dict"):
        parallelize_module(MLP(), mesh["tp"], [1])
    with pytest.warns(UserWarning, match="names no submodule"):
        parallelize_module(MLP(), mesh["tp"], {"w9": ColwiseParallel()})
    with pytest.warns(UserWarning, match="no parallelize_plan"):
        parallelize_module(MLP(), mesh["tp"])
    with pytest.raises(AssertionError, match="same length"):
        PrepareModuleInput(input_layouts=(Shard(0),), desired_input_layouts=(Shard(0), None))
