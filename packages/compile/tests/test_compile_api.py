"""torch.compile: guards, recompilation, fallbacks, modules and the functions of torch.compiler."""

from __future__ import annotations

import warnings

import pytest

from lamella import torch
from lamella.compile import counters
from lamella.dispatch.config import settings
from lamella.torch import nn

pytestmark = pytest.mark.usefixtures("fresh")

F = nn.functional


def compiled(fn=None, **kwargs):
    return torch.compile(fn, backend="eager", **kwargs)


def entries(fn):
    return len(fn.compiled.entries)


def test_function_and_decorator_forms():
    @torch.compile(backend="eager", fullgraph=True)
    def double(x):
        return x * 2

    plain = compiled(lambda x: x + 1)
    assert double(torch.ones(2)).tolist() == [2, 2] and plain(torch.ones(2)).tolist() == [2, 2]
    assert double.__name__ == "double" and torch.compile(abs, disable=True) is abs


def test_results_of_every_shape():
    from collections import namedtuple

    pair = namedtuple("pair", "a b")

    @compiled
    def fn(x, scale=2, *, items=(), table=None):
        y = x * scale
        for each in items:
            y = y + each
        return {"y": y, "pair": pair(y, x), "list": [y, None, 3, "s"], "x": x, "n": x.shape[0], "t": table["k"] + y}

    x, table = torch.ones(3), {"k": torch.ones(3)}
    for _ in range(2):
        out = fn(x, 3, items=(torch.ones(3), x), table=table)
        assert out["y"].tolist() == [5, 5, 5] and out["x"] is x and out["pair"].b is x and out["pair"].a is out["y"]
        assert out["list"] == [out["y"], None, 3, "s"] and out["n"] == 3 and out["t"].tolist() == [6, 6, 6]
    assert entries(fn) == 1


@pytest.mark.parametrize("change, why", [
    (lambda: (torch.ones(3, 2),), "x.shape"), (lambda: (torch.ones(2, 3, dtype=torch.float64),), "x.dtype"),
    (lambda: (torch.ones(3, 2).t(),), "x.stride()"), (lambda: (torch.ones(2, 3, requires_grad=True),), "requires_grad"),
    (lambda: (torch.ones(2, 3), 5), "k is 5, was 2"), (lambda: (torch.ones(2, 3), 2.0), "k is 2.0, was 2"),
    (lambda: (torch.ones(2, 3), True), "k is True"),
])
def test_guards_on_arguments_tell_both_values(change, why):
    fn = compiled(lambda x, k=2: x.detach() * k, dynamic=False)
    fn(torch.ones(2, 3), 2)
    args = change()
    got = fn(*args) if len(args) > 1 else fn(*args, 2)
    assert torch.equal(got, args[0].detach() * (args[1] if len(args) > 1 else 2)) and got.dtype == (
        args[0].detach() * (args[1] if len(args) > 1 else 2)).dtype
    assert entries(fn) == 2 and why in fn.compiled.recompiles[0]
    fn(torch.ones(2, 3), 2)
    assert entries(fn) == 2


scale = 2.0


def test_guards_on_globals_and_closures():
    global scale
    offset = 1

    def helper(x):
        return x + offset

    fn = compiled(lambda x: helper(x) * scale)
    assert fn(torch.ones(1)).item() == 4
    scale = 3.0
    try:
        assert fn(torch.ones(1)).item() == 6
        scale = 4.0
        assert fn(torch.ones(1)).item() == 8
        assert entries(fn) == 1, "after the first change the float is read at run time"
    finally:
        scale = 2.0
    offset = 2
    assert fn(torch.ones(1)).item() == 6


width = 3


class Box:
    width = 2


def test_an_attribute_is_not_the_global_of_its_name():
    global width
    box = Box()

    f = compiled(lambda x: x * box.width)
    x = torch.ones(2)
    for width in range(3):  # noqa: B007 - the loop writes the global
        assert f(x).tolist() == [2.0, 2.0]
    assert entries(f) == 1


