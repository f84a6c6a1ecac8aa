"""What the templates see: one `Op` per declared overload, made from a YAML row and its schema."""

from __future__ import annotations

import keyword
from dataclasses import dataclass, field
from typing import Any

from ..schema import Argument, Schema, parse

KINDS = ("elementwise", "kernel", "view", "composite")
#: Legal keys of a row and what they mean; the head comment of core's ops/pointwise.yaml explains them with an example.
KEYS = {
    "func": "the schema, in torch's grammar",
    "kind": "how the kernel is called: " + ", ".join(KINDS),
    "ufunc": "elementwise: the array module's function that computes the plain case",
    "promote": "elementwise: arith (operands' common type), exact, float (integers become the default float), compare, "
    "none",
    "inplace": "true: also generate `op_`; own: the same, with a kernel `op_` that writes into its argument",
    "out": "true: the public function takes out=; exact: of the result's own type only",
    "method": "false: no Tensor method",
    "function": "false: no public function",
    "dunder": "operator methods: add -> __add__, __radd__, __iadd__",
    "varargs": "the parameter that the method also takes as separate numbers: x.view(2, 3)",
    "meta": "name of the shape rule (default: the operator's own)",
    "differentiable": "false: a gradient makes no sense",
    "doc": "the docstring's first line and, below it, the rest",
    "alias": "further public names",
    "kernel": "name of the kernel function (default: the operator's own)",
    "refuse": "elementwise: the kinds of numbers it is not defined for: bool, int, float, complex",
    "old": "numbers that an old call form gives by position, before the tensors: x.add_(alpha, other)",
    "numbers": "elementwise: the tensor parameters for which a call may give a Python number",
}
DROPPED = ("layout", "device", "pin_memory")
_KINDS = {"bool": "b", "int": "iu", "float": "fV", "complex": "c"}
_SYMBOLS = {"Mean": "1", "Sum": "2", "long": "None", "contiguous_format": "None"}


def default_text(arg: Argument) -> str:
    """A schema default as Python source."""
    text = arg.default_text or "None"
    if text in _SYMBOLS:
        return _SYMBOLS[text]
    if text.startswith("["):
        inner = text[1:-1].strip()
        return f"({inner},)" if inner else "()"
    if text in ("true", "false"):
        return text.capitalize()
    return text


@dataclass
class Param:
    """One parameter of an operator, with the source fragments that handle it."""

    name: str
    arg: Argument

    @property
    def py(self) -> str:
        """Its name in Python (keywords get an underscore)."""
        return self.name + "_" if keyword.iskeyword(self.name) else self.name

    @property
    def type(self) -> str:
        return str(self.arg.type)

    @property
    def is_tensor(self) -> bool:
        return self.arg.type.base == "Tensor" and not self.arg.type.is_list

    @property
    def is_optional(self) -> bool:
        return str(self.arg.type).endswith("?")

    @property
    def is_tensor_list(self) -> bool:
        return self.arg.type.base == "Tensor" and self.arg.type.is_list

    @property
    def has_default(self) -> bool:
        return self.arg.default_text is not None

    @property
    def default(self) -> str:
        return default_text(self.arg)

    @property
    def check(self) -> tuple[str, str, str] | None:
        """(the quick test that says a value is unusual, what looks closer, further arguments of that), or None."""
        x, t = self.py, self.type.rstrip("?")
        maybe = f"{x} is not None and " if self.is_optional or self.arg.default_text == "[]" else ""
        if t in ("int", "SymInt"):
            return f"{maybe}{x}.__class__ is not int", "_as_int", ""
        if t == "bool":
            return f"{maybe}{x} is not False and {x} is not True", "_as_bool", ""
        if t in ("Scalar", "float"):
            test = f"{maybe}{x}.__class__ is not float and {x}.__class__ is not int"
            return test, "_as_number" if t == "Scalar" else "_as_float", ""
        if t.startswith(("int[", "SymInt[")) and t.endswith("]"):
            single = not t.endswith("[]")
            number = f" and {x}.__class__ is not int" if single else ""
            return f"{maybe}{x}.__class__ not in _SEQUENCES{number}", "_as_ints", f", {single}"
        return None

    @property
    def dropped(self) -> bool:
        return self.name in DROPPED

    def unwrap(self) -> str:
        """The expression a kernel gets for it."""
        if self.is_tensor:
            return f"None if {self.py} is None else {self.py}._a" if self.is_optional else f"{self.py}._a"
        if self.is_tensor_list:
            if "Tensor?" in self.type:
                return f"[None if t is None else t._a for t in {self.py}]"
            return f"[t._a for t in {self.py}]"
        return self.py


