"""What loops read and cost, found once for each loop of a program."""

from __future__ import annotations

from typing import Any

from ..loops.index import product
from ..loops.ir import Buffer, Loop
from ..loops.record import Recorded, record
from ..schedule.plan import Part


class Readings:
    """Bodies that were run once over symbolic indices."""

    def __init__(self) -> None:
        self.found: dict[Loop, tuple[Recorded, tuple[Buffer, ...]]] = {}

    def _of(self, loop: Loop) -> tuple[Recorded, tuple[Buffer, ...]]:
        found = self.found.get(loop)
        if found is None:
            recorded = record(loop)
            buffers = recorded.buffers()
            found = recorded, tuple(buffers if loop.into is None else [*buffers, loop.into])
            self.found[loop] = found
        return found

    def reads(self, loop: Loop) -> tuple[Buffer, ...]:
        """The buffers that a loop's body reads."""
        return self._of(loop)[1]

    def recorded(self, loop: Loop) -> Recorded:
        """A loop's body as a list of operations."""
        return self._of(loop)[0]

    def work(self, part: Part, over: Any = 1) -> Any:
        """About how many operations a part is, ``over`` times."""
        each = sum(self.recorded(m.loop).cost() + len(self.reads(m.loop)) + 1 for m in part.members)
        return product([v.size for v in part.inner]) * over * each