def test_guards_on_modules():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = nn.Linear(2, 2)
            self.drop = nn.Dropout(0.5)
            self.sizes = [1, 2]
            self.act = torch.relu
            self.k = 1

        def forward(self, x):
            y = self.act(self.drop(self.lin(x)))
            for n in self.sizes:
                y = y * n
            return y * self.k

    net = Net()
    fn = compiled(lambda x: net(x), dynamic=False)
    x = torch.randn(3, 2)

    def check():
        torch.manual_seed(3)
        want = net(x)
        torch.manual_seed(3)
        assert torch.equal(want, fn(x))

    with torch.no_grad(), settings.using(compile_limit=30):
        check()
        net.eval()
        check()
        net.sizes.append(3)
        check()
        net.k = 2
        check()
        net.act = torch.sigmoid
        check()
        net.lin.weight = nn.Parameter(torch.randn(2, 2))
        check()
        net.lin.weight.data = torch.randn(2, 2)
        check()
        net.lin.weight.add_(1)
        check()
        net.lin = nn.Linear(2, 2)
        check()
        net.lin.forward = lambda x: x * 7
        check()
        del net.lin.forward
        handle = net.lin.register_forward_hook(lambda m, a, out: out * 3)
        check()
        handle.remove()
        check()


def test_memory_of_a_parameter_that_is_replaced_needs_no_recompilation():
    w = torch.ones(2, requires_grad=True)
    fn = compiled(lambda x: (x * w).detach())
    fn(torch.ones(2))
    for n in range(3):
        w.data = torch.full((2,), float(n))
        assert fn(torch.ones(2)).tolist() == [n, n]
    assert entries(fn) == 1 and not fn.compiled.recompiles


def test_grad_mode_is_guarded():
    w = torch.ones(2, requires_grad=True)
    fn = compiled(lambda x: x * w)
    assert fn(torch.ones(2)).requires_grad
    with torch.no_grad():
        assert not fn(torch.ones(2)).requires_grad
    assert fn(torch.ones(2)).requires_grad


def test_default_dtype_is_guarded():
    fn = compiled(lambda x: torch.ones(2))
    assert fn(torch.ones(1)).dtype == torch.float32
    torch.set_default_dtype(torch.float64)
    try:
        assert fn(torch.ones(1)).dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_data_dependent_control_flow_runs_uncompiled_and_is_counted():
    runs = []

    @compiled
    def fn(x):
        runs.append(torch.compiler.is_compiling()) if False else None
        if x.sum() > 0:
            return x * 2
        return x - 1

    for _ in range(3):
        assert fn(torch.ones(2)).tolist() == [2, 2] and fn(-torch.ones(2)).tolist() == [-2, -2]
    [(reason, count)] = counters["breaks"].items()
    assert count == 1 and __file__ in reason and "only known when the program runs" in reason
    assert counters["calls"]["eager"] == 6


def test_fullgraph_raises_with_the_line():
    @compiled(fullgraph=True)
    def fn(x):
        return x * x.sum().item()

    with pytest.raises(RuntimeError, match="_local_scalar_dense") as caught:
        fn(torch.ones(2))
    assert f"{__file__}:{fn.compiled.fn.__code__.co_firstlineno + 2}" in str(caught.value)


def test_errors_of_the_function_are_those_of_eager():
    fn = compiled(lambda x, y: x @ y)
    with pytest.raises(RuntimeError) as want:
        torch.ones(2, 3) @ torch.ones(2, 3)
    with pytest.raises(RuntimeError) as got:
        fn(torch.ones(2, 3), torch.ones(2, 3))
    assert str(got.value) == str(want.value)

    @compiled
    def mine(x):
        raise KeyError("k")

    with pytest.raises(KeyError, match="k"):
        mine(torch.ones(1))