@dataclass
class Op:
    """One overload."""

    row: dict[str, Any]
    schema: Schema
    family: str
    where: str
    params: list[Param] = field(default_factory=list)
    inplace_of: Op | None = None

    def __post_init__(self) -> None:
        self.row = {**dict.fromkeys(KEYS), **self.row}

    # ---------------------------------------------------------------- names

    @property
    def name(self) -> str:
        return self.schema.base_name

    @property
    def overload(self) -> str:
        return self.schema.overload_name

    @property
    def symbol(self) -> str:
        return f"{self.name}_{self.overload}" if self.overload else self.name

    @property
    def full(self) -> str:
        return f"{self.name}.{self.overload}" if self.overload else self.name

    @property
    def kind(self) -> str:
        return self.row["kind"] or "kernel"

    @property
    def writes_itself(self) -> bool:
        """Whether this is an in-place form with a kernel of its own."""
        return self.inplace_of is not None and self.inplace_of.row["inplace"] == "own"

    @property
    def kernel(self) -> str:
        base = self.inplace_of or self
        if self.writes_itself:
            return self.symbol
        return self.row["kernel"] or base.symbol

    @property
    def meta(self) -> str:
        base = self.inplace_of or self
        return self.row["meta"] or base.symbol

    @property
    def differentiable(self) -> bool:
        return self.row["differentiable"] is not False

    @property
    def promote(self) -> str:
        return self.row["promote"] or "arith"

    @property
    def refuse(self) -> str:
        """NumPy's letters of the kinds of numbers that the operator is not defined for."""
        return "".join(_KINDS[k] for k in self.row["refuse"] or ())

    @property
    def fast_on_floats_alone(self) -> bool:
        """Whether only float32 and float64 go straight to the kernel: other types may need promotion or a refusal."""
        return self.promote == "float" or bool(self.refuse)

    @property
    def ufunc(self) -> str | None:
        return self.row.get("ufunc")

    @property
    def is_method(self) -> bool:
        return self.row["method"] is not False and bool(self.params) and self.params[0].name == "self"

    @property
    def is_function(self) -> bool:
        return self.row["function"] is not False and self.inplace_of is None

    @property
    def takes_out(self) -> bool:
        return bool(self.row.get("out")) and self.inplace_of is None

    # ---------------------------------------------------------------- parameters

    @property
    def tensors(self) -> list[Param]:
        return [p for p in self.params if p.is_tensor]

    @property
    def lists(self) -> list[Param]:
        return [p for p in self.params if p.is_tensor_list]

    @property
    def others(self) -> list[Param]:
        """Parameters that are not tensors."""
        return [p for p in self.params if not p.is_tensor and not p.is_tensor_list]

    @property
    def kwonly(self) -> list[Param]:
        return [p for p in self.params if p.arg.kwarg_only]

    @property
    def kernel_params(self) -> list[Param]:
        return [p for p in self.params if not p.dropped]

    @property
    def mutates(self) -> list[Param]:
        return [p for p in self.params if p.arg.is_write]

    @property
    def device_param(self) -> bool:
        return any(p.name == "device" for p in self.params)

    # ---------------------------------------------------------------- source fragments

    @property
    def numpy_names(self) -> bool:
        """Whether users may also spell a parameter as NumPy does: ``axis`` for dim, ``keepdims`` for keepdim."""
        public = self.is_function or self.is_method
        return public and not self.row["varargs"] and any(p.name in ("dim", "keepdim") for p in self.params)

    @property
    def required(self) -> list[Param]:
        """The parameters from ``dim`` on that have no default: they may come under a NumPy name."""
        at = next((i for i, p in enumerate(self.params) if p.name == "dim"), len(self.params))
        return [p for p in self.params[at:] if not p.has_default and not p.arg.kwarg_only]

    @property
    def _default_before_required(self) -> bool:
        defaults = [p.has_default for p in self.params]
        return defaults != sorted(defaults)

    def signature(
        self,
        *,
        first: str | None = None,
        out: bool = False,
        varargs: bool = False,
        names: bool = False,
        old: bool = False,
        kernel: bool = False,
    ) -> str:
        """The parameter list; ``first`` renames ``self``; ``names`` leaves room for NumPy's names, ``old`` for numbers
        before the tensors. A ``kernel`` marks no parameter as keyword-only where it can: CPython enters such functions
        40 ns sooner.
        """
        parts, star = [], kernel and not self._default_before_required
        vararg = self.row.get("varargs") if varargs else None
        for p in self.params:
            if p.name == vararg:
                parts.append(f"*{p.py}")
                star = True
                continue
            if p.arg.kwarg_only and not star:
                parts.append("*more" if old and self.row["old"] else "*")
                star = True
            name = first if first and p.name == "self" else p.py
            missing = "=_MISSING" if names and p in self.required else ""
            parts.append(f"{name}={p.default}" if p.has_default else name + missing)
        if out:
            if not star:
                parts.append("*")
            parts.append("out=None")
        if vararg or names:
            parts.append("**kwargs")
        return ", ".join(parts)

    def call(self, *, first: str | None = None, kwargs: bool = True) -> str:
        """The arguments of a call with this operator's own parameter names."""
        parts = []
        for p in self.params:
            name = first if first and p.name == "self" else p.py
            if p.arg.kwarg_only:
                if kwargs:
                    parts.append(f"{p.py}={name}")
            else:
                parts.append(name)
        return ", ".join(parts)

    @property
    def defaults_test(self) -> str | None:
        """A test that every keyword-only parameter has its default, or None where that is not cheap to ask."""
        if not self.kwonly or not all(p.has_default for p in self.kwonly):
            return None
        tests = []
        for p in self.kwonly:
            d = p.default
            tests.append(f"{p.py} is {d}" if d in ("None", "True", "False") else f"{p.py} == {d}")
        return " and ".join(tests)

    def number_may_stand_for(self, p: Param) -> bool:
        """Whether a call may give a number where the schema says Tensor: elementwise, where the row says so."""
        return p.is_tensor and not p.arg.is_write and p.name in (self.row["numbers"] or ())

    def keys(self, first: str = "self") -> str:
        """The expression for the call's key set."""
        parts = []
        for p in self.params:
            name = first if p.name == "self" else p.py
            if self.number_may_stand_for(p):
                if p.name == "self" and first == "self":
                    parts.append("self._ks")
                else:
                    parts.append(
                        f'({name}._ks if isinstance({name}, _Tensor) else _number("{self.name}", "{name}", {name}))'
                    )
            elif p.is_tensor and p.is_optional:
                parts.append(f"(0 if {name} is None else {name}._ks)")
            elif p.is_tensor:
                parts.append(f"{name}._ks")
            elif p.is_tensor_list:
                parts.append(f"_keys_in({name})")
        if first != "self" and parts and all("_number(" in part for part in parts):
            return f'{" | ".join(parts)} or _no_tensor("{self.name}")'
        if not parts:
            return "_backend_bit(device)" if self.device_param else "1"
        return " | ".join(parts)

    @property
    def returns(self) -> list[str]:
        """Names of the results."""
        rs = self.schema.returns
        return [r.name or ("result" if len(rs) == 1 else f"result{i}") for i, r in enumerate(rs)]

    @property
    def return_kind(self) -> str:
        """``tensor``, ``tuple`` (several tensors), ``list`` (Tensor[]), ``none`` or ``value``."""
        rs = self.schema.returns
        if not rs:
            return "none"
        if len(rs) > 1:
            return "tuple"
        t = rs[0].type
        if t.base != "Tensor":
            return "value"
        return "list" if t.is_list else "tensor"

    @property
    def named_returns(self) -> bool:
        return len(self.schema.returns) > 1 and all(r.name for r in self.schema.returns)

    @property
    def doc(self) -> str:
        return self.row.get("doc") or f"{self.name}: see torch.{self.name}."


def make_op(row: dict[str, Any], family: str, where: str) -> Op:
    """An `Op` from a checked YAML row."""
    schema = parse(row["func"])
    return Op(row, schema, family, where, [Param(a.name, a) for a in schema.arguments])


def derive_inplace(op: Op) -> Op:
    """The in-place form of an operator: ``add.Tensor`` -> ``add_.Tensor``."""
    source = str(op.schema)
    head, _, rest = source.partition("(")
    base, dot, overload = head.partition(".")
    body = rest[: rest.rindex(") -> ")]
    body = "Tensor(a!) self" + body[len("Tensor self") :]
    row = {
        **op.row,
        "func": f"{base}_{dot}{overload}({body}) -> Tensor(a!)",
        "inplace": False,
        "dunder": None,
        "alias": None,
    }
    made = make_op(row, op.family, op.where)
    made.inplace_of = op
    return made


def expand(rows: list[tuple[dict[str, Any], str]], family: str) -> list[Op]:
    """All operators of a family, in-place forms included."""
    ops = []
    for row, where in rows:
        op = make_op(row, family, where)
        ops.append(op)
        if row.get("inplace"):
            ops.append(derive_inplace(op))
    return ops
