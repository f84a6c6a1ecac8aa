"""Distributed tensors: placements, operators on parts against the same on the whole, gradients, optimizers."""

import copy
import io
import itertools
import pickle

import pytest
from counted import Counted
from harness import ranks

from lamella import core, distributed as dist, nn, optim
from lamella.autograd import grad as autograd_grad, no_grad
from lamella.core.serialization import load, save
from lamella.dispatch import ops
from lamella.distributed.device_mesh import DeviceMesh, init_device_mesh
from lamella.distributed.tensor import (
    DTensor,
    Partial,
    Replicate,
    Shard,
    distribute_module,
    distribute_tensor,
    empty,
    full,
    ones,
    rand,
    randn,
    zeros,
)
from lamella.distributed.tensor._random import manual_seed
from lamella.distributed.tensor.debug import CommDebugMode
from lamella.distributed.tensor.experimental import implicit_replication, local_map
from lamella.nn import functional as F


def whole(*shape, seed=0, dtype=core.float64):
    """The same tensor on every rank."""
    return core.randn(shape, dtype=dtype, generator=core.Generator().manual_seed(seed))


def mesh_of(*shape):
    return init_device_mesh("cpu", shape, mesh_dim_names=("dp", "tp", "pp")[: len(shape)])


def close(a, b, tolerance=1e-10):
    a = a.full_tensor() if isinstance(a, DTensor) else a
    assert a.shape == b.shape and a.dtype is b.dtype, (a.shape, b.shape)
    assert core.allclose(a.detach(), b.detach(), rtol=tolerance, atol=tolerance), (a - b).abs().max()


def summands(mesh, t, op="sum"):
    """A DTensor that is the reduction of what the ranks have."""
    n = mesh.size()
    local = {"sum": t / n, "avg": t, "max": t}[op]
    return DTensor.from_local(local, mesh, [Partial(op)] * mesh.ndim)


# ---------------------------------------------------------------------- placements


@ranks(2, 4)
def test_transitions_on_one_dimension():
    mesh = mesh_of(dist.get_world_size())
    for shape in ((4, 8), (5, 3), (1, 2), (7, 4, 3)):
        x = whole(*shape)
        places = [Replicate(), *[Shard(d) for d in range(len(shape))]]
        for a, b in itertools.product(places, places):
            d = distribute_tensor(x, mesh, [a])
            assert d.shape == x.shape and d.stride() == x.stride() and d.placements == (a,)
            e = d.redistribute(placements=[b])
            assert e.placements == (b,) and e.to_local().shape == e._spec.local_shape()
            assert e.full_tensor().tolist() == x.tolist() and d.full_tensor().tolist() == x.tolist()
        for b, op in itertools.product(places, ("sum", "avg", "max")):
            close(summands(mesh, x, op).redistribute(placements=[b]), x)


@ranks(4)
def test_transitions_on_two_dimensions():
    mesh = mesh_of(2, 2)
    places = [Replicate(), Shard(0), Shard(1)]
    for shape in ((4, 4), (5, 3)):
        x = whole(*shape)
        pairs = list(itertools.product(places, places))
        for a, b in itertools.product(pairs, pairs):
            d = distribute_tensor(x, mesh, a)
            assert d.redistribute(placements=b).full_tensor().tolist() == x.tolist(), (shape, a, b)
    close(summands(mesh, x).redistribute(placements=[Shard(0), Shard(0)]), x)


@ranks(2)
def test_gradients_of_transitions():
    mesh = mesh_of(2)
    w = whole(5, 3, seed=1)
    for a, b in itertools.product([Replicate(), Shard(0), Shard(1)], repeat=2):
        local = distribute_tensor(whole(5, 3), mesh, [a]).to_local().clone().requires_grad_()
        d = DTensor.from_local(local, mesh, [a], shape=(5, 3), stride=(3, 1))
        e = d.redistribute(placements=[b])
        assert e.grad_fn is not None
        (e * distribute_tensor(w, mesh, [b])).sum().backward()
        expected = distribute_tensor(w, mesh, [a]).to_local()
        assert core.allclose(local.grad, expected), (a, b)
    part = whole(4, 3).requires_grad_()
    DTensor.from_local(part, mesh, [Partial()]).redistribute(placements=[Shard(0)]).pow(2).sum().backward()
    assert core.allclose(part.grad, 2 * 2 * whole(4, 3))


