"""Fixtures of the dispatch tests: a list that plays a tensor, and a registry without the hooks of other packages."""

from __future__ import annotations

import pytest

from lamella.dispatch import adapter, custom, registry
from lamella.dispatch.keys import DispatchKey, bit
from lamella.dispatch.library import Library
from lamella.dispatch.state import state

META = bit(DispatchKey.Meta)


class Array:
    """A one-dimensional tensor over a Python list; ``data`` None stands for a tensor without data."""

    def __init__(self, data, ks=1, *, requires_grad=False, size=None, dtype="f32", step=1):
        self.data = data
        self.size = len(data) if size is None else size
        self._ks = ks
        self.requires_grad = requires_grad
        self.grad = None
        self.dtype = dtype
        self.step = step

    ndim = 1

    @property
    def shape(self):
        return (self.size,)

    @property
    def device(self):
        return "meta" if self._ks & META else "cpu"

    def __torch_dispatch__(self, *_):
        raise RuntimeError("not overridden")


class ListAdapter(adapter.TensorAdapter):
    checks = {"ScalarType": lambda value: value in ("f32", "f64")}

    def is_tensor(self, value):
        return isinstance(value, Array)

    def annotations(self):
        return {Array: "Tensor"}

    def describe(self, value):
        return f"{value.dtype}[{value.size}]" if isinstance(value, Array) else repr(value)

    def stride(self, tensor):
        return (tensor.step,)

    def memory(self, tensor):
        return None if tensor.data is None else id(tensor.data)

    def snapshot(self, tensor):
        return list(tensor.data)

    def same_contents(self, tensor, snapshot):
        return tensor.data == snapshot

    def clone(self, tensor):
        return Array(list(tensor.data), tensor._ks, requires_grad=tensor.requires_grad)

    def with_requires_grad(self, tensor, flag):
        return Array(list(tensor.data), tensor._ks, requires_grad=flag)

    def to_meta(self, tensor):
        return Array(None, META, size=tensor.size)

    def backward(self, outputs):
        for output in outputs:
            output.backward()

    def close(self, left, right, atol=None, rtol=None):
        return left == right


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    """Dispatch alone: the list adapter, no hooks of core or autograd; masks must be as before afterwards."""
    before = adapter.install(ListAdapter())
    for name in ("mutation_layer", "mixed_backends", "missing_derivative", "gradient_layer", "public_function"):
        monkeypatch.setattr(registry, name, None)
    registry.forget()
    masks = state.thread.include, state.thread.exclude, state.affected, list(state.thread.modes)
    yield
    assert masks == (state.thread.include, state.thread.exclude, state.affected, state.thread.modes)
    adapter.install(before)
    monkeypatch.undo()
    registry.forget()


@pytest.fixture
def arrays():
    """The tensor class of these tests."""
    return Array


@pytest.fixture
def library():
    """Make libraries that are undone after the test."""
    made = []

    def make(ns="tns", kind="FRAGMENT", key=""):
        made.append(Library(ns, kind, key))
        return made[-1]

    yield make
    for lib in reversed(made):
        lib._destroy()
    for name in [n for n in custom.OPDEFS if n.startswith("tns")]:
        custom.OPDEFS.pop(name)._lib._destroy()


@pytest.fixture
def text():
    """``text(error_type, function)``: the message that a call raises."""

    def message_of(kind, function, *args, **kwargs):
        with pytest.raises(kind) as caught:
            function(*args, **kwargs)
        assert type(caught.value) is kind
        found = str(caught.value)
        assert len(found.split("\n")) <= 6, found
        return found

    return message_of
