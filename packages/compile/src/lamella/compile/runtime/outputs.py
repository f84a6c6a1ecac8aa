"""How the outputs of a program come about, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..errors import CompileError
from .facts import Facts, View, number_of, numbers_of
from .launcher import MAKE, POOL, SAME, VALUE


class Outputs:
    """The outputs of a program with numbers for its symbols.

    Args:
        facts: of the program. symbols: their values. unwanted: numbers of outputs that come as None.
        lying_in: called with (array, element type, shape, stride, offset), gives a view of the array's memory.
        dtype: makes that element type of its name.
    """

    def __init__(self, facts: Facts, symbols: Mapping[str, int], unwanted: Collection[int],
                 lying_in: Callable[..., Any], dtype: Callable[[str], Any] = str) -> None:
        self.facts, self.symbols, self.unwanted, self.lying_in, self.dtype = facts, symbols, unwanted, lying_in, dtype

    def __getitem__(self, n: int) -> tuple[int, Any]:
        """How output ``n`` comes about.

        Returns:
            POOL and the slot whose memory it is; VALUE and the object; MAKE and a function of (inputs, results,
            frame); SAME and the number of an earlier output.
        """
        facts = self.facts
        kind, out = facts.outputs[n]
        if kind == "value":
            return VALUE, out
        if n in self.unwanted:
            return VALUE, None
        if kind == "view":
            return MAKE, self._viewer(out)
        earlier = facts.outputs.index((kind, out))
        if earlier < n:
            return SAME, earlier
        slot = facts.slots[out]
        if slot.kind == "output":
            return POOL, out
        if n >= facts.returned:
            return VALUE, None
        if slot.kind == "input":
            return MAKE, lambda inputs, results, frame, number=slot.number: inputs[number].copy()
        if slot.kind == "extern":
            return MAKE, lambda inputs, results, frame: frame[out]
        return MAKE, lambda inputs, results, frame: frame[out].copy("K")

    def _viewer(self, view: View) -> Callable[..., Any]:
        shape, stride = numbers_of(view.shape, self.symbols), numbers_of(view.stride, self.symbols)
        offset, dtype, lying_in = number_of(view.offset, self.symbols), self.dtype(view.dtype), self.lying_in
        kind, of = (view.kind, view.of) if view.kind == "input" else self._carrier(view.of)
        if kind == "input":
            return lambda inputs, results, frame: lying_in(inputs[of], dtype, shape, stride, offset)
        return lambda inputs, results, frame: lying_in(results[of], dtype, shape, stride, offset)

    def _carrier(self, number: int) -> tuple[str, int]:
        """The memory of an output in which others lie: ("input" or "output", number)."""
        out = self.facts.outputs[number]
        slot = self.facts.slots[out[1]] if out[0] == "slot" else None
        if slot is None or slot.kind not in ("input", "output"):
            raise CompileError("load", "an output lies in one that has no memory of its own", f"output {number}")
        return ("input", slot.number) if slot.kind == "input" else ("output", self.facts.outputs.index(out))
