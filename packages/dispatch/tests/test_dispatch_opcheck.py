"""`opcheck`: what it catches, and in which words."""

import pytest

from lamella.dispatch import opcheck, ops
from lamella.dispatch.checks import CHECKS, OpCheckError
from lamella.dispatch.keys import DispatchKey, bit, keyset

META = bit(DispatchKey.Meta)
ALL_GOOD = dict.fromkeys(CHECKS, "SUCCESS")


@pytest.fixture
def made(library, arrays):
    """Make an operator ``tns::f`` from a schema and kernels; returns it."""

    def make(schema, kernel, fake=None):
        lib = library()
        name = lib.define(schema)
        lib.impl(name, kernel, "CPU")
        if fake is not None:
            lib.impl(name, fake, "Meta")
        return ops.tns.f.default

    return make


def fault(text, op, args, check, **options):
    lines = text(OpCheckError, opcheck, op, args, test_utils=check, **options).split("\n")
    assert lines[0].startswith("tns::f: ")
    return lines[0].removeprefix("tns::f: "), lines[-1]


def test_a_good_operator(made, arrays):
    op = made(
        "f(Tensor x, int n=2) -> Tensor",
        lambda x, n: arrays([v * n for v in x.data]),
        lambda x, n: arrays(None, META, size=x.size),
    )
    assert opcheck(op, (arrays([1, 2]),)) == ALL_GOOD
    assert opcheck(ops.tns.f, (arrays([1, 2]), 3)) == ALL_GOOD
    assert opcheck("tns::f", (), {"x": arrays([1])}) == ALL_GOOD


def test_the_arguments_are_left_alone(made, arrays):
    def write(x):
        x.data[0] = 9

    x = arrays([1])
    assert opcheck(made("f(Tensor(a!) x) -> ()", write), (x,), test_utils="test_schema") == {"test_schema": "SUCCESS"}
    assert x.data == [1]


def test_undeclared_write(made, arrays, text):
    def write(x, y):
        y.data.append(9)
        return arrays([0])

    op = made("f(Tensor x, Tensor y) -> Tensor", write)
    assert fault(text, op, (arrays([1]), arrays([2])), "test_schema") == (
        "writes into argument 'y', which the schema does not say",
        "hint: declare it: mutates_args=('y',), or Tensor(a!) y",
    )


def test_undeclared_write_into_a_list(made, arrays, text):
    def write(xs):
        xs[1].data.append(9)

    rule, _ = fault(text, made("f(Tensor[] xs) -> ()", write), ([arrays([1]), arrays([2])],), "test_schema")
    assert rule == "writes into argument 'xs', which the schema does not say"


def test_undeclared_alias(made, arrays, text):
    op = made("f(Tensor x) -> Tensor", lambda x: arrays(x.data))
    assert fault(text, op, (arrays([1]),), "test_schema") == (
        "return 0 shares memory with argument 'x', which the schema does not say",
        "hint: return a clone, or annotate both: `Tensor(a) self -> Tensor(a)`",
    )


def test_declared_alias(made, arrays):
    op = made("f(Tensor(a) x) -> Tensor(a)", lambda x: arrays(x.data))
    assert opcheck(op, (arrays([1]),), test_utils=("test_schema",)) == {"test_schema": "SUCCESS"}


def test_alias_between_returns(made, arrays, text):
    def two(x):
        a = arrays([1])
        return a, arrays(a.data)

    rule, _ = fault(text, made("f(Tensor x) -> (Tensor, Tensor)", two), (arrays([1]),), "test_schema")
    assert rule == "returns 0 and 1 share memory, which the schema does not say"


@pytest.mark.parametrize(
    ("schema", "value", "rule"),
    [
        ("f(Tensor x) -> ()", 3, "returns a int, but the schema says that it returns nothing"),
        ("f(Tensor x) -> (Tensor, Tensor)", 3, "returns 1 values, but the schema says 2"),
        ("f(Tensor x) -> Tensor", 3, "return 0 is a int, but the schema says Tensor"),
        ("f(Tensor x) -> Tensor[]", None, "return 0 is None, but the schema says Tensor[]"),
    ],
)
def test_wrong_returns(made, arrays, text, schema, value, rule):
    assert fault(text, made(schema, lambda x: value), (arrays([1]),), "test_schema")[0] == rule


