"""Text of a loop nest in static single assignment form: values with names, in the scope where they belong.

A scope is the body of a loop (or of a condition). A value is put into the outermost scope that knows all it is made
of, so what does not change in a loop is computed before it. What is used once is written where it is used, as long as
the line stays short. Nothing here knows C++: printers of other languages bring their own statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

Piece = Any  # str | Value | Access

#: How tightly a text binds: a name or call, a prefix, a product, a sum, anything else.
ATOM, PREFIX, PRODUCT, SUM, LOOSE = 4, 3, 2, 1, 0
WIDTH = 88


class Value:
    """A value of a program's text.

    Attributes:
        dtype: its element type (as in the loop language).
        pieces: strings, values and accesses that make its expression; an operand may be ``(value, bind)``: it gets
            parentheses where it binds less tightly than ``bind``.
        bind: how tightly the expression binds.
        scope: where it belongs. pinned: it is never moved to where it is used.
        uses: how many statements read it. hint: what to call it. limit: how long it may be where it is used.
    """

    __slots__ = ("dtype", "pieces", "bind", "scope", "pinned", "uses", "hint", "name", "literal", "readers", "limit")

    def __init__(self, dtype: str, pieces: list[Piece], bind: int = ATOM, scope: Scope | None = None, hint: str = "t",
                 literal: bool = False, pinned: bool = False) -> None:
        self.dtype, self.pieces, self.bind, self.scope = dtype, pieces, bind, scope
        self.hint, self.literal, self.pinned = hint, literal, pinned
        self.uses = 0
        self.limit = WIDTH // 2
        self.name = ""
        self.readers: set[int] = set()  # ids of the scopes that read it


class Access:
    """A place in memory: ``buffer[index]``; how it prints is the printer's business (`Nest.access`)."""

    __slots__ = ("buffer", "index")

    def __init__(self, buffer: Any, index: Any) -> None:
        self.buffer, self.index = buffer, index


class Line:
    """A statement that is no value: a store, an update of an accumulator."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces


class Scope:
    """The body of a loop or of a condition, or the whole function.

    Attributes:
        depth: how many scopes are around it.
        items: values, lines and scopes in order.
        head, tail: lines (as pieces) before and after it; ``indent`` whether the body is indented.
    """

    __slots__ = ("depth", "items", "head", "tail", "seen", "need", "guard", "names")

    def __init__(self, depth: int, head: list[list[Piece]], tail: list[list[Piece]], guard: bool = False) -> None:
        self.depth, self.head, self.tail = depth, head, tail
        self.items: list[Any] = []
        self.seen: dict[Any, Any] = {}
        self.need = 0  # of a condition: the depth of the deepest scope that it takes values from
        self.guard = guard
        self.names: list[str] = []  # of its loop variables


class Names:
    """Gives out identifiers. Those of loops may be used again after the loop.

    Attributes:
        ever: all that were given out. open: those that are in use.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.open = set(taken)
        self.ever = set(self.open)

    def new(self, hint: str, loop: bool = False) -> str:
        """An unused identifier like ``hint``."""
        stem = re.sub(r"\W", "_", hint) or "t"
        if stem[0].isdigit():
            stem = "t" + stem
        taken = self.open if loop else self.ever
        name, n = stem, 0
        while name in taken:
            n += 1
            name = f"{stem}{'_' if stem[-1].isdigit() else ''}{n}"
        self.take(name)
        return name

    def take(self, name: str) -> None:
        """Make a name used."""
        self.open.add(name)
        self.ever.add(name)


