"""What the lowerings here share: element types, batches of matrices, gradients that may be missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..loops.ir import Buffer
from ..lower.registry import Unsupported
from ..lower.values import Value, stored

HALF = ("float16", "bfloat16")
REAL = ("float32", "float64")
FLOATS = (*REAL, *HALF)
NULL = "nullptr"


def widened(lo: Any, value: Value | None) -> Any:
    """A value of half precision in float32; others as they are."""
    if value is None or value.dtype not in HALF:
        return value
    return lo.pointwise(lambda ops, x: x, value, dtype="float32")


def narrowed(lo: Any, result: Any, dtype: str) -> Any:
    """A result in the type that the graph wants."""
    if result is None:
        return None
    value = result if isinstance(result, Value) else stored(result)
    return value if value.dtype == dtype else lo.pointwise(lambda ops, x: x, value, dtype=dtype)


def real(*values: Any, of: Sequence[str] = REAL) -> str:
    """The type of values that are all float32 or all float64 (or all of another type that ``of`` names).

    Raises:
        Unsupported: for others.
    """
    kinds = {v.dtype for v in values if v is not None}
    if len(kinds) != 1 or not kinds <= set(of):
        raise Unsupported(f"an element type that it is not written for: {', '.join(sorted(kinds))}")
    return kinds.pop()


def fixed(*sizes: Any) -> None:
    """Refuse symbolic sizes.

    Raises:
        Unsupported: if one is symbolic.
    """
    for n in sizes:
        if isinstance(n, (tuple, list)):
            fixed(*n)
        elif not isinstance(n, int):
            raise Unsupported("a size that is symbolic")


Pair = tuple[Any, Any, list[tuple[Any, Any]]]


def common_pair(shape: Sequence[Any], strides: Sequence[Sequence[Any]]) -> Pair | None:
    """Leading dimensions of several tensors (same sizes) as two: outer, inner, and each tensor's two steps."""
    groups: list[list[Any]] = []
    for d, n in enumerate(shape):
        if n == 1:
            continue
        steps = [s[d] for s in strides]
        if groups and all(g == s * n for g, s in zip(groups[-1][1], steps, strict=True)):
            groups[-1] = [groups[-1][0] * n, steps]
        else:
            groups.append([n, steps])
    if len(groups) > 2:
        return None
    while len(groups) < 2:
        groups.insert(0, [1, [0] * len(strides)])
    (outer, first), (inner, second) = groups
    return outer, inner, list(zip(first, second, strict=True))


def spread(buffer: Buffer, batch: Sequence[Any]) -> list[Any]:
    """The strides of a buffer's dimensions before the last two, broadcast to ``batch``."""
    skip = len(batch) - (len(buffer.shape) - 2)
    found: list[Any] = [0] * skip
    for d, n in enumerate(batch[skip:]):
        found.append(0 if buffer.shape[d] == 1 and n != 1 else buffer.stride[d])
    return found
