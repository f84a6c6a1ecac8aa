"""Where a thread is: the user's line, in a few words."""

from __future__ import annotations

import os
import sys
import sysconfig
import traceback
from types import FrameType
from typing import Any

_LIBRARIES = tuple({os.path.realpath(sysconfig.get_path(k)) + os.sep for k in ("stdlib", "purelib", "platlib")})
_INSIDE, _MONITOR = ("lamella.distributed", "mpi4py"), "lamella.distributed.monitor"


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _is_users(module: str, filename: str) -> bool:
    if module == "lamella" or module.startswith("lamella.") or filename.startswith("<"):
        return False
    return not os.path.realpath(filename).startswith(_LIBRARIES)


def _words(function: str, filename: str, line: int) -> str:
    place = f"{os.path.basename(filename)}:{line}"
    return f"at {place}" if function == "<module>" else f"in {function} at {place}"


def place(thread: int) -> tuple[str, bool]:
    """Where a thread is now.

    Args:
        thread: its identifier (`threading.get_ident`).

    Returns:
        Words such as ``in forward at train.py:12`` (the innermost line that is the user's own; ``in backward`` where
        the engine of derivatives runs below it), and whether the thread is inside of distributed work.

    Example:
        >>> import threading
        >>> place(threading.get_ident())[1]
        False
    """
    at: FrameType | None = sys._current_frames().get(thread)
    if at is None:
        return "at its end", False
    innermost, inside, settled, backward = at, False, False, False
    while at is not None:
        module = _module(at)
        if not settled and (module.startswith("lamella.") or module.startswith("mpi4py")):
            inside, settled = module.startswith(_INSIDE) and not module.startswith(_MONITOR), True
        if module == "lamella.autograd.engine":
            backward = True
        if _is_users(module, at.f_code.co_filename):
            function = "backward" if backward else at.f_code.co_name
            return _words(function, at.f_code.co_filename, at.f_lineno), inside
        at = at.f_back
    code = innermost.f_code
    return _words(code.co_name, code.co_filename, innermost.f_lineno), inside


def still(thread: int) -> tuple[Any, ...] | None:
    """A mark of a thread that stands inside of one call of distributed work; equal marks: it has not moved."""
    at = sys._current_frames().get(thread)
    if at is None or not _module(at).startswith(_INSIDE):
        return None
    return (id(at), at.f_code.co_name, at.f_lasti)


def raised_at(exception: BaseException) -> str:
    """Where an exception comes from: the innermost line that is the user's own."""
    found = traceback.extract_tb(exception.__traceback__)
    for entry in reversed(found):
        if not entry.filename.startswith("<") and not os.path.realpath(entry.filename).startswith(_LIBRARIES):
            if f"{os.sep}lamella{os.sep}" in entry.filename:
                continue
            return _words(entry.name, entry.filename, entry.lineno or 0)
    return ""


def name_exception(exception: BaseException) -> str:
    """An exception in one line.

    Example:
        >>> name_exception(ValueError("bad sample\\nmore"))
        'ValueError: bad sample'
    """
    text = str(exception).strip().split("\n")[0]
    if len(text) > 200:
        text = text[:197] + "..."
    name = type(exception).__name__
    return f"{name}: {text}" if text else name