def test_a_failing_backend_warns_once_and_gives_the_eager_result():
    def broken(graph, inputs):
        raise OSError("no compiler")

    fn = torch.compile(lambda x: x * 2, backend=broken)
    with pytest.warns(UserWarning, match="no compiler"):
        assert fn(torch.ones(2)).tolist() == [2, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fn(torch.ones(2)).tolist() == [2, 2]
    strict = torch.compile(lambda x: x * 2, backend=broken, fullgraph=True)
    with pytest.raises(OSError, match="no compiler"):
        strict(torch.ones(2))


def test_backends_of_users_get_graph_and_inputs():
    seen = []

    def mine(gm, inputs):
        seen.append((gm.graph, [tuple(t.shape) for t in inputs], gm.code))
        return gm.forward

    fn = torch.compile(lambda x, y: (x + y, x * y), backend=mine)
    a, b = fn(torch.ones(2), torch.full((2,), 3.0))
    assert a.tolist() == [4, 4] and b.tolist() == [3, 3]
    graph, shapes, code = seen[0]
    assert shapes == [(2,), (2,)] and "add" in code and len(graph.nodes) == 5
    torch.compiler.register_backend(mine, "mine")
    assert "mine" in torch.compiler.list_backends() and "inductor" in torch.compiler.list_backends()
    assert torch.compile(lambda x: x + 1, backend="mine")(torch.ones(1)).item() == 2
    with pytest.raises(RuntimeError, match="did you mean|hint"):
        torch.compile(lambda x: x, backend="minee")


def test_recompilations_are_limited():
    fn = compiled(lambda x, k: x + k, dynamic=False)
    with settings.using(compile_limit=3):
        for k in range(3):
            fn(torch.ones(1), k)
        with pytest.warns(UserWarning, match="compiled 3 times"):
            assert fn(torch.ones(1), 3).item() == 4
        assert fn(torch.ones(1), 4).item() == 5 and entries(fn) == 3


def test_disable_and_is_compiling():
    @torch.compiler.disable
    def secret(x):
        return x * 3 if not torch.compiler.is_compiling() else x

    fn = compiled(lambda x: secret(x) + 1)
    assert fn(torch.ones(1)).item() == 4 and "disable" in next(iter(counters["breaks"]))
    assert torch.compile(secret) is secret
    seen = compiled(lambda x: x + 1 if torch.compiler.is_compiling() else x)
    assert seen(torch.ones(1)).item() == 2


def test_stances():
    fn = compiled(lambda x: x + 1, dynamic=False)
    with torch.compiler.set_stance("force_eager"):
        fn(torch.ones(2))
    assert entries(fn) == 0
    fn(torch.ones(2))
    with torch.compiler.set_stance("eager_on_recompile"):
        assert fn(torch.ones(3)).tolist() == [2, 2, 2]
    assert entries(fn) == 1
    with torch.compiler.set_stance("fail_on_recompile"), pytest.raises(RuntimeError, match="x.shape"):
        fn(torch.ones(3))
    fn(torch.ones(3))
    assert entries(fn) == 2


def test_compiled_modules_share_state():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    fast = torch.compile(net, backend="eager")
    x = torch.randn(5, 3)
    assert torch.equal(fast(x), net(x)) and isinstance(fast, nn.Module) and fast._orig_mod is net
    assert list(fast.state_dict()) == ["_orig_mod." + k for k in net.state_dict()]
    assert [id(p) for p in fast.parameters()] == [id(p) for p in net.parameters()]
    assert fast[0] is net[0] and len(fast) == 3
    fast.eval()
    assert not net.training and not fast.training
    fast.extra = 5
    assert net.extra == 5
    fast.load_state_dict(fast.state_dict())


def test_module_compile_in_place():
    net = nn.Linear(3, 2)
    x = torch.randn(4, 3)
    want = net(x)
    net.compile(backend="eager")
    assert torch.equal(net(x), want) and torch.equal(net(x), want)
    assert counters["calls"]["captured"] == 1
    assert list(net.state_dict()) == ["weight", "bias"]


def test_compiled_functions_in_compiled_functions_are_part_of_them():
    inner = compiled(lambda x: x * 2)
    outer = compiled(lambda x: inner(x) + 1, fullgraph=True)
    assert outer(torch.ones(1)).item() == 3 and entries(outer) == 1 and entries(inner) == 0


def test_explain():
    def fn(x):
        return (x * 2).sum()

    report = torch.compiler.explain(fn)(torch.ones(3))
    assert report.graph_count == 1 and report.graph_break_count == 0 and report.op_count == 2
    assert "x.shape" in str(report) and "mul" in str(report)
    picture = report.picture()
    assert picture.startswith("<svg") and "mul" in picture
    broken = torch.compiler.explain(lambda x: x.sum().item())(torch.ones(3))
    with pytest.raises(RuntimeError, match="no graph to draw"):
        broken.picture()
    assert broken.graph_break_count == 1 and __file__ in broken.break_reasons[0]


def test_logs_name_the_guard():
    import logging

    from lamella.dispatch import logs

    lines = []

    class Keep(logging.Handler):
        def emit(self, record):
            lines.append(record.getMessage())

    handler = Keep()
    logger = logging.getLogger("lamella")
    logger.addHandler(handler)
    try:
        fn = compiled(lambda x: x + 1, dynamic=False)
        with logs.using("recompiles,guards"):
            fn(torch.ones(2))
            fn(torch.ones(3))
    finally:
        logger.removeHandler(handler)
    assert any("x.shape is (3,), was (2,)" in line and __file__ in line for line in lines)
    assert any("guards" in line and "x.dtype" in line for line in lines)


def test_warnings_point_at_the_call():
    def broken(graph, inputs):
        raise OSError("no compiler here")

    fn = torch.compile(lambda x: x * 2, backend=broken)
    with pytest.warns(UserWarning, match="no compiler here") as seen:
        fn(torch.ones(2))
    assert seen[0].filename == __file__


def test_wrong_arguments_of_compile():
    with pytest.raises(RuntimeError, match="unrecognized mode"):
        torch.compile(lambda x: x, mode="fast")
    with pytest.raises(RuntimeError, match="function or module"):
        torch.compile(3)
    with pytest.raises(RuntimeError, match="class"):
        torch.compile(nn.Linear)


def test_iterators_are_not_used_up():
    loader = iter([torch.ones(1), torch.full((1,), 2.0), torch.full((1,), 3.0)])
    fn = compiled(lambda x: x + next(loader))
    assert [fn(torch.zeros(1)).item() for _ in range(3)] == [1, 2, 3]
    total = compiled(lambda xs: sum(x * 2 for x in xs))
    assert total(iter([torch.ones(1)] * 3)).item() == 6


def test_seeding_stops_the_compiler():
    def fn(x):
        torch.manual_seed(0)
        return torch.rand(2) + x

    fast = compiled(fn)
    assert all(torch.equal(fast(torch.zeros(2)), fn(torch.zeros(2))) for _ in range(3))


def test_plain_arguments_of_other_kinds():
    import numpy as np

    fn = compiled(lambda x, d, k, r, s: x.to(d) * float(k) + len(r) + x[s].sum())
    for _ in range(3):
        args = (torch.ones(3), torch.device("cpu"), np.float32(2), range(2), slice(0, 2))
        assert fn(*args).tolist() == [6, 6, 6]
    assert entries(fn) == 1


def test_one_leaf_given_twice():
    def fn(x, y):
        (x * 2 + y * 3).sum().backward()

    fast = compiled(fn)
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    fast(x, y)
    z = torch.ones(2, requires_grad=True)
    fast(z, z)
    assert x.grad.tolist() == [2, 2] and y.grad.tolist() == [3, 3] and z.grad.tolist() == [5, 5]
    w = torch.ones(2, requires_grad=True)
    both = compiled(lambda v: (v * w).sum().backward())
    both(w)
    assert w.grad.tolist() == [2, 2]


def test_shapes_changed_in_place_and_errors_at_run_time():
    fn = compiled(lambda x: x.t_())
    x = torch.ones(2, 3)
    assert fn(x) is x and x.shape == (3, 2)
    table = nn.Embedding(3, 2)
    look = compiled(lambda i: (table(i).sum().backward(), table.zero_grad())[0])
    look(torch.tensor([0, 1]))
    with pytest.raises(IndexError):
        look(torch.tensor([0, 5]))
    look(torch.tensor([0, 2]))


def test_functions_of_torch_func_and_custom_autograd():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2 + ctx.saved_tensors[0] * 0

    w = torch.ones(3, requires_grad=True)

    def fn(x):
        w.grad = None
        Double.apply(w * x).sum().backward()
        return torch.func.grad(lambda t: (t**2).sum())(x), torch.func.vmap(lambda t: t.sum())(x[None])

    fast = compiled(fn)
    x = torch.randn(3)
    for _ in range(2):
        want = fn(x)
        g = w.grad.clone()
        got = fast(x)
        assert torch.equal(want[0], got[0]) and torch.equal(want[1], got[1]) and torch.equal(g, w.grad)


def test_threads_each_get_their_result():
    import threading

    fn = compiled(lambda x, k: x * 2 + k, dynamic=False)
    fn(torch.ones(100), 1)
    wrong = []

    def work(n):
        for _ in range(50):
            out = fn(torch.full((100,), float(n)), 1)
            if out[0].item() != 2 * n + 1 or out[-1].item() != 2 * n + 1:
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_double_backward_and_grad_of_grad():
    w = torch.tensor([2.0, 3.0], requires_grad=True)

    def fn(x):
        (g,) = torch.autograd.grad((w**3 * x).sum(), w, create_graph=True)
        (h,) = torch.autograd.grad(g.sum(), w)
        return h

    fast = compiled(fn)
    x = torch.ones(2)
    for _ in range(2):
        assert torch.equal(fast(x), fn(x))
    assert not fast.compiled.breaks


def test_sizes_that_are_marked_are_open_from_the_start():
    fn = compiled(lambda x: x * 2)
    x = torch.ones(4, 3)
    torch._dynamo.mark_dynamic(x, 0)
    fn(x)
    assert fn(torch.ones(7, 3)).shape == (7, 3) and entries(fn) == 1 and not fn.compiled.recompiles
    torch._dynamo.reset()
    assert entries(fn) == 0 and torch._dynamo.utils.counters["calls"] == {}
