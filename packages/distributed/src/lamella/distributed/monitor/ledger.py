"""The hub's comparison: entry k of a group must be the same on all of its ranks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass
class Place:
    """Collectives in a row that are told alike, until all ranks have come to them.

    Attributes:
        told: hash -> the ranks that told it.
        count: how many there are.
        step: the training step of the rank that told them first.
    """

    told: dict[str, list[int]]
    count: int
    step: int


@dataclass
class Disagreement:
    """Ranks called different things, or one has left while others go on.

    Attributes:
        group: the group.
        number: of the collective in the group, from 1.
        step: the training step, 0 where none was told.
        left: ranks that had left the job before it.
    """

    group: Group
    number: int
    place: Place
    left: tuple[int, ...] = ()

    @property
    def step(self) -> int:
        return self.place.step


@dataclass(eq=False)
class Group:
    """What the ranks of one group have told so far.

    Attributes:
        told: rank -> how many entries.
        agreed: how many entries all ranks have told.
        refused: numbers of collectives that were refused before they ran (`check`), with what ranks told.
    """

    name: str
    ranks: tuple[int, ...]
    told: dict[int, int] = field(default_factory=dict)
    agreed: int = 0
    refused: dict[int, Disagreement] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.told = dict.fromkeys(self.ranks, 0)

    def add(self, rank: int, start: int, runs: Iterable[tuple[str, int, int]],
            before_running: bool = False) -> Disagreement | None:
        """Note what a rank called.

        Args:
            rank: who tells.
            start: how many entries it told before.
            runs: its entries in order: (hash, how many in a row, training step).
            before_running: the last entry has not run yet; where it differs it is refused and not counted against all.

        Returns:
            The first difference.
        """
        if start != self.told[rank]:
            raise ValueError(f"rank {rank} tells entry {start} after {self.told[rank]}")
        runs = list(runs)
        end = start + sum(count for _, count, _ in runs)
        found: Disagreement | None = None
        for fingerprint, count, step in runs:
            for number, place in self._places(self.told[rank], count, step):
                place.told.setdefault(fingerprint, []).append(rank)
                if len(place.told) > 1:
                    here = Disagreement(self, number, place)
                    if before_running and number == end:
                        self.refused.setdefault(number, here)
                    elif number not in self.refused:
                        found = found or here
            self.told[rank] += count
        self._forget()
        return found

    def _places(self, at: int, count: int, step: int) -> Iterator[tuple[int, Place]]:
        """The places of entries from `at` on, with the number of their first one; places are divided at both ends."""
        index, position = 0, self.agreed
        while count:
            if index == len(self.places):
                self.places.append(Place({}, count, step))
            place = self.places[index]
            cut = at - position if position < at else min(count, place.count)
            if cut < place.count:
                told = {fingerprint: list(ranks) for fingerprint, ranks in place.told.items()}
                self.places.insert(index + 1, Place(told, place.count - cut, place.step))
                place.count = cut
            if position >= at:
                yield position + 1, place
                at, count = at + place.count, count - place.count
            position += place.count
            index += 1

    def _forget(self) -> None:
        least = min(self.told.values())
        while self.agreed < least:
            gone = min(self.places[0].count, least - self.agreed)
            self.places[0].count -= gone
            self.agreed += gone
            if not self.places[0].count:
                del self.places[0]
        for number in [n for n in self.refused if n <= least - 64]:
            del self.refused[number]

    def _place(self, number: int) -> Place:
        """The place of a collective."""
        position = self.agreed
        for place in self.places:
            position += place.count
            if number <= position:
                return place
        return Place({}, 1, 0)

    def after_leaving(self, left: Iterable[int]) -> Disagreement | None:
        """The first collective that some rank told and a rank of those that have left did not."""
        counts = {r: self.told[r] for r in self.ranks if r in set(left)}
        if not counts:
            return None
        least = min(counts.values())
        if max(self.told.values()) <= least:
            return None
        gone = tuple(r for r, n in counts.items() if n == least)
        return Disagreement(self, least + 1, self._place(least + 1), gone)


class Ledger:
    """All groups, and the texts behind hashes.

    Example:
        >>> ledger = Ledger()
        >>> group = ledger.open("world", [0, 1])
        >>> group.add(0, 0, [("aa", 5, 0), ("bb", 1, 0)])
        >>> group.add(1, 0, [("aa", 5, 0), ("cc", 1, 0)]).number
        6
    """

    TEXTS = 65536

    def __init__(self) -> None:
        self.groups: dict[tuple[str, tuple[int, ...]], Group] = {}
        self._texts: OrderedDict[str, str] = OrderedDict()

    def open(self, name: str, ranks: Iterable[int]) -> Group:
        """The group of a name and of these ranks."""
        key = (name, tuple(ranks))
        if key not in self.groups:
            self.groups[key] = Group(*key)
        return self.groups[key]

    def learn(self, texts: dict[str, str]) -> None:
        """Texts behind hashes."""
        self._texts.update(texts)
        while len(self._texts) > self.TEXTS:
            self._texts.popitem(last=False)

    def text(self, fingerprint: str) -> str:
        """What was called, in words."""
        return self._texts.get(fingerprint, "something else")

    def after_leaving(self, left: Iterable[int]) -> Disagreement | None:
        """The first difference of any group between ranks that have left and others."""
        left = list(left)
        for group in self.groups.values():
            found = group.after_leaving(left)
            if found is not None:
                return found
        return None