@ranks(2)
def test_local_and_full_tensors():
    mesh = mesh_of(2)
    x = distribute_tensor(whole(4, 2).requires_grad_(), mesh, [Shard(0)])
    assert x.is_leaf and x.requires_grad and x.to_local().requires_grad
    (x.to_local() * 3).sum().backward()
    close(x.grad, core.full((4, 2), 3.0, dtype=core.float64))
    assert x.grad.placements == (Shard(0),)
    x.grad = None
    (x.full_tensor() ** 2).sum().backward()
    close(x.grad, 2 * whole(4, 2))
    r = distribute_tensor(whole(2).requires_grad_(), mesh, [Replicate()])
    (r.to_local(grad_placements=[Partial()]) * (dist.get_rank() + 1.0)).sum().backward()
    assert r.grad.to_local().tolist() == [3.0, 3.0]
    with no_grad():
        assert x.to_local() is x._local_tensor
    assert "DTensor(local_tensor=" in repr(x) and "placements=(Shard(dim=0),)" in repr(x)


@ranks(2)
def test_from_local():
    mesh = mesh_of(2)
    local = core.full((2, 3), float(dist.get_rank()))
    d = DTensor.from_local(local, mesh, [Shard(0)])
    assert d.shape == (4, 3) and d.stride() == (3, 1)
    assert DTensor.from_local(local, mesh, [Shard(-1)]).shape == (2, 6)
    assert DTensor.from_local(local.t(), mesh, [Shard(1)]).stride() == core.empty(4, 3).t().stride()
    assert DTensor.from_local(local, mesh, run_check=True).to_local()[0, 0].item() == 0
    with mesh:
        assert DTensor.from_local(local).placements == (Replicate(),)
    odd = core.ones(2 - dist.get_rank(), 3)
    assert DTensor.from_local(odd, mesh, [Shard(0)], shape=(3, 3), stride=(3, 1)).full_tensor().shape == (3, 3)
    with pytest.raises(RuntimeError, match="only accepts Tensor"):
        DTensor.from_local(d, mesh)
    with pytest.raises(ValueError, match="same length"):
        DTensor.from_local(local, mesh, [Shard(0), Shard(1)])
    with pytest.raises(RuntimeError, match="placements is needed"):
        d.redistribute()
    with pytest.raises(RuntimeError, match="Can not redistribute"):
        d.redistribute(placements=[Partial()])
    with pytest.raises(RuntimeError, match="non-leaf"):
        distribute_tensor(core.ones(2, requires_grad=True) * 2, mesh)


@ranks(2)
def test_factories():
    mesh = mesh_of(dist.get_world_size())
    for made, value in ((zeros, 0.0), (ones, 1.0)):
        d = made(3, 2, device_mesh=mesh, placements=[Shard(0)], dtype=core.float64)
        assert d.full_tensor().tolist() == [[value] * 2] * 3 and d.dtype is core.float64
    assert full((3,), 7.0, device_mesh=mesh, requires_grad=True).requires_grad
    assert empty((3, 2), device_mesh=mesh, placements=[Shard(1)]).shape == (3, 2)
    manual_seed(3, mesh)
    a = rand(5, 2, device_mesh=mesh, placements=[Shard(0)]).full_tensor()
    manual_seed(3, mesh)
    assert rand(5, 2, device_mesh=mesh).full_tensor().tolist() == a.tolist()
    b = randn(6, device_mesh=mesh, placements=[Shard(0)]).full_tensor()
    assert len(set(b.tolist())) == 6
    x = zeros(5, 2, device_mesh=mesh, placements=[Shard(0)])
    for like in (core.zeros_like(x), core.ones_like(x), core.full_like(x, 2.0), core.empty_like(x), core.rand_like(x),
                 x.new_zeros(5, 2)):
        assert isinstance(like, DTensor) and like.placements == x.placements and like.shape == x.shape
    assert x.new_ones(3).placements == (Replicate(),)
    assert core.zeros_like(x, dtype=core.int64).dtype is core.int64


