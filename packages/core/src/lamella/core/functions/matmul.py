"""Products with several call forms: einsum, tensordot, chains."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from .._gen import matmul as _gen
from ..checks import wrap_dims
from ..runtime import write_out
from ..tensor import Tensor


def _put(op: str, r: Any, out: Any, exact: bool = False) -> Any:
    return r if out is None else write_out(op, out, r, exact)


def _letters(op: str, part: str, ndim: int, dots: int) -> list[str]:
    """One operand's subscripts; ``...`` becomes numbered letters counted from the end."""
    if part.count("...") > 1 or part.replace("...", "").count("."):
        raise RuntimeError(message(op, f"'...' may stand once in each operand, got {part!r}"))
    head, mark, tail = part.partition("...")
    for c in head + tail:
        if not c.isalpha():
            raise RuntimeError(message(op, f"invalid given operand subscript: {c!r}, subscripts must be in [a-zA-Z]"))
    n = ndim - len(head) - len(tail)
    if n < 0 or (n > 0 and not mark):
        raise RuntimeError(
            message(
                op,
                f"the number of subscripts in the equation ({len(head + tail)}) does not match the "
                f"number of dimensions ({ndim}) for an operand",
            )
        )
    return [*head, *[f".{i}" for i in range(dots - n, dots)], *tail]


def einsum(equation: Any, *operands: Any) -> Tensor:
    """Sums of products in Einstein's notation.

    Args:
        equation: ``"ij,jk->ik"``; ``...`` stands for broadcast dimensions; without ``->`` letters that occur once, in
            alphabetical order, are the result. Also the form ``einsum(a, [0, 1], b, [1, 2], [0, 2])``.
        *operands: tensors, one for each part.

    Raises:
        RuntimeError: for an equation that does not fit the operands.

    Example:
        >>> from lamella import core
        >>> einsum("ij,jk->ik", core.ones(2, 3), core.ones(3, 2))
        tensor([[3., 3.],
                [3., 3.]])
    """
    if isinstance(equation, Tensor):
        equation, operands = _from_sublists((equation, *operands))
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    parts = left.split(",")
    if not operands:
        raise RuntimeError(message("einsum", "at least one operand is needed"))
    if len(parts) != len(operands):
        raise RuntimeError(
            message(
                "einsum",
                f"{'more' if len(operands) < len(parts) else 'fewer'} operands are expected by the equation",
                {"parts": len(parts), "operands": len(operands)},
            )
        )
    dots = max(
        [x.ndim - len(p.replace("...", "")) for p, x in zip(parts, operands, strict=True) if "..." in p], default=0
    )
    names = [_letters("einsum", p, x.ndim, dots) for p, x in zip(parts, operands, strict=True)]
    everything = [c for n in names for c in n]
    if arrow:
        out = _letters("einsum", right, len(right.replace("...", "")) + (dots if "..." in right else 0), dots)
        for c in out:
            if c not in everything or out.count(c) > 1:
                raise RuntimeError(message("einsum", f"output subscript {c!r} must occur once and in some operand"))
    else:
        out = sorted({c for c in everything if c[0] == "."}) + sorted(
            c for c in set(everything) if everything.count(c) == 1 and c[0] != "."
        )
    return _contract(list(operands), names, out)


