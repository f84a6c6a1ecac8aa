"""Guards: what must still hold for a program to be used again, as Python text over named constants.

Guards are collected while a function is recorded, and become one straight-line Python function (see `entry`). Objects
that were reached are held by the program and guarded by identity, so their parts need no names of their own: the path
from the function to an attribute of a module three levels down is one comparison for each step that was taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lamella.core.devices import device
from lamella.core.tensor import Tensor, describe

#: Values compared by value; other objects are compared by identity.
SCALARS = (int, float, bool, str, bytes, complex, type(None), type(Ellipsis))


class Guard:
    """One condition.

    Attributes:
        fails: Python text that is true when the condition does not hold.
        what: what is looked at, as a person would write it.
        read: text that gives the value for an explanation, or "".
        want: the value at recording.
        place: where a number or size is that may become a run-time value, or None.
        argument: the argument that the guard is about.
        state: it is about what the function might change itself, and so must hold when the recording is over.
        number: it is about the type of a run-time number, in whose place another object is while recording.
    """

    __slots__ = ("fails", "what", "read", "want", "place", "argument", "state", "number")

    def __init__(self, fails: str, what: str, read: str = "", want: Any = None, place: Any = None) -> None:
        self.fails, self.what, self.read, self.want, self.place = fails, what, read, want, place
        self.state = self.number = False
        self.argument: Any = None  # of a guard on a tensor argument that the one check of all of them covers

    def __repr__(self) -> str:
        return f"{self.what} == {shown(self.want)}"


def shown(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, Tensor):
        return f"{describe(value)} at {id(value):#x}"
    text = repr(value) if is_plain(value) else f"<{type(value).__name__} at {id(value):#x}>"
    return text if len(text) < 80 else text[:77] + "..."


#: What reading a place of a call raises where the call has another form.
FAULTS = (NameError, ValueError, KeyError, IndexError, AttributeError, TypeError)


def space_of(args: Any, kwargs: Any) -> dict[str, Any]:
    """The names by which texts of guards call the arguments of a call."""
    return {"kw": kwargs, **{f"a{i}": a for i, a in enumerate(args)}}


class Names:
    """Constants of generated code by name: the same object always has the same name."""

    def __init__(self) -> None:
        self.space: dict[str, Any] = {}
        self._of: dict[int, str] = {}

    def __call__(self, value: Any) -> str:
        found = self._of.get(id(value))
        if found is None:
            found = self._of[id(value)] = f"k{len(self._of)}"
            self.space[found] = value
        return found


def differs(a: Any, b: Any) -> bool:
    """Whether two plain values differ in type or value; 0.0 and -0.0 do, nan and nan do not."""
    if a is b:
        return False
    if type(a) is not type(b):
        return True
    if isinstance(a, tuple):
        return len(a) != len(b) or any(differs(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float):
        return not (a == b and (a != 0.0 or str(a) == str(b)) or (a != a and b != b))
    try:
        return bool(a != b)
    except Exception:
        return True


def is_plain(value: Any) -> bool:
    """Whether a value is compared by value."""
    kind = type(value)
    if kind in SCALARS or kind in (device, range, slice) or isinstance(value, np.generic):
        return True
    if isinstance(value, tuple):
        return all(is_plain(each) for each in value)
    return False


def check_value(names: Names, expr: str, value: Any) -> str:
    """Text that is true where ``expr`` no longer gives a plain value."""
    if value is None or value is True or value is False:
        return f"{expr} is not {value!r}"
    name = names(value)
    return f"{expr} is not {name} and differs({expr}, {name})"


Emit = Callable[[Guard], None]
