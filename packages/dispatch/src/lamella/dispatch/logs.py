"""Named logs over ``logging``: ``LAMELLA_LOGS=dispatch,autograd`` or ``set_logs(dispatch=True)``.

A log that is off costs one attribute read: ``if log.on: log("...")``. Lines go to standard error unless the program has
configured a handler for the logger ``lamella`` (or one of its children) itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .errors import did_you_mean, message

NAMES: dict[str, str] = {
    "dispatch": "every kernel that is resolved: operator, key set, what runs and where it was registered",
    "registration": "every operator and kernel that Python code registers",
    "autograd": "every node that backward runs",
    "vmap": "every operator that runs once per example inside vmap, for want of a rule",
    "graph": "captured and transformed graphs",
    "fusion": "what was fused, and why not",
    "code": "generated C++ and CUDA C++",
    "guards": "guards made, and the ones that failed",
    "recompiles": "why something was compiled again",
    "breaks": "graph breaks with the user's line",
    "timing": "how long each step of compiling took",
    "cache": "what the compile cache found, wrote and threw away",
    "distributed": "every collective with its group, shape and time",
}


class Log:
    """One named log. ``on`` says whether anybody wants its lines."""

    __slots__ = ("name", "on", "help", "_logger")

    def __init__(self, name: str, help: str) -> None:
        self.name, self.on, self.help = name, False, help
        self._logger: Any = None

    def __call__(self, text: str, *values: Any) -> None:
        """Write a line; ``values`` fill ``%`` places as in ``logging``. Does nothing while the log is off."""
        if self.on:
            self._ready().info(text, *values)

    def _ready(self) -> Any:
        if self._logger is None:
            import logging

            self._logger = logging.getLogger("lamella." + self.name)
            root = logging.getLogger("lamella")
            if not self._logger.hasHandlers():
                handler = logging.StreamHandler()
                handler.setFormatter(logging.Formatter("[%(name)s] %(message)s"))
                root.addHandler(handler)
                root.propagate = False
            self._logger.setLevel(logging.INFO)
        return self._logger

    def __repr__(self) -> str:
        return f"<Log {self.name}: {'on' if self.on else 'off'}>"


#: Modules that install what writes a log; imported when it is switched on.
_TRACERS = {"dispatch": "lamella.dispatch.tracing", "registration": "lamella.dispatch.tracing"}
_logs: dict[str, Log] = {}
_watchers: dict[str, list[Callable[[bool], None]]] = {}


def get(name: str) -> Log:
    """The log of a name.

    Raises:
        ValueError: there is no such log; lists the valid names.

    Example:
        >>> get("dispatch")
        <Log dispatch: off>
    """
    log = _logs.get(name)
    if log is None:
        raise ValueError(_unknown(name, "logs"))
    return log


def declare(name: str, help: str) -> Log:
    """Add a log of another package. Its name has a dot (``mylib.kernels``), so that it never meets a built-in one.

    Raises:
        ValueError: the name has no dot.
    """
    if "." not in name and name not in NAMES:
        raise ValueError(
            message("logs", f"the name of an added log has a dot, {name!r} has none", hint=f"mylib.{name}")
        )
    log = _logs.setdefault(name, Log(name, help))
    if name in _wanted:
        _switch(log, True)
    return log


def set_logs(names: str | None = None, /, **switches: bool) -> None:
    """Switch logs.

    Args:
        names: a list as in ``LAMELLA_LOGS``: exactly these are on afterwards (``""`` switches all off, ``"all"`` on).
        switches: single logs by keyword: ``set_logs(dispatch=True)``.

    Raises:
        ValueError: an unknown name; lists the valid ones. Nothing is changed then.
    """
    _set(names, switches, "set_logs")


def _set(names: str | None, switches: dict[str, bool], where: str) -> None:
    wanted = None if names is None else _parse(names, where)
    for name in switches:
        if name not in _logs:
            raise ValueError(_unknown(name, where))
    if wanted is not None:
        _wanted.clear()
        _wanted.update(wanted)
        for log in _logs.values():
            _switch(log, log.name in wanted)
    for name, on in switches.items():
        _switch(_logs[name], bool(on))


@contextmanager
def using(names: str | None = None, /, **switches: bool) -> Iterator[None]:
    """`set_logs` for a block."""
    before = {name: log.on for name, log in _logs.items()}
    set_logs(names, **switches)
    try:
        yield
    finally:
        for name, on in before.items():
            _switch(_logs[name], on)


def watch(name: str, changed: Callable[[bool], None]) -> None:
    """Call ``changed(on)`` now if the log is on, and whenever it is switched: for tracing made on demand."""
    _watchers.setdefault(name, []).append(changed)
    if get(name).on:
        changed(True)


def describe() -> str:
    """A table of all logs."""
    wide = max(map(len, _logs))
    return "\n".join(f"{log.name:<{wide}}  {'on ' if log.on else 'off'}  {log.help}" for log in _logs.values())


def _switch(log: Log, on: bool) -> None:
    if log.on != on:
        log.on = on
        if on and log.name in _TRACERS:
            import importlib

            importlib.import_module(_TRACERS[log.name])
        for changed in _watchers.get(log.name, ()):
            changed(on)


def _parse(text: str, where: str) -> set[str]:
    names = {part.strip().lstrip("+") for part in text.split(",") if part.strip()}
    if "all" in names:
        names = (names - {"all"}) | set(_logs)
    for name in sorted(names):
        if name not in _logs and "." not in name:
            raise ValueError(_unknown(name, where))
    return names


def _unknown(name: str, where: str) -> str:
    close = did_you_mean(name, _logs)
    hint = f"valid: {', '.join(sorted(_logs))}, all"
    if close.startswith("did"):
        hint = f"{close} {hint}"
    return message(where, f"there is no log {name!r}", hint=hint)


_wanted: set[str] = set()
for _name, _help in NAMES.items():
    _logs[_name] = Log(_name, _help)
if os.environ.get("LAMELLA_LOGS"):
    _set(os.environ["LAMELLA_LOGS"], {}, "LAMELLA_LOGS")
