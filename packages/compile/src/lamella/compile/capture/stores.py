"""Tensors that a function leaves in attributes and variables: they are stored after each call of its program."""

from __future__ import annotations

import types
from typing import Any

from lamella.dispatch.adapter import tensors_in

from .. import layers
from .breaks import Break
from .reads import Reads, held
from .recorder import Recorder
from .watch import Watch


class Again(Break):
    """What is stored is read too, so the next call will meet another tensor there: record it as an argument.

    Attributes:
        places: (id of a dictionary or cell, key).
    """

    def __init__(self, places: set[tuple[int, Any]]) -> None:
        super().__init__("a tensor that is stored is read again", lasting=False)
        self.places = places


class Stores:
    """What was stored while recording.

    Attributes:
        found: (text of the target, value).
        places: where, as (id of a dictionary or cell, key).
    """

    def __init__(self) -> None:
        self.found: list[tuple[str, Any]] = []
        self.places: set[tuple[int, Any]] = set()

    def collect(self, reads: Reads, watch: Watch, recorder: Recorder) -> None:
        """Find the stores, before the writes are undone.

        Raises:
            Again: something that is stored was taken for the same object in all calls.
            Break: a tensor with a history is stored.
        """
        for _, name, tables in watch.writes.values():
            for table, before in tables:
                after = table.get(name, before)
                if after is not before:
                    self._add(table, name, after, reads, recorder)
        for holder, key, value in reads.variables:
            after = held(holder, key)
            if after is not value and after is not reads.stand_ins.get((id(holder), key)):
                self._add(holder, key, after, reads, recorder)
        again = {(id(g.place[0]), g.place[1]) for g in reads.guards if is_place(g.place)} & self.places - reads.wanted
        if again:
            raise Again(again)

    def _add(self, holder: Any, key: Any, value: Any, reads: Reads, recorder: Recorder) -> None:
        tensors = tensors_in(value)
        if not any(id(t._a) in recorder.values for t in tensors):
            return
        if any(t._ag is not None and not layers.is_spent(t) for t in tensors):
            raise Break(f"{key} is set to a tensor with a history", "", "store detach()ed tensors")
        k = reads.names(holder)
        self.found.append((f"{k}.cell_contents" if isinstance(holder, types.CellType) else f"{k}[{key!r}]", value))
        self.places.add((id(holder), key))


def is_place(place: Any) -> bool:
    """Whether a guard's place is in a dictionary or cell."""
    return place is not None and place[0] not in ("argument", "size", "range")
