"""torch.torch_version: a version string that compares as a version."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["TorchVersion"]


def _key(version: Any) -> tuple[int, ...]:
    """The numbers of a version; what follows a `+` does not count."""
    if isinstance(version, str):
        return tuple(int(n) for n in re.findall(r"\d+", re.split(r"[+a-z]", version.strip(), maxsplit=1)[0]))
    return tuple(int(n) for n in version)


def _padded(a: Any, b: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    x, y = _key(a), _key(b)
    width = max(len(x), len(y))
    return x + (0,) * (width - len(x)), y + (0,) * (width - len(y))


class TorchVersion(str):
    """A ``str`` that compares with other versions, given as strings or as tuples of numbers, number by number.

    Example:
        >>> v = TorchVersion("2.13.0+lamella")
        >>> v >= (2, 1), v > "2.9", v.split("+")[0]
        (True, True, '2.13.0')
    """

    __slots__ = ()

    def __lt__(self, other: Any) -> bool:
        a, b = _padded(self, other)
        return a < b

    def __le__(self, other: Any) -> bool:
        a, b = _padded(self, other)
        return a <= b

    def __gt__(self, other: Any) -> bool:
        a, b = _padded(self, other)
        return a > b

    def __ge__(self, other: Any) -> bool:
        a, b = _padded(self, other)
        return a >= b

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str.__eq__(self, other) or ("+" not in other and _padded(self, other)[0] == _padded(self, other)[1])
        if isinstance(other, (tuple, list)):
            a, b = _padded(self, other)
            return a == b
        return NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__
