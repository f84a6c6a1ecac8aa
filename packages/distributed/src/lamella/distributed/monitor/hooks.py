"""Uncaught exceptions: whoever watches a thread is told before Python prints them."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any, Protocol


class Watcher(Protocol):
    """Who is told."""

    _thread: int

    def fail(self, exception: BaseException) -> None:
        """An exception has ended the thread."""


_watchers: dict[int, Watcher] = {}
_before: dict[str, Any] = {}


def _uncaught(kind: type[BaseException], value: BaseException, traceback: TracebackType | None) -> None:
    watcher = _watchers.get(threading.get_ident())
    if watcher is not None:
        watcher.fail(value)
    _before.get("main", sys.__excepthook__)(kind, value, traceback)


def _uncaught_in_thread(args: Any) -> None:
    watcher = _watchers.get(threading.get_ident())
    if watcher is not None and args.exc_value is not None:
        watcher.fail(args.exc_value)
    _before.get("thread", threading.__excepthook__)(args)


def watch(watcher: Watcher) -> None:
    """Tell `watcher` of uncaught exceptions of its thread."""
    _watchers[watcher._thread] = watcher
    if sys.excepthook is not _uncaught:
        _before["main"], sys.excepthook = sys.excepthook, _uncaught
    if threading.excepthook is not _uncaught_in_thread:
        _before["thread"], threading.excepthook = threading.excepthook, _uncaught_in_thread


def forget(watcher: Watcher) -> None:
    """No longer; the hooks that were there before come back when nobody is left."""
    if _watchers.get(watcher._thread) is watcher:
        del _watchers[watcher._thread]
    if _watchers:
        return
    if sys.excepthook is _uncaught:
        sys.excepthook = _before.pop("main")
    if threading.excepthook is _uncaught_in_thread:
        threading.excepthook = _before.pop("thread")
