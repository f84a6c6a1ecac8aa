"""Life and death of graphs: depth, freeing without the cycle collector, reentrancy, threads."""

import gc
import threading
import weakref

import pytest

from lamella import core as T
from lamella.autograd import Function, grad
from lamella.autograd.graph import Node, node_of

DEPTH = 100_000


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def nodes_of(t):
    """Weak references to every node under a tensor."""
    seen, stack = {node_of(t._ag)}, [node_of(t._ag)]
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and node_of(edge) not in seen:
                seen.add(node_of(edge))
                stack.append(node_of(edge))
    return [weakref.ref(n) for n in seen]


def alive(refs):
    return [r() for r in refs if r() is not None]


@pytest.mark.parametrize("step", [lambda t, b: t + b, lambda t, b: t * b, lambda t, b: (t + b) - t * b])
def test_deep_graphs(step):
    x, b = T.ones(2, requires_grad=True), T.ones(2)
    y = x
    for _ in range(DEPTH):
        y = step(y, b)
    y.backward(T.ones(2))
    assert x.grad is not None
    del y  # the deallocator must not recurse either


def test_deep_graph_dropped_without_backward():
    x = T.ones(2, requires_grad=True)
    y = x
    for _ in range(DEPTH):
        y = y.view(2) * x
    del y


def test_deep_graph_with_inputs():
    x = T.ones(2, requires_grad=True)
    y = x
    for _ in range(DEPTH):
        y = y + 1
    (g,) = grad(y, x, T.ones(2))
    assert g.tolist() == [1.0, 1.0]


def test_graph_is_freed_with_its_result(no_collector):
    x = T.ones(3, requires_grad=True)
    y = (x * x + x).exp()
    out = (y * y.sigmoid()).sum()
    refs = nodes_of(out)
    del y, out
    left = alive(refs)
    assert all(n.name() == "AccumulateGrad" for n in left) and len(left) == 1


def test_graph_is_freed_after_backward(no_collector):
    x = T.ones(3, requires_grad=True)
    out = (x.exp() * x).sum()
    refs = nodes_of(out)
    out.backward()
    del out
    assert len(alive(refs)) == 1


@pytest.mark.parametrize("how", ["grad", "backward"])
def test_graph_is_freed_after_create_graph(no_collector, how):
    x = T.ones(3, requires_grad=True)
    w = T.ones(3, requires_grad=True)
    out = (x * x * w).exp().sum()
    if how == "grad":
        (g,) = grad(out, x, create_graph=True)
        refs = nodes_of(out) + nodes_of(g)
        (g * g).sum().backward()
        del g
    else:
        out.backward(create_graph=True)
        refs = nodes_of(out) + nodes_of(x.grad) + nodes_of(w.grad)
    del out, x, w
    assert alive(refs) == []


def test_function_call_is_freed(no_collector):
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            y = x * x
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * 2 * x + 0 * y

    x = T.ones(2, requires_grad=True)
    y = Square.apply(x)
    refs = nodes_of(y)
    (g,) = grad(y.sum(), x, create_graph=True)
    refs += nodes_of(g)
    del y, g, x
    assert alive(refs) == []


def test_no_nodes_accumulate_over_a_training_loop(no_collector):
    w = T.ones(4, requires_grad=True)
    counts = []
    for _ in range(5):
        (w * w + w).exp().sum().backward(create_graph=True)
        w.grad = None
        counts.append(sum(isinstance(o, Node) for o in gc.get_objects()))
    assert counts[1:] == counts[:-1]


def test_gradients_are_freed_as_they_are_used():
    x = T.ones(2, requires_grad=True)
    alive_now = []
    y = x
    refs = []
    for _ in range(5):
        y = y * 2
        y.register_hook(lambda g: (alive_now.append(sum(r() is not None for r in refs)), refs.append(weakref.ref(g)),
                                   None)[2])
    y.sum().backward()
    assert max(alive_now) <= 1


def test_backward_within_backward():
    class Inner(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x.detach().requires_grad_()
            return x * 3

        @staticmethod
        def backward(ctx, g):
            from lamella.autograd import enable_grad

            with enable_grad():
                y = ctx.x * 3
            y.backward(g)
            return ctx.x.grad

    x = T.ones(2, requires_grad=True)
    Inner.apply(x * 2).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_backward_within_backward_many_levels_deep():
    class Deep(Function):
        @staticmethod
        def forward(ctx, x, level):
            ctx.level = level
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            from lamella.autograd import enable_grad

            if ctx.level:
                with enable_grad():
                    inner = T.ones(1, requires_grad=True)
                    Deep.apply(inner, ctx.level - 1).sum().backward()
                assert inner.grad.item() == 1.0
            return g, None

    x = T.ones(1, requires_grad=True)
    Deep.apply(x, 500).sum().backward()
    assert x.grad.item() == 1.0


def test_threads_share_leaves():
    w = T.zeros(100, requires_grad=True)

    def work():
        for _ in range(50):
            (w * 2 + w).sum().backward()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for t in workers:
        t.start()
    for t in workers:
        t.join()
    assert w.grad.tolist() == [600.0] * 100


def test_grad_mode_is_the_threads_own():
    from lamella.autograd import is_grad_enabled, no_grad

    found = []
    with no_grad():
        t = threading.Thread(target=lambda: found.append(is_grad_enabled()))
        t.start()
        t.join()
        assert not is_grad_enabled()
    assert found == [True]


def test_mode_is_restored_after_an_error():
    from lamella.autograd import is_grad_enabled

    class Bad(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise KeyError("mine")

    x = T.ones(1, requires_grad=True)
    with pytest.raises(KeyError, match="mine"):
        Bad.apply(x).backward()
    assert is_grad_enabled()
    from lamella.dispatch.state import state

    assert state.affected == 0


def test_queue_callback():
    from lamella.autograd import Variable

    seen = []
    x = T.ones(1, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: Variable._execution_engine.queue_callback(lambda: seen.append(x.grad.item())))
    y.backward()
    assert seen == [2.0]
    with pytest.raises(RuntimeError, match="during backward"):
        Variable._execution_engine.queue_callback(print)


def test_undefined_gradients_reach_functions():
    class Two(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            seen.append((a.tolist(), b.tolist()))
            return a * 2 + b * 3

    seen = []
    x = T.ones(2, requires_grad=True)
    a, b = Two.apply(x)
    b.sum().backward()
    assert seen == [([0.0, 0.0], [1.0, 1.0])] and x.grad.tolist() == [3.0, 3.0]
