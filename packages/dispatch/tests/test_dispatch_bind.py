"""What a call means under a schema, and what is said when it means nothing."""

import pytest

from lamella.dispatch import adapter
from lamella.dispatch.conform import conform
from lamella.dispatch.errors import RegistrationError
from lamella.dispatch.schema import parse

ADD = parse("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
CONV = parse(
    "ns::conv(Tensor input, Tensor? bias=None, SymInt[2] stride=1, int groups=1, *, bool flag=False) -> Tensor"
)


def test_positionals_in_schema_order_keywords_by_name(arrays):
    x, y = arrays([1]), arrays([2])
    assert ADD.bind((x,), {"alpha": 3, "other": y}) == ((x, y), {"alpha": 3})
    assert ADD.bind((), {"other": y, "self": x}) == ((x, y), {})


def test_trailing_defaults_stay_out_unless_asked_for(arrays):
    x = arrays([1])
    assert CONV.bind((x,)) == ((x,), {})
    assert CONV.bind((x,), {"groups": 2}) == ((x, None, [1, 1], 2), {})
    assert CONV.bind((x,), fill=True) == ((x, None, [1, 1], 1), {"flag": False})


def test_the_caller_keeps_its_dict(arrays):
    kwargs = {"self": arrays([1]), "other": arrays([2])}
    ADD.bind((), kwargs)
    assert set(kwargs) == {"self", "other"}


def test_defaults_are_not_shared(arrays):
    x = arrays([1])
    CONV.bind((x,), fill=True)[0][2].append(9)
    assert CONV.bind((x,), fill=True)[0][2] == [1, 1]


def test_a_number_for_a_list_of_known_length(arrays):
    x = arrays([1])
    assert CONV.bind((x, None, 3)) == ((x, None, [3, 3]), {})
    assert CONV.bind((x, None, (3, 4))) == ((x, None, (3, 4)), {})


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        ("int", [0, -3], [True, 1.0, "1", None, [1]]),
        ("SymInt", [7], [False, 1.5]),
        ("float", [1.5, 2, True], ["1", None, 1j]),
        ("bool", [True, False], [1, 0, "x", None]),
        ("str", ["a"], [1, None]),
        ("Scalar", [1, 1.5, True, 1j], ["1", None, [1]]),
        ("int[]", [[], [1], (1, 2)], [1, [1.5], "12", [True]]),
        ("int[2]", [5, [1, 2]], [1.5, "ab"]),
        ("float[]", [[1.5, 2]], [1.5]),
        ("bool[3]", [True, [True, False, True]], [1, [1]]),
        ("int?", [None, 3], ["a"]),
        ("int[]?", [None, [1]], [1]),
        ("ScalarType", ["f32"], ["f33", None, 3]),
        ("ScalarType?", ["f32", None], ["f33"]),
        ("Device", ["cpu", 3], [None]),
        ("Any", [None, 1, "a", [1]], []),
    ],
)
def test_types(type_, good, bad):
    schema = parse(f"ns::f({type_} x) -> ()")
    for value in good:
        schema.bind((value,))
    for value in bad:
        with pytest.raises(TypeError, match="argument 'x' must be"):
            schema.bind((value,))


def test_tensors(arrays):
    x = arrays([1])
    for type_ in ("Tensor", "Tensor?", "Any"):
        parse(f"ns::f({type_} x) -> ()").bind((x,))
    assert parse("ns::f(Tensor?[] x) -> ()").bind(([x, None],)) == (([x, None],), {})
    for type_ in ("int", "str", "Device", "Tensor[]"):
        with pytest.raises(TypeError):
            parse(f"ns::f({type_} x) -> ()").bind((x,))


def test_numbers_as_tensors_only_for_aten(arrays):
    x = arrays([1])
    assert ADD.bind((x, 2)) == ((x, 2), {})
    assert not ADD.matches((x, 2), strict=True) and ADD.matches((x, 2))
    assert not parse("ns::f(Tensor x) -> ()").matches((2,))


def test_numpy_numbers(arrays):
    np = pytest.importorskip("numpy")
    assert parse("ns::f(int x) -> ()").bind((np.int64(3),)) == ((3,), {})
    assert type(parse("ns::f(int x) -> ()").bind((np.int64(3),))[0][0]) is int
    parse("ns::f(float x) -> ()").bind((np.float32(3),))
    parse("ns::f(Scalar x) -> ()").bind((np.float32(3),))
    assert parse("ns::f(bool x) -> ()").bind((np.bool_(True),)) == ((True,), {})
    assert parse("ns::f(int[] x) -> ()").bind(((np.int64(3), 1),)) == (([3, 1],), {})


MESSAGES = {
    "ADD.bind((x, x, x))": "aten::add.Tensor: takes 2 positional arguments, not 3|hint: keyword-only: alpha",
    "ADD.bind((x,))": "aten::add.Tensor: missing argument 'other' (Tensor, position 2)",
    "ADD.bind((x,), {'othr': x})": "aten::add.Tensor: missing argument 'other' (Tensor, position 2)"
    "|hint: keyword 'othr' is unknown; did you mean 'other'?",
    "ADD.bind((x, x), {'aplha': 1})": "aten::add.Tensor: unexpected keyword argument 'aplha'"
    "|hint: did you mean 'alpha'?",
    "ADD.bind((x, x), {'self': x})": "aten::add.Tensor: argument 'self' is given by position and by keyword"
    " (position 1)",
    "ADD.bind((x, 'a'))": "aten::add.Tensor: argument 'other' must be Tensor, not str (position 2)",
    "ADD.bind((x, x), {'alpha': 'b'})": "aten::add.Tensor: argument 'alpha' must be Scalar, not str (keyword)",
    "ADD.bind((x, 2), strict=True)": "aten::add.Tensor: argument 'other' must be Tensor, not int (position 2)"
    "|hint: wrap the number in a tensor",
    "CONV.bind((x, None, 1.5))": "ns::conv: argument 'stride' must be SymInt[2], not float (position 3)",
    "CONV.bind((x, None, [1, 'a', None]))": "ns::conv: argument 'stride' must be SymInt[2], "
    "not list of int, str, NoneType (position 3)",
    "CONV.bind(())": "ns::conv: missing argument 'input' (Tensor, position 1)",
    "parse('ns::f(int[] d) -> ()').bind((1,))": "ns::f: argument 'd' must be int[], not int (position 1)"
    "|hint: pass a list or a tuple of int",
    "parse('ns::f(*, int n) -> ()').bind(())": "ns::f: missing argument 'n' (int, keyword-only)",
    "parse('ns::f() -> ()').bind((1,))": "ns::f: takes 0 positional arguments, not 1",
}


