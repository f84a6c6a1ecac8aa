"""Modes and subclass interception."""

import threading

import pytest

from lamella.dispatch import CallMode, TorchDispatchMode, TorchFunctionMode, modes, ops, registry
from lamella.dispatch.keys import DispatchKey, bit, keyset
from lamella.dispatch.state import state

GRAD = keyset("CPU", "AutogradCPU")
PYTHON, FUNCTION = bit(DispatchKey.Python), bit(DispatchKey.TorchFunction)


class Log(TorchDispatchMode):
    def __init__(self, name="mode", seen=None):
        self.name = name
        self.seen = [] if seen is None else seen

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append((self.name, func.name))
        return func(*args, **(kwargs or {}))


class FunctionLog(TorchFunctionMode):
    def __init__(self, name="mode", seen=None):
        self.name = name
        self.seen = [] if seen is None else seen

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append((self.name, func.name))
        return func(*args, **(kwargs or {}))


@pytest.fixture
def op(library):
    lib = library()
    lib.define("f(Tensor x, *, int n=1) -> int")
    lib.impl("f", lambda x, n: x.size * n, "CPU")
    lib.define("composite(Tensor x) -> int")
    lib.impl("composite", lambda x: ops.tns.f(x) + ops.tns.f(x, n=2))
    lib.define("make(int n) -> int")
    lib.impl("make", lambda n: n, "CPU")
    return ops.tns.f


@pytest.fixture
def recorded(library, op):
    """An Autograd kernel that writes down when it ran."""
    ran = []

    def layer(op, ks, lower):
        def kernel(*args, **kwargs):
            ran.append(op.name)
            return lower(*args, **kwargs)

        return kernel

    op.default.register("Autograd", layer, kind="bind")
    return ran


def test_a_mode_sees_calls(op, arrays):
    x = arrays([1, 2])
    with Log() as log:
        assert op(x, n=3) == 6
        assert ops.tns.make(4) == 4
    assert op(x) == 2
    assert log.seen == [("mode", "tns::f"), ("mode", "tns::make")]
    assert state.affected == 0


def test_modes_nest_innermost_first(op, arrays):
    seen = []
    with Log("outer", seen), Log("inner", seen):
        op(arrays([1]))
    assert seen == [("inner", "tns::f"), ("outer", "tns::f")]


def test_one_mode_object_twice(op, arrays):
    log = Log()
    with log, log:
        op(arrays([1]))
    assert len(log.seen) == 2


