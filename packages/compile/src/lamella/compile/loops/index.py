"""Integer expressions over loop variables and symbolic sizes: where in a buffer an element lies.

An `Expr` is a polynomial: a sum of products of atoms with whole coefficients. Atoms are variables (`Var`), and
`FloorDiv` and `Mod` of an expression by another. Sizes and indices are never negative, so division is floor division
in Python and plain division in C++. Numbers stay ``int`` wherever no variable takes part: ``lift`` makes an `Expr`
of one, and results that are constant become ``int`` again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import gcd
from typing import Any

Monomial = tuple["Atom", ...]


class Atom:
    """What cannot be taken apart: a variable, a division or a remainder. ``key`` orders and compares."""

    __slots__ = ("key", "_hash")
    key: tuple[Any, ...]
    _hash: int

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Atom) and self.key == other.key)

    def __hash__(self) -> int:
        return self._hash

    def __lt__(self, other: Atom) -> bool:
        return str(self.key) < str(other.key)


class Var(Atom):
    """A loop variable, a symbolic size, or a value read from memory.

    Attributes:
        name: an identifier.
        size: it is in ``range(size)`` (a loop variable), or None.
    """

    __slots__ = ("name", "size")

    def __init__(self, name: str, size: Any = None) -> None:
        self.name, self.size = name, size
        self.key = ("v", name)
        self._hash = hash(self.key)

    def __reduce__(self) -> Any:
        return Var, (self.name, self.size)  # hashes of text differ between processes

    def __repr__(self) -> str:
        return self.name


class _Pair(Atom):
    __slots__ = ("a", "b")
    sign = ""

    def __init__(self, a: Expr, b: Any) -> None:
        self.a, self.b = a, b
        self.key = (self.sign, str(a), str(b))
        self._hash = hash(self.key)

    def __reduce__(self) -> Any:
        return type(self), (self.a, self.b)

    def __repr__(self) -> str:
        a, b = (f"({x})" if isinstance(x, Expr) and any(s in str(x) for s in "+*") else x for x in (self.a, self.b))
        return f"({a} {self.sign} {b})"


class FloorDiv(_Pair):
    """``a // b``."""

    __slots__ = ()
    sign = "//"


class Mod(_Pair):
    """``a % b``."""

    __slots__ = ()
    sign = "%"


