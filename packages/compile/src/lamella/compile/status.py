"""What the compiler did and is doing: counters, whether this thread records, the stance."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from lamella.dispatch import logs
from lamella.dispatch.config import declare

#: Counts by kind: "calls" (captured, recompiled, eager), "breaks" (by reason), "errors" (by reason).
counters: dict[str, Counter[str]] = {"calls": Counter(), "breaks": Counter(), "errors": Counter()}

guards_log, recompiles_log, breaks_log = logs.get("guards"), logs.get("recompiles"), logs.get("breaks")

declare("compile_limit", int, 8, "how often one function is compiled for other arguments before it stays eager",
        minimum=1)
declare("compile_enabled", bool, True, "whether torch.compile compiles; off: everything runs uncompiled")


class _Recording(threading.local):
    depth = 0


_recording = _Recording()
#: "default", "force_eager", "eager_on_recompile" or "fail_on_recompile" (see `set_stance`).
stance = ["default"]
#: Who is told of each graph that goes to a backend: called with (compiled function, capture, graph, arrays); or None.
emitting: list[Any] = [None]
_said: set[str] = set()


def is_recording() -> bool:
    """Whether this thread is recording a function."""
    return _recording.depth > 0


class Recording:
    """A block in which this thread records."""

    def __enter__(self) -> None:
        _recording.depth += 1

    def __exit__(self, *_: object) -> None:
        _recording.depth -= 1


def once(text: str, warn: Any) -> None:
    """Give a warning that has not been given before."""
    if text not in _said:
        _said.add(text)
        warn(text)


def forget() -> None:
    """Counters and warnings start again."""
    for counter in counters.values():
        counter.clear()
    _said.clear()
