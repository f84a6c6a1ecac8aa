"""What a rank called: a journal for each group. Its hot method is one append of a tuple to a deque."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from lamella.core.dtypes import BY_NAME

from .texts import numbered

#: (op, shape or number of elements, dtype or its name, root or peer, further facts ...)
Entry = tuple[Any, ...]

#: Runs of equal entries that are kept for messages, once they were told to the hub.
KEPT = 64
_TO, _FROM = ("send", "isend"), ("recv", "irecv")


def short(dtype: Any) -> str:
    """A dtype in the short form of error messages.

    Example:
        >>> short("float32"), short(None)
        ('f32', '')
    """
    if dtype is None:
        return ""
    name = getattr(dtype, "name", None) or str(dtype)
    known = BY_NAME.get(name)
    return name if known is None else known.short


def describe(entry: Entry) -> str:
    """An entry in words; ranks whose entries read the same called the same.

    Example:
        >>> describe(("all_reduce", (2, 3), "float32", None, "sum")), describe(("send", 8, "int64", 1))
        ('all_reduce f32[2,3] sum', 'send i64[8] to rank 1')
    """
    op, shape, dtype, where, *facts = (*entry, None, None, None)[: max(len(entry), 4)]
    sizes = [] if shape is None else list(shape) if isinstance(shape, (tuple, list)) else [shape]
    kind = short(dtype)
    if shape is not None:
        kind += f"[{','.join(map(str, sizes))}]"
    words = [str(op), kind]
    if op in _TO:
        words.append(f"to rank {where}")
    elif op in _FROM:
        words.append("from any rank" if where is None else f"from rank {where}")
    elif where is not None:
        words.append(where if isinstance(where, str) else f"root {where}")
    words += [str(fact) for fact in facts if fact is not None]
    return " ".join(word for word in words if word)


class Fingerprints:
    """The 8-byte hashes of entries, and the texts that the hub has not had yet."""

    LIMIT = 8192

    def __init__(self) -> None:
        self._known: dict[Entry, str] = {}
        self.untold: dict[str, str] = {}

    def of(self, entry: Entry) -> str:
        """The hash of what `entry` says, in hexadecimal digits."""
        try:
            found = self._known.get(entry)
        except TypeError:  # a list in it
            entry, found = (describe(entry),), None
        if found is None:
            if len(self._known) >= self.LIMIT:
                self._known.clear()
            text = describe(entry) if len(entry) > 1 else entry[0]
            found = self._known[entry] = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
            self.untold[found] = text
        return found


class Run:
    """Equal entries in a row.

    Attributes:
        entry: each of them.
        first, last: their numbers in the group, from 1.
        count: how many there are.
        step: the training step.
    """

    __slots__ = ("entry", "first", "count", "step")

    def __init__(self, entry: Entry, first: int, step: int) -> None:
        self.entry, self.first, self.count, self.step = entry, first, 1, step

    @property
    def last(self) -> int:
        return self.first + self.count - 1


class Journal(deque[Any]):
    """What this rank called in one group, in order.

    ``append((op, shape, dtype, root))`` is the deque's own method. An int instead of a tuple marks the start of a
    training step. A collective's number in the group is its position, from 1.

    Attributes:
        name: the group's name.
        ranks: the group's ranks, as ranks of the job.
        p2p: the latest sends and receives; they are shown and not compared.
        stamp: when the latest entries were taken out.
        slot: its number among this rank's journals.
        timeout: seconds that a rank waits for the others where entries are checked before they run.
        recent, unsent: entries that were taken out, as `Run`s: the latest, and those that the hub has not had.

    Example:
        >>> journal = Journal("world", [0, 1])
        >>> entry = ("all_reduce", (3,), "float32", None)
        >>> journal.append(entry)
        >>> journal.tell(entry)
        "all_reduce #1 f32[3] of group 'world'"
    """

    def __init__(self, name: str, ranks: Sequence[int]) -> None:
        super().__init__()
        self.name = name
        self.ranks = tuple(ranks)
        self.p2p: deque[Entry] = deque(maxlen=16)
        self.step = 0
        self.stamp = 0.0
        self.slot = 0
        self.timeout = 1800.0
        self.recent: deque[Run] = deque(maxlen=KEPT)
        self.unsent: list[Run] = []

    @property
    def total(self) -> int:
        """How many entries were taken out so far."""
        return self.recent[-1].last if self.recent else 0

    def drain(self) -> None:
        """Take out what was appended. One thread at a time (the monitor's lock)."""
        count = len(self)
        if not count:
            return
        pop, run = self.popleft, self.unsent[-1] if self.unsent else None
        entry = None if run is None else run.entry
        for _ in range(count):  # equal entries in a row cost little: thousands of them may have come
            item = pop()
            if item == entry:
                run.count += 1  # type: ignore[union-attr]
            elif item.__class__ is int:
                self.step, entry = item, None
            else:
                run, entry = Run(item, self.total + 1, self.step), item
                self.recent.append(run)
                self.unsent.append(run)
        self.stamp = monotonic()

    def tell(self, entry: Entry | None = None) -> str:
        """An entry (the latest, where none is given) in words, with its number and the group's name."""
        waiting = [item for item in list(self) if not isinstance(item, int)]
        for place, known in reversed(list(enumerate(waiting))):
            if entry is None or known == entry:
                return numbered(describe(known), self.total + place + 1, self.name)
        for run in reversed(self.recent):
            if entry is None or run.entry == entry:
                return numbered(describe(run.entry), run.last, self.name)
        return f"{describe(entry)} of group '{self.name}'" if entry else f"nothing in group '{self.name}'"


class CheckedJournal(Journal):
    """A journal whose `append` first waits until all ranks of the group have called the same."""

    def __init__(self, name: str, ranks: Sequence[int], check: Callable[[Entry, Journal], None]) -> None:
        super().__init__(name, ranks)
        self._check = check

    def append(self, item: Any) -> None:
        """Compare an entry with the other ranks', and note it; raises where they differ."""
        if isinstance(item, int):
            super().append(item)
        else:
            self._check(item, self)