def _from_sublists(args: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    def word(sub: Any) -> str:
        return "".join("..." if i is Ellipsis else chr(ord("A") + i if i < 26 else ord("a") + i - 26) for i in sub)

    n = len(args) // 2
    text = ",".join(word(args[2 * i + 1]) for i in range(n))
    return text + ("->" + word(args[-1]) if len(args) % 2 else ""), tuple(args[2 * i] for i in range(n))


def _contract(operands: list[Any], names: list[list[str]], out: list[str]) -> Tensor:
    """Contract pairs from left to right (or in opt_einsum's order where it is installed)."""
    operands, names = map(list, zip(*(_diagonals(x, n) for x, n in zip(operands, names, strict=True)), strict=True))
    sizes: dict[str, int] = {}
    for x, n in zip(operands, names, strict=True):
        for c, s in zip(n, x.shape, strict=True):
            if sizes.setdefault(c, s) not in (s, 1) and s != 1:
                raise RuntimeError(
                    message(
                        "einsum",
                        f"subscript {c} has size {s} for an operand which does not broadcast with "
                        f"previously seen size {sizes[c]}",
                    )
                )
            sizes[c] = max(sizes[c], s)
    order = _path(names, sizes, out)
    for i, j in order:
        b, nb = operands.pop(max(i, j)), names.pop(max(i, j))
        a, na = operands.pop(min(i, j)), names.pop(min(i, j))
        keep = set(out).union(*names) if names else set(out)
        r, nr = _pair(a, na, b, nb, keep)
        operands.append(r)
        names.append(nr)
    x, n = operands[0], names[0]
    gone = [i for i, c in enumerate(n) if c not in out]
    if gone:
        x = x.sum(gone)
        n = [c for c in n if c in out]
    return x.permute([n.index(c) for c in out]) if n != out else x


def _path(names: list[list[str]], sizes: dict[str, int], out: list[str]) -> list[tuple[int, int]]:
    if len(names) > 2:
        try:
            import opt_einsum
        except ImportError:
            pass
        else:
            sets = [set(n) for n in names]
            found = opt_einsum.paths.greedy(sets, set(out), sizes)
            if all(len(p) == 2 for p in found):
                return [(p[0], p[1]) for p in found]
    return [(0, 1)] * (len(names) - 1)


def _diagonals(x: Any, names: list[str]) -> tuple[Any, list[str]]:
    """Repeated letters of one operand: their diagonal."""
    for c in dict.fromkeys(names):
        while names.count(c) > 1:
            i = names.index(c)
            j = names.index(c, i + 1)
            if x.shape[i] != x.shape[j]:
                raise RuntimeError(
                    message(
                        "einsum", f"subscript {c} is repeated but the sizes don't match, {x.shape[i]} != {x.shape[j]}"
                    )
                )
            x = x.diagonal(0, i, j)
            names = [n for k, n in enumerate(names) if k not in (i, j)] + [c]
    return x, names


def _pair(a: Any, na: list[str], b: Any, nb: list[str], keep: set[str]) -> tuple[Any, list[str]]:
    """One contraction as a batched matrix product."""
    for x, n, other in ((0, na, nb), (1, nb, na)):
        gone = [i for i, c in enumerate(n) if c not in other and c not in keep]
        if gone:
            if x == 0:
                a, na = a.sum(gone), [c for c in n if c in other or c in keep]
            else:
                b, nb = b.sum(gone), [c for c in n if c in other or c in keep]
    batch = [c for c in na if c in nb and c in keep]
    inner = [c for c in na if c in nb and c not in keep]
    left, right = [c for c in na if c not in nb], [c for c in nb if c not in na]
    if not inner:
        # Nothing to sum: a broadcast product.
        result = batch + left + right
        x = a.permute([na.index(c) for c in batch + left]).reshape(
            [a.shape[na.index(c)] for c in batch + left] + [1] * len(right)
        )
        y = b.permute([nb.index(c) for c in batch + right])
        y = y.reshape([*y.shape[: len(batch)], *[1] * len(left), *y.shape[len(batch) :]])
        return x * y, result

    def size(x: Any, n: list[str], cs: list[str]) -> list[int]:
        return [x.shape[n.index(c)] for c in cs]

    full = [max(p, q) for p, q in zip(size(a, na, batch + inner), size(b, nb, batch + inner), strict=True)]
    bs, ks = full[: len(batch)], full[len(batch) :]
    x = a.permute([na.index(c) for c in batch + left + inner]).expand(bs + size(a, na, left) + ks)
    y = b.permute([nb.index(c) for c in batch + inner + right]).expand(bs + ks + size(b, nb, right))
    rows, terms, cols = math.prod(size(a, na, left)), math.prod(ks), math.prod(size(b, nb, right))
    if batch:
        r = x.reshape(math.prod(bs), rows, terms) @ y.reshape(math.prod(bs), terms, cols)
    else:
        r = x.reshape(rows, terms) @ y.reshape(terms, cols)
    return r.reshape(bs + size(a, na, left) + size(b, nb, right)), batch + left + right


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Any = None) -> Tensor:
    """The product of two tensors summed over pairs of dimensions.

    Args:
        a, b: tensors.
        dims: how many last dimensions of ``a`` meet the first of ``b``, or two lists of dimensions.
    """
    if isinstance(dims, Tensor):
        dims = dims.tolist()  # type: ignore[attr-defined]
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(message("tensordot", f"expects dims >= 0, but got dims={dims}"))
        if dims > min(a.ndim, b.ndim):
            raise RuntimeError(message("tensordot", f"expects dims <= both numbers of dimensions, but got dims={dims}"))
        left, right = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        left, right = list(wrap_dims("tensordot", dims[0], a.ndim)), list(wrap_dims("tensordot", dims[1], b.ndim))
    if len(left) != len(right):
        raise RuntimeError(message("tensordot", "both dimension lists should have same length", [left, right]))
    for i, j in zip(left, right, strict=True):
        if a.shape[i] != b.shape[j] and 1 not in (a.shape[i], b.shape[j]):
            raise RuntimeError(
                message(
                    "tensordot",
                    f"contracted dimensions need to match, but first has size {a.shape[i]} in dim "
                    f"{i} and second has size {b.shape[j]} in dim {j}",
                )
            )
    na = [f"a{i}" for i in range(a.ndim)]
    nb = [f"b{i}" for i in range(b.ndim)]
    for i, j in zip(left, right, strict=True):
        nb[j] = na[i]
    result = [n for n in na if n not in nb] + [n for n in nb if n not in na]
    r, names = _pair(a, na, b, nb, set(result))
    r = r.permute([names.index(n) for n in result]) if names != result else r
    return _put("tensordot", r, out, True)


def chain_matmul(*matrices: Any, out: Any = None) -> Tensor:
    """The product of several matrices."""
    items = matrices[0] if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)) else matrices
    r = items[0]
    for m in items[1:]:
        r = _gen.mm(r, m)
    return _put("chain_matmul", r, out)


def cross(input: Tensor, other: Tensor, dim: int | None = None, *, out: Any = None) -> Tensor:  # noqa: A002
    """The cross product along a dimension of size 3 (the first such one by default)."""
    if dim is None:
        dim = next((i for i, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError(message("cross", "no dimension of size 3 in input", {"input": list(input.shape)}))
    return _put("cross", _gen.linalg_cross(input, other, dim=dim), out, True)


def _matmul(self: Tensor, other: Any) -> Any:
    return _gen.op_matmul(self, other) if isinstance(other, Tensor) else NotImplemented


def _rmatmul(self: Tensor, other: Any) -> Any:
    from ..creation import as_tensor

    return _gen.op_matmul(as_tensor(other), self) if hasattr(other, "__array__") else NotImplemented


FUNCTIONS = {f.__name__: f for f in (einsum, tensordot, chain_matmul, cross)}
METHODS = {"cross": cross, "__matmul__": _matmul, "__rmatmul__": _rmatmul}
