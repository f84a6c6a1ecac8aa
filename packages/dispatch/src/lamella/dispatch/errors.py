"""Messages in one form: ``op: rule (values)``, details, and a ``hint:`` last, six lines at most.

The helpers build text only; the caller picks torch's exception class, so that ``except RuntimeError`` in a program
written for torch goes on working.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MAX_LINES = 6


class LamellaError(RuntimeError):
    """Base of the errors that are lamella's own and have no counterpart among torch's exception classes."""


class SchemaError(LamellaError):
    """A schema that does not follow the grammar. ``column`` is the 0-based place of the fault in ``source``."""

    def __init__(self, text: str, source: str = "", column: int = 0) -> None:
        super().__init__(text)
        self.source = source
        self.column = column


class RegistrationError(LamellaError):
    """A definition or a kernel that contradicts what is registered already."""


def message(
    op: str,
    rule: str,
    values: Mapping[str, Any] | Iterable[Any] | str = (),
    *,
    details: Iterable[str] = (),
    hint: str | None = None,
) -> str:
    """Build the text of an error.

    Args:
        op: what was called, as the user wrote it.
        rule: what must hold or what went wrong, one clause, no full stop.
        values: the offending values: a mapping prints as ``name=value``, an iterable as ``a, b``, a string as it is.
        details: lines between the first one and the hint; cut so that the whole stays within six lines.
        hint: how to put it right.

    Returns:
        The text, six lines at most unless the rule itself has line breaks.

    Example:
        >>> print(message("mm", "inner sizes must agree", {"self": "[2,3]", "mat2": "[4,5]"}, hint="mat2.t()"))
        mm: inner sizes must agree (self=[2,3], mat2=[4,5])
        hint: mat2.t()
    """
    if isinstance(values, str):
        shown = values
    elif isinstance(values, Mapping):
        shown = ", ".join(f"{name}={value}" for name, value in values.items())
    else:
        shown = ", ".join(str(value) for value in values)
    first = f"{op}: {rule}" + (f" ({shown})" if shown else "")
    lines = first.split("\n")
    room = MAX_LINES - len(lines) - (hint is not None)
    rest = [line for detail in details for line in detail.split("\n")]
    if len(rest) > max(room, 0):
        left_out = len(rest) - max(room - 1, 0)
        rest = [*rest[: max(room - 1, 0)], f"  ... {left_out} more lines"] if room > 0 else []
    lines += rest
    if hint is not None:
        lines.append("hint: " + " ".join(hint.split("\n")))
    return "\n".join(lines)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the member of ``known`` that looks most like ``word``, or None when nothing is close.

    Example:
        >>> nearest("derivs", ["func", "derivatives"]), nearest("zzz", ["func"])
        ('derivatives', None)
    """
    import difflib

    names = list(dict.fromkeys(known))
    lowered = {name.lower(): name for name in names}
    if word.lower() in lowered:
        return lowered[word.lower()]
    found = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if found:
        return found[0]
    if len(word) >= 3:
        starts = [name for name in names if name.startswith(word) or (len(name) >= 3 and word.startswith(name))]
        if starts:
            return min(starts, key=lambda name: (abs(len(name) - len(word)), name))
    return None


def did_you_mean(word: str, known: Iterable[str], *, list_all: int = 12) -> str:
    """Return a hint for a name that is not known: the nearest one, else the valid ones if they are few.

    Example:
        >>> did_you_mean("derivs", ["func", "derivatives"])
        "did you mean 'derivatives'?"
        >>> did_you_mean("zzz", ["b", "a"])
        'valid: a, b'
        >>> did_you_mean("zzz", [])
        'there are none'
    """
    names = sorted(set(known))
    close = nearest(word, names)
    if close is not None:
        return f"did you mean {close!r}?"
    if not names:
        return "there are none"
    if len(names) <= list_all:
        return "valid: " + ", ".join(names)
    return "valid: " + ", ".join(names[:list_all]) + f", ... ({len(names)} in all)"


def caret(source: str, column: int, *, indent: str = "  ", width: int = 110) -> str:
    """Return two lines: a window of ``source`` and a caret under ``column``.

    Example:
        >>> print(caret("f(Tensor x,) -> Tensor", 11))
          f(Tensor x,) -> Tensor
                     ^
    """
    source = source.replace("\n", " ").replace("\t", " ")
    column = max(0, min(column, len(source)))
    start = 0 if len(source) <= width else max(0, min(column - width // 2, len(source) - width))
    window = source[start : start + width]
    lead = "..." if start else ""
    tail = "..." if start + width < len(source) else ""
    return f"{indent}{lead}{window}{tail}\n{indent}{' ' * (len(lead) + column - start)}^"


def caller_location(depth: int = 1, *, skip: tuple[str, ...] = ()) -> str:
    """Return ``file:line`` of the nearest caller whose module lies outside ``skip`` (prefixes of module names).

    Args:
        depth: frames above this function where the search starts.
        skip: prefixes of module names that are never the answer, for example ``("lamella.dispatch",)``.
    """
    import sys

    try:
        frame = sys._getframe(depth)
    except ValueError:
        return "<unknown>"
    at = frame
    while at is not None:
        module = at.f_globals.get("__name__", "")
        if not any(module == prefix or module.startswith(prefix + ".") for prefix in skip):
            return f"{at.f_code.co_filename}:{at.f_lineno}"
        if at.f_back is None:
            break
        at = at.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
