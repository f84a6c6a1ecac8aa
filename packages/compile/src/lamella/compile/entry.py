"""Entries: a captured call as one straight-line Python function that checks guards, runs the program and stores.

Between two calls of a small training step there is nothing but this function: it is written for the interpreter's
specialised instructions (constants are globals of its own, attributes come from slots), and it does no work that can
be done when it is made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from lamella.core import dtypes
from lamella.core.runtime import new_tensor
from lamella.core.tensor import VersionCounter
from lamella.dispatch.state import state

from .capture import Capture, leaves
from .capture.guards import Guard, differs, shown, space_of
from .capture.results import clash
from .capture.sizes import WHOLE
from .entry_text import EMPTY, Miss, Roots, Writer, counter_of
from .graph.interpret import view_of

_MISSES = (ValueError, KeyError, IndexError, AttributeError, TypeError)


class Entry:
    """One captured call, compiled.

    Attributes:
        capture: what was recorded.
        program: what the backend made of it.
        run: the generated function: ``run(args, kwargs)``.
        source: its text.
    """

    def __init__(self, capture: Capture, program: Any) -> None:
        self.capture, self.program = capture, program
        self.space: dict[str, Any] = dict(capture.names.space)
        self.arrays: dict[str, tuple[Any, int]] = {}
        self.counters: dict[int, str] = {}
        self.guards: list[Guard] = []
        self.roots: Roots | None = None
        self.refused: set[tuple[int, ...]] = set()  # sizes for which the program was found not to be good
        writer = Writer(self)
        self.source = writer.text()
        self.space.update(
            program=program if capture.graph.symbols else getattr(program, "launch", program), differs=differs,
            STATE=state, DTYPES=dtypes,
            new=new_tensor, VersionCounter=VersionCounter, EMPTY=EMPTY,
            getrefcount=sys.getrefcount, MISSES=_MISSES, missed=Miss(None), moved=_moved(), view_of=view_of)
        exec(compile(self.source, f"<lamella entry {id(self):#x}>", "exec"), self.space)
        self.run = self.space["run"]
        for arg in capture.arguments:  # programs outlive the tensors of the call that they were made in
            capture.inputs[arg.number] = None
            capture.arrays[arg.number] = EMPTY
            del arg.real, arg.fake
        for leaf in [*leaves(capture.result), *(each for _, value in capture.stores for each in leaves(value))]:
            if leaf.kind.endswith("output"):
                leaf.value = (leaf.value[0], None)
        capture.tensors = []

    def repair(self, miss: Miss) -> bool:
        """Go on with arrays that took the place of others of the same kind; False if more than that changed."""
        guard = miss.guard
        if guard is None or not isinstance(guard.place, tuple) or guard.place[0] != "array":
            return False
        _, t, name, number = guard.place
        old, new = self.space[name], t._a
        if (t._ks != guard.want or new is old or new.shape != old.shape or new.strides != old.strides
                or new.dtype is not old.dtype):
            return False
        if self.capture.mutated and number >= 0:
            arrays = list(self.capture.arrays)
            arrays[number] = new
            if clash(arrays, self.capture.mutated) is not None:
                return False
        self.space[name] = new
        if number >= 0:
            self.capture.arrays[number] = new
            if self.roots is not None:
                self.roots.look(self.capture.arrays)
            if number in self.counters:
                self.space[self.counters[number]] = counter_of(t)
        return True

    def sizes_of(self, args: Any, kwargs: Any) -> dict[str, int]:
        """The symbols' values in a call."""
        space = space_of(args, kwargs)
        found = {}
        for (e, i), name in self.capture.places.items():
            value = eval(e, space)
            found[name] = value if i == WHOLE else value._a.shape[i]
        return found

    def beyond(self, here: dict[str, int]) -> dict[str, int]:
        """Sizes twice as far out as these, where these are out of range."""
        if self.capture.seen is not None:
            return here
        far = {}
        for name, n in here.items():
            low, high = self.space[f"low_{name}"], self.space[f"high_{name}"]
            far[name] = n * 2 if n > high else max(n // 2, 2) if n < low else n
        return far

    def widen(self, here: dict[str, int]) -> None:
        """The program is good for these sizes too."""
        if self.capture.seen is not None:
            self.capture.seen.add(tuple([here[name] for name in self.capture.ranges]))
            return
        for name, n in here.items():
            self.space[f"low_{name}"] = min(n, self.space[f"low_{name}"])
            self.space[f"high_{name}"] = max(n, self.space[f"high_{name}"])

    def explain(self, miss: Miss, args: Any, kwargs: Any) -> str:
        """Which guard failed, with both values."""
        guard = miss.guard
        if guard is None:
            return "the arguments are given in another way"
        if not guard.read:
            return f"{guard.what} changed"
        space = {**self.space, **space_of(args, kwargs)}
        try:
            now = shown(eval(guard.read, space))
        except Exception:
            now = "gone"
        return f"{guard.what} is {now}, was {shown(guard.want)}"


def _moved() -> Callable[[], bool]:
    """A test whether this thread's grad mode and modes are others than now."""
    include, exclude = state.thread.include, state.thread.exclude

    def moved() -> bool:
        t = state.thread
        return t.exclude != exclude or t.include != include

    return moved


__all__ = ["Entry", "Miss"]