@pytest.mark.parametrize(
    ("size", "dtype", "step", "rule"),
    [
        (3, "f32", 1, "return 0 has shape (2,), but (3,) without data"),
        (2, "f64", 1, "return 0 has dtype f32, but f64 without data"),
        (2, "f32", 2, "return 0 has stride (1,), but (2,) without data"),
    ],
)
def test_shape_rules_that_are_wrong(made, arrays, text, size, dtype, step, rule):
    op = made(
        "f(Tensor x) -> Tensor",
        lambda x: arrays(list(x.data)),
        lambda x: arrays(None, META, size=size, dtype=dtype, step=step),
    )
    assert fault(text, op, (arrays([1, 2]),), "test_faketensor") == (rule, "hint: correct register_fake")


def test_a_missing_shape_rule(made, arrays, text):
    op = made("f(Tensor x) -> Tensor", lambda x: arrays(list(x.data)))
    rule, hint = fault(text, op, (arrays([1]),), "test_faketensor")
    assert rule.startswith("fails on tensors without data (tns::f: there is no kernel for Meta")
    assert hint == "hint: register_fake: make empty tensors of the right shape"


def test_another_number_of_results(made, arrays, text):
    op = made(
        "f(Tensor x) -> Tensor[]",
        lambda x: [arrays([1]), arrays([2])],
        lambda x: [arrays(None, META, size=1)],
    )
    assert fault(text, op, (arrays([1]),), "test_faketensor")[0] == "returns 2 tensors, but 1 without data"


def test_no_gradient(made, arrays, text):
    op = made("f(Tensor x) -> Tensor", lambda x: arrays(list(x.data)))
    x = arrays([1], requires_grad=True)
    assert fault(text, op, (x,), "test_autograd_registration") == (
        "argument 'x' requires grad, but the operator has no gradient",
        "hint: register_autograd, or register its kernel at CompositeImplicitAutograd",
    )
    op.register("Autograd", lambda x: None)
    assert opcheck(op, (x,), test_utils="test_autograd_registration") == {"test_autograd_registration": "SUCCESS"}


@pytest.fixture
def square(made, arrays):
    """An operator with a gradient, recorded by hand."""
    op = made("f(Tensor x) -> Tensor", lambda x: arrays([v * v for v in x.data]))

    def layer(op, ks, lower):
        def kernel(x):
            out = lower(x)
            out.requires_grad = True
            out.backward = lambda: setattr(x, "grad", [2 * v for v in x.data])
            return out

        return kernel

    op.register("Autograd", layer, kind="bind")
    return op


def test_gradients_under_a_mode(square, arrays, text, monkeypatch):
    from lamella.dispatch import adapter

    clone = adapter.current.with_requires_grad
    monkeypatch.setattr(
        type(adapter.current),
        "with_requires_grad",
        lambda self, t, flag: arrays(list(t.data), keyset("CPU", "AutogradCPU"), requires_grad=flag),
    )
    x = arrays([3], requires_grad=True)
    assert opcheck(square, (x,), test_utils="test_aot_dispatch_dynamic") == {"test_aot_dispatch_dynamic": "SUCCESS"}
    monkeypatch.setattr(type(adapter.current), "close", lambda self, *_: False)
    rule, _ = fault(text, square, (x,), "test_aot_dispatch_dynamic")
    assert rule == "the gradient of 'x' differs under a dispatch mode"
    assert clone is not None


def test_a_result_without_gradient(made, arrays, text):
    op = made("f(Tensor x) -> Tensor", lambda x: arrays(list(x.data)))
    rule, hint = fault(text, op, (arrays([1], requires_grad=True),), "test_aot_dispatch_dynamic")
    assert (rule, hint) == ("an input requires grad, but no result does", "hint: register_autograd")


def test_collecting_instead_of_raising(made, arrays):
    op = made("f(Tensor x) -> Tensor", lambda x: arrays(x.data))
    found = opcheck(op, (arrays([1], requires_grad=True),), raise_exception=False)
    assert list(found) == list(CHECKS)
    assert all(isinstance(value, OpCheckError) for value in found.values())


def test_faults_of_the_call(made, arrays, text):
    op = made("f(Tensor x) -> Tensor", lambda x: arrays([1]))
    assert text(ValueError, opcheck, op, (), test_utils="test_scheme") == (
        "opcheck: there is no check 'test_scheme'\nhint: did you mean 'test_schema'?"
    )
    with pytest.raises(TypeError, match="tns::f: missing argument 'x'"):
        opcheck(op, ())
