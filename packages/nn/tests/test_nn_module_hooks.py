"""Hooks around calls."""

from __future__ import annotations

import gc
import weakref

import pytest

from lamella import core, nn
from lamella.nn.modules import module as module_hooks


class Scale(nn.Module):
    def __init__(self, k=2.0):
        super().__init__()
        self.k = nn.Parameter(core.full((1,), k))

    def forward(self, x, *, add=0.0):
        if x is None:
            raise ValueError("no input")
        return x * self.k + add


def test_forward_hooks_in_order():
    m = Scale()
    calls = []
    m.register_forward_pre_hook(lambda mod, args: calls.append("pre1"))
    m.register_forward_pre_hook(lambda mod, args: (args[0] + 1,), prepend=True)
    m.register_forward_pre_hook(lambda mod, args, kw: (args, {"add": 10.0}), with_kwargs=True)
    m.register_forward_hook(lambda mod, args, out: calls.append(("post", args[0].item(), out.item())))
    h = m.register_forward_hook(lambda mod, args, kw, out: out * 100 if kw else None, with_kwargs=True)
    assert m(core.ones(1)).item() == 1400
    assert calls == ["pre1", ("post", 2.0, 14.0)]
    h.remove()
    assert m(core.ones(1)).item() == 14
    with m.register_forward_hook(lambda mod, args, out: out - 4):
        assert m(core.ones(1)).item() == 10
    assert m(core.ones(1)).item() == 14


def test_calls_without_hooks_take_the_short_way():
    m = Scale()
    assert "_slow_call" not in m.__dict__
    handle = m.register_forward_hook(lambda *a: None)
    assert m._slow_call
    m(core.ones(1))
    handle.remove()
    m(core.ones(1))
    assert "_slow_call" not in m.__dict__


def test_pre_hooks_return_a_value_or_a_pair():
    m = Scale()
    m.register_forward_pre_hook(lambda mod, args: core.full((1,), 5.0))
    assert m(core.ones(1)).item() == 10
    m.register_forward_pre_hook(lambda mod, args, kw: 3, with_kwargs=True)
    with pytest.raises(RuntimeError, match="tuple of \\(new_args, new_kwargs\\)"):
        m(core.ones(1))


def test_always_call():
    m = Scale()
    seen = []
    m.register_forward_hook(lambda mod, args, out: seen.append("plain"))
    m.register_forward_hook(lambda mod, args, out: seen.append(out), always_call=True)
    with pytest.raises(ValueError, match="no input"):
        m(None)
    assert seen == [None]

    def fail(mod, args, out):
        raise RuntimeError("hook")

    m.register_forward_hook(fail, always_call=True)
    with pytest.warns(UserWarning, match="hook"), pytest.raises(ValueError, match="no input"):
        m(None)


def test_global_hooks():
    seen = []
    with module_hooks.register_module_forward_hook(lambda mod, args, out: seen.append(type(mod).__name__)):
        nn.Sequential(nn.Identity())(1)
    nn.Identity()(1)
    assert seen == ["Identity", "Sequential"]
    with module_hooks.register_module_forward_pre_hook(lambda mod, args: (args[0] + 1,)):
        assert nn.Identity()(1) == 2
    with module_hooks.register_module_parameter_registration_hook(lambda mod, name, p: seen.append(name)):
        nn.Linear(1, 1)
    assert seen[2:] == ["weight", "bias"]


def test_full_backward_hooks():
    m = Scale(3.0)
    seen = []

    def hook(mod, grad_input, grad_output):
        seen.append((grad_input[0].tolist(), grad_output[0].tolist()))
        return (grad_input[0] * 10,)

    m.register_full_backward_hook(hook)
    x = core.ones(2).requires_grad_()
    m(x).sum().backward()
    assert seen == [([3, 3], [1, 1])]
    assert x.grad.tolist() == [30, 30] and m.k.grad.tolist() == [2]


def test_backward_pre_hooks_change_the_gradient():
    m = Scale(3.0)
    m.register_full_backward_pre_hook(lambda mod, grad_output: (grad_output[0] * 2,))
    x = core.ones(2).requires_grad_()
    m(x).sum().backward()
    assert x.grad.tolist() == [6, 6]


def test_backward_hooks_without_input_gradients():
    m = Scale()
    seen = []
    m.register_full_backward_hook(lambda mod, gi, go: seen.append((gi, go[0].tolist())))
    m(core.ones(2)).sum().backward()
    assert seen == [((None,), [1, 1])]


def test_backward_hooks_do_not_leak():
    m = Scale()
    m.register_full_backward_hook(lambda mod, gi, go: None)
    x = core.ones(2).requires_grad_()
    m(x).sum().backward()
    ref = weakref.ref(m)
    gc.disable()
    try:
        del m
        assert ref() is None
    finally:
        gc.enable()


def test_kinds_of_backward_hooks_do_not_mix():
    m = Scale()
    m.register_full_backward_hook(lambda *a: None)
    with pytest.raises(RuntimeError, match="only one kind"):
        m.register_backward_hook(lambda *a: None)
    with pytest.raises(RuntimeError, match="must return"):
        m.register_full_backward_hook(lambda *a: (None, None, None))
        m(core.ones(1).requires_grad_()).sum().backward()