# ---------------------------------------------------------------------- operators


def _compare(fn, *arguments, grads=True, tolerance=1e-10):
    """A function of DTensors in every placement gives what it gives of the whole tensors, gradients too."""
    n = dist.get_world_size()
    mesh = mesh_of(n)
    inputs = [(a[0], a[1]) if isinstance(a, tuple) else (a, None) for a in arguments]
    plain = [t.clone().requires_grad_(grads and t.is_floating_point()) for t, _ in inputs]
    expected = fn(*plain)
    several = isinstance(expected, (tuple, list))
    wanted = list(expected) if several else [expected]
    weights = [whole(*w.shape, seed=50 + i) for i, w in enumerate(wanted)]
    if grads:
        sum((w * v).sum() for w, v in zip(wanted, weights)).backward()
    options = [o if o is not None else [Replicate(), *[Shard(d) for d in range(t.ndim)]] for t, o in inputs]
    for places in itertools.product(*options):
        ours = [distribute_tensor(t, mesh, [p]).requires_grad_(grads and t.is_floating_point())
                for (t, _), p in zip(inputs, places)]
        found = fn(*ours)
        for f, w in zip(found if several else [found], wanted):
            assert isinstance(f, DTensor), (fn, places)
            close(f, w, tolerance)
        if grads:
            with implicit_replication():
                sum((f * v).sum() for f, v in zip(found if several else [found], weights)).backward()
            for o, p in zip(ours, plain):
                if p.requires_grad:
                    assert o.grad is not None and o.grad.placements == o.placements, places
                    close(o.grad, p.grad, tolerance)


A, B, V = whole(4, 6), whole(4, 6, seed=1), whole(6, seed=2)
T3, M = whole(2, 4, 6, seed=3), whole(6, 5, seed=4)

POINTWISE = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": lambda a, b: a / (b * b + 1),
    "where": lambda a, b: core.where(a > 0, a, b), "maximum": core.maximum, "lerp": lambda a, b: core.lerp(a, b, 0.3),
    "addcmul": lambda a, b: core.addcmul(a, a, b, value=2.0), "cat": lambda a, b: core.cat([a, b], 1),
    "stack": lambda a, b: core.stack([a, b], 0), "mse": lambda a, b: F.mse_loss(a, b),
    "bce": lambda a, b: F.binary_cross_entropy_with_logits(a, b.sigmoid()),
}
UNARY = {
    "exp": core.exp, "neg": lambda a: -a, "relu": F.relu, "gelu": F.gelu, "silu": F.silu, "tanh": core.tanh,
    "scalar": lambda a: 2 * a + 1, "pow": lambda a: a**3, "clamp": lambda a: a.clamp(-0.5, 0.5),
    "sum": lambda a: a.sum(),
    "sum0": lambda a: a.sum(0), "sum1": lambda a: a.sum(1, keepdim=True), "mean": lambda a: a.mean(),
    "mean1": lambda a: a.mean(1), "amax": lambda a: a.amax(0), "max": lambda a: a.max(),
    "max_dim": lambda a: a.max(1)[0],
    "prod": lambda a: a.prod(1), "var": lambda a: a.var(1), "logsumexp": lambda a: a.logsumexp(1),
    "softmax0": lambda a: a.softmax(0), "softmax1": lambda a: F.log_softmax(a, 1), "cumsum": lambda a: a.cumsum(1),
    "norm": lambda a: a.norm(), "norm1": lambda a: a.norm(2, 1),
    "t": lambda a: a.t(), "view": lambda a: a.view(2, 2, 6), "view2": lambda a: a.view(4, 2, 3),
    "flat": lambda a: a.flatten(), "unsqueeze": lambda a: a.unsqueeze(1).squeeze(1),
    "expand": lambda a: a.expand(3, 4, 6),
    "select": lambda a: a[1], "slice": lambda a: a[:, 1:3], "chunk": lambda a: a.chunk(2, 1),
    "split": lambda a: a.split(3, 0),
    "unbind": lambda a: a.unbind(0), "flip": lambda a: a.flip(0), "tril": lambda a: a.tril(),
    "repeat": lambda a: a.repeat(2, 1),
    "sort": lambda a: a.sort(1)[0], "pad": lambda a: F.pad(a, (1, 0)),
    "roll": lambda a: a.roll(1, 0),
    "index": lambda a: a[core.tensor([2, 0]).tolist()], "layer_norm": lambda a: F.layer_norm(a, (6,)),
    "double": lambda a: a.to(core.float64) * 1, "clone": lambda a: a.clone(),
    "diag": lambda a: a.diagonal(),
}