def test_off_inside_the_handler_and_others_usable_there(op, arrays):
    seen = []

    class Outer(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            with Log("inside", seen):
                return func(*args, **(kwargs or {}))

    with Outer():
        op(arrays([1]))
        op(arrays([1]))
    assert seen == [("inside", "tns::f")] * 2


def test_exceptions_restore_the_state(op, arrays):
    class Fails(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise KeyError("own")

    with Fails() as fails:
        for _ in range(2):
            with pytest.raises(KeyError, match="own"):
                op(arrays([1]))
            assert state.thread.modes == [fails] and state.thread.include == PYTHON and state.thread.exclude == 0
    assert state.thread.modes == [] and state.affected == 0
    with pytest.raises(ZeroDivisionError), Log():
        1 / 0  # noqa: B018
    assert state.affected == 0


def test_a_mode_can_replace_results_and_change_arguments(op, arrays):
    class Twice(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return "replaced" if func is ops.tns.make.default else func(*args, n=5)

    with Twice():
        assert op(arrays([1])) == 5 and ops.tns.make(3) == "replaced"


def test_composite_operators_are_seen_as_their_parts(op, arrays):
    with Log() as log:
        assert ops.tns.composite(arrays([1])) == 3
        assert ops.tns.composite(arrays([1], GRAD)) == 3
    assert log.seen == [("mode", "tns::f")] * 4


def test_below_autograd(op, recorded, arrays):
    x = arrays([1], GRAD)
    op(x)
    assert len(recorded) == 1
    with Log() as log:
        op(x)
    assert len(recorded) == 2 and len(log.seen) == 1  # the handler's call is not recorded again


def test_call_mode_is_above_autograd(op, recorded, arrays):
    class Calls(CallMode):
        seen = ()

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.seen += (func.name,)
            return func(*args, **(kwargs or {}))

    with Calls() as calls:
        ops.tns.composite(arrays([1], GRAD))
        op(arrays([1], GRAD))
    assert calls.seen == ("tns::composite", "tns::f")
    assert len(recorded) == 3  # what handlers call is differentiated


def test_both_kinds_of_mode(op, arrays):
    class Calls(CallMode, Log):
        __torch_dispatch__ = Log.__torch_dispatch__

    seen = []
    with Calls("calls", seen), Log("log", seen):
        op(arrays([1]))
    with Log("log", seen), Calls("calls", seen):
        op(arrays([1]))
    assert seen == [("calls", "tns::f"), ("log", "tns::f")] * 2


def test_threads_have_their_own_modes(op, arrays):
    found = []

    def work():
        found.append(op(arrays([1, 2])))

    with Log() as log:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert found == [2] and log.seen == []


def test_left_out_of_order(op, text):
    outer, inner = Log(), Log()
    outer.__enter__()
    inner.__enter__()
    assert text(RuntimeError, outer.__exit__, None, None, None) == (
        "Log: a mode is left before the ones entered after it (innermost: Log)"
    )
    assert state.thread.modes == [inner]
    inner.__exit__(None, None, None)
    assert text(RuntimeError, inner.__exit__, None, None, None) == (
        "Log: a mode is left that is not on\nhint: enter it with `with`"
    )
    assert state.affected == 0


def test_modes_without_a_handler(op, arrays, text):
    class Empty(TorchDispatchMode):
        pass

    class EmptyFunction(TorchFunctionMode):
        pass

    with Empty():
        assert text(NotImplementedError, op, arrays([1])) == (
            "Empty: a mode must define __torch_dispatch__(func, types, args, kwargs)"
        )
    with EmptyFunction():
        assert text(NotImplementedError, op, arrays([1])) == (
            "EmptyFunction: a mode must define __torch_function__(func, types, args, kwargs)"
        )


def test_nobody_handles(op, arrays, text):
    class No(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return NotImplemented

    with No():
        assert text(TypeError, op, arrays([1])) == "tns::f: no __torch_dispatch__ handled the call (asked: No)"


def test_disable_current_modes(op, arrays):
    with Log() as log:
        with modes._disable_current_modes() as off:
            op(arrays([1]))
            assert off == [log] and modes.current_modes() == []
        assert modes.current_modes() == [log]
    assert log.seen == []


# -- subclasses ------------------------------------------------------------------------------------------------------


def wrapper(base, seen, name):
    class Wrapped(base):
        def __init__(self, inner):
            super().__init__(inner.data, inner._ks | PYTHON)
            self.inner = inner

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append((name, func.name, types))
            plain = [a.inner if isinstance(a, cls) else a for a in args]
            return func(*plain, **(kwargs or {}))

    return Wrapped


def test_subclass_dispatch(op, arrays):
    seen = []
    wrapped = wrapper(arrays, seen, "w")
    assert op(wrapped(arrays([1, 2]))) == 2
    assert seen == [("w", "tns::f", (wrapped,))]


def test_a_mode_is_asked_before_subclasses(op, arrays):
    seen = []
    wrapped = wrapper(arrays, seen, "w")
    with Log("mode", seen):
        op(wrapped(arrays([1])))
    assert [s[0] for s in seen] == ["mode", "w"]


def test_subclasses_go_before_their_bases(library, arrays):
    lib = library()
    lib.define("two(Tensor a, Tensor b) -> int")
    lib.impl("two", lambda a, b: 1, "CPU")
    seen = []
    base = wrapper(arrays, seen, "base")

    class Child(base):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append(("child", func.name, types))
            return 7

    assert ops.tns.two(base(arrays([1])), Child(arrays([2]))) == 7
    assert seen == [("child", "tns::two", (Child, base))]


def test_subclasses_that_decline(op, arrays, text):
    class Declines(arrays):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    found = text(TypeError, op, Declines([1], 1 | PYTHON))
    assert found == "tns::f: no __torch_dispatch__ handled the call (asked: Declines)"


def test_subclass_keys(arrays):
    class Dispatches(arrays):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None): ...

    class Functions(arrays):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None): ...

    class Off(Functions):
        __torch_function__ = modes._disabled_torch_function_impl

    class Child(Dispatches):
        pass

    kinds = [arrays, Dispatches, Functions, Off, Child]
    assert [modes.subclass_keys(kind, arrays) for kind in kinds] == [0, PYTHON, FUNCTION, 0, PYTHON]


# -- __torch_function__ ----------------------------------------------------------------------------------------------


def function_subclass(base, seen):
    class Sub(base):
        def __init__(self, data):
            super().__init__(data, 1 | FUNCTION)

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append(("sub", func.name, types))
            with modes.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))

    return Sub


def test_function_modes(op, arrays):
    seen = []
    with FunctionLog("outer", seen), FunctionLog("inner", seen):
        assert op(arrays([1, 2])) == 2
        assert ops.tns.composite(arrays([1])) == 3
    assert seen[:2] == [("inner", "tns::f"), ("outer", "tns::f")]
    assert ("inner", "tns::composite") in seen and state.affected == 0


def test_function_subclass(op, arrays):
    seen = []
    sub = function_subclass(arrays, seen)
    assert op(sub([1, 2])) == 2
    assert seen == [("sub", "tns::f", (sub,))]


def test_function_mode_before_subclass_and_switching_off(op, arrays):
    seen = []
    sub = function_subclass(arrays, seen)
    with FunctionLog("mode", seen):
        op(sub([1]))
        assert [s[0] for s in seen] == ["mode", "sub"]
        seen.clear()
        with modes.DisableTorchFunctionSubclass():
            op(sub([1]))
        assert [s[0] for s in seen] == ["mode"]
        seen.clear()
        with modes.DisableTorchFunction():
            op(sub([1]))
        assert seen == []
    with modes.DisableTorchFunctionSubclass():
        op(sub([1]))
    assert seen == []


def test_function_handlers_that_decline(op, arrays, text):
    class Declines(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return NotImplemented

    class Five(arrays):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return 5

    with Declines():
        assert op(Five([1], 1 | FUNCTION)) == 5
        assert text(TypeError, op, arrays([1])) == "tns::f: no __torch_function__ handled the call (asked: Declines)"


def test_the_public_function_is_what_handlers_get(op, arrays):
    registry.install(public_function=lambda op: f"public {op.name}")
    got = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            got.append((func, args, kwargs))

    x = arrays([1])
    with Mode():
        op(x, n=2)
    assert got == [("public tns::f", (x,), {"n": 2})]


def test_torch_function_comes_before_torch_dispatch(op, arrays):
    seen = []
    with Log("dispatch", seen), FunctionLog("function", seen):
        op(arrays([1]))
    assert seen == [("function", "tns::f"), ("dispatch", "tns::f")]
