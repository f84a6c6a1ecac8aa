"""How functions of other libraries take part in ``__torch_function__``."""

import pytest

from lamella import core
from lamella.core import overrides
from lamella.core.overrides import TorchFunctionMode, handle_torch_function, has_torch_function, wrap_torch_function
from lamella.dispatch import DisableTorchFunction, DisableTorchFunctionSubclass


class Stand:
    """Stands in for a tensor."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return cls.__name__, func, types, args, kwargs


class Child(Stand):
    pass


class Declines:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return "mode", func, types


def test_has_torch_function():
    assert has_torch_function((1, Stand())) and not has_torch_function((1, core.ones(2)))
    assert overrides.has_torch_function_unary(Stand()) and overrides.has_torch_function_variadic(1, Stand())
    with Mode():
        assert has_torch_function((1,))
        with DisableTorchFunction():
            assert not has_torch_function((Stand(),))
    with DisableTorchFunctionSubclass():
        assert not has_torch_function((Stand(),))


def test_subclasses_are_asked_first():
    a, b = Stand(), Child()
    assert handle_torch_function(len, (a, b), a, b, x=1) == ("Child", len, (Child, Stand), (a, b), {"x": 1})
    assert handle_torch_function(len, (Declines(), a), a)[0] == "Stand"


def test_modes_are_asked_before_all():
    with Mode():
        assert handle_torch_function(len, (Stand(),), 1) == ("mode", len, (Stand,))


def test_nobody_handles():
    with pytest.raises(TypeError) as caught:
        handle_torch_function(core.add, (Declines(),))
    assert str(caught.value) == "torch.add: no __torch_function__ handled the call (asked: Declines)"


def test_wrap_torch_function():
    @wrap_torch_function(lambda x, y=None: (x, y))
    def join(x, y=None):
        """Join."""
        return x, y

    assert join(1, 2) == (1, 2) and join.__doc__ == "Join."
    assert join(1, y=Stand())[:2] == ("Stand", join)


def test_names():
    assert overrides.resolve_name(core.add) == "torch.add"
    assert overrides.resolve_name(core.Tensor.add) == "torch.Tensor.add"
    assert overrides.resolve_name(3) is None
    assert overrides.is_tensor_like(core.ones(1)) and overrides.is_tensor_like(Stand())
    assert not overrides.is_tensor_like(1)
    assert overrides.is_tensor_method_or_property(core.Tensor.add)
    assert not overrides.is_tensor_method_or_property(core.add)


def test_handlers_get_public_functions():
    seen = []

    class Log(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    x = core.ones(2)
    with Log():
        core.add(x, x)
    assert seen == [core.add]