class Expr:
    """A polynomial; build it by arithmetic on variables.

    Example:
        >>> i, j = lift(Var("i", 4)), lift(Var("j", 8))
        >>> i * 8 + j
        8*i + j
        >>> (i * 8 + j) // 8, (i * 8 + j) % 8
        (i, j)
    """

    __slots__ = ("terms", "_hash")

    def __init__(self, terms: dict[Monomial, int]) -> None:
        self.terms = terms
        self._hash: int | None = None

    def __reduce__(self) -> Any:
        return Expr, (self.terms,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __add__(self, other: Any) -> Any:
        terms = dict(self.terms)
        for m, c in lift(other).terms.items():
            terms[m] = terms.get(m, 0) + c
        return _lower(terms)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + other * -1

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        terms: dict[Monomial, int] = {}
        for m, c in self.terms.items():
            for n, d in lift(other).terms.items():
                key = tuple(sorted(m + n))
                terms[key] = terms.get(key, 0) + c * d
        return _lower(terms)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return _divide(self, other)[0]

    def __mod__(self, other: Any) -> Any:
        return _divide(self, other)[1]

    def __rfloordiv__(self, other: Any) -> Any:
        return _divide(lift(other), self)[0]

    def __rmod__(self, other: Any) -> Any:
        return _divide(lift(other), self)[1]

    def atoms(self) -> Iterator[Atom]:
        """The atoms, those inside divisions too."""
        for m in self.terms:
            for atom in m:
                yield atom
                if isinstance(atom, _Pair):
                    yield from atom.a.atoms()
                    if isinstance(atom.b, Expr):
                        yield from atom.b.atoms()

    def vars(self) -> set[Var]:
        """The variables."""
        return {a for a in self.atoms() if isinstance(a, Var)}

    def coefficient(self, var: Var) -> Any:
        """By how much the value grows with ``var``: an int or `Expr`; None where it is not linear in it."""
        terms: dict[Monomial, int] = {}
        for m, c in self.terms.items():
            inside = any(isinstance(a, _Pair) and var in lift_pair(a) for a in m)
            count = m.count(var)
            if inside or count > 1:
                return None
            if count:
                rest = list(m)
                rest.remove(var)
                terms[tuple(rest)] = c
        return _lower(terms)

    def substitute(self, values: dict[Var, Any]) -> Any:
        """The expression with variables replaced by ints or expressions."""
        total: Any = 0
        for m, c in self.terms.items():
            product: Any = c
            for atom in m:
                product = product * _replaced(atom, values)
            total = total + product
        return total

    def evaluate(self, values: dict[str, int]) -> int:
        """The number, given each variable's by name."""
        found = self.substitute({v: values[v.name] for v in self.vars()})
        return int(found)

    def __str__(self) -> str:
        parts = []
        for m, c in sorted(self.terms.items(), key=lambda t: (-len(t[0]), str(t[0]))):
            body = "*".join(map(repr, m))
            parts.append(str(c) if not m else body if c == 1 else f"{c}*{body}")
        return " + ".join(parts) or "0"

    __repr__ = __str__


def lift_pair(atom: _Pair) -> set[Var]:
    """The variables inside a division or remainder."""
    return atom.a.vars() | (atom.b.vars() if isinstance(atom.b, Expr) else set())


def lift(value: Any) -> Expr:
    """An `Expr` of an int, a `Var` (or other atom), or an `Expr`."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, Atom):
        return Expr({(value,): 1})
    return Expr({(): int(value)} if value else {})


def substitute(value: Any, values: dict[Var, Any]) -> Any:
    """`Expr.substitute` for ints too."""
    return value.substitute(values) if isinstance(value, Expr) else value


def is_static(value: Any) -> bool:
    """Whether a size is a plain number."""
    return not isinstance(value, Expr)


def upper(value: Any) -> int | None:
    """The largest value that an index can take, where loop variables bound it; else None."""
    if not isinstance(value, Expr):
        return int(value)
    total = 0
    for m, c in value.terms.items():
        top = c
        if c < 0:
            continue  # the other factors are at least 0
        for atom in m:
            limit = _top(atom)
            if limit is None:
                return None
            top *= limit
        total += top
    return total


def _top(atom: Atom) -> int | None:
    if isinstance(atom, Var):
        return atom.size - 1 if isinstance(atom.size, int) else None
    if isinstance(atom, Mod) and isinstance(atom.b, int):
        inner = upper(atom.a)
        return atom.b - 1 if inner is None else min(inner, atom.b - 1)
    if isinstance(atom, FloorDiv) and isinstance(atom.b, int):
        inner = upper(atom.a)
        return None if inner is None else inner // atom.b
    return None


def _lower(terms: dict[Monomial, int]) -> Any:
    terms = {m: c for m, c in terms.items() if c}
    if not terms:
        return 0
    if len(terms) == 1 and () in terms:
        return terms[()]
    if len(terms) > 1:
        for m in terms:
            if len(m) == 1 and m[0].__class__ is Mod:
                return _joined(terms)
    return Expr(terms)


def _joined(terms: dict[Monomial, int]) -> Any:
    """``c * (a % b) + c * b * (a // b)`` is ``c * a``."""
    for m, c in terms.items():
        if len(m) == 1 and isinstance(m[0], Mod) and isinstance(m[0].b, int):
            mod = m[0]
            whole = lift(_divide(mod.a, mod.b)[0])
            if all(terms.get(n) == c * mod.b * d for n, d in whole.terms.items()):
                rest = {n: d for n, d in terms.items() if n != m and n not in whole.terms}
                return _lower(rest) + mod.a * c
    return Expr(terms)


def _replaced(atom: Atom, values: dict[Var, Any]) -> Any:
    if isinstance(atom, Var):
        found = values.get(atom, atom)
        return lift(found) if isinstance(found, Atom) else found
    if isinstance(atom, _Pair):
        a, b = atom.a.substitute(values), substitute(atom.b, values)
        return a // b if isinstance(atom, FloorDiv) else a % b
    return lift(atom)


def _divide(a: Expr, b: Any) -> tuple[Any, Any]:
    """(a // b, a % b), taking out what divides evenly."""
    if isinstance(b, int) and b == 1:
        return a, 0
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for m, c in a.terms.items():
        quotient = _quotient(m, c, b)
        if quotient is None:
            rest[m] = c
        else:
            whole[quotient[0]] = whole.get(quotient[0], 0) + quotient[1]
    remainder = _lower(rest)
    out = _lower(whole)
    if not isinstance(remainder, Expr) and isinstance(b, int):
        return out + remainder // b, remainder % b
    if remainder == 0:
        return out, 0
    limit = upper(remainder)
    low = all(c >= 0 for c in rest.values())
    if isinstance(b, int) and low and limit is not None and limit < b:
        return out, remainder
    if isinstance(b, Expr) and low and _fits(lift(remainder), b):
        return out, remainder
    if not low:
        out, remainder = 0, a
    elif isinstance(b, int):
        parts = _in_units(rest, b) or _of_atom(remainder, b)
        if parts is not None:
            return out + parts[0], parts[1]
    remainder = lift(remainder)
    return out + lift(FloorDiv(remainder, b)), lift(Mod(remainder, b))


def _in_units(terms: dict[Monomial, int], b: int) -> tuple[Any, Any] | None:
    """(a // b, a % b) of ``g * x + y`` where ``y < g`` and g divides b: x is what is divided."""
    for g in sorted({gcd(b, c) for c in terms.values()}, reverse=True):
        if g == 1:
            return None
        small = _lower({m: c for m, c in terms.items() if c % g})
        top = upper(small)
        if top is not None and top < g:
            large = lift(_lower({m: c // g for m, c in terms.items() if c % g == 0}))
            whole, left = _divide(large, b // g)
            return whole, left * g + small
    return None


def _of_atom(a: Any, b: int) -> tuple[Any, Any] | None:
    """(a // b, a % b) of what is itself a quotient or a remainder."""
    if len(a.terms) != 1:
        return None
    [(m, c)] = a.terms.items()
    if c != 1 or len(m) != 1 or not isinstance(m[0], _Pair) or not isinstance(m[0].b, int):
        return None
    atom = m[0]
    if isinstance(atom, FloorDiv):
        return _divide(atom.a, atom.b * b)[0], lift(Mod(a, b))
    if atom.b % b == 0:
        whole, left = _divide(atom.a, b)
        return lift(whole) % (atom.b // b), left
    return None


def _quotient(m: Monomial, c: int, b: Any) -> tuple[Monomial, int] | None:
    """The product divided by ``b`` where that leaves nothing."""
    if isinstance(b, int):
        return (m, c // b) if c % b == 0 else None
    if len(b.terms) != 1:
        return None
    [(factor, d)] = b.terms.items()
    if c % d:
        return None
    left = list(m)
    for atom in factor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left), c // d


def _fits(a: Expr, b: Expr) -> bool:
    """Whether ``a < b`` because a is one loop variable whose size is ``b``."""
    if len(a.terms) == 1:
        [(m, c)] = a.terms.items()
        return c == 1 and len(m) == 1 and isinstance(m[0], Var) and m[0].size == b
    return False


def contiguous(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row-major strides of a shape."""
    strides: list[Any] = []
    step: Any = 1
    for n in reversed(shape):
        strides.append(step)
        step = step * (1 if isinstance(n, int) and n == 0 else n)
    return tuple(reversed(strides))


def memory_order(shape: tuple[Any, ...], stride: tuple[Any, ...]) -> tuple[int, ...] | None:
    """The dimensions from the outermost in memory to the innermost, where the layout is a permutation of row-major.

    None where it has gaps or overlaps.
    """
    rows = contiguous(shape)
    if all(n == 1 or s == c for n, s, c in zip(shape, stride, rows, strict=True)):
        return tuple(range(len(shape)))
    if any(isinstance(n, int) and n == 0 for n in shape):
        return None
    left = [d for d in range(len(shape)) if shape[d] != 1]
    inner: list[int] = []
    step: Any = 1
    while left:
        d = next((d for d in left if stride[d] == step), None)
        if d is None:
            return None
        left.remove(d)
        inner.append(d)
        step = step * shape[d]
    return (*(d for d in range(len(shape)) if shape[d] == 1), *reversed(inner))


def flattened(index: Sequence[Any], sizes: Sequence[Any]) -> Any:
    """Indices into dimensions, outermost first, as one number."""
    total: Any = 0
    for i, size in zip(index, sizes, strict=True):
        total = total * size + i
    return total


def product(sizes: tuple[Any, ...] | list[Any]) -> Any:
    """The product of sizes."""
    total: Any = 1
    for n in sizes:
        total = total * n
    return total


Body = Callable[..., Any]
