"""`custom_op` and what is registered about an operator: schemas from annotations, shape rules, gradients."""

import numbers
import typing
from collections.abc import Sequence

import pytest

from lamella.dispatch import (
    adapter,
    custom,
    custom_op,
    get_ctx,
    infer_schema,
    ops,
    register_autograd,
    register_fake,
    register_kernel,
    register_vmap,
    registry,
)
from lamella.dispatch.errors import RegistrationError
from lamella.dispatch.keys import DispatchKey, bit, keyset

META = bit(DispatchKey.Meta)


@pytest.fixture
def Array(arrays):  # noqa: N802
    return arrays


# -- schemas from annotations ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "spelled"),
    [
        (int, "SymInt"),
        (float, "float"),
        (bool, "bool"),
        (str, "str"),
        (complex, "Scalar"),
        (numbers.Number, "Scalar"),
        (int | float, "Scalar"),
        (typing.Union[int, float, bool], "Scalar"),  # noqa: UP007
        (int | None, "SymInt?"),
        (typing.Optional[float], "float?"),  # noqa: UP007, UP045
        (int | float | bool | None, "Scalar?"),
        (list[int], "SymInt[]"),
        (Sequence[float], "float[]"),
        (typing.List[bool], "bool[]"),  # noqa: UP006
        (list[int] | None, "SymInt[]?"),
        (typing.Annotated[int, "size"], "SymInt"),
        (dict, None),
        (list, None),
        (tuple[int, int], None),
        (list[str], None),
        (int | str, None),
        (list[list[int]], None),
    ],
)
def test_schema_types(annotation, spelled):
    from lamella.dispatch.inference import schema_type

    assert schema_type(annotation) == spelled


