"""A thread that looks after collectives: errors of NCCL's own, and works that take too long."""

from __future__ import annotations

import threading
import weakref
from typing import Any

#: Seconds between two looks while something is under way.
INTERVAL = 0.1


class Watch:
    """Calls a transport's `check` again and again while it has works under way. It does not keep it alive.

    Args:
        transport: has `check() -> bool`, whether anything is under way.
        name: of the thread.
    """

    def __init__(self, transport: Any, name: str) -> None:
        self._wake = threading.Event()
        self._end = False
        self._watched = weakref.ref(transport, lambda _: self.close())
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Something is under way."""
        if not self._wake.is_set():
            self._wake.set()

    def close(self) -> None:
        """End the thread."""
        self._end = True
        self._wake.set()

    def _run(self) -> None:
        idle = threading.Event()
        while not self._end:
            self._wake.wait()
            transport = self._watched()
            if transport is None or self._end:
                return
            self._wake.clear()
            if transport.check():
                self._wake.set()
            del transport
            idle.wait(INTERVAL)
