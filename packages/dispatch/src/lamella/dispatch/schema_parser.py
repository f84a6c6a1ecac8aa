"""The schema grammar, read by one recursive-descent parser over a token list.

::

    schema   = name ["." overload] "(" [argument ("," argument)*] ")" "->" returns
    argument = "*" | type name ["=" default]
    type     = base ["(" alias ")"] ("?" | "[" [size] "]")*
    alias    = set ["!"] ["->" set]          set = name ("|" name)* | "*"
    returns  = type [name] | "(" [type [name] ("," type [name])*] ")"
    default  = number | string | True | False | None | name | "[" [default ("," default)*] "]"
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Any, NoReturn

from .errors import SchemaError, caret, did_you_mean, message
from .schema import BASE_TYPES, AliasInfo, Argument, Return, Schema, Symbol, Type

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<number>-?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?(?![A-Za-z_])|-inf\b)
    | (?P<word>[A-Za-z_]\w*)
    | (?P<mark>->|::|[()\[\],=?!|*.])
    )""",
    re.VERBOSE,
)

_CONSTANTS: dict[str, Any] = {
    "None": None,
    "True": True,
    "False": False,
    "inf": float("inf"),
    "-inf": float("-inf"),
    "nan": float("nan"),
}
_REDUCTIONS = {"Mean": 1, "Sum": 2}
_NUMBERS = ("int", "SymInt", "DeviceIndex", "float", "SymFloat", "Scalar", "complex", "bool", "SymBool")
_HABITS = {
    "Optional": "write `Tensor?` for an optional",
    "List": "write `Tensor[]` for a list",
    "Sequence": "write `int[]` for a list",
    "double": "the type is called float",
    "number": "the type is called Scalar",
    "dtype": "the type is called ScalarType",
    "device": "the type is called Device",
    "Int": "the type is called int",
    "string": "the type is called str",
    "Dimname": "named tensors are not part of lamella",
}