@pytest.mark.parametrize("call", MESSAGES)
def test_messages(call, text, arrays):
    scope = {"ADD": ADD, "CONV": CONV, "parse": parse, "x": arrays([1])}
    lines = text(TypeError, eval, call, scope).split("\n")
    first, *hint = MESSAGES[call].split("|")
    assert lines[0] == first
    assert lines[1].startswith("schema: ")
    assert lines[2:] == hint


# -- functions that are to become kernels ----------------------------------------------------------------------------

S = "ns::f(Tensor x, Tensor weight, Tensor bias, *, int k=3) -> Tensor"


@pytest.mark.parametrize(
    "fn",
    [
        lambda x, weight, bias, k=3: (x, weight, bias, k),
        lambda x, weight, bias, *, k=3: (x, weight, bias, k),
        lambda a, b, c, k: (a, b, c, k),
        lambda x, bias, weight, k: (x, weight, bias, k),
        lambda *args, k: (*args, k),
        lambda *args, **kw: (*args, kw["k"]),
        lambda *, bias, weight, x, k: (x, weight, bias, k),
        lambda x, *rest, k=4: (x, *rest, k),
        lambda x, weight, bias, extra=0, k=3: (x, weight, bias, k),
    ],
)
def test_functions_that_fit(fn):
    kernel = conform(fn, parse(S))
    assert kernel(1, 2, 3) == (1, 2, 3, 3)
    assert kernel(1, 2, 3, k=5) == (1, 2, 3, 5)


def test_a_function_that_fits_is_not_wrapped():
    def fn(x, weight, bias, *, k=3):
        pass

    assert conform(fn, parse(S)) is fn
    assert conform(len, parse("ns::g(Tensor x) -> int")) is len


def test_the_schema_s_defaults_win():
    schema = parse("ns::f(int[2] s=1, float e=1.0, str? m=None) -> ()")
    assert conform(lambda s, e, m: (s, e, m), schema)() == ([1, 1], 1.0, None)
    assert conform(lambda s=2, e=5, m="x": (s, e, m), schema)([7, 7]) == ([7, 7], 1.0, None)
    fits = lambda s=(1, 1), e=1.0, m=None: (s, e, m)  # noqa: E731
    assert conform(fits, schema) is fits


def test_named_defaults_are_resolved_by_the_adapter():
    class Constants(adapter.TensorAdapter):
        def constant(self, base, name):
            return (base, name)

    before = adapter.install(Constants())
    try:
        schema = parse("ns::f(MemoryFormat m=contiguous_format) -> ()")
        assert conform(lambda m: m, schema)() == ("MemoryFormat", "contiguous_format")
        assert schema.bind((), fill=True) == ((("MemoryFormat", "contiguous_format"),), {})
    finally:
        adapter.install(before)


@pytest.mark.parametrize(
    ("fn", "rule", "hint"),
    [
        (lambda x, weight: 0, "does not take argument 'bias'", "it must take every argument of the schema"),
        (lambda x, weight, bias: 0, "does not take keyword-only argument 'k'", "valid: bias, weight, x"),
        (lambda x, weight, bias, kk: 0, "does not take keyword-only argument 'k'", "did you mean 'kk'?"),
        (
            lambda x, weight, bias, k, z: 0,
            "wants an argument 'z' that the schema does not have",
            "valid: bias, k, weight, x",
        ),
        (lambda x, weight, bias, *, k, z: 0, "wants an argument 'z' that the schema does not have", None),
        (
            lambda x, bias, w, k: 0,
            "has 'bias' in another place than the schema, and not all names agree",
            "use the schema's names, in any order",
        ),
    ],
)
def test_functions_that_do_not_fit(fn, rule, hint, text):
    lines = text(RegistrationError, conform, fn, parse(S)).split("\n")
    assert lines[0] == f"ns::f: the kernel {rule}"
    assert lines[1].startswith("function: <lambda>(x, ") and "test_dispatch_bind.py:" in lines[1]
    assert lines[2] == f"schema: {S}"
    if hint is not None:
        assert lines[3:] == [f"hint: {hint}"]


def test_leading_arguments(text):
    assert conform(lambda ks, x, n: (ks, x, n), parse("ns::f(Tensor x, int n=2) -> ()"), leading=1)(9, 1) == (9, 1, 2)
    swapped = conform(lambda ks, n, x: (ks, x, n), parse("ns::f(Tensor x, int n) -> ()"), leading=1)
    assert swapped(9, 1, 2) == (9, 1, 2)
    found = text(RegistrationError, conform, lambda: 0, parse("ns::f() -> ()"), leading=1)
    assert found.startswith("ns::f: the kernel must take 1 argument before the operator's own")
