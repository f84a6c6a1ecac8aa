"""The schema grammar: what it reads, what it refuses and with which words."""

import re
from pathlib import Path

import pytest

from lamella.dispatch.errors import SchemaError
from lamella.dispatch.schema import AliasInfo, Symbol, Type, parse
from lamella.dispatch.schema_parser import parse_arguments

ROUND_TRIPS = [
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
    "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
    "f() -> ()",
    "f(*, int n) -> int",
    "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    "chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
    "to.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(b|a)",
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    "conv(Tensor input, SymInt[2] stride=1, SymInt[2] padding=[0, 1], SymInt[2] d=[0,1]) -> Tensor",
    'pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor',
    "upsample(Tensor self, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    "loss(Tensor self, int reduction=Mean, float eps=1e-05, Scalar low=-inf) -> Tensor",
    "hist(Tensor self, *, MemoryFormat memory_format=contiguous_format, ScalarType t=long) -> Tensor",
    "rand(SymInt[] size, *, Generator? generator=None, Layout? layout=None, Device? device=None) -> Tensor",
    "_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()",
    "opt(Tensor(a!)? x=None) -> ()",
    'quote(str a=\'"\\\'\\\\\', str b="x, y) -> (", str c="") -> ()',
    "grid(Tensor theta) -> Tensor grid",
    "two(Tensor(a) x, Tensor(b) y) -> (Tensor(a), Tensor(b))",
    "sizes(Tensor self, bool[3] mask, complex z=1.5, DeviceIndex d=0) -> (SymInt, float, bool)",
]


@pytest.mark.parametrize("source", ROUND_TRIPS)
def test_round_trip(source):
    parsed = parse(source)
    assert str(parsed) == source
    assert parse(str(parsed)) == parsed
    assert (
        hash(parse(source)) == hash(parsed)
        if not any(isinstance(a.default_value, list) for a in parsed.arguments)
        else 1
    )


def test_white_space_is_free_and_single_parentheses_vanish():
    assert str(parse(" f( Tensor  x ,int n =3 )->( Tensor ) ")) == "f(Tensor x, int n=3) -> Tensor"
    assert str(parse("f() -> (Tensor out)")) == "f() -> Tensor out"


def test_parts_of_a_schema():
    s = parse(
        "aten::max.dim(Tensor self, int dim, bool keepdim=False, *, int[2] k=3) -> (Tensor values, Tensor indices)"
    )
    assert (s.name, s.overload_name, s.namespace, s.base_name, s.full_name) == (
        "aten::max",
        "dim",
        "aten",
        "max",
        "aten::max.dim",
    )
    assert [a.name for a in s.positional] == ["self", "dim", "keepdim"]
    assert [a.name for a in s.keyword_only] == ["k"]
    assert [r.name for r in s.returns] == ["values", "indices"]
    assert s.argument("k").default_value == [3, 3] and s.argument("k").default_text == "3"
    assert s.argument("keepdim").default_value is False and s.argument("keepdim").has_default_value()
    assert not s.argument("dim").has_default_value()


def test_types():
    assert parse("f(int[1]? a) -> ()").arguments[0].type == Type("int", ("[1]", "?"))
    optional = Type("int", ("[1]", "?"))
    assert (optional.is_optional, optional.is_list, optional.size, str(optional.required), str(optional.elem)) == (
        True,
        True,
        1,
        "int[1]",
        "int",
    )
    listed = Type("Tensor", ("?", "[]"))
    assert (listed.is_optional, listed.is_list, listed.size, str(listed.elem)) == (False, True, None, "Tensor?")
    assert not Type("Tensor", ("?",)).is_list and Type("Tensor", ("?",)).is_tensor
    assert not listed.is_tensor and listed.is_tensor_like


def test_defaults_are_values():
    s = parse(
        "f(int r=Mean, float e=1e-3, Scalar i=-inf, str s='a\\'b', bool? b=True, int[] l=[1, 2], "
        "MemoryFormat m=c) -> ()"
    )
    values = [a.default_value for a in s.arguments]
    assert values == [1, 1e-3, float("-inf"), "a'b", True, [1, 2], "c"]
    assert type(values[-1]) is Symbol


