"""Operator schemas in torch's grammar, as immutable values.

``parse("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")`` gives a `Schema`. Its ``str`` is the
source again; parsing checks that, so nothing in a declaration can be dropped silently. What a call means (`bind`) lives
in ``schema_bind``, the grammar itself in ``schema_parser``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .errors import SchemaError

__all__ = ["AliasInfo", "Argument", "Return", "Schema", "SchemaError", "Symbol", "Type", "parse"]

BASE_TYPES = (
    "Tensor",
    "Scalar",
    "int",
    "SymInt",
    "float",
    "SymFloat",
    "bool",
    "SymBool",
    "complex",
    "str",
    "ScalarType",
    "Layout",
    "Device",
    "DeviceIndex",
    "MemoryFormat",
    "Generator",
    "Storage",
    "Stream",
    "QScheme",
    "Any",
)


class Symbol(str):
    """A default that is a name, such as ``contiguous_format``; the package that owns it gives it meaning."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Type:
    """A type: a base name and what wraps it, inside out: ``?`` optional, ``[]`` list, ``[2]`` list of known size.

    Example:
        >>> str(Type("int", ("[1]", "?"))), Type("Tensor", ("?", "[]")).is_list
        ('int[1]?', True)
    """

    base: str
    wraps: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.base + "".join(self.wraps)

    @property
    def is_optional(self) -> bool:
        """Whether None is a value of the type."""
        return bool(self.wraps) and self.wraps[-1] == "?"

    @property
    def required(self) -> Type:
        """The type without an outer ``?``."""
        return Type(self.base, self.wraps[:-1]) if self.is_optional else self

    @property
    def is_list(self) -> bool:
        """Whether the type is a list, optional or not."""
        return any(wrap != "?" for wrap in self.wraps[-2:]) and self.required.wraps[-1:] != ("?",)

    @property
    def elem(self) -> Type:
        """The type of a list's elements; the type itself if it is not a list."""
        return Type(self.base, self.required.wraps[:-1]) if self.is_list else self

    @property
    def size(self) -> int | None:
        """The length in ``int[2]``, else None."""
        inner = self.required.wraps[-1:] if self.is_list else ()
        return int(inner[0][1:-1]) if inner and inner[0] != "[]" else None

    @property
    def is_tensor(self) -> bool:
        """Whether values are tensors: ``Tensor`` or ``Tensor?``, not a list."""
        return self.base == "Tensor" and not self.is_list

    @property
    def is_tensor_like(self) -> bool:
        """Whether values hold tensors: alone, optional or in a list."""
        return self.base == "Tensor"


@dataclass(frozen=True, slots=True)
class AliasInfo:
    """``(a!)``, ``(a|b)``, ``(a -> *)``: the memory an argument or a return may share, and whether it is written."""

    before_set: tuple[str, ...]
    is_write: bool = False
    after_set: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = "|".join(self.before_set) + ("!" if self.is_write else "")
        return f"({text} -> {'|'.join(self.after_set)})" if self.after_set else f"({text})"


