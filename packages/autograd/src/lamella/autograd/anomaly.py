"""Anomaly mode: which forward call a failing backward belongs to, and where a NaN or infinity first appears.

While it is on, each node notes where it was made. An exception in backward gets that stack as a note, so it is not lost
where only exceptions are logged.
"""

from __future__ import annotations

import sys
import traceback
from typing import Any

from lamella.core.tensor import Tensor, describe, record_stacks
from lamella.dispatch.errors import message

from . import saved
from .graph import Node

enabled = False
nan_checked = True
inf_checked = False
forward_checked = False
_MARK = "Error detected in"
_SKIP = ("lamella.autograd", "lamella.core", "lamella.dispatch")


def stack() -> list[str]:
    """The calls that lead here, without the engine's own."""
    found: list[Any] = []
    frame: Any = sys._getframe(1)
    while frame is not None and len(found) < 20:
        if not frame.f_globals.get("__name__", "").startswith(_SKIP):
            found.append((frame, frame.f_lineno))
        frame = frame.f_back
    return traceback.format_list(traceback.StackSummary.extract(iter(reversed(found)), lookup_lines=False))


def place() -> str:
    """``file:line`` of the innermost call outside the engine."""
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(_SKIP):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "an unknown place"


def record(node: Node, results: Any = None) -> None:
    """Note where a node is made, and in the backward of which other node, if so; look at the call's results if asked
    to."""
    from .engine import current_task

    meta = node.metadata
    meta["traceback_"] = stack()
    meta["created"] = place()
    task = current_task()
    if task is not None and task.node is not None and task.node is not node:
        meta["parent_"] = task.node
    if forward_checked:
        if results is None:  # generated kernels call `saved.pack(node)` and have their results in `out`, or `self`
            found = sys._getframe(2).f_locals
            results = found.get("out", found.get("self"))
        check_result(node, list(results) if isinstance(results, (tuple, list)) else [results])


def annotate(error: BaseException, node: Node) -> None:
    """Attach the forward stack of ``node`` to an exception from its backward; only the innermost node does."""
    if any(_MARK in note for note in getattr(error, "__notes__", ())):
        return
    lines = [f"{_MARK} {node.name()}."]
    at: Any = node
    while at is not None and len(lines) < 4:
        meta = at.__dict__.get("_metadata", {})
        if "traceback_" not in meta:
            lines.append(f"The forward call of {at.name()} was made outside anomaly mode, so its place is not known.")
            break
        what = "Traceback of forward call that caused the error" if at is node else (
            f"That was a call in the backward of {at.name()}; traceback of the latter's forward call")
        lines.append(f"{what} (most recent call last):\n{''.join(meta['traceback_']).rstrip()}")
        at = meta.get("parent_")
    error.add_note("\n".join(lines))


def _bad(t: Any) -> str | None:
    """``nan`` or ``inf`` where the checks that are on find one."""
    if not isinstance(t, Tensor) or t.is_meta or not (t.is_floating_point() or t.is_complex()):
        return None
    plain = t.detach()  # type: ignore[attr-defined]
    if nan_checked and bool((plain != plain).any()):
        return "nan"
    if inf_checked and bool((plain.abs() == float("inf")).any()):
        return "inf"
    return None


def check_backward(node: Node, outs: tuple[Any, ...]) -> None:
    """Raise where a node's gradients hold what must not be there."""
    for i, g in enumerate(outs):
        bad = _bad(g)
        if bad:
            raise RuntimeError(message(
                node.name(), f"Function '{node.name()}' returned {bad} values in its {i}th output",
                {"gradient": describe(g)},
                hint="the note below shows the forward call"))


def check_result(node: Node, results: list[Any]) -> None:
    """Raise where a forward call's results hold what must not be there."""
    for r in results:
        bad = _bad(r)
        if bad:
            raise RuntimeError(message(node.operator(), f"returned {bad} values in the forward pass",
                                       {"result": describe(r)}, hint=f"called at {place()}"))


def _apply(on: bool, nan: bool, inf: bool, forward: bool) -> None:
    """Set everything; costs nothing while off."""
    global enabled, nan_checked, inf_checked, forward_checked
    if on != enabled:
        if on:
            saved.packers.append(record)
            saved.recorder = record
            record_stacks(place)
        else:
            saved.packers.remove(record)
            saved.recorder = None
            record_stacks(None)
    enabled, nan_checked, inf_checked, forward_checked = on, nan, inf, forward


class set_detect_anomaly:
    """Turn anomaly mode on or off, at once; as a context manager, for a block.

    Args:
        mode: on or off.
        check_nan: raise when a backward computes NaN.
        check_inf: raise when a backward computes an infinity.
        forward: raise already when a recorded forward call returns one.
    """

    def __init__(self, mode: bool, check_nan: bool = True, check_inf: bool = False, forward: bool = False) -> None:
        self.prev = (enabled, nan_checked, inf_checked, forward_checked)
        _apply(mode, check_nan, check_inf, forward)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_exc: object) -> None:
        _apply(*self.prev)


class detect_anomaly:
    """Within the block, exceptions in backward carry the forward stack, and NaNs in gradients are errors.

    Args:
        check_nan: raise when a backward computes NaN.
        check_inf: raise when a backward computes an infinity.
        forward: raise already when a recorded forward call returns one.

    Example:
        >>> from lamella.core import tensor
        >>> with detect_anomaly():
        ...     x = tensor(2.0, requires_grad=True)
        ...     (x * x).backward()
    """

    def __init__(self, check_nan: bool = True, check_inf: bool = False, forward: bool = False) -> None:
        self.wanted = (True, check_nan, check_inf, forward)

    def __enter__(self) -> None:
        self.prev = (enabled, nan_checked, inf_checked, forward_checked)
        _apply(*self.wanted)

    def __exit__(self, *_exc: object) -> None:
        _apply(*self.prev)


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether it looks for NaNs."""
    return enabled and nan_checked
