"""Collectives with gradients: values against the rule, gradients against finite differences over all ranks' inputs."""

import pytest
from harness import ranks

from lamella import core, distributed as dist
from lamella.distributed import functional_collectives as fc, nn as dnn
from lamella.distributed.device_mesh import init_device_mesh
from lamella.distributed.reduce_op import ReduceOp

EPS = 1e-6


def own(*shape, seed=0):
    """Another input on each rank."""
    generator = core.Generator().manual_seed(100 * seed + dist.get_rank())
    return core.randn(*shape, dtype=core.float64, generator=generator)


def joint(fn, inputs, weights):
    """The sum of all ranks' weighted outputs."""
    outs = fn(*inputs)
    outs = outs if isinstance(outs, tuple) else (outs,)
    total = sum((o * w).sum() for o, w in zip(outs, weights))
    return total


def check(fn, *inputs):
    """The gradient of every rank's inputs is that of the sum of all ranks' losses."""
    inputs = [x.clone().requires_grad_() for x in inputs]
    outs = fn(*inputs)
    outs = outs if isinstance(outs, tuple) else (outs,)
    weights = [own(*o.shape, seed=7 + i) for i, o in enumerate(outs)]
    joint(fn, inputs, weights).backward()
    rank, n = dist.get_rank(), dist.get_world_size()
    for k, x in enumerate(inputs):
        counts = [None] * n
        dist.all_gather_object(counts, x.numel())
        for owner in range(n):
            for i in range(counts[owner]):
                values = []
                for step in (EPS, -EPS):
                    moved = [y.detach().clone() for y in inputs]
                    if rank == owner:
                        moved[k].view(-1)[i] += step
                    total = joint(fn, moved, weights).detach().clone()
                    dist.all_reduce(total)
                    values.append(total.item())
                if rank == owner:
                    found, expected = x.grad.reshape(-1)[i].item(), (values[0] - values[1]) / (2 * EPS)
                    assert abs(found - expected) < 1e-6, (owner, k, i, found, expected)


@ranks(2, 4)
def test_gradients_of_nn_functional():
    n, last = dist.get_world_size(), dist.get_world_size() - 1
    check(lambda x: dnn.broadcast(x, last), own(2))
    check(lambda x: dnn.gather(x, last), own(2))
    check(lambda *xs: dnn.scatter(list(xs), last), *[own(2, seed=i) for i in range(n)])
    check(lambda x: dnn.all_reduce(x), own(2))
    check(lambda x: dnn.all_reduce(x, ReduceOp.AVG), own(2))
    check(lambda x: dnn.all_reduce(x, ReduceOp.MAX), own(3))
    check(lambda x: dnn.all_reduce(x, ReduceOp.PRODUCT), own(2))
    check(lambda *xs: dnn.reduce_scatter(core.empty(2, dtype=core.float64), list(xs)),
          *[own(2, seed=i) for i in range(n)])
    check(lambda x: dnn.all_gather(x), own(1, 2))
    check(lambda x: dnn._all_gather_base(core.empty(2 * n, dtype=core.float64), x), own(2))
    check(lambda *xs: dnn.all_to_all([core.empty(2, dtype=core.float64) for _ in xs], list(xs)),
          *[own(2, seed=i) for i in range(n)])
    check(lambda x: dnn.all_to_all_single(core.empty(n, 2, dtype=core.float64), x), own(n, 2))


@ranks(2)
def test_reduce_gives_its_result_to_one_rank():
    x = own(2).requires_grad_()
    out = dnn.reduce(x, 1)
    if dist.get_rank() == 1:
        both = [own(2), own(2)]
        dist.all_gather(both, own(2))
        assert core.allclose(out, both[0] + both[1])
    else:
        dist.all_gather([own(2), own(2)], own(2))
    (out * (1.0 if dist.get_rank() == 1 else 0.0)).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="has no gradient here"):
        dnn.reduce(x, 1, ReduceOp.MAX)


