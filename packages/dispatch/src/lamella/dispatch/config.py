"""Settings, each declared once: name, type, default, help, and whether compiled code depends on it.

A setting is read from the environment (``LAMELLA_<NAME>``) when it is declared, changed with `set_` or the context
manager `using`, and read as an attribute of `settings`. A wrong value lists the valid ones.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .errors import LamellaError, did_you_mean, message

_TRUE, _FALSE = ("1", "true", "on", "yes"), ("0", "false", "off", "no", "")
_KINDS = (bool, int, float, str)


class Setting:
    """One declared setting; `describe` tells all about it."""

    __slots__ = ("name", "kind", "default", "help", "choices", "minimum", "enters_compile_key", "source")

    def __init__(
        self,
        name: str,
        kind: type,
        default: Any,
        help: str,
        choices: tuple[Any, ...] | None,
        minimum: float | None,
        enters_compile_key: bool,
    ) -> None:
        self.name, self.kind, self.default, self.help = name, kind, default, help
        self.choices, self.minimum, self.enters_compile_key = choices, minimum, enters_compile_key
        self.source = "default"

    @property
    def variable(self) -> str:
        """The environment variable."""
        return "LAMELLA_" + self.name.upper()

    def valid(self) -> str:
        """The valid values, in words."""
        if self.choices is not None:
            return ", ".join(str(choice) for choice in self.choices)
        if self.kind is bool:
            return "1, true, on, yes, 0, false, off, no"
        word = {int: "an integer", float: "a number", str: "any text"}[self.kind]
        return word if self.minimum is None else f"{word}, at least {self.minimum:g}"

    def check(self, value: Any, where: str) -> Any:
        """Return ``value`` in the setting's type, or raise ValueError listing the valid values."""
        try:
            result = self._convert(value)
        except (TypeError, ValueError):
            result = _BAD
        if result is _BAD or (self.choices is not None and result not in self.choices):
            self._refuse(value, where)
        if self.minimum is not None and result < self.minimum:
            self._refuse(value, where)
        return result

    def _convert(self, value: Any) -> Any:
        if self.kind is bool:
            if isinstance(value, str):
                low = value.strip().lower()
                return True if low in _TRUE else False if low in _FALSE else _BAD
            return value if isinstance(value, bool) else bool(value) if value in (0, 1) else _BAD
        if isinstance(value, str):
            return value if self.kind is str else self.kind(value.strip())
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        return value if isinstance(value, self.kind) and not isinstance(value, bool) else _BAD

    def _refuse(self, value: Any, where: str) -> None:
        hint = f"valid: {self.valid()}"
        if self.choices is not None:
            close = did_you_mean(str(value), [str(c) for c in self.choices])
            if close.startswith("did"):
                hint = f"{hint}; {close}"
        raise ValueError(message(where, f"{value!r} is no value of the setting {self.name!r}", hint=hint))


_BAD = object()


class Settings:
    """All settings as attributes: ``settings.name``.

    Example:
        >>> mine = Settings()
        >>> mine.declare("fuse", bool, True, "fuse pointwise loops", enters_compile_key=True)
        >>> mine.fuse
        True
        >>> with mine.using(fuse=False):
        ...     mine.fuse, mine.compile_key()
        (False, (('fuse', False),))
        >>> mine.fuse
        True
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment
        self._declared: dict[str, Setting] = {}
        self._lock = threading.RLock()

    def declare(
        self,
        name: str,
        kind: type,
        default: Any,
        help: str,
        *,
        choices: tuple[Any, ...] | None = None,
        minimum: float | None = None,
        enters_compile_key: bool = False,
    ) -> None:
        """Declare a setting and read its environment variable.

        Args:
            name: lower case, an identifier; the variable is ``LAMELLA_`` and the name in capitals.
            kind: bool, int, float or str.
            default: its value where nothing is said.
            help: one sentence.
            choices: the valid values, where they can be listed.
            minimum: the smallest valid number.
            enters_compile_key: code compiled under another value must not be reused.

        Raises:
            LamellaError: declared before with other facts, or not a declaration.
            ValueError: the environment variable holds a wrong value.
        """
        if not name.isidentifier() or name != name.lower() or hasattr(type(self), name):
            raise LamellaError(message("settings", "a setting's name is a lower-case identifier", repr(name)))
        if kind not in _KINDS:
            raise LamellaError(message("settings", "a setting is a bool, int, float or str", f"{name}: {kind!r}"))
        new = Setting(name, kind, default, help, choices, minimum, enters_compile_key)
        new.check(default, "settings")
        with self._lock:
            old = self._declared.get(name)
            if old is not None:
                if (old.kind, old.default, old.choices) != (kind, default, choices):
                    raise LamellaError(message("settings", f"{name!r} is declared twice with different facts"))
                return
            value = default
            if new.variable in self._environment:
                value = new.check(self._environment[new.variable], new.variable)
                new.source = "environment"
            self._declared[name] = new
            self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(self._unknown(name))

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            self.__dict__[name] = value
        else:
            self.set_(**{name: value})

    def _unknown(self, name: str) -> str:
        return message("settings", f"there is no setting {name!r}", hint=did_you_mean(name, self._declared))

    def set_(self, **values: Any) -> None:
        """Change settings for the whole process. All are checked before any is changed.

        Raises:
            AttributeError: no such setting; names the nearest.
            ValueError: a wrong value; lists the valid ones.
        """
        with self._lock:
            checked = {}
            for name, value in values.items():
                declared = self._declared.get(name)
                if declared is None:
                    raise AttributeError(self._unknown(name))
                checked[name] = declared.check(value, "settings")
            for name, value in checked.items():
                self.__dict__[name] = value
                self._declared[name].source = "set"

    @contextmanager
    def using(self, **values: Any) -> Iterator[Settings]:
        """Change settings for a block; the values before it come back, also after an exception."""
        for name in values:
            if name not in self._declared:
                raise AttributeError(self._unknown(name))
        before = {name: (self.__dict__[name], self._declared[name].source) for name in values}
        self.set_(**values)
        try:
            yield self
        finally:
            for name, (value, source) in before.items():
                self.__dict__[name] = value
                self._declared[name].source = source

    def compile_key(self) -> tuple[tuple[str, Any], ...]:
        """The settings that compiled code depends on, as part of a cache key."""
        return tuple((n, self.__dict__[n]) for n, s in sorted(self._declared.items()) if s.enters_compile_key)

    def describe(self) -> str:
        """A table of all settings: value, where it comes from, valid values, help."""
        lines = []
        for name, setting in sorted(self._declared.items()):
            key = ", enters the compile key" if setting.enters_compile_key else ""
            lines.append(f"{name} = {self.__dict__[name]!r} ({setting.source}; {setting.variable}{key})")
            lines.append(f"    {setting.help} Valid: {setting.valid()}.")
        return "\n".join(lines)

    def unknown_variables(self) -> list[str]:
        """``LAMELLA_*`` variables in the environment that no loaded setting reads: probably misspelled."""
        known = {setting.variable for setting in self._declared.values()} | {"LAMELLA_LOGS"}
        return sorted(name for name in self._environment if name.startswith("LAMELLA_") and name not in known)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._declared]


settings = Settings()
declare = settings.declare
