"""`rearrange`: reshaping and transposing by names of axes."""

from __future__ import annotations

import math
import re
from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

_TOKEN = re.compile(r"\s*(\.\.\.|[A-Za-z][A-Za-z0-9_]*|\d+|[()])")
Group = tuple[str, ...]  # the axes that one dimension is made of
DOTS: Group = ("...", "")  # the dimensions that are not named, each by itself; ("...",) is all of them as one


def _side(pattern: str, text: str) -> list[Group]:
    """One side of a pattern as the dimensions that it names."""
    groups: list[Group] = []
    inner: list[str] | None = None
    text, place = text.strip(), 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(message("rearrange", f"{text[place:].strip()[:1]!r} is not allowed in a pattern",
                                     {"pattern": pattern}))
        place, token = found.end(), found[1]
        if token == "(" and inner is None:
            inner = []
        elif token == ")" and inner is not None:
            groups.append(tuple(inner))
            inner = None
        elif token in "()":
            raise ValueError(message("rearrange", "parentheses must be balanced and may not be nested",
                                     {"pattern": pattern}))
        elif token.isdigit() and token != "1":
            raise ValueError(message("rearrange", "only supports unnamed axes of size 1", {"pattern": pattern}))
        elif inner is not None:
            inner += [] if token == "1" else [token]
        else:
            groups.append(() if token == "1" else DOTS if token == "..." else (token,))
    if inner is not None:
        raise ValueError(message("rearrange", "parentheses must be balanced and may not be nested",
                                 {"pattern": pattern}))
    return groups


def _parsed(pattern: str, lengths: dict[str, Any]) -> tuple[list[Group], list[Group]]:
    """Both sides of a pattern, checked against each other."""
    if pattern.count("->") != 1:
        raise ValueError(message("rearrange", "Pattern must contain a single '->' separator", {"pattern": pattern}))
    left, right = (_side(pattern, text) for text in pattern.split("->"))
    names = [[name for group in side for name in group if name] for side in (left, right)]
    for side in names:
        for name in side:
            if side.count(name) > 1:
                raise ValueError(message("rearrange", f"contains duplicate dimension {name!r}", {"pattern": pattern}))
    if any("..." in group and group is not DOTS for group in left):
        raise ValueError(message("rearrange", "an ellipsis in parentheses is not allowed on the left side",
                                 {"pattern": pattern}))
    odd = set(names[0]) ^ set(names[1])
    if odd:
        raise ValueError(message("rearrange", f"Identifiers only on one side of the expression (should be on both): "
                                              f"{sorted(odd)}", {"pattern": pattern}))
    for name, n in lengths.items():
        if not isinstance(n, int):
            raise TypeError(message("rearrange", f"axis lengths must be integers, got {type(n).__name__} for {name!r}"))
        if name not in names[0]:
            raise ValueError(message("rearrange", f"Identifiers not found in the expression: {name!r}",
                                     {"pattern": pattern}))
    return left, right


def _sizes(pattern: str, shape: tuple[int, ...], left: list[Group], lengths: dict[str, int]) -> dict[str, Any]:
    """The size of each axis; for the ellipsis a tuple."""
    dots = [i for i, group in enumerate(left) if group is DOTS]
    extra = len(shape) - len(left) + len(dots)
    if extra < 0 or not dots and extra:
        raise ValueError(message("rearrange", f"Number of dimensions in pattern ({len(left) - len(dots)}) must be "
                                              f"{'at most' if dots else 'equal to'} the number of dimensions in the "
                                              f"tensor ({len(shape)})", {"pattern": pattern}))
    found: dict[str, Any] = dict(lengths)
    place = 0
    for group in left:
        if group is DOTS:
            found["..."] = tuple(shape[place : place + extra])
            place += extra
            continue
        n = shape[place]
        place += 1
        known = math.prod(found[name] for name in group if name in found)
        unknown = [name for name in group if name not in found]
        if len(unknown) > 1:
            raise ValueError(message("rearrange", f"the sizes of {unknown} cannot be inferred", {"pattern": pattern},
                                     hint="give all but one as keywords"))
        if unknown:
            found[unknown[0]] = n // known if known else 0
        if math.prod(found[name] for name in group) != n:
            raise ValueError(message("rearrange", f"a dimension of size {n} cannot be split into {group}",
                                     {"pattern": pattern}))
    return found


def rearrange(tensor: Any, pattern: str, **axes_lengths: int) -> Any:
    """Reshape and transpose a tensor by naming its axes.

    Args:
        tensor: a tensor, or a sequence of tensors, which count as one with a dimension more in front.
        pattern: the axes before and after ``->``; parentheses join axes to one dimension, ``...`` stands for any
            number of them, ``1`` for a dimension of size 1.
        **axes_lengths: sizes of axes that do not follow from the shape.

    Returns:
        A tensor of the same elements; a view where that is possible.

    Errors:
        ValueError: the pattern is not well formed, or does not fit the tensor. TypeError: a length is no int.

    Example:
        >>> from lamella.core import arange
        >>> rearrange(arange(6).reshape(2, 3), "h w -> w h").shape
        torch.Size([3, 2])
        >>> rearrange(arange(6), "(h w) -> h w", w=3)
        tensor([[0, 1, 2],
                [3, 4, 5]])
    """
    if not isinstance(tensor, Tensor):
        tensor = F.stack(list(tensor))
    left, right = _parsed(pattern, axes_lengths)
    sizes = _sizes(pattern, tuple(tensor.shape), left, axes_lengths)

    def spread(name: str) -> list[Any]:
        return [("...", i) for i in range(len(sizes["..."]))] if name == "..." else [name] if name else []

    def size(axis: Any) -> int:
        return sizes["..."][axis[1]] if isinstance(axis, tuple) else sizes[axis]

    axes = [axis for group in left for name in group for axis in spread(name)]
    apart = tensor.reshape([size(axis) for axis in axes])
    order = [axis for group in right for name in group for axis in spread(name)]
    turned = apart.permute([axes.index(axis) for axis in order])
    shape: list[int] = []
    for group in right:
        if group is DOTS:
            shape += sizes["..."]
        else:
            shape.append(math.prod(size(axis) for name in group for axis in spread(name)))
    return turned.reshape(shape)


__all__ = ["rearrange"]