@ranks(2, backends=("threads",))
def test_binary_operators():
    for fn in POINTWISE.values():
        _compare(fn, A, B)
    _compare(lambda a, v: a * v + v, A, V)


@ranks(2, backends=("threads",))
def test_unary_operators():
    for name, fn in UNARY.items():
        try:
            _compare(fn, A)
        except Exception as e:
            raise AssertionError(f"{name}: {e}") from e


@ranks(2, backends=("threads",))
def test_products():
    _compare(lambda a, m: a @ m, A, M)
    _compare(lambda t, m: t @ m, T3, M)
    _compare(lambda t, u: t @ u.transpose(-1, -2), T3, whole(2, 3, 6, seed=9))
    _compare(lambda a, v: a @ v, A, V)
    _compare(lambda v, w: v @ w, V, whole(6, seed=8))
    _compare(lambda t, w, b: F.linear(t, w, b), T3, whole(5, 6, seed=5), whole(5, seed=6))
    _compare(lambda v, a, m: core.addmm(v, a, m, beta=0.5, alpha=2), whole(5, seed=6), A, M)
    _compare(lambda t, u: core.einsum("bik,bjk->bij", t, u), T3, whole(2, 3, 6, seed=9))


@ranks(2, backends=("threads",))
def test_layers():
    _compare(lambda x, w, b: F.layer_norm(x, (6,), w, b), T3, (V, [Replicate()]), (whole(6, seed=7), [Replicate()]))
    _compare(lambda x, w: F.rms_norm(x, (6,), w), T3, (V, [Replicate()]))
    ids = core.tensor([[0, 3, 1], [5, 5, 2]])
    _compare(lambda w, i: F.embedding(i, w), whole(6, 4), ids)
    _compare(lambda w, i: F.embedding(i, w, padding_idx=5), whole(6, 4), ids)
    q, k, v = (whole(2, 4, 3, 6, seed=s) for s in (1, 2, 3))
    heads = [Replicate(), Shard(0), Shard(1)]
    attend = F.scaled_dot_product_attention
    _compare(lambda q, k, v: attend(q, k, v, is_causal=True), (q, heads), (k, heads), (v, heads))
    _compare(lambda x, y: F.cross_entropy(x, y), A, core.tensor([0, 3, 5, 2]))


