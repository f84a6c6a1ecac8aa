"""All programs of a script: what it compiles is written beside its run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .. import status
from ..dump import scalar_count
from ..graph.node import Graph
from .captured import name_of, names_of, owner_of, weights_of
from .folder import Emitted, emit_graph


class Script:
    """Writes a folder for each program that is compiled while it is at work.

    Attributes:
        out: where the folders go. written: (name, folder's content). failed: (name, reason).
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.written: list[Emitted] = []
        self.failed: list[tuple[str, str]] = []
        self._names: dict[str, int] = {}
        self._last: Any = None

    def __call__(self, owner: Any, capture: Any, graph: Graph, arrays: list[Any]) -> None:
        """A graph goes to a backend.

        Args:
            owner: the compiled function. capture: the recorded call. graph: of it, or of its forward or backward.
            arrays: sample inputs.
        """
        forward = arrays is capture.arrays
        name = self._name(owner, capture) + ("" if forward else "_backward")
        try:
            module = owner_of(owner)
            given = {"weights": weights_of(capture, module), "names": names_of(capture, module)} if forward else {}
            numbers = [1.0] * scalar_count(graph)
            emitted = emit_graph(graph, arrays, name=name, scalars=numbers, samples=forward, **given)
            emitted.write(self.out / name)
        except Exception as error:  # noqa: BLE001 - one program that cannot be written does not stop the script
            self.failed.append((name, f"{type(error).__name__}: {error}"))
            return
        self.written.append(emitted)

    def _name(self, owner: Any, capture: Any) -> str:
        if self._last is not None and self._last[0] is capture:
            return self._last[1]
        name = name_of(owner)
        self._names[name] = self._names.get(name, 0) + 1
        if self._names[name] > 1:
            name += f"_{self._names[name]}"
        self._last = capture, name
        return name

    def report(self) -> str:
        """What was written, for the command line."""
        lines = []
        for each in self.written:
            count = len(each.kernels)
            eager = f"; calls from Python: {', '.join(each.eager)}" if each.eager else ""
            lines.append(f"{each.path}: {count} kernel{'' if count == 1 else 's'}{eager}")
        lines += [f"{name}: not written: {reason}" for name, reason in self.failed]
        return "\n".join(lines)


@contextmanager
def emitting(out: str | Path) -> Iterator[Script]:
    """Write every program that is compiled inside a ``with``."""
    script = Script(Path(out))
    before, status.emitting[0] = status.emitting[0], script
    try:
        yield script
    finally:
        status.emitting[0] = before
