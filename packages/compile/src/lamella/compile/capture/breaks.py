"""Why a call cannot become a graph."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
import threading
from collections.abc import Iterable
from types import FrameType
from typing import Any

import numpy as np

import lamella
from lamella.dispatch.errors import LamellaError, message


def _inside(folders: Iterable[str]) -> tuple[str, ...]:
    """What the paths of all files in folders begin with."""
    return tuple(os.path.join(each, "") for each in dict.fromkeys(folders) if each)


OURS = _inside(lamella.__path__)
STDLIB = _inside(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
SITE = _inside(sysconfig.get_path(name) for name in ("purelib", "platlib"))
_NUMPY = _inside(np.__path__)


@functools.lru_cache(None)
def is_our_file(file: str) -> bool:
    """Whether code of a file belongs to lamella itself."""
    return file.startswith(OURS) or file.startswith("<lamella")


@functools.lru_cache(None)
def is_library_file(file: str) -> bool:
    """Whether code of a file belongs to lamella, Python's library or NumPy: nothing to guard there."""
    if is_our_file(file) or file.startswith("<frozen"):
        return True
    return file.startswith(STDLIB) and not file.startswith(SITE) or file.startswith(_NUMPY)


def is_ours(code: Any) -> bool:
    """Whether a code object belongs to lamella itself."""
    return is_our_file(code.co_filename)


def is_library(code: Any) -> bool:
    """Whether a code object belongs to lamella, Python's library or NumPy: nothing to guard there."""
    return is_library_file(code.co_filename)


def user_frame(frame: FrameType | None = None) -> FrameType | None:
    """The innermost frame outside lamella."""
    if frame is None:
        frame = sys._getframe(1)
    while frame is not None and is_ours(frame.f_code):
        frame = frame.f_back
    return frame


def user_line(frame: FrameType | None = None) -> str:
    """``file:line`` of the innermost frame outside lamella."""
    found = user_frame(frame or sys._getframe(1))
    return "" if found is None else f"{found.f_code.co_filename}:{found.f_lineno}"


class _Raised(threading.local):
    list: list[Break] | None = None


_raised = _Raised()


class Noticed:
    """A block in which breaks are remembered: user code may catch them, and go on in a way that data would not."""

    def __enter__(self) -> list[Break]:
        self.outer, _raised.list = _raised.list, []
        return _raised.list

    def __exit__(self, *_: object) -> None:
        _raised.list = self.outer


class Break(LamellaError):
    """A call that cannot become one graph.

    Attributes:
        reason: one clause. where: ``file:line``. hint: what to do, or "".
        lasting: another call of the same kind would break too, so it is not worth trying.
        quiet: it is no fault: the first step of an optimizer.
    """

    quiet = False

    def __init__(self, reason: str, where: str = "", hint: str = "", lasting: bool = True) -> None:
        place = f"{where}: " if where else ""
        super().__init__(message("compile", f"{place}{reason}", hint=hint or None))
        self.reason, self.where, self.hint, self.lasting = reason, where, hint, lasting
        if _raised.list is not None:
            _raised.list.append(self)


class Unknown(Break):
    """Python asked for a tensor's elements, which are not known while a function is recorded."""

    def __init__(self, op: str, what: str) -> None:
        where = user_line(sys._getframe(1))
        super().__init__(f"{op}: {what}, but elements are only known when the program runs", where,
                         "keep it a tensor (torch.where instead of if, masks instead of indices), or move the line out "
                         "of the compiled function")
        self.op = op


class Unready(Break):
    """An optimizer makes its state in its first step."""

    quiet = True


class Changed(Break):
    """The call changes Python state that a compiled program would not change."""