@ranks(2, backends=("threads",))
def test_images():
    x, w, b = whole(3, 2, 6, 6), whole(4, 2, 3, 3, seed=1), whole(4, seed=2)
    batch, copies = [Replicate(), Shard(0), Shard(2)], [Replicate()]
    _compare(lambda x, w, b: F.conv2d(x, w, b, padding=1), (x, batch), (w, copies), (b, copies))
    for fn in (lambda x: F.avg_pool2d(x, 2), lambda x: F.adaptive_avg_pool2d(x, 2), lambda x: F.max_pool2d(x, 2),
               lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"), lambda x: F.interpolate(x, scale_factor=2)):
        _compare(fn, (x, [*batch, Shard(1)]))
    mesh = mesh_of(2)
    with Counted() as counted:
        assert F.avg_pool2d(distribute_tensor(x, mesh, [Shard(0)], src_data_rank=None), 2).placements == (Shard(0),)
    assert counted.n == 0


@ranks(4, slow=True)
def test_operators_on_four_ranks():
    """Where 5 or 6 elements make parts of 2, 2, 1 and 0, or 2, 2, 2 and 0."""
    test_binary_operators.ranks[0]()
    test_unary_operators.ranks[0]()
    test_products.ranks[0]()
    test_layers.ranks[0]()


@ranks(2)
def test_summands():
    mesh = mesh_of(2)
    a, b = summands(mesh, A), summands(mesh, B)
    assert (a + b).placements == (Partial(),) and (a * 2).placements == (Partial(),)
    close(a + b, A + B)
    close(a * 2 - b / 4, A * 2 - B / 4)
    close(a + 1, A + 1)
    close(a * distribute_tensor(B, mesh, [Replicate()]), A * B)
    close(a.relu(), A.relu())
    close(a.view(2, 12).sum(0), A.view(2, 12).sum(0))
    close(a @ distribute_tensor(M, mesh, [Replicate()]), A @ M)
    close(summands(mesh, A, "max").amax(0), A.amax(0))
    with Counted() as counted:
        assert (a + b).sum().placements == (Partial(),)
    assert counted.n == 0
    with Counted() as counted:
        a.full_tensor()
    assert counted.by_name["allreduce"] == counted.n == 1
    total = a.sum()
    assert abs(total.item() - A.sum().item()) < 1e-12 and bool(total == total)


@ranks(4)
def test_operators_on_two_dimensions():
    mesh = mesh_of(2, 2)
    places = [Replicate(), Shard(0), Shard(1)]
    w = whole(5, 6, seed=5)
    for x_places in itertools.product(places, places):
        for w_places in ((Replicate(), Replicate()), (Replicate(), Shard(0)), (Shard(0), Shard(1)),
                         (Shard(0), Shard(0))):
            x = distribute_tensor(A, mesh, x_places).requires_grad_()
            u = distribute_tensor(w, mesh, w_places).requires_grad_()
            y = F.linear(x, u).relu()
            y.sum().backward()
            a, v = A.clone().requires_grad_(), w.clone().requires_grad_()
            z = F.linear(a, v).relu()
            z.sum().backward()
            close(y, z)
            close(x.grad, a.grad)
            close(u.grad, v.grad)
    for p in itertools.product(places, places):
        close(distribute_tensor(A, mesh, p).view(2, 2, 6).mean(), A.mean())
        close(distribute_tensor(A, mesh, p).softmax(1).norm(), A.softmax(1).norm())


@ranks(2)
def test_no_communication_where_parts_suffice():
    mesh = mesh_of(2)
    x = distribute_tensor(A, mesh, [Shard(0)]).requires_grad_()
    w = distribute_tensor(whole(5, 6), mesh, [Replicate()])
    with CommDebugMode() as comm, Counted() as counted:
        y = F.gelu(F.linear(x, w)).view(2, 2, 5).transpose(1, 2)
        (y * 2).softmax(1).sum().backward()
    assert counted.n == 0 == comm.get_total_counts() and x.grad.placements == (Shard(0),)
    with CommDebugMode() as comm:
        x.sum().full_tensor()
    assert comm.get_total_counts() == 1 and comm.get_comm_counts() == {ops.c10d.allreduce_: 1}


@ranks(2)
def test_in_place():
    mesh = mesh_of(2)
    for p in (Replicate(), Shard(0), Shard(1)):
        d = distribute_tensor(A, mesh, [p])
        local, version = d._local_tensor, d._version
        assert d.add_(distribute_tensor(B, mesh, [Shard(0)])).mul_(2) is d
        assert d._local_tensor is local and d.placements == (p,) and d._version > version
        close(d, (A + B) * 2)
        d.zero_().fill_(3.0)
        d.copy_(distribute_tensor(B, mesh, [Replicate()]))
        close(d, B)
        d.cumsum_(0)
        close(d, B.cumsum(0))
        d.uniform_(2.0, 3.0)
        assert bool((d >= 2.0).all()) and d.placements == (p,)
    x = distribute_tensor(A, mesh, [Shard(0)])
    x[:, 1].zero_()
    assert x.full_tensor()[:, 1].abs().sum().item() == 0
    x[1:3] = 7.0
    x[0] = distribute_tensor(B[0], mesh, [Shard(0)])
    assert x.full_tensor()[1:3].tolist() == [[7.0] * 6] * 2 and x.full_tensor()[0].tolist() == B[0].tolist()
    assert x.placements == (Shard(0),)
    with pytest.raises(RuntimeError, match="it is a copy"):
        x[1].zero_()
    with pytest.raises(RuntimeError, match="plain tensor cannot take"):
        core.ones((), dtype=core.float64).add_(x.sum())


@ranks(2)
def test_random_operators_agree():
    mesh = mesh_of(2)
    for p in (Replicate(), Shard(0)):
        x = ones(64, 4, device_mesh=mesh, placements=[p])
        y = F.dropout(x, 0.5)
        whole_ = y.full_tensor()
        seen = [None, None]
        dist.all_gather_object(seen, whole_.tolist())
        assert seen[0] == seen[1] and set(whole_.flatten().tolist()) == {0.0, 2.0}
        half = whole_[:32].tolist()
        assert half != whole_[32:].tolist()


@ranks(2)
def test_errors():
    mesh = mesh_of(2)
    x = distribute_tensor(A, mesh, [Shard(0)])
    with pytest.raises(RuntimeError, match="got mixed torch.Tensor and DTensor"):
        x + A
    with implicit_replication():
        close(x + A, A + A)
    close(x * core.tensor(2.0, dtype=core.float64), A * 2)
    other = init_device_mesh("cpu", (2,))
    with pytest.raises(RuntimeError, match="operands are on different meshes"):
        x + distribute_tensor(A, other, [Shard(0)])
    with pytest.raises(NotImplementedError, match="as_strided: there is no such operator on DTensors"):
        x.as_strided((2, 2), (1, 1))
    with pytest.raises(RuntimeError, match="collectives take local tensors"):
        dist.all_reduce(x)
    with pytest.raises(RuntimeError, match="a DTensor is no array"):
        x.numpy()
    with pytest.raises(RuntimeError, match="the gradient of a DTensor is a DTensor"):
        x.grad = A
    with pytest.raises(ValueError, match="does not have"):
        distribute_tensor(A, mesh, [Shard(2)])


@ranks(2)
def test_ranks_outside_of_the_mesh():
    mesh = DeviceMesh("cpu", [1])
    x = distribute_tensor(A, mesh, [Shard(0)], src_data_rank=None).requires_grad_()
    y = (x * 2 + x).view(2, 12).sum()
    assert x.shape == A.shape and y.shape == ()
    if dist.get_rank() == 1:
        y.backward()
        close(x.grad, core.full_like(A, 3.0))
    else:
        assert x.to_local().numel() == 0 == (x * 2).to_local().numel()


@ranks(2)
def test_local_map():
    mesh = mesh_of(2)
    double = local_map(lambda a, k: a * k, out_placements=[Shard(0)], in_placements=([Shard(0)], None))
    close(double(distribute_tensor(A, mesh, [Shard(0)]), 2), A * 2)
    with pytest.raises(ValueError, match="argument 0 has placements"):
        double(distribute_tensor(A, mesh, [Shard(1)]), 2)
    moved = local_map(lambda a: a * 2, [Shard(0)], ([Shard(0)],), redistribute_inputs=True)
    close(moved(distribute_tensor(A, mesh, [Shard(1)])), A * 2)


@ranks(2)
def test_copies():
    mesh = mesh_of(2)
    p = nn.Parameter(distribute_tensor(A, mesh, [Shard(0)]))
    assert isinstance(p, nn.Parameter) and isinstance(p, DTensor) and p.is_leaf
    p.sum().backward()
    q = copy.deepcopy(p)
    assert q.grad is None and p.grad is not None
    assert isinstance(q, nn.Parameter) and q._local_tensor is not p._local_tensor and q.placements == p.placements
    r = pickle.loads(pickle.dumps(p))
    assert isinstance(r, nn.Parameter) and r.to_local().tolist() == p.to_local().tolist() and r.shape == p.shape
    file = io.BytesIO()
    save({"p": p}, file)
    file.seek(0)
    assert load(file)["p"].placements == p.placements
    p.data = distribute_tensor(B, mesh, [Shard(0)])
    close(p, B)
    assert p.detach().requires_grad is False and p.detach()._local_tensor.data_ptr() == p.data_ptr()


@ranks(2)
def test_second_derivatives():
    mesh = mesh_of(2)
    x, a = distribute_tensor(A, mesh, [Shard(0)]).requires_grad_(), A.clone().requires_grad_()
    for t in (x, a):
        (g,) = autograd_grad((t.redistribute(placements=[Replicate()]) if t is x else t).pow(3).sum(), t,
                             create_graph=True)
        g.pow(2).sum().backward()
    close(x.grad, a.grad)


# ---------------------------------------------------------------------- optimizers and modules

OPTIMIZERS = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "nesterov": True}, "Adam": {"amsgrad": True}, "AdamW": {}, "Adamax": {},
    "NAdam": {},
    "RAdam": {}, "RMSprop": {"momentum": 0.5, "centered": True}, "Adagrad": {}, "Adadelta": {},
    "ASGD": {}, "Rprop": {},
}