@ranks(2)
def test_uneven_all_to_all_and_second_derivatives():
    rank = dist.get_rank()
    ins, outs = ([1, 2], [1, 3]) if rank == 0 else ([3, 1], [2, 1])
    check(lambda x: dnn.all_to_all_single(core.empty(sum(outs), dtype=core.float64), x, outs, ins), own(sum(ins)))
    check(lambda x: fc.all_to_all_single(x, outs, ins, dist.group.WORLD), own(sum(ins)))
    x = own(2).requires_grad_()
    (g,) = _grad((dnn.all_reduce(x) ** 3).sum(), x)
    g.sum().backward()
    total = own(2)
    dist.all_reduce(total)
    assert core.allclose(x.grad, 2 * 2 * 6 * total)


def _grad(y, x):
    from lamella.autograd import grad

    return grad(y, x, create_graph=True)


@ranks(2, 4)
def test_gradients_of_functional_collectives():
    n, world = dist.get_world_size(), dist.group.WORLD
    check(lambda x: fc.broadcast(x, 0, world), own(2))
    for op in ("sum", "avg", "min"):
        check(lambda x, op=op: fc.all_reduce(x, op, world), own(2))
    for dim in (0, 1):
        check(lambda x, dim=dim: fc.all_gather_tensor_autograd(x, dim, world), own(1, 2))
        check(lambda x, dim=dim: fc.reduce_scatter_tensor_autograd(x, "avg", dim, world), own(n, n))
    check(lambda x: fc.all_to_all_single_autograd(x, None, None, world), own(n, 2))
    check(lambda x: fc.permute_tensor(x, [(r + 1) % n for r in range(n)], world), own(2, 1))


@ranks(4)
def test_groups_in_every_form():
    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    group = mesh.get_group("tp")
    x = core.tensor([float(rank)])
    expected = [1.0, 1.0, 5.0, 5.0][rank]
    for form in (group, group.name, mesh["tp"], (mesh, 1), (mesh, "tp"), mesh["tp"].mesh.tolist(), [[0, 1], [2, 3]]):
        assert fc.all_reduce(x, "sum", form).item() == expected
    assert x.item() == rank and fc.wait_tensor(x) is x
    with pytest.raises(ValueError, match="must be 1-dimensional"):
        fc.all_reduce(x, "sum", mesh)
    with pytest.raises(ValueError, match="no process group has these ranks"):
        fc.all_reduce(x, "sum", [0, 3])
    with pytest.raises(ValueError, match="there is no reduction 'sun'"):
        fc.all_reduce(x, "sun", group)


@ranks(2)
def test_values():
    rank, world = dist.get_rank(), dist.group.WORLD
    x = core.arange(4.0).reshape(2, 2) + 10 * rank
    assert fc.all_gather_tensor(x, 1, world).tolist() == [[0, 1, 10, 11], [2, 3, 12, 13]]
    assert fc.all_gather_tensor(x, 0, world)[::2].tolist() == [[0, 1], [10, 11]]
    assert fc.reduce_scatter_tensor(x, "sum", 1, world).tolist() == [[[10], [14]], [[12], [16]]][rank]
    assert fc.permute_tensor(x, [1, 0], world).tolist() == (core.arange(4.0).reshape(2, 2) + 10 * (1 - rank)).tolist()
    many = fc.all_reduce_coalesced([x, x + 1], "max", world)
    assert [t[0, 0].item() for t in many] == [10, 11]
    assert [t.shape[0] for t in fc.all_gather_into_tensor_coalesced([x, x[:1]], world)] == [4, 2]
    assert [list(t.shape) for t in fc.reduce_scatter_tensor_coalesced([x, x], "sum", [0, 1], world)] == [[1, 2], [2, 1]]
    with pytest.raises(AssertionError, match="multiple of group_size"):
        fc.reduce_scatter_tensor(core.ones(3), "sum", 0, world)
    with pytest.raises(AssertionError, match="specified together"):
        fc.all_to_all_single(x, [1, 1], None, world)
    with pytest.raises(ValueError, match="each rank once"):
        fc.permute_tensor(x, [0, 0], world)
