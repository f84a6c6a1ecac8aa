"""What goes wrong while a program is compiled; the front end turns it into an eager call and one warning."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import LamellaError, message


class CompileError(LamellaError):
    """A program that could not be compiled.

    Attributes:
        step: where: "prepare", "decompose", "lower", "schedule", "emit", "build" or "load".
    """

    def __init__(self, step: str, rule: str, values: Any = (), *, details: Any = (), hint: str | None = None) -> None:
        super().__init__(message(f"compile ({step})", rule, values, details=details, hint=hint))
        self.step = step


class CompilerMissing(CompileError):
    """There is no C++ compiler on this machine."""


class BuildError(CompileError):
    """The C++ compiler refused a source.

    Attributes:
        source: the file. command: what was run. output: all that the compiler said.
    """

    def __init__(self, rule: str, source: str, command: list[str], output: str, hint: str | None = None) -> None:
        lines = [line for line in output.splitlines() if "error" in line.lower()] or output.splitlines()
        super().__init__("build", rule, {"source": source}, details=lines[:4], hint=hint)
        self.source, self.command, self.output = source, command, output
