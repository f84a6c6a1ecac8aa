"""Hooks on tensors, nodes and leaves; retained gradients; saved-tensor hooks."""

import pytest

from lamella import core as T
from lamella.autograd import (
    RemovableHandle,
    disable_saved_tensors_hooks,
    grad,
    register_multi_grad_hook,
    save_on_cpu,
    saved_tensors_hooks,
)


def leaf(*values):
    return T.tensor(list(values), requires_grad=True)


def test_tensor_hook_sees_and_replaces():
    x = leaf(1.0)
    y = x * 2
    seen = []
    handle = y.register_hook(lambda g: seen.append(g.item()))
    y.register_hook(lambda g: g * 10)
    (y * 3).backward()
    assert seen == [3.0] and x.grad.item() == 60.0
    handle.remove()
    assert isinstance(handle, RemovableHandle)


def test_leaf_hook_sees_the_whole_gradient_once():
    x = leaf(1.0)
    seen = []
    with x.register_hook(lambda g: seen.append(g.item())):
        (x * 2 + x * 3 + x).backward()
    (x * 2).backward()
    assert seen == [6.0] and x.grad.item() == 8.0


def test_leaf_hook_runs_for_grad():
    x = leaf(1.0)
    x.register_hook(lambda g: g * 5)
    assert grad(x * 2, x)[0].item() == 10.0


def test_post_accumulate_grad_hook_runs_early():
    order = []
    a, b = leaf(1.0), leaf(1.0)
    b.register_post_accumulate_grad_hook(lambda p: order.append(("b", p is b, p.grad.item())))
    y = a * 2
    y.register_hook(lambda g: order.append("y"))
    (y * b).backward()
    assert order == [("b", True, 2.0), "y"]


def test_post_accumulate_grad_hook_may_free_the_gradient():
    w = leaf(1.0)

    def step(p):
        from lamella.autograd import no_grad

        with no_grad():
            p.sub_(p.grad * 0.5)
        p.grad = None

    w.register_post_accumulate_grad_hook(step)
    (w * 2).backward()
    assert w.item() == 0.0 and w.grad is None
    with pytest.raises(RuntimeError, match="non-leaf"):
        (w * 2).register_post_accumulate_grad_hook(step)


def test_node_hooks():
    x = leaf(1.0)
    y = x * 2
    seen = []
    y.grad_fn.register_prehook(lambda go: (go[0] * 2,))
    y.grad_fn.register_hook(lambda gi, go: seen.append((gi[0].item(), go[0].item())))
    y.backward()
    assert seen == [(4.0, 2.0)] and x.grad.item() == 4.0


def test_hook_order_and_retain_grad():
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 3)
    assert y.retains_grad and not x.retains_grad
    y.backward()
    assert y.grad.item() == 3.0 and x.grad.item() == 6.0


def test_retain_grad_adds_up_and_is_a_copy():
    x = leaf(1.0, 2.0)
    y = x * 2
    y.retain_grad()
    g = T.ones(2)
    y.backward(g, retain_graph=True)
    y.backward(g)
    assert y.grad.tolist() == [2.0, 2.0] and g.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="can't retain_grad"):
        T.ones(2).retain_grad()


def test_what_hooks_may_not_do():
    x = leaf(1.0, 2.0)
    for hook, error, text in ((lambda g: 3, TypeError, "expected hook to return a Tensor"),
                              (lambda g: g.sum(), RuntimeError, "changed the size"),
                              (lambda g: g.to(T.float64), RuntimeError, "changed the type")):
        y = x * 2
        y.register_hook(hook)
        with pytest.raises(error, match=text):
            y.sum().backward()
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        T.ones(2).register_hook(print)
    with pytest.raises(TypeError, match="callable"):
        x.register_hook(3)
    y = x * 2
    y.grad_fn.register_prehook(lambda go: (go[0], go[0]))
    with pytest.raises(RuntimeError, match="incorrect number of values"):
        y.sum().backward()


def test_hook_added_during_backward():
    x = leaf(1.0)
    seen = []
    y = x * 2

    def late(g):
        x.register_hook(lambda g: seen.append(g.item()))

    y.register_hook(late)
    y.backward()
    assert seen == [2.0] and x.grad.item() == 2.0


