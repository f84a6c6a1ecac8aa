"""Grad modes as contexts and decorators; anomaly mode; pictures."""

import pytest

from lamella import core as T
from lamella.autograd import (
    Function,
    detect_anomaly,
    enable_grad,
    graph_dot,
    graph_text,
    inference_mode,
    is_anomaly_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)


def leaf(*values):
    return T.tensor(list(values), requires_grad=True)


def test_contexts_nest():
    assert is_grad_enabled()
    with no_grad():
        assert not is_grad_enabled()
        with enable_grad():
            assert is_grad_enabled()
        assert not is_grad_enabled()
    assert is_grad_enabled()
    with pytest.raises(ZeroDivisionError), no_grad():
        1 / 0  # noqa: B018
    assert is_grad_enabled()


def test_one_instance_used_twice():
    mode = no_grad()
    with mode, mode:
        assert not is_grad_enabled()
    assert is_grad_enabled()


@pytest.mark.parametrize("mode", [lambda: no_grad, no_grad, lambda: inference_mode, inference_mode,
                                  lambda: set_grad_enabled(False)])
def test_decorators(mode):
    @mode()
    def f(x):
        """Doc."""
        return x * 2, is_grad_enabled()

    y, on = f(leaf(1.0))
    assert not y.requires_grad and not on and is_grad_enabled()
    assert f.__name__ == "f" and f.__doc__ == "Doc."


def test_decorated_generator():
    @no_grad()
    def gen():
        try:
            got = yield is_grad_enabled()
            yield got, is_grad_enabled()
        except ValueError:
            yield is_grad_enabled()
        return 5

    g = gen()
    assert next(g) is False and is_grad_enabled()
    assert g.send("a") == ("a", False) and is_grad_enabled()
    assert g.throw(ValueError()) is False
    with pytest.raises(StopIteration) as stop:
        next(g)
    assert stop.value.value == 5 and is_grad_enabled()
    with pytest.raises(TypeError, match="class"):
        no_grad()(type("C", (), {}))


def test_set_grad_enabled_acts_at_once():
    set_grad_enabled(False)
    assert not (leaf(1.0) * 2).requires_grad
    set_grad_enabled(True)
    assert (leaf(1.0) * 2).requires_grad
    with set_grad_enabled(False):
        assert not is_grad_enabled()
    assert is_grad_enabled()


def test_inference_mode():
    x = leaf(1.0)
    with inference_mode():
        assert is_inference_mode_enabled() and not is_grad_enabled()
        with enable_grad():
            assert is_grad_enabled() and not (x * 2).requires_grad
        with inference_mode(False):
            assert (x * 2).requires_grad
    assert not is_inference_mode_enabled() and is_grad_enabled()


class Bad(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, g):
        raise ValueError("boom")


def make_bad(x):
    return Bad.apply(x)


def test_anomaly_attaches_the_forward_stack():
    with detect_anomaly():
        assert is_anomaly_enabled()
        y = make_bad(leaf(1.0))
        with pytest.raises(ValueError, match="boom") as info:
            y.backward()
    assert not is_anomaly_enabled()
    (note,) = info.value.__notes__
    assert "Error detected in BadBackward" in note and "in make_bad" in note and "Bad.apply(x)" in note
    assert "lamella/autograd" not in note.replace("tests", "")


def test_anomaly_names_the_node_that_made_a_nan():
    x = leaf(0.0)
    with detect_anomaly(), pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its "
                                                             "0th output"):
        ((x * x).sqrt() * 0).backward()
    with detect_anomaly(check_nan=False):
        ((x * x).sqrt() * 0).backward()


def test_anomaly_infinities_and_forward():
    x = leaf(0.0)
    with detect_anomaly(check_inf=True), pytest.raises(RuntimeError, match="returned inf values"):
        x.sqrt().backward()
    with detect_anomaly(forward=True), pytest.raises(RuntimeError, match="log: returned nan values in the forward "
                                                                         "pass"):
        (x - 1).log()


def test_anomaly_in_double_backward_names_both_calls():
    with detect_anomaly():
        x = leaf(0.0)
        y = x.sqrt()
        from lamella.autograd import grad

        (g,) = grad(y, x, create_graph=True)
        with pytest.raises(RuntimeError) as info:
            (g * 0).backward()
    assert "traceback of the latter's forward call" in "".join(info.value.__notes__)


def test_anomaly_shows_both_lines_of_a_version_error():
    with detect_anomaly():
        y = leaf(1.0) * 1
        z = y * y
        y.add_(1)
        with pytest.raises(RuntimeError) as info:
            z.backward()
    text = str(info.value)
    assert text.count("test_autograd_engine_modes.py:") == 2 and "saved by MulBackward0" in text


def test_second_backward_says_where_the_node_was_made():
    set_detect_anomaly(True)
    try:
        y = leaf(1.0).exp()
        y.backward()
        with pytest.raises(RuntimeError, match=r"created at: .*test_autograd_engine_modes.py:\d+"):
            y.backward()
    finally:
        set_detect_anomaly(False)


def test_pictures():
    w = leaf(1.0)
    y = (w * w).exp()
    assert graph_text(y, {"w": w}).splitlines() == [
        "ExpBackward0", "  MulBackward0", "    AccumulateGrad w: f32[1] cpu", "    ^AccumulateGrad w: f32[1] cpu"]
    dot = graph_dot(y)
    assert dot.count("->") == 3 and "ExpBackward0" in dot
    z = w
    for _ in range(5000):
        z = z + 1
    assert graph_text(z, max_nodes=3).endswith("more than 3 nodes") and graph_dot(z)
