"""The hub's comparison: entry k of a group must be the same on all of its ranks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
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
        index, position = self._seek(start)
        for fingerprint, count, step in runs:
            while count:
                place = self._divided(index, count, step)
                index, position, count = index + 1, position + place.count, count - place.count
                place.told.setdefault(fingerprint, []).append(rank)
                if len(place.told) == 1:
                    continue
                number = position - place.count + 1
                here = Disagreement(self, number, place)
                if before_running and number == end:
                    self.refused.setdefault(number, here)
                elif number not in self.refused:
                    found = found or here
        self.told[rank] = end
        self._forget()
        return found

    def _seek(self, at: int) -> tuple[int, int]:
        """The index of the place that begins with the entry after `at` others, divided from those before; and `at`."""
        position = self.agreed
        for index, place in enumerate(self.places):
            if position == at:
                return index, at
            if position + place.count > at:
                self._divided(index, at - position, 0)
                return index + 1, at
            position += place.count
        return len(self.places), at

    def _divided(self, index: int, count: int, step: int) -> Place:
        """The place of an index, made where there is none, of `count` entries at most; the rest becomes the next."""
        if index == len(self.places):
            self.places.append(Place({}, count, step))
        place = self.places[index]
        if count < place.count:
            told = {fingerprint: list(ranks) for fingerprint, ranks in place.told.items()}
            self.places.insert(index + 1, Place(told, place.count - count, place.step))
            place.count = count
        return place

    def _forget(self) -> None:
        least, over = min(self.told.values()), 0
        while self.agreed < least:
            place = self.places[over]
            gone = min(place.count, least - self.agreed)
            place.count -= gone
            self.agreed += gone
            over += not place.count
        del self.places[:over]
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
        left = set(left)
        counts = {r: self.told[r] for r in self.ranks if r in left}
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