def test_tensors_and_lists_of_them(Array):
    from lamella.dispatch.inference import schema_type

    kinds = [Array, Array | None, list[Array], Sequence[Array | None], list[Array] | None]
    assert [schema_type(k) for k in kinds] == ["Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "Tensor[]?"]


def test_parameters_defaults_and_returns(Array):
    def f(
        x: Array, n: int = 1, e: float = 1e-3, s: str = 'a"b\\', *, b: bool = False, o: int | None = None
    ) -> Array: ...

    assert infer_schema(f, mutates_args=()) == (
        '(Tensor x, SymInt n=1, float e=0.001, str s="a\\"b\\\\", *, bool b=False, SymInt? o=None) -> Tensor'
    )
    assert infer_schema(f, mutates_args=("x",), op_name="ns::f").startswith("ns::f(Tensor(a0!) x, ")

    def two(x: Array) -> tuple[Array, int]: ...
    def none(x: Array) -> None: ...
    def many(x: Array) -> list[Array]: ...
    def one(x: Array) -> tuple[Array]: ...
    def listed(x: list[int] = [1, 2]) -> int: ...  # noqa: B006

    found = [infer_schema(fn, mutates_args=()).partition(" -> ")[2] for fn in (two, none, many, one)]
    assert found == ["(Tensor, SymInt)", "()", "Tensor[]", "(Tensor)"]
    assert infer_schema(listed, mutates_args=()) == "(SymInt[] x=[1, 2]) -> SymInt"


def test_unknown_mutation_marks_all_tensors(Array):
    def f(x: Array, y: Array | None, z: list[Array], n: int) -> None: ...

    wanted = "(Tensor(a0!) x, Tensor(a1!)? y, Tensor(a2!)[] z, SymInt n) -> ()"
    assert infer_schema(f, mutates_args="unknown") == wanted


def test_faults_of_annotations(Array, text):
    def fault(fn, mutates=()):
        lines = text(ValueError, infer_schema, fn, mutates_args=mutates).split("\n")
        assert lines[1].startswith("  signature: (")
        return lines[0].removeprefix(f"infer_schema({fn.__name__}): "), *lines[2:]

    def f(x: Array, n: int) -> Array: ...
    def bare(x) -> Array: ...
    def noreturn(x: Array): ...
    def star(x: Array, *a: int) -> Array: ...
    def keywords(x: Array, **k: int) -> Array: ...
    def strange(x: Array, n: dict) -> Array: ...
    def plain_list(x: list) -> Array: ...
    def default(x: Array, n: int = object) -> Array: ...  # type: ignore[assignment]
    def returned(x: Array) -> dict: ...
    def optional(x: Array) -> Array | None: ...
    def endless(x: Array) -> tuple[Array, ...]: ...

    assert fault(bare) == ("parameter 'x' has no type annotation",)
    assert fault(noreturn) == (
        "the return has no type annotation",
        "hint: write `-> None` for an operator without a result",
    )
    assert fault(star) == fault(keywords) == ("positional-only parameters, *args and **kwargs have no schema",)
    assert fault(strange)[0] == "parameter 'n' has type dict, which no schema has"
    assert fault(plain_list) == (
        "parameter 'x' has type list, which no schema has",
        "hint: say what is in it: list[int]",
    )
    assert fault(default)[0].startswith("parameter 'n' has a default that no schema can hold (<class 'object'>)")
    assert fault(returned) == ("the return has type dict, which no schema has",)
    assert fault(optional)[0].startswith("the return has type ")
    assert fault(endless) == ("a tuple of unknown length has no schema", "hint: use list[Tensor]")
    assert fault(f, "x") == (
        "mutates_args is a sequence of names, or the string 'unknown', not 'x'",
        "hint: mutates_args=('x',)",
    )
    assert fault(f, ["y"])[0] == "mutates_args names 'y', which is no parameter"
    assert fault(f, ["n"]) == ("mutates_args names 'n', but only tensors and lists of tensors can be written into",)


def test_an_annotation_that_does_not_exist(text):
    def f(x: "Nowhere") -> int: ...  # noqa: F821

    assert text(ValueError, infer_schema, f, mutates_args=()) == (
        "infer_schema(f): an annotation names something that does not exist (name 'Nowhere' is not defined)"
    )


# -- operators -------------------------------------------------------------------------------------------------------


@pytest.fixture
def scale(library, Array):
    @custom_op("tns::scale", mutates_args=())
    def scale(x: Array, factor: float = 2.0) -> Array:
        """Multiply."""
        return Array([v * factor for v in x.data], x._ks & 1)

    return scale


def test_custom_op(scale, Array, library):
    assert repr(scale) == "<CustomOpDef(tns::scale)>" and scale.__doc__ == "Multiply."
    x = Array([1, 2])
    assert scale(x).data == [2, 4] and scale(x, factor=3.0).data == [3, 6] and ops.tns.scale(x, 1.0).data == [1, 2]
    assert str(scale._opoverload.schema) == "tns::scale(Tensor x, float factor=2.0) -> Tensor"


def test_wrong_calls(scale, Array, text):
    assert text(TypeError, scale, Array([1]), factr=1.0) == (
        "tns::scale: unexpected keyword argument 'factr'\n"
        "schema: tns::scale(Tensor x, float factor=2.0) -> Tensor\n"
        "hint: did you mean 'factor'?"
    )


def test_defining_again_replaces(scale, Array):
    @custom_op("tns::scale", mutates_args=())
    def scale(x: Array) -> int:
        return 7

    assert scale(Array([1])) == 7 and ops.tns.scale(Array([1])) == 7


def test_kernels_per_device(library, Array):
    @custom_op("tns::dev", mutates_args=(), device_types="cpu")
    def dev(x: Array, n: int = 1) -> int:
        return n

    cuda = Array([1], bit(DispatchKey.CUDA))
    with pytest.raises(NotImplementedError, match="tns::dev: there is no kernel for CUDA"):
        dev(cuda)

    @dev.register_kernel("cuda")
    def _(x, n):
        return -n

    assert dev(cuda) == -1 and dev(Array([1])) == 1
    register_kernel("tns::dev", "privateuse1", lambda x, n: 9, lib=library())
    assert dev(Array([1], bit(DispatchKey.PrivateUse1))) == 9
    register_kernel(dev, "privateuse2", lambda x, n: 8)
    assert dev(Array([1], bit(DispatchKey.PrivateUse2))) == 8


def test_switching_a_kernel_off(library, Array):
    @custom_op("tns::sw", mutates_args=())
    def sw(x: Array) -> str:
        return "all"

    sw.register_kernel("cpu", lambda x: "cpu")
    x = Array([1])
    assert sw(x) == "cpu"
    with sw.set_kernel_enabled("cpu", False):
        assert sw(x) == "all"
        with sw.set_kernel_enabled("cpu", True):
            assert sw(x) == "cpu"
        assert sw(x) == "all"
    assert sw(x) == "cpu"


def test_schema_by_hand(library, Array, text):
    @custom_op("tns::hand", mutates_args=("x",), schema="(Tensor(a!) x, int n=1) -> ()")
    def hand(x, n):
        x.data[0] = n

    x = Array([5])
    assert hand(x, 3) is None and x.data == [3]
    make = custom_op("tns::hand2", mutates_args=(), schema="(Tensor(a!) x) -> ()")
    assert text(ValueError, make, lambda x: None) == (
        "tns::hand2: mutates_args and the schema disagree on what is written (mutates_args=[], schema=['x'])"
    )
    make = custom_op("tns::hand2", mutates_args="x", schema="(Tensor(a!) x) -> ()")
    assert text(ValueError, make, lambda x: None).startswith("tns::hand2: mutates_args is a sequence of names")
    assert text(ValueError, custom_op("hand", mutates_args=()), lambda: None).startswith("operator: an operator's full")


def test_returning_an_argument(library, Array, text):
    @custom_op("tns::same", mutates_args=())
    def same(x: Array) -> Array:
        return x

    assert text(RuntimeError, same, Array([1])) == (
        "tns::same: a custom operator may not return one of its arguments\n"
        "schema: tns::same(Tensor x) -> Tensor\n"
        "hint: return a clone"
    )


# -- shape rules -----------------------------------------------------------------------------------------------------


def test_without_a_shape_rule(scale, library, Array, text):
    meta = Array(None, META, size=3)
    assert text(NotImplementedError, scale, meta) == (
        "tns::scale: no rule says what it returns for tensors without data\n"
        "schema: tns::scale(Tensor x, float factor=2.0) -> Tensor\n"
        "hint: @scale.register_fake on a function that returns empty tensors of the right shape"
    )

    @custom_op("tns::nothing", mutates_args=("x",))
    def nothing(x: Array) -> None:
        x.data[0] = 0

    assert nothing(meta) is None


def test_register_fake(scale, Array):
    @scale.register_fake
    def fake(x, factor):
        assert factor == 2.0
        return Array(None, META, size=x.size)

    assert fake is not None and scale(Array(None, META, size=3)).size == 3


def test_register_fake_by_name_and_before_the_definition(library, Array):
    lib = library()
    register_fake("tns::later", lambda y, x: (x, y), lib=lib)
    lib.define("later(Tensor x, Tensor y) -> (Tensor, Tensor)")
    a, b = Array(None, META, size=1), Array(None, META, size=2)
    assert ops.tns.later(a, b) == (a, b)


def test_a_wrong_shape_rule_is_refused_at_registration(scale, text):
    lines = text(RegistrationError, scale.register_fake, lambda x: 0).split("\n")
    assert lines[0] == "tns::scale: the fake kernel does not take argument 'factor'"


def test_shape_rules_may_be_replaced_or_not(scale, library, text):
    register_fake(scale, lambda x, factor: 1)
    register_fake(scale, lambda x, factor: 2)
    found = text(RegistrationError, lambda: register_fake(scale, lambda x, factor: 3, allow_override=False))
    assert found.startswith("tns::scale: a kernel for Meta is registered twice (first=")
    assert found.count("test_dispatch_custom.py:") == 2


def test_get_ctx(scale, Array, text, monkeypatch):
    assert text(RuntimeError, get_ctx) == "get_ctx: may only be called inside a function given to register_fake"

    @scale.register_fake
    def _(x, factor):
        return Array(None, META, size=get_ctx().new_dynamic_size(min=2))

    meta = Array(None, META, size=3)
    assert text(RuntimeError, scale, meta) == (
        "tns::scale: the shape of the result depends on data, which meta tensors do not have"
    )
    monkeypatch.setattr(custom, "new_size", lambda low, high: (low, high))
    assert scale(meta).size == (2, None)
    with pytest.raises(RuntimeError):
        get_ctx()


# -- gradients -------------------------------------------------------------------------------------------------------

GRAD = keyset("CPU", "AutogradCPU")


def test_register_autograd(scale, Array, text):
    backward, setup = (lambda ctx, g: (g, None)), (lambda ctx, inputs, output: None)
    scale.register_autograd(backward, setup_context=setup)
    formula = custom.formula_of(scale._opoverload)
    assert (formula.backward, formula.setup_context) == (backward, setup)
    assert "test_dispatch_custom.py:" in formula.where
    x = Array([1], GRAD)
    assert text(RuntimeError, scale, x) == (
        "tns::scale: gradients are provided by lamella-autograd\n"
        "hint: pip install lamella-autograd and import lamella.autograd"
    )
    layer = lambda op, ks, lower, f: lambda *args, **kwargs: (op.name, f, lower(*args, **kwargs).data)  # noqa: E731
    registry.install(gradient_layer=layer)
    assert scale(x) == ("tns::scale", formula, [2])


def test_register_autograd_before_the_definition(library):
    lib = library()
    register_autograd("tns::soon", lambda ctx, g: g, lib=lib)
    lib.define("soon(Tensor x) -> Tensor")
    assert custom.formula_of(ops.tns.soon.default) is not None


@pytest.mark.parametrize(
    ("backward", "setup", "words"),
    [
        (lambda ctx: None, None, "backward must take (ctx, 1 gradients), not (ctx)"),
        (lambda ctx, a, b: None, None, "backward must take (ctx, 1 gradients), not (ctx, a, b)"),
        (lambda ctx, g: 0, lambda ctx, i: 0, "setup_context must take (ctx, inputs, output), not (ctx, i)"),
    ],
)
def test_wrong_formulas(scale, backward, setup, words, text):
    found = text(RegistrationError, scale.register_autograd, backward, setup_context=setup)
    assert found.split("\n")[0] == f"tns::scale: {words}"


def test_formulas_that_cannot_be_called(scale, text):
    assert text(TypeError, scale.register_autograd, 3) == "tns::scale: backward must be callable (int)"


def test_keyword_only_inputs(library, text):
    lib = library()
    lib.define("kw(Tensor x, *, int n=1) -> Tensor")
    register_autograd(
        "tns::kw", lambda ctx, g: g, setup_context=lambda ctx, inputs, keyword_only_inputs, output: None, lib=lib
    )
    found = text(
        RegistrationError,
        lambda: register_autograd("tns::kw", lambda c, g: g, setup_context=lambda c, inputs, output: 0, lib=lib),
    )
    assert "setup_context must take (ctx, inputs, keyword_only_inputs, output)" in found


@pytest.mark.parametrize("schema", ["w(Tensor(a!) x) -> ()", "v(Tensor(a) x) -> Tensor(a)"])
def test_no_gradient_for_writes_and_views(library, schema, text):
    lib = library()
    name = lib.define(schema)
    found = text(RuntimeError, lambda: register_autograd(f"tns::{name}", lambda ctx, g: g, lib=lib))
    assert found.split("\n")[0] == (
        f"tns::{name}: a gradient can only be registered for an operator that writes nothing and returns no views"
    )


def test_register_vmap(scale):
    @scale.register_vmap
    def rule(info, in_dims, x, factor):
        return x, 0

    assert custom.vmap_rules["tns::scale"] is rule
    register_vmap("tns::scale", len)
    assert custom.vmap_rules["tns::scale"] is len
    scale._lib._destroy()


def test_the_adapter_in_tests_is_the_list_one(arrays):
    assert adapter.current.annotations() == {arrays: "Tensor"}
