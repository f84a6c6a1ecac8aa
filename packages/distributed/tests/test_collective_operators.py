"""The collectives are operators: modes see them, meta tensors need nobody else, compiled programs contain them."""

import pytest
from harness import ranks

from lamella import distributed as dist, torch
from lamella.dispatch import TorchDispatchMode

ops = torch.ops.c10d


class Seen(TorchDispatchMode):
    """Notes the calls: the operator's name, and what it was given besides tensors."""

    def __init__(self):
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func.namespace == "c10d":
            self.calls.append((func.name, *[a for a in args if not _tensors(a)]))
        return func(*args, **(kwargs or {}))


def _tensors(x):
    return isinstance(x, torch.Tensor) or isinstance(x, (list, tuple)) and all(isinstance(t, torch.Tensor) for t in x)


def row(n=1):
    return [torch.zeros(2) for _ in range(n)]


#: Operator -> (a call of the function that runs it, what the operator is given after its tensors). n ranks, this is r.
CALLS = {
    "allreduce_": (lambda n, r: dist.all_reduce(torch.ones(2), dist.ReduceOp.MAX), ("MAX",)),
    "allreduce_coalesced_": (lambda n, r: dist.all_reduce_coalesced(row(2)), ("SUM",)),
    "reduce_": (lambda n, r: dist.reduce(torch.ones(2), n - 1), ("SUM", -1)),
    "broadcast_": (lambda n, r: dist.broadcast(torch.ones(2), 0), (0,)),
    "allgather_": (lambda n, r: dist.all_gather(row(n), torch.ones(2)), ()),
    "allgather_into_": (lambda n, r: dist.all_gather_into_tensor(torch.ones(2 * n), torch.ones(2)), ()),
    "gather_": (lambda n, r: dist.gather(torch.ones(2), row(n) if r == 0 else None), (0,)),
    "scatter_": (lambda n, r: dist.scatter(torch.ones(2), row(n) if r == 0 else None), (0,)),
    "reduce_scatter_": (lambda n, r: dist.reduce_scatter(torch.ones(2), row(n)), ("SUM",)),
    "reduce_scatter_from_": (lambda n, r: dist.reduce_scatter_tensor(torch.ones(2), torch.ones(2 * n)), ("SUM",)),
    "alltoall_": (lambda n, r: dist.all_to_all(row(n), row(n)), ()),
    "alltoall_single_": (lambda n, r: dist.all_to_all_single(torch.ones(n), torch.ones(n)), ()),
}


@ranks(2)
def test_modes_see_names_and_arguments():
    n, r = dist.get_world_size(), dist.get_rank()
    for name, (call, given) in CALLS.items():
        with Seen() as seen:
            call(n, r)
        expected = [n - 1 if g == -1 else g for g in given]
        assert seen.calls == [(f"c10d::{name}", *expected, dist.group.WORLD.group_name, False)]


@ranks(2)
def test_modes_see_messages():
    t = torch.full((2,), float(dist.get_rank()))
    with Seen() as seen:
        if dist.get_rank() == 0:
            dist.send(t, 1, tag=3)
        else:
            dist.recv(t, 0, tag=3)
    called = ("c10d::send", 1, 3) if dist.get_rank() == 0 else ("c10d::recv_", 0, 3)
    assert [call[:3] for call in seen.calls] == [called]
    assert t.tolist() == [0, 0]