@pytest.mark.parametrize(
    ("source", "kind", "mutated", "view", "aliases"),
    [
        ("add(Tensor self) -> Tensor", "functional", (), False, {}),
        ("add_(Tensor(a!) self) -> Tensor(a!)", "inplace", ("self",), False, {0: ("self",)}),
        ("__iand__(Tensor(a!) self) -> Tensor(a!)", "inplace", ("self",), False, {0: ("self",)}),
        ("add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "out", ("out",), False, {0: ("out",)}),
        ("bn(Tensor x, Tensor(a!)? m, Tensor(b!) v) -> Tensor", "mutable", ("m", "v"), False, {}),
        ("view(Tensor(a) self) -> Tensor(a)", "functional", (), True, {0: ("self",)}),
        ("split(Tensor(a -> *) self) -> Tensor(a)[]", "functional", (), True, {0: ("self",)}),
        ("mix(Tensor x, Tensor(a) y) -> (Tensor, Tensor(a))", "functional", (), True, {1: ("y",)}),
    ],
)
def test_facts(source, kind, mutated, view, aliases):
    s = parse(source)
    assert (s.kind, s.mutated_args, s.is_view, s.aliases()) == (kind, mutated, view, aliases)
    assert s.is_mutable == bool(mutated) and s.is_inplace == (kind == "inplace")


def test_alias_info():
    s = parse("f(Tensor(a! -> b|c) x) -> ()")
    assert s.arguments[0].alias_info == AliasInfo(("a",), True, ("b", "c"))
    assert str(s.arguments[0].alias_info) == "(a! -> b|c)"


def test_other_name():
    assert str(parse("f(Tensor x) -> ()").with_name("ns::g", "o")) == "ns::g.o(Tensor x) -> ()"


def test_schemas_are_values():
    s = parse("f(Tensor x) -> ()")
    with pytest.raises(AttributeError):
        s.name = "g"
    assert s == parse("f(Tensor  x) -> ()") and s != parse("f(Tensor y) -> ()")


def test_argument_by_a_wrong_name():
    with pytest.raises(TypeError, match=re.escape("f: has no argument 'wieght'\nhint: did you mean 'weight'?")):
        parse("f(Tensor weight) -> ()").argument("wieght")


FAULTS = {
    "": ("expected the operator's name, found the end", 0, None),
    "f": ("expected '(', found the end", 1, None),
    "f(Tensor x": ("expected ',', found the end", 10, None),
    "f(Tensor x)": (
        "expected '->', found the end",
        11,
        "a schema ends with what the operator returns: `-> Tensor`, or `-> ()` for nothing",
    ),
    "f(Tensor x) ->": ("expected a type, found the end", 14, None),
    "f(Tensor x) -> Tensor, Tensor": ("expected the end, found ','", 21, None),
    "f(Tensor x,) -> Tensor": ("expected a type, found ')'", 11, None),
    "f(Tensor) -> Tensor": ("expected the argument's name, found ')'", 8, "an argument reads `Tensor self`"),
    "f(Tensro x) -> Tensor": ("unknown type 'Tensro'", 2, "did you mean 'Tensor'?"),
    "f(Optional x) -> Tensor": ("unknown type 'Optional'", 2, "write `Tensor?` for an optional"),
    "f(Dimname x) -> Tensor": ("unknown type 'Dimname'", 2, "named tensors are not part of lamella"),
    "f(Tensor x, Tensor x) -> Tensor": ("two arguments are called 'x'", 12, None),
    "f(Tensor x, *, *, int n) -> Tensor": ("a second `*`", 15, None),
    "f(Tensor x, *) -> Tensor": ("expected ',' and a keyword-only argument after `*`, found ')'", 13, None),
    "f(int n=1, Tensor x) -> Tensor": (
        "'x' has no default but follows 'n', which has one",
        11,
        "give it a default, or put it behind `*`",
    ),
    "f(int n=None) -> Tensor": ("None is no value of int", 8, "write `int?`"),
    "f(int n=1.5) -> Tensor": ("the default 1.5 is no value of int", 8, None),
    "f(bool b=1) -> Tensor": ("the default 1 is no value of bool", 9, None),
    "f(int n=[1]) -> Tensor": ("the default [1] is no value of int", 8, None),
    "f(int[] n=1) -> Tensor": ("the default 1 is no value of int[]", 10, None),
    "f(int n=Men) -> Tensor": ("unknown constant 'Men'", 8, "did you mean 'Mean'?"),
    "f(float n=true) -> Tensor": ("unknown constant 'true'", 10, "did you mean 'True'?"),
    "f(str s=abc) -> Tensor": ("unknown constant 'abc'", 8, "write 'abc' for a string"),
    "f(int n=) -> Tensor": (
        "expected a default, found ')'",
        8,
        "a number, a string, True, False, None, a list or the name of a constant",
    ),
    "f(int?? n) -> Tensor": ("`??`: one `?` is enough", 6, None),
    "f(int[0] n) -> Tensor": ("a list of length 0 holds nothing", 6, None),
    "f(int[x] n) -> Tensor": ("expected a list's length or ']', found 'x'", 6, None),
    "f(int(a!) n) -> Tensor": ("only Tensor takes an alias annotation, not int", 5, None),
    "f(Tensor[](a!) n) -> Tensor": ("the alias annotation comes right after the base type: `Tensor(a!)[]`", 10, None),
    "f(Tensor(a! x) -> Tensor": (
        "expected ')', found 'x'",
        12,
        "an alias annotation reads `(a)`, `(a!)`, `(a|b)` or `(a -> *)`",
    ),
    "f(Tensor(!) x) -> Tensor": ("expected the name of an alias set, found '!'", 9, None),
    "f(Tensor x) -> Tensor(a)": (
        "a return aliases 'a', but no argument does",
        12,
        "mark the argument it comes from: `Tensor(a) self`",
    ),
    "f.default(Tensor x) -> Tensor": ("`default` is what an overload without a name is called", 2, None),
    "a::(Tensor x) -> Tensor": ("expected the operator's name after `::`, found '('", 3, None),
    "f.(Tensor x) -> Tensor": ("expected the overload's name after `.`, found '('", 2, None),
    "f(Tensor x) $ Tensor": ("'$' has no place in a schema", 12, None),
    "f(Tensor x) -> (Tensor a b)": ("expected ',', found 'b'", 25, None),
    'f(str s="abc) -> Tensor': ("'\"' has no place in a schema", 8, None),
}


@pytest.mark.parametrize("source", FAULTS)
def test_faults_show_the_place(source, text):
    rule, column, hint = FAULTS[source]
    lines = text(SchemaError, parse, source).split("\n")
    assert lines[0] == f"schema: {rule} (column {column + 1})"
    assert lines[1] == "  " + source and lines[2] == "  " + " " * column + "^"
    assert lines[3:] == ([] if hint is None else ["hint: " + hint])


def test_faults_in_long_schemas_show_a_window(text):
    source = "f(" + ", ".join(f"Tensor argument{i}" for i in range(20)) + ", Tensr x) -> Tensor"
    window, mark = text(SchemaError, parse, source).split("\n")[1:3]
    assert window.startswith("  ...") and len(window) < 120
    assert window[mark.index("^") :].startswith("Tensr x")


def test_the_error_knows_source_and_column():
    with pytest.raises(SchemaError) as caught:
        parse("f(Tensro x) -> Tensor")
    assert (caught.value.source, caught.value.column) == ("f(Tensro x) -> Tensor", 2)
    assert isinstance(caught.value, RuntimeError)


def test_arguments_alone():
    assert [str(a) for a in parse_arguments("Tensor x, *, int n=1")] == ["Tensor x", "int n=1"]
    assert parse_arguments("") == ()
    with pytest.raises(SchemaError, match="expected the end"):
        parse_arguments("Tensor x) ->")


@pytest.mark.torch
def test_every_schema_of_torch_round_trips():
    torchgen = pytest.importorskip("torchgen")
    yaml = Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"
    sources = [s for s in re.findall(r"^- func: (.*)$", yaml.read_text(), re.M) if "Dimname" not in s]
    assert len(sources) > 2000
    assert [s for s in sources if str(parse(s)) != s] == []


@pytest.mark.torch
def test_facts_agree_with_torch():
    torch = pytest.importorskip("torch")
    for theirs in torch._C._jit_get_all_schemas():
        source = str(theirs)
        if not source.startswith("aten::"):
            continue
        try:
            ours = parse(source)
        except SchemaError:
            continue  # TorchScript's own: dictionaries, generics
        assert ours.is_mutable == theirs.is_mutable, source
        assert [a.is_write for a in ours.arguments] == [
            bool(a.alias_info and a.alias_info.is_write) for a in theirs.arguments
        ], source
        assert [a.kwarg_only for a in ours.arguments] == [a.kwarg_only for a in theirs.arguments], source
        for mine, other in zip(ours.arguments, theirs.arguments):
            assert mine.has_default_value() == other.has_default_value(), source