class _Parser:
    """One pass over one source text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens: list[tuple[str, str, int]] = []
        self.at = 0
        position, end = 0, len(source.rstrip())
        while position < end:
            match = _TOKEN.match(source, position)
            if match is None:
                bad = position + len(source[position:]) - len(source[position:].lstrip())
                self.fail(f"{source[bad]!r} has no place in a schema", bad)
            kind = match.lastgroup or ""
            self.tokens.append((kind, match.group(kind), match.start(kind)))
            position = match.end()
        self.tokens.append(("end", "", end))

    # -- reading tokens ------------------------------------------------------------------------------------------

    def fail(self, rule: str, column: int, hint: str | None = None) -> NoReturn:
        text = message("schema", rule, f"column {column + 1}", details=[caret(self.source, column)], hint=hint)
        raise SchemaError(text, self.source, column)

    def expected(self, what: str, hint: str | None = None) -> NoReturn:
        kind, text, column = self.tokens[self.at]
        self.fail(f"expected {what}, found " + ("the end" if kind == "end" else repr(text)), column, hint)

    def peek(self) -> str:
        kind, text, _ = self.tokens[self.at]
        return text if kind in ("mark", "word") else ""

    def column(self) -> int:
        return self.tokens[self.at][2]

    def take(self, text: str) -> bool:
        if self.tokens[self.at][:2] == ("mark", text):
            self.at += 1
            return True
        return False

    def need(self, text: str, hint: str | None = None) -> None:
        if not self.take(text):
            self.expected(repr(text), hint)

    def word(self, what: str, hint: str | None = None) -> str:
        kind, text, _ = self.tokens[self.at]
        if kind != "word":
            self.expected(what, hint)
        self.at += 1
        return text

    # -- the grammar ---------------------------------------------------------------------------------------------

    def schema(self) -> Schema:
        name = self.word("the operator's name")
        if self.take("::"):
            name += "::" + self.word("the operator's name after `::`")
        overload = ""
        if self.take("."):
            overload = self.word("the overload's name after `.`")
            if overload == "default":
                self.fail("`default` is what an overload without a name is called", self.tokens[self.at - 1][2])
        self.need("(")
        arguments = self.arguments()
        self.need("->", "a schema ends with what the operator returns: `-> Tensor`, or `-> ()` for nothing")
        returns, plain = self.returns()
        if self.tokens[self.at][0] != "end":
            self.expected("the end")
        parsed = Schema(name, overload, arguments, returns)
        self.check_aliases(parsed)
        self.check_round_trip(parsed, plain)
        return parsed

    def arguments(self) -> tuple[Argument, ...]:
        found: list[Argument] = []
        star = False
        while not self.take(")"):
            if found or star:
                self.need(",")
            column = self.column()
            if self.take("*"):
                if star:
                    self.fail("a second `*`", column)
                star = True
                if self.peek() != ",":
                    self.expected("',' and a keyword-only argument after `*`")
                continue
            argument = self.argument(star)
            if any(argument.name == other.name for other in found):
                self.fail(f"two arguments are called {argument.name!r}", column)
            if not star and not argument.has_default_value() and argument.type.size is None:
                early = next((a.name for a in found if a.has_default_value()), None)
                if early is not None:
                    rule = f"{argument.name!r} has no default but follows {early!r}, which has one"
                    self.fail(rule, column, "give it a default, or put it behind `*`")
            found.append(argument)
        return tuple(found)

    def argument(self, kwarg_only: bool) -> Argument:
        type_, alias = self.type()
        name = self.word("the argument's name", "an argument reads `Tensor self`")
        if not self.take("="):
            return Argument(name, type_, alias, kwarg_only)
        start = self.column()
        value = self.default(type_)
        last = self.tokens[self.at - 1]
        text = self.source[start : last[2] + len(last[1])]
        if type_.size is not None and not isinstance(value, (list, type(None))):
            value = [value] * type_.size
        return Argument(name, type_, alias, kwarg_only, text, value)

    def type(self) -> tuple[Type, AliasInfo | None]:
        column = self.column()
        base = self.word("a type")
        if base not in BASE_TYPES:
            hint = _HABITS.get(base) or did_you_mean(base, BASE_TYPES, list_all=20)
            self.fail(f"unknown type {base!r}", column, hint)
        alias = None
        column = self.column()
        if self.take("("):
            if base not in ("Tensor", "Storage", "Generator", "Any"):
                self.fail(f"only Tensor takes an alias annotation, not {base}", column)
            alias = self.alias()
        wraps: list[str] = []
        while True:
            column = self.column()
            if self.take("?"):
                if wraps and wraps[-1] == "?":
                    self.fail("`??`: one `?` is enough", column)
                wraps.append("?")
            elif self.take("["):
                wraps.append("[]" if self.take("]") else self.sized())
            else:
                break
        if wraps and alias is None and self.peek() == "(":
            self.fail("the alias annotation comes right after the base type: `Tensor(a!)[]`", self.column())
        return _type(base, tuple(wraps)), alias

    def sized(self) -> str:
        kind, text, column = self.tokens[self.at]
        if kind != "number" or not text.isdigit():
            self.expected("a list's length or ']'")
        if text == "0":
            self.fail("a list of length 0 holds nothing", column)
        self.at += 1
        self.need("]")
        return f"[{text}]"

    def alias(self) -> AliasInfo:
        before = self.alias_set()
        write = self.take("!")
        after = self.alias_set() if self.take("->") else ()
        self.need(")", "an alias annotation reads `(a)`, `(a!)`, `(a|b)` or `(a -> *)`")
        return AliasInfo(before, write, after)

    def alias_set(self) -> tuple[str, ...]:
        if self.take("*"):
            return ("*",)
        names = [self.word("the name of an alias set")]
        while self.take("|"):
            names.append(self.word("the name of an alias set"))
        return tuple(names)

    def returns(self) -> tuple[tuple[Return, ...], bool]:
        """Read the returns; the flag says that a single return was put in parentheses, which print without."""
        if not self.take("("):
            type_, alias = self.type()
            name = self.word("a name") if self.tokens[self.at][0] == "word" else None
            return (Return(type_, name, alias),), False
        found: list[Return] = []
        while not self.take(")"):
            if found:
                self.need(",")
            type_, alias = self.type()
            name = self.word("a name") if self.tokens[self.at][0] == "word" else None
            found.append(Return(type_, name, alias))
        return tuple(found), len(found) == 1

    def default(self, type_: Type) -> Any:
        kind, text, column = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            value = _CONSTANTS[text] if text in _CONSTANTS else ast.literal_eval(text)
        elif kind == "string":
            self.at += 1
            value = ast.literal_eval(text)
        elif kind == "word":
            self.at += 1
            value = _CONSTANTS[text] if text in _CONSTANTS else self.symbol(text, type_, column)
        elif self.take("["):
            value = []
            while not self.take("]"):
                if value:
                    self.need(",")
                value.append(self.default(type_.elem))
        else:
            self.expected("a default", "a number, a string, True, False, None, a list or the name of a constant")
        if value is None and not type_.is_optional:
            self.fail(f"None is no value of {type_}", column, f"write `{type_}?`")
        if not _fits(value, type_):
            last = self.tokens[self.at - 1]
            shown = self.source[column : last[2] + len(last[1])]
            self.fail(f"the default {shown} is no value of {type_}", column)
        return value

    def symbol(self, text: str, type_: Type, column: int) -> Any:
        if type_.base in ("int", "SymInt"):
            if text not in _REDUCTIONS:
                self.fail(f"unknown constant {text!r}", column, did_you_mean(text, [*_CONSTANTS, *_REDUCTIONS]))
            return _REDUCTIONS[text]
        if type_.base in ("ScalarType", "Layout", "MemoryFormat", "Device", "Any"):
            return Symbol(text)
        hint = f"write {text!r} for a string" if type_.base == "str" else did_you_mean(text, _CONSTANTS)
        self.fail(f"unknown constant {text!r}", column, hint)

    # -- checks on the whole -------------------------------------------------------------------------------------

    def check_aliases(self, parsed: Schema) -> None:
        known = {n for a in parsed.arguments if a.alias_info for n in a.alias_info.before_set + a.alias_info.after_set}
        for returned in parsed.returns:
            names = returned.alias_info.before_set if returned.alias_info else ("*",)
            if "*" in names or known.intersection(names):  # `Tensor(b|a)`: fresh memory or the argument's
                continue
            rule = f"a return aliases {names[0]!r}, but no argument does"
            hint = f"mark the argument it comes from: `Tensor({names[0]}) self`"
            self.fail(rule, self.source.rfind("->"), hint)

    def check_round_trip(self, parsed: Schema, plain: bool) -> None:
        """What prints differently was read wrongly: better an error than an operator without its last argument."""
        printed = "".join(str(parsed).split())
        written = "".join(self.source.split())
        if plain:
            head, _, tail = written.rpartition("->(")
            written = f"{head}->{tail[:-1]}"
        if printed != written:
            column = next((i for i, (p, w) in enumerate(zip(printed, written)) if p != w), len(printed))
            text = message("schema", "does not print as it was written", f"printed as {parsed}")
            raise SchemaError(text, self.source, column)


def _fits(value: Any, type_: Type) -> bool:
    if value is None:
        return type_.is_optional
    if isinstance(value, list):
        return type_.is_list
    if type_.is_list and type_.size is None:
        return False
    if isinstance(value, Symbol):
        return True
    if isinstance(value, str):
        return type_.base in ("str", "Any", "Device")
    if isinstance(value, bool):
        return type_.base in ("bool", "SymBool", "Scalar", "Any")
    if isinstance(value, float):
        return type_.base in ("float", "SymFloat", "Scalar", "complex", "Any")
    # runtime schemas of torch spell ScalarType, Layout and MemoryFormat defaults as numbers
    return type_.base in _NUMBERS[:-2] or type_.base in ("ScalarType", "Layout", "MemoryFormat", "Any")


@cache
def _type(base: str, wraps: tuple[str, ...]) -> Type:
    return Type(base, wraps)


def parse(source: str) -> Schema:
    """Parse one schema; see `lamella.dispatch.schema.parse`."""
    return _Parser(source).schema()


def parse_arguments(source: str) -> tuple[Argument, ...]:
    """Parse the part between the parentheses alone (``Tensor x, *, int n=1``), with positions of that text."""
    parser = _Parser(source + ")")
    parser.source = source
    found = parser.arguments()
    if parser.tokens[parser.at][0] != "end":
        parser.expected("the end")
    return found