@ranks(2, backends=("threads",))
def test_optimizers_step_without_communication():
    mesh = mesh_of(2)
    for name, options in OPTIMIZERS.items():
        places = [Shard(0), Shard(1), Replicate()]
        start = [whole(5, 3, seed=i) for i in range(3)]
        ours = [nn.Parameter(distribute_tensor(t, mesh, [p])) for t, p in zip(start, places)]
        plain = [nn.Parameter(t.clone()) for t in start]
        steps = [getattr(optim, name)(ps, **options) for ps in (ours, plain)]
        for i in range(3):
            for o, p in zip(ours, plain):
                g = whole(5, 3, seed=10 + i)
                o.grad, p.grad = distribute_tensor(g, mesh, o.placements), g
            with Counted() as counted:
                for s in steps:
                    s.step()
            assert counted.n == 0, name
        for o, p in zip(ours, plain):
            close(o, p.detach(), 1e-12)
            for value in steps[0].state[o].values():
                assert not isinstance(value, DTensor) or value.placements == o.placements
        state = steps[0].state_dict()
        again = getattr(optim, name)(ours, **options)
        again.load_state_dict(state)


@ranks(2)
def test_clipping():
    mesh = mesh_of(2)
    places = [Shard(0), Replicate()]
    ours = [nn.Parameter(distribute_tensor(whole(5, 3, seed=i), mesh, [p])) for i, p in enumerate(places)]
    plain = [nn.Parameter(whole(5, 3, seed=i)) for i in range(2)]
    for params in (ours, plain):
        sum((p * p).sum() for p in params).backward()
    norms = [nn.utils.clip_grad_norm_(params, 0.5) for params in (ours, plain)]
    close(norms[0], norms[1])
    for o, p in zip(ours, plain):
        close(o.grad, p.grad)


@ranks(2)
def test_distribute_module():
    mesh = mesh_of(2)
    model = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 3)).double()
    with no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(whole(*p.shape, seed=i))
    plain = copy.deepcopy(model)

    def cut(name, part, mesh):
        if name == "0":
            for key, p in list(part.named_parameters()):
                part.register_parameter(key, nn.Parameter(distribute_tensor(p.detach(), mesh, [Shard(0)])))

    distribute_module(model, mesh, cut, lambda m, inputs, mesh: (distribute_tensor(inputs[0], mesh, [Replicate()]),),
                      lambda m, out, mesh: out.full_tensor())
    assert model[0].weight.placements == (Shard(0),) and model[2].weight.placements == (Replicate(),)
    out, expected = model(A), plain(A)
    close(out, expected)
    out.sum().backward()
    expected.sum().backward()
    for p, q in zip(model.parameters(), plain.parameters()):
        close(p.grad, q.grad)
    with pytest.raises(RuntimeError, match="only be called once"):
        distribute_module(model, mesh)
