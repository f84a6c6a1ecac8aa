"""The hub's comparison: entry k of a group must be the same on all of its ranks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass
class Place:
    """One collective of a group, until all ranks have come to it: hash -> the ranks that told it."""

    told: dict[str, list[int]] = field(default_factory=dict)
    step: int = 0


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

    def add(self, rank: int, start: int, hashes: Sequence[str], steps: Iterable[Sequence[int]],
            before_running: bool = False) -> Disagreement | None:
        """Note what a rank called.

        Args:
            rank: who tells.
            start: the position of the first hash.
            hashes: of its entries, in order.
            steps: pairs (offset, step): from this entry on it was that training step.
            before_running: the last entry has not run yet; where it differs it is refused and not counted against all.

        Returns:
            The first difference.
        """
        if start != self.told[rank]:
            raise ValueError(f"rank {rank} tells entry {start} after {self.told[rank]}")
        found: Disagreement | None = None
        step_at, step = {offset: value for offset, value in steps}, 0
        for offset, fingerprint in enumerate(hashes):
            step = step_at.get(offset, step)
            index = start + offset - self.agreed
            if index == len(self.places):
                self.places.append(Place(step=step))
            place = self.places[index]
            place.told.setdefault(fingerprint, []).append(rank)
            if len(place.told) > 1:
                here = Disagreement(self, start + offset + 1, place)
                if before_running and offset == len(hashes) - 1:
                    self.refused.setdefault(here.number, here)
                elif here.number not in self.refused:
                    found = found or here
        self.told[rank] += len(hashes)
        self._forget()
        return found

    def _forget(self) -> None:
        least = min(self.told.values())
        if least > self.agreed:
            del self.places[: least - self.agreed]
            for number in [n for n in self.refused if n <= least - 64]:
                del self.refused[number]
            self.agreed = least

    def after_leaving(self, left: Iterable[int]) -> Disagreement | None:
        """The first collective that some rank told and a rank of those that have left did not."""
        counts = {r: self.told[r] for r in self.ranks if r in set(left)}
        if not counts:
            return None
        least = min(counts.values())
        if max(self.told.values()) <= least:
            return None
        gone = tuple(r for r, n in counts.items() if n == least)
        index = least - self.agreed
        return Disagreement(self, least + 1, self.places[index] if index < len(self.places) else Place(), gone)


class Ledger:
    """All groups, and the texts behind hashes.

    Example:
        >>> ledger = Ledger()
        >>> group = ledger.open("world", [0, 1])
        >>> group.add(0, 0, ["aa", "bb"], [])
        >>> group.add(1, 0, ["aa", "cc"], []).number
        2
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