@ranks(2)
def test_a_mode_may_replace_a_collective():
    class Alone(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return None if func.namespace == "c10d" else func(*args, **(kwargs or {}))

    t = torch.ones(2)
    with Alone():
        if dist.get_rank() == 0:  # nobody else is needed
            dist.all_reduce(t)
            work = dist.all_reduce(t, async_op=True)
            assert work.wait() and work.is_completed() and work.get_future().value()[0] is t
    assert t.tolist() == [1, 1]


@ranks(2)
def test_meta_tensors_are_not_sent():
    group = dist.group.WORLD
    before = group.bytes_sent
    if dist.get_rank() == 0:
        with torch.device("meta"):
            for name, (call, _) in CALLS.items():
                call(2, 0)
                assert group.bytes_sent == before, name
            work = dist.all_reduce(torch.ones(3), async_op=True)
            assert work.wait() and work.is_completed()
            out = torch.empty(6)
            dist.all_gather_into_tensor(out, torch.ones(3))
            assert out.shape == (6,) and out.is_meta
    dist.barrier()
    t = torch.ones(2)
    dist.all_reduce(t)  # the ranks still agree on what is next
    assert t.tolist() == [2, 2]


@ranks(2)
def test_functional_forms_give_shapes_of_meta_tensors():
    from lamella.torch.distributed import _functional_collectives as functional

    if dist.get_rank() == 0:
        x = torch.ones(4, 3, device="meta")
        world = dist.group.WORLD
        assert functional.all_reduce(x, "sum", world).shape == (4, 3)
        assert functional.all_gather_tensor(x, 0, world).shape == (8, 3)
        assert functional.all_gather_tensor(x, 1, world).shape == (4, 6)
        assert functional.reduce_scatter_tensor(x, "sum", 0, world).shape == (2, 3)
        assert functional.all_to_all_single(x, None, None, world).shape == (4, 3)
    dist.barrier()


@ranks(1, backends=("threads",))
def test_opcheck():
    name = dist.group.WORLD.group_name
    calls = {
        "allreduce_": (torch.ones(3), "SUM", name),
        "allreduce_coalesced_": ([torch.ones(3), torch.ones(2)], "SUM", name),
        "reduce_": (torch.ones(3), "SUM", 0, name),
        "broadcast_": (torch.ones(3), 0, name),
        "allgather_": ([torch.zeros(3)], torch.ones(3), name),
        "allgather_into_": (torch.zeros(3), torch.ones(3), name),
        "gather_": ([torch.zeros(3)], torch.ones(3), 0, name),
        "scatter_": (torch.zeros(3), [torch.ones(3)], 0, name),
        "reduce_scatter_": (torch.zeros(3), [torch.ones(3)], "SUM", name),
        "reduce_scatter_from_": (torch.zeros(3), torch.ones(3), "SUM", name),
        "alltoall_": ([torch.zeros(3)], [torch.ones(3)], name),
        "alltoall_single_": (torch.zeros(3), torch.ones(3), [], [], name),
    }
    for op, args in calls.items():
        assert torch.library.opcheck(getattr(ops, op).default, args), op


# -- gradients -------------------------------------------------------------------------------------------------------


@ranks(2)
def test_parameters_are_reduced_as_they_are():
    """Torch takes leaves that require grad, too."""
    p = torch.ones(2, requires_grad=True)
    dist.all_reduce(p)
    dist.broadcast(p, 0)
    assert p.tolist() == [2, 2] and p.is_leaf and p.requires_grad
    out = [torch.empty(2) for _ in range(2)]
    dist.all_gather(out, p)
    assert not out[0].requires_grad and out[1].tolist() == [2, 2]


@ranks(2)
def test_a_value_that_backward_needs_is_not_overwritten_unnoticed():
    p = torch.ones(2, requires_grad=True)
    y = p.exp()
    with torch.no_grad():
        dist.all_reduce(y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


# -- recorded --------------------------------------------------------------------------------------------------------


@ranks(2)
def test_compiled_functions_contain_collectives():
    @torch.compile(fullgraph=True)
    def fn(x):
        y = x * 2
        dist.all_reduce(y)
        z = torch.empty(n * 3)
        dist.all_gather_into_tensor(z, y + 1)
        dist.broadcast(x, 0)
        return z, y

    n, r = dist.get_world_size(), dist.get_rank()
    total = n * (n - 1.0)
    for _ in range(3):
        x = torch.full((3,), float(r))
        z, y = fn(x)
        assert y.tolist() == [total] * 3 and z.tolist() == [total + 1] * 3 * n and x.tolist() == [0] * 3


@ranks(2)
def test_compiled_collectives_without_readers_still_run():
    """Ranks use different results, and all take part in all collectives."""
    r = dist.get_rank()

    @torch.compile(fullgraph=True)
    def fn(x):
        a, b = x + 1, x * 5
        dist.all_reduce(a)
        dist.all_reduce(b)
        c = torch.zeros(2)
        if r == 0:
            dist.send(b, 1)
            return a
        dist.recv(c, 0)
        return b + c

    for _ in range(3):
        assert fn(torch.ones(2)).tolist() == ([4, 4] if r == 0 else [20, 20])


@ranks(2)
def test_compiled_async_collectives_are_waited_for():
    @torch.compile(fullgraph=True)
    def fn(x):
        a, b = x + 1, x * 2
        works = [dist.all_reduce(t, async_op=True) for t in (a, b)]
        for work in works:
            work.wait()
        return a + b

    for _ in range(3):
        assert fn(torch.ones(1000)).tolist() == [8] * 1000


@ranks(2)
def test_gradients_flow_through_compiled_functional_collectives():
    import lamella.torch.distributed.nn.functional as flow

    def loss(w):
        return (flow.all_reduce(w * (dist.get_rank() + 1)) ** 2).sum()

    found = []
    for fn in (loss, torch.compile(loss)):
        w = torch.ones(2, requires_grad=True)
        fn(w).backward()
        found.append(w.grad.tolist())
    assert found[0] == found[1]


@ranks(2, backends=("threads",))
def test_a_program_whose_group_was_destroyed_says_so():
    part = dist.new_group()
    program = torch.compile(lambda t: (dist.all_reduce(t, group=part), t * 2)[1], fullgraph=True)
    assert program(torch.ones(2)).tolist() == [4.0, 4.0]
    dist.barrier()
    dist.destroy_process_group(part)
    with pytest.raises(ValueError, match=r"there is no process group of this name|the group was destroyed"):
        program(torch.ones(2))
