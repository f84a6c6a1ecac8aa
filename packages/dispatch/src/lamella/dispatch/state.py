"""What a thread adds to and takes from every key set: include and exclude masks, and the stack of modes.

Reading thread-local data costs more than a whole dispatch, so calls first test ``state.affected``: the key bits that
some thread's masks touch. It is 0 as long as nobody uses a mask, so the common call pays one ``and``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Thread(threading.local):
    """One thread's masks; `touches` is its share of `State.affected`."""

    def __init__(self) -> None:
        self.include = 0
        self.exclude = 0
        self.modes: list[object] = []
        self.function_modes: list[object] = []
        self.cell: list[int] | None = None


class State:
    """Thread masks and the process-wide summary of them.

    Attributes:
        affected: bits that any thread's masks may change; -1 while some thread includes keys.
        thread: this thread's masks (``include``, ``exclude``, ``modes``).
    """

    __slots__ = ("affected", "thread", "_cells", "_lock")

    def __init__(self) -> None:
        self.affected = 0
        self.thread = _Thread()
        self._cells: list[tuple[threading.Thread, list[int]]] = []
        self._lock = threading.Lock()

    def apply(self, ks: int) -> int:
        """``ks`` as this thread's masks change it."""
        t = self.thread
        return (ks | t.include) & ~t.exclude

    def set_masks(self, include: int, exclude: int) -> None:
        """Replace this thread's masks."""
        t = self.thread
        t.include = include
        t.exclude = exclude
        cell = t.cell
        if cell is None:
            cell = t.cell = self._new_cell()
        cell[0] = -1 if include else exclude
        with self._lock:
            total = 0
            for _, c in self._cells:
                total |= c[0]
            self.affected = total

    def swap_exclude(self, exclude: int) -> int:
        """Replace this thread's exclude mask and return the one before: what grad modes and backward passes do."""
        t = self.thread.__dict__  # one access to thread-local data instead of five
        before: int = t["exclude"]
        if before == exclude:
            return before
        cell = t["cell"]
        if cell is None:
            cell = t["cell"] = self._new_cell()
        t["exclude"] = exclude
        with self._lock:
            cell[0] = total = -1 if t["include"] else exclude
            for _, c in self._cells:
                total |= c[0]
            self.affected = total
        return before

    def _new_cell(self) -> list[int]:
        cell = [0]
        with self._lock:
            # Threads that ended leave their cell behind; dropping it here keeps `affected` from staying set.
            self._cells = [c for c in self._cells if c[0].is_alive()]
            self._cells.append((threading.current_thread(), cell))
        return cell

    @contextmanager
    def masks(self, include: int = 0, exclude: int = 0) -> Iterator[None]:
        """Add to this thread's masks for a block; the masks before it come back, also after an exception.

        Example:
            >>> with state.masks(exclude=1):
            ...     state.apply(3)
            2
        """
        t = self.thread
        before = t.include, t.exclude
        self.set_masks((t.include & ~exclude) | include, (t.exclude & ~include) | exclude)
        try:
            yield
        finally:
            self.set_masks(*before)


state = State()