def test_saved_tensors_hooks():
    packed, unpacked = [], []

    def pack(t):
        packed.append(t)
        return ("box", t.detach().clone())

    def unpack(box):
        unpacked.append(box)
        return box[1]

    x = leaf(2.0)
    with saved_tensors_hooks(pack, unpack):
        y = x * x
    z = y.exp()
    assert len(packed) == 2 and unpacked == []
    z.backward()
    assert len(unpacked) == 2
    assert abs(x.grad.item() - 4 * 2.718281828459045**4) < 1e-2


def test_saved_tensors_hooks_can_be_disabled():
    with (disable_saved_tensors_hooks("not here"), pytest.raises(RuntimeError, match="not here"),
          saved_tensors_hooks(lambda t: t, lambda t: t)):
        pass


def test_unpack_must_return_a_tensor():
    x = leaf(2.0)
    with saved_tensors_hooks(lambda t: 1, lambda t: t):
        y = x * x
    with pytest.raises(TypeError, match="unpack hook must return a tensor"):
        y.backward()


def test_save_on_cpu():
    x = leaf(2.0)
    with save_on_cpu():
        y = x * x
    y.backward()
    assert x.grad.item() == 4.0


def test_order_of_all_hooks():
    log = []
    x = leaf(1.0, 2.0)
    y = x * 2
    y.register_hook(lambda g: log.append("tensor"))
    y.grad_fn.register_prehook(lambda go: log.append("pre"))
    y.grad_fn.register_hook(lambda gi, go: log.append(("post", [g is None for g in gi])))
    accumulate = y.grad_fn.next_functions[0][0]
    x.register_hook(lambda g: (log.append("leaf"), g * 3)[1])
    accumulate.register_prehook(lambda go: (log.append("leaf pre"), (go[0] * 5,))[1])
    accumulate.register_hook(lambda gi, go: log.append(("leaf post", len(gi), x.grad.tolist())))
    x.register_post_accumulate_grad_hook(lambda p: log.append("accumulated"))
    y.sum().backward()
    assert log == ["tensor", "pre", ("post", [False, True]), "leaf", "leaf pre", "accumulated",
                   ("leaf post", 0, [30.0, 30.0])]


@pytest.mark.parametrize("mode", ["all", "any"])
def test_multi_grad_hook(mode):
    a, b, unused = leaf(1.0), leaf(2.0), leaf(3.0)
    seen = []
    handle = register_multi_grad_hook((a, b, unused), seen.append, mode=mode)
    for _ in range(2):
        (a * b).backward()
    handle.remove()
    (a * b).backward()
    assert len(seen) == 2
    if mode == "all":
        assert [None if g is None else g.item() for g in seen[0]] == [2.0, 1.0, None]
    with pytest.raises(ValueError, match="mode"):
        register_multi_grad_hook((a,), print, mode="some")


def test_increment_version():
    from lamella.autograd import increment_version

    x = leaf(1.0) * 1
    y = x * x
    increment_version(x)
    with pytest.raises(RuntimeError, match="overwritten by increment_version"):
        y.backward()


def test_a_class_takes_gradients_in_the_form_it_wants():
    from concurrent.futures import ThreadPoolExecutor

    class Held(T.Tensor):
        def _arriving(self, g):
            return g * 10

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            plain = [x.as_subclass(T.Tensor) if isinstance(x, cls) else x for x in args]
            for x in plain:
                if isinstance(x, T.Tensor):
                    x._ks &= ~Held._class_keys
            out = func(*plain, **(kwargs or {}))
            return out.as_subclass(cls) if isinstance(out, T.Tensor) else out

    x, c = T.ones(2).as_subclass(Held).requires_grad_(), T.full((2,), 3.0).as_subclass(Held)
    with ThreadPoolExecutor(1) as pool:  # gradients are added under a lock where there are threads
        pool.submit(lambda: (x * c).sum().backward()).result()
    assert x.grad.tolist() == [30.0, 30.0]
    x.grad = None
    (x * c).sum().backward()
    assert x.grad.tolist() == [30.0, 30.0]