class Nest:
    """A function under construction: a stack of open scopes."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.scopes: list[Scope] = [Scope(0, [], [])]

    # -- building ---------------------------------------------------------------------------------------------------

    def open(self, head: list[list[Piece]], tail: list[list[Piece]], guard: bool = False) -> Scope:
        """Enter a loop's (``guard``: a condition's) body."""
        scope = Scope(len(self.scopes), head, tail, guard)
        for line in head:
            self._read(line, self.scopes[-1])
        self.scopes.append(scope)
        return scope

    def close(self, into: Scope | None = None) -> None:
        """Leave the innermost scope; it becomes a statement of ``into`` (the scope around it)."""
        scope = self.scopes.pop()
        (into or self.scopes[-1]).items.append(scope)

    def scope_of(self, pieces: list[Piece], least: int = 0) -> Scope:
        """The outermost scope that knows all values among ``pieces``, and is at least at depth ``least``."""
        depth = max([least, *(v.scope.depth for v in values_in(pieces) if v.scope is not None)])
        return self.scopes[depth]

    def guard_depth(self) -> int:
        """The depth of the innermost open condition, or 0."""
        return max((s.depth for s in self.scopes if s.guard), default=0)

    def value(self, dtype: str, pieces: list[Piece], bind: int = ATOM, hint: str = "t", least: int = 0,
              pinned: bool = False, key: Any = None) -> Value:
        """A value, or the equal one that is there already."""
        key = (dtype, *map(_key, pieces)) if key is None else key
        for scope in self.scopes:
            found = scope.seen.get(key)
            if found is not None:
                return found
        scope = self.scope_of(pieces, least)
        value = Value(dtype, pieces, bind, scope, hint, pinned=pinned)
        scope.seen[key] = value
        self.put(value, scope)
        return value

    def put(self, item: Value | Line, scope: Scope | None = None) -> None:
        """Append a statement."""
        scope = scope or self.scopes[-1]
        self._read(item.pieces, scope)
        scope.items.append(item)

    def _read(self, pieces: list[Piece], scope: Scope) -> None:
        for v in values_in(pieces):
            v.uses += 1
            v.readers.add(id(scope))
            if v.scope is not None:
                for around in self.scopes[v.scope.depth + 1:scope.depth + 1]:
                    around.need = max(around.need, v.scope.depth)

    # -- printing ---------------------------------------------------------------------------------------------------

    def declare(self, value: Value) -> str:
        """The start of a statement that declares a value: ``const float name``."""
        raise NotImplementedError

    def access(self, access: Access) -> str:
        """The text of a place in memory."""
        raise NotImplementedError

    def text(self, indent: int = 4) -> list[str]:
        """The lines of the function's body."""
        lines: list[str] = []
        self._print(self.scopes[0], indent, lines)
        return lines

    def _print(self, scope: Scope, indent: int, lines: list[str]) -> None:
        pad = " " * indent
        for item in scope.items:
            if isinstance(item, Scope):
                for head in item.head:
                    text = self.join(head)
                    lines.append(text if text.startswith("#") else pad + text)
                self._print(item, indent + 4, lines)
                lines.extend(pad + self.join(tail) for tail in item.tail)
            elif isinstance(item, Line):
                lines.append(pad + self.join(item.pieces))
            elif item.uses and not self._inlined(item):
                expression = self.join(item.pieces)
                if not item.name:
                    item.name = self.names.new(item.hint)
                lines.append(f"{pad}{self.declare(item)} = {expression};")

    def _inlined(self, value: Value) -> bool:
        if value.literal:
            return True
        if value.pinned or value.uses != 1 or value.readers != {id(value.scope)} or value.name:
            return False
        text = self.join(value.pieces)
        if len(text) > value.limit:
            return False
        value.pieces = [text]  # its operands are decided: statements print in order
        value.literal = True
        return True

    def join(self, pieces: list[Piece]) -> str:
        """Pieces as text."""
        out = []
        for piece in pieces:
            if isinstance(piece, str):
                out.append(piece)
            elif isinstance(piece, tuple):
                text, bind = self.read(piece[0])
                out.append(f"({text})" if bind < piece[1] else text)
            elif isinstance(piece, Access):
                out.append(self.access(piece))
            else:
                out.append(self.read(piece)[0])
        return "".join(out)

    def read(self, value: Value) -> tuple[str, int]:
        """What stands for a value where it is used, and how tightly that binds."""
        if value.literal:
            return self.join(value.pieces), value.bind
        return value.name, ATOM


def values_in(pieces: Iterable[Piece]) -> list[Value]:
    """The values among pieces, those inside indices not included (printers list them as pieces too)."""
    found = []
    for piece in pieces:
        if isinstance(piece, Value):
            found.append(piece)
        elif isinstance(piece, tuple):
            found.append(piece[0])
        elif isinstance(piece, Access):
            found += piece.index.values
    return found


def _key(piece: Piece) -> Any:
    """What is equal for equal pieces; a number is a new value each time that it is asked for."""
    if isinstance(piece, tuple):
        return (_key(piece[0]), piece[1])
    if isinstance(piece, Access):
        return (id(piece.buffer), piece.index.expr)
    if isinstance(piece, Value):
        return (piece.dtype, piece.pieces[0]) if piece.literal and piece.scope is None else id(piece)
    return piece