def _spell(type_: Type, alias: AliasInfo | None) -> str:
    return type_.base + (str(alias) if alias else "") + "".join(type_.wraps)


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter. ``default_text`` is the default as written (None: there is none), ``default_value`` its value."""

    name: str
    type: Type
    alias_info: AliasInfo | None = None
    kwarg_only: bool = False
    default_text: str | None = None
    default_value: Any = None

    def __str__(self) -> str:
        text = f"{_spell(self.type, self.alias_info)} {self.name}"
        return text if self.default_text is None else f"{text}={self.default_text}"

    def has_default_value(self) -> bool:
        """Whether a call may leave the argument out."""
        return self.default_text is not None

    @property
    def is_write(self) -> bool:
        """Whether the operator writes into the argument."""
        return self.alias_info is not None and self.alias_info.is_write

    @property
    def is_out(self) -> bool:
        """Whether the argument is an ``out=`` tensor: keyword-only and written."""
        return self.kwarg_only and self.is_write


@dataclass(frozen=True, slots=True)
class Return:
    """One returned value; ``name`` is None for a return without a name."""

    type: Type
    name: str | None = None
    alias_info: AliasInfo | None = None

    def __str__(self) -> str:
        text = _spell(self.type, self.alias_info)
        return text if self.name is None else f"{text} {self.name}"


@dataclass(frozen=True, slots=True)
class Schema:
    """A whole declaration.

    Attributes follow torch's ``FunctionSchema``: ``name`` is ``ns::op`` (or ``op`` where no namespace was written),
    ``overload_name`` may be empty, ``arguments`` and ``returns`` are tuples.

    Example:
        >>> s = parse("aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)")
        >>> s.name, s.overload_name, [r.name for r in s.returns], s.kind
        ('aten::max', 'dim', ['values', 'indices'], 'functional')
    """

    name: str
    overload_name: str
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    _plan: Any = field(default=None, init=False, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.full_name}({self._arguments_text()}) -> {self._returns_text()}"

    def _arguments_text(self) -> str:
        parts, star = [], False
        for argument in self.arguments:
            if argument.kwarg_only and not star:
                star = True
                parts.append("*")
            parts.append(str(argument))
        return ", ".join(parts)

    def _returns_text(self) -> str:
        text = ", ".join(map(str, self.returns))
        return text if len(self.returns) == 1 else f"({text})"

    @property
    def full_name(self) -> str:
        """``ns::op.overload``, without the dot where the overload has no name."""
        return f"{self.name}.{self.overload_name}" if self.overload_name else self.name

    @property
    def namespace(self) -> str:
        """The part before ``::``, empty where none was written."""
        return self.name.partition("::")[0] if "::" in self.name else ""

    @property
    def base_name(self) -> str:
        """The operator's name without namespace and overload."""
        return self.name.rpartition("::")[2]

    @property
    def positional(self) -> tuple[Argument, ...]:
        """Arguments that may be given by position."""
        return tuple(a for a in self.arguments if not a.kwarg_only)

    @property
    def keyword_only(self) -> tuple[Argument, ...]:
        """Arguments behind the ``*``."""
        return tuple(a for a in self.arguments if a.kwarg_only)

    @property
    def out_arguments(self) -> tuple[Argument, ...]:
        """The ``out=`` arguments."""
        return tuple(a for a in self.arguments if a.is_out)

    @property
    def is_mutable(self) -> bool:
        """Whether any argument is written."""
        return any(a.is_write for a in self.arguments)

    @property
    def mutated_args(self) -> tuple[str, ...]:
        """Names of the arguments that are written."""
        return tuple(a.name for a in self.arguments if a.is_write)

    @property
    def kind(self) -> str:
        """``functional``, ``inplace`` (``add_``), ``out`` (``add.out``) or ``mutable`` (writes some other way)."""
        if not self.is_mutable:
            return "functional"
        if self.out_arguments:
            return "out"
        first = self.arguments[0]
        inplace = self.base_name.endswith("_") and not self.base_name.endswith("__")
        dunder = self.base_name.startswith("__i") and self.base_name.endswith("__")
        return "inplace" if first.is_write and (inplace or dunder) else "mutable"

    @property
    def is_inplace(self) -> bool:
        """Whether the operator writes its first argument and is named for it."""
        return self.kind == "inplace"

    @property
    def is_view(self) -> bool:
        """Whether a return shares memory with an argument that is not written."""
        read = {n for a in self.arguments if a.alias_info and not a.is_write for n in _names(a.alias_info)}
        return any(r.alias_info is not None and read.intersection(_names(r.alias_info)) for r in self.returns)

    def aliases(self) -> dict[int, tuple[str, ...]]:
        """Map the number of each return that may share memory to the names of the arguments it may share it with.

        Example:
            >>> parse("view(Tensor(a) self, SymInt[] size) -> Tensor(a)").aliases()
            {0: ('self',)}
        """
        found: dict[int, tuple[str, ...]] = {}
        for number, returned in enumerate(self.returns):
            if returned.alias_info is None:
                continue
            ours = set(_names(returned.alias_info))
            wild = "*" in ours
            names = tuple(
                a.name for a in self.arguments if a.alias_info and (wild or ours.intersection(_names(a.alias_info)))
            )
            found[number] = names
        return found

    def argument(self, name: str) -> Argument:
        """Return the argument called ``name``; raises TypeError naming the nearest one where there is none."""
        for argument in self.arguments:
            if argument.name == name:
                return argument
        from .errors import did_you_mean, message

        known = [a.name for a in self.arguments]
        raise TypeError(message(self.full_name, f"has no argument {name!r}", hint=did_you_mean(name, known)))

    def bind(
        self, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, *, fill: bool = False, strict: bool = False
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Normalise a call: positionals in schema order, keyword-only arguments by keyword.

        Trailing defaults that the caller left out stay out (``fill=True`` puts every default in). A number given for
        ``int[2]`` becomes ``[n, n]``.

        Args:
            args, kwargs: the call as written.
            fill: include every default.
            strict: refuse numbers where the schema says Tensor (otherwise ``aten`` operators take them).

        Returns:
            ``(args, kwargs)`` to call a kernel with.

        Raises:
            TypeError: an argument is missing, unknown, given twice, or of another type.

        Example:
            >>> parse("f(int a, int b=2, *, bool c=False) -> ()").bind((), {"c": True, "a": 1})
            ((1,), {'c': True})
        """
        from .schema_bind import bind

        return bind(self, args, kwargs or {}, fill=fill, strict=strict)

    def matches(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, *, strict: bool = False) -> bool:
        """Whether `bind` would accept the call."""
        try:
            self.bind(args, kwargs, strict=strict)
        except TypeError:
            return False
        return True

    def with_name(self, name: str, overload_name: str | None = None) -> Schema:
        """Return the same schema under another name (``ns::op``)."""
        overload = self.overload_name if overload_name is None else overload_name
        return Schema(name, overload, self.arguments, self.returns)


def _names(alias: AliasInfo) -> tuple[str, ...]:
    return alias.before_set + alias.after_set


def parse(source: str) -> Schema:
    """Parse a declaration written in torch's schema grammar.

    Args:
        source: for example ``"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"``; a namespace
            (``aten::``) is optional.

    Returns:
        The `Schema`; ``str`` of it equals ``source`` but for white space.

    Raises:
        SchemaError: the text does not follow the grammar. The message shows the place.

    Example:
        >>> str(parse("relu_(Tensor(a!) self) -> Tensor(a!)"))
        'relu_(Tensor(a!) self) -> Tensor(a!)'
    """
    from .schema_parser import parse as parse_text

    return parse_text(source)
